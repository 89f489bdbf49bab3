package engine_test

import (
	"slices"
	"testing"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// appender is a beat of any port.
type appender interface{ Append(dst []byte) []byte }

func beat(a appender) []byte { return a.Append(nil) }

// offer makes stimulus of a port whose beats are all offered from one cycle on.
func offer[T appender](port uint8, cycle uint64, beats ...T) []engine.Stimulus {
	var s []engine.Stimulus
	for _, b := range beats {
		s = append(s, engine.Stimulus{Port: port, Cycle: cycle, Beat: beat(b)})
	}
	return s
}

// newRun is a run of the small configuration that ends after 300 quiet cycles.
func newRun(unit string, stimulus []engine.Stimulus) engine.Run {
	return engine.Run{Unit: unit, Config: profile.Small, Stimulus: stimulus, QuietCycles: 300, MaxCycles: 1e6}
}

// result is all that a run gives.
type result struct {
	records  []engine.Record
	counters []uint32
	hang     bool
	end      uint64
}

func runBench(t testing.TB, run engine.Run) result {
	t.Helper()
	bench, err := engine.NewBench(run)
	if err != nil {
		t.Fatal(err)
	}
	return finish(t, bench)
}

func finish(t testing.TB, bench *engine.Bench) result {
	t.Helper()
	var r result
	done := bench.Advance(1<<63, func(record engine.Record) {
		record.Beat = slices.Clone(record.Beat)
		r.records = append(r.records, record)
	})
	if !done {
		t.Fatal("advance to the end of time did not end the run")
	}
	r.hang, r.end = bench.End()
	r.counters = bench.Counters()
	return r
}

// cycles is when a port had its records.
func (r result) cycles(port uint8) []uint64 {
	var c []uint64
	for _, record := range r.records {
		if record.Port == port {
			c = append(c, record.Cycle)
		}
	}
	return c
}

// span is n cycles in a row.
func span(first uint64, n int) []uint64 {
	c := make([]uint64, n)
	for i := range c {
		c[i] = first + uint64(i)
	}
	return c
}

func wantCycles(t *testing.T, r result, port uint8, what string, want []uint64) {
	t.Helper()
	if got := r.cycles(port); !slices.Equal(got, want) {
		t.Errorf("%s: cycles %v, want %v", what, got, want)
	}
}

// parsed is the beats of a port.
func parsed[T any](t *testing.T, r result, port uint8, parse func([]byte) (T, error)) []T {
	t.Helper()
	var beats []T
	for _, record := range r.records {
		if record.Port != port {
			continue
		}
		b, err := parse(record.Beat)
		if err != nil {
			t.Fatalf("cycle %d port %d: %v", record.Cycle, port, err)
		}
		beats = append(beats, b)
	}
	return beats
}

// portOf is the number of a port by its name in the spec.
func portOf(t testing.TB, unit, name string) uint8 {
	t.Helper()
	u, ok := event.UnitByName(unit)
	if !ok {
		t.Fatalf("no unit %s", unit)
	}
	p, ok := u.PortByName(name)
	if !ok {
		t.Fatalf("unit %s has no port %s", unit, name)
	}
	return p.ID
}
