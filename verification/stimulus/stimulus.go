// Package stimulus makes the random traffic of a co-simulation run: protocol-aware beats with earliest cycles, and the
// ready patterns of the sinks. It is a pure function of its options: the same options give the same bytes anywhere.
package stimulus

import (
	"fmt"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// Limits of what one run may ask for.
const (
	MaxCount    = 10_000_000 // operations or frames of one run
	quietCycles = 4096       // longer than any pause that a generator or a sink makes
)

// Options say which run is wanted.
type Options struct {
	Unit   string // sack, rob, rate or rx
	Config profile.Config
	Seed   uint64 // any value; 0 is a seed like any other
	Count  int    // operations of the unit's traffic port, 1..MaxCount, opens at the start not counted
}

// Generate makes the run that the options describe. It fails on an unknown unit and on a count out of range.
func Generate(o Options) (engine.Run, error) {
	unit, ok := event.UnitByName(o.Unit)
	if !ok {
		return engine.Run{}, fmt.Errorf("unknown unit %q", o.Unit)
	}
	if o.Count < 1 || o.Count > MaxCount {
		return engine.Run{}, fmt.Errorf("count %d: must be 1..%d", o.Count, MaxCount)
	}
	r := newRandom(o.Seed, o.Unit+"/"+o.Config.Name)
	b := &builder{unit: unit, config: o.Config, random: r, pace: newPace(r)}
	switch o.Unit {
	case "sack":
		generateSack(b, o.Count)
	case "rob":
		generateRob(b, o.Count)
	case "rate":
		generateRate(b, o.Count)
	case "rx":
		generateRx(b, o.Count)
	default:
		return engine.Run{}, fmt.Errorf("unit %q has no stimulus generator", o.Unit)
	}
	return b.run(), nil
}

// FirstReady is the cycle before which a unit's inputs are not ready (spec: cycle.reset).
func FirstReady(unit *event.Unit, c profile.Config) uint64 {
	first := uint64(1)
	for _, names := range unit.Sweep {
		product := uint64(1)
		for _, name := range names {
			product *= uint64(c.Size(name))
		}
		first = max(first, product)
	}
	return first
}

// Normalize fills the limits of a run from its beats where they are 0: the quiet time after which a run has ended, and
// a number of cycles that only a run that never ends can reach.
func Normalize(run *engine.Run, unit *event.Unit) {
	if run.QuietCycles == 0 {
		run.QuietCycles = quietCycles
	}
	if run.MaxCycles == 0 {
		last := FirstReady(unit, run.Config)
		for i := range run.Stimulus {
			last = max(last, run.Stimulus[i].Cycle)
		}
		run.MaxCycles = last + 1_000_000 + 512*uint64(len(run.Stimulus))
	}
}

// builder collects the beats of a run. Beats of all ports share one arena, so a run of millions costs few allocations.
type builder struct {
	unit     *event.Unit
	config   profile.Config
	random   *random
	pace     *pace
	stimulus []engine.Stimulus
	arena    []byte
}

const arenaBytes = 1 << 20

// add appends one beat of an input port, to be offered from the pace's cycle on.
func (b *builder) add(port uint8, beat interface{ Append([]byte) []byte }) {
	b.addAt(b.pace.next(), port, beat)
}

func (b *builder) addAt(cycle uint64, port uint8, beat interface{ Append([]byte) []byte }) {
	if cap(b.arena)-len(b.arena) < 1024 {
		b.arena = make([]byte, 0, arenaBytes)
	}
	start := len(b.arena)
	b.arena = beat.Append(b.arena)
	b.stimulus = append(b.stimulus, engine.Stimulus{Port: port, Cycle: cycle, Beat: b.arena[start:len(b.arena):len(b.arena)]})
}

func (b *builder) run() engine.Run {
	run := engine.Run{Unit: b.unit.Name, Config: b.config, Stimulus: b.stimulus}
	chooseSinks(b, &run)
	Normalize(&run, b.unit)
	return run
}

// port is the identifier of the unit's port of that name. An unknown name is a programmer's mistake.
func (b *builder) port(name string) uint8 {
	if port, ok := b.unit.PortByName(name); ok {
		return port.ID
	}
	panic(fmt.Sprintf("stimulus: unit %s has no port %s", b.unit.Name, name))
}
