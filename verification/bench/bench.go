// Package bench measures how fast the model, the RTL and the two together run, side by side in one run, so that a machine
// that drifts does not decide a ratio.
package bench

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"metaroce/cocotb-bridge/peer"
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/cosim"
	"metaroce/verification/stimulus"
)

// Options say what is measured.
type Options struct {
	Root     string // of the project
	Cache    string // of the harness builder
	Config   profile.Config
	Seed     uint64
	Count    int // operations or frames a run
	Rounds   int // each of the four runs once a round, in turn
	Progress func(text string)
}

// Round is one turn: in thousand cycles a second of wall time, and in ns of processor time a cycle, which other work on the
// machine disturbs less.
type Round struct {
	Model  float64 `json:"model_khz"`  // golden model in its bench
	Bare   float64 `json:"bare_khz"`   // RTL in the harness, without socket and records
	Bridge float64 `json:"bridge_khz"` // RTL through the bridge, records thrown away
	Cosim  float64 `json:"cosim_khz"`  // model, RTL, bridge and comparison

	ModelCPU  float64 `json:"model_cpu_ns"`
	BareCPU   float64 `json:"bare_cpu_ns"`   // of the bare RTL; start and reset included
	DeviceCPU float64 `json:"device_cpu_ns"` // of the RTL through the bridge; start and reset included
	DriverCPU float64 `json:"driver_cpu_ns"` // of this side of a co-simulation: model, comparison, this end of the bridge
}

// Row is what was measured of one unit.
type Row struct {
	Unit   string  `json:"unit"`
	Config string  `json:"config"`
	Cycles uint64  `json:"cycles"` // of one run
	Rounds []Round `json:"rounds"`
}

// maxRounds is more than anybody waits for.
const maxRounds = 1000

// Run measures every unit of the spec in turn. A unit whose co-simulation differs is an error.
func Run(ctx context.Context, o Options) ([]Row, error) {
	if o.Rounds < 1 || o.Rounds > maxRounds {
		return nil, fmt.Errorf("rounds %d: must be 1..%d", o.Rounds, maxRounds)
	}
	var rows []Row
	for i := range event.Units {
		row, err := o.unit(ctx, &event.Units[i])
		if err != nil {
			return rows, fmt.Errorf("bench of unit %s: %w", event.Units[i].Name, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func (o *Options) unit(ctx context.Context, unit *event.Unit) (Row, error) {
	row := Row{Unit: unit.Name, Config: o.Config.Name}
	run, err := o.saturated(unit)
	if err != nil {
		return row, err
	}
	harness := &cosim.Harness{Root: o.Root, RTL: o.Root + "/rtl", Cache: o.Cache, Unit: unit, Config: o.Config, Progress: o.Progress}
	o.Progress("building " + unit.Module)
	options, job, err := harness.Program(ctx, run)
	if err != nil {
		return row, err
	}
	for i := range o.Rounds {
		o.Progress(fmt.Sprintf("%s: round %d of %d", unit.Name, i+1, o.Rounds))
		round, cycles, err := measure(ctx, harness, run, options, job)
		if err != nil {
			return row, err
		}
		row.Cycles = cycles
		row.Rounds = append(row.Rounds, round)
	}
	return row, nil
}

// saturated is random traffic with every pause and every back-pressure taken out: as many operations a clock as fit.
func (o *Options) saturated(unit *event.Unit) (*engine.Run, error) {
	run, err := stimulus.Generate(stimulus.Options{Unit: unit.Name, Config: o.Config, Seed: o.Seed, Count: o.Count})
	if err != nil {
		return nil, err
	}
	run.Sinks = [engine.MaxPorts]engine.Pattern{}
	if unit.Name != "rx" { // its configuration must come before the frames that need it
		squeeze(run.Stimulus)
	}
	return &run, nil
}

// squeeze offers each beat as early as its port can take it: one a cycle. That is the same traffic as with all of them due
// in cycle 0, but the bridge need not send what nobody can take yet.
func squeeze(stimulus []engine.Stimulus) {
	var next [engine.MaxPorts]uint64
	for i := range stimulus {
		s := &stimulus[i]
		s.Cycle = next[s.Port]
		next[s.Port]++
	}
}

// measure runs the four once each. All of them must have run the same cycles.
func measure(ctx context.Context, harness *cosim.Harness, run *engine.Run, options peer.Options, job peer.Job) (Round, uint64, error) {
	var r Round
	cycles, wall, used, err := model(run)
	if err != nil {
		return r, 0, err
	}
	r.Model, r.ModelCPU = khz(cycles, wall), perCycle(used, cycles)

	bare, err := peer.Bare(ctx, options.Binary, options.Dir, job)
	if err != nil {
		return r, 0, err
	}
	r.Bare, r.BareCPU = bare.KHz(), perCycle(bare.CPU, bare.Cycles)

	bridged, err := peer.Run(ctx, options, job, nil)
	if err != nil {
		return r, 0, err
	}
	r.Bridge, r.DeviceCPU = khz(bridged.End.Cycle, bridged.Stats.Wall), perCycle(bridged.Stats.CPU, bridged.End.Cycle)

	device, err := harness.Open(ctx, run, cosim.Waves{})
	if err != nil {
		return r, 0, err
	}
	before := processorTime()
	together, wall, err := cosim.Measure(ctx, harness.Unit, run, device)
	if err != nil {
		return r, 0, err
	}
	r.Cosim, r.DriverCPU = khz(together, wall), perCycle(processorTime()-before, together)
	if bare.Cycles != cycles || bridged.End.Cycle != cycles || together != cycles {
		return r, 0, fmt.Errorf("the runs are not the same: model %d cycles, bare RTL %d, bridge %d, co-simulation %d",
			cycles, bare.Cycles, bridged.End.Cycle, together)
	}
	return r, cycles, nil
}

// model runs the golden model in its bench, its records packed and thrown away.
func model(run *engine.Run) (cycles uint64, wall, used time.Duration, err error) {
	bench, err := engine.NewBench(*run)
	if err != nil {
		return 0, 0, 0, err
	}
	began, before := time.Now(), processorTime()
	bench.Advance(run.MaxCycles+1, func(engine.Record) {})
	wall, used = time.Since(began), processorTime()-before
	_, cycles = bench.End()
	return cycles, wall, used, nil
}

// processorTime is what this process has used so far.
func processorTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0 // the argument is right, so it does not fail
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// perCycle is a time in ns a cycle.
func perCycle(d time.Duration, cycles uint64) float64 {
	if cycles == 0 {
		return 0
	}
	return float64(d.Nanoseconds()) / float64(cycles)
}

func khz(cycles uint64, wall time.Duration) float64 {
	if wall <= 0 {
		return 0
	}
	return float64(cycles) / wall.Seconds() / 1000
}
