package vectors

import (
	"fmt"

	"metaroce/gen/model"
	"metaroce/golden/engine"
	"metaroce/golden/profile"
)

// configuration is the one that the vectors are made for.
var configuration = profile.Small

// quietCycles is longer than the longest pipeline, so that the run sees everything that its stimulus causes.
const quietCycles = 100

// maxCycles is a bound that no run of a vector comes near.
const maxCycles = 100_000

// trace is one unit's run.
type trace struct {
	unit       *model.Unit
	firstReady uint64
	cycles     uint64 // the run ended at the start of this cycle
	ports      []portTrace
	counters   []uint32
}

// portTrace is what happened on one port.
type portTrace struct {
	port  *model.Port
	sink  sink
	beats []beat
}

// beat is one handshake, or one event.
type beat struct {
	cycle    uint64 // of the handshake or event
	earliest uint64 // of an input: the source offers it from this cycle on
	bytes    []byte
}

// simulate runs a unit's stimulus through the golden engine.
func simulate(s *model.Spec, u *model.Unit) (*trace, error) {
	stimulus, ok := stimuli[u.Name]
	if !ok {
		return nil, fmt.Errorf("gen/vectors has no stimulus for it")
	}
	run := engine.Run{Unit: u.Name, Config: configuration, QuietCycles: quietCycles, MaxCycles: maxCycles, Stimulus: stimulus()}
	t := &trace{unit: u}
	for i := range u.Ports {
		p := portTrace{port: &u.Ports[i], sink: sinks[u.Name+"."+u.Ports[i].Name]}
		run.Sinks[i] = p.sink.pattern()
		t.ports = append(t.ports, p)
	}
	for _, x := range run.Stimulus {
		p := &t.ports[x.Port]
		p.beats = append(p.beats, beat{earliest: x.Cycle, bytes: x.Beat})
	}
	return t, t.run(run)
}

// run fills in what the engine answers.
func (t *trace) run(run engine.Run) error {
	bench, err := engine.NewBench(run)
	if err != nil {
		return err
	}
	t.firstReady = bench.Unit().FirstReady()
	accepted := make([]int, len(t.ports))
	bench.Advance(maxCycles, func(r engine.Record) {
		p := &t.ports[r.Port]
		if p.port.In {
			p.beats[accepted[r.Port]].cycle = r.Cycle
			accepted[r.Port]++
			return
		}
		p.beats = append(p.beats, beat{cycle: r.Cycle, bytes: append([]byte(nil), r.Beat...)})
	})
	hang, cycle := bench.End()
	if hang || cycle >= maxCycles {
		return fmt.Errorf("the engine does not come to an end: hang %v at cycle %d", hang, cycle)
	}
	t.cycles, t.counters = cycle, bench.Counters()
	return nil
}

// sink drives ready of an output: in ready cycles, then not in wait cycles, from cycle 0. The zero sink is always ready.
type sink struct{ ready, wait uint64 }

func (s sink) pattern() engine.Pattern {
	if s == (sink{}) {
		return engine.Pattern{}
	}
	return engine.Pattern{Kind: engine.PatternDuty, A: s.ready, B: s.wait}
}

// sinks is the outputs that are not always ready. Each pattern is slow enough that its FIFO fills at times.
var sinks = map[string]sink{
	"sack.m_rsp":   {3, 2},
	"rob.m_rsp":    {5, 3},
	"rob.m_cqe":    {1, 3},
	"rate.m_rsp":   {2, 1},
	"rx.m_place":   {1, 1},
	"rx.m_payload": {3, 1},
	"rx.m_cqe":     {1, 2},
	"rx.m_axis":    {2, 3},
}
