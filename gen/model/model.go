// Package model is the checked form of the spec: what gen/load hands to every target.
// A Spec that came out of the loader is complete and consistent; targets need no checks of their own.
package model

// Provenance says where an entry comes from. At least one field is set.
type Provenance struct {
	Public  string // number of a public fact, "P6"
	Related string // published neighbour: an RFC, an IEEE standard, another transport
	Assumed string // our decision, with its reason
}

// Spec is the whole interim profile.
type Spec struct {
	Name           string
	Version        uint64
	Statement      string
	Facts          []Fact
	Questions      []Question
	Constants      []Constant
	Sizes          []Size
	Configurations []Configuration
	Tables         []Table
	Enums          []Enum // those of wire.yaml first, then those of units.yaml
	Headers        []Header
	Units          []Unit
	Rules          []Rule
	Hash           [32]byte // SHA-256 over the normalised spec files
}

// Fact is a public fact about MetaRoCE.
type Fact struct {
	ID   string
	Text string
}

// Question is one that the public text leaves open, with this profile's choice.
type Question struct {
	ID       string
	Question string
	Choice   string
}

// Constant is a number of the profile. Bits is the width of its Verilog literal, 1..64.
type Constant struct {
	Name  string
	Value uint64
	Bits  int
	Unit  string
	Text  string
	Provenance
}

// Size is a number that a design chooses, a power of two in Min..Max.
type Size struct {
	Name string
	Text string
	Min  uint64
	Max  uint64
	Provenance
}

// Configuration fixes every size. Values is in the order of Spec.Sizes.
type Configuration struct {
	Name   string
	Values []uint64
}

// Value is the configuration's number for the named size of s.
func (s *Spec) Value(c *Configuration, size string) uint64 {
	for i := range s.Sizes {
		if s.Sizes[i].Name == size {
			return c.Values[i]
		}
	}
	return 0
}

// Table is a ROM whose entries gen/tables computes.
type Table struct {
	Name    string
	Unit    string // the unit that holds it
	Entries int
	Bits    int // width of an entry, 1..64
	Text    string
	Provenance
}

// Domain says in which file an enum was stated.
type Domain int

// The domains of enums.
const (
	DomainWire  Domain = iota // wire.yaml
	DomainEvent               // units.yaml
)

// Enum is a named set of values, or of flag bits.
type Enum struct {
	Name   string
	Bits   int // 1..64
	Flags  bool
	Domain Domain
	Values []EnumValue
	Provenance
}

// EnumValue is one value of an Enum.
type EnumValue struct {
	Name  string // upper case
	Value uint64
	Text  string
}

// Enum finds an enum by name; nil if there is none or name is empty.
func (s *Spec) Enum(name string) *Enum {
	for i := range s.Enums {
		if s.Enums[i].Name == name {
			return &s.Enums[i]
		}
	}
	return nil
}

// Header is a protocol header, its fields in transmission order.
type Header struct {
	Name   string
	Fields []HeaderField
	Bits   int // sum of the field widths, a multiple of 8
	Provenance
}

// HeaderField lies Offset bits after the header's first bit in transmission order.
type HeaderField struct {
	Name   string
	Bits   int
	Offset int
	Enum   string
	Text   string
}

// Unit is a block with the cycle contract.
type Unit struct {
	Name     string
	Module   string
	Text     string
	Sizes    []string
	Tables   []string
	Sweep    [][]string
	Timing   []Timing
	Ports    []Port
	Status   []Status
	Counters []string
	Provenance
}

// Timing is a latency or a depth of a unit.
type Timing struct {
	Name  string
	Value uint64
	Unit  string
	Text  string
}

// Status is an output stat_<name> of a unit.
type Status struct {
	Name string
	Bits int
	Text string
}

// Style is the handshake of a port.
type Style string

// The styles of ports.
const (
	Stream Style = "stream"
	Axis   Style = "axis"
	Event  Style = "event"
)

// Port is a port group of a unit. Base is its name without the s_ or m_ prefix, with _in or _out behind it where
// the unit has the same name in both directions; it is unique within the unit. Order is promised only among beats of the port that
// agree in the fields OrderedBy, "field" or, of the packet's base header, "base.field"; among all of them where it is empty.
type Port struct {
	Name      string
	Base      string
	In        bool
	Style     Style
	Keys      []string
	OrderedBy []string
	Packet    string // name of the header that the port's frames carry, or ""
	Fields    []PortField
	Bytes     int // of one beat
}

// PortField is one signal of a port. In a beat it takes Bytes bytes at Offset, least significant first.
type PortField struct {
	Name   string
	Bits   int
	Offset int
	Bytes  int
	Device bool // decided by the device: compared at cycle level only
	Enum   string
	Text   string
}

// Signal is the Verilog name of a field of the port, or of its valid ("valid") or ready ("ready").
func (p *Port) Signal(field string) string {
	if p.Style == Axis && (field == "valid" || field == "ready") {
		return p.Name + "_t" + field
	}
	return p.Name + "_" + field
}

// Rule is one normative rule.
type Rule struct {
	ID   string
	Text string
	Provenance
}
