package protocol

import (
	"encoding/binary"
	"slices"
)

// Stimulus is a beat for an input port, offered from its earliest cycle on (spec: bench.source).
type Stimulus struct {
	Port  uint8
	Cycle uint64 // earliest
	Beat  []byte // packed fields
}

// Record is a handshake or an event (spec: bench.record).
type Record struct {
	Cycle uint64
	Port  uint8
	Beat  []byte // packed fields; empty for an input port
}

// AppendStimulus appends one frame with all the beats: a count, then port, earliest cycle and beat of each. The caller
// keeps the frame below MaxPayload.
func AppendStimulus(dst []byte, beats []Stimulus) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint32(begin(dst, KindStimulus), uint32(len(beats)))
	for i := range beats {
		dst = append(dst, beats[i].Port)
		dst = binary.LittleEndian.AppendUint64(dst, beats[i].Cycle)
		dst = append(dst, beats[i].Beat...)
	}
	return end(dst, start)
}

// StimulusBytes is the room that a beat takes in a STIMULUS frame.
func StimulusBytes(s *Stimulus) int { return 9 + len(s.Beat) }

// ParseStimulus appends the frame's beats to dst; they point into the payload.
func ParseStimulus(dst []Stimulus, f *Frame, u *Unit) ([]Stimulus, error) {
	c := f.cursor()
	for n := c.uint32("number of beats"); n > 0 && c.err == nil; n-- {
		s := Stimulus{Port: c.uint8("port"), Cycle: c.uint64("earliest cycle")}
		if int(s.Port) >= len(u.Ports) || u.Ports[s.Port].Direction != In {
			c.fail("port %d is not an input of %s", s.Port, u.Name)
			break
		}
		s.Beat = c.take(u.Ports[s.Port].BeatBytes, "beat of port "+u.Ports[s.Port].Name)
		if c.err == nil {
			dst = append(dst, s)
		}
	}
	return dst, c.done()
}

// AppendRecords appends one frame: the first cycle, a count, then for each record the cycles since the one before, its
// port and, of an output, its beat.
func AppendRecords(dst []byte, records []Record) []byte {
	start := len(dst)
	dst = begin(dst, KindRecords)
	cycle := uint64(0)
	if len(records) > 0 {
		cycle = records[0].Cycle
	}
	dst = binary.LittleEndian.AppendUint64(dst, cycle)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(records)))
	for i := range records {
		dst = binary.AppendUvarint(dst, records[i].Cycle-cycle)
		dst = append(dst, records[i].Port)
		dst = append(dst, records[i].Beat...)
		cycle = records[i].Cycle
	}
	return end(dst, start)
}

// ParseRecords appends the frame's records to dst; they point into the payload. Records that do not come in the order
// of cycle and port are refused. It is the driver's hot loop: the cursor is used for the head and for errors only.
func ParseRecords(dst []Record, f *Frame, u *Unit) ([]Record, error) {
	c := f.cursor()
	cycle := c.uint64("first cycle")
	n := c.uint32("number of records")
	if c.err != nil {
		return dst, c.err
	}
	dst = slices.Grow(dst, min(int(n), len(c.b)/2)) // a record has at least 2 bytes
	last := -1                                      // port of the record before, if that is of the same cycle
	for ; n > 0; n-- {
		delta, size := uint64(0), 1
		if c.at < len(c.b) && c.b[c.at] < 0x80 {
			delta = uint64(c.b[c.at])
		} else if delta, size = binary.Uvarint(c.b[c.at:]); size <= 0 || cycle+delta < cycle {
			c.fail("cycle of a record: no number, or beyond 64 bits")
			return dst, c.err
		}
		c.at += size
		if c.at == len(c.b) {
			c.fail("port of a record: 0 bytes left, want 1")
			return dst, c.err
		}
		port := int(c.b[c.at])
		if cycle += delta; delta > 0 {
			last = -1
		}
		if port >= len(u.Ports) || port <= last {
			c.fail("cycle %d: port %d of %d, after port %d", cycle, port, len(u.Ports), last)
			return dst, c.err
		}
		c.at++
		r := Record{Cycle: cycle, Port: uint8(port)}
		if p := &u.Ports[port]; p.Direction == Out {
			if r.Beat = c.take(p.BeatBytes, "beat"); c.err != nil {
				return dst, c.err
			}
		}
		last, dst = port, append(dst, r)
	}
	return dst, c.done()
}
