package frame

import (
	"fmt"

	"metaroce/golden/event"
)

// BeatBytes is the bytes of one beat of an AXI-Stream port.
const BeatBytes = 64

// beats is the number of beats of some bytes.
func beats(bytes int) int { return (bytes + BeatBytes - 1) / BeatBytes }

// Keep is the tkeep of a beat of 1 to 64 bytes.
func Keep(bytes int) uint64 { return ^uint64(0) >> (BeatBytes - bytes) }

// Beats cuts a frame into beats of the receive engine's network port. A frame of no bytes has none.
func Beats(b []byte) []event.RxAxisIn {
	cut := make([]event.RxAxisIn, 0, beats(len(b)))
	for len(b) > 0 {
		n := min(len(b), BeatBytes)
		beat := event.RxAxisIn{Tkeep: Keep(n), Tlast: n == len(b)}
		copy(beat.Tdata[:], b[:n])
		cut = append(cut, beat)
		b = b[n:]
	}
	return cut
}

// Joiner puts the beats of the network output port together to frames. The zero Joiner is at the start of a frame.
type Joiner struct{ bytes []byte }

// Add takes the next beat. With the last beat of a frame it returns the frame, which is good until the next Add. Errors: a
// tkeep that is not contiguous from bit 0, or not all ones before the last beat.
func (j *Joiner) Add(beat *event.RxAxisOut) (frame []byte, err error) {
	n := 0
	for n < BeatBytes && beat.Tkeep>>n&1 != 0 {
		n++
	}
	if n == 0 || beat.Tkeep != Keep(n) || !beat.Tlast && n != BeatBytes {
		return nil, fmt.Errorf("beat with tkeep 0x%016x, tlast %v after %d bytes of a frame", beat.Tkeep, beat.Tlast, len(j.bytes))
	}
	j.bytes = append(j.bytes, beat.Tdata[:n]...)
	if !beat.Tlast {
		return nil, nil
	}
	frame, j.bytes = j.bytes, j.bytes[len(j.bytes):]
	return frame, nil
}
