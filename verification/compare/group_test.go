package compare_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/frame"
	"metaroce/verification/compare"
	"metaroce/verification/stimulus"
	"metaroce/verification/verdict"
)

// groupOf is the values of the fields that order a port without packets. Beats of a port with packets are of one group
// here: it is their frames that have groups.
func groupOf(port *event.Port, beat []byte) string {
	if port.Packet != "" {
		return ""
	}
	var key []byte
	for _, name := range port.OrderedBy {
		f, _ := port.FieldByName(name)
		key = append(key, beat[f.Offset:f.Offset+f.Bytes]...)
	}
	return string(key)
}

// unitOf is what is ordered on a port: a beat, or the beats of a frame. records are their indexes in the trace.
type unitOf struct {
	group   string
	records []int
}

// ordered cuts a port's records into what is ordered.
func ordered(t *testing.T, tr *trace, port *event.Port) []unitOf {
	t.Helper()
	var all []unitOf
	var open unitOf
	var bytes []byte
	for i, r := range tr.records {
		if r.Port != port.ID {
			continue
		}
		if port.Packet == "" {
			all = append(all, unitOf{group: groupOf(port, r.Beat), records: []int{i}})
			continue
		}
		var last bool
		bytes, last = stimulus.JoinBeat(port, bytes, r.Beat)
		if open.records = append(open.records, i); last {
			ack, err := frame.ParseAck(bytes)
			require.NoError(t, err)
			open.group = string([]byte{byte(ack.Base.Connection >> 16), byte(ack.Base.Connection >> 8), byte(ack.Base.Connection),
				byte(ack.Base.Path >> 8), byte(ack.Base.Path)})
			all = append(all, open)
			open, bytes = unitOf{}, nil
		}
	}
	return all
}

// arranged is the trace with what a port gives in another order, in the cycles in which the port gave something.
func arranged(tr *trace, order []unitOf) *trace {
	var slots, from []int
	for _, u := range order {
		from = append(from, u.records...)
	}
	slots = slices.Sorted(slices.Values(from))
	records := tr.copy()
	for i, slot := range slots {
		records[slot].Beat = tr.records[from[i]].Beat
	}
	return tr.changed(records)
}

func orderedPorts(tr *trace) []*event.Port {
	var ports []*event.Port
	for i := range tr.unit.Ports {
		if len(tr.unit.Ports[i].OrderedBy) > 0 {
			ports = append(ports, &tr.unit.Ports[i])
		}
	}
	return ports
}

// TestGroupsInterleaveFreely lets a device finish streams, paths and connections in another interleaving: first all of one
// group, then all of the next; the other way round; and at random.
func TestGroupsInterleaveFreely(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 400)
		for _, port := range orderedPorts(tr) {
			plain := ordered(t, tr, port)
			r := rand.New(rand.NewPCG(7, 1))
			rank := map[string]int{}
			for _, u := range plain {
				if _, known := rank[u.group]; !known {
					rank[u.group] = r.IntN(1 << 30)
				}
			}
			require.Greater(t, len(rank), 1, "%s.%s has one group only", unit, port.Name)
			byGroup, mixed := slices.Clone(plain), slices.Clone(plain)
			slices.SortStableFunc(byGroup, func(a, b unitOf) int { return rank[a.group] - rank[b.group] })
			for range 20 * len(mixed) {
				if i := 1 + r.IntN(len(mixed)-1); mixed[i].group != mixed[i-1].group {
					mixed[i], mixed[i-1] = mixed[i-1], mixed[i]
				}
			}
			for _, order := range [][]unitOf{byGroup, mixed} {
				device := arranged(tr, order)
				report := judge(compare.Order, tr, device)
				require.Equal(t, verdict.Same, report.Verdict, "%s.%s: %+v", unit, port.Name, report.First)
				require.Equal(t, judge(compare.Order, tr, tr).Compared, report.Compared)
				require.Equal(t, verdict.Same, judge(compare.Order, device, tr).Verdict)
				require.Equal(t, verdict.Different, judge(compare.Cycle, tr, device).Verdict, "%s.%s", unit, port.Name)
			}
		}
	}
}

