package pcapng

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"metaroce/verification/trace"
)

// written is a file of the writer: two interfaces, comments, flags, lengths around the padding.
func written(t *testing.T, bigEndian bool) []byte {
	t.Helper()
	var b bytes.Buffer
	make := NewWriter
	if bigEndian {
		make = NewBigEndianWriter
	}
	w, err := make(&b, "section comment", "second")
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []trace.Interface{
		{Name: "s_axis", Description: "frames in", Link: trace.LinkEthernet, Unit: trace.Nanoseconds},
		{Name: "m_axis", Link: trace.LinkEthernet, Unit: trace.Picoseconds, SnapLength: 9000},
		{Name: "late", Link: trace.LinkEthernet, Unit: trace.Microseconds, Offset: 1_000_000},
	} {
		if _, err := w.AddInterface(i); err != nil {
			t.Fatal(err)
		}
	}
	for i, n := range []int{14, 15, 16, 17, 1500} {
		var comments []string
		if i%2 == 1 {
			comments = []string{"cycle=7", "ü <b>&"}
		}
		if err := w.Packet(i%3, uint64(i)*1_000_000_007, []byte(strings.Repeat(frame, 80)[:n]), uint32(i%3), comments...); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	want := []string{
		`0 s_axis 0.000000000 14/14 [] 0`,
		`0 m_axis 0.001000000007 15/15 ["cycle=7" "ü <b>&"] 1`,
		`0 late 1002000.000014 16/16 [] 2`,
		`0 s_axis 3.000000021 17/17 ["cycle=7" "ü <b>&"] 0`,
		`0 m_axis 0.004000000028 1500/1500 [] 1`,
	}
	for _, order := range []bool{false, true} {
		got, err := readAll(written(t, order))
		if err != io.EOF || strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("big endian %v: %v\ngot\n%s\nwant\n%s", order, err, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if !bytes.Equal(written(t, false), written(t, false)) {
		t.Error("two runs give two files")
	}
}

func TestWriterRefuses(t *testing.T) {
	w, err := NewWriter(io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Packet(0, 0, nil, 0); err == nil {
		t.Error("packet on an interface that was not declared")
	}
	if _, err := w.AddInterface(trace.Interface{Unit: trace.Resolution{Multiple: 10, Base: 10, Exponent: 12}}); err == nil {
		t.Error("a resolution that if_tsresol cannot state")
	}
	if _, err := w.AddInterface(trace.Interface{Name: strings.Repeat("x", 1<<16), Unit: trace.Nanoseconds}); err == nil {
		t.Error("a name longer than an option")
	}
}
