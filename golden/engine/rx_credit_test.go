package engine_test

import (
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// never is a sink that takes nothing.
var never = engine.Pattern{Kind: engine.PatternAfter, A: 1 << 40}

// rxAdmit is the cycle in which the first of the frames that come from cycle 200 on is admitted, when it has two beats;
// rxAdmit + 2 i is that of the i-th. rxJoin is from there to the join.
const (
	rxAdmit = 202 + profile.RxParseCycles + 1
	rxJoin  = 2 + profile.SackPipelineCycles
)

// empties is n messages of no bytes, in frames of two beats, each asking for an ACK; those that ipv6 tells are over IPv6.
func empties(n int, ipv6 func(i int) bool) []*frame.Data {
	var frames []*frame.Data
	for i := range uint32(n) {
		d := rxData(i, i, 0)
		d.Base.Flags = wire.BaseFlagAckRequest
		d.HasIpv6 = ipv6(int(i))
		frames = append(frames, &d)
	}
	return frames
}

func noIpv6(int) bool { return false }

// acksOf is the ACKs of a run.
func acksOf(t *testing.T, r result) []frame.Ack {
	t.Helper()
	var acks []frame.Ack
	for _, b := range joined(t, r) {
		ack, err := frame.ParseAck(b)
		if err != nil {
			t.Fatal(err)
		}
		acks = append(acks, ack)
	}
	return acks
}

// ACK frames start as far apart as the earlier one has beats. Four packets join before placements stop; the others join
// one a cycle from N + 1 on, when placements are taken from N on. The k-th of those can start in N + 2 + k, but starts
// after the beats of its predecessors: two of an ACK over IPv4, three over IPv6, in turn.
func TestRxAckSpacing(t *testing.T) {
	const n, from = 20, 1000
	run := newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, empties(n, func(i int) bool { return i%2 != 0 })...)...))
	run.Sinks[rxPlace] = engine.Pattern{Kind: engine.PatternAfter, A: from}
	run.QuietCycles = 2000
	acks := acksOf(t, runBench(t, run))
	if len(acks) != n {
		t.Fatalf("%d ACKs, want %d", len(acks), n)
	}
	start := uint64(from + 2)
	for i := 4; i < n; i++ {
		arrival := uint64(rxAdmit + 2*i)
		if want := uint16(start - arrival); acks[i].Ack.Hold != want {
			t.Errorf("ACK %d: hold %d, want %d", i, acks[i].Ack.Hold, want)
		}
		start += 2 + uint64(i%2)
	}
}

// Seven ACKs of two beats start while none is taken. Beats are taken from 2000 on: the credit of the first allows a start in
// 2001, which counts from 2002; the next needs two more, so it starts in 2003.
func TestRxAckCreditReturns(t *testing.T) {
	run := newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, empties(20, noIpv6)...)...))
	run.Sinks[rxAxisOut] = engine.Pattern{Kind: engine.PatternAfter, A: 2000}
	run.QuietCycles = 3000
	bench, err := engine.NewBench(run)
	if err != nil {
		t.Fatal(err)
	}
	const acks = 13 // counter
	for _, at := range []struct {
		cycle uint64
		want  uint32
	}{{2001, 7}, {2002, 8}, {2003, 8}, {2004, 9}} {
		bench.Advance(at.cycle, func(engine.Record) {})
		if got := bench.Counters()[acks]; got != at.want {
			t.Errorf("ACKs started before cycle %d: %d, want %d", at.cycle, got, at.want)
		}
	}
}

// The hold time saturates: the eighth ACK waits for the credit that the first beat taken in 70000 gives back.
func TestRxHoldSaturates(t *testing.T) {
	run := newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, empties(8, noIpv6)...)...))
	run.Sinks[rxAxisOut] = engine.Pattern{Kind: engine.PatternAfter, A: 70000}
	run.QuietCycles = 80000
	acks := acksOf(t, runBench(t, run))
	if got := acks[7].Ack.Hold; got != 0xFFFF {
		t.Errorf("hold %d, want 65535", got)
	}
}

// Nobody takes payload, and the buffer holds 190 beats: 3 x 64 + 2, less the 4 in the payload FIFO. The first 66 beats of
// an oversize frame fill it to 256; those behind are popped all the same, so that the frame ends and gives them back.
func TestRxOversizeFrameWithAFullBuffer(t *testing.T) {
	stimulus := offer(rxCfg, 0, rxOpen()...)
	beats := 0
	for i, payload := range []int{4096, 4096, 4096, 100} {
		d := rxData(uint32(i), uint32(i), payload)
		stimulus = append(stimulus, axis(200, &d)...)
		beats += len(frame.Beats(d.Encode()))
	}
	const oversize = 100
	stimulus = append(stimulus, offer(rxAxisIn, 200, frame.Beats(make([]byte, oversize*frame.BeatBytes))...)...)
	run := newRun("rx", stimulus)
	run.Sinks[rxPayload] = never
	r := runBench(t, run)
	if got := len(r.cycles(rxAxisIn)); got != beats+oversize {
		t.Errorf("%d beats accepted, want all %d", got, beats+oversize)
	}
	if r.counters[0] != 5 || r.counters[2] != 1 {
		t.Errorf("frames %d, oversize %d; want 5, 1", r.counters[0], r.counters[2])
	}
}

