// Package cosim runs the golden model and a device side by side on one stimulus and compares them as they go. It writes
// the reproducer before the run, and at a difference it runs the stimulus again for the waves and the states around it.
package cosim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"metaroce/cocotb-bridge/peer"
	"metaroce/cocotb-bridge/protocol"
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/report"
	"metaroce/verification/scenario"
	"metaroce/verification/verdict"
)

// Options say what is run, against what, and where the results go.
type Options struct {
	Scenario *scenario.Scenario
	Level    compare.Level
	Open     Opener    // of the device
	Out      string    // folder for the results, made if missing
	Waves    bool      // dump the first fullWaves cycles of the run itself
	NoWaves  bool      // do not dump the window of a difference
	Source   string    // what the device is, for the report
	Replay   string    // command that repeats the run
	Terminal io.Writer // for progress; nil: none
}

// fullWaves bounds the dump of a whole run, in cycles: some hundred megabytes of VCD.
const fullWaves = 20_000

// Run does the whole of it. The report is complete also if the run was cut short; the error then says why, as it does
// for a device that broke the bridge's protocol. An error without a report is a fault of the options or the host.
func Run(ctx context.Context, o Options) (*verdict.Report, error) {
	unit, ok := event.UnitByName(o.Scenario.Run.Unit)
	if !ok {
		return nil, fmt.Errorf("unit %q is not in the spec", o.Scenario.Run.Unit)
	}
	out, err := newOutput(o.Out)
	if err != nil {
		return nil, err
	}
	r := &runner{Options: o, unit: unit, run: &o.Scenario.Run, out: out}
	defer out.close()
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	err = r.execute(ctx)
	var host *hostError
	if errors.As(err, &host) {
		return nil, err
	}
	return r.report, err
}

// hostError is a device that could not even be started: nothing can be said about it.
type hostError struct{ err error }

func (e *hostError) Error() string { return e.err.Error() }
func (e *hostError) Unwrap() error { return e.err }

// runner carries one co-simulation through its steps.
type runner struct {
	Options
	unit     *event.Unit
	run      *engine.Run
	out      *output
	session  *session
	device   Device
	progress *progress
	report   *verdict.Report
	window   *window
	cut      error // why the run ended before its end
	records  *recordFile
}

// prepare writes the reproducer, makes the model and builds the device.
func (r *runner) prepare(ctx context.Context) error {
	if err := r.out.write("scenario", fileScenario, r.Scenario.Write); err != nil {
		return fmt.Errorf("reproducer: %w", err)
	}
	var err error
	if r.session, err = newSession(r.unit, r.run, r.Level); err != nil {
		return err
	}
	r.progress = newProgress(r.Terminal)
	r.session.progress = r.progress
	r.report = &verdict.Report{
		Unit: r.unit.Name, Configuration: r.run.Config.Name, Level: string(r.Level), Source: r.Source, SpecHash: profile.SpecHash,
		Replay: r.Replay,
	}
	if random := r.Scenario.Random; random != nil {
		r.report.Seed = &random.Seed
	}
	if err := r.openFiles(); err != nil {
		return err
	}
	waves := Waves{}
	if r.Waves {
		waves = Waves{File: absolute(r.out.path(fileWaves)), To: fullWaves}
	}
	r.progress.say("building " + r.unit.Module)
	r.device, err = r.Open(ctx, r.run, waves)
	return err
}

func (r *runner) openFiles() error {
	records, err := r.out.recordFile(fileDevice, r.unit, r.run.Config.Name)
	if err != nil {
		return err
	}
	r.session.sinks, r.records = append(r.session.sinks, records), records
	if r.unit.Name != "rx" {
		return nil
	}
	f, err := r.out.captureFile(r.run, r.unit, r.report.Seed)
	r.session.sinks = append(r.session.sinks, f)
	return err
}

