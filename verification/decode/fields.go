package decode

import (
	"fmt"
	"net/netip"
	"reflect"
	"strconv"
	"unicode"
)

// Field is one decoded header field.
type Field struct {
	Header string // header of the spec: "base", "ack", ...
	Name   string // field of the spec
	Value  string // decimal, 0x-prefixed hexadecimal, an address, or an enum's name
	Number bool   // Value is a decimal number below 2^32
}

// plan is how one header's fields are shown. It is made once from the generated struct, whose order and names are the
// spec's, so that no field can be forgotten here.
type plan struct {
	header string
	names  []string
}

func newPlan(header string, zero any) plan {
	p := plan{header: header}
	for t, i := reflect.TypeOf(zero), 0; i < t.NumField(); i++ {
		p.names = append(p.names, snake(t.Field(i).Name))
	}
	return p
}

// append appends the fields of a header of the plan's type.
func (p plan) append(dst []Field, header any) []Field {
	v := reflect.ValueOf(header)
	for i, name := range p.names {
		f := Field{Header: p.header, Name: name}
		f.Value, f.Number = p.value(name, v.Field(i))
		dst = append(dst, f)
	}
	return dst
}

func (p plan) value(name string, v reflect.Value) (text string, number bool) {
	if s, ok := v.Interface().(fmt.Stringer); ok {
		return s.String(), false
	}
	switch v.Kind() {
	case reflect.Array:
		return array(v), false
	case reflect.Uint64:
		if p.header == "ethernet" {
			return mac(v.Uint()), false
		}
		return "0x" + strconv.FormatUint(v.Uint(), 16), false
	}
	switch {
	case name == "checksum" || name == "ethertype" || name == "crc" || name == "key":
		return "0x" + strconv.FormatUint(v.Uint(), 16), false
	case p.header == "ipv4" && (name == "source" || name == "destination"):
		a := uint32(v.Uint())
		return netip.AddrFrom4([4]byte{byte(a >> 24), byte(a >> 16), byte(a >> 8), byte(a)}).String(), false
	}
	return strconv.FormatUint(v.Uint(), 10), true
}

// array shows a 128-bit address or a vector of 64-bit words, word 0 the lowest.
func array(v reflect.Value) string {
	if b, ok := v.Interface().([16]byte); ok {
		return netip.AddrFrom16(b).String()
	}
	text := "0x"
	for i := v.Len() - 1; i >= 0; i-- {
		text += fmt.Sprintf("%016x", v.Index(i).Uint())
	}
	return text
}

func mac(v uint64) string {
	return fmt.Sprintf("%02x:%02x:%02x:%02x:%02x:%02x", byte(v>>40), byte(v>>32), byte(v>>24), byte(v>>16), byte(v>>8), byte(v))
}

// snake turns a generated Go name back into the spec's.
func snake(name string) string {
	var out []rune
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			out = append(out, '_')
		}
		out = append(out, unicode.ToLower(c))
	}
	return string(out)
}
