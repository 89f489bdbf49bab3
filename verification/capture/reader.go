package capture

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"metaroce/golden/event"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcapng"
)

// Item is one packet of a capture in terms of the unit. It is valid until the next Read.
type Item struct {
	Packet *trace.Packet
	Port   *event.Port
	Cycle  uint64 // of the handshake; of a frame: of its last beat
	First  uint64 // of a frame's first beat; else Cycle
	Beats  uint64 // of a frame; else 1
	Bad    bool   // the frame was marked bad
	Frame  bool   // Data is a frame, not one beat
}

// Reader reads a capture that was written to the convention.
type Reader struct {
	Meta Meta
	Unit *event.Unit
	in   *pcapng.Reader
	ps   *big.Rat
	item Item
	last uint64
}

// NewReader reads on from in, whose section header has been read. ok is false where the file is no such capture.
func NewReader(in *pcapng.Reader) (r *Reader, ok bool, err error) {
	m, ok, err := ParseMeta(in.Section().Comments())
	if !ok || err != nil {
		return nil, ok, err
	}
	unit, _ := event.UnitByName(m.Unit)
	return &Reader{Meta: m, Unit: unit, in: in, ps: new(big.Rat).SetFrac64(int64(m.ClockPs), 1e12)}, true, nil
}

// Watched are the names of the ports that the file declares, in its order. All are known after the first Read.
func (r *Reader) Watched() []string {
	var names []string
	for _, i := range r.in.Interfaces() {
		names = append(names, i.Name)
	}
	return names
}

// Read returns the next item; io.EOF, *trace.Truncated and *trace.Malformed as of the pcapng reader.
func (r *Reader) Read() (*Item, error) {
	p, err := r.in.Next()
	if err != nil {
		return nil, err
	}
	if p.Interface.Section != 0 {
		return nil, trace.Malformedf(p.Offset, "packet %d: a capture has one section only", p.Number)
	}
	port, err := r.port(p)
	if err != nil {
		return nil, trace.Malformedf(p.Offset, "packet %d: %v", p.Number, err)
	}
	r.item = Item{Packet: p, Port: port, Frame: framed(port), Bad: p.Flags&flagBadFrame != 0}
	if err := r.cycles(); err != nil {
		return nil, trace.Malformedf(p.Offset, "packet %d: %v", p.Number, err)
	}
	return &r.item, nil
}

func (r *Reader) port(p *trace.Packet) (*event.Port, error) {
	for i := range r.Unit.Ports {
		port := &r.Unit.Ports[i]
		if port.Name != p.Interface.Name {
			continue
		}
		if framed(port) && p.Interface.Link != trace.LinkEthernet {
			return nil, fmt.Errorf("interface %s has link type %v: ETHERNET is due", port.Name, p.Interface.Link)
		}
		if !framed(port) && len(p.Data) != port.Bytes {
			return nil, fmt.Errorf("beat of %d bytes on %s: %d are due", len(p.Data), port.Name, port.Bytes)
		}
		if uint32(len(p.Data)) != p.Original {
			return nil, fmt.Errorf("only %d of %d bytes were captured", len(p.Data), p.Original)
		}
		if !framed(port) {
			return port, checkBits(port, p.Data)
		}
		return port, nil
	}
	return nil, fmt.Errorf("interface %q is no port of unit %s", p.Interface.Name, r.Unit.Name)
}

// checkBits refuses a beat with bits that a field does not have.
func checkBits(port *event.Port, beat []byte) error {
	for i := range port.Fields {
		f := &port.Fields[i]
		if spare := f.Bits % 8; spare != 0 && beat[f.Offset+f.Bytes-1]>>spare != 0 {
			return fmt.Errorf("beat of %s: field %s has bits beyond its %d", port.Name, f.Name, f.Bits)
		}
	}
	return nil
}

func (r *Reader) cycles() error {
	if !r.item.Packet.Time.Valid {
		return fmt.Errorf("it has no time")
	}
	cycle, err := r.cycle(r.item.Packet.Time)
	if err != nil {
		return err
	}
	if cycle < r.last {
		return fmt.Errorf("cycle %d comes after cycle %d", cycle, r.last)
	}
	r.last, r.item.Cycle = cycle, cycle
	r.item.Beats = 1
	if r.item.Frame {
		r.item.Beats = max(1, uint64(len(r.item.Packet.Data)+BeatDataBytes-1)/BeatDataBytes)
	}
	return r.comment()
}

// comment takes what the packet's comment adds: cycle of the first beat, number of beats. A comment that contradicts
// the packet's time is refused.
func (r *Reader) comment() error {
	first := ^uint64(0)
	for _, c := range r.item.Packet.Comments {
		for _, w := range strings.Fields(c) {
			name, text, _ := strings.Cut(w, "=")
			value, err := strconv.ParseUint(text, 10, 64)
			switch {
			case name != "cycle" && name != "first" && name != "beats":
			case err != nil:
				return fmt.Errorf("comment %q: %w", w, err)
			case name == "cycle" && value != r.item.Cycle:
				return fmt.Errorf("comment says cycle %d, its time says cycle %d", value, r.item.Cycle)
			case name == "first":
				first = value
			case name == "beats":
				r.item.Beats = value
			}
		}
	}
	if first == ^uint64(0) {
		first = r.item.Cycle - min(r.item.Cycle, r.item.Beats-1)
	}
	if first > r.item.Cycle {
		return fmt.Errorf("first beat in cycle %d, last in cycle %d", first, r.item.Cycle)
	}
	r.item.First = first
	return nil
}

// cycle converts a time to a clock cycle. A time between two clock edges is refused: it is not this clock's.
func (r *Reader) cycle(t trace.Time) (uint64, error) {
	if t.Unit == trace.Nanoseconds && t.Offset == 0 && r.Meta.ClockPs%1000 == 0 && t.Raw%(r.Meta.ClockPs/1000) == 0 {
		return t.Raw / (r.Meta.ClockPs / 1000), nil
	}
	n := new(big.Rat).Quo(t.Rat(), r.ps)
	if !n.IsInt() || !n.Num().IsUint64() {
		return 0, fmt.Errorf("time %v s is no multiple of the clock period of %d ps", t, r.Meta.ClockPs)
	}
	return n.Num().Uint64(), nil
}
