package capture

import (
	"fmt"
	"io"

	"metaroce/golden/event"
	"metaroce/verification/trace"
	"metaroce/verification/trace/pcapng"
)

// Packet flags of pcapng that the convention uses.
const (
	flagInbound  = 1
	flagOutbound = 2
	flagBadFrame = 1 << 24
)

// Writer writes the capture of one unit. Give it a bufio.Writer.
type Writer struct {
	unit   *event.Unit
	out    *pcapng.Writer
	period uint64       // clock period in the file's time unit
	ids    []int        // interface of each port; -1: the port is not captured
	frames []*Assembler // of the ports of frames
	cycle  uint64
}

// NewWriter declares the interfaces. ports names what is captured; none is every port but the event ports.
func NewWriter(w io.Writer, m Meta, ports ...string) (*Writer, error) {
	unit, ok := event.UnitByName(m.Unit)
	if !ok {
		return nil, fmt.Errorf("capture: no unit %q", m.Unit)
	}
	if m.ClockPs == 0 {
		m.ClockPs = DefaultClockPs
	}
	out, err := pcapng.NewWriter(w, m.comment())
	if err != nil {
		return nil, err
	}
	resolution, period := m.unit()
	c := &Writer{unit: unit, out: out, period: period}
	return c, c.declare(resolution, ports)
}

func (c *Writer) declare(resolution trace.Resolution, ports []string) error {
	c.ids, c.frames = make([]int, len(c.unit.Ports)), make([]*Assembler, len(c.unit.Ports))
	for i, link := range Links(c.unit) {
		p := &c.unit.Ports[i]
		c.ids[i] = -1
		if !chosen(p, ports) {
			continue
		}
		var err error
		if link == trace.LinkEthernet {
			if c.frames[i], err = NewAssembler(p); err != nil {
				return err
			}
		}
		c.ids[i], err = c.out.AddInterface(trace.Interface{Name: p.Name, Link: link, Unit: resolution})
		if err != nil {
			return err
		}
	}
	return nil
}

// Links are the link types of a unit's ports in captures.
func Links(unit *event.Unit) []trace.LinkType {
	links := make([]trace.LinkType, len(unit.Ports))
	user := trace.LinkUser0
	for i := range unit.Ports {
		if framed(&unit.Ports[i]) {
			links[i] = trace.LinkEthernet
			continue
		}
		links[i] = user
		user++
	}
	return links
}

func chosen(p *event.Port, names []string) bool {
	if len(names) == 0 {
		return p.Style != event.Event
	}
	for _, n := range names {
		if n == p.Name {
			return true
		}
	}
	return false
}

// Record writes one handshake or event of port (its place in the unit's list) with its packed fields, inputs too.
// Beats of a frame are held until its last one. Cycles must not decrease.
func (c *Writer) Record(cycle uint64, port uint8, beat []byte) error {
	if int(port) >= len(c.ids) {
		return fmt.Errorf("capture: unit %s has no port %d", c.unit.Name, port)
	}
	if cycle < c.cycle {
		return fmt.Errorf("capture: cycle %d comes after cycle %d", cycle, c.cycle)
	}
	c.cycle = cycle
	p := &c.unit.Ports[port]
	if c.ids[port] < 0 {
		return nil
	}
	if len(beat) != p.Bytes {
		return fmt.Errorf("capture: cycle %d: %s: beat of %d bytes: %d are due", cycle, p.Name, len(beat), p.Bytes)
	}
	if c.frames[port] != nil {
		return c.frameBeat(cycle, port, beat)
	}
	return c.packet(cycle, port, beat, direction(p), fmt.Sprintf("cycle=%d", cycle))
}

func (c *Writer) frameBeat(cycle uint64, port uint8, beat []byte) error {
	f := c.frames[port]
	last, err := f.Add(cycle, beat)
	if err != nil || !last {
		return err
	}
	flags := direction(&c.unit.Ports[port])
	if f.Bad {
		flags |= flagBadFrame
	}
	return c.packet(cycle, port, f.Data, flags, f.comment(cycle))
}

func (s *Assembler) comment(cycle uint64) string {
	text := fmt.Sprintf("cycle=%d", cycle)
	if s.First+s.Beats-1 != cycle {
		text += fmt.Sprintf(" first=%d", s.First)
	}
	if s.Beats != max(1, uint64(len(s.Data)+BeatDataBytes-1)/BeatDataBytes) {
		text += fmt.Sprintf(" beats=%d", s.Beats)
	}
	return text
}

func (c *Writer) packet(cycle uint64, port uint8, data []byte, flags uint32, comment string) error {
	return c.out.Packet(c.ids[port], cycle*c.period, data, flags, comment)
}

// Close tells whether a frame is left unfinished: its beats are not in the file.
func (c *Writer) Close() error {
	for i, f := range c.frames {
		if f != nil && f.Open() > 0 {
			return fmt.Errorf("capture: %s: the run ended %d beats into a frame", c.unit.Ports[i].Name, f.Open())
		}
	}
	return nil
}

func direction(p *event.Port) uint32 {
	if p.Direction == event.In {
		return flagInbound
	}
	return flagOutbound
}
