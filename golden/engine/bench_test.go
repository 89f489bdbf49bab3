package engine_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// sackBench is a bench with ten packets of one path, which give eleven responses on port 1.
func sackBench(sink engine.Pattern) engine.Run {
	run := newRun("sack", offer(0, 0, sackPackets(10)...))
	run.Sinks[1] = sink
	return run
}

// Each pattern of rule bench.sink, against cycles from the rule's words. Without back-pressure the eleven responses are
// valid from cycle 32 on, one a cycle.
func TestSinkPatterns(t *testing.T) {
	every := func(step uint64) (c []uint64) {
		for i := range uint64(11) {
			c = append(c, 32+i*step)
		}
		return c
	}
	tests := []struct {
		name string
		sink engine.Pattern
		want []uint64
	}{
		{"always", engine.Pattern{}, span(32, 11)},
		{"after 50", engine.Pattern{Kind: engine.PatternAfter, A: 50}, span(50, 11)},
		// 32 mod 4 = 0: ready in 32, 36, ...
		{"duty 1, 3", engine.Pattern{Kind: engine.PatternDuty, A: 1, B: 3}, every(4)},
		{"duty 1, 0", engine.Pattern{Kind: engine.PatternDuty, A: 1}, span(32, 11)},
		// Valid first in 32, 3 cycles not ready, taken in 35; the next is first valid in 36, taken in 39.
		{"stall last 3", engine.Pattern{Kind: engine.PatternStallLast, A: 3}, func() (c []uint64) {
			for i := range uint64(11) {
				c = append(c, 35+4*i)
			}
			return c
		}()},
		{"random 256", engine.Pattern{Kind: engine.PatternRandom, A: 256, Seed: 5}, span(32, 11)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			wantCycles(t, runBench(t, sackBench(test.sink)), 1, "responses", test.want)
		})
	}
}

// The random pattern is the one of the rule: its generator is written out here once more, step by step.
func TestRandomSinkFollowsTheRule(t *testing.T) {
	const seed, ready = 0xDEADBEEFCAFEF00D, 90
	var want []uint64
	for cycle := uint64(32); len(want) < 11; cycle++ {
		z := uint64(seed)
		for range cycle {
			z += 0x9E3779B97F4A7C15
		}
		z ^= z >> 30
		z *= 0xBF58476D1CE4E5B9
		z ^= z >> 27
		z *= 0x94D049BB133111EB
		z ^= z >> 31
		if z>>56 < ready {
			want = append(want, cycle)
		}
	}
	r := runBench(t, sackBench(engine.Pattern{Kind: engine.PatternRandom, A: ready, Seed: seed}))
	wantCycles(t, r, 1, "responses", want)
}

// Only the last beat of a frame is stalled on a port with tlast. Two ACK beats are valid in c and c + 1 (see
// TestRxOnePacketCycles); the second is met with 5 cycles of not ready.
func TestStallLastLooksAtTlast(t *testing.T) {
	d := rxData(0, 0, 0)
	d.Base.Flags = 4 // ACK_REQUEST
	stimulus := append(offer(rxCfg, 0, rxOpen()...), axis(200, &d)...)
	run := newRun("rx", stimulus)
	free := runBench(t, run).cycles(rxAxisOut)
	run.Sinks[rxAxisOut] = engine.Pattern{Kind: engine.PatternStallLast, A: 5}
	wantCycles(t, runBench(t, run), rxAxisOut, "ack beats", []uint64{free[0], free[1] + 5})
}

// A source whose next beat comes late keeps the run alive: it ends q cycles after that one's earliest cycle at the soonest.
func TestEndWaitsForLateStimulus(t *testing.T) {
	stimulus := append(offer(0, 0, sackOpen(0)), offer(0, 5000, sackOpen(1))...)
	r := runBench(t, newRun("sack", stimulus))
	// The second response is taken in 5000 + 2 + L; the run ends after 300 quiet cycles.
	want := uint64(5000 + 2 + profile.SackPipelineCycles + 1 + 300)
	if r.hang || r.end != want {
		t.Errorf("end: hang %v in cycle %d, want a good end in %d", r.hang, r.end, want)
	}
}

// With nothing to do a run ends q cycles after the first cycle in which the unit is ready.
func TestEndOfAnEmptyRun(t *testing.T) {
	r := runBench(t, newRun("sack", nil))
	if r.hang || r.end != sackFirst+300 {
		t.Errorf("end: hang %v in cycle %d, want a good end in %d", r.hang, r.end, sackFirst+300)
	}
}

// A response that is never taken is a hang; so is a request that is never accepted.
func TestHang(t *testing.T) {
	never := engine.Pattern{Kind: engine.PatternAfter, A: 1 << 40}
	r := runBench(t, sackBench(never))
	// The last event is dbg_update of the eleventh operation, in 32 + 10.
	if want := uint64(42 + 1 + 300); !r.hang || r.end != want {
		t.Errorf("end: hang %v in cycle %d, want a hang in %d", r.hang, r.end, want)
	}
	run := newRun("sack", offer(0, 0, sackPackets(100)...))
	run.Sinks[1] = never
	if r := runBench(t, run); !r.hang {
		t.Error("a request that is never accepted is no hang")
	}
}

func TestMaxCyclesEndsARun(t *testing.T) {
	run := sackBench(engine.Pattern{})
	run.MaxCycles = 35
	r := runBench(t, run)
	if !r.hang || r.end != 35 {
		t.Errorf("end: hang %v in cycle %d; want cycle 35 with responses still valid", r.hang, r.end)
	}
	wantCycles(t, r, 1, "responses", span(32, 3))
}

