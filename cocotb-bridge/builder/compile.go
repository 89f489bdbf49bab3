package builder

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// Flags of every compilation. No -march: the program must behave the same on any machine that shares the cache.
var compilerFlags = []string{"-std=gnu++17", "-pthread", "-faligned-new", "-fcf-protection=none", "-Wno-attributes"}

const (
	fastFlag = "-O2" // what runs every cycle
	slowFlag = "-O0" // what runs once
)

type compiler struct {
	path     string
	identity string
}

// findCompiler takes CXX, or g++.
func findCompiler(ctx context.Context) (compiler, error) {
	name := os.Getenv("CXX")
	if name == "" {
		name = "g++"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return compiler{}, fmt.Errorf("C++ compiler: %w: install g++, or set CXX", err)
	}
	out, err := exec.CommandContext(ctx, path, "--version").Output()
	if err != nil {
		return compiler{}, fmt.Errorf("C++ compiler: %s --version: %w", path, err)
	}
	first, _, _ := strings.Cut(string(out), "\n")
	return compiler{path: path, identity: path + " " + first}, nil
}

// job is one file to compile.
type job struct {
	source, object, optimise string
	warnings                 bool
}

// compile makes the program "harness" in the work folder. It does what Verilator's makefile would, without make, Perl
// and Python, and takes Verilator's own runtime from the cache.
func (m *maker) compile(ctx context.Context, work string) error {
	list, err := readClasses(filepath.Join(work, m.prefix()+"_classes.mk"))
	if err != nil {
		return err
	}
	var jobs []job
	for _, group := range []struct{ name, optimise string }{
		{"VM_CLASSES_FAST", m.optimise()}, {"VM_SUPPORT_FAST", m.optimise()}, {"VM_CLASSES_SLOW", slowFlag}, {"VM_SUPPORT_SLOW", slowFlag},
	} {
		for _, name := range list[group.name] {
			base := filepath.Join(work, name)
			jobs = append(jobs, job{source: base + ".cpp", object: base + ".o", optimise: group.optimise})
		}
	}
	own, err := filepath.Glob(filepath.Join(m.Harness, "*.cpp"))
	if err != nil {
		return err
	}
	for _, source := range own {
		object := filepath.Join(work, "harness_"+strings.TrimSuffix(filepath.Base(source), ".cpp")+".o")
		jobs = append([]job{{source: source, object: object, optimise: m.optimise(), warnings: true}}, jobs...)
	}
	runtime, err := m.runtime(ctx, append(list["VM_GLOBAL_FAST"], list["VM_GLOBAL_SLOW"]...))
	if err != nil {
		return err
	}
	if err := m.all(ctx, jobs, "-I", work, "-I", m.Harness, "-I", filepath.Dir(m.Adapter)); err != nil {
		return err
	}
	return m.link(ctx, work, jobs, runtime)
}

func (m *maker) link(ctx context.Context, work string, jobs []job, runtime []string) error {
	m.progress("link %s", m.Unit.Top)
	args := []string{"-pthread", "-o", filepath.Join(work, "harness")}
	for _, j := range jobs {
		args = append(args, j.object)
	}
	args = append(args, runtime...)
	args = append(args, "-latomic")
	if m.Trace == FST {
		args = append(args, "-llz4", "-lz")
	}
	return m.command(ctx, "link", m.compiler.path, args...)
}

// runtime compiles Verilator's own sources once for each installation and trace variant.
func (m *maker) runtime(ctx context.Context, names []string) ([]string, error) {
	identity, err := m.Verilator.identity()
	if err != nil {
		return nil, err
	}
	k, err := key(strings.Join([]string{identity, m.compiler.identity, string(m.Trace), fastFlag, strings.Join(compilerFlags, " ")}, "\n"), nil)
	if err != nil {
		return nil, err
	}
	final := filepath.Join(m.Cache, "runtime", k)
	unlock, err := lock(ctx, filepath.Join(m.Cache, "lock", "runtime-"+k), func() {
		m.progress("waiting for another process that compiles Verilator's runtime")
	})
	if err != nil {
		return nil, err
	}
	defer unlock()
	var objects []string
	for _, name := range names {
		objects = append(objects, filepath.Join(final, name+".o"))
	}
	if _, err := os.Stat(final); err == nil {
		return objects, nil
	}
	work, err := os.MkdirTemp(m.Cache, "work-*")
	if err != nil {
		return nil, fmt.Errorf("build cache: %w", err)
	}
	defer os.RemoveAll(work)
	var jobs []job
	for _, name := range names {
		source := filepath.Join(m.Verilator.Root, "include", name+".cpp")
		jobs = append(jobs, job{source: source, object: filepath.Join(work, name+".o"), optimise: fastFlag})
	}
	if err := m.all(ctx, jobs); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return nil, fmt.Errorf("build cache: %w", err)
	}
	if err := os.Rename(work, final); err != nil {
		return nil, fmt.Errorf("build cache: %w", err)
	}
	return objects, nil
}

// all compiles the files, some at once, and returns the first failure in their order.
func (m *maker) all(ctx context.Context, jobs []job, include ...string) error {
	root := filepath.Join(m.Verilator.Root, "include")
	common := append(append([]string{}, compilerFlags...), m.defines()...)
	common = append(append(common, include...), "-isystem", root, "-isystem", filepath.Join(root, "vltstd"))
	errs := make([]error, len(jobs))
	slots := make(chan struct{}, m.Jobs)
	var wait sync.WaitGroup
	for i, j := range jobs {
		slots <- struct{}{}
		m.progress("compile %d/%d %s", i+1, len(jobs), filepath.Base(j.source))
		wait.Go(func() {
			defer func() { <-slots }()
			args := append([]string{j.optimise}, common...)
			if j.warnings {
				args = append(args, "-Wall", "-Wextra")
			}
			errs[i] = m.command(ctx, "compile", m.compiler.path, append(args, "-c", "-o", j.object, j.source)...)
		})
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

var classGroup = regexp.MustCompile(`(?m)^(VM_\w+) \+= \\\n((?:  \S+ \\\n)*)`)

// readClasses reads which files Verilator wrote.
func readClasses(path string) (map[string][]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	list := map[string][]string{}
	for _, m := range classGroup.FindAllStringSubmatch(string(text), -1) {
		list[m[1]] = strings.Fields(strings.ReplaceAll(m[2], "\\", ""))
	}
	if len(list["VM_CLASSES_FAST"]) == 0 || len(list["VM_GLOBAL_FAST"]) == 0 {
		return nil, fmt.Errorf("%s: no list of classes in it: this Verilator writes another format", path)
	}
	return list, nil
}
