package protocol

import (
	"encoding/binary"
	"fmt"
)

// Side is who sends a HELLO.
type Side uint8

// The sides.
const (
	Driver  Side = 0
	Harness Side = 1
)

func (s Side) String() string {
	if s > Harness {
		return "side " + itoa(uint64(s))
	}
	return [...]string{"driver", "harness"}[s]
}

// Hello is what a side says of itself.
type Hello struct {
	Version    uint16
	Side       Side
	LayoutHash uint64 // hash of the spec from which this side's beat layouts were generated
	Unit       Unit
}

// AppendHello appends the frame. The unit must have passed Check.
func AppendHello(dst []byte, h *Hello) []byte {
	start := len(dst)
	dst = append(begin(dst, KindHello), Magic...)
	dst = binary.LittleEndian.AppendUint16(dst, h.Version)
	dst = binary.LittleEndian.AppendUint64(append(dst, byte(h.Side)), h.LayoutHash)
	u := &h.Unit
	dst = appendText(appendText(appendText(dst, u.Name), u.Top), u.Config)
	dst = binary.LittleEndian.AppendUint64(dst, u.ClockPeriodPS)
	dst = append(dst, byte(u.TimeUnit))
	dst = binary.LittleEndian.AppendUint64(dst, u.SpecHash)
	dst = append(dst, byte(len(u.Tables)))
	for _, t := range u.Tables {
		dst = binary.LittleEndian.AppendUint64(appendText(dst, t.Name), t.Hash)
	}
	dst = append(dst, byte(len(u.Ports)))
	for _, p := range u.Ports {
		dst = append(appendText(dst, p.Name), byte(p.Direction), byte(p.Style))
		dst = binary.LittleEndian.AppendUint16(dst, uint16(p.BeatBytes))
	}
	dst = append(dst, byte(len(u.Counters)))
	for _, c := range u.Counters {
		dst = appendText(dst, c)
	}
	return end(dst, start)
}

// ParseHello reads a HELLO. Of another version only the version is read: what follows it may mean anything.
func ParseHello(f *Frame) (Hello, error) {
	c := f.cursor()
	if f.Kind != KindHello {
		return Hello{}, &OrderError{Offset: f.Offset, Kind: f.Kind, When: "where HELLO is due"}
	}
	if got := c.take(len(Magic), "magic"); string(got) != Magic {
		return Hello{}, &MagicError{Offset: c.base, Got: f.Payload[:min(len(f.Payload), len(Magic))]}
	}
	h := Hello{Version: c.uint16("version")}
	if c.err != nil || h.Version != Version {
		return h, c.err
	}
	h.Side = Side(c.uint8("side"))
	if h.Side > Harness {
		c.fail("%s is neither driver nor harness", h.Side)
	}
	h.LayoutHash = c.uint64("layout hash")
	h.Unit = c.unit()
	if err := c.done(); err != nil {
		return h, err
	}
	if err := h.Unit.Check(); err != nil {
		return h, &FormatError{Offset: c.base, Kind: KindHello, What: err.Error()}
	}
	return h, nil
}

func (c *cursor) unit() Unit {
	u := Unit{Name: c.text("unit"), Top: c.text("top module"), Config: c.text("configuration")}
	u.ClockPeriodPS = c.uint64("clock period")
	u.TimeUnit = int8(c.uint8("time unit"))
	u.SpecHash = c.uint64("spec hash")
	for n := c.uint8("number of tables"); n > 0 && c.err == nil; n-- {
		u.Tables = append(u.Tables, Table{Name: c.text("table"), Hash: c.uint64("table hash")})
	}
	for n := c.uint8("number of ports"); n > 0 && c.err == nil; n-- {
		p := Port{Name: c.text("port"), Direction: Direction(c.uint8("direction")), Style: Style(c.uint8("style"))}
		p.BeatBytes = int(c.uint16("beat bytes"))
		u.Ports = append(u.Ports, p)
	}
	for n := c.uint8("number of counters"); n > 0 && c.err == nil; n-- {
		u.Counters = append(u.Counters, c.text("counter"))
	}
	return u
}

// Agree compares the own HELLO with the peer's and returns the first disagreement, with both values.
func Agree(own, peer *Hello) error {
	switch {
	case own.Version != peer.Version:
		return &VersionError{Own: own.Version, Peer: peer.Version}
	case own.Side == peer.Side:
		return &MismatchError{What: "side", Own: own.Side.String(), Peer: "the same"}
	}
	a, b := &own.Unit, &peer.Unit
	facts := []MismatchError{
		{"unit", a.Name, b.Name},
		{"top module", a.Top, b.Top},
		{"configuration", a.Config, b.Config},
		{"clock period", itoa(a.ClockPeriodPS) + " ps", itoa(b.ClockPeriodPS) + " ps"},
		{"time unit", fmt.Sprintf("10^%d s", a.TimeUnit), fmt.Sprintf("10^%d s", b.TimeUnit)},
	}
	for i := range facts {
		if facts[i].Own != facts[i].Peer {
			return &facts[i]
		}
	}
	if own.LayoutHash != peer.LayoutHash {
		return &HashError{Name: "spec (of the port layouts)", Own: own.LayoutHash, Peer: peer.LayoutHash}
	}
	if a.SpecHash != b.SpecHash {
		return &HashError{Name: "spec", Own: a.SpecHash, Peer: b.SpecHash}
	}
	if err := agreeTables(a, b); err != nil {
		return err
	}
	return agreePorts(a, b)
}

func agreeTables(a, b *Unit) error {
	if len(a.Tables) != len(b.Tables) {
		return &MismatchError{"number of tables", itoa(uint64(len(a.Tables))), itoa(uint64(len(b.Tables)))}
	}
	for i, t := range a.Tables {
		if t.Name != b.Tables[i].Name {
			return &MismatchError{fmt.Sprintf("table %d", i), t.Name, b.Tables[i].Name}
		}
		if t.Hash != b.Tables[i].Hash {
			return &HashError{Name: "table " + t.Name, Own: t.Hash, Peer: b.Tables[i].Hash}
		}
	}
	return nil
}

func agreePorts(a, b *Unit) error {
	if len(a.Ports) != len(b.Ports) {
		return &MismatchError{"number of ports", itoa(uint64(len(a.Ports))), itoa(uint64(len(b.Ports)))}
	}
	for i, p := range a.Ports {
		if p != b.Ports[i] {
			return &PortError{Index: i, Own: p.String(), Peer: b.Ports[i].String()}
		}
	}
	if len(a.Counters) != len(b.Counters) {
		return &MismatchError{"number of counters", itoa(uint64(len(a.Counters))), itoa(uint64(len(b.Counters)))}
	}
	for i, c := range a.Counters {
		if c != b.Counters[i] {
			return &MismatchError{fmt.Sprintf("counter %d", i), c, b.Counters[i]}
		}
	}
	return nil
}
