package scenario

import (
	"github.com/goccy/go-yaml/ast"

	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// patternKeys are the numbers of each pattern and where they go (spec: bench.sink).
var patternKeys = map[string]struct {
	kind engine.PatternKind
	keys []string
}{
	"always":     {engine.PatternAlways, nil},
	"after":      {engine.PatternAfter, []string{"cycles"}},
	"duty":       {engine.PatternDuty, []string{"on", "off"}},
	"random":     {engine.PatternRandom, []string{"of_256", "seed"}},
	"stall_last": {engine.PatternStallLast, []string{"cycles"}},
}

// patternNames are the patterns in the order of their kinds.
var patternNames = []string{"always", "after", "duty", "random", "stall_last"}

func (r *reader) readSinks(n ast.Node) error {
	entries, err := r.mapping(n, "sinks")
	if err != nil {
		return err
	}
	r.sinks = map[uint8]engine.Pattern{}
	for _, e := range entries {
		port, ok := r.unit.PortByName(e.key)
		if !ok || port.Direction != event.Out || port.Style == event.Event {
			return r.fault(e.name, "unit %s has no output port %q with ready", r.unit.Name, e.key)
		}
		if r.sinks[port.ID], err = r.pattern(e.value); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) pattern(n ast.Node) (engine.Pattern, error) {
	entries, err := r.mapping(n, "sink")
	if err != nil {
		return engine.Pattern{}, err
	}
	name, numbers := "", map[string]uint64{}
	for _, e := range entries {
		if e.key == "pattern" {
			name, err = r.text(e.value, "pattern")
		} else {
			numbers[e.key], err = r.uint64(e.value, e.key)
		}
		if err != nil {
			return engine.Pattern{}, err
		}
	}
	known, ok := patternKeys[name]
	if !ok {
		return engine.Pattern{}, r.fault(n, "pattern %q: must be one of %v", name, patternNames)
	}
	if len(numbers) != len(known.keys) {
		return engine.Pattern{}, r.fault(n, "pattern %s: want the keys %v", name, known.keys)
	}
	for _, key := range known.keys {
		if _, ok := numbers[key]; !ok {
			return engine.Pattern{}, r.fault(n, "pattern %s: key %s is missing", name, key)
		}
	}
	return r.checked(n, known.kind, numbers)
}

// checked builds a pattern and refuses those that are never ready or not defined.
func (r *reader) checked(n ast.Node, kind engine.PatternKind, v map[string]uint64) (engine.Pattern, error) {
	p := engine.Pattern{Kind: kind}
	switch kind {
	case engine.PatternAfter, engine.PatternStallLast:
		p.A = v["cycles"]
	case engine.PatternDuty:
		p.A, p.B = v["on"], v["off"]
		if p.A+p.B == 0 || p.A > 1<<32 || p.B > 1<<32 {
			return p, r.fault(n, "duty: on + off must be at least 1, each at most 2^32")
		}
	case engine.PatternRandom:
		p.A, p.Seed = v["of_256"], v["seed"]
		if p.A > 256 {
			return p, r.fault(n, "random: of_256 is %d, must be 0..256", p.A)
		}
	}
	return p, nil
}
