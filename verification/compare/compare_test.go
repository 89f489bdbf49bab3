package compare_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/stimulus"
	"metaroce/verification/verdict"
)

var (
	units  = []string{"sack", "rob", "rate", "rx"}
	levels = []compare.Level{compare.Cycle, compare.Order}
)

// trace is one side of a run.
type trace struct {
	unit    *event.Unit
	records []engine.Record
	end     compare.End
}

func modelTrace(t testing.TB, unit string, count int) *trace {
	t.Helper()
	run, err := stimulus.Generate(stimulus.Options{Unit: unit, Config: profile.Small, Seed: 3, Count: count})
	require.NoError(t, err)
	bench, err := engine.NewBench(run)
	require.NoError(t, err)
	tr := &trace{unit: bench.Unit().Info()}
	bench.Advance(1<<62, func(r engine.Record) { tr.records = append(tr.records, clone(r)) })
	hang, cycle := bench.End()
	tr.end = compare.End{Complete: true, Hang: hang, Cycle: cycle, Counters: bench.Counters()}
	require.False(t, hang)
	return tr
}

func clone(r engine.Record) engine.Record {
	r.Beat = append([]byte(nil), r.Beat...)
	return r
}

// changed is the trace with its records replaced.
func (tr *trace) changed(records []engine.Record) *trace {
	return &trace{unit: tr.unit, records: records, end: tr.end}
}

func (tr *trace) copy() []engine.Record {
	records := make([]engine.Record, len(tr.records))
	for i := range records {
		records[i] = clone(tr.records[i])
	}
	return records
}

// judge compares two traces, fed in windows as a run feeds them: model first, then device.
func judge(level compare.Level, model, device *trace) *verdict.Report {
	c := compare.New(model.unit, level)
	feed(c, model.records, device.records)
	report := &verdict.Report{}
	c.Finish(report, model.end, device.end)
	return report
}

func feed(c *compare.Comparer, m, d []engine.Record) {
	const window = 64
	for len(m) > 0 || len(d) > 0 {
		for range min(window, len(m)) {
			c.Model(m[0])
			m = m[1:]
		}
		for range min(window, len(d)) {
			c.Device(d[0])
			d = d[1:]
		}
	}
}

func TestEqualTracesAreTheSame(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 400)
		for _, level := range levels {
			report := judge(level, tr, tr)
			require.Equal(t, verdict.Same, report.Verdict, "%s %s", unit, level)
			if level == compare.Cycle {
				require.EqualValues(t, len(tr.records), report.Compared)
			}
			for _, p := range report.Ports {
				if port, _ := tr.unit.PortByName(p.Name); level == compare.Cycle || port.Direction == event.Out {
					require.Positive(t, p.Compared, "%s %s: nothing compared on %s", unit, level, p.Name)
				}
			}
		}
	}
}

// TestEveryFlippedBitIsReported is the checker's proof of itself: one bit of one field of one record changed, at both
// ends of each field, on every output port, at every level at which the field counts.
func TestEveryFlippedBitIsReported(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 300)
		for _, level := range levels {
			flips := 0
			for p := range tr.unit.Ports {
				port := &tr.unit.Ports[p]
				if port.Direction == event.In {
					continue
				}
				for f := range port.Fields {
					for _, at := range indexes(tr, port.ID) {
						flips += flip(t, tr, level, port, &port.Fields[f], at)
					}
				}
			}
			require.Greater(t, flips, 20, "%s %s", unit, level)
		}
	}
}

// indexes are the first, a middle and the last record of a port.
func indexes(tr *trace, port uint8) []int {
	var all []int
	for i := range tr.records {
		if tr.records[i].Port == port {
			all = append(all, i)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return []int{all[0], all[len(all)/2], all[len(all)-1]}
}

func flip(t *testing.T, tr *trace, level compare.Level, port *event.Port, f *event.Field, at int) int {
	t.Helper()
	framed := level == compare.Order && port.Packet != ""
	for _, bit := range []int{0, f.Bits - 1} {
		records := tr.copy()
		records[at].Beat[f.Offset+bit/8] ^= 1 << (bit % 8)
		if framed && !kept(port, records[at].Beat, f, bit) {
			continue
		}
		where := fmt.Sprintf("%s %s: bit %d of %s.%s of record %d", tr.unit.Name, level, bit, port.Name, f.Name, at)
		report := judge(level, tr, tr.changed(records))
		require.Equal(t, verdict.Different, report.Verdict, where)
		require.Equal(t, port.Name, report.First.Port, where)
		require.NotEmpty(t, report.First.Rule, where)
		if !framed {
			require.Equal(t, verdict.KindField, report.First.Kind, where)
			require.Equal(t, f.Name, report.First.Field, where)
			require.Equal(t, tr.records[at].Cycle, report.First.Cycle, where)
			require.NotEqual(t, report.First.Want, report.First.Got, where)
		}
	}
	return 2
}

// kept tells whether a bit of an AXI-Stream beat belongs to the frame: data bytes that tkeep leaves out do not.
func kept(port *event.Port, beat []byte, f *event.Field, bit int) bool {
	keep, _ := port.FieldByName("tkeep")
	return f.Name != "tdata" || keep.Value(beat)>>(bit/8)&1 == 1
}

func TestLostDoubledSwappedAndLateRecordsAreReported(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 300)
		for _, level := range levels {
			for p := range tr.unit.Ports {
				port := &tr.unit.Ports[p]
				if level == compare.Order && port.Direction == event.In {
					continue
				}
				for _, at := range indexes(tr, port.ID) {
					where := fmt.Sprintf("%s %s: %s record %d", unit, level, port.Name, at)
					lost := append(tr.copy()[:at], tr.copy()[at+1:]...)
					require.Equal(t, verdict.Different, judge(level, tr, tr.changed(lost)).Verdict, "lost: "+where)
					require.Equal(t, verdict.Different, judge(level, tr.changed(lost), tr).Verdict, "too many: "+where)
					doubled := append(tr.copy()[:at+1], tr.copy()[at:]...)
					require.Equal(t, verdict.Different, judge(level, tr, tr.changed(doubled)).Verdict, "doubled: "+where)
					swapped(t, tr, level, port, at, where)
					late(t, tr, level, port, at, where)
				}
			}
		}
	}
}

