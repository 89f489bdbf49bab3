package vectors

import (
	"math/rand/v2"

	"metaroce/golden/engine"
)

// stimuli makes each unit's stimulus. Everything random comes from a seed of its own, so that the vectors of one unit do
// not change with those of another.
var stimuli = map[string]func() []engine.Stimulus{
	"sack": sackStimulus,
	"rob":  robStimulus,
	"rate": rateStimulus,
	"rx":   rxStimulus,
}

// list is a stimulus under construction.
type list struct {
	*rand.Rand
	beats []engine.Stimulus
	cycle [engine.MaxPorts]uint64 // earliest cycle of the next beat of a port
}

func newList(seed uint64) *list { return &list{Rand: rand.New(rand.NewPCG(seed, 0))} }

// appender is a beat of the event package.
type appender interface{ Append([]byte) []byte }

// add offers a beat as soon as the ones before it on the port are through.
func (l *list) add(port uint8, beat appender) {
	l.beats = append(l.beats, engine.Stimulus{Port: port, Cycle: l.cycle[port], Beat: beat.Append(nil)})
}

// pause lets a port be idle for some cycles.
func (l *list) pause(port uint8, cycles int) { l.cycle[port] += uint64(cycles) }

// chance is true in so many of 256 cases.
func (l *list) chance(of256 int) bool { return l.IntN(256) < of256 }

// mostly is one of the first n numbers, and at times n itself: an index that is out of range.
func (l *list) mostly(n int) int {
	if l.chance(8) {
		return n
	}
	return l.IntN(n)
}