// TestAGroupKeepsItsOrder exchanges what a port gives with the next of the same group that differs, in a device that
// interleaves the groups in its own way.
func TestAGroupKeepsItsOrder(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 300)
		for _, port := range orderedPorts(tr) {
			order := ordered(t, tr, port)
			slices.SortStableFunc(order, func(a, b unitOf) int { return strings.Compare(a.group, b.group) })
			swaps := 0
			for i := 1; i < len(order); i += 1 + len(order)/20 {
				if order[i].group != order[i-1].group || tr.same(order[i], order[i-1]) {
					continue
				}
				wrong := slices.Clone(order)
				wrong[i], wrong[i-1] = wrong[i-1], wrong[i]
				report := judge(compare.Order, tr, arranged(tr, wrong))
				require.Equal(t, verdict.Different, report.Verdict, "%s.%s: %d and the one before", unit, port.Name, i)
				require.Equal(t, port.Name, report.First.Port)
				require.NotEmpty(t, report.First.Key)
				swaps++
			}
			require.Positive(t, swaps, "%s.%s", unit, port.Name)
		}
	}
}

func (tr *trace) same(a, b unitOf) bool {
	return slices.EqualFunc(a.records, b.records, func(i, j int) bool { return string(tr.records[i].Beat) == string(tr.records[j].Beat) })
}

// TestTheLastOfAGroupIsMissed leaves out the last that a group gives, though others follow: the report names the record
// and its group, of whichever side it is.
func TestTheLastOfAGroupIsMissed(t *testing.T) {
	for _, unit := range units {
		tr := modelTrace(t, unit, 300)
		for _, port := range orderedPorts(tr) {
			all := ordered(t, tr, port)
			last := map[string]int{}
			for i, u := range all {
				last[u.group] = i
			}
			for _, at := range slices.Sorted(maps.Values(last)) {
				left := without(tr, all[at].records)
				report := judge(compare.Order, tr, left)
				where := unit + "." + port.Name
				require.Equal(t, verdict.Different, report.Verdict, where)
				require.Equal(t, verdict.KindMissing, report.First.Kind, "%s: %+v", where, report.First)
				require.Equal(t, port.Name, report.First.Port, where)
				require.EqualValues(t, at, report.First.Record, where)
				requireGroup(t, port, report.First.Got, tr.records[all[at].records[0]].Beat)
				report = judge(compare.Order, left, tr)
				require.Equal(t, verdict.KindUnexpected, report.First.Kind, "%s: %+v", where, report.First)
				require.EqualValues(t, at, report.First.Record, where)
				requireGroup(t, port, report.First.Want, tr.records[all[at].records[0]].Beat)
			}
		}
	}
}

func without(tr *trace, left []int) *trace {
	var records []engine.Record
	for i, r := range tr.records {
		if !slices.Contains(left, i) {
			records = append(records, r)
		}
	}
	return tr.changed(records)
}

// requireGroup demands that a text names the group of a beat.
func requireGroup(t *testing.T, port *event.Port, text string, beat []byte) {
	t.Helper()
	require.Contains(t, text, "no more of")
	for _, name := range port.OrderedBy {
		if f, ok := port.FieldByName(name); ok {
			require.Contains(t, text, name+"="+compare.FormatField(f, beat))
		} else {
			require.Contains(t, text, name+"=0x")
		}
	}
}

// TestABusyDeviceMayOweTheRest: of a device that ended in the middle of its work only what it has is judged.
func TestABusyDeviceMayOweTheRest(t *testing.T) {
	tr := modelTrace(t, "rob", 100)
	device := tr.changed(tr.records[:len(tr.records)/2])
	require.Equal(t, verdict.Different, judge(compare.Order, tr, device).Verdict)
	device.end.Busy = true
	require.Equal(t, verdict.Same, judge(compare.Order, tr, device).Verdict)
	busy := tr.changed(tr.records)
	busy.end.Busy = true
	require.Equal(t, verdict.KindUnexpected, judge(compare.Order, device, busy).First.Kind)
}
