package engine

import (
	"fmt"
	"math/bits"

	"metaroce/golden/event"
)

// Bench is one unit between the sources and sinks of the test-bench rules (spec: bench.*).
type Bench struct {
	unit    Unit
	masked  masked // the same unit, if it can tell all ports at once
	ports   []event.Port
	sources [MaxPorts]source
	sinks   [MaxPorts]sink
	in      uint32 // bit i: port i is an input
	willing uint32 // bit i: out port i is ready in every cycle, or has no back-pressure
	inputs  Inputs
	quiet   uint64
	most    uint64

	now    uint64
	active uint64 // cycle after the last one with a handshake or an event
	done   bool
	hang   bool
	beat   []byte // of the record that is being emitted
}

// NewBench makes the unit that a run names and its surroundings, at cycle 0. Errors say what in the run is not allowed.
func NewBench(run Run) (*Bench, error) {
	unit, err := New(run.Unit, run.Config)
	if err != nil {
		return nil, err
	}
	return NewBenchOf(unit, run)
}

// NewBenchOf is NewBench for a unit that the caller has made, at its cycle 0; the run's Unit and Config are not looked at.
func NewBenchOf(unit Unit, run Run) (*Bench, error) {
	b := &Bench{unit: unit, ports: unit.Info().Ports, quiet: run.QuietCycles, most: run.MaxCycles}
	b.masked, _ = unit.(masked)
	if b.quiet == 0 || b.most == 0 {
		return nil, fmt.Errorf("engine: bench of %s: quiet cycles %d, max cycles %d: both are at least 1",
			unit.Info().Name, b.quiet, b.most)
	}
	b.reserve(run.Stimulus)
	for i := range run.Stimulus {
		if err := b.load(&run.Stimulus[i]); err != nil {
			return nil, fmt.Errorf("engine: bench of %s: stimulus %d: %w", unit.Info().Name, i, err)
		}
	}
	for i := range b.ports {
		port := &b.ports[i]
		if err := b.sinks[i].set(run.Sinks[i], port); err != nil {
			return nil, fmt.Errorf("engine: bench of %s: sink of port %s: %w", unit.Info().Name, port.Name, err)
		}
		b.in |= mask(i, port.Direction == event.In)
		b.willing |= mask(i, port.Direction == event.Out && (port.Style == event.Event || run.Sinks[i].Kind == PatternAlways))
	}
	return b, nil
}

// reserve makes room for each port's beats.
func (b *Bench) reserve(stimulus []Stimulus) {
	var n [MaxPorts]int
	for i := range stimulus {
		if int(stimulus[i].Port) < len(n) {
			n[stimulus[i].Port]++
		}
	}
	for i := range b.ports {
		b.sources[i].set(&b.ports[i], n[i])
	}
}

// load appends one beat to its port's source.
func (b *Bench) load(s *Stimulus) error {
	if int(s.Port) >= len(b.ports) || b.ports[s.Port].Direction != event.In {
		return fmt.Errorf("port %d is not an input of the unit", s.Port)
	}
	if err := b.sources[s.Port].load(s.Cycle, s.Beat); err != nil {
		return fmt.Errorf("port %s: %w", b.ports[s.Port].Name, err)
	}
	return nil
}

// Advance runs the cycles before untilCycle and gives each record to emit, in the order of rule bench.record. A record's
// Beat is only good until emit returns. It returns true once the run has ended.
func (b *Bench) Advance(untilCycle uint64, emit func(Record)) (done bool) {
	for b.now < untilCycle && !b.ended() {
		b.cycle(emit)
	}
	return b.ended()
}

// ended applies rule bench.end to the start of this cycle.
func (b *Bench) ended() bool {
	if b.done || b.now-b.active < b.quiet && b.now < b.most { // the common case by itself: it is asked in every cycle
		return b.done
	}
	b.done = b.now >= b.most || b.isQuiet()
	if b.done {
		b.hang = b.isStuck()
	}
	return b.done
}

// isQuiet tells whether nothing happened for long enough and no stimulus is still to come.
func (b *Bench) isQuiet() bool {
	if since := max(b.active, b.unit.FirstReady()); b.now < since || b.now-since < b.quiet {
		return false
	}
	for i := range b.sources {
		if last, any := b.sources[i].lastCycle(); any && last > b.now-b.quiet {
			return false
		}
	}
	return true
}

// isStuck tells whether a beat was not accepted or not delivered.
func (b *Bench) isStuck() bool {
	for i := range b.ports {
		if _, any := b.sources[i].lastCycle(); any {
			return true
		}
		if b.ports[i].Direction == event.Out && b.unit.Valid(i) {
			return true
		}
	}
	return false
}

// cycle runs one cycle: what the ports show decides all handshakes, then the unit steps.
func (b *Bench) cycle(emit func(Record)) {
	ready, valid := b.masks()
	b.inputs.Valid, b.inputs.Ready = 0, 0
	for look := valid | b.in; look != 0; look &= look - 1 { // in the order of the ports
		port := bits.TrailingZeros32(look)
		if has(b.in, port) {
			b.drive(port, has(ready, port), emit)
		} else if has(b.willing, port) || b.sinks[port].ready(b, port) {
			b.take(port, emit)
		}
	}
	b.unit.Step(&b.inputs)
	b.now++
}

// drive offers the source's oldest beat to an in port.
func (b *Bench) drive(port int, ready bool, emit func(Record)) {
	beat := b.sources[port].offer(b.now)
	if beat == nil {
		return
	}
	b.inputs.Valid |= 1 << port
	b.inputs.Beat[port] = beat
	if ready {
		b.sources[port].accepted()
		b.active = b.now + 1
		emit(Record{Cycle: b.now, Port: uint8(port)})
	}
}

// take takes the beat of an out port, or an event. Ready means nothing to an event port.
func (b *Bench) take(port int, emit func(Record)) {
	b.inputs.Ready |= 1 << port
	b.active = b.now + 1
	b.beat = b.unit.AppendBeat(port, b.beat[:0])
	emit(Record{Cycle: b.now, Port: uint8(port), Beat: b.beat})
}

// masks is what the ports show in this cycle.
func (b *Bench) masks() (ready, valid uint32) {
	if b.masked != nil {
		return b.masked.masks()
	}
	for i := range b.ports {
		if b.ports[i].Direction == event.In {
			ready |= mask(i, b.unit.Ready(i))
		} else {
			valid |= mask(i, b.unit.Valid(i))
		}
	}
	return ready, valid
}

// End tells, once the run has ended, whether the unit hangs (a beat was not accepted or not delivered) and the cycle at
// whose start the run ended.
func (b *Bench) End() (hang bool, cycle uint64) { return b.hang, b.now }

// Counters returns the unit's counters as they are at this cycle, in the unit's order.
func (b *Bench) Counters() []uint32 { return b.unit.AppendCounters(nil) }

// Unit returns the unit, for reports.
func (b *Bench) Unit() Unit { return b.unit }
