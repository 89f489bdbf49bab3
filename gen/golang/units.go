package golang

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// unitTypes is the types that describe units.
func unitTypes() *output.Text {
	t := &output.Text{}
	t.WriteString(`
package event

// Direction is a port's direction, the unit's own.
type Direction uint8

// Directions of ports.
const (
	In Direction = iota
	Out
)

// String is "in" or "out".
func (d Direction) String() string {
	if d == In {
		return "in"
	}
	return "out"
}

// Style is the handshake of a port.
type Style uint8

// Styles of ports.
const (
	Stream Style = iota // <port>_valid, <port>_ready
	Axis                // <port>_tvalid, <port>_tready
	Event               // <port>_valid, no back-pressure
)

// String is the style's name in the spec.
func (s Style) String() string {
	switch s {
	case Stream:
		return "stream"
	case Axis:
		return "axis"
	}
	return "event"
}

// Match is how a field of an output is compared.
type Match uint8

// Classes of comparison.
const (
	Must   Match = iota // at every level
	Device              // decided by the device: at cycle level only
)

// String is the class's name in the spec.
func (m Match) String() string {
	if m == Device {
		return "device"
	}
	return "must"
}

// Unit describes a block with the cycle contract.
type Unit struct {
	Name     string
	Module   string // top module of the RTL
	Text     string
	Sizes    []string // names of the sizes it depends on
	Ports    []Port   // a port's ID is its index
	Counters []string // in the order of the bench's end record
	Status   []string
	Tables   []string
	Sweep    [][]string // products of sizes, the largest of which is the length of the sweep after reset
}

// Port describes a port group of a unit.
type Port struct {
	ID        uint8
	Name      string
	Direction Direction
	Style     Style
	Keys      []string // fields by which a beat is known
	// OrderedBy are the fields in which beats agree among which order is promised; nil: order is promised among all.
	// Of a port with a packet they are those of its base header, "base.connection".
	OrderedBy []string
	Packet    string   // header that the port's frames carry, or ""
	Fields    []Field
	Bytes     int // of a beat
}

// Field describes a field of a port. In a beat it takes Bytes bytes at Offset, least significant first.
type Field struct {
	Name   string
	Bits   int
	Offset int
	Bytes  int
	Match  Match
	Enum   string // or ""
}

// UnitByName finds a unit.
func UnitByName(name string) (*Unit, bool) {
	for i := range Units {
		if Units[i].Name == name {
			return &Units[i], true
		}
	}
	return nil, false
}

// PortByName finds a port of the unit.
func (u *Unit) PortByName(name string) (*Port, bool) {
	for i := range u.Ports {
		if u.Ports[i].Name == name {
			return &u.Ports[i], true
		}
	}
	return nil, false
}

// FieldByName finds a field of the port.
func (p *Port) FieldByName(name string) (*Field, bool) {
	for i := range p.Fields {
		if p.Fields[i].Name == name {
			return &p.Fields[i], true
		}
	}
	return nil, false
}

// Value reads a field of at most 64 bits out of a beat of its port. A wider field gives its low 64 bits.
func (f *Field) Value(beat []byte) uint64 {
	v := uint64(0)
	for i := min(f.Bytes, 8) - 1; i >= 0; i-- {
		v = v<<8 | uint64(beat[f.Offset+i])
	}
	return v
}
`)
	return t
}

// unitTables is the descriptions of the units.
func unitTables(s *model.Spec) *output.Text {
	t := &output.Text{}
	t.Line("\npackage event\n\n// Units is all units, in the order of the spec. It is not to be changed.\nvar Units = []Unit{")
	for i := range s.Units {
		unitTable(t, &s.Units[i])
	}
	t.Line("}")
	return t
}

func unitTable(t *output.Text, u *model.Unit) {
	t.Line("{\nName: %q,\nModule: %q,\nText: %q,\nSizes: %s,", u.Name, u.Module, u.Text, stringList(u.Sizes))
	t.Line("Ports: []Port{")
	for i := range u.Ports {
		portTable(t, i, &u.Ports[i])
	}
	var status []string
	for _, x := range u.Status {
		status = append(status, x.Name)
	}
	var sweep []string
	for _, product := range u.Sweep {
		sweep = append(sweep, strings.TrimPrefix(stringList(product), "[]string"))
	}
	t.Line("},\nCounters: %s,\nStatus: %s,\nTables: %s,\nSweep: [][]string{%s},\n},", stringList(u.Counters),
		stringList(status), stringList(u.Tables), strings.Join(sweep, ", "))
}

func portTable(t *output.Text, id int, p *model.Port) {
	t.Line("{\nID: %d, Name: %q, Direction: %s, Style: %s, Keys: %s, OrderedBy: %s, Packet: %q, Bytes: %d,", id, p.Name,
		map[bool]string{true: "In", false: "Out"}[p.In], output.Camel(string(p.Style)), stringList(p.Keys),
		stringList(p.OrderedBy), p.Packet, p.Bytes)
	t.Line("Fields: []Field{")
	for _, f := range p.Fields {
		t.Line("{Name: %q, Bits: %d, Offset: %d, Bytes: %d, Match: %s, Enum: %q},", f.Name, f.Bits, f.Offset, f.Bytes,
			map[bool]string{true: "Device", false: "Must"}[f.Device], f.Enum)
	}
	t.Line("},\n},")
}

func stringList(names []string) string {
	if len(names) == 0 {
		return "nil"
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}
