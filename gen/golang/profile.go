package golang

import (
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// profileConstants is the constants, with the profile's identity.
func profileConstants(s *model.Spec) *output.Text {
	t := &output.Text{}
	t.Line("\n// Package profile is the numbers of the interim profile: constants, timing, sizes.\npackage profile\n")
	t.Line("// Identity of the profile.\nconst (")
	t.Line("// Name is the profile's name.\nName = %q", s.Name)
	t.Line("// Version is the profile's version.\nVersion = %d", s.Version)
	t.Line("// SpecHash is the SHA-256 over the spec, in hex.\nSpecHash = \"%x\"", s.Hash)
	t.Line("// SpecHash64 is its first 8 bytes, big-endian, as the units' id_spec_hash carry it.\nSpecHash64 = 0x%016x", output.Prefix64(s.Hash))
	t.Line("// Statement says what the profile is.\nStatement = %q", output.Sentence(s.Statement))
	t.Line(")\n\n// Constants of the profile.\nconst (")
	for _, c := range s.Constants {
		t.Line("// %s: %s%s.", output.Camel(c.Name), c.Text, inUnit(c.Unit))
		t.Line("%s = %d", output.Camel(c.Name), c.Value)
	}
	t.Line(")\n\n// Shapes of the ROM tables.\nconst (")
	for _, b := range s.Tables {
		name := output.Camel(b.Name)
		t.Line("// %sEntries is the number of entries: %s.", name, output.Sentence(b.Text))
		t.Line("%sEntries = %d", name, b.Entries)
		t.Line("// %sBits is the width of an entry.\n%sBits = %d", name, name, b.Bits)
	}
	t.Line(")")
	return t
}

func inUnit(unit string) string {
	if unit == "" {
		return ""
	}
	return ", in " + unit
}

// profileTiming is the latencies and depths of the units.
func profileTiming(s *model.Spec) *output.Text {
	t := &output.Text{}
	t.Line("\npackage profile")
	for _, u := range s.Units {
		t.Line("\n// Timing of unit %s: %s.\nconst (", u.Name, u.Text)
		for _, x := range u.Timing {
			name := output.Camel(u.Name + "_" + x.Name)
			t.Line("// %s, in %s: %s.\n%s = %d", name, x.Unit, x.Text, name, x.Value)
		}
		t.Line(")")
	}
	return t
}

// profileConfig is the sizes and the kept configurations.
func profileConfig(s *model.Spec) *output.Text {
	t := &output.Text{}
	t.Line("\npackage profile\n\nimport \"fmt\"\n")
	t.Line("// Config fixes the sizes of a design. Each is a power of two.\ntype Config struct {\n// Name of the configuration.\nName string")
	for _, z := range s.Sizes {
		t.Line("// %s: %s, %d..%d.\n%s int", output.Camel(z.Name), z.Text, z.Min, z.Max, output.Camel(z.Name))
	}
	t.Line("}\n\n// The kept configurations.\nvar (")
	var names []string
	for i := range s.Configurations {
		c := &s.Configurations[i]
		name := output.Camel(c.Name)
		names = append(names, name)
		t.WriteString("// " + name + " is configuration \"" + c.Name + "\".\n")
		fields := []string{"Name: \"" + c.Name + "\""}
		for j, z := range s.Sizes {
			fields = append(fields, output.Camel(z.Name)+": "+decimal(c.Values[j]))
		}
		t.Line("%s = Config{%s}", name, strings.Join(fields, ", "))
	}
	t.Line("// Configurations is all of them, in the order of the spec.\nConfigurations = []Config{%s}\n)", strings.Join(names, ", "))
	t.Line("\n// ConfigByName finds a kept configuration.\nfunc ConfigByName(name string) (Config, bool) {")
	t.Line("for _, c := range Configurations {\nif c.Name == name {\nreturn c, true\n}\n}\nreturn Config{}, false\n}")
	configCheck(t, s)
	configSize(t, s)
	return t
}

// configCheck writes the method that checks a configuration of one's own.
func configCheck(t *output.Text, s *model.Spec) {
	t.Line("\n// Check tells which size is out of its range or no power of two.\nfunc (c Config) Check() error {\nfor _, s := range []struct {\nname string\nvalue, low, high int\n}{")
	for _, z := range s.Sizes {
		t.Line("{%q, c.%s, %d, %d},", z.Name, output.Camel(z.Name), z.Min, z.Max)
	}
	t.Line("} {\nif s.value < s.low || s.value > s.high || s.value&(s.value-1) != 0 {")
	t.Line("return fmt.Errorf(\"configuration %%q: %%s = %%d is not a power of two in %%d..%%d\", c.Name, s.name, s.value, s.low, s.high)")
	t.Line("}\n}\nreturn nil\n}")
}

// configSize writes the method that finds a size by its spec name.
func configSize(t *output.Text, s *model.Spec) {
	t.Line("\n// Size is the size of that name in the spec, or 0 for a name that is none.\nfunc (c Config) Size(name string) int {\nswitch name {")
	for _, z := range s.Sizes {
		t.Line("case %q:\nreturn c.%s", z.Name, output.Camel(z.Name))
	}
	t.Line("}\nreturn 0\n}")
}
