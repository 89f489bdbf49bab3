package golang

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// header is the codec of one header.
func header(s *model.Spec, h *model.Header) *output.Text {
	t := &output.Text{}
	name := output.Camel(h.Name)
	t.Line("\npackage wire")
	if len(h.Fields) > 0 && needsBinary(h) {
		t.Line("\nimport \"encoding/binary\"")
	}
	t.Line("\n// %sBytes is the length of the header.\nconst %sBytes = %d", name, name, h.Bits/8)
	t.Line("\n// %s is the header %q. Fields are in transmission order.\ntype %s struct {", name, h.Name, name)
	for i := range h.Fields {
		f := &h.Fields[i]
		t.Line("// %s: %s, %d bits.\n%s %s", output.Camel(f.Name), f.Text, f.Bits, output.Camel(f.Name), wireType(s, f))
	}
	t.Line("}\n\n// Len is the length of the encoding.\nfunc (h %s) Len() int { return %sBytes }", name, name)
	runs := splitRuns(h)
	t.Line("\n// Append adds the encoding. Bits of a field beyond its width are not sent.")
	t.Line("func (h %s) Append(dst []byte) []byte {", name)
	for _, r := range runs {
		appendRun(t, s, r)
	}
	t.Line("return dst\n}")
	t.Line("\n// Parse%s reads the header from the front of b, and tells how many bytes it took. The error is a *ShortError.", name)
	t.Line("func Parse%s(b []byte) (h %s, n int, err error) {\nif len(b) < %sBytes {", name, name, name)
	t.Line("return h, 0, &ShortError{Header: %q, Want: %sBytes, Got: len(b)}\n}", h.Name, name)
	for _, r := range runs {
		parseRun(t, s, r)
	}
	t.Line("return h, %sBytes, nil\n}", name)
	return t
}

// run is fields that together begin and end on byte boundaries.
type run struct {
	fields []*model.HeaderField
	bytes  int
	at     int // offset in bytes
}

func splitRuns(h *model.Header) []run {
	var runs []run
	var r run
	bits := 0
	for i := range h.Fields {
		f := &h.Fields[i]
		if len(r.fields) == 0 {
			r.at = f.Offset / 8
		}
		r.fields = append(r.fields, f)
		if bits += f.Bits; bits%8 == 0 {
			r.bytes = bits / 8
			runs = append(runs, r)
			r, bits = run{}, 0
		}
	}
	return runs
}

// needsBinary tells whether a run has one of the lengths that encoding/binary has functions for.
func needsBinary(h *model.Header) bool {
	for _, r := range splitRuns(h) {
		if r.bytes == 2 || r.bytes == 4 || r.bytes == 8 || r.bytes == 32 {
			return true
		}
	}
	return false
}

func wireType(s *model.Spec, f *model.HeaderField) string {
	if e := s.Enum(f.Enum); e != nil {
		return enumType(e, "wire")
	}
	switch {
	case f.Bits == 128:
		return "[16]byte"
	case f.Bits > 64:
		return fmt.Sprintf("[%d]uint64", f.Bits/64)
	}
	return uintType(f.Bits)
}

// appendRun writes the code that appends a run.
func appendRun(t *output.Text, s *model.Spec, r run) {
	f := r.fields[0]
	field := "h." + output.Camel(f.Name)
	switch {
	case f.Bits == 128:
		t.Line("dst = append(dst, %s[:]...)", field)
		return
	case f.Bits > 64:
		for i := f.Bits/64 - 1; i >= 0; i-- {
			t.Line("dst = binary.BigEndian.AppendUint64(dst, %s[%d])", field, i)
		}
		return
	}
	value := packed(s, r)
	switch r.bytes {
	case 1:
		t.Line("dst = append(dst, %s)", value)
	case 2, 4, 8:
		t.Line("dst = binary.BigEndian.AppendUint%d(dst, %s)", 8*r.bytes, value)
	default:
		t.Line("dst = append(dst, %s)", bigEndianBytes("uint64("+field+")", value, r))
	}
}

