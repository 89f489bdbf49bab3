package engine_test

import (
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/golden/wire"
)

// Ports of the unit rob and, in the small configuration, its first ready cycle: 4 x 2 contexts are swept.
const (
	robReq, robRsp, robCqe, robUpdate, robFloor = 0, 1, 2, 3, 4
	robFirst                                    = 8
	robLatency                                  = profile.RobPipelineCycles
	// From the issue of an operation that retires one message, with an idle walker: the run is in its FIFO in cycle
	// issue + L, taken in + 1, retired in + 1; the floor shows in + 1; the completion is in its FIFO 3 after the
	// retirement and valid one later (spec: rob.walker).
	robRetires   = robLatency + 2
	robShowFloor = robRetires + 1
	robShowCqe   = robRetires + profile.RobRetireCycles + 1
)

func robOpen(connection uint32, stream uint16) event.RobReq {
	return event.RobReq{Op: event.RobOpOpen, Connection: connection, Stream: stream}
}

// robEmpty is the only packet of a message of no bytes, which completes it.
func robEmpty(connection uint32, stream uint16, message uint32) event.RobReq {
	return event.RobReq{Op: event.RobOpPacket, Connection: connection, Stream: stream, Message: message, Opcode: wire.OpcodeWrite}
}

func TestRobSingleMessage(t *testing.T) {
	r := runBench(t, newRun("rob", offer(robReq, 0, robOpen(1, 1), robEmpty(1, 1, 0))))
	wantCycles(t, r, robReq, "requests", []uint64{8, 9})
	wantCycles(t, r, robRsp, "responses", span(9+robLatency+1, 2))
	wantCycles(t, r, robUpdate, "dbg_update", span(9+robLatency+1, 2))
	wantCycles(t, r, robFloor, "dbg_floor", []uint64{10 + robShowFloor})
	wantCycles(t, r, robCqe, "completion", []uint64{10 + robShowCqe})
	floor := parsed(t, r, robFloor, event.ParseRobDbgFloor)[0]
	if want := (event.RobDbgFloor{Connection: 1, Stream: 1, Floor: 1}); floor != want {
		t.Errorf("floor %+v, want %+v", floor, want)
	}
}

// Message 16 lies outside a ring of 16: it waits until the unit is quiet. The OPEN issued in 9 is in flight until it has
// entered the output FIFO in 9 + L, so the unit is quiet first in 9 + L + 1 (spec: rob.issue).
func TestRobOutsideTheRingWaits(t *testing.T) {
	r := runBench(t, newRun("rob", offer(robReq, 0, robOpen(0, 0), robEmpty(0, 0, 16))))
	const issue = 9 + robLatency + 1
	wantCycles(t, r, robRsp, "responses", []uint64{9 + robLatency + 1, issue + robLatency + 1})
	if v := parsed(t, r, robRsp, event.ParseRobRsp)[1].Verdict; v != event.RobVerdictBeyond {
		t.Errorf("verdict %v, want BEYOND", v)
	}
}

// Message 2^31 behind the floor counts as before it: it does not wait, and is stale.
func TestRobBehindTheFloorDoesNotWait(t *testing.T) {
	r := runBench(t, newRun("rob", offer(robReq, 0, robOpen(0, 0), robEmpty(0, 0, 1<<31))))
	wantCycles(t, r, robRsp, "responses", span(9+robLatency+1, 2))
	if v := parsed(t, r, robRsp, event.ParseRobRsp)[1].Verdict; v != event.RobVerdictStale {
		t.Errorf("verdict %v, want STALE", v)
	}
}

// An OPEN waits for the walker too: with message 0 issued in 10, retired in 10 + robRetires, the walker is idle from the
// cycle after that.
func TestRobOpenWaitsForTheWalker(t *testing.T) {
	r := runBench(t, newRun("rob", offer(robReq, 0, robOpen(0, 0), robEmpty(0, 0, 0), robOpen(1, 0))))
	const issue = 10 + robRetires + 1
	wantCycles(t, r, robRsp, "responses", []uint64{9 + robLatency + 1, 10 + robLatency + 1, issue + robLatency + 1})
}

