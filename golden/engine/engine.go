// Package engine is the cycle-exact model of the units: the rule packages inside FIFOs and fixed-latency pipelines, as
// the spec's cycle rules say, with every input and output as packed beats.
//
// A unit advances one clock cycle a Step. Between two Steps it shows the state at the start of a cycle: which inputs
// are ready, which outputs are valid and what they carry. Nothing here reads a clock, starts a goroutine, logs, or
// allocates once the first few cycles have passed.
package engine

import (
	"fmt"
	"io"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

// MaxPorts is the largest number of ports of a unit.
const MaxPorts = 8

// Inputs is what the surroundings of a unit drive in one cycle. Bit i of Valid and Ready is of port i.
type Inputs struct {
	Valid uint32           // in ports: a beat is offered
	Ready uint32           // out ports: the beat is taken if it is valid
	Beat  [MaxPorts][]byte // packed fields of the valid in ports (spec: bench.record)
}

// Unit is one unit at the start of a cycle.
type Unit interface {
	// Info describes the unit's ports and counters.
	Info() *event.Unit
	// Ready tells whether in port i takes a beat in this cycle.
	Ready(port int) bool
	// Valid tells whether out or event port i carries a beat in this cycle.
	Valid(port int) bool
	// AppendBeat appends the packed fields of a valid out or event port.
	AppendBeat(port int, dst []byte) []byte
	// Step closes the cycle: handshakes happen where both sides agree. It panics if a beat that is taken has not its
	// port's length or a field beyond its width: who drives a unit has checked that.
	Step(in *Inputs)
	// AppendCounters appends the counters in the unit's order.
	AppendCounters(dst []uint32) []uint32
	// FirstReady is the cycle in which the in ports are ready first (spec: cycle.reset).
	FirstReady() uint64
	// Describe writes the state of the context that a beat of a port names, in a few lines for reports. A beat that is
	// empty or of a port without such fields gets the state of the FIFOs only.
	Describe(w io.Writer, port int, beat []byte)
}

// masked is a unit that tells all its ports at once, for speed: bit i is of port i.
type masked interface {
	masks() (ready, valid uint32)
}

// New returns the named unit after reset, at cycle 0. Errors: no such unit; a configuration that is not allowed.
func New(unit string, c profile.Config) (Unit, error) {
	info, ok := event.UnitByName(unit)
	if !ok {
		return nil, fmt.Errorf("engine: no unit %q; there are sack, rob, rate and rx", unit)
	}
	if err := c.Check(); err != nil {
		return nil, fmt.Errorf("engine: unit %s: %w", unit, err)
	}
	switch unit {
	case "sack":
		return newSack(info, c), nil
	case "rob":
		return newRob(info, c), nil
	case "rate":
		return newRate(info, c), nil
	case "rx":
		return newRx(info, c), nil
	}
	return nil, fmt.Errorf("engine: unit %s is in the spec but has no model", unit)
}
