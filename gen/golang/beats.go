package golang

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// beats is the structs and codecs of a unit's ports.
func beats(s *model.Spec, u *model.Unit) *output.Text {
	t := &output.Text{}
	t.Line("\npackage event")
	body := &output.Text{}
	for i := range u.Ports {
		beat(body, s, u, &u.Ports[i])
	}
	var imports []string
	for _, p := range []string{"encoding/binary", "metaroce/golden/wire"} {
		if strings.Contains(body.String(), p[strings.LastIndex(p, "/")+1:]+".") {
			imports = append(imports, fmt.Sprintf("%q", p))
		}
	}
	if len(imports) > 0 {
		t.Line("\nimport (\n%s\n)", strings.Join(imports, "\n\n"))
	}
	t.WriteString(body.String())
	return t
}

func beat(t *output.Text, s *model.Spec, u *model.Unit, p *model.Port) {
	name := output.Camel(u.Name + "_" + p.Base)
	t.Line("\n// %sBytes is the length of a beat of port %s of unit %s.\nconst %sBytes = %d", name, p.Name, u.Name, name, p.Bytes)
	t.Line("\n// %s is a beat of port %s of unit %s.\ntype %s struct {", name, p.Name, u.Name, name)
	for i := range p.Fields {
		f := &p.Fields[i]
		t.Line("// %s: %s, %d bits.\n%s %s", output.Camel(f.Name), f.Text, f.Bits, output.Camel(f.Name), eventType(s, f))
	}
	t.Line("}\n\n// Len is the length of the encoding.\nfunc (r %s) Len() int { return %sBytes }", name, name)
	t.Line("\n// Append adds the beat: its fields in order, each in whole bytes, least significant first. Bits of a field beyond its\n// width are not sent.")
	t.Line("func (r %s) Append(dst []byte) []byte {", name)
	for i := range p.Fields {
		appendField(t, s, &p.Fields[i])
	}
	t.Line("return dst\n}")
	t.Line("\n// Parse%s reads a beat. It must be of the exact length (*LengthError) and no field may have bits beyond its width\n// (*WidthError).", name)
	t.Line("func Parse%s(b []byte) (r %s, err error) {\nif len(b) != %sBytes {", name, name, name)
	t.Line("return r, &LengthError{Beat: %q, Want: %sBytes, Got: len(b)}\n}", u.Name+"."+p.Name, name)
	for i := range p.Fields {
		if f := &p.Fields[i]; f.Bits%8 != 0 {
			limit := 1<<(f.Bits%8) - 1
			t.Line("if b[%d] > 0x%x {\nreturn r, &WidthError{Beat: %q, Field: %q, Bits: %d}\n}", f.Offset+f.Bytes-1, limit, u.Name+"."+p.Name, f.Name, f.Bits)
		}
	}
	for i := range p.Fields {
		parseField(t, s, &p.Fields[i])
	}
	t.Line("return r, nil\n}")
}

func eventType(s *model.Spec, f *model.PortField) string {
	if e := s.Enum(f.Enum); e != nil {
		return enumType(e, "event")
	}
	switch {
	case f.Bits == 1:
		return "bool"
	case f.Bits == 512:
		return "[64]byte"
	case f.Bits > 64:
		return fmt.Sprintf("[%d]uint64", f.Bits/64)
	}
	return uintType(f.Bits)
}

// appendField writes the code that appends one field.
func appendField(t *output.Text, s *model.Spec, f *model.PortField) {
	field := "r." + output.Camel(f.Name)
	kind := eventType(s, f)
	switch {
	case kind == "bool":
		t.Line("dst = append(dst, bit(%s))", field)
	case f.Bits == 512:
		t.Line("dst = append(dst, %s[:]...)", field)
	case f.Bits > 64:
		for i := range f.Bits / 64 {
			t.Line("dst = binary.LittleEndian.AppendUint64(dst, %s[%d])", field, i)
		}
	default:
		t.Line("dst = %s", appendNumber(field, kind, f))
	}
}

// appendNumber is the expression that appends a number of 1..64 bits.
func appendNumber(field, kind string, f *model.PortField) string {
	width := uintBits(f.Bits)
	if plain := fmt.Sprintf("uint%d", width); kind != plain {
		field = plain + "(" + field + ")"
	}
	if f.Bits == width {
		switch f.Bytes {
		case 1:
			return fmt.Sprintf("append(dst, %s)", field)
		default:
			return fmt.Sprintf("binary.LittleEndian.AppendUint%d(dst, %s)", width, field)
		}
	}
	masked := fmt.Sprintf("%s&0x%x", field, uint64(1)<<f.Bits-1)
	switch {
	case f.Bytes == 1:
		return fmt.Sprintf("append(dst, %s)", masked)
	case 8*f.Bytes == width:
		return fmt.Sprintf("binary.LittleEndian.AppendUint%d(dst, %s)", width, masked)
	}
	var parts []string
	for i := range f.Bytes {
		v := field
		if i == f.Bytes-1 && f.Bits%8 != 0 {
			v = "(" + masked + ")"
		}
		parts = append(parts, strings.Replace(fmt.Sprintf("byte(%s>>%d)", v, 8*i), ">>0)", ")", 1))
	}
	return fmt.Sprintf("append(dst, %s)", strings.Join(parts, ", "))
}

// parseField writes the code that reads one field.
func parseField(t *output.Text, s *model.Spec, f *model.PortField) {
	field := "r." + output.Camel(f.Name)
	kind := eventType(s, f)
	switch {
	case kind == "bool":
		t.Line("%s = b[%d] != 0", field, f.Offset)
	case f.Bits == 512:
		t.Line("copy(%s[:], b[%d:])", field, f.Offset)
	case f.Bits > 64:
		for i := range f.Bits / 64 {
			t.Line("%s[%d] = binary.LittleEndian.Uint64(b[%d:])", field, i, f.Offset+8*i)
		}
	default:
		value, got := readNumber(f)
		if got != kind {
			value = kind + "(" + value + ")"
		}
		t.Line("%s = %s", field, value)
	}
}

// readNumber is the expression that reads a number of 1..64 bits, and its type.
func readNumber(f *model.PortField) (value, kind string) {
	width := uintBits(f.Bits)
	kind = fmt.Sprintf("uint%d", width)
	if f.Bytes == 1 {
		return fmt.Sprintf("b[%d]", f.Offset), kind
	}
	if 8*f.Bytes == width {
		return fmt.Sprintf("binary.LittleEndian.Uint%d(b[%d:])", width, f.Offset), kind
	}
	var parts []string
	for i := range f.Bytes {
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s(b[%d])<<%d", kind, f.Offset+i, 8*i), "<<0"))
	}
	return strings.Join(parts, "|"), kind
}

// beatErrors is the errors of the beat codecs.
func beatErrors() *output.Text {
	t := &output.Text{}
	t.Line("\npackage event\n\nimport \"fmt\"")
	t.Line(`
// LengthError says that a beat has another length than its port's beats have.
type LengthError struct {
	Beat      string // unit and port, "sack.s_req"
	Want, Got int    // bytes
}

func (e *LengthError) Error() string {
	return fmt.Sprintf("beat of %%s: %%d bytes, want %%d", e.Beat, e.Got, e.Want)
}

// WidthError says that a field of a beat has bits set beyond its width.
type WidthError struct {
	Beat  string // unit and port, "sack.s_req"
	Field string
	Bits  int
}

func (e *WidthError) Error() string {
	return fmt.Sprintf("beat of %%s: field %%s has bits beyond its %%d", e.Beat, e.Field, e.Bits)
}

// bit is a flag as a byte.
func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}`)
	return t
}
