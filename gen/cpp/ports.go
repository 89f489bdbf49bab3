package cpp

import (
	"metaroce/gen/model"
	"metaroce/gen/output"
)

// ports is the adapter of one unit. Every unit's is called UnitPorts, so that one harness source serves every unit.
func ports(u *model.Unit) *output.Text {
	t := &output.Text{}
	t.Line("#include \"metaroce_profile.h\"\n\n#include \"V%s.h\"\n\nnamespace metaroce {\n", u.Module)
	t.Line("// UnitPorts is the ports of unit %s by number: their place in the spec's list. A number that is none, or a call that\n"+
		"// does not fit the port's direction, reads as 0 and changes nothing.", u.Name)
	t.Line("struct UnitPorts {\n  using Model = V%s;\n", u.Module)
	t.Line("  static constexpr const unit_layout &LAYOUT = %s::layout;", u.Name)
	widest := 0
	for _, p := range u.Ports {
		widest = max(widest, p.Bytes)
	}
	for _, c := range []struct {
		name  string
		value int
	}{
		{"PORT_COUNT", len(u.Ports)}, {"MAX_BEAT_BYTES", widest}, {"COUNTER_COUNT", len(u.Counters)},
		{"STATUS_COUNT", len(u.Status)}, {"IDENTITY_COUNT", 1 + len(u.Tables)},
	} {
		t.Line("  static constexpr unsigned %s = %d;", c.name, c.value)
	}
	t.Line("\n  static constexpr bool is_input(unsigned port) { return port < PORT_COUNT && LAYOUT.ports[port].input; }")
	t.Line("  static constexpr bool is_event(unsigned port) { return port < PORT_COUNT && LAYOUT.ports[port].style == port_style::event; }")
	t.Line("  static constexpr unsigned beat_bytes(unsigned port) { return port < PORT_COUNT ? LAYOUT.ports[port].bytes : 0; }")
	t.Line("\n  static void clock(Model &m, bool level) { m.clk = level; }\n  static void reset(Model &m, bool level) { m.rst = level; }")
	handshake(t, u)
	drive(t, u)
	pack(t, u)
	scalars(t, u)
	t.Line("};\n\n} // namespace metaroce")
	return t
}

// handshake writes valid, ready, set_ready and last.
func handshake(t *output.Text, u *model.Unit) {
	byPort(t, "valid tells whether a beat is offered on the port.", "bool valid(const Model &m, unsigned port)", "false", u,
		func(p *model.Port) string { return "return m." + p.Signal("valid") + " != 0;" })
	byPort(t, "ready tells whether the port's beat is accepted; an event port always accepts.", "bool ready(const Model &m, unsigned port)", "false", u,
		func(p *model.Port) string {
			if p.Style == model.Event {
				return "return true;"
			}
			return "return m." + p.Signal("ready") + " != 0;"
		})
	byPort(t, "set_ready drives ready of an output port.", "void set_ready(Model &m, unsigned port, bool level)", "", u,
		func(p *model.Port) string {
			if p.In || p.Style == model.Event {
				return ""
			}
			return "m." + p.Signal("ready") + " = level; return;"
		})
	byPort(t, "last tells whether the port's beat ends a packet; every beat does on a port without tlast.", "bool last(const Model &m, unsigned port)", "true", u,
		func(p *model.Port) string {
			for _, f := range p.Fields {
				if p.Style == model.Axis && f.Name == "tlast" {
					return "return m." + p.Signal("tlast") + " != 0;"
				}
			}
			return ""
		})
}

// byPort writes a function that is a switch over the port.
func byPort(t *output.Text, comment, signature, otherwise string, u *model.Unit, body func(*model.Port) string) {
	t.Line("\n  // %s\n  static %s {", comment, signature)
	cases := &output.Text{}
	for i := range u.Ports {
		if code := body(&u.Ports[i]); code != "" {
			cases.Line("    case %d: %s // %s", i, code, u.Ports[i].Name)
		}
	}
	if cases.Len() == 0 {
		t.Line("    (void)m; (void)port;")
	} else {
		t.Line("    switch (port) {\n%s    default: break;\n    }", cases.String())
	}
	if otherwise != "" {
		t.Line("    return %s;", otherwise)
	}
	t.Line("  }")
}