// One stream with one-packet messages retires one a cycle, though each is a run of its own.
func TestRobOneStreamEveryCycle(t *testing.T) {
	reqs := []event.RobReq{robOpen(0, 0)}
	const n = 100
	for m := range n {
		reqs = append(reqs, robEmpty(0, 0, uint32(m)))
	}
	r := runBench(t, newRun("rob", offer(robReq, 0, reqs...)))
	wantCycles(t, r, robReq, "requests", span(robFirst, n+1))
	wantCycles(t, r, robRsp, "responses", span(9+robLatency+1, n+1))
	wantCycles(t, r, robFloor, "dbg_floor", span(10+robShowFloor, n))
	wantCycles(t, r, robCqe, "completions", span(10+robShowCqe, n))
}

// The packet of message 0 comes last and lets all 16 of the ring retire, one a cycle.
func TestRobRunOfAWholeRing(t *testing.T) {
	reqs := []event.RobReq{robOpen(0, 0)}
	for m := 15; m >= 0; m-- {
		reqs = append(reqs, robEmpty(0, 0, uint32(m)))
	}
	r := runBench(t, newRun("rob", offer(robReq, 0, reqs...)))
	const issue = 9 + 16 // of message 0
	wantCycles(t, r, robCqe, "completions", span(issue+robShowCqe, 16))
	for i, c := range parsed(t, r, robCqe, event.ParseRobCqe) {
		if c.Message != uint32(i) {
			t.Errorf("completion %d is of message %d", i, c.Message)
		}
	}
	if n := parsed(t, r, robRsp, event.ParseRobRsp)[16].Retired; n != 16 {
		t.Errorf("retired %d, want 16", n)
	}
}

// Nobody takes completions, so 32 messages retire (0 .. 31) and the floor stays at 32. Message 47 is inside the ring,
// message 48 waits at the head of the input FIFO. The first completion is taken in 1000, message 32 retires in 1001, the
// floor is 33 from 1002, and message 48 issues then.
func TestRobRingBehindCompletions(t *testing.T) {
	reqs := []event.RobReq{robOpen(0, 0)}
	for m := range 49 {
		reqs = append(reqs, robEmpty(0, 0, uint32(m)))
	}
	run := newRun("rob", offer(robReq, 0, reqs...))
	run.QuietCycles = 2000
	run.Sinks[robCqe] = engine.Pattern{Kind: engine.PatternAfter, A: 1000}
	r := runBench(t, run)
	wantCycles(t, r, robRsp, "responses", append(span(9+robLatency+1, 49), 1002+robLatency+1))
	wantCycles(t, r, robFloor, "dbg_floor", append(span(10+robShowFloor, 32), span(1002, 17)...))
}

// Eight streams, so that the ring is never in the way, and nobody takes completions. The OPENs issue 11 cycles apart, each
// when its predecessor has left the pipeline: in 9 + 11 i, the last in 86. Packet k issues in 87 + k. Its run enters the
// FIFO in 97 + k. 32 runs retire, the walker is busy with the next; so at cycle t, 10 operations are in flight and runs(t)
// is (t - 97) - 33. The sum is below 32 up to t = 151, when packet 64 issues. Four more are accepted.
func TestRobRunFifoCredit(t *testing.T) {
	var reqs []event.RobReq
	for s := range 8 {
		reqs = append(reqs, robOpen(uint32(s/2), uint16(s%2)))
	}
	for k := range 120 {
		reqs = append(reqs, robEmpty(uint32(k%8/2), uint16(k%2), uint32(k/8)))
	}
	run := newRun("rob", offer(robReq, 0, reqs...))
	run.QuietCycles = 2000
	run.Sinks[robCqe] = engine.Pattern{Kind: engine.PatternAfter, A: 1000}
	r := runBench(t, run)
	want := []uint64{}
	for i := range 8 {
		want = append(want, uint64(9+11*i+robLatency+1))
	}
	want = append(want, span(87+robLatency+1, 65)...)
	got := r.cycles(robRsp)
	for i := range got {
		if got[i] > 999 {
			got = got[:i]
			break
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d responses before completions are taken, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("response %d in cycle %d, want %d", i, got[i], want[i])
		}
	}
	accepted := 0
	for _, c := range r.cycles(robReq) {
		if c < 1000 {
			accepted++
		}
	}
	if accepted != 8+65+4 {
		t.Errorf("%d requests accepted before completions are taken, want %d", accepted, 8+65+4)
	}
	if r.hang || len(r.cycles(robCqe)) != 120 {
		t.Errorf("hang %v, %d completions, want 120", r.hang, len(r.cycles(robCqe)))
	}
}
