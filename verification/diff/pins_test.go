package diff

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/stimulus"
	"metaroce/verification/trace"
	"metaroce/verification/trace/vcd"
	"metaroce/verification/verdict"
)

// pins is a dump of the model's own pins: what a device that is right shows, for units and sizes of which no simulator's
// dump is kept. Inputs change in mid-cycle, outputs with the rising edge, as in the co-simulation's harness.
type pins struct {
	dump
	unit    *event.Unit
	names   map[string]int
	wide    map[string]string // values shown last
	split   bool              // vectors bit by bit, in ascending order
	padding bool              // tdata beyond tkeep is x
	taken   [engine.MaxPorts]int
	show    func(port *event.Port, ordinal int, beat []byte) []byte // what a port gives instead; nil: what the model gives
}

const period = 4000

func (p *pins) declare(name string, width int) {
	scope := []string{"TOP", p.unit.Module}
	if p.split && width > 1 && width <= 64 {
		for bit := range width {
			p.names[fmt.Sprintf("%s[%d]", name, bit)] = len(p.header.Widths)
			p.variable(vcd.Variable{Scope: scope, Name: name, Kind: "wire", Width: 1, High: bit, Low: bit, HasRange: true})
		}
		return
	}
	p.names[name] = len(p.header.Widths)
	p.variable(vcd.Variable{Scope: scope, Name: name, Kind: "wire", Width: width, High: width - 1, HasRange: width > 1})
}

func (p *pins) variable(v vcd.Variable) {
	v.Signal = len(p.header.Widths)
	p.header.Variables = append(p.header.Variables, v)
	p.header.Widths = append(p.header.Widths, v.Width)
}

func (p *pins) set(time uint64, name, digits string) {
	if p.wide[name] == digits {
		return
	}
	p.wide[name] = digits
	if s, ok := p.names[name]; ok {
		p.changes = append(p.changes, dumpChange{time, s, vcd.Bits, digits})
		return
	}
	for bit := range len(digits) {
		p.changes = append(p.changes, dumpChange{time, p.names[fmt.Sprintf("%s[%d]", name, bit)], vcd.Bits, digits[len(digits)-1-bit:][:1]})
	}
}

func (p *pins) bit(time uint64, name string, v bool) {
	p.set(time, name, map[bool]string{false: "0", true: "1"}[v])
}

// fields shows a beat; nil is all zero.
func (p *pins) fields(time uint64, port *event.Port, beat []byte) {
	for i := range port.Fields {
		f := &port.Fields[i]
		digits := make([]byte, f.Bits)
		for b := range f.Bits {
			digits[f.Bits-1-b] = '0'
			if beat != nil && beat[f.Offset+b/8]>>(b%8)&1 == 1 {
				digits[f.Bits-1-b] = '1'
			}
		}
		if keep, ok := port.FieldByName("tkeep"); ok && p.padding && beat != nil && f.Name == "tdata" && port.Direction == event.In {
			for b := range f.Bits {
				if keep.Value(beat)>>(b/8)&1 == 0 {
					digits[f.Bits-1-b] = 'x'
				}
			}
		}
		p.set(time, port.Name+"_"+f.Name, string(digits))
	}
}

func newPins(unit string, split, padding bool) *pins {
	info, _ := event.UnitByName(unit)
	p := &pins{unit: info, names: map[string]int{}, wide: map[string]string{}, split: split, padding: padding}
	p.header = &vcd.Header{Unit: trace.Resolution{Multiple: 1, Base: 10, Exponent: 12}}
	for _, name := range []string{"clk", "rst"} {
		p.declare(name, 1)
	}
	for i := range info.Ports {
		port := &info.Ports[i]
		p.declare(validName(port), 1)
		if port.Style != event.Event {
			p.declare(readyName(port), 1)
		}
		for f := range port.Fields {
			p.declare(port.Name+"_"+port.Fields[f].Name, port.Fields[f].Bits)
		}
	}
	for _, name := range info.Counters {
		p.declare("count_"+name, 32)
	}
	return p
}

// run shows stimulus going through the model: resets cycles of reset, then a run, as often as asked for.
func (p *pins) run(t testing.TB, c profile.Config, count, runs int) *pins {
	t.Helper()
	time := uint64(0)
	for range runs {
		p.bit(time, "rst", true)
		for range 3 {
			p.bit(time+period/2, "clk", false)
			time += period
			p.bit(time, "clk", true)
		}
		time = p.traffic(t, c, count, time)
	}
	return p
}

