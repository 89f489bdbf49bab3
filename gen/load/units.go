package load

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// readUnits reads units.yaml.
func (r *reader) readUnits(f *file, root ast.Node) {
	top := f.mapping(root, FileShapes["units.yaml"], "")
	r.readEnums(f, top, model.DomainEvent)
	names := f.unique("unit")
	for _, n := range top.list("units") {
		r.readUnit(f, n, names)
	}
}

func (r *reader) readUnit(f *file, n ast.Node, names *unique) {
	o := f.mapping(n, &unitShape, "")
	u := model.Unit{Name: o.name("name"), Module: o.name("module"), Text: o.text("text"), Provenance: r.provenance(o)}
	names.add(o.at("name"), u.Name)
	r.claim(o.owner("unit", u.Name), cppNames, u.Name)
	if u.Module != "mr_"+u.Name && u.Name != "" {
		o.fail("module", "module must be mr_"+u.Name, u.Module)
	}
	u.Sizes = o.names("sizes", r.knownSize(o.file))
	u.Tables = o.names("tables", r.knownTable(o.file, u.Name))
	r.readSweep(o, &u)
	r.readTiming(f, o, &u)
	r.readPorts(f, o, &u)
	r.readStatus(f, o, &u)
	counters := f.unique("counter of unit " + u.Name)
	u.Counters = o.names("counters", func(n ast.Node, name string) {
		counters.add(n, name)
		checkName(f, n, "counter", name)
	})
	r.spec.Units = append(r.spec.Units, u)
}

// checkName checks a name that stands by itself in a list.
func checkName(f *file, n ast.Node, what, name string) {
	if !lowerName.MatchString(name) {
		f.fail(n, what+" must be lower case words joined by underscores", name)
	} else if language := reservedIn(name); language != "" {
		f.fail(n, what+" is a reserved word of "+language, name)
	}
}

// knownSize is a check that a name is a size.
func (r *reader) knownSize(f *file) func(ast.Node, string) {
	return func(n ast.Node, name string) {
		if !slices.ContainsFunc(r.spec.Sizes, func(s model.Size) bool { return s.Name == name }) {
			f.fail(n, "unknown size", name)
		}
	}
}

// knownTable is a check that a name is a table of the unit.
func (r *reader) knownTable(f *file, unit string) func(ast.Node, string) {
	return func(n ast.Node, name string) {
		i := slices.IndexFunc(r.spec.Tables, func(t model.Table) bool { return t.Name == name })
		if i < 0 {
			f.fail(n, "unknown table", name)
		} else if r.spec.Tables[i].Unit != unit {
			f.fail(n, "table is of unit "+r.spec.Tables[i].Unit, name)
		}
	}
}

// readSweep reads the products of sizes whose largest is the length of the sweep.
func (r *reader) readSweep(o *object, u *model.Unit) {
	for _, n := range o.list("sweep") {
		s, ok := n.(*ast.SequenceNode)
		if !ok {
			o.file.fail(n, "sweep must hold lists of sizes", sourceText(n))
			continue
		}
		var product []string
		for _, n := range s.Values {
			name, _ := scalarText(n)
			if !slices.Contains(u.Sizes, name) {
				o.file.fail(n, "sweep: not a size of the unit", sourceText(n))
			}
			product = append(product, name)
		}
		u.Sweep = append(u.Sweep, product)
	}
	if len(u.Sweep) == 0 {
		o.fail("sweep", "sweep is empty", u.Name)
	}
}

func (r *reader) readTiming(f *file, unit *object, u *model.Unit) {
	for _, n := range unit.list("timing") {
		o := f.mapping(n, &timingShape, " of unit "+u.Name)
		t := model.Timing{
			Name: o.name("name"), Value: o.number("value"), Unit: o.text("unit"), Text: o.text("text"),
		}
		own := o.owner("timing of unit", u.Name)
		r.claim(own, macros, u.Name+"_"+t.Name)
		r.claim(own, goProfile, output.Camel(u.Name+"_"+t.Name))
		u.Timing = append(u.Timing, t)
	}
}

func (r *reader) readStatus(f *file, unit *object, u *model.Unit) {
	names := f.unique("status of unit " + u.Name)
	for _, n := range unit.list("status") {
		o := f.mapping(n, &statusShape, " of unit "+u.Name)
		s := model.Status{Name: o.name("name"), Bits: int(o.number("bits")), Text: o.text("text")}
		r.claim(o.owner("status of unit", u.Name), macros, u.Name+"_stat_"+s.Name+"_bits")
		names.add(o.at("name"), s.Name)
		u.Status = append(u.Status, s)
	}
}

