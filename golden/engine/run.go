package engine

import "metaroce/golden/profile"

// Stimulus is one beat for an in port.
type Stimulus struct {
	Port  uint8
	Cycle uint64 // earliest cycle in which it is offered
	Beat  []byte // packed fields
}

// PatternKind is a way to drive ready (spec: bench.sink).
type PatternKind uint8

// The patterns of rule bench.sink.
const (
	PatternAlways    PatternKind = iota // ready in every cycle
	PatternAfter                        // ready from cycle A on
	PatternDuty                         // ready in A cycles, then not in B cycles, from cycle 0
	PatternRandom                       // ready in A of 256 cycles, at random from Seed
	PatternStallLast                    // each last beat is met with A cycles of not ready
)

// Pattern drives ready of one out port. The zero Pattern is always ready.
type Pattern struct {
	Kind PatternKind
	A, B uint64
	Seed uint64
}

// Record is one thing that is compared (spec: bench.record).
type Record struct {
	Cycle uint64
	Port  uint8
	Beat  []byte // packed fields; empty for an in port
}

// Run is everything that decides what a bench does.
type Run struct {
	Unit        string
	Config      profile.Config
	Stimulus    []Stimulus // in any order between ports, in order of cycles in each
	Sinks       [MaxPorts]Pattern
	QuietCycles uint64 // the run ends after so many cycles without a handshake or an event; at least 1
	MaxCycles   uint64 // the run ends here at the latest; at least 1
}