func (p *pins) traffic(t testing.TB, c profile.Config, count int, time uint64) uint64 {
	t.Helper()
	run, err := stimulus.Generate(stimulus.Options{Unit: p.unit.Name, Config: c, Seed: 5, Count: count})
	require.NoError(t, err)
	unit, err := engine.New(p.unit.Name, c)
	require.NoError(t, err)
	waiting := make([][]engine.Stimulus, len(p.unit.Ports))
	for _, s := range run.Stimulus {
		waiting[s.Port] = append(waiting[s.Port], s)
	}
	p.outputs(time, unit)
	last := uint64(0)
	for cycle := uint64(0); cycle < unit.FirstReady()+200 || cycle < last+400; cycle++ {
		if p.cycle(time+period/2, cycle, unit, waiting) {
			last = cycle
		}
		time += period
		p.bit(time, "clk", true)
		p.outputs(time, unit)
	}
	return time
}

// cycle drives the inputs of one cycle from mid-cycle on, and steps the model.
func (p *pins) cycle(time, cycle uint64, unit engine.Unit, waiting [][]engine.Stimulus) (busy bool) {
	p.bit(time, "clk", false)
	p.bit(time, "rst", false)
	var in engine.Inputs
	for i := range p.unit.Ports {
		port := &p.unit.Ports[i]
		if port.Direction == event.In {
			offered := len(waiting[i]) > 0 && waiting[i][0].Cycle <= cycle
			p.bit(time, validName(port), offered)
			if !offered {
				p.fields(time, port, nil)
				busy = busy || len(waiting[i]) > 0
				continue
			}
			busy = true
			in.Valid |= 1 << i
			in.Beat[i] = waiting[i][0].Beat
			p.fields(time, port, in.Beat[i])
			if unit.Ready(i) {
				waiting[i] = waiting[i][1:]
			}
			continue
		}
		busy = busy || unit.Valid(i)
		if port.Style != event.Event {
			ready := (cycle/16+uint64(i))%3 != 0
			p.bit(time, readyName(port), ready)
			if ready {
				in.Ready |= 1 << i
			}
			if ready && unit.Valid(i) {
				p.taken[i]++
			}
		}
	}
	unit.Step(&in)
	return busy
}

// outputs shows what the unit shows at the start of a cycle.
func (p *pins) outputs(time uint64, unit engine.Unit) {
	for i := range p.unit.Ports {
		port := &p.unit.Ports[i]
		if port.Direction == event.In {
			p.bit(time, readyName(port), unit.Ready(i))
			continue
		}
		p.bit(time, validName(port), unit.Valid(i))
		if unit.Valid(i) {
			beat := unit.AppendBeat(i, nil)
			if p.show != nil {
				beat = p.show(port, p.taken[i], beat)
			}
			p.fields(time, port, beat)
		}
	}
	for i, v := range unit.AppendCounters(nil) {
		p.set(time, "count_"+p.unit.Counters[i], fmt.Sprintf("%032b", v))
	}
}

func TestDumpsOfAllUnitsAreTheSame(t *testing.T) {
	for i := range event.Units {
		name := event.Units[i].Name
		for _, c := range profile.Configurations {
			b := newPins(name, false, true).run(t, c, 40, 1).bytes(t)
			for _, level := range []compare.Level{compare.Cycle, compare.Order} {
				report := judge(t, b, Options{Level: level, Config: c.Name})
				require.Equal(t, verdict.Same, report.Verdict, "%s %s %s: %+v", name, c.Name, level, report.First)
				require.Equal(t, name, report.Unit)
				for _, p := range report.Ports {
					port, _ := event.Units[i].PortByName(p.Name)
					require.True(t, p.Compared > 0 || level == compare.Order && port.Direction == event.In, "%s %s: nothing compared on %s", name, level, p.Name)
				}
			}
		}
	}
}

