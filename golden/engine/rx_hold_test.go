package engine_test

import (
	"strings"
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Two packets arrive one after the other, the first with message 0, which retires at once. The second's message lies
// outside the ring of 16 as long as the floor is 0, or half the range from it, so it is held. With the first admitted in
// a and joined in j = a + 2 + Ls: it asks the reorder buffer in j + 1, issues in j + 2 and retires in
// j + 2 + robRetires, r. dbg_floor shows that in r + 1, so the receive engine's floor is 1 from r + 2. From then on the
// unit is drained, too: it was quiet in r + 1.
func TestRxHoldsMessagesOutsideTheRing(t *testing.T) {
	const (
		admit  = 202 + profile.RxParseCycles + 1
		ask    = 2 + profile.SackPipelineCycles // from admit to join
		second = admit + ask + 2 + robRetires + 2
	)
	tests := []struct {
		message uint32
		outcome event.RxOutcome
		reason  wire.RefuseReason
		flags   wire.AckFlag
	}{
		{16, event.RxOutcomePlaced, wire.RefuseReasonNone, 0},
		{17, event.RxOutcomeRefused, wire.RefuseReasonRing, 0x0104},
		{1 << 31, event.RxOutcomeRefused, wire.RefuseReasonRing, 0x0104}, // before the floor 0, ahead of the floor 1
	}
	for _, test := range tests {
		first, held := rxData(0, 0, 0), rxData(1, test.message, 0)
		held.Base.Flags = wire.BaseFlagTail
		r := runBench(t, newRun("rx", append(offer(rxCfg, 0, rxOpen()...), axis(200, &first, &held)...)))
		updates := r.cycles(rxUpdate)
		if want := []uint64{admit + ask + 1, second + ask + 1}; updates[1] != want[0] || updates[2] != want[1] {
			t.Errorf("message %d: dbg_update in %v, want the last two in %v", test.message, updates, want)
		}
		got := parsed(t, r, rxUpdate, event.ParseRxDbgUpdate)[2]
		if got.Outcome != test.outcome || got.Reason != test.reason {
			t.Errorf("message %d: %v %v, want %v %v", test.message, got.Outcome, got.Reason, test.outcome, test.reason)
		}
		ack, err := frame.ParseAck(joined(t, r)[0])
		if err != nil {
			t.Fatal(err)
		}
		if ack.Ack.Trigger != 1 || ack.Ack.Flags != test.flags {
			t.Errorf("message %d: ACK of PSN %d with flags 0x%04x, want 1, 0x%04x", test.message, ack.Ack.Trigger, ack.Ack.Flags, test.flags)
		}
	}
}

// Nobody takes payload. Frames of 4096 bytes of payload are 66 beats, 64 of them payload. Four beats get into the payload
// FIFO; of the buffer's 256, three whole frames then hold 3 x 64 - 4 = 188, the fourth 64 once it has its verdict, so that
// 4 beats of the fifth go in: 4 x 66 + 4 are popped. 8 more wait in front of the parser.
func TestRxPayloadBufferFills(t *testing.T) {
	stimulus := offer(rxCfg, 0, rxOpen()...)
	for i := range uint32(8) {
		d := rxData(i, i, profile.MtuBytes)
		stimulus = append(stimulus, axis(200, &d)...)
	}
	run := newRun("rx", stimulus)
	run.Sinks[rxPayload] = engine.Pattern{Kind: engine.PatternAfter, A: 1 << 40}
	r := runBench(t, run)
	if got, want := len(r.cycles(rxAxisIn)), 4*66+4+8; got != want || !r.hang {
		t.Errorf("%d beats accepted, hang %v; want %d and a hang", got, r.hang, want)
	}
}

// Nobody takes placements: 4 wait in the FIFO and nothing joins after them, so that the SACK unit's answers are not taken
// either: 32 operations use up its credit and 4 more wait in its input FIFO. 16 more headers hold the parser's credits, then
// beats are no longer popped. A message of no bytes is a frame of two beats.
func TestRxHeaderCredit(t *testing.T) {
	stimulus := offer(rxCfg, 0, rxOpen()...)
	for i := range uint32(120) {
		d := rxData(i, i%8, 0)
		stimulus = append(stimulus, axis(200, &d)...)
	}
	run := newRun("rx", stimulus)
	run.Sinks[rxPlace] = engine.Pattern{Kind: engine.PatternAfter, A: 1 << 40}
	r := runBench(t, run)
	const admitted = profile.RxPlaceFifoDepth + profile.SackOutputFifoDepth + profile.SackInputFifoDepth
	if got, want := len(r.cycles(rxAxisIn)), 2*(admitted+profile.RxHeaderFifoDepth)+profile.RxBeatFifoDepth; got != want {
		t.Errorf("%d beats accepted, want %d", got, want)
	}
}

// Reports name the state of the context that a beat names.
func TestDescribe(t *testing.T) {
	tests := []struct {
		unit string
		port uint8
		beat []byte
		want []string
	}{
		{"sack", 0, beat(sackOpen(0)), []string{"connection 0x1 path 0x2: open true, base 0xa, next 0xa"}},
		{"rob", 0, beat(robOpen(1, 1)), []string{"connection 0x1 stream 0x1: open true, head 0x1, floor 0x1, 1 entries started",
			"message 0x2: 5 of 9 bytes, complete false, opcode SEND, ordinal 0x6, immediate 0x7"}},
		{"rate", 0, beat(event.RateReq{}), []string{"connection 0x0: open true", "connection 0x0 path 0x0: open true", "window 0x400 "}},
		{"rx", 1, beat(rxOpen()[2]), []string{"payload buffer 0", "connection 0x1 stream 0x1: open true, head 0x0"}},
		{"sack", 0, nil, []string{"requests waiting 0"}},
		{"sack", 0, beat(event.SackReq{Connection: 99}), []string{"connection 0x63 path 0x0: no such path"}},
	}
	stimulus := map[string][]engine.Stimulus{
		"sack": offer(0, 0, sackPackets(10)...),
		"rob": offer(0, 0, robOpen(1, 1), robEmpty(1, 1, 0), event.RobReq{
			Op: event.RobOpPacket, Connection: 1, Stream: 1, Message: 2, Length: 9, Bytes: 5, Opcode: wire.OpcodeSend, Ordinal: 6, Immediate: 7,
		}),
		"rate": offer(0, 0, rateSteady(0)...),
		"rx":   offer(rxCfg, 0, rxOpen()...),
	}
	for _, test := range tests {
		bench, err := engine.NewBench(newRun(test.unit, stimulus[test.unit]))
		if err != nil {
			t.Fatal(err)
		}
		finish(t, bench)
		var text strings.Builder
		bench.Unit().Describe(&text, int(test.port), test.beat)
		for _, want := range test.want {
			if !strings.Contains(text.String(), want) {
				t.Errorf("unit %s: no %q in\n%s", test.unit, want, text.String())
			}
		}
	}
}
