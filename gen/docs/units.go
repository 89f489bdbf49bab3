package docs

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// units describes the units, and the enums of their ports.
func units(t *output.Text, s *model.Spec) {
	t.Line("Every unit has `clk`, `rst`, a 32-bit output `count_<name>` a counter, `id_spec_hash[63:0]` and `id_<table>_hash[63:0]` a\ntable. " +
		"The id of a port is its place in the unit's list. A beat is its fields in order, each in whole bytes, least\nsignificant first.\n")
	for i := range s.Units {
		unit(t, s, &s.Units[i])
	}
	t.Line("## Enums of the ports\n")
	enums(t, s, model.DomainEvent)
}

func unit(t *output.Text, s *model.Spec, u *model.Unit) {
	t.Line("## %s (`%s`)\n\n%s.\n", u.Name, u.Module, output.Sentence(u.Text))
	var sweep []string
	for _, product := range u.Sweep {
		sweep = append(sweep, strings.Join(product, " x "))
	}
	t.Line("Sizes: %s. Tables: %s. Sweep after reset: the largest of %s.\n", quotedList(u.Sizes), quotedList(u.Tables), strings.Join(sweep, ", "))
	head(t, "Timing", "Value", "Unit", "Meaning")
	for _, x := range u.Timing {
		row(t, "`"+x.Name+"`", fmt.Sprint(x.Value), x.Unit, x.Text)
	}
	for i, p := range u.Ports {
		port(t, i, &p)
	}
	if len(u.Status) > 0 {
		t.Line("")
		head(t, "Status", "Bits", "Meaning")
		for _, x := range u.Status {
			row(t, "`stat_"+x.Name+"`", fmt.Sprint(x.Bits), x.Text)
		}
	}
	t.Line("\nCounters: %s.\n", quotedList(u.Counters))
}

func port(t *output.Text, id int, p *model.Port) {
	direction := map[bool]string{true: "in", false: "out"}[p.In]
	t.Line("\n### `%s`: port %d, %s, %s, %d bytes\n", p.Name, id, direction, p.Style, p.Bytes)
	if len(p.Keys) > 0 {
		t.Line("Known by %s.\n", quotedList(p.Keys))
	}
	if len(p.OrderedBy) > 0 {
		t.Line("Order is promised among beats with the same %s; between others it is free.\n", quotedList(p.OrderedBy))
	} else if !p.In {
		t.Line("Order is promised among all beats.\n")
	}
	if p.Packet != "" {
		t.Line("Carries frames with header `%s`.\n", p.Packet)
	}
	head(t, "Signal", "Bits", "Byte", "Compared", "Meaning")
	for _, f := range p.Fields {
		compared := map[bool]string{true: "device", false: "must"}[f.Device]
		if p.In {
			compared = ""
		}
		row(t, "`"+p.Signal(f.Name)+"`", fmt.Sprint(f.Bits), fmt.Sprint(f.Offset), compared, withEnum(f.Text, f.Enum))
	}
}

func withEnum(text, enum string) string {
	if enum == "" {
		return text
	}
	return text + " (`" + enum + "`)"
}

func quotedList(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return "`" + strings.Join(names, "`, `") + "`"
}

// enums describes the enums of one domain.
func enums(t *output.Text, s *model.Spec, domain model.Domain) {
	for _, e := range s.Enums {
		if e.Domain != domain {
			continue
		}
		kind := map[bool]string{false: "", true: ", flags"}[e.Flags]
		t.Line("### %s, %d bits%s\n", e.Name, e.Bits, kind)
		head(t, "Value", "Name", "Meaning")
		for _, v := range e.Values {
			row(t, fmt.Sprint(v.Value), "`"+v.Name+"`", v.Text)
		}
		t.Line("")
	}
}
