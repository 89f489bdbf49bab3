package scenario_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/golden/engine"
	"metaroce/golden/profile"
	"metaroce/verification/scenario"
)

const small = `version: 1
unit: sack
config: small
sinks:
  m_rsp: {pattern: random, of_256: 128, seed: 18446744073709551615}
beats:
  - {at: 0, port: s_req, fields: {op: OPEN, connection: 1, path: 2, psn: 0xFFFF_FFFE}}
  - at: 20
    port: s_req
    fields:
      op: PACKET
      connection: 1
      path: 2
      psn: 4294967294
      ce: true
`

func TestScenarioIsReadAsItStands(t *testing.T) {
	s, err := scenario.Parse("x.yaml", []byte(small))
	require.NoError(t, err)
	require.Equal(t, profile.Small, s.Run.Config)
	require.Equal(t, engine.Pattern{Kind: engine.PatternRandom, A: 128, Seed: 1<<64 - 1}, s.Run.Sinks[1])
	require.Len(t, s.Run.Stimulus, 2)
	require.Equal(t, []byte{1, 1, 0, 0, 2, 0, 0xFE, 0xFF, 0xFF, 0xFF, 1, 0, 0, 0}, s.Run.Stimulus[1].Beat)
	require.EqualValues(t, 20, s.Run.Stimulus[1].Cycle)
	require.Positive(t, s.Run.QuietCycles)
	require.Greater(t, s.Run.MaxCycles, s.Run.QuietCycles)
}

func TestWrittenScenarioIsReadBackAsTheSameRun(t *testing.T) {
	for _, unit := range []string{"sack", "rob", "rate", "rx"} {
		made, err := scenario.FromSeed(unit, profile.Small, 5, 200)
		require.NoError(t, err)
		for _, explicit := range []bool{false, true} {
			s := *made
			if explicit {
				s.Random = nil
			}
			var text bytes.Buffer
			require.NoError(t, s.Write(&text))
			back, err := scenario.Parse("back.yaml", text.Bytes())
			require.NoError(t, err, "%s explicit %t", unit, explicit)
			require.Equal(t, scenario.Digest(&made.Run), scenario.Digest(&back.Run), "%s explicit %t", unit, explicit)
		}
	}
}

// TestFaultsNameTheirPlace changes one line of a good file at a time.
func TestFaultsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"version: 1", "version: 2", "x.yaml:1:10: version 2"},
		{"version: 1\n", "", "x.yaml:1:1: key version is missing"},
		{"unit: sack", "unit: sock", `x.yaml:2:7: unit "sock" is not in the spec`},
		{"unit: sack", "unit: rx", `x.yaml:5:3: unit rx has no output port "m_rsp"`},
		{"config: small", "config: tiny", `x.yaml:3:9: config "tiny"`},
		{"config: small", "config: small\nconfig: small", "x.yaml:4:1: "},
		{"config: small", "config: small\nspeed: 3", `x.yaml:4:1: unknown key "speed"`},
		{"  m_rsp: {pattern: random, of_256: 128", "  m_rsp: {pattern: random, of_256: 257", "of_256 is 257"},
		{"pattern: random", "pattern: sometimes", `pattern "sometimes"`},
		{"of_256: 128, ", "", "want the keys [of_256 seed]"},
		{"path: 2, psn: 0xFFFF_FFFE", "path: 4096, psn: 1", "x.yaml:7:66: path: 4096 does not fit into 12 bits"},
		{"connection: 1, path", "conection: 1, path", `has no field "conection"`},
		{"op: OPEN", "op: OPENED", "x.yaml:7:39: op: "},
		{"at: 0", "at: -1", `at: "-1" is not an unsigned number`},
		{"at: 0", "at: 010", `at: "010" is not an unsigned number`},
		{"at: 0", "at: 21", "x.yaml:8:7: at: cycle 20 is before"},
		{"port: s_req, f", "port: m_rsp, f", `unit sack has no input port "m_rsp"`},
		{"fields: {op: OPEN, ", "frame: 00, fields: {op: OPEN, ", "want one of fields, frame and packet"},
		{"fields: {op: OPEN, connection: 1, path: 2, psn: 0xFFFF_FFFE}", "frame: 00", "port s_req takes no frames"},
		{"beats:", "random: {seed: 1, count: 3}\nbeats:", "random and beats exclude each other"},
		{"{at: 0", "[at: 0", "x.yaml:"},
	} {
		require.Contains(t, small, c.old)
		_, err := scenario.Parse("x.yaml", []byte(strings.Replace(small, c.old, c.new, 1)))
		require.ErrorContains(t, err, c.want, c.new)
	}
}

func TestEveryPrefixIsAnErrorOrAScenario(t *testing.T) {
	for n := range small {
		s, err := scenario.Parse("x.yaml", []byte(small[:n]))
		require.True(t, err != nil || s != nil && len(s.Run.Stimulus) > 0, "prefix of %d bytes", n)
	}
}

func TestSeedOfAnotherProgramIsRefused(t *testing.T) {
	text := "version: 1\nunit: rob\nconfig: large\nrandom: {seed: 3, count: 50, digest: \"0123456789abcdef\"}\n"
	_, err := scenario.Parse("x.yaml", []byte(text))
	require.ErrorContains(t, err, "digest 0123456789abcdef")
}

// TestCommittedScenariosRun runs each committed scenario on the model: it ends well and is not about nothing.
func TestCommittedScenariosRun(t *testing.T) {
	files, err := filepath.Glob("../scenarios/*.yaml")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 6)
	for _, file := range files {
		s, err := scenario.Load(file)
		require.NoError(t, err)
		bench, err := engine.NewBench(s.Run)
		require.NoError(t, err)
		outputs := 0
		bench.Advance(1<<62, func(r engine.Record) {
			if len(r.Beat) > 0 {
				outputs++
			}
		})
		hang, cycle := bench.End()
		require.False(t, hang, "%s hangs in cycle %d", file, cycle)
		require.Greater(t, outputs, 10, file)
	}
}
