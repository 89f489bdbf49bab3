package engine_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/engine/eventloop"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/rob"
	"metaroce/golden/sack"
	"metaroce/golden/wire"
)

// phaseCycles is long enough for a phase of traffic to be over: configuration and frames are accepted on different ports,
// so only then is their order the one of the event loop.
const phaseCycles = 16000

// arrival is one frame as it arrives.
type arrival struct {
	bytes []byte
	bad   bool
}

func (a *arrival) beats() []event.RxAxisIn {
	beats := frame.Beats(a.bytes)
	beats[len(beats)-1].Tuser = a.bad
	return beats
}

// rxTraffic makes random frames to and around what is open.
type rxTraffic struct {
	r     *rand.Rand
	size  profile.Config
	psn   map[uint32]uint32 // next of path, by connection << 16 | path
	first map[uint32]uint32 // message, by connection << 16 | stream
	ring  *rob.Table        // of the event loop, or nil
}

// configuration opens most things, and now and then opens or changes one again.
func (x *rxTraffic) configuration(phase int) []event.RxCfg {
	var cfg []event.RxCfg
	for range 6 {
		c := event.RxCfg{
			Op: event.RxOp(x.r.IntN(4)), Connection: uint32(x.r.IntN(5)), Path: uint16(x.r.IntN(5)), Stream: uint16(x.r.IntN(3)),
			Sequence: pick(x.r, 0, 0xFFFFFFFC, 0x7FFFFFFF, x.r.Uint32()), PeerConnection: x.r.Uint32() & 0xFFFFFF,
			Hint: uint16(x.r.Uint32()), HintSequence: uint16(x.r.Uint32()), Credit: uint16(x.r.Uint32()),
		}
		cfg = append(cfg, c)
	}
	if phase == 0 {
		for connection := range uint32(3) {
			cfg = append(cfg, event.RxCfg{Op: event.RxOpOpenConnection, Connection: connection, PeerConnection: 0xABC000 + connection})
			for i := range uint16(4) {
				cfg = append(cfg, event.RxCfg{Op: event.RxOpOpenPath, Connection: connection, Path: i, Sequence: x.r.Uint32()})
			}
			cfg = append(cfg, event.RxCfg{Op: event.RxOpOpenStream, Connection: connection, Sequence: x.r.Uint32()})
		}
	}
	for _, c := range cfg {
		switch c.Op {
		case event.RxOpOpenPath:
			x.psn[c.Connection<<16|uint32(c.Path)] = c.Sequence
		case event.RxOpOpenStream:
			x.first[c.Connection<<16|uint32(c.Stream)] = c.Sequence
		}
	}
	return cfg
}

// frame is a random frame, now and then one that is wrong in one respect.
func (x *rxTraffic) frame() arrival {
	d := x.packet()
	d.Complete()
	if chance(x.r, 12) {
		return spoiled(x.r, d)
	}
	return arrival{bytes: d.Append(nil)}
}

func (x *rxTraffic) packet() frame.Data {
	r := x.r
	var d frame.Data
	d.HasVlan, d.HasIpv6 = chance(r, 30), chance(r, 40)
	d.Ethernet.Destination, d.Ethernet.Source = r.Uint64()&(1<<48-1), r.Uint64()&(1<<48-1)
	d.Vlan.TagControl, d.Udp.SourcePort = uint16(r.Uint32()), uint16(r.Uint32())
	d.Ipv4.Source, d.Ipv4.Destination, d.Ipv4.Ecn = r.Uint32(), r.Uint32(), uint8(pick(r, 2, 2, 2, 3, 0))
	d.Ipv6.Source, d.Ipv6.Destination, d.Ipv6.Ecn = [16]byte{1, byte(r.Uint32())}, [16]byte{2, byte(r.Uint32())}, d.Ipv4.Ecn
	d.Base = wire.Base{
		Flags: wire.BaseFlag(pick(r, 0, 0, 0, r.Uint32N(256))), Path: uint16(pick(r, 0, 0, 0, 1, 2, 3, 4)), Epoch: uint8(r.IntN(16)),
		Connection: uint32(pick(r, 0, 0, 1, 2, 2, 3, 4, 0xFFFFFF)), Stamp: r.Uint32(),
	}
	psn := x.psn[d.Base.Connection<<16|uint32(d.Base.Path)]
	d.Base.Psn = psn + pick[uint32](r, 0, 0, 0, 0, 0, uint32(r.IntN(6)), -uint32(r.IntN(6)), 255, 256, 1<<31)
	x.psn[d.Base.Connection<<16|uint32(d.Base.Path)] = psn + pick[uint32](r, 1, 1, 1, 1, 0)
	x.message(&d)
	return d
}

