package stimulus

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
)

// chooseSinks gives each output port a ready pattern out of the matrix: always, never for a while, stalling before the
// last beat, random, and duty cycles (spec: bench.sink). One run in three has no back-pressure at all.
func chooseSinks(b *builder, run *engine.Run) {
	open := b.random.chance(1, 3)
	for i := range b.unit.Ports {
		port := &b.unit.Ports[i]
		if port.Direction != event.Out || port.Style == event.Event {
			continue
		}
		if open {
			run.Sinks[port.ID] = engine.Pattern{Kind: engine.PatternAlways}
			continue
		}
		run.Sinks[port.ID] = b.sink()
	}
}

func (b *builder) sink() engine.Pattern {
	r := b.random
	switch r.IntN(6) {
	case 0:
		return engine.Pattern{Kind: engine.PatternAlways}
	case 1:
		hold := FirstReady(b.unit, b.config) + uint64(pick(r, []int{0, 33, 500, 1500}))
		return engine.Pattern{Kind: engine.PatternAfter, A: hold}
	case 2:
		return engine.Pattern{Kind: engine.PatternStallLast, A: uint64(pick(r, []int{1, 2, 7, 19}))}
	case 3:
		duty := pick(r, [][2]uint64{{1, 1}, {1, 3}, {3, 1}, {31, 33}, {200, 100}, {1, 7}})
		return engine.Pattern{Kind: engine.PatternDuty, A: duty[0], B: duty[1]}
	default:
		return engine.Pattern{Kind: engine.PatternRandom, Seed: r.Uint64(), A: uint64(pick(r, []int{40, 100, 128, 200, 250}))}
	}
}
