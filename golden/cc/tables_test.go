package cc

import (
	"math/bits"
	"testing"

	"metaroce/golden/oracle"
	"metaroce/golden/profile"
	"pgregory.net/rapid"
)

func TestMarkReciprocalIsTheFloor(t *testing.T) {
	for n, r := range MarkReciprocal() {
		n, r := uint64(n), uint64(r)
		if n == 0 && r != 0 || n > 0 && (n*r > 1<<24 || n*(r+1) <= 1<<24) {
			t.Errorf("entry %d: got %d, want floor(2^24 / %d), or 0", n, r, n)
		}
	}
}

func TestRateReciprocalIsTheCeiling(t *testing.T) {
	const dividend = 125000 * 1024
	for m, r := range RateReciprocal() {
		m, r := uint64(m), uint64(r)
		if m == 0 && r != 0 || m > 0 && (m*r < dividend || m*(r-1) >= dividend) || r >= 1<<27 {
			t.Errorf("entry %d: got %d, want ceil(%d / %d) in 27 bits, or 0", m, r, dividend, m)
		}
	}
}

// Without normalising: every pair of counts below 256. The fraction is at most the exact quotient, and low by less than 2
// units of 2^-16.
func TestFractionErrorBelow256IsUnderTwoUnits(t *testing.T) {
	for n := uint16(1); n < 256; n++ {
		for ce := range n + 1 {
			f := uint64(Fraction(ce, n))
			exact := uint64(ce) << 16 // n times the exact fraction
			if f*uint64(n) > exact || exact >= (f+2)*uint64(n) {
				t.Fatalf("fraction %d/%d: got %d, exact %d/%d: not within [0, 2) below", ce, n, f, exact, n)
			}
		}
	}
}

// With normalising: n = n' * 2^s + r and ce = c' * 2^s + x lose r and x below 2^s. The fraction depends on n' and c' only, and
// ce/n rises with x and falls with r, so over all counts that share (s, n', c') the error is largest at an extreme of x and
// r. Those corners, for every s, n' and c', therefore prove the bound for every pair of 16-bit counts: less than 512 units
// above the exact quotient and less than 512 + 2 below.
func TestFractionErrorOfAllCountsIsUnder514Units(t *testing.T) {
	const above, below = 512, 512 + 2
	var high, low float64
	for s := 1; s <= 8; s++ {
		last := uint32(1)<<s - 1
		for whole := uint32(128); whole < 256; whole++ {
			for part := range whole + 1 {
				for _, r := range []uint32{0, last} {
					for _, x := range []uint32{0, last} {
						n, ce := whole<<s|r, part<<s|x
						if ce > n {
							ce = n // the largest count that is legal with these n', c' and r
						}
						f, exact := uint64(Fraction(uint16(ce), uint16(n))), uint64(ce)<<16
						if f*uint64(n) >= exact+above*uint64(n) || exact >= (f+below)*uint64(n) {
							t.Fatalf("fraction %d/%d: got %d, exact %f", ce, n, f, float64(exact)/float64(n))
						}
						err := float64(f) - float64(exact)/float64(n)
						high, low = max(high, err), min(low, err)
					}
				}
			}
		}
	}
	t.Logf("error between %.3f and %.3f units of 2^-16", low, high)
}

func TestFractionOfSampledCountsIsWithinTheBound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint16Range(1, 65535).Draw(t, "n")
		ce := rapid.Uint16Range(0, n).Draw(t, "ce")
		f, exact := float64(Fraction(ce, n)), float64(ce)*65536/float64(n)
		if f >= exact+512 || f <= exact-514 {
			t.Fatalf("fraction %d/%d: got %v, exact %v", ce, n, f, exact)
		}
	})
}

// All rates and the sizes that matter: the interval is never shorter than the exact time, so no rate is exceeded, and it is
// longer by less than m / 128,000,000 of it, which is below 16 parts per million, and one unit of 2^-10 ns. At the horizon it
// is the horizon, and only where the exact time is at least that long within the same bound.
func TestIntervalErrorIsBoundedForAllRates(t *testing.T) {
	const dividend = 125000 * 1024
	for code := range 0xffff {
		m, e := uint64(code%2048), uint(code/2048)
		if m == 0 {
			continue
		}
		for _, bytes := range []uint16{0, 1, 64, 4096, 65535} {
			got := Interval(uint16(code), bytes)
			// In units of 1 / (m * 2^e): the exact interval is bytes * dividend.
			exact := uint64(bytes) * dividend
			if got > horizon || got < horizon && less(got, m<<e, exact) {
				t.Fatalf("interval of %d bytes at %#x: got %d, shorter than the exact %d / %d or beyond the horizon", bytes, code, got, exact, m<<e)
			}
			if got > 0 && !less(got-1, m<<e, uint64(bytes)*(dividend+m)) {
				t.Fatalf("interval of %d bytes at %#x: got %d, longer than the bound above %d / %d", bytes, code, got, exact, m<<e)
			}
			if got == 0 && bytes > 0 {
				t.Fatalf("interval of %d bytes at %#x is 0", bytes, code)
			}
		}
	}
}

// less tells whether a * b < c, without overflow.
func less(a, b, c uint64) bool {
	high, low := bits.Mul64(a, b)
	return high == 0 && low < c
}

func TestIntervalAgreesWithOracle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, bytes := code(t)|rapid.Uint16Range(0, 1).Draw(t, "legal"), rapid.Uint16().Draw(t, "bytes")
		if !legal(c) {
			return
		}
		if got, want := Interval(c, bytes), oracle.Interval(c, bytes); got != want {
			t.Fatalf("interval of %d bytes at %#x: got %d, want %d", bytes, c, got, want)
		}
	})
}

func TestIntervalOfKnownRates(t *testing.T) {
	cases := []struct {
		name  string
		code  uint16
		bytes uint16
		want  uint64
	}{
		{"no limit", profile.HintNoLimit, 65535, 0},
		{"illegal code", 5 << 11, 64, 0},
		{"64 kb/s, one byte: 125 us", 1, 1, 125000 << 10},
		{"64 Mb/s, 1000 bytes: 125 us", 1000, 1000, 125000 << 10},
		{"65535 bytes at 64 kb/s are beyond the horizon", 1, 65535, 1 << 40},
	}
	for _, c := range cases {
		if got := Interval(c.code, c.bytes); got != c.want {
			t.Errorf("%s: got %d, want %d", c.name, got, c.want)
		}
	}
}