// swapped exchanges the contents of a record and the next of its port, at order level of its group, that differs from it.
func swapped(t *testing.T, tr *trace, level compare.Level, port *event.Port, at int, where string) {
	t.Helper()
	for other := at + 1; other < len(tr.records); other++ {
		a, b := tr.records[at], tr.records[other]
		if b.Port != port.ID || string(a.Beat) == string(b.Beat) || level == compare.Order && groupOf(port, a.Beat) != groupOf(port, b.Beat) {
			continue
		}
		records := tr.copy()
		records[at].Beat, records[other].Beat = records[other].Beat, records[at].Beat
		require.Equal(t, verdict.Different, judge(level, tr, tr.changed(records)).Verdict, "swapped: "+where)
		return
	}
}

// late moves a record by one cycle: a difference at cycle level, and none at order level.
func late(t *testing.T, tr *trace, level compare.Level, port *event.Port, at int, where string) {
	t.Helper()
	records := tr.copy()
	records[at].Cycle++
	for at+1 < len(records) && before(records[at+1], records[at]) {
		if records[at+1].Port == port.ID {
			return // two of one port in a cycle: not a trace
		}
		records[at], records[at+1] = records[at+1], records[at]
		at++
	}
	if at+1 < len(records) && records[at+1].Port == port.ID && records[at+1].Cycle == records[at].Cycle {
		return
	}
	report := judge(level, tr, tr.changed(records))
	if level == compare.Order {
		require.Equal(t, verdict.Same, report.Verdict, "late: "+where)
		return
	}
	require.Equal(t, verdict.Different, report.Verdict, "late: "+where)
	require.Equal(t, verdict.KindCycle, report.First.Kind, "late: "+where)
	require.Equal(t, port.Name, report.First.Port, "late: "+where)
	require.NotEmpty(t, report.First.Rule, "late: "+where)
}

func before(a, b engine.Record) bool {
	return a.Cycle < b.Cycle || a.Cycle == b.Cycle && a.Port < b.Port
}

func TestNothingComparedIsNotTheSame(t *testing.T) {
	unit, _ := event.UnitByName("sack")
	empty := &trace{unit: unit, end: compare.End{Complete: true, Counters: make([]uint32, len(unit.Counters))}}
	for _, level := range levels {
		require.Equal(t, verdict.Different, judge(level, empty, empty).Verdict)
	}
}

func TestCountersAreCompared(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 100)
		for i, name := range tr.unit.Counters {
			device := tr.changed(tr.records)
			device.end.Counters = append([]uint32(nil), tr.end.Counters...)
			device.end.Counters[i] ^= 1 << 31
			report := judge(compare.Cycle, tr, device)
			require.Equal(t, verdict.Different, report.Verdict)
			require.Equal(t, verdict.KindCounter, report.First.Kind)
			require.Equal(t, "count_"+name, report.First.Port)
		}
		device := tr.changed(tr.records)
		device.end.Counters = nil
		require.Equal(t, verdict.Different, judge(compare.Order, tr, device).Verdict, "no counters at all")
	}
}

// TestEarlyEnd cuts one side off at every record of a short run: said so, the device's records missing; not said so,
// truncated; and a side that stopped with work left is named.
func TestEarlyEnd(t *testing.T) {
	tr := modelTrace(t, "sack", 12)
	for n := range tr.records {
		device := tr.changed(tr.records[:n])
		require.Equal(t, verdict.Different, judge(compare.Cycle, tr, device).Verdict, "ended after %d records", n)
		device.end.Complete, device.end.Cycle = false, 5
		report := judge(compare.Cycle, tr, device)
		require.Equal(t, verdict.Truncated, report.Verdict, "cut after %d records", n)
		require.EqualValues(t, n, report.Compared)
		require.Contains(t, report.Side, "device")
		device.end.Complete, device.end.Hang = true, true
		report = judge(compare.Cycle, tr, device)
		require.Equal(t, verdict.Hang, report.Verdict)
		require.Contains(t, report.Side, "device")
		require.NotNil(t, report.First, "a hang shows what did not come")
		hung := tr.changed(tr.records[:n])
		hung.end.Hang = true
		require.Contains(t, judge(compare.Cycle, hung, tr).Side, "model")
	}
}

// TestHoldTimeIsTheDevices changes an ACK's hold time: free at order level where the CRC is right for it, else not.
func TestHoldTimeIsTheDevices(t *testing.T) {
	tr := modelTrace(t, "rx", 60)
	port, _ := tr.unit.PortByName("m_axis")
	changed := tr.changed(withHold(t, tr, port, true))
	require.Equal(t, verdict.Same, judge(compare.Order, tr, changed).Verdict)
	require.Equal(t, verdict.Different, judge(compare.Cycle, tr, changed).Verdict)
	report := judge(compare.Order, tr, tr.changed(withHold(t, tr, port, false)))
	require.Equal(t, verdict.Different, report.Verdict)
	require.Equal(t, "trailer.crc", report.First.Field)
}
