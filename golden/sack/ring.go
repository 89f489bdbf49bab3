package sack

import "math/bits"

// ring is the set of received PSNs in [base, base + 256): PSN p is bit p mod 256, so nothing moves when base does. 256
// divides 2^32, so the ring goes on across the wrap of the PSN.
//
//	bit      0        64       128      192     255
//	word     |   0    |   1    |   2    |   3    |
//	                ^ base mod 256: the window starts here and comes round to the bit before it
type ring [ringWords]uint64

const (
	ringWords = 4
	wordBits  = 64
	wordMask  = ringWords - 1
)

// word is the index of the word that holds a PSN; the bit within it is the PSN's low six bits.
func word(psn uint32) uint32 { return psn / wordBits & wordMask }

func (r *ring) has(psn uint32) bool { return r[word(psn)]>>(psn%wordBits)&1 != 0 }

func (r *ring) set(psn uint32) { r[word(psn)] |= 1 << (psn % wordBits) }

// takeRun takes the PSNs from base upwards out of the set until one is missing, and returns how many, 0 .. 256. It goes
// word by word; a full ring ends it at the word where it began, which is then empty.
func (r *ring) takeRun(base uint32) uint32 {
	taken := uint32(0)
	for {
		at := base + taken
		shift := at % wordBits
		// Counting ends at the word's end: the shift brings in zeros there.
		ones := uint32(bits.TrailingZeros64(^(r[word(at)] >> shift)))
		r[word(at)] &^= (1<<ones - 1) << shift
		taken += ones
		if shift+ones < wordBits {
			return taken
		}
	}
}

// from is the set as a vector whose bit 0 is base (spec: sack.packet): a rotation by whole words, then by bits.
func (r *ring) from(base uint32) [ringWords]uint64 {
	first, shift := word(base), base%wordBits
	w0, w1 := r[first], r[(first+1)&wordMask]
	w2, w3 := r[(first+2)&wordMask], r[(first+3)&wordMask]
	// A shift by 64 gives 0, which is right for shift 0.
	up := wordBits - shift
	return [ringWords]uint64{w0>>shift | w1<<up, w1>>shift | w2<<up, w2>>shift | w3<<up, w3>>shift | w0<<up}
}
