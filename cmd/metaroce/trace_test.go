package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/verification/verdict"
)

const sackDump = "../../verification/diff/testdata/sack_icarus.vcd"

// cutDump is the first bytes of a dump in a file whose name says something else.
func cutDump(t *testing.T, bytes int) string {
	t.Helper()
	whole, err := os.ReadFile(sackDump)
	require.NoError(t, err)
	name := filepath.Join(t.TempDir(), "trace.pcapng")
	require.NoError(t, os.WriteFile(name, whole[:bytes], 0o600))
	return name
}

func TestTraceDumpOfAFile(t *testing.T) {
	code, out, _ := command("trace", "dump", sackDump, "-o", "json")
	require.Equal(t, 0, code)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Greater(t, len(lines), 1000)
	require.True(t, json.Valid([]byte(lines[0])))
}

func TestTraceExitCodes(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"cut", []string{"trace", "dump", cutDump(t, 20000)}, 3, "truncated at byte 20000"},
		{"missing", []string{"trace", "dump", "no/such.vcd"}, 2, "no/such.vcd"},
		{"no trace", []string{"trace", "dump", "trace_test.go"}, 2, "not a pcap, pcapng or VCD file"},
		{"output", []string{"trace", "dump", sackDump, "-o", "xml"}, 2, "xml"},
		{"diff of no trace", []string{"diff", "diff.go"}, 2, "not a pcap, pcapng or VCD file"},
		{"diff with a level of no kind", []string{"diff", sackDump, "--level", "bit"}, 2, `level "bit"`},
		{"diff with a missing setup", []string{"diff", sackDump, "--setup", "no.yaml"}, 2, "no.yaml"},
		{"diff of another unit", []string{"diff", sackDump, "--unit", "rate"}, 2, "no scope has all ports of unit rate"},
	} {
		code, _, talk := command(c.args...)
		require.Equal(t, c.code, code, c.name)
		require.Contains(t, talk, c.want, c.name)
	}
}

func TestDiffOfAFile(t *testing.T) {
	code, out, talk := command("diff", sackDump)
	require.Equal(t, 0, code, talk)
	require.Contains(t, out, "verdict   same")

	code, out, _ = command("diff", cutDump(t, 60000), "-o", "json")
	require.Equal(t, 3, code)
	var report verdict.Report
	require.NoError(t, json.Unmarshal([]byte(out), &report))
	require.Equal(t, verdict.Truncated, report.Verdict)
	require.Equal(t, verdict.SchemaVersion, report.SchemaVersion)
	require.Positive(t, report.Compared)
}

// TestDiffFindsAChangedValue changes a value of a response in the dump's text.
func TestDiffFindsAChangedValue(t *testing.T) {
	whole, err := os.ReadFile(sackDump)
	require.NoError(t, err)
	lines := strings.Split(string(whole), "\n")
	code := codeOf(t, lines, "m_rsp_psn")
	changed := -1
	for i, l := range lines {
		if strings.HasPrefix(l, "b11111111") && strings.HasSuffix(l, " "+code) {
			changed = i
			break
		}
	}
	require.Positive(t, changed)
	lines[changed] = strings.Replace(lines[changed], "b11111111", "b10111111", 1)
	name := filepath.Join(t.TempDir(), "changed")
	require.NoError(t, os.WriteFile(name, []byte(strings.Join(lines, "\n")), 0o600))
	exit, out, _ := command("diff", name)
	require.Equal(t, 1, exit)
	require.Contains(t, out, "tb_sack.dut.m_rsp_psn")
	require.Contains(t, out, "   @ ")
	require.Contains(t, out, "rule")
}

// codeOf finds the identifier code of a variable of the unit.
func codeOf(t *testing.T, lines []string, name string) string {
	t.Helper()
	for _, l := range lines {
		if f := strings.Fields(l); len(f) > 5 && f[0] == "$var" && f[4] == name {
			return f[3]
		}
	}
	require.Fail(t, "no variable "+name)
	return ""
}
