package capture

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"metaroce/golden/event"
)

// BeatDataBytes is the width of an AXI-Stream port.
const BeatDataBytes = 64

// axis is where the fields of an AXI-Stream beat are; user is -1 where the port has no tuser.
type axis struct{ data, keep, last, user, bytes int }

func axisOf(p *event.Port) (axis, error) {
	a := axis{-1, -1, -1, -1, p.Bytes}
	for _, f := range p.Fields {
		switch f.Name {
		case "tdata":
			a.data = f.Offset
		case "tkeep":
			a.keep = f.Offset
		case "tlast":
			a.last = f.Offset
		case "tuser":
			a.user = f.Offset
		}
	}
	if a.data < 0 || a.keep < 0 || a.last < 0 {
		return a, fmt.Errorf("port %s has no tdata, tkeep and tlast", p.Name)
	}
	return a, nil
}

// Assembler joins the beats of one AXI-Stream port into frames. Data is valid until the next Add.
type Assembler struct {
	axis  axis
	Data  []byte
	Beats uint64
	First uint64 // cycle of the first beat
	Bad   bool   // tuser of the last beat
	done  bool
}

// NewAssembler returns an assembler for port p.
func NewAssembler(p *event.Port) (*Assembler, error) {
	a, err := axisOf(p)
	return &Assembler{axis: a}, err
}

// Add takes one beat and tells whether it was the last of its frame.
func (s *Assembler) Add(cycle uint64, beat []byte) (last bool, err error) {
	if len(beat) != s.axis.bytes {
		return false, fmt.Errorf("beat of %d bytes: %d are due", len(beat), s.axis.bytes)
	}
	if s.done {
		s.Data, s.Beats, s.done = s.Data[:0], 0, false
	}
	if s.Beats == 0 {
		s.First = cycle
	}
	s.Beats++
	kept := bits.OnesCount64(binary.LittleEndian.Uint64(beat[s.axis.keep:]))
	s.Data = append(s.Data, beat[s.axis.data:s.axis.data+kept]...)
	s.done = beat[s.axis.last]&1 == 1
	s.Bad = s.axis.user >= 0 && beat[s.axis.user]&1 == 1
	return s.done, nil
}

// Open is how many beats of an unfinished frame are held.
func (s *Assembler) Open() uint64 {
	if s.done {
		return 0
	}
	return s.Beats
}

// Beats cuts a frame into the beats of AXI-Stream port p and calls emit for each, in order; the slice is reused. beats
// is how many there are to be; 0 is as many as the length needs. Bytes beyond the end are 0.
func Beats(p *event.Port, data []byte, beats uint64, bad bool, emit func(beat []byte)) error {
	a, err := axisOf(p)
	if err != nil {
		return err
	}
	need := max(1, uint64(len(data)+BeatDataBytes-1)/BeatDataBytes)
	if beats == 0 {
		beats = need
	}
	if beats < need || beats > need+1 {
		return fmt.Errorf("frame of %d bytes in %d beats: %d are due", len(data), beats, need)
	}
	beat := make([]byte, a.bytes)
	for i := uint64(1); i <= beats; i++ {
		clear(beat)
		n := copy(beat[a.data:a.data+BeatDataBytes], data)
		data = data[n:]
		binary.LittleEndian.PutUint64(beat[a.keep:], keep(n))
		if i == beats {
			a.end(beat, bad)
		}
		emit(beat)
	}
	return nil
}

func (a axis) end(beat []byte, bad bool) {
	beat[a.last] = 1
	if bad && a.user >= 0 {
		beat[a.user] = 1
	}
}

// keep is the tkeep of n bytes, contiguous from bit 0.
func keep(n int) uint64 { return 1<<uint(n) - 1 } // a shift by 64 gives 0, and 0 - 1 is all ones
