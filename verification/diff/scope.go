package diff

import (
	"fmt"
	"strings"

	"metaroce/golden/event"
	"metaroce/verification/trace/vcd"
)

// scopeSignals are the variables of one scope by name. A name may have several: a vector dumped bit by bit.
type scopeSignals struct {
	path   string // "TOP.mr_sack"
	last   string // "mr_sack"
	depth  int
	byName map[string][]*vcd.Variable
}

// scopes groups a dump's variables, in the order of the file.
func scopes(h *vcd.Header) []*scopeSignals {
	var list []*scopeSignals
	byPath := map[string]*scopeSignals{}
	for i := range h.Variables {
		v := &h.Variables[i]
		path := v.ScopePath()
		s, ok := byPath[path]
		if !ok {
			s = &scopeSignals{path: path, depth: len(v.Scope), byName: map[string][]*vcd.Variable{}}
			if s.depth > 0 {
				s.last = vcd.Plain(v.Scope[s.depth-1])
			}
			byPath[path] = s
			list = append(list, s)
		}
		name := vcd.Plain(v.Name)
		s.byName[name] = append(s.byName[name], v)
	}
	return list
}

// findUnit picks the scope of the unit: one that has all its ports. Without a name of a unit, the outermost unit is
// taken; of several scopes of one unit that with the name of its module, else the outermost.
func findUnit(h *vcd.Header, o Options) (*event.Unit, *scopeSignals, error) {
	var unit *event.Unit
	var found *scopeSignals
	nearest := ""
	for _, s := range scopes(h) {
		if o.Scope != "" && s.path != o.Scope {
			continue
		}
		for i := range event.Units {
			u := &event.Units[i]
			if o.Unit != "" && u.Name != o.Unit {
				continue
			}
			missing, have := s.lacks(u)
			if missing != "" {
				if have > 0 {
					nearest = fmt.Sprintf("; scope %s has %d signals of unit %s, but not %s", s.path, have, u.Name, missing)
				}
				continue
			}
			if found == nil || better(u, s, unit, found) {
				unit, found = u, s
			}
		}
	}
	if found == nil {
		return nil, nil, fmt.Errorf("no scope%s has all ports of %s%s", quotedIf(o.Scope), unitText(o.Unit), nearest)
	}
	return unit, found, nil
}

func better(u *event.Unit, s *scopeSignals, than *event.Unit, found *scopeSignals) bool {
	if u == than {
		named, foundNamed := s.last == u.Module, found.last == u.Module
		if named != foundNamed {
			return named
		}
	}
	return s.depth < found.depth
}

func quotedIf(name string) string {
	if name == "" {
		return ""
	}
	return fmt.Sprintf(" %q", name)
}

func unitText(name string) string {
	if name != "" {
		return "unit " + name
	}
	var names []string
	for i := range event.Units {
		names = append(names, event.Units[i].Name)
	}
	return "a unit (" + strings.Join(names, ", ") + ")"
}

// lacks names the first signal of the unit that the scope has not, and tells how many others of it there are.
func (s *scopeSignals) lacks(u *event.Unit) (missing string, have int) {
	for _, name := range signalNames(u) {
		if _, ok := s.byName[name]; ok {
			have++
		} else if missing == "" {
			missing = name
		}
	}
	if have <= 2 { // clk and rst are everywhere
		have = 0
	}
	return missing, have
}

// signalNames are the signals that a diff needs of a unit.
func signalNames(u *event.Unit) []string {
	names := []string{"clk", "rst"}
	for i := range u.Ports {
		p := &u.Ports[i]
		names = append(names, validName(p))
		if p.Style != event.Event {
			names = append(names, readyName(p))
		}
		for f := range p.Fields {
			names = append(names, p.Name+"_"+p.Fields[f].Name)
		}
	}
	return names
}

func validName(p *event.Port) string {
	if p.Style == event.Axis {
		return p.Name + "_tvalid"
	}
	return p.Name + "_valid"
}

func readyName(p *event.Port) string {
	if p.Style == event.Axis {
		return p.Name + "_tready"
	}
	return p.Name + "_ready"
}
