package builder

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Make returns the program for the options, built now or earlier. Two processes that want the same program wait for
// each other; a build that fails or is cut short leaves nothing that a later one would take for a program.
func Make(ctx context.Context, o Options) (*Build, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	if o.Verilator.Root == "" {
		project := o.Project
		if project == "" {
			project = "."
		}
		found, err := FindVerilator(ctx, project)
		if err != nil {
			return nil, err
		}
		o.Verilator = found
	}
	compiler, err := findCompiler(ctx)
	if err != nil {
		return nil, err
	}
	shape, err := o.shape(compiler.identity)
	if err != nil {
		return nil, err
	}
	m := &maker{Options: o, compiler: compiler, shape: shape}
	if b := m.cached(); b != nil {
		return b, nil
	}
	unlock, err := lock(ctx, filepath.Join(o.Cache, "lock", shape), func() {
		o.progress("waiting for another process that builds %s", o.Unit.Top)
	})
	if err != nil {
		return nil, err
	}
	defer unlock()
	if b := m.cached(); b != nil { // the other process was quicker
		return b, nil
	}
	return m.build(ctx)
}

// maker builds one program.
type maker struct {
	Options
	compiler compiler
	shape    string
	log      *os.File
}

func (m *maker) manifest() string       { return filepath.Join(m.Cache, "files", m.shape) }
func (m *maker) result(k string) string { return filepath.Join(m.Cache, "program", k) }
func (m *maker) failedLog() string      { return filepath.Join(m.Cache, "failed", m.shape+".log") }
func (m *maker) describe(k string) *Build {
	dir := m.result(k)
	return &Build{Binary: filepath.Join(dir, "harness"), Key: k, Log: filepath.Join(dir, "build.log")}
}

// cached returns the program if it is there for the files as they are now.
func (m *maker) cached() *Build {
	list, err := os.ReadFile(m.manifest())
	if err != nil {
		return nil
	}
	k, err := key(m.shape, strings.Split(strings.TrimSpace(string(list)), "\n"))
	if err != nil {
		return nil // a file is gone: Verilator will say which
	}
	b := m.describe(k)
	if _, err := os.Stat(b.Binary); err != nil {
		return nil
	}
	b.Cached = true
	return b
}

// build works in a folder of its own and moves it into place at the end.
func (m *maker) build(ctx context.Context) (*Build, error) {
	work, err := os.MkdirTemp(m.Cache, "work-*")
	if err != nil {
		return nil, fmt.Errorf("build cache: %w", err)
	}
	defer os.RemoveAll(work)
	if m.log, err = os.Create(filepath.Join(work, "build.log")); err != nil {
		return nil, fmt.Errorf("build cache: %w", err)
	}
	err = m.steps(ctx, work)
	m.log.Close()
	if err != nil {
		return nil, m.keepLog(work, err)
	}
	files, err := m.readFiles(filepath.Join(work, m.prefix()+"__ver.d"))
	if err != nil {
		return nil, err
	}
	k, err := key(m.shape, files)
	if err != nil {
		return nil, err
	}
	return m.describe(k), m.publish(work, k, files)
}

func (m *maker) steps(ctx context.Context, work string) error {
	m.progress("verilate %s (%s)", m.Unit.Top, m.Unit.Config)
	args := append(m.verilatorArgs(), "--Mdir", work)
	if err := m.command(ctx, "verilator", m.Verilator.Bin, args...); err != nil {
		return err
	}
	return m.compile(ctx, work)
}

// publish moves program and log into place, the program last: its presence means that all is there.
func (m *maker) publish(work, k string, files []string) error {
	final := m.result(k)
	for _, dir := range []string{final, filepath.Dir(m.manifest())} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("build cache: %w", err)
		}
	}
	for _, name := range []string{"build.log", "harness"} {
		if err := os.Rename(filepath.Join(work, name), filepath.Join(final, name)); err != nil {
			return fmt.Errorf("build cache: %w", err)
		}
	}
	list := filepath.Join(work, "files")
	if err := os.WriteFile(list, []byte(strings.Join(files, "\n")+"\n"), 0o644); err != nil {
		return fmt.Errorf("build cache: %w", err)
	}
	if err := os.Rename(list, m.manifest()); err != nil {
		return fmt.Errorf("build cache: %w", err)
	}
	return nil
}

// keepLog saves the log of a failed build and says where it is.
func (m *maker) keepLog(work string, cause error) error {
	var failed *Error
	if !errors.As(cause, &failed) {
		return cause
	}
	if err := os.MkdirAll(filepath.Dir(m.failedLog()), 0o755); err != nil {
		return errors.Join(cause, err)
	}
	if err := os.Rename(filepath.Join(work, "build.log"), m.failedLog()); err != nil {
		return errors.Join(cause, err)
	}
	failed.Log = m.failedLog()
	return cause
}
