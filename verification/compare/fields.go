package compare

import (
	"fmt"
	"strings"

	"metaroce/golden/event"
)

// fieldBytes are the bytes of a field in a beat, least significant first. A short beat gives what is there.
func fieldBytes(f *event.Field, beat []byte) []byte {
	low, high := min(f.Offset, len(beat)), min(f.Offset+f.Bytes, len(beat))
	return beat[low:high]
}

// value is a field's low 64 bits, 0 of an input handshake's empty beat.
func value(f *event.Field, beat []byte) uint64 {
	if len(beat) < f.Offset+f.Bytes {
		return 0
	}
	return f.Value(beat)
}

// FormatField is a field's value as reports show it: hexadecimal, or an enum's name and value.
func FormatField(f *event.Field, beat []byte) string {
	if f.Enum != "" {
		v := value(f, beat)
		return fmt.Sprintf("%s (%d)", event.EnumName(f.Enum, v), v)
	}
	raw := fieldBytes(f, beat)
	var b strings.Builder
	b.WriteString("0x")
	for i := len(raw) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%02x", raw[i])
	}
	if f.Bits > 64 {
		return b.String() // all digits, so that two values stand one above the other
	}
	return trimZeros(b.String())
}

// trimZeros drops leading zeros of a hexadecimal number but the last.
func trimZeros(hex string) string {
	digits := strings.TrimLeft(hex[2:], "0")
	if digits == "" {
		digits = "0"
	}
	return "0x" + digits
}

// FormatBeat is a whole beat as name=value pairs. An input handshake has no fields.
func FormatBeat(p *event.Port, beat []byte) string {
	if len(beat) == 0 {
		return "handshake"
	}
	parts := make([]string, len(p.Fields))
	for i := range p.Fields {
		parts[i] = p.Fields[i].Name + "=" + strings.ReplaceAll(FormatField(&p.Fields[i], beat), " ", "")
	}
	return strings.Join(parts, " ")
}

// formatKey names a beat by its port's key fields.
func formatKey(p *event.Port, beat []byte) string {
	if len(beat) == 0 {
		return ""
	}
	var parts []string
	for _, name := range p.Keys {
		if f := fieldByName(p, name); f != nil {
			parts = append(parts, name+"="+FormatField(f, beat))
		}
	}
	return strings.Join(parts, " ")
}

func fieldByName(p *event.Port, name string) *event.Field {
	f, _ := p.FieldByName(name)
	return f
}

// contextFields are the fields that name a context: what two ports of a unit may have in common.
var contextFields = []string{"connection", "path", "stream"}

// sameContext tells whether two beats speak of the same context. Ports without such fields have none in common.
func sameContext(p *event.Port, beat []byte, q *event.Port, other []byte) bool {
	shared := false
	for _, name := range contextFields {
		f, g := fieldByName(p, name), fieldByName(q, name)
		if f == nil || g == nil || len(beat) == 0 || len(other) == 0 {
			continue
		}
		if value(f, beat) != value(g, other) {
			return false
		}
		shared = true
	}
	return shared
}

// firstDifferentField is the first field in which two beats differ and that counts at the level, or nil. A beat of the
// wrong length differs in the first field that it does not hold.
func firstDifferentField(p *event.Port, want, got []byte, device bool) *event.Field {
	for i := range p.Fields {
		f := &p.Fields[i]
		if f.Match == event.Device && !device {
			continue
		}
		if string(fieldBytes(f, want)) != string(fieldBytes(f, got)) {
			return f
		}
	}
	return nil
}