func (r *reader) readPorts(f *file, unit *object, u *model.Unit) {
	names := f.unique("port of unit " + u.Name)
	var objects []*object
	for _, n := range unit.list("ports") {
		o := f.mapping(n, &portShape, " of unit "+u.Name)
		p := model.Port{
			Name: o.name("name"), In: o.choice("direction") == "in",
			Style: model.Style(o.choice("style")), Packet: o.text("packet"),
		}
		names.add(o.at("name"), p.Name)
		r.checkPort(o, &p)
		u.Ports = append(u.Ports, p)
		objects = append(objects, o)
	}
	if len(u.Ports) == 0 {
		unit.fail("ports", "unit has no ports", u.Name)
	}
	// The bit masks of a bench step are 32 bits wide and its beats lie in an array of 8.
	if len(u.Ports) > 8 {
		unit.fail("ports", "a unit has at most 8 ports", u.Name)
	}
	nameBases(u.Ports)
	for i := range u.Ports {
		r.claimPort(objects[i], u, &u.Ports[i])
		r.readPortFields(f, objects[i], u, &u.Ports[i])
	}
}

// checkPort checks a port's name against its direction and its packet against the headers.
func (r *reader) checkPort(o *object, p *model.Port) {
	prefix := map[bool]string{true: "s_", false: "m_"}[p.In]
	if p.Style == model.Event {
		prefix = "dbg_"
		if p.In {
			o.fail("direction", "an event port is an output", "in")
		}
	}
	if o.has("name") && !strings.HasPrefix(p.Name, prefix) {
		o.fail("name", "port name must begin with "+prefix, p.Name)
	}
	if p.Packet != "" && !slices.ContainsFunc(r.spec.Headers, func(h model.Header) bool { return h.Name == p.Packet }) {
		o.fail("packet", "unknown header", p.Packet)
	}
}

// nameBases gives each port its base name.
func nameBases(ports []model.Port) {
	count := map[string]int{}
	base := func(p *model.Port) string { return strings.TrimPrefix(strings.TrimPrefix(p.Name, "s_"), "m_") }
	for i := range ports {
		count[base(&ports[i])]++
	}
	for i := range ports {
		p := &ports[i]
		p.Base = base(p)
		if count[p.Base] > 1 {
			p.Base += map[bool]string{true: "_in", false: "_out"}[p.In]
		}
	}
}

func (r *reader) readPortFields(f *file, port *object, u *model.Unit, p *model.Port) {
	names := f.unique("field of port " + p.Name)
	for _, n := range port.list("fields") {
		o := f.mapping(n, &portFieldShape, " of port "+p.Name)
		x := model.PortField{
			Name: o.fieldName("name"), Bits: int(o.number("bits")), Offset: p.Bytes, Enum: o.text("enum"),
			Device: o.choice("match") == "device", Text: o.text("text"),
		}
		x.Bytes = (x.Bits + 7) / 8
		p.Bytes += x.Bytes
		r.checkWidth(o, x.Bits)
		r.checkEnum(o, x.Enum, x.Bits)
		r.checkField(o, p, &x)
		names.add(o.at("name"), x.Name)
		own := o.owner("port "+p.Name+" of unit", u.Name)
		r.claim(own, macros, u.Name+"_"+p.Base+"_"+x.Name+"_bits")
		r.claim(own, space("signals of "+u.Name), p.Signal(x.Name))
		p.Fields = append(p.Fields, x)
	}
	if len(p.Fields) == 0 {
		port.fail("fields", "port has no fields", p.Name)
	}
	p.Keys = port.names("keys", func(n ast.Node, name string) {
		if !names.seen[name] {
			f.fail(n, "key is not a field of port "+p.Name, name)
		}
	})
	r.readOrder(f, port, p)
}

// checkField checks what the handshake of a port takes of the field names, and that only outputs are compared.
func (r *reader) checkField(o *object, p *model.Port, x *model.PortField) {
	if x.Name == "valid" || x.Name == "ready" || x.Name == "tvalid" || x.Name == "tready" {
		o.fail("name", "name is a signal of the handshake", x.Name)
	}
	if p.Style == model.Axis && x.Name != "" && !strings.HasPrefix(x.Name, "t") {
		o.fail("name", "field of an AXI-Stream port must begin with t", x.Name)
	}
	if p.In && o.has("match") {
		o.fail("match", "only outputs are compared", sourceText(o.at("match")))
	}
}
