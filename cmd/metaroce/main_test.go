package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"metaroce/cocotb-bridge/builder"
)

// roleVariable makes the test program something else: the command itself, for what needs a process of its own, or a
// harness that misbehaves.
const roleVariable = "METAROCE_TEST_ROLE"

func TestMain(m *testing.M) {
	switch role := os.Getenv(roleVariable); role {
	case "":
		code := m.Run()
		if cold.root != "" {
			os.RemoveAll(cold.root)
		}
		os.Exit(code)
	case "metaroce":
		main()
	default:
		os.Exit(fakeHarness(role, os.Args[len(os.Args)-1]))
	}
}

// command runs a command line and returns its exit code and what it says.
func command(args ...string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	code = run(context.Background(), args, &out, &talk)
	return code, out.String(), talk.String()
}

// process is the command in a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), roleVariable+"=metaroce")
	return cmd
}

// cold is a project root with an empty build cache, for all tests that build RTL: one build serves them.
var cold struct {
	once sync.Once
	root string
	err  error
}

// project skips where RTL is not to be built, or cannot be, and else returns the cold root.
func project(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip(t.Name() + " builds and runs RTL: not with -short")
	}
	if _, err := builder.FindVerilator(t.Context(), "../.."); err != nil {
		t.Skipf("%s NOT RUN: %v", t.Name(), err)
	}
	cold.once.Do(func() { cold.root, cold.err = linkProject() })
	require.NoError(t, cold.err)
	return cold.root
}

// linkProject makes a root whose sources are the project's and whose build folder is its own.
func linkProject() (string, error) {
	root, err := os.MkdirTemp("", "metaroce-test-")
	if err != nil {
		return "", err
	}
	for _, name := range []string{"rtl", "cocotb-bridge", ".venv"} {
		target, err := filepath.Abs(filepath.Join("../..", name))
		if err != nil {
			return root, err
		}
		if err := os.Symlink(target, filepath.Join(root, name)); err != nil {
			return root, err
		}
	}
	return root, nil
}
