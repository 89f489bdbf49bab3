package cosim

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"metaroce/cocotb-bridge/builder"
	"metaroce/cocotb-bridge/peer"
	"metaroce/cocotb-bridge/protocol"
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/capture"
	"metaroce/verification/stimulus"
)

// clockPeriodPS is the clock of a simulated device: 250 MHz, at which the ACK's hold unit is one clock.
const clockPeriodPS = capture.DefaultClockPs

// Harness builds and runs the Verilated RTL of a unit.
type Harness struct {
	Root     string // of the project: generated files and .venv are found from here
	RTL      string // folder of the RTL
	Cache    string // of the builder
	Unit     *event.Unit
	Config   profile.Config
	Traced   bool // build with waves from the start: for a run that is expected to differ, one build less
	Quick    bool // build fast, run slowly: for a run that is expected to end early
	Progress func(line string)
}

// bridgeUnit is the unit as the two ends of the bridge agree on it.
func bridgeUnit(unit *event.Unit, config profile.Config) (protocol.Unit, error) {
	spec, err := protocol.HashPrefix(profile.SpecHash)
	if err != nil {
		return protocol.Unit{}, err
	}
	u := protocol.Unit{
		Name: unit.Name, Top: unit.Module, Config: config.Name, ClockPeriodPS: clockPeriodPS, TimeUnit: -12,
		SpecHash: spec, Counters: unit.Counters,
	}
	for _, name := range unit.Tables {
		hash, ok := profile.TableHash(name)
		if !ok {
			return u, fmt.Errorf("unit %s: no hash of table %s", unit.Name, name)
		}
		u.Tables = append(u.Tables, protocol.Table{Name: name, Hash: hash})
	}
	for i := range unit.Ports {
		p := &unit.Ports[i]
		u.Ports = append(u.Ports, protocol.Port{
			Name: p.Name, Direction: protocol.Direction(p.Direction), Style: protocol.Style(p.Style), BeatBytes: p.Bytes,
		})
	}
	return u, nil
}

// Build makes the program, or finds it in the cache.
func (h *Harness) Build(ctx context.Context, trace builder.Trace) (*builder.Build, error) {
	unit, err := bridgeUnit(h.Unit, h.Config)
	if err != nil {
		return nil, err
	}
	bridge := filepath.Join(h.Root, "cocotb-bridge", "harness")
	return builder.Make(ctx, builder.Options{
		Unit: unit, Sources: []string{filepath.Join(h.RTL, h.Unit.Module+".v")}, Search: []string{h.RTL},
		Include: []string{filepath.Join(h.generated(), h.Config.Name), h.generated()},
		Adapter: filepath.Join(bridge, "generated", h.Unit.Name+"_ports.h"), Harness: bridge,
		Trace: trace, Quick: h.Quick, Cache: h.Cache, Project: h.Root, Progress: h.Progress,
	})
}

// generated is the folder of the generated headers and ROM files that go with the RTL: its own, else the project's.
func (h *Harness) generated() string {
	own := filepath.Join(h.RTL, "generated")
	if exists(own) {
		return own
	}
	return filepath.Join(h.Root, "rtl", "generated")
}

// Open builds the variant that is needed and makes a device for one run.
func (h *Harness) Open(ctx context.Context, run *engine.Run, waves Waves) (Device, error) {
	trace := builder.NoTrace
	if waves.File != "" || h.Traced {
		trace = builder.VCD
	}
	build, err := h.Build(ctx, trace)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &BuildError{Unit: h.Unit.Name, Err: err}
	}
	unit, err := bridgeUnit(h.Unit, h.Config)
	if err != nil {
		return nil, err
	}
	return &harnessDevice{
		options: peer.Options{Binary: absolute(build.Binary), Dir: h.generated(), Unit: unit},
		job:     peer.Job{Setup: setup(h.Unit, run, waves), Stimulus: bridgeStimulus(run)},
		unit:    h.Unit,
		rtl:     h.RTL,
	}, nil
}

// BuildError says that the RTL could not be built: an input that cannot be used, not a difference.
type BuildError struct {
	Unit string
	Err  error
}

func (e *BuildError) Error() string { return fmt.Sprintf("build of unit %s: %v", e.Unit, e.Err) }
func (e *BuildError) Unwrap() error { return e.Err }

func setup(unit *event.Unit, run *engine.Run, waves Waves) protocol.Setup {
	s := protocol.Setup{
		QuietCycles: run.QuietCycles, MaxCycles: run.MaxCycles, FirstReady: stimulus.FirstReady(unit, run.Config),
		Initial: protocol.InitialRandom, Waves: protocol.Waves(waves),
	}
	for i := range unit.Ports {
		p := run.Sinks[i]
		s.Sinks = append(s.Sinks, protocol.Pattern{Kind: protocol.PatternKind(p.Kind), A: p.A, B: p.B, Seed: p.Seed})
	}
	return s
}

func bridgeStimulus(run *engine.Run) []protocol.Stimulus {
	beats := make([]protocol.Stimulus, len(run.Stimulus))
	for i := range run.Stimulus {
		beats[i] = protocol.Stimulus(run.Stimulus[i])
	}
	return beats
}

// harnessDevice is a harness process behind a socket.
type harnessDevice struct {
	options peer.Options
	job     peer.Job
	unit    *event.Unit
	rtl     string // folder, for errors
	records []engine.Record
	cancel  context.CancelFunc
}

// Run starts the process and passes its windows on.
func (d *harnessDevice) Run(ctx context.Context, deliver func([]engine.Record, uint64) error) (Ending, error) {
	ctx, d.cancel = context.WithCancel(ctx)
	defer d.cancel()
	result, err := peer.Run(ctx, d.options, d.job, func(w peer.Window) error {
		d.records = d.records[:0]
		for i := range w.Records {
			d.records = append(d.records, engine.Record(w.Records[i]))
		}
		return deliver(d.records, w.Reached)
	})
	ending := Ending{Cycle: result.Reached, Wall: result.Stats.Wall}
	driver := result.Stats.Driver
	ending.BridgeNS = uint64(driver.Encode + driver.Decode)
	if end := result.End; end != nil {
		ending.Hang, ending.Limit, ending.Cycle, ending.Counters = end.Hang(), end.Cause == protocol.Limit, end.Cycle, result.Counters
		ending.RunNS, ending.BridgeNS = end.Time.RunNS, ending.BridgeNS+end.Time.SendNS
		ending.Detail = portsOf(d.unit, end.Pending|end.Waiting)
	}
	return ending, d.explain(err)
}

// explain says of a device that was built from another spec or other tables which one it is.
func (d *harnessDevice) explain(err error) error {
	var hash *protocol.HashError
	if errors.As(err, &hash) {
		return fmt.Errorf("the RTL in %s does not fit the model: %w", d.rtl, err)
	}
	return err
}

// Close ends the process. Run waits until it is gone.
func (d *harnessDevice) Close() error {
	if d.cancel != nil {
		d.cancel()
	}
	return nil
}

// portsOf lists the ports of a mask.
func portsOf(unit *event.Unit, mask uint32) string {
	text := ""
	for i := range unit.Ports {
		if mask>>i&1 == 1 {
			text += " " + unit.Ports[i].Name
		}
	}
	return text
}
