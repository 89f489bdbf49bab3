package compare_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/verification/compare"
	"metaroce/verification/verdict"
)

// deviceFirst compares two traces window by window like judge, but for the first record, which the device has before the
// model: from there on nothing is left to what is done for speed while the model is ahead.
func deviceFirst(model, device *trace) *verdict.Report {
	c := compare.New(model.unit, compare.Cycle)
	c.Device(device.records[0])
	feed(c, model.records, device.records[1:])
	report := &verdict.Report{}
	c.Finish(report, model.end, device.end)
	return report
}

// What a report says of a difference does not depend on how the records came: late in a long run, when what agreed has
// been thrown away many times over, the last good records and the last events are still there.
func TestLateDifferenceIsReportedTheSameHoweverRecordsCome(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 9000)
		require.Greater(t, len(tr.records), 20_000)
		for _, back := range []int{1, 2, 100, 4000, 4100, 8200, 16_000} {
			at := len(tr.records) - back
			for at > 0 && tr.unit.Ports[tr.records[at].Port].Direction == event.In {
				at--
			}
			records := tr.copy()
			records[at].Beat[0] ^= 1
			spoilt := tr.changed(records)
			fast, slow := judge(compare.Cycle, tr, spoilt), deviceFirst(tr, spoilt)
			require.Equal(t, verdict.Different, fast.Verdict, "%s, record %d", unit, at)
			require.Equal(t, slow.First, fast.First, "%s, record %d", unit, at)
			require.Equal(t, slow.Ports, fast.Ports, "%s, record %d", unit, at)
			require.Len(t, fast.First.LastGood, 6)
			require.NotEmpty(t, fast.First.ModelState)
			require.NotEmpty(t, fast.First.DeviceState)
		}
	}
}

// While both sides agree nothing is allocated a record.
func TestAgreementDoesNotAllocate(t *testing.T) {
	tr := modelTrace(t, "sack", 8000)
	c := compare.New(tr.unit, compare.Cycle)
	at := 0
	window := func() {
		for i := range 1000 {
			c.Model(tr.records[at+i])
		}
		for i := range 1000 {
			c.Device(tr.records[at+i])
		}
		at += 1000
	}
	for range 15 { // buffers find their size, the histories are full
		window()
	}
	require.Zero(t, testing.AllocsPerRun(5, window))
	require.EqualValues(t, at, c.Compared())
}

// BenchmarkCompare is what comparing costs, a record of each side an iteration.
func BenchmarkCompare(b *testing.B) {
	tr := modelTrace(b, "sack", 3000)
	const window = 4096
	c := compare.New(tr.unit, compare.Cycle)
	b.ReportAllocs()
	at := 0
	for n := b.N; n > 0; n -= window {
		if at+window > len(tr.records) {
			at, c = 0, compare.New(tr.unit, compare.Cycle)
		}
		for i := range min(n, window) {
			c.Model(tr.records[at+i])
		}
		for i := range min(n, window) {
			c.Device(tr.records[at+i])
		}
		at += window
	}
	if c.First() != nil {
		b.Fatal(c.First())
	}
}
