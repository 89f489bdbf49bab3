package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestUsage: what is wrong, and what to do, for every kind of wrong command line; always exit code 2 and nothing on
// stdout.
func TestUsage(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	misspelt := filepath.Join(empty, "misspelt.yaml")
	require.NoError(t, os.WriteFile(misspelt, []byte("connections:\n  - connection: 1\n    pear: 7\n"), 0o600))
	for _, c := range []struct {
		line string
		want string
	}{
		{"nosuch", `unknown command "nosuch"`},
		{"trace nosuch", `unknown command "nosuch" for "metaroce trace"`},
		{"trace", "metaroce trace dump FILE"},
		{"trace dump", "0 files named, want one: metaroce trace dump FILE"},
		{"diff a b", "2 files named, want one: metaroce diff FILE"},
		{"cosim", "no unit: name one of sack, rob, rate, rx"},
		{"cosim --unit foo", `unit "foo": there are sack, rob, rate, rx`},
		{"cosim --unit sack --config huge", `config "huge": there are small, large`},
		{"cosim --unit sack --level bit", `level "bit": must be cycle or order`},
		{"cosim --unit sack --count 0", "count 0: must be 1..10000000"},
		{"cosim --unit sack --count -5", "count -5: must be 1..10000000"},
		{"cosim --unit sack --count 99999999999", "count 99999999999: must be 1..10000000"},
		{"cosim --unit sack --count many", `"many" for "--count" flag: want a decimal or 0x number in range (see metaroce cosim --help)`},
		{"cosim --unit sack --seed abc", `"abc" for "--seed" flag: want a decimal or 0x number`},
		{"cosim --unit sack --seed -1", `"-1" for "--seed" flag`},
		{"cosim --unit sack --seed 18446744073709551616", `"18446744073709551616" for "--seed" flag`},
		{"cosim --unit sack --bug nosuch", `no seeded bug "nosuch"; there are: sack-`},
		{"cosim --root ../.. --unit rate --bug sack-wrap", "seeded bug sack-wrap is in unit sack, not rate"},
		{"cosim --unit sack -o xml", `-o "xml": want text or json`},
		{"cosim --unit sack extra", "extra"},
		{"cosim --nosuch", "unknown flag: --nosuch (see metaroce cosim --help)"},
		{"cosim --scenario x.yaml --seed 1", "--scenario and --seed exclude each other"},
		{"cosim --scenario x.yaml --count 1", "--scenario and --count exclude each other"},
		{"cosim --scenario no/such.yaml", "no/such.yaml: no such file"},
		{"cosim --scenario ../../verification", "is a directory"},
		{"cosim --unit sack --root " + empty, empty + " is not the project"},
		{"cosim --root ../.. --unit sack --rtl " + empty, empty + " has no mr_sack.v, the module of unit sack"},
		{"cosim --root ../.. --unit sack --out " + file + "/x", "output folder: mkdir " + file + ": not a directory: name another with --out"},
		{"diff no/such.vcd", "no/such.vcd: no such file"},
		{"diff ../../verification", "is a directory"},
		{"diff " + sackDump + " --unit foo", `unit "foo" is not in the spec: there are sack, rob, rate and rx`},
		{"diff " + sackDump + " --config huge", `configuration "huge": small and large are known`},
		{"diff " + sackDump + " --scope tb.nix", `no scope "tb.nix"`},
		{"diff " + sackDump + " --setup " + file, "setup: no connections: nothing would be open"},
		{"diff " + sackDump + " --setup " + misspelt, misspelt + `: line 3, column 5: unknown field "pear"`},
		{"gen --root " + empty, "gen/spec/profile.yaml: no such file"},
		{"bench --rounds 0", "rounds 0: must be 1..1000"},
		{"bench --config huge", `--config "huge": want small or large`},
		{"doctor -o xml", `-o "xml": want text or json`},
		{"version -o xml", `-o "xml": want text or json`},
	} {
		code, out, talk := command(strings.Fields(c.line)...)
		require.Equal(t, exitUsage, code, c.line)
		require.Empty(t, out, c.line)
		require.Contains(t, talk, c.want, c.line)
		require.True(t, strings.HasPrefix(talk, "metaroce: "), c.line)
	}
}

const scenarioText = `version: 1
name: one packet
unit: sack
config: small
beats:
  - {at: 0, port: s_req, fields: {op: OPEN, connection: 1, path: 2, psn: 0x10}}
`