// drive writes the function that drives an input port.
func drive(t *output.Text, u *model.Unit) {
	t.Line("\n  // drive offers a beat on an input port, or nothing: then valid and every field are 0 (spec: bench.source).")
	t.Line("  static void drive(Model &m, unsigned port, bool offer, const std::uint8_t *beat) {\n    switch (port) {")
	for i := range u.Ports {
		p := &u.Ports[i]
		if !p.In {
			continue
		}
		t.Line("    case %d: // %s\n      m.%s = offer;\n      if (offer) {", i, p.Name, p.Signal("valid"))
		for _, f := range p.Fields {
			if f.Bits > 64 {
				t.Line("        get_wide<%d>(beat + %d, m.%s);", f.Bits/32, f.Offset, p.Signal(f.Name))
			} else {
				t.Line("        m.%s = static_cast<%s>(get<%d, %d>(beat + %d));", p.Signal(f.Name), verilated(f.Bits), f.Bytes, f.Bits, f.Offset)
			}
		}
		t.Line("      } else {")
		for _, f := range p.Fields {
			if f.Bits > 64 {
				t.Line("        clear_wide<%d>(m.%s);", f.Bits/32, p.Signal(f.Name))
			} else {
				t.Line("        m.%s = 0;", p.Signal(f.Name))
			}
		}
		t.Line("      }\n      return;")
	}
	t.Line("    default: return;\n    }\n  }")
}

// verilated is the type that Verilator gives a port of so many bits.
func verilated(bits int) string {
	switch {
	case bits <= 8:
		return "CData"
	case bits <= 16:
		return "SData"
	case bits <= 32:
		return "IData"
	}
	return "QData"
}

// pack writes the function that reads a port's fields into a beat.
func pack(t *output.Text, u *model.Unit) {
	t.Line("\n  // pack writes the port's fields as they stand: beat_bytes(port) bytes.")
	t.Line("  static void pack(const Model &m, unsigned port, std::uint8_t *beat) {\n    switch (port) {")
	for i := range u.Ports {
		p := &u.Ports[i]
		t.Line("    case %d: // %s", i, p.Name)
		for _, f := range p.Fields {
			if f.Bits > 64 {
				t.Line("      put_wide<%d>(beat + %d, m.%s);", f.Bits/32, f.Offset, p.Signal(f.Name))
			} else {
				t.Line("      put<%d>(beat + %d, m.%s);", f.Bytes, f.Offset, p.Signal(f.Name))
			}
		}
		t.Line("      return;")
	}
	t.Line("    default: return;\n    }\n  }")
}

// scalars writes the accessors of counters, status and identity.
func scalars(t *output.Text, u *model.Unit) {
	var counters, status []string
	for _, c := range u.Counters {
		counters = append(counters, "count_"+c)
	}
	for _, x := range u.Status {
		status = append(status, "stat_"+x.Name)
	}
	identities := []string{"id_spec_hash"}
	for _, name := range u.Tables {
		identities = append(identities, "id_"+name+"_hash")
	}
	indexed(t, "counter is a counter by its place in LAYOUT.counters.", "std::uint32_t counter", counters)
	indexed(t, "status is a status by its place in LAYOUT.status.", "std::uint64_t status", status)
	indexed(t, "identity is the hash of the spec (0), then those of LAYOUT.tables (1...).", "std::uint64_t identity", identities)
}

func indexed(t *output.Text, comment, name string, signals []string) {
	t.Line("\n  // %s\n  static %s(const Model &m, unsigned index) {", comment, name)
	if len(signals) == 0 {
		t.Line("    (void)m; (void)index;\n    return 0;\n  }")
		return
	}
	t.Line("    switch (index) {")
	for i, s := range signals {
		t.Line("    case %d: return m.%s;", i, s)
	}
	t.Line("    default: return 0;\n    }\n  }")
}
