package scenario

import (
	"encoding/hex"
	"os"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/stimulus"
)

// Load reads a scenario file. Faults of its text are *Error with line and column.
func Load(path string) (*Scenario, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, text)
}

// Parse reads a scenario's text; file names it in errors.
func Parse(file string, text []byte) (*Scenario, error) {
	d := &document{file: file}
	root, err := d.parse(text)
	if err != nil {
		return nil, err
	}
	entries, err := d.mapping(root, "scenario")
	if err != nil {
		return nil, err
	}
	r := &reader{document: d, scenario: &Scenario{}}
	for _, step := range []func([]entry) error{r.head, r.body} {
		if err := step(entries); err != nil {
			return nil, err
		}
	}
	return r.scenario, r.finish(root)
}

// reader fills a scenario in two passes: the unit and configuration first, since everything else is read by them.
type reader struct {
	*document
	scenario *Scenario
	unit     *event.Unit
	sinks    map[uint8]engine.Pattern
	beats    bool
}

func (r *reader) head(entries []entry) error {
	var version, config bool
	for _, e := range entries {
		var err error
		switch e.key {
		case "version":
			version = true
			err = r.version(e.value)
		case "name":
			r.scenario.Name, err = r.text(e.value, "name")
		case "unit":
			err = r.unitName(e.value)
		case "config":
			config = true
			err = r.config(e.value)
		case "level":
			err = r.level(e.value)
		case "random", "beats", "sinks", "quiet_cycles", "max_cycles":
		default:
			err = r.fault(e.name, "unknown key %q", e.key)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case !version:
		return r.fault(nil, "key version is missing")
	case r.unit == nil:
		return r.fault(nil, "key unit is missing")
	case !config:
		return r.fault(nil, "key config is missing")
	}
	return nil
}

func (r *reader) version(n ast.Node) error {
	v, err := r.uint64(n, "version")
	if err == nil && v != Version {
		err = r.fault(n, "version %d: this program reads version %d", v, Version)
	}
	return err
}

func (r *reader) unitName(n ast.Node) error {
	name, err := r.text(n, "unit")
	if err != nil {
		return err
	}
	unit, ok := event.UnitByName(name)
	if !ok {
		return r.fault(n, "unit %q is not in the spec", name)
	}
	r.unit, r.scenario.Run.Unit = unit, name
	return nil
}

func (r *reader) config(n ast.Node) error {
	name, err := r.text(n, "config")
	if err != nil {
		return err
	}
	config, ok := profile.ConfigByName(name)
	if !ok {
		return r.fault(n, "config %q is not in the spec", name)
	}
	r.scenario.Run.Config = config
	return nil
}

func (r *reader) level(n ast.Node) error {
	level, err := r.text(n, "level")
	if err == nil && level != "cycle" && level != "order" {
		err = r.fault(n, "level %q: must be cycle or order", level)
	}
	r.scenario.Level = level
	return err
}

func (r *reader) body(entries []entry) error {
	run := &r.scenario.Run
	for _, e := range entries {
		var err error
		switch e.key {
		case "random":
			err = r.random(e.value)
		case "beats":
			r.beats = true
			err = r.readBeats(e.value)
		case "sinks":
			err = r.readSinks(e.value)
		case "quiet_cycles":
			run.QuietCycles, err = r.positive(e.value, e.key)
		case "max_cycles":
			run.MaxCycles, err = r.positive(e.value, e.key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) positive(n ast.Node, what string) (uint64, error) {
	v, err := r.uint64(n, what)
	if err == nil && v == 0 {
		err = r.fault(n, "%s: must be at least 1", what)
	}
	return v, err
}

func (r *reader) random(n ast.Node) error {
	entries, err := r.mapping(n, "random")
	if err != nil {
		return err
	}
	random := &Random{}
	for _, e := range entries {
		switch e.key {
		case "seed":
			random.Seed, err = r.uint64(e.value, "seed")
		case "count":
			var count uint64
			if count, err = r.uint64(e.value, "count"); err == nil && (count == 0 || count > stimulus.MaxCount) {
				err = r.fault(e.value, "count: must be 1..%d", stimulus.MaxCount)
			}
			random.Count = int(count)
		case "digest":
			random.Digest, err = r.text(e.value, "digest")
		default:
			err = r.fault(e.name, "unknown key %q", e.key)
		}
		if err != nil {
			return err
		}
	}
	if random.Count == 0 {
		return r.fault(n, "random: key count is missing")
	}
	r.scenario.Random = random
	return nil
}

// finish makes the beats of a random scenario and fills in what was left out.
func (r *reader) finish(root ast.Node) error {
	s := r.scenario
	switch {
	case s.Random != nil && r.beats:
		return r.fault(root, "random and beats exclude each other")
	case s.Random == nil && len(s.Run.Stimulus) == 0:
		return r.fault(root, "neither random nor beats: nothing would be compared")
	case s.Random != nil:
		made, err := FromSeed(s.Run.Unit, s.Run.Config, s.Random.Seed, s.Random.Count)
		if err != nil {
			return r.fault(root, "%v", err)
		}
		if s.Random.Digest != "" && s.Random.Digest != made.Random.Digest {
			return r.fault(root, "digest %s: this program makes a run with digest %s from that seed; it is another version", s.Random.Digest, made.Random.Digest)
		}
		s.Run.Stimulus, s.Run.Sinks = made.Run.Stimulus, made.Run.Sinks
		s.Random.Digest = made.Random.Digest
	}
	for port, pattern := range r.sinks {
		s.Run.Sinks[port] = pattern
	}
	stimulus.Normalize(&s.Run, r.unit)
	return nil
}

// unhex reads bytes written as hexadecimal digits; blanks are allowed between them.
func (r *reader) unhex(n ast.Node, what string) ([]byte, error) {
	text, err := r.text(n, what)
	if err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, r.fault(n, "%s: not hexadecimal bytes: %v", what, err)
	}
	return b, nil
}
