package compare

import (
	"reflect"
	"strings"

	"metaroce/golden/event"
	"metaroce/golden/wire"
)

// basePrefix stands before a field of the base header in the ordered_by of a port that carries packets.
const basePrefix = "base."

// baseFields is the place of each field of the base header in its Go type, by its name in the spec.
var baseFields = func() map[string]int {
	places := map[string]int{}
	t := reflect.TypeFor[wire.Base]()
	for i := range t.NumField() {
		places[basePrefix+snake(t.Field(i).Name)] = i
	}
	return places
}()

// appendGroupKey appends what two beats of a port, or two whole frames, have in common if they are of one group. Frames
// that are too short for a base header are a group of their own.
func appendGroupKey(dst []byte, port *event.Port, beat []byte) []byte {
	if !isFrames(port) {
		for _, name := range port.OrderedBy {
			dst = append(dst, fieldBytes(fieldByName(port, name), beat)...)
		}
		return dst
	}
	base, ok := baseHeader(beat)
	if !ok {
		return dst
	}
	v := reflect.ValueOf(base)
	for _, name := range port.OrderedBy {
		x := v.Field(baseFields[name]).Uint()
		dst = append(dst, byte(x>>56), byte(x>>48), byte(x>>40), byte(x>>32), byte(x>>24), byte(x>>16), byte(x>>8), byte(x))
	}
	return dst
}

func baseHeader(frame []byte) (wire.Base, bool) {
	u, ok := udpPayload(frame)
	if !ok {
		return wire.Base{}, false
	}
	base, _, err := wire.ParseBase(frame[u:])
	return base, err == nil
}

// formatGroup names the group of a beat, or of a whole frame: "connection=0x1 stream=0x2". It is empty where the port has
// no groups.
func formatGroup(port *event.Port, beat []byte) string {
	var parts []string
	if !isFrames(port) {
		for _, name := range port.OrderedBy {
			parts = append(parts, name+"="+FormatField(fieldByName(port, name), beat))
		}
		return strings.Join(parts, " ")
	}
	base, ok := baseHeader(beat)
	if !ok {
		return ""
	}
	for _, name := range port.OrderedBy {
		parts = append(parts, name+"="+formatAny(reflect.ValueOf(base).Field(baseFields[name]).Interface()))
	}
	return strings.Join(parts, " ")
}

// sameButGroup tells whether two beats, or frames, of a port are the same in all that counts at order level but the
// fields that order the port. The CRC of a frame is not looked at: it covers those fields.
func sameButGroup(port *event.Port, want, got []byte) bool {
	if isFrames(port) {
		return sameFrameButGroup(port, want, got)
	}
	if len(want) != len(got) {
		return false
	}
	for i := range port.Fields {
		f := &port.Fields[i]
		if f.Match == event.Must && !ordersBy(port, f.Name) && string(fieldBytes(f, want)) != string(fieldBytes(f, got)) {
			return false
		}
	}
	return true
}

func ordersBy(port *event.Port, field string) bool {
	for _, name := range port.OrderedBy {
		if name == field {
			return true
		}
	}
	return false
}

func sameFrameButGroup(port *event.Port, want, got []byte) bool {
	a, known := baseHeader(want)
	b, alike := baseHeader(got)
	if !known || !alike || len(want) != len(got) {
		return false
	}
	for _, name := range port.OrderedBy {
		place := baseFields[name]
		reflect.ValueOf(&b).Elem().Field(place).Set(reflect.ValueOf(a).Field(place))
	}
	u, _ := udpPayload(want)
	v, _ := udpPayload(got)
	return a == b && u == v && string(want[:u]) == string(got[:u]) && sameAck(want, got, u)
}
