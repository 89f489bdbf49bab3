package diff

import (
	"fmt"
	"math/big"
	"net/netip"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
	"metaroce/verification/capture"
	"metaroce/verification/decode"
	"metaroce/verification/trace"
	"metaroce/verification/verdict"
)

// nsPerCycle is the clock that a device is taken to have: at order level it only spaces the packets.
const nsPerCycle = profile.HoldUnitNs

// adopt judges a capture of a real device. DATA packets to the device drive the model; ACKs from it are compared.
func adopt(in Source, o Options, report *verdict.Report) error {
	if o.Unit != "" && o.Unit != "rx" {
		return fmt.Errorf("a capture without our own statement is judged by unit rx, not %s", o.Unit)
	}
	config, err := chooseConfig(o.Config, "", report)
	if err != nil {
		return err
	}
	setup := o.Setup
	if setup == nil {
		if setup, err = surveyFile(in, config, report); err != nil {
			return err
		}
	}
	beats, err := setup.beats(config)
	if err != nil {
		return err
	}
	unit, err := engine.New("rx", config)
	if err != nil {
		return err
	}
	n := newNic(newMatch(unit), setup)
	n.open(beats)
	return n.run(in, report)
}

// nic feeds a foreign capture to the model.
type nic struct {
	*match
	decoder *decode.Decoder
	device  netip.Addr // unset until the first DATA packet
	in, out *event.Port
	clock   clock
	inputs  uint64 // frames given to the model
	outputs uint64 // ACKs compared
	skipped uint64 // packets that are neither
	trimmed uint64 // frames with bytes behind their IP packet
	inEnd   uint64 // cycle after the last input beat
}

func newNic(m *match, s *Setup) *nic {
	n := &nic{match: m, decoder: decode.NewDecoder()}
	n.in, _ = m.unit.PortByName("s_axis")
	n.out, _ = m.unit.PortByName("m_axis")
	m.model.watched[n.out.ID] = true
	n.device, _ = netip.ParseAddr(s.Device)
	return n
}

// open offers the configuration beats before anything else; the first packet comes behind them.
func (n *nic) open(beats [][]byte) {
	cfg, _ := n.unit.PortByName("s_cfg")
	for _, b := range beats {
		n.model.offer(cfg.ID, 0, b)
	}
	n.clock.base = n.model.unit.FirstReady() + quietCycles + 64*uint64(len(beats))
}

func (n *nic) run(in Source, report *verdict.Report) error {
	reader, err := openPackets(in)
	if err != nil {
		return err
	}
	complete := true
	for n.comparer.First() == nil {
		p, err := reader.Next()
		if err != nil {
			if complete, err = ending(err, report); err != nil {
				return err
			}
			break
		}
		if err := n.packet(p); err != nil {
			return fmt.Errorf("packet %d: %w", p.Number, err)
		}
	}
	note(report, "device %v: %d DATA packets in, %d ACKs out, %d other packets not looked at", n.device, n.inputs, n.outputs, n.skipped)
	if n.trimmed > 0 {
		note(report, "%d frames have bytes behind their IP packet (padding or FCS): not looked at", n.trimmed)
	}
	n.finish(report, complete)
	return nil
}

func (n *nic) packet(p *trace.Packet) error {
	if p.Interface.Link != trace.LinkEthernet {
		n.skipped++
		return nil
	}
	f := n.decoder.Decode(p.Data)
	e, ok := ends(f)
	if !ok || f.Meta == nil {
		n.skipped++
		return nil
	}
	if uint32(len(p.Data)) != p.Original {
		return fmt.Errorf("only %d of %d bytes were captured: the model needs whole frames", len(p.Data), p.Original)
	}
	if !n.device.IsValid() && f.Meta.Base.Type == wire.PacketTypeData {
		n.device = e.destination
	}
	frame := p.Data[:min(len(p.Data), e.length)]
	switch {
	case f.Meta.Base.Type == wire.PacketTypeData && e.destination == n.device:
		n.count(p, frame, &n.inputs)
		return n.input(p, frame)
	case f.Meta.Base.Type == wire.PacketTypeAck && e.source == n.device:
		n.count(p, frame, &n.outputs)
		return n.output(p, frame)
	}
	n.skipped++
	return nil
}

func (n *nic) count(p *trace.Packet, frame []byte, total *uint64) {
	*total++
	if len(frame) < len(p.Data) {
		n.trimmed++
	}
}

func (n *nic) input(p *trace.Packet, frame []byte) error {
	cycle := max(n.clock.cycle(p.Time), n.inEnd)
	n.model.advance(cycle)
	err := capture.Beats(n.in, frame, 0, false, func(beat []byte) {
		n.beat(n.in, cycle, beat)
		cycle++
	})
	n.inEnd = cycle
	return err
}

func (n *nic) output(p *trace.Packet, frame []byte) error {
	cycle := n.clock.cycle(p.Time)
	n.model.advance(cycle)
	err := capture.Beats(n.out, frame, 0, false, func(beat []byte) { n.beat(n.out, cycle, beat) })
	n.places[n.out.ID].add(p)
	return err
}

// clock turns a capture's times into cycles that do not decrease.
type clock struct {
	base   uint64 // cycle of the first packet
	last   uint64 // cycle given last
	lastNs uint64
	any    bool
}

func (c *clock) cycle(t trace.Time) uint64 {
	ns := c.lastNs
	if t.Valid {
		ns = nanoseconds(t)
	}
	if !c.any {
		c.any, c.last, c.lastNs = true, c.base, ns
	}
	if ns > c.lastNs {
		c.last += (ns - c.lastNs) / nsPerCycle
		c.lastNs = ns
	}
	return c.last
}

// nanoseconds rounds a time down to whole nanoseconds; 0 for one that does not fit.
func nanoseconds(t trace.Time) uint64 {
	if t.Unit == trace.Nanoseconds && t.Offset == 0 {
		return t.Raw
	}
	r := t.Rat()
	v := new(big.Int).Mul(r.Num(), big.NewInt(1e9))
	v.Quo(v, r.Denom())
	if !v.IsUint64() {
		return 0
	}
	return v.Uint64()
}

// endpoints are a frame's addresses and its length up to the end of its IP packet.
type endpoints struct {
	source, destination netip.Addr
	length              int
}

// ends finds the addresses in a decoded frame; ok is false where it is no IP packet.
func ends(f *decode.Frame) (e endpoints, ok bool) {
	for _, v := range f.Fields {
		if v.Header != "ipv4" && v.Header != "ipv6" {
			continue
		}
		switch v.Name {
		case "source":
			e.source, _ = netip.ParseAddr(v.Value)
		case "destination":
			e.destination, _ = netip.ParseAddr(v.Value)
		}
	}
	e.length = headerBytes(f) + len(f.Payload) + wire.TrailerBytes
	return e, e.source.IsValid() && e.destination.IsValid()
}

var sizes = map[string]int{
	"ethernet": wire.EthernetBytes, "vlan": wire.VlanBytes, "ipv4": wire.Ipv4Bytes, "ipv6": wire.Ipv6Bytes,
	"udp": wire.UdpBytes, "base": wire.BaseBytes, "data": wire.DataBytes, "ack": wire.AckBytes,
}

func headerBytes(f *decode.Frame) int {
	n := 0
	for _, h := range f.Headers {
		n += sizes[h]
	}
	return n
}
