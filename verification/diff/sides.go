package diff

import (
	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/compare"
)

// cycleSide drives the model with what the dump shows, cycle by cycle: the valid, beats and ready that the device saw.
type cycleSide struct {
	unit     engine.Unit
	comparer *compare.Comparer
	inputs   engine.Inputs
	count    []uint32 // counters before the last cycle
	beat     []byte
}

func (s *cycleSide) model() engine.Unit { return s.unit }
func (s *cycleSide) counters() []uint32 { return s.count }
func (s *cycleSide) end()               {}

func (s *cycleSide) ports(cycle uint64, seen []observed) {
	ports := s.unit.Info().Ports
	s.inputs.Valid, s.inputs.Ready = 0, 0
	for i, o := range seen {
		switch {
		case ports[i].Direction == event.In:
			s.in(i, cycle, o)
		case ports[i].Style == event.Event:
			s.out(i, cycle, o.valid, s.unit.Valid(i), o.beat)
		default:
			if o.ready {
				s.inputs.Ready |= 1 << i
			}
			s.out(i, cycle, o.valid && o.ready, s.unit.Valid(i) && o.ready, o.beat)
		}
	}
	s.count = s.unit.AppendCounters(s.count[:0])
	s.unit.Step(&s.inputs)
}

func (s *cycleSide) in(i int, cycle uint64, o observed) {
	if !o.valid {
		return
	}
	s.inputs.Valid |= 1 << i
	s.inputs.Beat[i] = o.beat
	if s.unit.Ready(i) {
		s.comparer.Model(engine.Record{Cycle: cycle, Port: uint8(i)})
	}
	if o.ready {
		s.comparer.Device(engine.Record{Cycle: cycle, Port: uint8(i)})
	}
}

func (s *cycleSide) out(i int, cycle uint64, device, model bool, beat []byte) {
	if model {
		s.beat = s.unit.AppendBeat(i, s.beat[:0])
		s.comparer.Model(engine.Record{Cycle: cycle, Port: uint8(i), Beat: s.beat})
	}
	if device {
		s.comparer.Device(engine.Record{Cycle: cycle, Port: uint8(i), Beat: beat})
	}
}

// orderSide follows the device with its own times.
type orderSide struct {
	*follower
	comparer *compare.Comparer
	count    []uint32
}

func newOrderSide(unit engine.Unit, c *compare.Comparer) *orderSide {
	s := &orderSide{comparer: c, follower: newFollower(unit, c.Model)}
	for i := range s.watched {
		s.watched[i] = true
	}
	return s
}

func (s *orderSide) model() engine.Unit { return s.unit }
func (s *orderSide) counters() []uint32 { return s.count }

func (s *orderSide) ports(cycle uint64, seen []observed) {
	for i, o := range seen {
		switch {
		case !o.valid:
		case s.follower.ports[i].Direction == event.In:
			if o.ready {
				s.offer(uint8(i), cycle, o.beat)
			}
		case s.follower.ports[i].Style == event.Event || o.ready:
			s.device(i, cycle, o.beat)
		}
	}
	s.follower.step()
}

func (s *orderSide) device(i int, cycle uint64, beat []byte) {
	if s.follower.ports[i].Style != event.Event {
		s.expect(uint8(i), cycle)
	}
	s.comparer.Device(engine.Record{Cycle: cycle, Port: uint8(i), Beat: beat})
}

// end lets the model finish.
func (s *orderSide) end() {
	s.drain()
	s.count = s.unit.AppendCounters(nil)
}
