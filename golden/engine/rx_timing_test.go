package engine_test

import (
	"bytes"
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Ports of the unit rx; in the small configuration it sweeps 4 x 4 contexts.
const (
	rxAxisIn, rxCfg, rxPlace, rxPayload, rxCqe, rxAxisOut, rxUpdate = 0, 1, 2, 3, 4, 5, 6
	rxFirst                                                         = 16
)

// rxOpen opens connection 1 with path 2 and stream 1, all sequences from 0.
func rxOpen() []event.RxCfg {
	return []event.RxCfg{
		{Op: event.RxOpOpenConnection, Connection: 1, PeerConnection: 0x123456, Hint: 0x0C01, HintSequence: 9, Credit: 77},
		{Op: event.RxOpOpenPath, Connection: 1, Path: 2},
		{Op: event.RxOpOpenStream, Connection: 1, Stream: 1},
	}
}

// rxData is a message of one packet to what rxOpen opened.
func rxData(psn, message uint32, payload int) frame.Data {
	d := frame.Data{
		Base:    wire.Base{Path: 2, Connection: 1, Opcode: wire.OpcodeWrite, Psn: psn, Stamp: 0xABCD},
		Data:    wire.Data{Stream: 1, Message: message, MessageLength: uint32(payload), Address: 0x1000},
		Payload: make([]byte, payload),
	}
	for i := range d.Payload {
		d.Payload[i] = byte(i + 1)
	}
	d.Ethernet.Destination, d.Ethernet.Source = 0x020000000001, 0x020000000002
	d.Ipv4.Source, d.Ipv4.Destination, d.Ipv4.Ecn = 0x0A000001, 0x0A000002, 2
	d.Udp.SourcePort = 0xC123
	return d
}

// A configuration operation is carried out the cycle after it was accepted if nothing is inside.
//
//	OPEN_CONNECTION  accepted in 16, carried out in 17
//	OPEN_PATH        in 18; SACK unit issues in 19, answers in its FIFO in 19 + Ls, joined in 19 + Ls + 1, shown one later;
//	                 inside is 0 from then on
//	OPEN_STREAM      in that cycle, s; the reorder buffer issues in s + 1, answers in its FIFO in s + 1 + Lr, taken one
//	                 later; it is quiet in that cycle, which the receive engine sees in s + 3 + Lr
func TestRxConfigureCycles(t *testing.T) {
	again := append(rxOpen(), event.RxCfg{Op: event.RxOpOpenPath, Connection: 1, Path: 3})
	r := runBench(t, newRun("rx", offer(rxCfg, 0, again...)))
	const (
		stream = 19 + profile.SackPipelineCycles + 2
		second = stream + 3 + profile.RobPipelineCycles
	)
	// The FIFO of two never fills: one entry leaves in 17 and one in 18.
	wantCycles(t, r, rxCfg, "configuration", []uint64{16, 17, 18, 19})
	wantCycles(t, r, rxUpdate, "dbg_update", []uint64{stream, second + 1 + profile.SackPipelineCycles + 2})
}

// The whole way of one packet of two beats of payload, in a frame of 194 bytes or four beats, the first accepted in 200.
//
//	200..203  beats accepted, popped one later; the last in p = 204
//	v = p + parse_cycles             verdict; the header is there in a = v + 1, when it is admitted
//	a + 1 .. j = a + 2 + Ls          SACK unit issues .. join
//	j + 1                            placement and dbg_update valid; first beat moves; the ACK starts
//	j + 2, j + 3                     payload valid; the second beat, moved in j + 2, asks the reorder buffer
//	j + 3                            it issues; completion as in the reorder buffer's own tests
//	j + 1 + ack_cycles + 1           first of two beats of the ACK valid
func TestRxOnePacketCycles(t *testing.T) {
	d := rxData(0, 0, 100)
	d.Base.Flags = wire.BaseFlagTail
	stimulus := append(offer(rxCfg, 0, rxOpen()...), offer(rxAxisIn, 200, frame.Beats(d.Encode())...)...)
	r := runBench(t, newRun("rx", stimulus))
	const (
		admit = 204 + profile.RxParseCycles + 1
		join  = admit + 2 + profile.SackPipelineCycles
		start = join + 1
	)
	wantCycles(t, r, rxAxisIn, "beats", span(200, 4))
	wantCycles(t, r, rxPlace, "placement", []uint64{join + 1})
	wantCycles(t, r, rxPayload, "payload", span(join+2, 2))
	wantCycles(t, r, rxCqe, "completion", []uint64{join + 3 + robShowCqe})
	wantCycles(t, r, rxAxisOut, "ack", span(start+profile.RxAckCycles+1, 2))
	if r.hang {
		t.Error("hang")
	}
	checkOnePacket(t, r, &d, start-admit)
}

// checkOnePacket looks at what the packet of TestRxOnePacketCycles brought about.
func checkOnePacket(t *testing.T, r result, d *frame.Data, hold uint16) {
	t.Helper()
	ack, err := frame.ParseAck(joined(t, r)[0])
	if err != nil {
		t.Fatal(err)
	}
	wantBase := wire.Base{
		Version: 1, Type: wire.PacketTypeAck, Path: 2, Connection: 0x123456, Psn: 1, Stamp: 0xABCD,
	}
	wantAck := wire.Ack{
		Trigger: 0, Hold: hold, SackOffset: 0xFFFF, Credit: 77, Received: 1, Hint: 0x0C01, HintSequence: 9,
	}
	if ack.Base != wantBase || ack.Ack != wantAck {
		t.Errorf("ack\n%+v\n%+v, want\n%+v\n%+v", ack.Base, ack.Ack, wantBase, wantAck)
	}
	var payload []byte
	for _, b := range parsed(t, r, rxPayload, event.ParseRxPayload) {
		payload = append(payload, b.Tdata[:]...)
	}
	want := append(bytes.Clone(d.Payload), make([]byte, 28)...)
	if !bytes.Equal(payload, want) {
		t.Errorf("payload %x, want %x", payload, want)
	}
}

// joined is the frames of the network output port.
func joined(t *testing.T, r result) [][]byte {
	t.Helper()
	var j frame.Joiner
	var frames [][]byte
	for _, b := range parsed(t, r, rxAxisOut, event.ParseRxAxisOut) {
		f, err := j.Add(&b)
		if err != nil {
			t.Fatal(err)
		}
		if f != nil {
			frames = append(frames, f)
		}
	}
	return frames
}

// The smallest messages come one a two cycles (a frame of 94 bytes is two beats) and leave at that rate: 2 cycles between
// placements, completions and ACKs of two beats.
func TestRxSmallFramesAtLineRate(t *testing.T) {
	const n = 100
	stimulus := offer(rxCfg, 0, rxOpen()...)
	for i := range n {
		d := rxData(uint32(i), uint32(i), 0)
		d.Base.Flags = wire.BaseFlagAckRequest
		stimulus = append(stimulus, offer(rxAxisIn, 200, frame.Beats(d.Encode())...)...)
	}
	r := runBench(t, newRun("rx", stimulus))
	const join = 202 + profile.RxParseCycles + 1 + 2 + profile.SackPipelineCycles
	wantCycles(t, r, rxAxisIn, "beats", span(200, 2*n))
	var place, cqe []uint64
	for i := range uint64(n) {
		place = append(place, join+1+2*i)
		cqe = append(cqe, join+2+robShowCqe+2*i)
	}
	wantCycles(t, r, rxPlace, "placements", place)
	wantCycles(t, r, rxCqe, "completions", cqe)
	wantCycles(t, r, rxAxisOut, "ack beats", span(join+1+profile.RxAckCycles+1, 2*n))
}

// Nobody takes ACKs: a frame starts while the beats not taken, plus 3, are at most 16, which is for 7 frames of two beats.
// 16 more wait for the builder, and the join stage holds the rest.
func TestRxAckCredit(t *testing.T) {
	const n = 40
	stimulus := offer(rxCfg, 0, rxOpen()...)
	for i := range n {
		d := rxData(uint32(i), uint32(i), 0)
		d.Base.Flags = wire.BaseFlagAckRequest
		stimulus = append(stimulus, offer(rxAxisIn, 200, frame.Beats(d.Encode())...)...)
	}
	run := newRun("rx", stimulus)
	run.Sinks[rxAxisOut] = engine.Pattern{Kind: engine.PatternAfter, A: 2000}
	bench, err := engine.NewBench(run)
	if err != nil {
		t.Fatal(err)
	}
	joins := 0
	count := func(rec engine.Record) {
		if rec.Port == rxUpdate && rec.Cycle >= 200 {
			joins++
		}
	}
	if bench.Advance(1999, count) {
		if hang, cycle := bench.End(); !hang {
			t.Fatalf("a good end in %d though ACKs wait", cycle)
		}
	}
	const acks = 13
	if got := bench.Counters()[acks]; got != 7 {
		t.Errorf("%d ACKs started, want 7", got)
	}
	if joins != 7+16 {
		t.Errorf("%d headers joined, want 23", joins)
	}
}
