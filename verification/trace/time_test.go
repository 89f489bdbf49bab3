package trace

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestTimeIsExact(t *testing.T) {
	for _, c := range []struct {
		name string
		time Time
		want string
	}{
		{"whole seconds", Time{Raw: 7, Unit: Resolution{1, 10, 0}}, "7"},
		{"microseconds", Time{Raw: 1000001, Unit: Microseconds}, "1.000001"},
		{"nanoseconds", Time{Raw: 5, Unit: Nanoseconds}, "0.000000005"},
		{"picoseconds", Time{Raw: 1, Unit: Picoseconds}, "0.000000000001"},
		{"ten zeros between", Time{Raw: 10_000_000_003, Unit: Nanoseconds}, "10.000000003"},
		{"largest", Time{Raw: math.MaxUint64, Unit: Nanoseconds}, "18446744073.709551615"},
		{"2^-1", Time{Raw: 3, Unit: Resolution{1, 2, 1}}, "1.5"},
		{"2^-20", Time{Raw: 1, Unit: Resolution{1, 2, 20}}, "0.00000095367431640625"},
		{"2^-32", Time{Raw: 1<<32 + 1, Unit: Resolution{1, 2, 32}}, "1.00000000023283064365386962890625"},
		{"2^-0", Time{Raw: 9, Unit: Resolution{1, 2, 0}}, "9"},
		{"10^-19", Time{Raw: 1, Unit: Resolution{1, 10, 19}}, "0.0000000000000000001"},
		{"10^-25", Time{Raw: 12, Unit: Resolution{1, 10, 25}}, "0.0000000000000000000000012"},
		{"100 ps", Time{Raw: 15, Unit: Resolution{100, 10, 12}}, "0.000000001500"},
		{"offset", Time{Raw: 1, Unit: Microseconds, Offset: 1700000000}, "1700000000.000001"},
		{"negative", Time{Raw: 250_000, Unit: Microseconds, Offset: -1}, "-0.750000"},
		{"no unit", Time{Raw: 42}, "42"},
	} {
		if got := c.time.String(); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}

func TestTimeTextIsItsFraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.SampledFrom([]uint8{2, 10}).Draw(t, "base")
		u := Resolution{rapid.Uint64Range(1, 1000).Draw(t, "multiple"), base, rapid.Uint8Range(0, 127).Draw(t, "exponent")}
		x := Time{Raw: rapid.Uint64().Draw(t, "raw"), Unit: u, Offset: rapid.Int64().Draw(t, "offset"), Valid: true}
		want := new(big.Rat).SetFrac(new(big.Int).SetUint64(u.Multiple),
			new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(u.Exponent)), nil))
		want.Mul(want, new(big.Rat).SetInt(new(big.Int).SetUint64(x.Raw)))
		want.Add(want, new(big.Rat).SetInt64(x.Offset))
		got, ok := new(big.Rat).SetString(x.String())
		if !ok || got.Cmp(want) != 0 || x.Rat().Cmp(want) != 0 {
			t.Fatalf("%+v: %s is not %s", x, x.String(), want.RatString())
		}
	})
}

func TestDetectLooksAtBytesOnly(t *testing.T) {
	for _, c := range []struct {
		start string
		want  Format
		text  string
	}{
		{"\x0A\x0D\x0D\x0A\x1c", FormatPcapng, ""},
		{"\xD4\xC3\xB2\xA1", FormatPcap, ""},
		{"\xA1\xB2\xC3\xD4", FormatPcap, ""},
		{"\x4D\x3C\xB2\xA1", FormatPcap, ""},
		{"\xA1\xB2\x3C\x4D", FormatPcap, ""},
		{"$date today $end", FormatVCD, ""},
		{"\xEF\xBB\xBF\r\n $timescale", FormatVCD, ""},
		{"", "", "empty"},
		{"\x1F\x8B\x08", "", "gzip"},
		{"\x00\x00\x00\x00\x00\x00\x00\x01\x49", "", "fst2vcd"},
		{"\x34\xCD\xB2\xA1", "", "patched"},
		{"Sample in Buffer", "", "not a pcap"},
		{"\x00", "", "not a pcap"},
	} {
		got, err := Detect([]byte(c.start))
		if got != c.want || (err == nil) != (c.text == "") || err != nil && !strings.Contains(err.Error(), c.text) {
			t.Errorf("%q: got %q, %v", c.start, got, err)
		}
	}
}
