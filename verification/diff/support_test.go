package diff

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/capture"
	"metaroce/verification/stimulus"
	"metaroce/verification/trace/vcd"
	"metaroce/verification/verdict"
)

// judge runs a diff of bytes that must be readable.
func judge(t testing.TB, b []byte, o Options) *verdict.Report {
	t.Helper()
	report, err := Run(bytes.NewReader(b), o)
	require.NoError(t, err)
	return report
}

// realDump is a dump of mr_sack as a simulator wrote it.
func realDump(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	if !strings.HasSuffix(name, ".gz") {
		return b
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	b, err = io.ReadAll(z)
	require.NoError(t, err)
	return b
}

// handshake is one record of a run with its beat, that of inputs too.
type handshake struct {
	cycle uint64
	port  uint8
	beat  []byte
}

// modelRun runs random stimulus through the model alone: what a device that is right would do.
func modelRun(t testing.TB, unit string, c profile.Config, count int) (records []handshake) {
	t.Helper()
	run, err := stimulus.Generate(stimulus.Options{Unit: unit, Config: c, Seed: 11, Count: count})
	require.NoError(t, err)
	bench, err := engine.NewBench(run)
	require.NoError(t, err)
	waiting := make([][][]byte, engine.MaxPorts)
	for _, s := range run.Stimulus {
		waiting[s.Port] = append(waiting[s.Port], s.Beat)
	}
	info, _ := event.UnitByName(unit)
	bench.Advance(run.MaxCycles, func(r engine.Record) {
		h := handshake{r.Cycle, r.Port, append([]byte(nil), r.Beat...)}
		if info.Ports[r.Port].Direction == event.In {
			h.beat, waiting[r.Port] = waiting[r.Port][0], waiting[r.Port][1:]
		}
		records = append(records, h)
	})
	hang, _ := bench.End()
	require.False(t, hang)
	return records
}

// captureOf writes handshakes as a capture.
func captureOf(t testing.TB, unit string, c profile.Config, records []handshake, ports ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	seed := uint64(11)
	w, err := capture.NewWriter(&b, capture.Meta{Unit: unit, Config: c.Name, Seed: &seed}, ports...)
	require.NoError(t, err)
	for _, h := range records {
		require.NoError(t, w.Record(h.cycle, h.port, h.beat))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// dump is a dump in memory, so that a test can change it.
type dump struct {
	header  *vcd.Header
	changes []dumpChange
}

type dumpChange struct {
	time   uint64
	signal int
	form   vcd.Form
	value  string
}

func readDump(t testing.TB, b []byte) *dump {
	t.Helper()
	r, err := vcd.NewReader(bytes.NewReader(b))
	require.NoError(t, err)
	d := &dump{header: r.Header()}
	for {
		c, err := r.Next()
		if err == io.EOF {
			return d
		}
		require.NoError(t, err)
		d.changes = append(d.changes, dumpChange{c.Time, c.Signal, c.Form, string(c.Value)})
	}
}

func (d *dump) bytes(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, vcd.WriteHeader(&b, d.header))
	var body []byte
	now := ^uint64(0)
	for _, c := range d.changes {
		if c.time != now {
			body, now = vcd.AppendTime(body, c.time), c.time
		}
		body = vcd.AppendChange(body, c.form, c.signal, d.header.Widths[c.signal], []byte(c.value))
	}
	b.Write(body)
	return b.Bytes()
}

// signal is the ordinal of a variable of the scope.
func (d *dump) signal(t testing.TB, path string) int {
	t.Helper()
	for i := range d.header.Variables {
		if d.header.Variables[i].Path() == path {
			return d.header.Variables[i].Signal
		}
	}
	require.Fail(t, "no variable "+path)
	return -1
}

// at is a signal's value just before time, in all its digits.
func (d *dump) at(signal int, time uint64) string {
	value := ""
	for _, c := range d.changes {
		if c.time >= time {
			break
		}
		if c.signal == signal {
			value = c.value
		}
	}
	return string(vcd.Extend(nil, []byte(value), d.header.Widths[signal]))
}

// with returns the dump in which a signal has another value just before time only.
func (d *dump) with(signal int, time uint64, value string) *dump {
	out := &dump{header: d.header}
	old := d.at(signal, time)
	for i, c := range d.changes {
		if c.time >= time && (i == 0 || d.changes[i-1].time < time) {
			out.changes = append(out.changes, dumpChange{time - 1, signal, vcd.Bits, value}, dumpChange{time, signal, vcd.Bits, old})
		}
		out.changes = append(out.changes, c)
	}
	return out
}

// edges are the times of the rising edges of clk that sample rst low.
func (d *dump) edges(t testing.TB, scope string) (times []uint64) {
	t.Helper()
	clk, rst := d.signal(t, scope+".clk"), d.signal(t, scope+".rst")
	before := ""
	for _, c := range d.changes {
		if c.signal != clk {
			continue
		}
		if before == "0" && c.value == "1" && d.at(rst, c.time) == "0" {
			times = append(times, c.time)
		}
		before = c.value
	}
	return times
}
