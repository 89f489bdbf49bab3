package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// runGen runs the command in a root and returns what it says.
func runGen(root string, options ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(context.Background(), append([]string{"gen", "--root", root}, options...), &out, &errs)
	return code, out.String(), errs.String()
}

// specRoot is a root that holds a copy of the repository's spec and nothing else.
func specRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	target := filepath.Join(root, "gen", "spec")
	if err := os.CopyFS(target, os.DirFS("../../gen/spec")); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestGenCheckOfTheRepository(t *testing.T) {
	code, out, errs := runGen("../..", "--check")
	var files int
	if _, err := fmt.Sscanf(errs, "%d generated files are what gen/spec says", &files); err != nil || files < 50 {
		t.Errorf("stderr is %q: hardly anything was checked", errs)
	}
	if code != 0 || out != "" {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

func TestGenCheckOfAStaleTree(t *testing.T) {
	code, out, errs := runGen(specRoot(t), "--check")
	if code != exitStale || !strings.Contains(out, "--- /dev/null\n+++ b/golden/wire/base_header.go\n") {
		t.Errorf("exit code %d, diff begins %.200q", code, out)
	}
	if !strings.Contains(errs, "run metaroce gen") {
		t.Errorf("stderr is %q", errs)
	}
}

func TestGenOfAMalformedSpec(t *testing.T) {
	root := specRoot(t)
	path := filepath.Join(root, "gen", "spec", "profile.yaml")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data = bytes.Replace(data, []byte("  version: 1\n"), []byte("  version: one\n"), 1)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	code, out, errs := runGen(root)
	const want = `gen/spec/profile.yaml:5:12: profile: version must be a decimal integer from 0 to 2^64-1: "one"`
	if code != exitUsage || out != "" || !strings.Contains(errs, want) {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, out, errs)
	}
}

// TestGenOfARootWithoutSource: the second stage needs the first one's code built; where that cannot be, the error says so.
func TestGenOfARootWithoutSource(t *testing.T) {
	root := specRoot(t)
	code, out, errs := runGen(root)
	if code != exitUsage || !strings.Contains(out, "create golden/wire/base_header.go\n") || !strings.Contains(errs, "go run ./cmd/metaroce gen") {
		t.Errorf("exit code %d, stdout %.200q, stderr %q", code, out, errs)
	}
	if code, _, errs := runGen(root, "--rebuilt", "--check"); code != exitStale {
		t.Errorf("a tree without tables and vectors passes the check: exit code %d, stderr %q", code, errs)
	}
}
