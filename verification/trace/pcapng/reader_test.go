package pcapng

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"metaroce/verification/trace"
)

func TestRichFile(t *testing.T) {
	got, err := readAll(rich())
	want := []string{
		`0 eth<0> 1000000000.123456789 19/19 ["a comment" "another"] 1`,
		`0 odd 5.00000000023283064365386962890625 19/1500 [] 0`,
		`0 eth<0> none 19/19 [] 0`,
		`0 odd 0.00000000209547579288482666015625 19/19 [] 0`,
		`1 0 1600000007 19/19 [] 0`,
	}
	if err != io.EOF || strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Fatalf("%v\ngot\n%s\nwant\n%s", err, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestOptionsAreKept(t *testing.T) {
	r, err := NewReader(bytes.NewReader(rich()))
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Section().Comments(); len(c) != 1 || c[0] != "first section" {
		t.Errorf("section comments %q", c)
	}
	p, err := r.Next()
	if err != nil || len(p.Options) != 3 || string(p.Options[1].Value) != "another" || !p.HasFlags {
		t.Errorf("packet options %v, %v", p, err)
	}
	if i := r.Interfaces(); len(i) != 2 || len(i[1].Options) != 2 || i[1].Unit.Base != 2 || i[1].Unit.Exponent != 32 {
		t.Errorf("interfaces %v", i)
	}
	for range 3 {
		if _, err := r.Next(); err != nil {
			t.Fatal(err)
		}
	}
	if s, ok := r.Statistics(0); !ok || s.Interface != 0 {
		t.Error("statistics block is lost")
	}
}

// boundaries are the offsets at which a block ends, and how many packets the file holds up to there.
func boundaries(t *testing.T, whole []byte) map[int]int {
	ends := map[int]int{}
	for n := range len(whole) + 1 {
		if lines, err := readAll(whole[:n]); err == io.EOF {
			ends[n] = len(lines)
		}
	}
	if len(ends) != blocks(whole) {
		t.Fatalf("%d prefixes are clean, but the file has %d blocks", len(ends), blocks(whole))
	}
	return ends
}

// blocks counts blocks by their lengths alone.
func blocks(b []byte) (n int) {
	r := little()
	for len(b) > 0 {
		if bytes.Equal(b[:4], []byte{0x0A, 0x0D, 0x0D, 0x0A}) && b[8] == 0x1A {
			r = big()
		}
		b = b[r.order.Uint32(b[4:]):]
		n++
	}
	return n
}

// Every prefix gives the whole packets in it, then a truncation at its own length, or a clean end at a block's end.
func TestEveryPrefix(t *testing.T) {
	whole := rich()
	all, _ := readAll(whole)
	ends := boundaries(t, whole)
	for n := range whole {
		lines, err := readAll(whole[:n])
		if strings.Join(lines, "\n") != strings.Join(all[:len(lines)], "\n") {
			t.Fatalf("%d bytes: packets differ from the whole file's", n)
		}
		if _, clean := ends[n]; clean {
			continue
		}
		var cut *trace.Truncated
		if !errors.As(err, &cut) || cut.Offset != int64(n) || cut.Record != uint64(len(lines)+1) {
			t.Fatalf("%d bytes: got %d packets, %v", n, len(lines), err)
		}
	}
}

// A section that states its length is truncated at a block's end too, where more is due.
func TestStatedSectionLength(t *testing.T) {
	for _, c := range []struct {
		name   string
		length int64
		want   string
	}{
		{"right", 20 + 52, "EOF"},
		{"more due", 20 + 52 + 52, "truncated at byte 100, packet 2"},
		{"ends in a block", 20 + 8, "longer than the 28 bytes"},
	} {
		r := little()
		r.section(c.length)
		r.iface(1, 0)
		r.enhanced(0, 1, 19, 19, frame)
		_, err := readAll(r.Bytes())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
}

func TestLiesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name string
		make func(r *raw)
		want string
	}{
		{"captured above original", func(r *raw) { r.enhanced(0, 0, 19, 18, frame) }, "captured length 19 is above the original length 18"},
		{"captured beyond its block", func(r *raw) { r.enhanced(0, 0, 0xFFFFFFFF, 0xFFFFFFFF, frame) }, "does not fit its block"},
		{"interface never declared", func(r *raw) { r.enhanced(2, 0, 19, 19, frame) }, "interface 2 was never declared: the section has 1"},
		{"simple packet beyond its block", func(r *raw) { r.block(3, r.order.AppendUint32(nil, 900)) }, "does not fit its block"},
		{"option beyond its block", func(r *raw) { r.enhanced(0, 0, 4, 4, "abcd\x01\x00\xff\x00") }, "option 1 of 255 bytes"},
		{"short packet block", func(r *raw) { r.block(6, make([]byte, 16)) }, "at least 20"},
		{"block of 8 bytes", func(r *raw) { r.Write([]byte{6, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0}) }, "total length of 8"},
		{"odd block length", func(r *raw) { r.Write([]byte{6, 0, 0, 0, 33, 0, 0, 0, 8, 0, 0, 0}) }, "total length of 33"},
		{"4 GB block", func(r *raw) { r.Write([]byte{6, 0, 0, 0, 0xFC, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}) }, "above the limit"},
		{"lengths disagree", func(r *raw) { r.enhanced(0, 0, 4, 4, "abcd"); r.Bytes()[r.Len()-4] ^= 4 }, "block lengths disagree"},
		{"unknown block's lengths disagree", func(r *raw) { r.block(0x77, make([]byte, 16)); r.Bytes()[r.Len()-4] ^= 4 }, "block lengths disagree"},
		{"resolution of two bytes", func(r *raw) { r.iface(1, 0, opt{9, []byte{9, 9}}) }, "if_tsresol of 2 bytes"},
		{"section of version 2", func(r *raw) { r.section(-1); r.Bytes()[r.Len()-28+12] = 2 }, "pcapng version 2.0"},
		{"byte order of no kind", func(r *raw) { r.section(-1); r.Bytes()[r.Len()-28+8] = 9 }, "byte-order magic"},
	} {
		for _, r := range []*raw{little(), big()} {
			r.section(-1)
			r.iface(1, 0)
			if r.order.String() == "BigEndian" && strings.Contains(c.name, "block") && !strings.HasPrefix(c.name, "captured") {
				continue // written as little-endian bytes
			}
			if r.order.String() == "BigEndian" && (c.name == "lengths disagree" || strings.HasPrefix(c.name, "section") || strings.HasPrefix(c.name, "option")) {
				continue
			}
			c.make(r)
			_, err := readAll(r.Bytes())
			if err == nil || err == io.EOF || trace.IsTruncated(err) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.name, err, c.want)
			}
		}
	}
}

// A small file that claims a large block costs no memory.
func TestLyingLengthCostsNoMemory(t *testing.T) {
	r := little()
	r.section(-1)
	r.Write([]byte{6, 0, 0, 0, 0, 0, 0xF0, 0, 0, 0, 0, 0})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := readAll(r.Bytes()); !trace.IsTruncated(err) {
		t.Fatalf("got %v", err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 2<<20 {
		t.Errorf("%d bytes were allocated for a file of %d", grown, r.Len())
	}
}

func FuzzReader(f *testing.F) {
	f.Add(rich())
	r := big()
	r.section(60)
	r.iface(147, 10)
	r.block(3, append(r.order.AppendUint32(nil, 19), frame...))
	f.Add(r.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		lines, err := readAll(b)
		if err == nil || len(lines) > len(b)/16 {
			t.Fatalf("%d packets, %v", len(lines), err)
		}
	})
}
