// Package seq is the only place where sequence numbers and modular times are compared.
//
// For n-bit numbers the distance from b to a is (a - b) mod 2^n read as a signed n-bit number; a is before b when that is
// negative, so at exactly half the range a is before b, and b is before a as well (spec: seq.compare). Before is therefore
// an order only among numbers that lie within less than half the range of each other; windows, rings and the pacing
// horizon are sized to keep them there.
package seq

// PSN is a packet sequence number of one path, modulo 2^32.
type PSN uint32

// Message is a message sequence number of one stream, modulo 2^32.
type Message uint32

// Time is a pacing time in units of 2^-10 ns, modulo 2^58.
type Time uint64

// Widths of the two numbers that no Go type is exactly as wide as.
const (
	timeBits = 58
	timeMask = 1<<timeBits - 1
	nowMask  = 1<<48 - 1
)

// Distance32 is the signed distance from b to a, -2^31 .. 2^31 - 1 (spec: seq.compare).
func Distance32[T ~uint32](a, b T) int32 { return int32(a - b) }

// Before32 tells whether a is before b (spec: seq.compare).
func Before32[T ~uint32](a, b T) bool { return Distance32(a, b) < 0 }

// Offset32 is how far a lies behind base going upwards, 0 .. 2^32 - 1. It is for numbers already known not to be before
// base, and for the rules that name the unsigned distance themselves (spec: sack.classify, rob.packet).
func Offset32[T ~uint32](a, base T) uint32 { return uint32(a - base) }

// Distance16 is the signed distance from b to a, -2^15 .. 2^15 - 1 (spec: seq.compare).
func Distance16[T ~uint16](a, b T) int16 { return int16(a - b) }

// Before16 tells whether a is before b (spec: seq.compare).
func Before16[T ~uint16](a, b T) bool { return Distance16(a, b) < 0 }

// Distance58 is the signed distance from b to a, -2^57 .. 2^57 - 1; bits 63..58 of both are ignored (spec: seq.compare).
func Distance58[T ~uint64](a, b T) int64 {
	// The number's sign bit is moved to the machine's, and the arithmetic shift brings it back as sign extension.
	const unused = 64 - timeBits
	return int64((a-b)<<unused) >> unused
}

// Before58 tells whether a is before b (spec: seq.compare).
func Before58[T ~uint64](a, b T) bool { return Distance58(a, b) < 0 }

// Add58 is t + d modulo 2^58.
func Add58[T ~uint64](t, d T) T { return (t + d) & timeMask }

// Since48 is the time from start to now in ns, modulo 2^48: clocks of 48 bits are never compared, only subtracted
// (spec: rate.aimd).
func Since48(now, start uint64) uint64 { return (now - start) & nowMask }