// TestScenarioFaults: every fault is named with file, line and column.
func TestScenarioFaults(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"version: 1", "version: 7", ":1:10: version 7: this program reads version 1"},
		{"unit: sack", "unit: sock", `:3:7: unit "sock"`},
		{"config: small", "config: huge", `:4:9: config "huge"`},
		{"name: one packet", "name: a\nname: b", `:3:1: mapping key "name"`},
		{"s_req", "m_rsp", `:6:19: unit sack has no input port "m_rsp"`},
		{"psn:", "pns:", `port s_req has no field "pns"`},
		{"OPEN", "OPNE", `op: "OPNE" is none of OPEN, PACKET`},
		{"0x10}", "0x100000000}", "psn: 0x100000000 does not fit into 32 bits"},
		{"at: 0", "at: -1", `:6:10: at: "-1" is not an unsigned number`},
		{"beats:", "beads:", `:5:1: unknown key "beads"`},
		{"beats:", "max_cycles: 0\nbeats:", ":5:13: max_cycles: must be at least 1"},
		{"beats:", "sinks: {m_rsp: {pattern: rarely}}\nbeats:", `pattern "rarely": must be one of`},
		{scenarioText, "", ":1:1: the file is empty"},
		{scenarioText, "{{{", ":1:2: "},
		{scenarioText, "\xff\x00\x01", ":1:1: "},
	} {
		name := filepath.Join(t.TempDir(), "scenario.yaml")
		require.NoError(t, os.WriteFile(name, []byte(strings.Replace(scenarioText, c.old, c.new, 1)), 0o600))
		code, _, talk := command("cosim", "--root", "../..", "--scenario", name)
		require.Equal(t, exitUsage, code, c.want)
		require.Contains(t, talk, name, c.want)
		require.Contains(t, talk, c.want)
	}
}

// TestMalformedSpecs: faults of a spec file come with file, line and column.
func TestMalformedSpecs(t *testing.T) {
	for _, c := range []struct{ file, old, new, want string }{
		{"profile.yaml", "  version: 1\n", "  version: [1\n", "gen/spec/profile.yaml:6:3: not YAML"},
		{"rules.yaml", "", "nonsense: 1\n", `gen/spec/rules.yaml:1:1: rules.yaml: unknown key: "nonsense"`},
		{"wire.yaml", "bits: 4", "bits: 400", `gen/spec/wire.yaml:6:11: enum: bits must be in 1..64: "400"`},
		{"units.yaml", "name: s_req", "name: module", "name is a reserved word of Verilog-2005: \"module\""},
	} {
		root := specRoot(t)
		path := filepath.Join(root, "gen", "spec", c.file)
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, []byte(strings.Replace(string(text), c.old, c.new, 1)), 0o600))
		code, out, talk := command("gen", "--check", "--root", root)
		require.Equal(t, exitUsage, code, c.want)
		require.Empty(t, out, c.want)
		require.Contains(t, talk, c.want)
	}
}

// TestSpecsThatEndEarly cuts a spec file at many places: always an error of that file, never a shorter spec.
func TestSpecsThatEndEarly(t *testing.T) {
	root := specRoot(t)
	path := filepath.Join(root, "gen", "spec", "units.yaml")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	for i := range 12 {
		require.NoError(t, os.WriteFile(path, text[:len(text)*i/12], 0o600))
		code, out, talk := command("gen", "--check", "--root", root)
		require.Equal(t, exitUsage, code, "cut after %d twelfths", i)
		require.Empty(t, out)
		require.Contains(t, talk, "gen/spec/", "cut after %d twelfths", i)
	}
	require.NoError(t, os.Remove(path))
	code, _, talk := command("gen", "--check", "--root", root)
	require.Equal(t, exitUsage, code)
	require.Contains(t, talk, "units.yaml: no such file")
}

func TestVersionAndCompletion(t *testing.T) {
	code, out, _ := command("version", "-o", "json")
	require.Equal(t, 0, code)
	var v struct {
		SchemaVersion int    `json:"schema_version"`
		Profile       string `json:"profile"`
		SpecHash      string `json:"spec_hash"`
		Statement     string `json:"statement"`
	}
	require.NoError(t, json.Unmarshal([]byte(out), &v))
	require.Equal(t, 1, v.SchemaVersion)
	require.Len(t, v.SpecHash, 64)
	require.Contains(t, v.Statement, "Interim profile")
	_, out, _ = command("version")
	require.Contains(t, out, v.Statement)
	code, out, _ = command("completion", "bash")
	require.Equal(t, 0, code)
	require.Contains(t, out, "__start_metaroce")
}
