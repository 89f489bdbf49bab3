// Package verilog is the Verilog target: headers of macros, so that nobody types a width twice.
package verilog

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	files := []output.File{file(s, "rtl/generated/mr_profile.vh", "MR_PROFILE_VH", profile(s))}
	for i := range s.Configurations {
		c := &s.Configurations[i]
		files = append(files, file(s, "rtl/generated/"+c.Name+"/mr_config.vh", "MR_CONFIG_VH", config(s, c)))
	}
	return files, nil
}

// file is a header with banner and include guard.
func file(s *model.Spec, path, guard string, body *macros) output.File {
	t := &output.Text{}
	t.WriteString(output.Banner("// ", s))
	t.Line("`ifndef %s\n`define %s\n%s\n`endif", guard, guard, strings.TrimRight(body.String(), "\n"))
	return output.File{Path: path, Data: []byte(t.String())}
}

// macros is a list of `define lines.
type macros struct{ output.Text }

// define adds MR_<name in upper case>.
func (m *macros) define(name, value, comment string) {
	line := fmt.Sprintf("`define MR_%-44s %s", strings.ToUpper(name), value)
	if comment != "" {
		line = fmt.Sprintf("%-72s // %s", line, output.Sentence(comment))
	}
	m.Line("%s", line)
}

// section adds a heading.
func (m *macros) section(format string, args ...any) { m.Line("\n// "+format, args...) }

// Literal is a sized decimal literal.
func Literal(bits int, value uint64) string { return fmt.Sprintf("%d'd%d", bits, value) }

func plain(value int) string { return fmt.Sprint(value) }

func profile(s *model.Spec) *macros {
	m := &macros{}
	m.section("Identity: the first 8 bytes of the SHA-256 over the spec.")
	m.define("spec_hash", fmt.Sprintf("64'h%016x", output.Prefix64(s.Hash)), "")
	m.section("Constants, as wide as the spec says.")
	for _, c := range s.Constants {
		m.define(c.Name, Literal(c.Bits, c.Value), withUnit(c.Text, c.Unit))
	}
	m.section("Shapes of the ROM tables.")
	for _, t := range s.Tables {
		m.define("table_"+t.Name+"_entries", plain(t.Entries), t.Text)
		m.define("table_"+t.Name+"_bits", plain(t.Bits), "")
	}
	for i := range s.Enums {
		enum(m, &s.Enums[i])
	}
	for i := range s.Headers {
		header(m, &s.Headers[i])
	}
	for i := range s.Units {
		unit(m, &s.Units[i])
	}
	return m
}

func withUnit(text, unit string) string {
	if unit == "" {
		return text
	}
	return unit + ": " + text
}

func enum(m *macros, e *model.Enum) {
	m.section("%s, %d bits.", e.Name, e.Bits)
	m.define(e.Name+"_bits", plain(e.Bits), "")
	for _, v := range e.Values {
		m.define(e.Name+"_"+v.Name, Literal(e.Bits, v.Value), v.Text)
	}
}

func header(m *macros, h *model.Header) {
	m.section("Header %s: offsets in bits from its first bit in transmission order.", h.Name)
	m.define(h.Name+"_bytes", plain(h.Bits/8), "")
	for _, f := range h.Fields {
		m.define(h.Name+"_"+f.Name+"_offset", plain(f.Offset), f.Text)
		m.define(h.Name+"_"+f.Name+"_bits", plain(f.Bits), "")
	}
}

func unit(m *macros, u *model.Unit) {
	m.section("Timing of unit %s.", u.Name)
	for _, t := range u.Timing {
		m.define(u.Name+"_"+t.Name, fmt.Sprint(t.Value), withUnit(t.Text, t.Unit))
	}
	for _, p := range u.Ports {
		m.section("Unit %s, port %s.", u.Name, p.Name)
		for _, f := range p.Fields {
			m.define(u.Name+"_"+p.Base+"_"+f.Name+"_bits", plain(f.Bits), f.Text)
		}
	}
	for _, x := range u.Status {
		m.define(u.Name+"_stat_"+x.Name+"_bits", plain(x.Bits), x.Text)
	}
}

func config(s *model.Spec, c *model.Configuration) *macros {
	m := &macros{}
	m.section("Configuration %s.", c.Name)
	m.define("config_name", `"`+c.Name+`"`, "")
	for i, z := range s.Sizes {
		m.define(z.Name, fmt.Sprint(c.Values[i]), z.Text)
	}
	return m
}
