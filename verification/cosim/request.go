package cosim

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/bugs"
	"metaroce/verification/compare"
	"metaroce/verification/scenario"
	"metaroce/verification/verdict"
)

// Request is a co-simulation as a command line asks for it. Empty values mean "not said".
type Request struct {
	Unit, Config, Level string
	ScenarioFile        string
	Seed                uint64
	Count               int
	Unsaid              bool   // seed and count are defaults: a seeded bug brings its own
	RTL                 string // folder of the RTL; empty: rtl in the project
	Bug                 string // name of a seeded bug
	Root                string // of the project
	Out                 string // empty: a folder below build/cosim named by the run
	Waves               bool
	NoWaves             bool // no dump of a difference either: one build less
	Terminal            io.Writer
}

// RunRequest runs what is asked for, as Run does.
func RunRequest(ctx context.Context, q Request) (*verdict.Report, error) {
	if err := q.adoptBug(); err != nil {
		return nil, err
	}
	o, harness, err := q.resolve(ctx)
	if err != nil {
		return nil, err
	}
	if q.Bug != "" {
		if err := q.seedBug(harness); err != nil {
			return nil, err
		}
		o.Source += ", seeded bug " + q.Bug
	}
	return Run(ctx, *o)
}

// resolve checks the request and makes the scenario and the harness.
func (q *Request) resolve(ctx context.Context) (*Options, *Harness, error) {
	s, err := q.interruptible(ctx)
	if err != nil {
		return nil, nil, err
	}
	level, err := q.level(s)
	if err != nil {
		return nil, nil, err
	}
	s.Level = string(level)
	unit, ok := event.UnitByName(s.Run.Unit)
	if !ok {
		return nil, nil, fmt.Errorf("unit %q is not in the spec", s.Run.Unit)
	}
	root, rtl := absolute(q.Root), q.RTL
	if rtl == "" {
		rtl = filepath.Join(root, "rtl")
	}
	if err := q.places(root, rtl, unit); err != nil {
		return nil, nil, err
	}
	// Absolute names: one cache for every working folder, and Verilator finds its own files under one name only.
	harness := &Harness{Root: root, RTL: absolute(rtl), Cache: filepath.Join(root, "build", "harness"), Unit: unit, Config: s.Run.Config}
	o := &Options{
		Scenario: s, Level: level, Open: harness.Open, Out: q.Out, Waves: q.Waves, NoWaves: q.NoWaves, Source: "Verilator, " + cmp.Or(q.RTL, "rtl"),
		Replay: q.replay(s, level), Terminal: q.Terminal,
	}
	if o.Out == "" {
		o.Out = filepath.Join(q.Root, "build", "cosim", q.folder(s, level))
	}
	return o, harness, nil
}