func TestVectorsDumpedBitByBit(t *testing.T) {
	d := newPins("sack", true, false).run(t, profile.Small, 20, 1)
	report := judge(t, d.bytes(t), Options{})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	edges := d.edges(t, "TOP.mr_sack")
	for at := range edges {
		if d.at(d.names["dbg_update_valid"], edges[at]) == "1" {
			s := d.names["dbg_update_psn[31]"]
			report := judge(t, d.with(s, edges[at], flipped(d.at(s, edges[at]), 0)).bytes(t), Options{})
			require.Equal(t, "psn", report.First.Field)
			require.EqualValues(t, at, report.First.Cycle)
			return
		}
	}
	require.Fail(t, "no event")
}

// TestASecondReset runs twice behind one another in one dump.
func TestASecondReset(t *testing.T) {
	d := newPins("rob", false, false).run(t, profile.Small, 20, 2)
	once := judge(t, newPins("rob", false, false).run(t, profile.Small, 20, 1).bytes(t), Options{})
	report := judge(t, d.bytes(t), Options{})
	require.Equal(t, verdict.Same, report.Verdict, "%+v", report.First)
	require.Equal(t, 2*once.Compared, report.Compared)
	require.Contains(t, strings.Join(report.Notes, "\n"), "reset again")
	ordered := judge(t, d.bytes(t), Options{Level: compare.Order})
	require.Equal(t, verdict.Same, ordered.Verdict)
	require.Contains(t, strings.Join(ordered.Notes, "\n"), "not compared from there on")
}

// TestAMessageThatNeverComes takes the last completion away: at order level it is missing, as the dump goes on long
// enough behind it.
func TestAMessageThatNeverComes(t *testing.T) {
	d := newPins("rob", false, false).run(t, profile.Small, 30, 1)
	edges := d.edges(t, "TOP.mr_rob")
	valid := d.names["m_cqe_valid"]
	at := 0
	for c := range edges {
		if d.at(valid, edges[c]) == "1" && d.at(d.names["m_cqe_ready"], edges[c]) == "1" {
			at = c
		}
	}
	changed := d.with(valid, edges[at], "0")
	report := judge(t, changed.bytes(t), Options{Level: compare.Order})
	require.Equal(t, verdict.Different, report.Verdict)
	require.Equal(t, verdict.KindMissing, report.First.Kind)
	require.Equal(t, "m_cqe", report.First.Port)
}

// TestEachFieldOfTheReceiveEngine flips each field of the engine's outputs in its widest unit, frames included.
func TestEachFieldOfTheReceiveEngine(t *testing.T) {
	d := newPins("rx", false, true).run(t, profile.Small, 12, 1)
	edges := d.edges(t, "TOP.mr_rx")
	for i := range d.unit.Ports {
		p := &d.unit.Ports[i]
		if p.Direction == event.In {
			continue
		}
		cycle := slices.IndexFunc(edges, func(time uint64) bool {
			return d.at(d.names[validName(p)], time) == "1" && (p.Style == event.Event || d.at(d.names[readyName(p)], time) == "1")
		})
		require.Positive(t, cycle, p.Name)
		for f := range p.Fields {
			s := d.names[p.Name+"_"+p.Fields[f].Name]
			bit := p.Fields[f].Bits - 1
			report := judge(t, d.with(s, edges[cycle], flipped(d.at(s, edges[cycle]), bit)).bytes(t), Options{})
			require.Equal(t, verdict.Different, report.Verdict)
			require.Equal(t, p.Name+"."+p.Fields[f].Name, report.First.Port+"."+report.First.Field)
			require.EqualValues(t, cycle, report.First.Cycle)
		}
	}
}

// TestUnknownDataCountsOnlyInsideAFrame: an input's data beyond tkeep may be unknown, the rest and any output not.
func TestUnknownDataCountsOnlyInsideAFrame(t *testing.T) {
	d := newPins("rx", false, true).run(t, profile.Small, 6, 1)
	require.True(t, bytes.Contains(d.bytes(t), []byte("bx")), "no unknown padding in the dump")
	edges := d.edges(t, "TOP.mr_rx")
	s := d.names["s_axis_tdata"]
	for c := range edges {
		if d.at(d.names["s_axis_tvalid"], edges[c]) != "1" {
			continue
		}
		value := []byte(d.at(s, edges[c]))
		value[len(value)-1] = 'x'
		report := judge(t, d.with(s, edges[c], string(value)).bytes(t), Options{})
		require.Equal(t, verdict.KindUnknown, report.First.Kind)
		require.Equal(t, "TOP.mr_rx.s_axis_tdata", report.First.Signal)
		return
	}
	require.Fail(t, "no frame")
}
