// Package python is the Python target: constants, enums and record layouts for the bridge's Python package.
package python

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	t := &output.Text{}
	t.WriteString(output.Banner("# ", s))
	t.WriteString(preamble)
	identity(t, s)
	constants(t, s)
	for i := range s.Enums {
		enum(t, &s.Enums[i])
	}
	enumTable(t, s)
	headers(t, s)
	units(t, s)
	t.WriteString(codec)
	return []output.File{{Path: "cocotb-bridge/python/metaroce_bridge/generated.py", Data: []byte(t.String())}}, nil
}

func identity(t *output.Text, s *model.Spec) {
	t.Line("\nNAME = %q\nVERSION = %d\nSPEC_HASH = \"%x\"\nSPEC_HASH64 = 0x%016x", s.Name, s.Version, s.Hash, output.Prefix64(s.Hash))
	t.Line("STATEMENT = %s", literal(output.Sentence(s.Statement)))
}

// literal is a Python string.
func literal(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(s) + `"`
}

func constants(t *output.Text, s *model.Spec) {
	t.Line("\n# Constants of the profile.")
	for _, c := range s.Constants {
		t.Line("%s = %d  # %s", strings.ToUpper(c.Name), c.Value, output.Sentence(c.Text))
	}
	t.Line("\n# Latencies and depths of the units.")
	for _, u := range s.Units {
		for _, x := range u.Timing {
			t.Line("%s = %d  # %s: %s", strings.ToUpper(u.Name+"_"+x.Name), x.Value, x.Unit, output.Sentence(x.Text))
		}
	}
	t.Line("\nCONFIGURATIONS: dict[str, dict[str, int]] = {")
	for i := range s.Configurations {
		c := &s.Configurations[i]
		var sizes []string
		for j, z := range s.Sizes {
			sizes = append(sizes, fmt.Sprintf("%q: %d", z.Name, c.Values[j]))
		}
		t.Line("    %q: {%s},", c.Name, strings.Join(sizes, ", "))
	}
	t.Line("}")
}

func enum(t *output.Text, e *model.Enum) {
	base := map[bool]string{false: "IntEnum", true: "IntFlag"}[e.Flags]
	t.Line("\n\nclass %s(enum.%s):\n    \"\"\"%s, %d bits.\"\"\"\n", output.Camel(e.Name), base, e.Name, e.Bits)
	for _, v := range e.Values {
		t.Line("    %s = %d  # %s", v.Name, v.Value, output.Sentence(v.Text))
	}
}

func enumTable(t *output.Text, s *model.Spec) {
	t.Line("\n\nENUMS: dict[str, type[enum.IntEnum] | type[enum.IntFlag]] = {")
	for _, e := range s.Enums {
		t.Line("    %q: %s,", e.Name, output.Camel(e.Name))
	}
	t.Line("}")
}

func headers(t *output.Text, s *model.Spec) {
	t.Line("\nHEADERS: dict[str, Header] = {")
	for _, h := range s.Headers {
		t.Line("    %q: Header(%q, %d, (", h.Name, h.Name, h.Bits/8)
		for _, f := range h.Fields {
			t.Line("        HeaderField(%q, %d, %d, %q),", f.Name, f.Bits, f.Offset, f.Enum)
		}
		t.Line("    )),")
	}
	t.Line("}")
}

func units(t *output.Text, s *model.Spec) {
	t.Line("\nUNITS: dict[str, Unit] = {")
	for i := range s.Units {
		u := &s.Units[i]
		t.Line("    %q: Unit(%q, %q, (", u.Name, u.Name, u.Module)
		for _, p := range u.Ports {
			direction := map[bool]string{true: "in", false: "out"}[p.In]
			t.Line("        Port(%q, %q, %q, %d, %s, (", p.Name, direction, p.Style, p.Bytes, tuple(p.Keys))
			for _, f := range p.Fields {
				match := map[bool]string{true: "device", false: "must"}[f.Device]
				t.Line("            BeatField(%q, %d, %d, %d, %q, %q),", f.Name, f.Bits, f.Offset, f.Bytes, match, f.Enum)
			}
			t.Line("        )),")
		}
		var status []string
		for _, x := range u.Status {
			status = append(status, x.Name)
		}
		t.Line("    ), %s, %s, %s),", tuple(u.Counters), tuple(status), tuple(u.Tables))
	}
	t.Line("}")
}

// tuple is a tuple of strings.
func tuple(names []string) string {
	var b strings.Builder
	for _, n := range names {
		fmt.Fprintf(&b, "%q, ", n)
	}
	return "(" + strings.TrimSuffix(b.String(), " ") + ")"
}
