package diff

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/event"
	"metaroce/verification/compare"
	"metaroce/verification/verdict"
)

const scope = "tb_sack.dut"

func TestRealDumpsAreTheSame(t *testing.T) {
	for _, name := range []string{"sack_icarus.vcd", "sack_verilator.vcd.gz"} {
		for _, level := range []compare.Level{"", compare.Cycle, compare.Order} {
			report := judge(t, realDump(t, name), Options{Level: level})
			require.Equal(t, verdict.Same, report.Verdict, "%s %s: %+v", name, level, report.First)
			require.Greater(t, report.Compared, uint64(100))
			require.Equal(t, "sack", report.Unit)
			require.Equal(t, "small", report.Configuration)
		}
	}
}

// sample is the first edge from a cycle on at which a port hands over a beat, or an event is valid.
func sample(t *testing.T, d *dump, edges []uint64, p *event.Port, from int) (cycle int) {
	valid := d.signal(t, scope+"."+validName(p))
	for cycle = from; cycle < len(edges); cycle++ {
		if d.at(valid, edges[cycle]) != "1" {
			continue
		}
		if p.Style == event.Event || d.at(d.signal(t, scope+"."+readyName(p)), edges[cycle]) == "1" {
			return cycle
		}
	}
	require.Fail(t, "no beat on "+p.Name)
	return -1
}

func flipped(value string, bit int) string {
	b := []byte(value)
	at := len(b) - 1 - bit
	b[at] ^= 1
	return string(b)
}

// TestEachFlippedFieldIsReported changes one bit of each field of each output, at either end of the field, in a real
// dump, at one clock edge: the diff must name that field, that cycle and that time.
func TestEachFlippedFieldIsReported(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	unit, _ := event.UnitByName("sack")
	flips := 0
	for i := range unit.Ports {
		p := &unit.Ports[i]
		if p.Direction == event.In {
			continue
		}
		cycle := sample(t, d, edges, p, 70)
		for f := range p.Fields {
			s := d.signal(t, scope+"."+p.Name+"_"+p.Fields[f].Name)
			for _, bit := range []int{0, p.Fields[f].Bits - 1} {
				changed := d.with(s, edges[cycle], flipped(d.at(s, edges[cycle]), bit))
				report := judge(t, changed.bytes(t), Options{})
				where := fmt.Sprintf("%s.%s bit %d", p.Name, p.Fields[f].Name, bit)
				require.Equal(t, verdict.Different, report.Verdict, where)
				require.Equal(t, verdict.KindField, report.First.Kind, where)
				require.Equal(t, p.Name, report.First.Port, where)
				require.Equal(t, p.Fields[f].Name, report.First.Field, where)
				require.EqualValues(t, cycle, report.First.Cycle, where)
				require.Equal(t, fmt.Sprint(edges[cycle]), report.First.Time, where)
				require.Equal(t, scope+"."+p.Name+"_"+p.Fields[f].Name, report.First.Signal, where)
				require.NotEmpty(t, report.First.Rule, where)
				require.NotEmpty(t, report.First.LastGood, where)
				require.Contains(t, report.First.ModelState, "sack:", where)
				ordered := judge(t, changed.bytes(t), Options{Level: compare.Order})
				require.Equal(t, p.Fields[f].Name, ordered.First.Field, where)
				flips++
			}
		}
	}
	require.Equal(t, 2*(len(unit.Ports[1].Fields)+len(unit.Ports[2].Fields)), flips)
}

// TestHandshakesAreCompared takes valid away where the model has it, and adds it where the model has not; at the
// input, it takes ready.
func TestHandshakesAreCompared(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	unit, _ := event.UnitByName("sack")
	for i := range unit.Ports {
		p := &unit.Ports[i]
		cycle := sample(t, d, edges, p, 40)
		name := validName(p)
		if p.Direction == event.In {
			name = readyName(p)
		}
		s := d.signal(t, scope+"."+name)
		report := judge(t, d.with(s, edges[cycle], "0").bytes(t), Options{})
		require.Equal(t, verdict.Different, report.Verdict, name)
		require.Equal(t, p.Name, report.First.Port, name)
		require.EqualValues(t, cycle, report.First.Cycle, name)
		require.Equal(t, scope+"."+name, report.First.Signal)
		for quiet := 16; quiet < len(edges); quiet++ {
			if d.at(s, edges[quiet]) == "0" && p.Direction == event.Out {
				report := judge(t, d.with(s, edges[quiet], "1").bytes(t), Options{})
				require.Equal(t, verdict.Different, report.Verdict, name)
				require.LessOrEqual(t, report.First.Cycle, uint64(quiet)+1, name)
				break
			}
		}
	}
}

// TestUnknownBitsAreNamed puts x or z on each signal that is compared.
func TestUnknownBitsAreNamed(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	unit, _ := event.UnitByName("sack")
	for i := range unit.Ports {
		p := &unit.Ports[i]
		cycle := sample(t, d, edges, p, 50)
		names := []string{validName(p)}
		if p.Style != event.Event {
			names = append(names, readyName(p))
		}
		for f := range p.Fields {
			names = append(names, p.Name+"_"+p.Fields[f].Name)
		}
		for n, name := range names {
			s := d.signal(t, scope+"."+name)
			value := []byte(d.at(s, edges[cycle]))
			value[n%len(value)] = "xz"[n%2]
			report := judge(t, d.with(s, edges[cycle], string(value)).bytes(t), Options{})
			require.Equal(t, verdict.Different, report.Verdict, name)
			require.Equal(t, verdict.KindUnknown, report.First.Kind, name)
			require.Equal(t, scope+"."+name, report.First.Signal)
			require.Equal(t, string(value), report.First.Got, name)
			require.EqualValues(t, cycle, report.First.Cycle, name)
		}
	}
}

