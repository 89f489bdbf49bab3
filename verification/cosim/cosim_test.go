package cosim_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/peer"
	"metaroce/cocotb-bridge/protocol"
	"metaroce/golden/engine"
	"metaroce/golden/profile"
	"metaroce/verification/compare"
	"metaroce/verification/cosim"
	"metaroce/verification/scenario"
	"metaroce/verification/verdict"
)

func options(t *testing.T, unit string, device benchDevice, opened *[]*benchDevice) cosim.Options {
	t.Helper()
	s, err := scenario.FromSeed(unit, profile.Small, 2, 300)
	require.NoError(t, err)
	return cosim.Options{
		Scenario: s, Level: compare.Cycle, Open: device.opener(opened), Out: filepath.Join(t.TempDir(), "out"),
		Source: "second model", Replay: "metaroce cosim --seed 2",
	}
}

func TestTwoModelsAreTheSame(t *testing.T) {
	for _, unit := range []string{"sack", "rob", "rate", "rx"} {
		for _, level := range []compare.Level{compare.Cycle, compare.Order} {
			var opened []*benchDevice
			o := options(t, unit, benchDevice{}, &opened)
			o.Level = level
			report, err := cosim.Run(t.Context(), o)
			require.NoError(t, err)
			require.Equal(t, verdict.Same, report.Verdict, "%s %s: %+v", unit, level, report.First)
			require.Positive(t, report.Compared)
			require.Positive(t, report.Khz)
			require.EqualValues(t, 2, *report.Seed)
			require.True(t, opened[0].closed)
			for _, f := range report.Files {
				info, err := os.Stat(f.Path)
				require.NoError(t, err, f.Kind)
				require.Positive(t, info.Size(), f.Path)
			}
			require.Equal(t, unit == "rx", has(report, "pcapng"))
		}
	}
}

func has(r *verdict.Report, kind string) bool {
	for _, f := range r.Files {
		if f.Kind == kind {
			return true
		}
	}
	return false
}

// spoilAt flips the lowest bit of the last byte of the n-th output of a port.
func spoilAt(port uint8, n int) func(engine.Record) []engine.Record {
	return func(r engine.Record) []engine.Record {
		if r.Port == port {
			if n == 0 {
				r.Beat[len(r.Beat)-1] ^= 1
			}
			n--
		}
		return []engine.Record{r}
	}
}

// spoilCycle flips a bit of whatever a port shows in a cycle, so that a second run shows the same fault.
func spoilCycle(port uint8, cycle uint64) func(engine.Record) []engine.Record {
	return func(r engine.Record) []engine.Record {
		if r.Port == port && r.Cycle == cycle {
			r.Beat[len(r.Beat)-1] ^= 0x80
		}
		return []engine.Record{r}
	}
}

func TestADifferenceIsShownFromAllSides(t *testing.T) {
	probe := options(t, "sack", benchDevice{}, new([]*benchDevice))
	cycle := outputCycle(t, &probe.Scenario.Run, 1, 100)
	var opened []*benchDevice
	o := options(t, "sack", benchDevice{spoil: spoilCycle(1, cycle)}, &opened)
	report, err := cosim.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, verdict.Different, report.Verdict)
	first := report.First
	require.Equal(t, cycle, first.Cycle)
	require.Equal(t, "m_rsp", first.Port)
	require.Equal(t, "vector", first.Field)
	require.EqualValues(t, 100, first.Record)
	require.NotEqual(t, first.Want, first.Got)
	require.Contains(t, first.ModelState, "base")
	require.NotEmpty(t, first.DeviceState)
	require.NotEmpty(t, first.LastGood)
	require.Equal(t, "TOP.mr_sack.m_rsp_vector", first.Signal)
	require.Equal(t, cycle+1, report.Cycles)
	require.Len(t, opened, 2, "the window is run again")
	require.NotEmpty(t, opened[1].waves.File)
	require.LessOrEqual(t, opened[1].waves.From, cycle)
	require.Greater(t, opened[1].waves.To, cycle)
	for _, kind := range []string{"scenario", "records", "vcd", "gtkw", "verdict", "report"} {
		require.True(t, has(report, kind), kind)
	}
	reportFiles(t, o.Out, report)
	cutRepeats(t, o, cycle)
}

// outputCycle is the cycle of the n-th record of a port.
func outputCycle(t *testing.T, run *engine.Run, port uint8, n int) uint64 {
	t.Helper()
	bench, err := engine.NewBench(*run)
	require.NoError(t, err)
	cycle := uint64(0)
	bench.Advance(1<<62, func(r engine.Record) {
		if r.Port == port {
			if n == 0 {
				cycle = r.Cycle
			}
			n--
		}
	})
	require.Negative(t, n)
	return cycle
}

