package vcd

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"metaroce/verification/trace"
)

func files(t testing.TB) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, name := range []string{"icarus.vcd", "verilator.vcd"} {
		b, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(b)
	}
	return all
}

// Both simulators ran one design: what both dump of it must be the same at the end of each time.
func TestTwoSimulatorsAgree(t *testing.T) {
	all := files(t)
	for _, name := range []string{"top.clk", "top.q", "top.rst"} {
		a, b := history(t, all["icarus.vcd"], name), history(t, all["verilator.vcd"], name)
		if len(a) < 10 && name == "top.clk" {
			t.Fatalf("%s: only %d values", name, len(a))
		}
		compared := 0
		for time, v := range a {
			if w, ok := b[time]; ok && v != "x" && time < 28000 { // then $dumpoff
				compared++
				if v != w {
					t.Errorf("%s @ %d: %s and %s", name, time, v, w)
				}
			}
		}
		if compared == 0 {
			t.Errorf("%s: nothing compared", name)
		}
	}
}

// history is a signal's value by time of change; the signal is looked for under any of its names.
func history(t *testing.T, text, name string) map[uint64]string {
	t.Helper()
	r, err := NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Header().Variables {
		if v := &r.Header().Variables[i]; v.Path() == name {
			r.Select([]int{v.Signal})
		}
	}
	values := map[uint64]string{}
	for {
		c, err := r.Next()
		if err == io.EOF {
			return values
		}
		if err != nil {
			t.Fatal(err)
		}
		values[c.Time] = string(c.Value)
	}
}

// Every prefix of a dump gives changes of the whole dump's start, then a truncation at its length, or a clean end where
// a line ends outside of any block.
func TestEveryPrefix(t *testing.T) {
	for name, whole := range files(t) {
		_, all, err := readAll(whole)
		if err != io.EOF || len(all) < 50 {
			t.Fatalf("%s: %d changes, %v", name, len(all), err)
		}
		clean := 0
		for n := range whole {
			_, lines, err := readAll(whole[:n])
			if len(lines) > len(all) || strings.Join(lines, "\n") != strings.Join(all[:len(lines)], "\n") {
				t.Fatalf("%s, %d bytes: changes differ from the whole file's", name, n)
			}
			if err == io.EOF {
				clean++
				if c := whole[n-1]; c != '\n' {
					t.Fatalf("%s, %d bytes: a clean end behind %q", name, n, c)
				}
				continue
			}
			var cut *trace.Truncated
			if !errors.As(err, &cut) || cut.Offset != int64(n) || cut.Record != uint64(len(lines)+1) {
				t.Fatalf("%s, %d bytes: got %d changes, %v", name, n, len(lines), err)
			}
		}
		if clean < 50 {
			t.Errorf("%s: only %d clean prefixes", name, clean)
		}
	}
}

// However the bytes arrive, the changes are the same; so is what is written again.
func TestPiecesAndRewriting(t *testing.T) {
	for name, whole := range files(t) {
		_, want, _ := readAll(whole)
		r, err := NewReader(iotest.OneByteReader(strings.NewReader(whole)))
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := WriteHeader(&again, r.Header()); err != nil {
			t.Fatal(err)
		}
		body, now := []byte(nil), ^uint64(0)
		for {
			c, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if c.Time != now {
				body, now = AppendTime(body, c.Time), c.Time
			}
			body = AppendChange(body, c.Form, c.Signal, r.Header().Widths[c.Signal], c.Value)
		}
		again.Write(body)
		h, got, err := readAll(again.String())
		if err != io.EOF || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("%s: written again it reads differently: %v", name, err)
		}
		if h.Unit != r.Header().Unit || len(h.Variables) != len(r.Header().Variables) {
			t.Errorf("%s: header differs: %v", name, h.Unit)
		}
	}
}

func TestMemoryDoesNotGrowWithTheFile(t *testing.T) {
	r, err := NewReader(io.MultiReader(strings.NewReader(top), strings.NewReader(strings.Repeat("#1 1\" b10 ! 0\"\n", 100_000))))
	if err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(1, func() {
		for {
			if _, err := r.Next(); err != nil {
				return
			}
		}
	}); n > 4 {
		t.Errorf("%v allocations for 100,000 lines", n)
	}
	if len(r.buf) != bufferBytes {
		t.Errorf("the buffer grew to %d", len(r.buf))
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range files(f) {
		f.Add(text)
	}
	f.Add(top + "#0 $dumpall 1\" b101 ! $end r1.5 ! sx \" 1 \" #18446744073709551615 ")
	f.Fuzz(func(t *testing.T, text string) {
		_, lines, err := readAll(text)
		if err == nil || len(lines) > len(text) {
			t.Fatalf("%d changes, %v", len(lines), err)
		}
	})
}

func BenchmarkReader(b *testing.B) {
	line := "#1 1\" b10110011 ! 0\"\n"
	text := top + strings.Repeat(line, 200_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := NewReader(strings.NewReader(text))
		if err != nil {
			b.Fatal(err)
		}
		for err == nil {
			_, err = r.Next()
		}
	}
}
