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
func (s *cycleSide) end(bool)           {}

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

// orderSide follows the device with its own times. Records of the model that the device has not yet given are kept
// back: at the end of a dump they may be on their way.
type orderSide struct {
	*follower
	comparer *compare.Comparer
	held     []lane
	owed     []uint64 // device's records that have no record of the model yet
	count    []uint32
}

func newOrderSide(unit engine.Unit, c *compare.Comparer) *orderSide {
	n := len(unit.Info().Ports)
	s := &orderSide{comparer: c, held: make([]lane, n), owed: make([]uint64, n)}
	s.follower = newFollower(unit, s.record)
	for i := range s.watched {
		s.watched[i] = true
	}
	return s
}

func (s *orderSide) model() engine.Unit { return s.unit }
func (s *orderSide) counters() []uint32 { return s.count }

// record takes the model's next record.
func (s *orderSide) record(r engine.Record) {
	if s.owed[r.Port] > 0 {
		s.owed[r.Port]--
		s.comparer.Model(r)
		return
	}
	s.held[r.Port].push(r.Cycle, r.Beat)
}

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
	if s.held[i].empty() {
		s.owed[i]++
		return
	}
	s.release(i)
}

func (s *orderSide) release(i int) {
	r := s.held[i].front()
	s.comparer.Model(engine.Record{Cycle: r.cycle, Port: uint8(i), Beat: r.beat})
	s.held[i].pop()
}

// end lets the model finish. Where the device has had its time, what it did not give is given to the comparison as
// missing.
func (s *orderSide) end(idle bool) {
	s.drain()
	s.count = s.unit.AppendCounters(nil)
	for i := range s.held {
		for idle && !s.held[i].empty() {
			s.release(i)
		}
	}
}

// waiting is how many records of the model were kept back.
func (s *orderSide) waiting() int {
	n := 0
	for i := range s.held {
		n += len(s.held[i].queue) - s.held[i].head
	}
	return n
}
