package engine_test

import (
	"math/rand/v2"

	"metaroce/golden/engine"
	"metaroce/golden/frame"
)

// pick is one of the values given.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// chance is true n times in 100.
func chance(r *rand.Rand, n int) bool { return r.IntN(100) < n }

// randomOffer offers beats back to back, with pauses, or in bursts.
func randomOffer[T appender](r *rand.Rand, port uint8, from uint64, beats []T) []engine.Stimulus {
	pause, gap := pick(r, 0, 0, 5, 40), pick(r, 2, 20, 100)
	var s []engine.Stimulus
	for _, b := range beats {
		if chance(r, pause) {
			from += uint64(r.IntN(gap))
		}
		s = append(s, engine.Stimulus{Port: port, Cycle: from, Beat: beat(b)})
	}
	return s
}

// randomSinks gives each port a way to be ready at least a quarter of the time, after a while.
func randomSinks(r *rand.Rand) (sinks [engine.MaxPorts]engine.Pattern) {
	for i := range sinks {
		sinks[i] = pick(r,
			engine.Pattern{},
			engine.Pattern{},
			engine.Pattern{Kind: engine.PatternAfter, A: uint64(r.IntN(900))},
			engine.Pattern{Kind: engine.PatternDuty, A: uint64(1 + r.IntN(3)), B: uint64(r.IntN(4))},
			engine.Pattern{Kind: engine.PatternRandom, A: uint64(64 + r.IntN(192)), Seed: r.Uint64()},
			engine.Pattern{Kind: engine.PatternStallLast, A: uint64(r.IntN(4))},
		)
	}
	return sinks
}

// axis offers the beats of DATA frames from one cycle on.
func axis(cycle uint64, frames ...*frame.Data) []engine.Stimulus {
	var s []engine.Stimulus
	for _, f := range frames {
		s = append(s, offer(rxAxisIn, cycle, frame.Beats(f.Encode())...)...)
	}
	return s
}
