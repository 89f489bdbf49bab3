// Package oracle is a second, deliberately slow reading of the rules, for tests only: maps where the rules keep rings,
// unbounded integers where they keep fixed widths, no shared code with the packages it judges (not even golden/seq).
//
// Sequence numbers are unwrapped: a context keeps true positions, and a number off the wire is placed at the one position
// congruent to it that lies in [reference - 2^31, reference + 2^31) (spec: seq.compare).
package oracle

// position is a sequence number that never wraps. Contexts start one period above zero, so that what lies before them is
// positive too.
type position int64

const period = position(1) << 32

func start(number uint32) position { return period + position(number) }

// place unwraps a number next to a reference.
func place(number uint32, reference position) position {
	p := reference - reference%period + position(number)
	for p < reference-period/2 {
		p += period
	}
	for p >= reference+period/2 {
		p -= period
	}
	return p
}

// number is what the position is called on the wire.
func (p position) number() uint32 { return uint32(p % period) }

// key names a context: connection, then path or stream.
type key [2]uint32