// execute runs both sides, judges, and writes what is left to write.
func (r *runner) execute(ctx context.Context) error {
	began := time.Now()
	ending, err := r.device.Run(ctx, r.session.deliver)
	wall := time.Since(began)
	closing := r.device.Close()
	fault := r.judge(ending, err)
	r.figures(ending, wall)
	if r.report.First != nil {
		r.lookAgain(ctx)
	}
	r.progress.done()
	return errors.Join(fault, closing, r.records.end(r.session.reached, r.cut), r.out.close(), r.writeReports())
}

// judge turns the end of the device's run into the verdict. It returns an error where the run was cut short.
func (r *runner) judge(ending Ending, err error) error {
	s := r.session
	device := compare.End{Complete: err == nil, Hang: ending.Hang, Cycle: ending.Cycle, Counters: ending.Counters}
	model := compare.End{Complete: true, Cycle: s.reached} // it has gone as far as it was asked to
	r.report.Cycles = s.reached
	switch {
	case err == nil:
		model = s.modelEnd()
		r.report.Cycles = ending.Cycle
	case errors.Is(err, errDifferent):
		err = nil
	}
	s.comparer.Finish(r.report, model, device)
	if r.report.First != nil {
		r.report.Cycles = r.report.First.Cycle + 1
	}
	if ending.Limit {
		r.report.Notes = append(r.report.Notes, fmt.Sprintf("the run reached its limit of %d cycles", r.run.MaxCycles))
	}
	if r.report.Verdict == verdict.Hang && ending.Detail != "" {
		r.report.Side += "; waiting ports:" + ending.Detail
	}
	return r.cutShort(err)
}

// cutShort sets the verdict of a run that an error ended, unless a difference had been found before.
func (r *runner) cutShort(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) {
		err = interruption{}
	}
	r.report.Notes = append(r.report.Notes, "cut short: "+err.Error())
	r.cut = err
	var died *peer.DiedError
	switch {
	case r.report.First != nil:
	case errors.Is(err, protocol.ErrProtocol) && !errors.As(err, &died):
		r.report.Verdict, r.report.Side = verdict.ProtocolError, ""
	case r.session.reached == 0 && !errors.As(err, &died) && !errors.Is(err, context.Canceled):
		return &hostError{err}
	default:
		r.report.Verdict = verdict.Truncated
	}
	return err
}

// interruption ends a run that the user gave up. What was compared until then counts.
type interruption struct{}

func (interruption) Error() string { return "interrupted" }
func (interruption) Unwrap() error { return context.Canceled }

// figures fills in speed and shares of time. Model and RTL run beside each other, so the shares are of the time that
// the three parts took together.
func (r *runner) figures(ending Ending, wall time.Duration) {
	if ending.Wall > 0 {
		wall = ending.Wall
	}
	if r.session.reached == 0 || wall <= 0 {
		return
	}
	r.report.Khz = float64(r.session.reached) / wall.Seconds() / 1000
	model, bridge, rtl := float64(r.session.modelNS), float64(ending.BridgeNS)+float64(r.session.compareNS), float64(ending.RunNS)
	if total := model + bridge + rtl; rtl > 0 {
		r.report.Share = &verdict.Share{Model: model / total, Bridge: bridge / total, RTL: rtl / total}
	}
}

// lookAgain runs the window around the first difference again, for states, waves and the beats up to there. What goes
// wrong here is noted; it does not change the verdict.
func (r *runner) lookAgain(ctx context.Context) {
	first, subject := r.report.First, r.session.comparer.Subject()
	note := func(err error) {
		if err != nil {
			r.report.Notes = append(r.report.Notes, "window of the difference: "+err.Error())
		}
	}
	r.progress.say(fmt.Sprintf("difference in cycle %d: running the window again", first.Cycle))
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	waves := absolute(r.out.path(fileWaves))
	if r.NoWaves {
		waves = ""
	}
	window, err := replay(ctx, r.Open, r.run, first.Cycle, subject, waves)
	note(err)
	r.window = window
	if window != nil && window.state != "" {
		first.ModelState = window.state + first.ModelState
	}
	if err == nil && waves != "" && exists(waves) {
		r.out.add("vcd", fileWaves)
		note(r.waveView(first))
	}
	note(r.modelRecords())
	note(r.cutScenario(first.Cycle))
}

