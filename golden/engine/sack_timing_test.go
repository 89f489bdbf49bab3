package engine_test

import (
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// In the small configuration the unit sack sweeps 4 x 4 contexts and is ready first in cycle 16 (spec: cycle.reset).
const sackFirst = 16

func sackOpen(psn uint32) event.SackReq {
	return event.SackReq{Op: event.SackOpOpen, Connection: 1, Path: 2, Psn: psn}
}

// sackPackets is an OPEN and n packets in order.
func sackPackets(n int) []event.SackReq {
	reqs := []event.SackReq{sackOpen(0)}
	for psn := range n {
		reqs = append(reqs, event.SackReq{Op: event.SackOpPacket, Connection: 1, Path: 2, Psn: uint32(psn)})
	}
	return reqs
}

// Accepted in t = 16, issued in t + 1, in the output FIFO in t + 1 + L, valid from t + 2 + L (spec: cycle.pipeline).
func TestSackSingleRequest(t *testing.T) {
	r := runBench(t, newRun("sack", offer(0, 0, sackOpen(7))))
	const valid = sackFirst + 2 + profile.SackPipelineCycles
	wantCycles(t, r, 0, "request", []uint64{sackFirst})
	wantCycles(t, r, 1, "response", []uint64{valid})
	wantCycles(t, r, 2, "dbg_update", []uint64{valid})
	if r.records[1].Port != 1 || r.records[2].Port != 2 {
		t.Errorf("records of one cycle are not in the order of the ports: %v", r.records)
	}
	// The last thing happens in `valid`, so cycle valid + 1 + 300 is the first with 300 quiet ones before it.
	if r.hang || r.end != valid+1+300 {
		t.Errorf("end: hang %v in cycle %d, want a good end in %d", r.hang, r.end, valid+1+300)
	}
}

// One busy path is served every cycle: no bubble between operations on the same context.
func TestSackOnePathEveryCycle(t *testing.T) {
	const n = 200
	r := runBench(t, newRun("sack", offer(0, 0, sackPackets(n-1)...)))
	wantCycles(t, r, 0, "requests", span(sackFirst, n))
	wantCycles(t, r, 1, "responses", span(sackFirst+2+profile.SackPipelineCycles, n))
	wantCycles(t, r, 2, "dbg_update", span(sackFirst+2+profile.SackPipelineCycles, n))
	if r.counters[0] != n-1 {
		t.Errorf("counter new_in_order %d, want %d", r.counters[0], n-1)
	}
}

// With nobody taking responses D operations issue, in 17 .. 16 + D, and the input FIFO fills with 4 more, the last taken in
// 16 + D + 3. The first response taken in 1000 lets one issue in 1001, and so one be accepted in 1002.
func TestSackCredit(t *testing.T) {
	const depth, in, n = profile.SackOutputFifoDepth, profile.SackInputFifoDepth, 50
	run := newRun("sack", offer(0, 0, sackPackets(n-1)...))
	run.QuietCycles = 2000
	run.Sinks[1] = engine.Pattern{Kind: engine.PatternAfter, A: 1000}
	r := runBench(t, run)
	wantCycles(t, r, 0, "requests", append(span(sackFirst, depth+in), span(1002, n-depth-in)...))
	wantCycles(t, r, 1, "responses", span(1000, n))
	// The first D operations show as if nothing were in the way; operation D issues in 1001.
	const latency = profile.SackPipelineCycles + 1
	wantCycles(t, r, 2, "dbg_update", append(span(sackFirst+1+latency, depth), span(1001+latency, n-depth)...))
}

// A counter has its new value in the cycle in which dbg_update shows the operation, not before (spec: cycle.pipeline).
func TestSackCounterCycle(t *testing.T) {
	bench, err := engine.NewBench(newRun("sack", offer(0, 0, event.SackReq{Op: event.SackOpPacket})))
	if err != nil {
		t.Fatal(err)
	}
	const shown = sackFirst + 2 + profile.SackPipelineCycles
	const closed = 5
	for _, c := range []struct {
		cycle uint64
		want  uint32
	}{{shown - 1, 0}, {shown, 1}} {
		bench.Advance(c.cycle, func(engine.Record) {})
		if got := bench.Counters()[closed]; got != c.want {
			t.Errorf("counter closed at cycle %d: %d, want %d", c.cycle, got, c.want)
		}
	}
}
