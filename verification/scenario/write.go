package scenario

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// Save writes a scenario to a file that Load reads back as the same run.
func (s *Scenario) Save(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	err = s.Write(w)
	for _, closing := range []func() error{w.Flush, f.Close} {
		if e := closing(); err == nil {
			err = e
		}
	}
	return err
}

// Write writes a scenario as YAML: with its seed where it is random, else with every beat.
func (s *Scenario) Write(w io.Writer) error {
	unit, ok := event.UnitByName(s.Run.Unit)
	if !ok {
		return fmt.Errorf("scenario: unit %q is not in the spec", s.Run.Unit)
	}
	e := &writer{Writer: w}
	e.line("version: %d", Version)
	if s.Name != "" {
		e.line("name: %q", s.Name)
	}
	e.line("unit: %s\nconfig: %s", s.Run.Unit, s.Run.Config.Name)
	if s.Level != "" {
		e.line("level: %s", s.Level)
	}
	e.line("quiet_cycles: %d\nmax_cycles: %d", s.Run.QuietCycles, s.Run.MaxCycles)
	e.sinks(unit, &s.Run)
	if s.Random != nil {
		e.line("random: {seed: %d, count: %d, digest: %q}", s.Random.Seed, s.Random.Count, s.Random.Digest)
		return e.err
	}
	e.line("beats:")
	for i := range s.Run.Stimulus {
		e.beat(unit, &s.Run.Stimulus[i])
	}
	return e.err
}

// writer keeps the first error.
type writer struct {
	io.Writer
	err error
}

func (e *writer) line(format string, args ...any) {
	if e.err == nil {
		_, e.err = fmt.Fprintf(e.Writer, format+"\n", args...)
	}
}

func (e *writer) sinks(unit *event.Unit, run *engine.Run) {
	e.line("sinks:")
	for i := range unit.Ports {
		port := &unit.Ports[i]
		if port.Direction != event.Out || port.Style == event.Event {
			continue
		}
		e.line("  %s: %s", port.Name, FormatPattern(run.Sinks[port.ID]))
	}
}

// FormatPattern is a sink's pattern as the file has it.
func FormatPattern(p engine.Pattern) string {
	switch p.Kind {
	case engine.PatternAfter, engine.PatternStallLast:
		return fmt.Sprintf("{pattern: %s, cycles: %d}", patternNames[p.Kind], p.A)
	case engine.PatternDuty:
		return fmt.Sprintf("{pattern: duty, on: %d, off: %d}", p.A, p.B)
	case engine.PatternRandom:
		return fmt.Sprintf("{pattern: random, of_256: %d, seed: %d}", p.A, p.Seed)
	}
	return "{pattern: always}"
}

// beat writes a beat with its fields that are not 0.
func (e *writer) beat(unit *event.Unit, s *engine.Stimulus) {
	port := &unit.Ports[s.Port]
	var fields []string
	for i := range port.Fields {
		f := &port.Fields[i]
		if text := formatValue(f, s.Beat[f.Offset:f.Offset+f.Bytes]); text != "" {
			fields = append(fields, f.Name+": "+text)
		}
	}
	e.line("  - {at: %d, port: %s, fields: {%s}}", s.Cycle, port.Name, strings.Join(fields, ", "))
}

// formatValue is a field's value as the file has it: an enum's name, or hexadecimal; empty where it is 0.
func formatValue(f *event.Field, raw []byte) string {
	var v uint64
	digits := ""
	for i := len(raw) - 1; i >= 0; i-- {
		digits += fmt.Sprintf("%02x", raw[i])
		v = v<<8 | uint64(raw[i])
	}
	if f.Enum != "" && isName(event.EnumName(f.Enum, v)) {
		return event.EnumName(f.Enum, v)
	}
	if digits = strings.TrimLeft(digits, "0"); digits == "" {
		return ""
	}
	return "0x" + digits
}

// isName tells an enum value's name from the stand-in for a number that has none.
func isName(text string) bool {
	for _, c := range text {
		if c != '_' && (c < 'A' || c > 'Z') && (c < '0' || c > '9') {
			return false
		}
	}
	return text != ""
}