// message chooses what the packet carries: messages of a few packets around the head of the stream. All that packets of
// one message share follows from its number, but now and then they disagree.
func (x *rxTraffic) message(d *frame.Data) {
	r := x.r
	d.Data = wire.Data{
		Stream: uint16(pick(r, 0, 0, 0, 0, 1, 2)), Address: r.Uint64(), Key: r.Uint32(), Immediate: r.Uint32(), Offset: r.Uint32N(100),
	}
	at := x.first[d.Base.Connection<<16|uint32(d.Data.Stream)]
	depth := uint32(x.size.ReorderDepth)
	d.Data.Message = at + pick[uint32](r, 0, 0, 0, r.Uint32N(4), r.Uint32N(depth), depth-1+r.Uint32N(4), -r.Uint32N(3))
	if x.ring != nil && chance(r, 40) {
		// The head itself, and what is behind the floor as long as the walker has not caught up with the head.
		head, _ := x.ring.Head(d.Base.Connection, d.Data.Stream)
		d.Data.Message = head + pick[uint32](r, 0, 1, 1<<31-1-r.Uint32N(3))
	}
	x.first[d.Base.Connection<<16|uint32(d.Data.Stream)] = at + pick[uint32](r, 0, 0, 1)
	sizes := []int{0, 1, 15, 16, 63, 64, 65, 127, 128, 129, 700}
	payload := sizes[d.Data.Message%uint32(len(sizes))]
	if chance(r, 1) {
		payload = profile.MtuBytes
	}
	d.Payload = make([]byte, payload)
	for i := range d.Payload {
		d.Payload[i] = byte(r.Uint32())
	}
	d.Data.MessageLength = uint32(payload) * (1 + d.Data.Message%2)
	d.Base.Opcode = wire.Opcode(1 + d.Data.Message%4)
	if chance(r, 4) {
		d.Data.MessageLength += 1000
	}
	d.Data.Offset = min(d.Data.Offset, d.Data.MessageLength-uint32(payload))
}

// spoiled is a frame that is wrong in one respect.
func spoiled(r *rand.Rand, d frame.Data) arrival {
	switch r.IntN(9) {
	case 0:
		return arrival{bytes: d.Append(nil), bad: true}
	case 1:
		return arrival{bytes: make([]byte, profile.RxMaxFrameBeats*frame.BeatBytes+1+r.IntN(300))}
	case 2:
		d.Udp.DestinationPort++
	case 3:
		d.Udp.Length++
	case 4:
		d.HasIpv6, d.HasVlan = false, false
		d.Complete()
		d.Ipv4.Checksum ^= 0x100
	case 5:
		d.CrcError = 1 << r.IntN(32)
	case 6:
		d.Data.Offset = d.Data.MessageLength + 1
	case 7:
		return arrival{bytes: make([]byte, 1+r.IntN(200))}
	case 8:
		d.Base.Type = wire.PacketTypeProbe
	}
	return arrival{bytes: d.Append(nil)}
}

func rxClocks(t *testing.T, seed uint64, rules func(*sack.Table) eventloop.SackRules) ([]uint32, error) {
	r := rand.New(rand.NewPCG(seed, 4))
	c := profile.Small
	ring := rob.New(c.Connections, c.Streams, c.ReorderDepth)
	loop := eventloop.NewReceiver(c, sack.New(c.Connections, c.Paths), ring)
	traffic := rxTraffic{r: r, size: c, psn: map[uint32]uint32{}, first: map[uint32]uint32{}, ring: ring}
	var stimulus []engine.Stimulus
	const phases = 3
	for phase := range phases {
		from := uint64(phase * phaseCycles)
		cfg := traffic.configuration(phase)
		for _, op := range cfg {
			loop.Configure(op)
		}
		stimulus = append(stimulus, offer(rxCfg, from, cfg...)...)
		var beats []event.RxAxisIn
		for range 60 {
			a := traffic.frame()
			loop.Frame(a.bytes, a.bad)
			beats = append(beats, a.beats()...)
		}
		stimulus = append(stimulus, randomOffer(r, rxAxisIn, from+1500, beats)...)
	}
	unit := engine.RxOf(c, rules(sack.New(c.Connections, c.Paths)), rob.New(c.Connections, c.Streams, c.ReorderDepth))
	got := runUnit(t, r, unit, stimulus)
	checkPhases(t, got, phases)
	return got.counters, compareRx(t, got, loop)
}

// checkPhases makes sure that no phase reaches into the configuration of the next.
func checkPhases(t *testing.T, got result, phases int) {
	t.Helper()
	for _, record := range got.records {
		if at := record.Cycle % phaseCycles; at > phaseCycles-100 || record.Cycle >= uint64(phases*phaseCycles) {
			t.Fatalf("traffic in cycle %d: the phase is too short for the comparison", record.Cycle)
		}
		if at := record.Cycle % phaseCycles; record.Port == rxCfg && at >= 1400 {
			t.Fatalf("configuration accepted in cycle %d: too late for the comparison", record.Cycle)
		}
	}
}

func compareRx(t *testing.T, got result, loop *eventloop.Receiver) error {
	t.Helper()
	return firstError(
		compareBeats(got, rxPlace, "m_place", loop.Place), compareBeats(got, rxPayload, "m_payload", loop.Payload),
		compareBeats(got, rxCqe, "m_cqe", loop.Cqe), compareBeats(got, rxUpdate, "dbg_update", loop.Update),
		compareAcks(joined(t, got), loop.Ack), compareCounters("rx", got.counters, loop.Counters))
}

// compareAcks compares whole ACK frames but for the hold time, and so the CRC.
func compareAcks(got [][]byte, want []frame.Ack) error {
	if len(got) != len(want) {
		return fmt.Errorf("m_axis: %d ACKs, want %d", len(got), len(want))
	}
	for i := range got {
		ack, err := frame.ParseAck(got[i])
		if err != nil {
			return fmt.Errorf("m_axis: frame %d: %w", i, err)
		}
		ack.Ack.Hold = 0
		if ack != want[i] {
			return fmt.Errorf("m_axis: frame %d: %+v, want %+v", i, ack, want[i])
		}
	}
	return nil
}

func TestRxTwoClocks(t *testing.T) {
	everySeed(t, "rx", func(seed uint64) ([]uint32, error) {
		return rxClocks(t, seed, func(table *sack.Table) eventloop.SackRules { return table })
	})
}
