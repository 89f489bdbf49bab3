package cosim

import (
	"bufio"
	"io"
	"slices"
	"syscall"
	"testing"
	"time"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/stimulus"
)

// windowCycles is the window of the bridge.
const windowCycles = 2048

// recorded is a device's records, one window after the other, as a bridge would hand them over.
type recorded struct {
	run     engine.Run
	windows [][]engine.Record
	cycles  uint64
}

// record takes the model itself as the device, saturated.
func record(b *testing.B, unit string, count int) *recorded {
	run, err := stimulus.Generate(stimulus.Options{Unit: unit, Config: profile.Small, Seed: 1, Count: count})
	if err != nil {
		b.Fatal(err)
	}
	run.Sinks = [engine.MaxPorts]engine.Pattern{}
	if unit != "rx" { // its configuration must come before the frames that need it
		for i := range run.Stimulus {
			run.Stimulus[i].Cycle = 0
		}
	}
	d := &recorded{run: run}
	bench, err := engine.NewBench(run)
	if err != nil {
		b.Fatal(err)
	}
	for done := false; !done; {
		var window []engine.Record
		done = bench.Advance(uint64(len(d.windows)+1)*windowCycles, func(r engine.Record) {
			r.Beat = slices.Clone(r.Beat)
			window = append(window, r)
		})
		d.windows = append(d.windows, window)
	}
	_, d.cycles = bench.End()
	return d
}

// play puts the windows to a session.
func (d *recorded) play(b *testing.B, s *session) {
	for i, window := range d.windows {
		if err := s.deliver(window, uint64(i+1)*windowCycles); err != nil {
			b.Fatal(err)
		}
	}
	if s.comparer.Compared() == 0 {
		b.Fatal("nothing was compared")
	}
}

// processorTime is what this process has used: the figure to read on a machine that has other work.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkSession is the model and the comparison of a co-simulation, with and without the file of records; cpu-ns/cycle
// must stay below what the RTL takes for a cycle.
func BenchmarkSession(b *testing.B) {
	for i := range event.Units {
		unit := &event.Units[i]
		d := record(b, unit.Name, 20_000)
		for _, files := range []bool{false, true} {
			name := unit.Name
			if files {
				name += "-file"
			}
			b.Run(name, func(b *testing.B) {
				b.ReportAllocs()
				var cpu time.Duration
				for b.Loop() {
					b.StopTimer()
					s, err := newSession(unit, &d.run, compare.Cycle)
					if err != nil {
						b.Fatal(err)
					}
					if files {
						s.sinks = append(s.sinks, &recordFile{w: bufio.NewWriterSize(io.Discard, 1<<16), unit: unit})
					}
					b.StartTimer()
					began := processorTime()
					d.play(b, s)
					cpu += processorTime() - began
				}
				b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N)/float64(d.cycles), "cpu-ns/cycle")
			})
		}
	}
}