// Nobody takes completions, of messages in turn of eight streams, so that the ring is not in the way: 32 completions wait
// in their FIFO, the walker holds one run and 32 wait; 4 requests wait in front of the reorder buffer and 16 moves in front
// of that. So 85 packets are placed.
func TestRxReorderBufferPushesBack(t *testing.T) {
	var cfg []event.RxCfg
	for connection := range uint32(4) {
		cfg = append(cfg, event.RxCfg{Op: event.RxOpOpenConnection, Connection: connection},
			event.RxCfg{Op: event.RxOpOpenPath, Connection: connection},
			event.RxCfg{Op: event.RxOpOpenStream, Connection: connection},
			event.RxCfg{Op: event.RxOpOpenStream, Connection: connection, Stream: 1})
	}
	stimulus := offer(rxCfg, 0, cfg...)
	for i := range uint32(120) {
		d := rxData(i/4, i/8, 0)
		d.Base.Connection, d.Base.Path, d.Data.Stream = i%4, 0, uint16(i/4%2)
		stimulus = append(stimulus, axis(1000, &d)...)
	}
	run := newRun("rx", stimulus)
	run.Sinks[rxCqe] = never
	r := runBench(t, run)
	const want = profile.RobCompletionFifoDepth + 1 + profile.RobRunFifoDepth + profile.RobInputFifoDepth + profile.RxMoveFifoDepth
	if got := len(r.cycles(rxPlace)); got != want || !r.hang {
		t.Errorf("%d placements, hang %v; want %d and a hang", got, r.hang, want)
	}
}

// Nobody takes placements: 4 wait, the fifth packet waits at the head of the join FIFO. Packets of an unknown connection do
// not ask the SACK unit, so they fill that FIFO to its 64; 16 more hold the parser's credits.
func TestRxJoinFifoFills(t *testing.T) {
	frames := empties(100, noIpv6)
	for _, d := range frames[5:] {
		d.Base.Connection = 3
	}
	run := newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, frames...)...))
	run.Sinks[rxPlace] = never
	r := runBench(t, run)
	const headers = profile.RxPlaceFifoDepth + profile.RxJoinFifoDepth + profile.RxHeaderFifoDepth
	if got, want := len(r.cycles(rxAxisIn)), 2*headers+profile.RxBeatFifoDepth; got != want {
		t.Errorf("%d beats accepted, want %d", got, want)
	}
}

// A new hint is accepted in the cycle c in which packet 20 is admitted. No header is admitted from c + 1 on. Packet 20 joins
// in j = c + 2 + Ls, its message retires in j + 2 + robRetires, r; the reorder buffer is quiet in r + 1, which the receive
// engine sees in r + 2: there the hint is set. The FIFO is empty a cycle later: packet 21 is admitted, and those that wait
// behind it follow one a cycle.
func TestRxConfigurationHoldsHeaders(t *testing.T) {
	const (
		c    = rxAdmit + 2*20
		set  = c + rxJoin + 2 + robRetires + 2
		next = set + 1
	)
	hint := event.RxCfg{Op: event.RxOpSetHint, Connection: 1, Hint: 0x1234, HintSequence: 10, Credit: 3}
	stimulus := append(offer(rxCfg, 0, rxOpen()...), offer(rxCfg, c, hint)...)
	r := runBench(t, newRun("rx", append(stimulus, axis(200, empties(30, noIpv6)...)...)))
	updates := r.cycles(rxUpdate)[1:] // the first is of the path's open
	for i, want := range map[int]uint64{20: c + rxJoin + 1, 21: next + rxJoin + 1, 22: next + rxJoin + 2, 29: next + rxJoin + 9} {
		if updates[i] != want {
			t.Errorf("packet %d joined in %d, want %d", i, updates[i]-1, want-1)
		}
	}
	for i, ack := range acksOf(t, r) {
		want := uint16(0x0C01)
		if i > 20 {
			want = 0x1234
		}
		if ack.Ack.Hint != want {
			t.Errorf("ACK %d has hint 0x%04x, want 0x%04x", i, ack.Ack.Hint, want)
		}
	}
}

// Nobody takes payload; 190 beats are in the buffer as in the test above. The last of the 66 beats of one more frame is
// popped in p and fills it to 256. Its verdict in v = p + 8 gives two beats back from v + 1. The beat FIFO holds one beat in
// p + 1 and takes 7 more; it is full in v and v + 1, in which a beat is popped, and takes beats again in v + 2 and v + 3.
func TestRxBufferReturnsWithTheVerdict(t *testing.T) {
	stimulus := offer(rxCfg, 0, rxOpen()...)
	for i, payload := range []int{4096, 4096, 4096, 100, 4096, 4096} {
		d := rxData(uint32(i), uint32(i), payload)
		stimulus = append(stimulus, axis(200, &d)...)
	}
	run := newRun("rx", stimulus)
	run.Sinks[rxPayload] = never
	r := runBench(t, run)
	const (
		popped = 4*66 + 4 // beats of the first five frames
		p      = 200 + popped
		v      = p + profile.RxParseCycles
	)
	wantCycles(t, r, rxAxisIn, "beats", append(span(200, v-200), v+2, v+3))
}

// Nobody takes placements, so 40 headers are admitted (see TestRxHeaderCredit). 15 more and a frame with a wrong CRC use the
// parser's credits up when that frame's last beat is popped, in p. Its verdict in v = p + 8 gives one back from v + 1, for
// the two beats of one more frame. The beat FIFO is full in v and v + 1, and takes two more beats after that.
func TestRxCreditReturnsWithTheVerdict(t *testing.T) {
	frames := empties(70, noIpv6)
	const bad = 40 + 15
	frames[bad].CrcError = 1
	for i, d := range frames {
		d.Data.Message = uint32(i % 8) // inside the ring, so that none is held
	}
	run := newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, frames...)...))
	run.Sinks[rxPlace] = never
	r := runBench(t, run)
	const (
		p = 200 + 2*(bad+1)
		v = p + profile.RxParseCycles
	)
	wantCycles(t, r, rxAxisIn, "beats", append(span(200, v-200), v+2, v+3))
}
