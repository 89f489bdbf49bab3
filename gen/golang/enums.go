package golang

import (
	"fmt"
	"strconv"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

func decimal(v uint64) string { return strconv.FormatUint(v, 10) }

var packageOf = map[model.Domain]string{model.DomainWire: "wire", model.DomainEvent: "event"}

var packageDoc = map[model.Domain]string{
	model.DomainWire:  "// Package wire is the codec of the interim profile's headers and the enums that they carry.\n",
	model.DomainEvent: "// Package event is the records of the units: one struct a port, its beat as bytes, and tables that describe them.\n",
}

// enums is the enums of one domain as typed constants with String.
func enums(s *model.Spec, domain model.Domain) *output.Text {
	t := &output.Text{}
	t.Line("\n%spackage %s", packageDoc[domain], packageOf[domain])
	body, flags := &output.Text{}, false
	for i := range s.Enums {
		if e := &s.Enums[i]; e.Domain == domain {
			enum(body, e)
			flags = flags || e.Flags
		}
	}
	if flags {
		flagsHelper(body)
	}
	if body.Len() > 0 {
		t.Line("\nimport \"strconv\"\n%s", body.String())
	}
	return t
}

// enum writes one enum.
func enum(t *output.Text, e *model.Enum) {
	name := output.Camel(e.Name)
	kind := map[bool]string{false: "is an enumeration", true: "is a set of flags"}[e.Flags]
	t.Line("\n// %s %s of %d bits.\ntype %s %s", name, kind, e.Bits, name, uintType(e.Bits))
	t.Line("\n// Values of %s.\nconst (", name)
	for _, v := range e.Values {
		t.Line("// %s%s: %s.\n%s%s %s = %d", name, output.Camel(v.Name), v.Text, name, output.Camel(v.Name), name, v.Value)
	}
	t.Line(")")
	if e.Flags {
		t.Line("\n// String is the names of the flags that are set, joined by \"|\", other bits as one hex number; \"0\" if none is.")
		t.Line("func (v %s) String() string {\nreturn flagNames(uint64(v), []flagName{", name)
		for _, v := range e.Values {
			t.Line("{%d, %q},", v.Value, v.Name)
		}
		t.Line("})\n}")
		return
	}
	t.Line("\n// String is the name of the value in the spec, or the type and the number where it has none.")
	t.Line("func (v %s) String() string {\nswitch v {", name)
	for _, v := range e.Values {
		t.Line("case %s%s:\nreturn %q", name, output.Camel(v.Name), v.Name)
	}
	t.Line("}\nreturn \"%s(\" + strconv.FormatUint(uint64(v), 10) + \")\"\n}", e.Name)
}

func flagsHelper(t *output.Text) {
	t.Line(`
type flagName struct {
	bit  uint64
	name string
}

// flagNames joins the names of the flags set in v.
func flagNames(v uint64, names []flagName) string {
	text := ""
	for _, n := range names {
		if v&n.bit != 0 {
			text += "|" + n.name
			v &^= n.bit
		}
	}
	if v != 0 {
		text += "|0x" + strconv.FormatUint(v, 16)
	}
	if text == "" {
		return "0"
	}
	return text[1:]
}`)
}

// enumName is the function that names a value of any enum.
func enumName(s *model.Spec) *output.Text {
	body, imports := &output.Text{}, "\"strconv\"\n"
	for i := range s.Enums {
		e := &s.Enums[i]
		body.Line("case %q:\nreturn %s(value).String()", e.Name, enumType(e, "event"))
		if e.Domain == model.DomainWire {
			imports = "\"strconv\"\n\n\"metaroce/golden/wire\"\n"
		}
	}
	t := &output.Text{}
	t.Line("\npackage event\n\nimport (\n%s)", imports)
	t.Line("\n// EnumName is the name of a value of the enum with that name in the spec; the number alone where there is no such enum.")
	t.Line("func EnumName(enum string, value uint64) string {\nswitch enum {\n%s}\nreturn strconv.FormatUint(value, 10)\n}", body.String())
	return t
}

// enumType is the Go type of an enum seen from a package.
func enumType(e *model.Enum, from string) string {
	if p := packageOf[e.Domain]; p != from {
		return fmt.Sprintf("%s.%s", p, output.Camel(e.Name))
	}
	return output.Camel(e.Name)
}
