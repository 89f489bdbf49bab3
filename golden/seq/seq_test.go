package seq

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// distance is seq.compare in unbounded integers: the representative of a - b that lies in [-2^(n-1), 2^(n-1)).
func distance(a, b uint64, bits uint) *big.Int {
	whole := new(big.Int).Lsh(big.NewInt(1), bits)
	half := new(big.Int).Rsh(whole, 1)
	d := new(big.Int).Sub(new(big.Int).SetUint64(a), new(big.Int).SetUint64(b))
	d.Mod(d, whole)
	if d.Cmp(half) >= 0 {
		d.Sub(d, whole)
	}
	return d
}

// near draws n-bit numbers, most of them close to where counters of some width wrap.
func near(bits uint) *rapid.Generator[uint64] {
	mask := uint64(1)<<bits - 1
	return rapid.Custom(func(t *rapid.T) uint64 {
		if rapid.Bool().Draw(t, "anywhere") {
			return rapid.Uint64().Draw(t, "value") & mask
		}
		power := rapid.UintRange(0, bits).Draw(t, "power")
		return (uint64(1)<<power + rapid.Uint64Range(0, 4).Draw(t, "off") - 2) & mask
	})
}

func TestDistanceAgreesWithUnboundedIntegers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := near(58).Draw(t, "a"), near(58).Draw(t, "b")
		check(t, a, b)
		check(t, a, a+rapid.Uint64Range(0, 4).Draw(t, "off")-2+1<<rapid.SampledFrom([]uint{0, 15, 31, 57}).Draw(t, "half"))
	})
}

func check(t *rapid.T, a, b uint64) {
	b &= timeMask
	cases := []struct {
		bits   uint
		a, b   uint64
		got    int64
		before bool
	}{
		{16, a & 0xffff, b & 0xffff, int64(Distance16(uint16(a), uint16(b))), Before16(uint16(a), uint16(b))},
		{32, a & 0xffffffff, b & 0xffffffff, int64(Distance32(PSN(a), PSN(b))), Before32(PSN(a), PSN(b))},
		{58, a, b, Distance58(Time(a), Time(b)), Before58(Time(a), Time(b))},
	}
	for _, c := range cases {
		want := distance(c.a, c.b, c.bits)
		if want.Cmp(big.NewInt(c.got)) != 0 || c.before != (want.Sign() < 0) {
			t.Fatalf("%d bits: distance from %#x to %#x: got %d, before %v; want %v", c.bits, c.b, c.a, c.got, c.before, want)
		}
	}
}

// All pairs of a narrow width would not reach these types, so 16 bits are tried whole against one fixed number.
func TestDistance16IsExhaustivelyTheSignedRepresentative(t *testing.T) {
	const b = uint16(0x7ffe)
	for a := 0; a < 1<<16; a++ {
		if want := distance(uint64(a), uint64(b), 16).Int64(); int64(Distance16(uint16(a), b)) != want {
			t.Fatalf("distance from %#x to %#x: got %d, want %d", b, a, Distance16(uint16(a), b), want)
		}
	}
}

func TestHalfTheRangeIsBeforeBothWays(t *testing.T) {
	if !Before32(PSN(5), PSN(5+1<<31)) || !Before32(PSN(5+1<<31), PSN(5)) {
		t.Error("32 bits: at half the range each must be before the other")
	}
	if !Before16(uint16(7), uint16(7+1<<15)) || !Before16(uint16(7+1<<15), uint16(7)) {
		t.Error("16 bits: at half the range each must be before the other")
	}
	if !Before58(Time(9), Time(9+1<<57)) || !Before58(Time(9+1<<57), Time(9)) {
		t.Error("58 bits: at half the range each must be before the other")
	}
}

func TestUnsignedHelpersWrap(t *testing.T) {
	if got := Offset32(PSN(1), PSN(0xffffffff)); got != 2 {
		t.Errorf("Offset32 across the wrap: got %d, want 2", got)
	}
	if got := Add58(Time(timeMask), Time(3)); got != 2 {
		t.Errorf("Add58 across the wrap: got %d, want 2", got)
	}
	if got := Since48(4, 1<<48-6); got != 10 {
		t.Errorf("Since48 across the wrap: got %d, want 10", got)
	}
}
