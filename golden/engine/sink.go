package engine

import (
	"fmt"
	"math"

	"metaroce/golden/event"
)

// sink drives ready of one out port (spec: bench.sink). The zero sink is always ready.
type sink struct {
	pattern Pattern
	last    int    // offset of tlast in a beat; -1 if the port has none, so that every beat is a last one
	met     bool   // stall_last: the beat that is valid has been seen
	until   uint64 // stall_last: cycle from which that beat is met with ready
}

func (s *sink) set(p Pattern, port *event.Port) error {
	s.pattern, s.last = p, -1
	if f, ok := port.FieldByName("tlast"); ok {
		s.last = f.Offset
	}
	switch {
	case p.Kind > PatternStallLast:
		return fmt.Errorf("pattern kind %d does not exist", p.Kind)
	case p.Kind == PatternDuty && (p.A > math.MaxUint32 || p.B > math.MaxUint32 || p.A+p.B == 0):
		return fmt.Errorf("duty %d, %d: the sum is at least 1 and each fits 32 bits", p.A, p.B)
	case p.Kind == PatternRandom && p.A > 256:
		return fmt.Errorf("random %d of 256: at most 256", p.A)
	}
	return nil
}

// ready tells whether the sink takes the beat that is valid on its port in this cycle.
func (s *sink) ready(b *Bench, port int) bool {
	p := &s.pattern
	switch p.Kind {
	case PatternAfter:
		return b.now >= p.A
	case PatternDuty:
		return b.now%(p.A+p.B) < p.A
	case PatternRandom:
		return mix(p.Seed+b.now*0x9E3779B97F4A7C15)>>56 < p.A
	case PatternStallLast:
		return s.stalled(b, port)
	}
	return true
}

// stalled is pattern stall_last: it returns true in the cycle in which the beat is taken.
func (s *sink) stalled(b *Bench, port int) bool {
	if !s.met {
		s.met, s.until = true, b.now
		b.beat = b.unit.AppendBeat(port, b.beat[:0])
		if s.last < 0 || b.beat[s.last] != 0 {
			s.until += s.pattern.A
		}
	}
	if b.now < s.until {
		return false
	}
	s.met = false
	return true
}

// mix spreads the bits of a counter (spec: bench.sink).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}
