package tables

import (
	"bytes"
	"encoding/hex"
	"math/big"
	"os"
	"strconv"
	"strings"
	"testing"

	"metaroce/gen/load"
	"metaroce/gen/model"
)

// table finds a table of the spec and its entries as they stand in the committed ROM file.
func table(t *testing.T, name string) (model.Table, []uint32) {
	t.Helper()
	spec, err := load.Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range spec.Tables {
		if x.Name == name {
			return x, readROM(t, x)
		}
	}
	t.Fatalf("no table %s", name)
	return model.Table{}, nil
}

// readROM reads a ROM file strictly: comment lines, then one word of exact width a line.
func readROM(t *testing.T, x model.Table) []uint32 {
	t.Helper()
	data, err := os.ReadFile("../../rtl/generated/mr_" + x.Name + ".mem")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasSuffix(data, []byte("\n")) {
		t.Errorf("%s: no final newline", x.Name)
	}
	var words []uint32
	for i, line := range strings.Split(strings.TrimSuffix(string(data), "\n"), "\n") {
		if strings.HasPrefix(line, "//") {
			continue
		}
		v, err := strconv.ParseUint(line, 16, x.Bits)
		if err != nil || len(line) != (x.Bits+3)/4 {
			t.Fatalf("%s:%d: %q is not %d hex digits of a %d-bit word", x.Name, i+1, line, (x.Bits+3)/4, x.Bits)
		}
		words = append(words, uint32(v))
	}
	if len(words) != x.Entries {
		t.Errorf("%s: %d words, want %d", x.Name, len(words), x.Entries)
	}
	return words
}

func TestReciprocalsAreTheSpecsFormulas(t *testing.T) {
	_, mark := table(t, "mark_reciprocal")
	for n, got := range mark {
		want := new(big.Int)
		if n > 0 {
			want.Div(big.NewInt(1<<24), big.NewInt(int64(n)))
		}
		if want.Cmp(big.NewInt(int64(got))) != 0 {
			t.Errorf("mark_reciprocal[%d] = %d, want %d", n, got, want)
		}
	}
	_, rate := table(t, "rate_reciprocal")
	for m, got := range rate {
		want := new(big.Rat)
		if m > 0 {
			want.SetFrac64(125000<<10, int64(m))
		}
		// got is the least integer that is not below want.
		above, below := big.NewRat(int64(got), 1), big.NewRat(int64(got)-1, 1)
		if above.Cmp(want) < 0 || (m > 0 && below.Cmp(want) >= 0) || (m == 0 && got != 0) {
			t.Errorf("rate_reciprocal[%d] = %d, want ceil of %s", m, got, want.FloatString(3))
		}
	}
}

// TestResidueBitByBit runs the register as the standard writes it, a bit at a time, and over several payloads.
func TestResidueBitByBit(t *testing.T) {
	_, rom := table(t, "crc_residue")
	if rom[0] != 0xdebb20e3 {
		t.Errorf("entry 0 = %#x, IEEE 802.3 says 0xdebb20e3", rom[0])
	}
	for _, payload := range []string{"", "00", "ff", "0123456789abcdef", strings.Repeat("a5", 1500)} {
		data, err := hex.DecodeString(payload)
		if err != nil {
			t.Fatal(err)
		}
		register := feed(0xffffffff, data)
		crc := ^register
		register = feed(register, []byte{byte(crc), byte(crc >> 8), byte(crc >> 16), byte(crc >> 24)})
		for k, got := range rom {
			if got != register {
				t.Fatalf("payload of %d bytes: entry %d = %#x, want %#x", len(data), k, got, register)
			}
			register = feed(register, []byte{0})
		}
	}
}

func feed(register uint32, data []byte) uint32 {
	for _, b := range data {
		register ^= uint32(b)
		for range 8 {
			if register&1 != 0 {
				register = register>>1 ^ 0xedb88320
			} else {
				register >>= 1
			}
		}
	}
	return register
}

func TestComputeRefusesWrongShape(t *testing.T) {
	for name, x := range map[string]model.Table{
		"no formula":  {Name: "sine", Entries: 4, Bits: 8},
		"too few":     {Name: "mark_reciprocal", Entries: 255, Bits: 25},
		"too narrow":  {Name: "mark_reciprocal", Entries: 256, Bits: 24},
		"narrow rate": {Name: "rate_reciprocal", Entries: 2048, Bits: 26},
	} {
		if _, err := compute(&x); err == nil || !strings.Contains(err.Error(), x.Name) {
			t.Errorf("%s: error %v does not name table %s", name, err, x.Name)
		}
	}
}

// TestHashOfKnownEntries: SHA-256 of the bytes 01 00 02 00 is known from sha256sum.
func TestHashOfKnownEntries(t *testing.T) {
	if got, want := Hash([]uint32{1, 2}, 9), uint64(0x7b11c1133330cd16); got != want {
		t.Errorf("hash = %#x, want %#x", got, want)
	}
}