// Advance in steps of any size gives the same records as in one.
func TestAdvanceInSteps(t *testing.T) {
	whole := runBench(t, sackBench(engine.Pattern{}))
	bench, err := engine.NewBench(sackBench(engine.Pattern{}))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for until := uint64(0); !bench.Advance(until, func(got engine.Record) {
		if want := whole.records[n]; got.Cycle != want.Cycle || got.Port != want.Port {
			t.Fatalf("record %d: cycle %d port %d, want cycle %d port %d", n, got.Cycle, got.Port, want.Cycle, want.Port)
		}
		if got.Cycle >= until {
			t.Fatalf("record of cycle %d in an advance to %d", got.Cycle, until)
		}
		n++
	}); until += 7 {
	}
	if n != len(whole.records) {
		t.Errorf("%d records, want %d", n, len(whole.records))
	}
}

func TestBenchRefusesBadRuns(t *testing.T) {
	good := beat(sackOpen(0))
	wide := append([]byte{}, good...)
	wide[0] = 4 // op has two bits
	tests := []struct {
		name, want string
		spoil      func(*engine.Run)
	}{
		{"unit", `no unit "mac"`, func(r *engine.Run) { r.Unit = "mac" }},
		{"size", "paths = 3", func(r *engine.Run) { r.Config.Paths = 3 }},
		{"quiet", "quiet cycles 0", func(r *engine.Run) { r.QuietCycles = 0 }},
		{"most", "max cycles 0", func(r *engine.Run) { r.MaxCycles = 0 }},
		{"port", "port 1 is not an input", func(r *engine.Run) { r.Stimulus = []engine.Stimulus{{Port: 1, Beat: good}} }},
		{"length", "beat of 13 bytes, want 14", func(r *engine.Run) { r.Stimulus = []engine.Stimulus{{Beat: good[:13]}} }},
		{"width", "field op has bits beyond its 2", func(r *engine.Run) { r.Stimulus = []engine.Stimulus{{Beat: wide}} }},
		{"order", "cycle 4 after cycle 5", func(r *engine.Run) {
			r.Stimulus = []engine.Stimulus{{Cycle: 5, Beat: good}, {Cycle: 4, Beat: good}}
		}},
		{"pattern", "pattern kind 9", func(r *engine.Run) { r.Sinks[1].Kind = 9 }},
		{"duty", "the sum is at least 1", func(r *engine.Run) { r.Sinks[1] = engine.Pattern{Kind: engine.PatternDuty} }},
		{"random", "at most 256", func(r *engine.Run) { r.Sinks[1] = engine.Pattern{Kind: engine.PatternRandom, A: 257} }},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			run := newRun("sack", nil)
			test.spoil(&run)
			_, err := engine.NewBench(run)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
		})
	}
}

// The same run gives the same records, whichever unit.
func TestSameRunSameRecords(t *testing.T) {
	for _, unit := range []string{"sack", "rob", "rate", "rx"} {
		run := busyRun(unit, 7, 400)
		if a, b := runBench(t, run), runBench(t, run); len(a.records) == 0 || !reflect.DeepEqual(a, b) {
			t.Errorf("unit %s: %d and %d records; they differ or there are none", unit, len(a.records), len(b.records))
		}
	}
}

// busyRun is a run of a unit with random traffic back to back.
func busyRun(unit string, seed uint64, n int) engine.Run {
	r := rand.New(rand.NewPCG(seed, 5))
	var s []engine.Stimulus
	switch unit {
	case "sack":
		s = offer(0, 0, sackTraffic(r, n)...)
	case "rob":
		s = offer(0, 0, robTraffic(r, profile.Small, n)...)
	case "rate":
		s = offer(0, 0, rateTraffic(r, n)...)
	case "rx":
		x := rxTraffic{r: r, size: profile.Small, psn: map[uint32]uint32{}, first: map[uint32]uint32{}}
		s = offer(rxCfg, 0, x.configuration(0)...)
		for range n {
			a := x.frame()
			s = append(s, offer(rxAxisIn, 1500, a.beats()...)...)
		}
	}
	return newRun(unit, s)
}

// Ports of the model are those of the spec.
func TestPortNumbers(t *testing.T) {
	for unit, names := range map[string][]string{
		"sack": {"s_req", "m_rsp", "dbg_update"},
		"rob":  {"s_req", "m_rsp", "m_cqe", "dbg_update", "dbg_floor"},
		"rate": {"s_req", "m_rsp", "dbg_update"},
		"rx":   {"s_axis", "s_cfg", "m_place", "m_payload", "m_cqe", "m_axis", "dbg_update"},
	} {
		info, _ := event.UnitByName(unit)
		if len(info.Ports) != len(names) {
			t.Errorf("unit %s has %d ports, want %d", unit, len(info.Ports), len(names))
		}
		for i, name := range names {
			if got := portOf(t, unit, name); int(got) != i {
				t.Errorf("unit %s port %s is number %d, want %d", unit, name, got, i)
			}
		}
	}
}

// plain is a unit that cannot tell all its ports at once, as a unit of somebody else's.
type plain struct{ engine.Unit }

func TestBenchOfAPlainUnit(t *testing.T) {
	for _, unit := range allUnits {
		run := busyRun(unit, 3, 200)
		want := runBench(t, run)
		u, err := engine.New(unit, run.Config)
		if err != nil {
			t.Fatal(err)
		}
		bench, err := engine.NewBenchOf(plain{u}, run)
		if err != nil {
			t.Fatal(err)
		}
		if got := finish(t, bench); !reflect.DeepEqual(got, want) {
			t.Errorf("unit %s: %d records, want %d; or they differ", unit, len(got.records), len(want.records))
		}
	}
}
