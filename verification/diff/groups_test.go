package diff

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/verdict"
)

// together is how far apart two completions may be for the second to be possible in the place of the first: what it
// completes came in longer before.
const together = profile.RobPipelineCycles * period

// exchanged is a port's beats with neighbours exchanged that came close together and for which may says so, and how many
// pairs were.
func exchanged(beats [][]byte, times []uint64, may func(a, b []byte) bool) (out [][]byte, pairs int) {
	out = slices.Clone(beats)
	for i := 1; i < len(out); i++ {
		if times[i]-times[i-1] <= together && may(out[i-1], out[i]) {
			out[i-1], out[i] = out[i], out[i-1]
			pairs++
			i++
		}
	}
	return out, pairs
}

// sameGroup tells whether two beats agree in the fields that order their port.
func sameGroup(port *event.Port, a, b []byte) bool {
	return !slices.ContainsFunc(port.OrderedBy, func(name string) bool {
		f, _ := port.FieldByName(name)
		return f.Value(a) != f.Value(b)
	})
}

// completions is a dump of the reorder buffer whose device completes messages in another order, and how many pairs of
// neighbours it exchanged.
func completions(t *testing.T, may func(port *event.Port, a, b []byte) bool) (*pins, int) {
	t.Helper()
	var beats [][]byte
	var times []uint64
	plain := newPins("rob", false, false)
	plain.show = func(port *event.Port, ordinal int, beat []byte) []byte {
		if port.Name == "m_cqe" && ordinal == len(beats) {
			beats = append(beats, beat)
			times = append(times, plain.changes[len(plain.changes)-1].time)
		}
		return beat
	}
	plain.run(t, profile.Small, 1500, 1)
	cqe, _ := plain.unit.PortByName("m_cqe")
	other, pairs := exchanged(beats, times, func(a, b []byte) bool { return may(cqe, a, b) })
	dump := newPins("rob", false, false)
	dump.show = func(port *event.Port, ordinal int, beat []byte) []byte {
		if port.Name == "m_cqe" {
			return other[ordinal]
		}
		return beat
	}
	return dump.run(t, profile.Small, 1500, 1), pairs
}

// TestStreamsCompleteInAnyInterleaving: at order level a device may complete the messages of two streams in another
// interleaving, and a dump of it may end anywhere; the messages of one stream must stay in order.
func TestStreamsCompleteInAnyInterleaving(t *testing.T) {
	d, pairs := completions(t, func(port *event.Port, a, b []byte) bool { return !sameGroup(port, a, b) })
	require.Greater(t, pairs, 5)
	report := judge(t, d.bytes(t), Options{Level: compare.Order, Config: "small"})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	require.Equal(t, verdict.Different, judge(t, d.bytes(t), Options{Level: compare.Cycle, Config: "small"}).Verdict)
	for part := 3; part < 20; part++ {
		cut := &dump{header: d.header, changes: d.changes[:len(d.changes)*part/20]}
		report := judge(t, cut.bytes(t), Options{Level: compare.Order, Config: "small"})
		require.Equal(t, verdict.Same, report.Verdict, "%d/20 of the dump: %+v", part, report.First)
	}

	d, pairs = completions(t, sameGroup)
	require.Positive(t, pairs)
	report = judge(t, d.bytes(t), Options{Level: compare.Order, Config: "small"})
	require.Equal(t, verdict.Different, report.Verdict)
	require.Equal(t, "m_cqe", report.First.Port)
}
