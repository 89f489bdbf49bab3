package engine

// source drives one in port from a list of beats (spec: bench.source). The zero source offers nothing.
type source struct {
	beats []Stimulus
	next  int
}

// offer is the beat that is valid in this cycle, nil if there is none.
func (s *source) offer(now uint64) []byte {
	if s.next == len(s.beats) || s.beats[s.next].Cycle > now {
		return nil
	}
	return s.beats[s.next].Beat
}

// accepted goes on to the next beat.
func (s *source) accepted() { s.next++ }

// lastCycle is the earliest cycle of the last beat; false if all have been accepted.
func (s *source) lastCycle() (cycle uint64, any bool) {
	if s.next == len(s.beats) {
		return 0, false
	}
	return s.beats[len(s.beats)-1].Cycle, true
}
