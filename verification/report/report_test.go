package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/verification/verdict"
)

func sackUnit(t *testing.T) *event.Unit {
	t.Helper()
	unit, ok := event.UnitByName("sack")
	require.True(t, ok)
	return unit
}

// updates are the debug events of one path whose PSN passes 2^32.
func updates(unit *event.Unit, path uint16, n int) []engine.Record {
	port, _ := unit.PortByName("dbg_update")
	var records []engine.Record
	for i := range n {
		u := event.SackDbgUpdate{Connection: 1, Path: path, Psn: uint32(i) - uint32(n/2), Class: event.SackClassNewInOrder}
		records = append(records, engine.Record{Cycle: uint64(100 + i), Port: port.ID, Beat: u.Append(nil)})
	}
	return records
}

func TestSeriesShowsTheBusiestContext(t *testing.T) {
	unit := sackUnit(t)
	s := NewSeries(unit)
	for _, records := range [][]engine.Record{updates(unit, 1, 5), updates(unit, 2, 9), updates(unit, 3, 2)} {
		for i := range records {
			s.Add(&records[i])
		}
	}
	points, title := s.busiest()
	require.Len(t, points, 9)
	require.Equal(t, "PSN over time: connection 1, path 2", title)
}

func TestAWrapIsNoCliff(t *testing.T) {
	unit := sackUnit(t)
	s := NewSeries(unit)
	records := updates(unit, 0, 40)
	for i := range records {
		s.Add(&records[i])
	}
	points, _ := s.busiest()
	values, low, high := s.relative(points)
	for i := 1; i < len(values); i++ {
		require.GreaterOrEqual(t, values[i], values[i-1])
	}
	require.Less(t, high-low, int64(100))
	require.Equal(t, "0x00000000", s.tick(points, 20))
}

func TestSeriesIsBounded(t *testing.T) {
	unit := sackUnit(t)
	s := NewSeries(unit)
	for path := range uint16(2 * maxContexts) {
		for _, r := range updates(unit, path, 3) {
			s.Add(&r)
		}
	}
	require.Len(t, s.contexts, maxContexts)
	records := updates(unit, 0, 2*maxPoints)
	for i := range records {
		s.Add(&records[i])
	}
	points, _ := s.busiest()
	require.Len(t, points, maxPoints)
}

func TestPageIsSelfContainedAndEscaped(t *testing.T) {
	unit := sackUnit(t)
	records := updates(unit, 0, 30)
	spoilt := updates(unit, 0, 30)
	spoilt[7].Beat[9] ^= 1
	r := &verdict.Report{Verdict: verdict.Different, Unit: "sack", Source: "<script>alert(1)</script>", First: &verdict.Difference{
		Kind: verdict.KindField, Cycle: 107, Port: "dbg_update", Field: "class", Want: "<b>", Got: "&",
		WantRecord: "cycle 107 dbg_update connection=0x1 class=OLD(3)", GotRecord: "cycle 107 dbg_update connection=0x1 class=BEYOND(4)",
	}}
	in := &Input{Report: r, Unit: unit, Model: records, Device: spoilt, From: 100, To: 120, Marked: true, Mark: 107, Series: NewSeries(unit)}
	for i := range records {
		in.Series.Add(&records[i])
	}
	var page strings.Builder
	require.NoError(t, WriteHTML(&page, in))
	text := page.String()
	for _, forbidden := range []string{"<script", "http:", "https:", "<link", "<img", "<b>&"} {
		require.NotContains(t, text, forbidden)
	}
	require.Contains(t, text, "&lt;script&gt;")
	require.Contains(t, text, "Interim profile metaroce-interim, version 1: conformity is not claimed")
	require.Contains(t, text, `<line class="at"`)
	require.Contains(t, text, "a field of the same record has two values")
	require.Equal(t, 2, strings.Count(text, `class="wrong"`), "the spoilt record is red on both sides, and no other")
	require.Contains(t, text, `<tr class="different"><td>class</td><td>OLD(3)</td><td>BEYOND(4)</td></tr>`)
	require.Equal(t, 2, strings.Count(text, "<svg"))
}

func TestRunWithoutRecordsHasAPage(t *testing.T) {
	var page strings.Builder
	require.NoError(t, WriteHTML(&page, &Input{Report: &verdict.Report{Verdict: verdict.Truncated, Unit: "rob"}, Unit: sackUnit(t)}))
	require.NotContains(t, page.String(), "<svg")
	require.Contains(t, page.String(), "truncated")
}
