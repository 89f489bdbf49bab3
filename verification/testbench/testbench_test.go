// Package testbench runs the plain Verilog test benches of rtl/tb under Icarus: a third opinion on the RTL, with values
// worked out from the rules by the hand that wrote the RTL, and the only one that needs nothing of the toolkit.
package testbench

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/verification/bugs"
)

const rtl = "../../rtl"

// needs finds a program, or skips by name.
func needs(t *testing.T, program string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: simulates: not with -short")
	}
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("SKIPPED: %s is missing: the test benches of rtl/tb were not run (metaroce doctor)", program)
	}
	return path
}

// verdictOf compiles a bench against a folder of RTL and returns what it prints. The ROM files are found in generated/.
func verdictOf(t *testing.T, bench, modules string) string {
	t.Helper()
	source, err := filepath.Abs(filepath.Join(rtl, "tb", bench+".v"))
	require.NoError(t, err)
	program := filepath.Join(t.TempDir(), bench)
	compile := exec.Command(needs(t, "iverilog"), "-g2005", "-DMR_CHECK", "-Igenerated", "-Igenerated/small", "-y", ".",
		"-s", bench, "-o", program, source)
	compile.Dir = modules
	out, err := compile.CombinedOutput()
	require.NoError(t, err, "%s", out)
	run := exec.Command("vvp", "-n", program)
	run.Dir = filepath.Join(modules, "generated")
	out, err = run.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func passes(out string) bool {
	return strings.Contains(out, "PASS") && !strings.Contains(out, "FAIL")
}

func TestBenchesPass(t *testing.T) {
	needs(t, "iverilog")
	files, err := filepath.Glob(filepath.Join(rtl, "tb", "*_tb.v"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		bench := strings.TrimSuffix(filepath.Base(file), ".v")
		if bench == "mr_rx_tb" {
			continue // driven by its Python half, below
		}
		t.Run(bench, func(t *testing.T) {
			t.Parallel()
			out := verdictOf(t, bench, rtl)
			require.True(t, passes(out), "%s", out)
		})
	}
}

func TestReceiveEngineBenchPasses(t *testing.T) {
	needs(t, "iverilog")
	script, err := filepath.Abs(filepath.Join(rtl, "tb", "mr_rx_tb.py"))
	require.NoError(t, err)
	out, err := exec.Command(needs(t, "python3"), script).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.True(t, passes(string(out)), "%s", out)
}

// The benches must be able to fail: each with a bug seeded into a copy of the RTL.
func TestBenchesFindSeededBugs(t *testing.T) {
	needs(t, "iverilog")
	for name, bench := range map[string]string{
		"sack-bit-255": "mr_sack_tb", "rob-zero-length": "mr_rob_tb", "rate-hint-wrap": "mr_rate_tb",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bug, err := bugs.ByName(name)
			require.NoError(t, err)
			modules, err := bug.Apply(rtl, t.TempDir())
			require.NoError(t, err)
			out := verdictOf(t, bench, modules)
			require.False(t, passes(out), "%s did not find it: %s", bench, out)
		})
	}
}
