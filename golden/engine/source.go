package engine

import (
	"fmt"

	"metaroce/golden/event"
)

// source drives one in port from a list of beats (spec: bench.source). The zero source offers nothing. The beats lie one
// after the other, so that a long stimulus is read straight through and holds no pointers.
type source struct {
	cycles []uint64 // earliest, of each beat
	beats  []byte
	size   int // bytes of a beat
	spares []spare
	next   int
}

// spare is the bits beyond a field's width.
type spare struct {
	field *event.Field
	at    int // byte of a beat
	mask  byte
}

// set makes room for n beats of a port.
func (s *source) set(port *event.Port, n int) {
	s.size, s.cycles, s.beats = port.Bytes, make([]uint64, 0, n), make([]byte, 0, n*port.Bytes)
	for i := range port.Fields {
		f := &port.Fields[i]
		if used := f.Bits % 8; used != 0 {
			s.spares = append(s.spares, spare{f, f.Offset + f.Bytes - 1, 0xFF << used})
		}
	}
}

// load appends a beat. Bits beyond a field's width are refused: the unit would not see them, so they are a mistake.
func (s *source) load(cycle uint64, beat []byte) error {
	if len(beat) != s.size {
		return fmt.Errorf("beat of %d bytes, want %d", len(beat), s.size)
	}
	for i := range s.spares {
		if p := &s.spares[i]; beat[p.at]&p.mask != 0 {
			return fmt.Errorf("field %s has bits beyond its %d", p.field.Name, p.field.Bits)
		}
	}
	if n := len(s.cycles); n > 0 && cycle < s.cycles[n-1] {
		return fmt.Errorf("cycle %d after cycle %d: earliest cycles must not decrease", cycle, s.cycles[n-1])
	}
	s.cycles = append(s.cycles, cycle)
	s.beats = append(s.beats, beat...)
	return nil
}

// offer is the beat that is valid in this cycle, nil if there is none.
func (s *source) offer(now uint64) []byte {
	if s.next == len(s.cycles) || s.cycles[s.next] > now {
		return nil
	}
	at := s.next * s.size
	return s.beats[at : at+s.size : at+s.size]
}

// accepted goes on to the next beat.
func (s *source) accepted() { s.next++ }

// lastCycle is the earliest cycle of the last beat; false if all have been accepted.
func (s *source) lastCycle() (cycle uint64, any bool) {
	if s.next == len(s.cycles) {
		return 0, false
	}
	return s.cycles[len(s.cycles)-1], true
}