// bigEndianBytes is a value's bytes as arguments.
func bigEndianBytes(single, packed string, r run) string {
	v := packed
	if len(r.fields) == 1 {
		v = single
	}
	var out []string
	for i := r.bytes - 1; i >= 0; i-- {
		out = append(out, strings.Replace(fmt.Sprintf("byte((%s)>>%d)", v, 8*i), ">>0)", ")", 1))
	}
	return strings.Join(out, ", ")
}

// packed is the expression that puts a run's fields into one number, the first in the highest bits.
func packed(s *model.Spec, r run) string {
	width := uintBits(8 * r.bytes)
	kind := fmt.Sprintf("uint%d", width)
	shift := 8 * r.bytes
	var parts []string
	for _, f := range r.fields {
		shift -= f.Bits
		part := "h." + output.Camel(f.Name)
		if wireType(s, f) != kind {
			part = kind + "(" + part + ")"
		}
		if f.Bits != width && shift+f.Bits != width {
			part = fmt.Sprintf("%s&0x%x", part, uint64(1)<<f.Bits-1)
		}
		if shift > 0 {
			part = fmt.Sprintf("(%s)<<%d", part, shift)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "|")
}

// parseRun writes the code that reads a run.
func parseRun(t *output.Text, s *model.Spec, r run) {
	f := r.fields[0]
	field := "h." + output.Camel(f.Name)
	switch {
	case f.Bits == 128:
		t.Line("copy(%s[:], b[%d:%d])", field, r.at, r.at+16)
		return
	case f.Bits > 64:
		words := f.Bits / 64
		for i := words - 1; i >= 0; i-- {
			t.Line("%s[%d] = binary.BigEndian.Uint64(b[%d:])", field, i, r.at+8*(words-1-i))
		}
		return
	}
	value, kind := readRun(r)
	if len(r.fields) > 1 && strings.ContainsAny(value, ".|") {
		name := "v" + decimal(uint64(r.at))
		t.Line("%s := %s", name, value)
		value = name
	}
	shift := 8 * r.bytes
	for _, f := range r.fields {
		shift -= f.Bits
		t.Line("h.%s = %s", output.Camel(f.Name), extract(s, f, value, kind, shift, shift+f.Bits == 8*r.bytes))
	}
}

// readRun is the expression that reads a run as one number, and its type.
func readRun(r run) (value, kind string) {
	switch r.bytes {
	case 1:
		return fmt.Sprintf("b[%d]", r.at), "uint8"
	case 2, 4, 8:
		return fmt.Sprintf("binary.BigEndian.Uint%d(b[%d:])", 8*r.bytes, r.at), fmt.Sprintf("uint%d", 8*r.bytes)
	}
	kind = uintType(8 * r.bytes)
	var parts []string
	for i := 0; i < r.bytes; i++ {
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s(b[%d])<<%d", kind, r.at+i, 8*(r.bytes-1-i)), "<<0"))
	}
	return strings.Join(parts, "|"), kind
}

// extract is the expression for a field of a run that was read as value. top: the field is the run's first.
func extract(s *model.Spec, f *model.HeaderField, value, kind string, shift int, top bool) string {
	if shift > 0 {
		value = fmt.Sprintf("%s>>%d", value, shift)
	}
	if !top {
		value = fmt.Sprintf("%s&0x%x", value, uint64(1)<<f.Bits-1)
	}
	if want := wireType(s, f); want != kind {
		value = want + "(" + value + ")"
	}
	return value
}

// shortError is the error of the codec.
func shortError(pkg string) *output.Text {
	t := &output.Text{}
	t.Line("\npackage %s\n\nimport \"fmt\"", pkg)
	t.Line(`
// ShortError says that fewer bytes are there than a header has.
type ShortError struct {
	Header    string // name in the spec
	Want, Got int    // bytes
}

func (e *ShortError) Error() string {
	return fmt.Sprintf("%%s header: %%d bytes, want %%d", e.Header, e.Got, e.Want)
}`)
	return t
}
