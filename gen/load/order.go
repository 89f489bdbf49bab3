package load

import (
	"slices"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
)

// baseHeader is the header that every packet has.
const baseHeader = "base"

// readOrder reads the fields in which beats agree among which a port promises order.
func (r *reader) readOrder(f *file, port *object, p *model.Port) {
	if !port.has("ordered_by") {
		return
	}
	if p.In {
		port.fail("ordered_by", "only outputs promise an order", p.Name)
	}
	names := f.unique("field in ordered_by of port " + p.Name)
	p.OrderedBy = port.names("ordered_by", func(n ast.Node, name string) {
		names.add(n, name)
		if what := r.noGroup(p, name); what != "" {
			f.fail(n, what, name)
		}
	})
	if len(p.OrderedBy) == 0 {
		port.fail("ordered_by", "ordered_by is empty: leave it out where the order of all beats is promised", p.Name)
	}
}

// noGroup says why a name cannot tell groups of a port's beats apart, or "". The beats of a frame belong together, so
// what tells frames apart is in their packet's base header.
func (r *reader) noGroup(p *model.Port, name string) string {
	if p.Packet != "" {
		for _, h := range r.spec.Headers {
			for _, x := range h.Fields {
				if h.Name == baseHeader && name == baseHeader+"."+x.Name {
					return ""
				}
			}
		}
		return "ordered_by of port " + p.Name + ", which carries packets, is not a field of their base header (base.<field>)"
	}
	i := slices.IndexFunc(p.Fields, func(x model.PortField) bool { return x.Name == name })
	switch {
	case i < 0:
		return "ordered_by is not a field of port " + p.Name
	case p.Fields[i].Device:
		return "ordered_by is decided by the device, so it tells no groups apart"
	}
	return ""
}