func TestCountersAreComparedAtTheEnd(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	unit, _ := event.UnitByName("sack")
	last := edges[len(edges)-1]
	for _, name := range unit.Counters {
		s := d.signal(t, scope+".count_"+name)
		report := judge(t, d.with(s, last, flipped(d.at(s, last), 31)).bytes(t), Options{})
		require.Equal(t, verdict.Different, report.Verdict, name)
		require.Equal(t, verdict.KindCounter, report.First.Kind, name)
		require.Equal(t, "count_"+name, report.First.Port)
		report = judge(t, d.with(s, last, strings.Repeat("x", 32)).bytes(t), Options{})
		require.Equal(t, verdict.KindUnknown, report.First.Kind, name)
	}
}

// TestAStalledOutputMustHold changes a response that waits for ready, and takes its valid away.
func TestAStalledOutputMustHold(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	valid, ready := d.signal(t, scope+".m_rsp_valid"), d.signal(t, scope+".m_rsp_ready")
	stalled := -1
	for c := range edges {
		if d.at(valid, edges[c]) == "1" && d.at(ready, edges[c]) == "0" {
			stalled = c
			break
		}
	}
	require.Positive(t, stalled, "the dump has no stall")
	psn := d.signal(t, scope+".m_rsp_psn")
	report := judge(t, d.with(psn, edges[stalled], flipped(d.at(psn, edges[stalled]), 3)).bytes(t), Options{})
	require.Equal(t, verdict.KindProtocol, report.First.Kind)
	require.Equal(t, "psn", report.First.Field)
	report = judge(t, d.with(valid, edges[stalled+1], "0").bytes(t), Options{})
	require.Equal(t, verdict.KindProtocol, report.First.Kind)
	require.EqualValues(t, stalled+1, report.First.Cycle)
}

// TestEveryCut cuts the dump behind every 50th byte: truncated with the records up to there, or judged up to a clean
// line end; never a difference, never more records than before.
func TestEveryCut(t *testing.T) {
	whole := realDump(t, "sack_icarus.vcd")
	all := judge(t, whole, Options{}).Compared
	cuts := map[verdict.Verdict]int{}
	for n := 1; n < len(whole); n += 331 {
		report, err := Run(bytes.NewReader(whole[:n]), Options{})
		if err != nil {
			require.Contains(t, err.Error(), "nothing can be compared", "cut at %d", n)
			continue
		}
		cuts[report.Verdict]++
		require.LessOrEqual(t, report.Compared, all)
		require.Nil(t, report.First, "cut at %d", n)
		if report.Compared > 0 {
			require.NotEqual(t, verdict.Different, report.Verdict, "cut at %d", n)
		}
		if report.Verdict == verdict.Truncated {
			require.Contains(t, strings.Join(report.Notes, "\n"), fmt.Sprintf("truncated at byte %d", n))
		}
	}
	require.Greater(t, cuts[verdict.Truncated], 50)
}

func TestAWindowThatStartsInMidRunIsRefused(t *testing.T) {
	d := readDump(t, realDump(t, "sack_icarus.vcd"))
	edges := d.edges(t, scope)
	_, err := Run(bytes.NewReader(d.from(edges[80]-1).bytes(t)), Options{})
	require.ErrorContains(t, err, "behind the reset")
	require.ErrorContains(t, err, "dump from the reset on")
	report := judge(t, d.from(edges[0]-1).bytes(t), Options{})
	require.Equal(t, verdict.Same, report.Verdict)
	require.Contains(t, strings.Join(report.Notes, "\n"), "begins behind the reset")
	for late := 1; late < 16; late++ {
		_, err = Run(bytes.NewReader(d.from(edges[late]-1).bytes(t)), Options{})
		require.ErrorContains(t, err, "it seems to begin later", "%d cycles late", late)
	}
}

// from is the dump from a time on, with all values at its start.
func (d *dump) from(time uint64) *dump {
	out := &dump{header: d.header}
	for s := range d.header.Widths {
		out.changes = append(out.changes, dumpChange{time, s, 'b', d.at(s, time)})
	}
	for _, c := range d.changes {
		if c.time >= time {
			out.changes = append(out.changes, c)
		}
	}
	return out
}

func TestOptionsThatDoNotFit(t *testing.T) {
	b := realDump(t, "sack_icarus.vcd")
	for _, c := range []struct {
		name string
		o    Options
		want string
	}{
		{"other unit", Options{Unit: "rob"}, "no scope has all ports of unit rob"},
		{"other scope", Options{Scope: "tb_sack"}, `no scope "tb_sack" has all ports`},
		{"no such configuration", Options{Config: "huge"}, `configuration "huge"`},
		{"setup", Options{Setup: &Setup{}}, "--setup is for captures"},
	} {
		_, err := Run(bytes.NewReader(b), c.o)
		require.ErrorContains(t, err, c.want, c.name)
	}
	_, err := Run(bytes.NewReader(realDump(t, "sack_verilator.vcd.gz")), Options{Config: "large"})
	require.ErrorContains(t, err, "configuration small, but large")
	_, err = Run(strings.NewReader("#!/bin/sh"), Options{})
	require.ErrorContains(t, err, "not a pcap, pcapng or VCD file")
	_, err = Run(strings.NewReader(""), Options{})
	require.ErrorContains(t, err, "empty")
}
