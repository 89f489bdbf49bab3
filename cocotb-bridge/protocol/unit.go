package protocol

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// Direction of a port, seen from the unit.
type Direction uint8

// The directions.
const (
	In  Direction = 0
	Out Direction = 1
)

func (d Direction) String() string { return [...]string{"in", "out"}[d&1] }

// Style of a port.
type Style uint8

// The styles.
const (
	Stream Style = 0 // valid, ready and fields
	Axis   Style = 1 // AXI-Stream
	Event  Style = 2 // valid and fields, no ready
)

func (s Style) String() string {
	if int(s) < len(styleNames) {
		return styleNames[s]
	}
	return "style " + itoa(uint64(s))
}

var styleNames = [...]string{"stream", "axis", "event"}

// Port is one port of a unit. Its index in Unit.Ports is its number in every frame.
type Port struct {
	Name      string
	Direction Direction
	Style     Style
	BeatBytes int // bytes of its packed fields, 1..MaxBeat
}

func (p Port) String() string {
	return fmt.Sprintf("%s (%s, %s, %d bytes a beat)", p.Name, p.Direction, p.Style, p.BeatBytes)
}

// Table is a generated table that the device carries.
type Table struct {
	Name string
	Hash uint64 // first 8 bytes of its SHA-256, big-endian
}

// Unit is what both sides must agree on before the first cycle.
type Unit struct {
	Name          string // as in the spec: "sack"
	Top           string // top module: "mr_sack"
	Config        string // configuration: "small"
	ClockPeriodPS uint64 // clock period in picoseconds, even
	TimeUnit      int8   // power of ten of a second in which the simulator counts: -12 is 1 ps
	SpecHash      uint64 // first 8 bytes of the spec's SHA-256, big-endian
	Tables        []Table
	Ports         []Port
	Counters      []string
}

// Check tells whether the frames can carry the unit at all.
func (u *Unit) Check() error {
	switch {
	case u.Name == "" || u.Top == "":
		return fmt.Errorf("unit %q, top module %q: neither may be empty", u.Name, u.Top)
	case len(u.Ports) == 0 || len(u.Ports) > MaxPorts:
		return fmt.Errorf("unit %s: %d ports, want 1..%d", u.Name, len(u.Ports), MaxPorts)
	case len(u.Tables) > MaxNames || len(u.Counters) > MaxNames:
		return fmt.Errorf("unit %s: more than %d tables or counters", u.Name, MaxNames)
	case u.ClockPeriodPS == 0 || u.ClockPeriodPS%2 != 0:
		return fmt.Errorf("unit %s: clock period %d ps, want an even number above 0", u.Name, u.ClockPeriodPS)
	}
	for i, p := range u.Ports {
		if p.Direction > Out || p.Style > Event || p.BeatBytes < 1 || p.BeatBytes > MaxBeat {
			return fmt.Errorf("unit %s: port %d: %s is not a port", u.Name, i, p)
		}
		if p.Direction == In && p.Style == Event {
			return fmt.Errorf("unit %s: port %d: %s: events are outputs", u.Name, i, p)
		}
	}
	return nil
}

// HashPrefix turns a SHA-256 in hex into what the device carries of it: its first 8 bytes, big-endian.
func HashPrefix(sha string) (uint64, error) {
	b, err := hex.DecodeString(sha)
	if err != nil || len(b) < 8 {
		return 0, fmt.Errorf("hash %q: want at least 16 hex digits", sha)
	}
	return binary.BigEndian.Uint64(b), nil
}