// modelRecords writes the model's records of the window: before it they are the device's.
func (r *runner) modelRecords() error {
	if r.window == nil {
		return nil
	}
	f, err := r.out.recordFile(fileModel, r.unit, r.run.Config.Name)
	if err == nil {
		err = f.take(r.window.model)
	}
	return errors.Join(err, r.out.close())
}

// waveView writes the save file of the wave viewer and names the signal and the time of the difference.
func (r *runner) waveView(first *verdict.Difference) error {
	dump := r.out.path(fileWaves)
	signals, err := dumpSignals(dump)
	if err != nil {
		return err
	}
	if err := writeGTKWave(r.out.path(fileGTKWave), dump, signals, r.unit, first.Cycle, clockPeriodPS); err != nil {
		return err
	}
	r.out.add("gtkw", fileGTKWave)
	port, ok := r.unit.PortByName(first.Port)
	if !ok { // a counter
		return nil
	}
	name := portSignals(port)[0]
	if _, isField := port.FieldByName(first.Field); isField {
		name = port.Name + "_" + first.Field
	}
	if s, ok := signals[name]; ok {
		first.Signal, first.Time = s.name, fmt.Sprint(cycleTime(first.Cycle, clockPeriodPS))
	}
	return nil
}

// maxCut bounds the beats of a written-out scenario.
const maxCut = 20_000

// cutScenario writes the stimulus up to the difference beat by beat: a run that can be edited.
func (r *runner) cutScenario(cycle uint64) error {
	cut := scenario.Scenario{Name: fmt.Sprintf("up to the difference in cycle %d", cycle), Level: string(r.Level), Run: *r.run}
	cut.Run.Stimulus = nil
	for i := range r.run.Stimulus {
		if r.run.Stimulus[i].Cycle <= cycle {
			cut.Run.Stimulus = append(cut.Run.Stimulus, r.run.Stimulus[i])
		}
	}
	if len(cut.Run.Stimulus) == 0 || len(cut.Run.Stimulus) > maxCut {
		return nil
	}
	return r.out.write("scenario", fileCut, cut.Write)
}

// writeReports writes the verdict as JSON and the report as HTML.
func (r *runner) writeReports() error {
	if r.Waves && r.window == nil && exists(r.out.path(fileWaves)) {
		r.out.add("vcd", fileWaves)
	}
	r.out.add("verdict", fileVerdict)
	r.out.add("report", fileReport)
	r.report.Files = r.out.files
	page := &report.Input{Report: r.report, Unit: r.unit, Series: r.session.series}
	r.show(page)
	err := r.out.write("", fileReport, func(w io.Writer) error { return report.WriteHTML(w, page) })
	return errors.Join(err, r.out.write("", fileVerdict, r.report.WriteJSON))
}

// show chooses the cycles of the timing diagram: around the difference, or where the traffic begins.
func (r *runner) show(page *report.Input) {
	if r.window != nil {
		at := r.report.First.Cycle
		page.Model, page.Device, page.Marked, page.Mark = r.window.model, r.window.device, true, at
		page.From, page.To = at-min(at, shownBefore), at+shownAfter
		return
	}
	s := &r.session.start
	page.Model, page.Device = s.sides[sideModel].records, s.sides[sideDevice].records
	if at, ok := firstAnswer(r.unit, page.Device); ok {
		page.From, page.To = at-min(at, shownBefore), at+shownAfter
	}
}

// firstAnswer is the cycle of the first beat of an output with back-pressure, else of the first event.
func firstAnswer(unit *event.Unit, records []engine.Record) (cycle uint64, ok bool) {
	for i := range records {
		port := &unit.Ports[records[i].Port]
		if port.Direction == event.In {
			continue
		}
		if port.Style != event.Event {
			return records[i].Cycle, true
		}
		if !ok {
			cycle, ok = records[i].Cycle, true
		}
	}
	return cycle, ok
}

func absolute(path string) string {
	if full, err := filepath.Abs(path); err == nil {
		return full
	}
	return path
}
