package pcap

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"metaroce/verification/trace"
)

// file writes a pcap file: the magic number in an order, then packets of (seconds, fraction, data).
type file struct {
	bytes.Buffer
	order binary.AppendByteOrder
}

func newFile(order binary.AppendByteOrder, magic uint32) *file {
	f := &file{order: order}
	b := order.AppendUint32(nil, magic)
	b = order.AppendUint16(order.AppendUint16(b, 2), 4)
	for _, v := range []uint32{0, 0, 65535, 1} {
		b = order.AppendUint32(b, v)
	}
	f.Write(b)
	return f
}

func (f *file) packet(seconds, fraction, captured, original uint32, data string) {
	var b []byte
	for _, v := range []uint32{seconds, fraction, captured, original} {
		b = f.order.AppendUint32(b, v)
	}
	f.Write(append(b, data...))
}

var variants = []struct {
	name  string
	order binary.AppendByteOrder
	magic uint32
	times [2]string
}{
	{"little µs", binary.LittleEndian, 0xA1B2C3D4, [2]string{"1.000002", "4294967295.999999"}},
	{"big µs", binary.BigEndian, 0xA1B2C3D4, [2]string{"1.000002", "4294967295.999999"}},
	{"little ns", binary.LittleEndian, 0xA1B23C4D, [2]string{"1.000000002", "4294967295.000999999"}},
	{"big ns", binary.BigEndian, 0xA1B23C4D, [2]string{"1.000000002", "4294967295.000999999"}},
}

func sample(i int) []byte {
	f := newFile(variants[i].order, variants[i].magic)
	f.packet(1, 2, 5, 5, "hello")
	f.packet(0xFFFFFFFF, 999999, 0, 1500, "")
	return f.Bytes()
}

// readAll reads to the end and returns what the reader delivered before its error.
func readAll(b []byte) (times []string, data []string, err error) {
	r, err := NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, nil, err
	}
	for {
		p, err := r.Next()
		if err != nil {
			_, again := r.Next()
			if again != err {
				return nil, nil, errors.New("the error does not stay")
			}
			return times, data, err
		}
		times, data = append(times, p.Time.String()), append(data, string(p.Data))
	}
}

func TestAllFourMagics(t *testing.T) {
	for i, v := range variants {
		times, data, err := readAll(sample(i))
		if err != io.EOF || len(times) != 2 || [2]string(times) != v.times || data[0] != "hello" || data[1] != "" {
			t.Errorf("%s: got %v %q, %v", v.name, times, data, err)
		}
	}
}

// Every prefix gives the packets that it holds whole, and a truncation that says where, or a clean end at a boundary.
func TestEveryPrefix(t *testing.T) {
	whole := sample(0)
	ends := map[int]int{24: 0, 24 + 21: 1, len(whole): 2}
	for n := range whole {
		times, _, err := readAll(whole[:n])
		if count, clean := ends[n]; clean {
			if err != io.EOF || len(times) != count {
				t.Fatalf("%d bytes: got %d packets, %v", n, len(times), err)
			}
			continue
		}
		var cut *trace.Truncated
		if !errors.As(err, &cut) || cut.Offset != int64(n) || cut.Record != uint64(len(times)+1) {
			t.Fatalf("%d bytes: got %d packets, %v", n, len(times), err)
		}
	}
}

func TestLiesAreRefused(t *testing.T) {
	for _, c := range []struct {
		name     string
		captured uint32
		original uint32
		want     string
	}{
		{"captured above original", 6, 5, "captured length 6 is above the original length 5"},
		{"4 GB", 0xFFFFFFFF, 0xFFFFFFFF, "above the limit"},
	} {
		f := newFile(binary.LittleEndian, trace.MagicMicroseconds)
		f.packet(0, 0, c.captured, c.original, "hello!")
		_, _, err := readAll(f.Bytes())
		var bad *trace.Malformed
		if !errors.As(err, &bad) || bad.Offset != 24 || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v", c.name, err)
		}
	}
	if _, _, err := readAll(append([]byte{1, 2, 3, 4}, sample(0)[4:]...)); err == nil || trace.IsTruncated(err) {
		t.Errorf("wrong magic: got %v", err)
	}
	old := sample(0)
	old[6] = 3
	if _, _, err := readAll(old); err == nil || !strings.Contains(err.Error(), "2.3") {
		t.Errorf("version 2.3: got %v", err)
	}
}

func FuzzReader(f *testing.F) {
	for i := range variants {
		f.Add(sample(i))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		times, _, err := readAll(b)
		if err == nil || len(times) > len(b)/recordHeaderBytes {
			t.Fatalf("%d packets, %v", len(times), err)
		}
	})
}
