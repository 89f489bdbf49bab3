package engine_test

import (
	"testing"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// The unit rate sweeps 4 x 4 contexts in the small configuration: ready first in 16. One busy path is served every cycle,
// accepted in t, valid in t + 2 + L.
func TestRateEveryCycle(t *testing.T) {
	reqs := []event.RateReq{
		{Op: event.RateOpOpenConnection, Rate: profile.HintNoLimit}, {Op: event.RateOpOpenPath},
	}
	const sends = 60
	for i := range sends {
		reqs = append(reqs, event.RateReq{Op: event.RateOpSend, Now: uint64(i), Bytes: 64})
	}
	r := runBench(t, newRun("rate", offer(0, 0, reqs...)))
	wantCycles(t, r, 0, "requests", span(16, sends+2))
	wantCycles(t, r, 1, "responses", span(16+2+profile.RatePipelineCycles, sends+2))
	wantCycles(t, r, 2, "dbg_update", span(16+2+profile.RatePipelineCycles, sends+2))
	// The path's first window is 4 packets, so 4 are granted and the rest are not.
	if want := uint32(profile.PathWindowInitial); r.counters[0] != want || r.counters[1] != sends-want {
		t.Errorf("granted %d, path_window %d; want %d, %d", r.counters[0], r.counters[1], want, sends-want)
	}
}