// interruptible is scenario, but it does not keep an interrupted caller waiting: a long run takes its time to make, and
// the process is about to end.
func (q *Request) interruptible(ctx context.Context) (*scenario.Scenario, error) {
	type result struct {
		s   *scenario.Scenario
		err error
	}
	made := make(chan result, 1)
	go func() {
		s, err := q.scenario()
		made <- result{s, err}
	}()
	select {
	case r := <-made:
		return r.s, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// places says of folders that are given what is not where it should be.
func (q *Request) places(root, rtl string, unit *event.Unit) error {
	if !exists(filepath.Join(root, "cocotb-bridge", "harness", "main.cpp")) {
		return fmt.Errorf("%s is not the project: it has no cocotb-bridge/harness; run in the project's root, or name it with --root", root)
	}
	if top := unit.Module + ".v"; !exists(filepath.Join(rtl, top)) {
		return fmt.Errorf("%s has no %s, the module of unit %s: docs/generated/units.md lists its ports", rtl, top, unit.Name)
	}
	return nil
}

// scenario loads the file or makes the random run.
func (q *Request) scenario() (*scenario.Scenario, error) {
	if q.ScenarioFile == "" {
		return q.random()
	}
	s, err := scenario.Load(q.ScenarioFile)
	if err != nil {
		return nil, err
	}
	if q.Unit != "" && q.Unit != s.Run.Unit {
		return nil, fmt.Errorf("%s is about unit %s, not %s", q.ScenarioFile, s.Run.Unit, q.Unit)
	}
	if q.Config != "" && q.Config != s.Run.Config.Name {
		return nil, fmt.Errorf("%s is about config %s, not %s", q.ScenarioFile, s.Run.Config.Name, q.Config)
	}
	return s, nil
}

func (q *Request) random() (*scenario.Scenario, error) {
	if q.Unit == "" {
		return nil, fmt.Errorf("no unit: name one of %s", strings.Join(unitNames(), ", "))
	}
	name := q.Config
	if name == "" {
		name = profile.Small.Name
	}
	config, ok := profile.ConfigByName(name)
	if !ok {
		return nil, fmt.Errorf("config %q: there are %s", name, strings.Join(configNames(), ", "))
	}
	if _, ok := event.UnitByName(q.Unit); !ok {
		return nil, fmt.Errorf("unit %q: there are %s", q.Unit, strings.Join(unitNames(), ", "))
	}
	return scenario.FromSeed(q.Unit, config, q.Seed, q.Count)
}

// level is what the request says, else what the scenario says, else cycle.
func (q *Request) level(s *scenario.Scenario) (compare.Level, error) {
	name := q.Level
	if name == "" {
		name = s.Level
	}
	if name == "" {
		name = string(compare.Cycle)
	}
	return compare.ParseLevel(name)
}

// adoptBug takes what the request does not say from the seeded bug: its unit and configuration, and the run that is
// known to show it.
func (q *Request) adoptBug() error {
	if q.Bug == "" || q.ScenarioFile != "" {
		return nil
	}
	bug, err := bugs.ByName(q.Bug)
	if err != nil {
		return err
	}
	q.Unit = cmp.Or(q.Unit, bug.Unit)
	q.Config = cmp.Or(q.Config, bug.Config)
	if q.Unsaid {
		q.Seed, q.Count = bug.Seed, bug.Count
	}
	return nil
}

// seedBug puts the bug into a copy of the RTL and lets the harness build that.
func (q *Request) seedBug(h *Harness) error {
	bug, err := bugs.ByName(q.Bug)
	if err != nil {
		return err
	}
	if bug.Unit != h.Unit.Name {
		return fmt.Errorf("seeded bug %s is in unit %s, not %s", bug.Name, bug.Unit, h.Unit.Name)
	}
	copied, err := bug.Apply(h.RTL, filepath.Join(h.Root, "build", "bugs"))
	if err != nil {
		return fmt.Errorf("seeded bug %s: %w", bug.Name, err)
	}
	h.RTL, h.Traced, h.Quick = copied, !q.NoWaves, true
	return nil
}

// folder names a run's own folder.
func (q *Request) folder(s *scenario.Scenario, level compare.Level) string {
	name := fmt.Sprintf("%s-%s-%s", s.Run.Unit, s.Run.Config.Name, level)
	if s.Random != nil {
		name += fmt.Sprintf("-seed%d-count%d", s.Random.Seed, s.Random.Count)
	} else {
		name += "-" + strings.TrimSuffix(filepath.Base(q.ScenarioFile), filepath.Ext(q.ScenarioFile))
	}
	if q.Bug != "" {
		name += "-" + q.Bug
	}
	return name
}

// replay is the command line that repeats the run.
func (q *Request) replay(s *scenario.Scenario, level compare.Level) string {
	command := fmt.Sprintf("metaroce cosim --unit %s --config %s --level %s", s.Run.Unit, s.Run.Config.Name, level)
	if q.ScenarioFile != "" {
		command += " --scenario " + q.ScenarioFile
	} else {
		command += fmt.Sprintf(" --seed %d --count %d", q.Seed, q.Count)
	}
	if q.RTL != "" {
		command += " --rtl " + q.RTL
	}
	if q.Bug != "" {
		command += " --bug " + q.Bug
	}
	return command
}

func unitNames() []string {
	var names []string
	for i := range event.Units {
		names = append(names, event.Units[i].Name)
	}
	return names
}

func configNames() []string {
	var names []string
	for _, c := range profile.Configurations {
		names = append(names, c.Name)
	}
	return names
}