// reportFiles looks into the files of a difference.
func reportFiles(t *testing.T, out string, report *verdict.Report) {
	t.Helper()
	save, err := os.ReadFile(filepath.Join(out, "window.gtkw"))
	require.NoError(t, err)
	require.Contains(t, string(save), "TOP.mr_sack.m_rsp_psn[31:0]")
	require.Contains(t, string(save), "TOP.mr_sack.m_rsp_ack_now[0]\n")
	require.NotContains(t, string(save), "response_fifo")
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	require.NoError(t, err)
	for _, text := range []string{"different", "m_rsp", "vector", "sack.packet", "<svg", "metaroce cosim --seed 2"} {
		require.Contains(t, string(page), text)
	}
	require.NotContains(t, string(page), "<script")
	require.NotContains(t, string(page), "http")
	var document map[string]any
	text, err := os.ReadFile(filepath.Join(out, "verdict.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &document))
	for _, key := range []string{"schema_version", "verdict", "compared", "cycles", "seed", "khz", "first_difference"} {
		require.Contains(t, document, key)
	}
	require.EqualValues(t, report.Compared, document["compared"])
}

// cutRepeats runs the scenario that was cut at the difference: the same difference, beat by beat.
func cutRepeats(t *testing.T, o cosim.Options, cycle uint64) {
	t.Helper()
	cut, err := scenario.Load(filepath.Join(o.Out, "until-difference.yaml"))
	require.NoError(t, err)
	o.Scenario, o.Out = cut, filepath.Join(t.TempDir(), "cut")
	report, err := cosim.Run(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, verdict.Different, report.Verdict)
	require.Equal(t, cycle, report.First.Cycle)
}

func TestTheReproducerIsThereBeforeTheRun(t *testing.T) {
	o := options(t, "rob", benchDevice{}, new([]*benchDevice))
	o.Open = func(context.Context, *engine.Run, cosim.Waves) (cosim.Device, error) {
		s, err := scenario.Load(filepath.Join(o.Out, "scenario.yaml"))
		require.NoError(t, err)
		require.Equal(t, scenario.Digest(&o.Scenario.Run), scenario.Digest(&s.Run))
		return nil, errors.New("no device today")
	}
	report, err := cosim.Run(t.Context(), o)
	require.ErrorContains(t, err, "no device today")
	require.Nil(t, report)
}

func TestADeviceThatGoesAway(t *testing.T) {
	died := &peer.DiedError{When: "in the run", Status: "signal: killed"}
	for _, c := range []struct {
		name  string
		at    uint64
		err   error
		want  verdict.Verdict
		host  bool
		spoil func(engine.Record) []engine.Record
	}{
		{name: "killed in the run", at: 256, err: died, want: verdict.Truncated},
		{name: "killed before it ran", at: 1, err: died, want: verdict.Truncated},
		{name: "unknown frame", at: 256, err: &protocol.UnknownFrameError{Kind: 77}, want: verdict.ProtocolError},
		{name: "another spec", at: 1, err: &protocol.HashError{Name: "spec"}, want: verdict.ProtocolError},
		{name: "interrupted", at: 256, err: context.Canceled, want: verdict.Truncated},
		{name: "interrupted early", at: 1, err: context.Canceled, want: verdict.Truncated},
		{name: "program missing", at: 1, err: os.ErrNotExist, host: true},
		{name: "killed after a difference", at: 1 << 40, err: died, want: verdict.Different, spoil: spoilAt(1, 3)},
	} {
		var opened []*benchDevice
		o := options(t, "sack", benchDevice{dieAt: c.at, err: c.err, spoil: c.spoil}, &opened)
		report, err := cosim.Run(t.Context(), o)
		if c.host {
			require.Error(t, err, c.name)
			require.Nil(t, report, c.name)
			continue
		}
		require.Equal(t, c.want, report.Verdict, c.name)
		require.True(t, opened[0].closed, c.name)
		require.FileExists(t, filepath.Join(o.Out, "verdict.json"), c.name)
		if c.spoil == nil {
			require.ErrorIs(t, err, c.err, c.name)
			require.Contains(t, strings.Join(report.Notes, "\n"), "cut short", c.name)
			require.Equal(t, c.at > 1, report.Compared > 0, c.name)
			if c.want == verdict.Truncated {
				require.Contains(t, report.Side, "device: cut off", c.name)
			}
		}
	}
}

func TestOutputFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	o := options(t, "sack", benchDevice{}, new([]*benchDevice))
	o.Out = filepath.Join(file, "out")
	report, err := cosim.Run(t.Context(), o)
	require.ErrorContains(t, err, "output folder")
	require.Nil(t, report)
}

func TestFilesOfAnEarlierRunGoAway(t *testing.T) {
	o := options(t, "sack", benchDevice{}, new([]*benchDevice))
	require.NoError(t, os.MkdirAll(o.Out, 0o755))
	stale := filepath.Join(o.Out, "window.vcd")
	require.NoError(t, os.WriteFile(stale, []byte("old"), 0o644))
	_, err := cosim.Run(t.Context(), o)
	require.NoError(t, err)
	require.NoFileExists(t, stale)
}
