package gen

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"metaroce/gen/load"
	"metaroce/gen/model"
	"metaroce/gen/output"
)

// copySpec makes a root that holds the repository's spec and nothing else.
func copySpec(t *testing.T) (root, hash string) {
	t.Helper()
	root = t.TempDir()
	for _, name := range load.FileNames {
		data, err := os.ReadFile(filepath.Join("spec", name))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(root, "gen", "spec", name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := load.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return root, fmt.Sprintf("%x", spec.Hash)
}

// rom is a second stage of one file.
func rom(*model.Spec) ([]output.File, error) {
	return []output.File{{Path: "rtl/generated/mr_one.mem", Data: []byte("// " + output.Marker + "\n1\n")}}, nil
}

// mustRun runs the generator.
func mustRun(t *testing.T, root string, check bool, second Stage) (Result, string) {
	t.Helper()
	var out bytes.Buffer
	result, err := Run(root, check, second, &out)
	if err != nil {
		t.Fatal(err)
	}
	return result, out.String()
}

// TestRepositoryIsFresh: what the targets make of the spec is what is committed.
func TestRepositoryIsFresh(t *testing.T) {
	_, files, err := Produce("..", Targets...)
	if err != nil {
		t.Fatal(err)
	}
	changes, err := Compare("..", files)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		t.Errorf("%s is stale: run metaroce gen", c.Path)
	}
}

// TestStages: a first run makes the code and leaves the tables to a program built from it, which makes them.
func TestStages(t *testing.T) {
	root, hash := copySpec(t)
	if result, out := mustRun(t, root, false, Stage{"old", []Producer{rom}}); !result.Again || strings.Contains(out, ".mem") {
		t.Errorf("first run: %+v, %s", result, out)
	}
	if result, out := mustRun(t, root, false, Stage{hash, []Producer{rom}}); result.Again || out != "create rtl/generated/mr_one.mem\n" {
		t.Errorf("second run: %+v, %q", result, out)
	}
	if result, out := mustRun(t, root, true, Stage{hash, []Producer{rom}}); result.Stale || out != "" {
		t.Errorf("third run: %+v, %q", result, out)
	}
	os.Remove(filepath.Join(root, "golden/wire/base_header.go"))
	if result, out := mustRun(t, root, false, Stage{hash, []Producer{rom}}); !result.Again || out != "create golden/wire/base_header.go\n" {
		t.Errorf("model code missing: %+v, %q", result, out)
	}
}

// TestCheckShowsEachKindOfStaleness and that patch(1) reads the diff and makes the tree fresh.
func TestCheckShowsEachKindOfStaleness(t *testing.T) {
	root, hash := copySpec(t)
	second := Stage{hash, []Producer{rom}}
	mustRun(t, root, false, Stage{})
	mustRun(t, root, false, second)
	changed := filepath.Join(root, "docs/generated/wire.md")
	data, err := os.ReadFile(changed)
	if err != nil {
		t.Fatal(err)
	}
	edited := strings.Replace(string(data), "## udp", "## tcp", 1) + "one more line\n"
	left := filepath.Join(root, "rtl/generated/mr_gone.mem")
	for path, text := range map[string]string{
		changed: edited, left: "// " + output.Marker + "\n7\n", filepath.Join(root, "golden/wire/own_test.go"): "package wire\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	os.Remove(filepath.Join(root, "rtl/generated/small/mr_config.vh"))
	result, diff := mustRun(t, root, true, second)
	if !result.Stale {
		t.Error("not stale")
	}
	for _, want := range []string{
		"--- a/docs/generated/wire.md\n+++ b/docs/generated/wire.md\n", "\n-## tcp, 8 bytes\n+## udp, 8 bytes\n", "\n-one more line\n",
		"--- /dev/null\n+++ b/rtl/generated/small/mr_config.vh\n@@ -0,0 +1,", "--- a/rtl/generated/mr_gone.mem\n+++ /dev/null\n@@ -1,2 +0,0 @@\n",
	} {
		if !strings.Contains(diff, want) {
			t.Errorf("the diff does not hold %q:\n%s", want, diff)
		}
	}
	if strings.Contains(diff, "own_test.go") {
		t.Error("a file without the marker is reported")
	}
	if _, err := os.Stat(left); err != nil {
		t.Errorf("check has changed the tree: %v", err)
	}
	applyPatch(t, root, diff)
	if result, diff := mustRun(t, root, true, second); result.Stale {
		t.Errorf("stale behind patch:\n%s", diff)
	}
}

// applyPatch gives a diff to git, which judges its form.
func applyPatch(t *testing.T, root, diff string) {
	t.Helper()
	command := exec.Command("git", "apply", "-p1", "-")
	command.Dir, command.Stdin = root, strings.NewReader(diff)
	command.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(root))
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("git apply: %v\n%s", err, out)
	}
}

// TestWriteRemovesAndRepairs: without check the same tree is made fresh.
func TestWriteRemovesAndRepairs(t *testing.T) {
	root, hash := copySpec(t)
	second := Stage{hash, []Producer{rom}}
	mustRun(t, root, false, Stage{})
	left := filepath.Join(root, "docs/generated/old.md")
	if err := os.WriteFile(left, []byte("<!--\n"+output.Marker+"\n-->\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, out := mustRun(t, root, false, second); !strings.Contains(out, "remove docs/generated/old.md\n") {
		t.Errorf("got %q", out)
	}
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("leftover is still there: %v", err)
	}
}

// TestOutputNamesNoMachine: the same bytes from another root, banner with hash and command, no date, host or path.
func TestOutputNamesNoMachine(t *testing.T) {
	root, hash := copySpec(t)
	_, first, err := Produce("..", Targets...)
	if err != nil {
		t.Fatal(err)
	}
	_, second, err := Produce(root, Targets...)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	date := regexp.MustCompile(`20[2-9][0-9]-[01][0-9]-[0-3][0-9]`)
	for i, f := range first {
		if !bytes.Equal(f.Data, second[i].Data) {
			t.Errorf("%s differs between two roots", f.Path)
		}
		head := string(f.Data[:min(len(f.Data), 400)])
		if !Marked(f.Data) || !strings.Contains(head, hash) {
			t.Errorf("%s has no banner with the spec hash", f.Path)
		}
		if f.Data[len(f.Data)-1] != '\n' {
			t.Errorf("%s has no final newline", f.Path)
		}
		if date.Match(f.Data) || bytes.Contains(f.Data, []byte(root)) || len(host) > 3 && bytes.Contains(f.Data, []byte(host)) {
			t.Errorf("%s names a date, a host or a path", f.Path)
		}
	}
}

func TestTwoTargetsOfOneFile(t *testing.T) {
	files := []output.File{{Path: "docs/generated/a.md"}, {Path: "docs/generated/a.md"}}
	if _, err := Compare(t.TempDir(), files); err == nil || !strings.Contains(err.Error(), "docs/generated/a.md") {
		t.Errorf("error %v does not name the file", err)
	}
}

func TestMalformedSpecStopsBeforeWriting(t *testing.T) {
	root, _ := copySpec(t)
	path := filepath.Join(root, "gen/spec/wire.yaml")
	if err := os.WriteFile(path, []byte("enums: []\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Run(root, false, Stage{}, new(bytes.Buffer))
	if err == nil || !strings.Contains(err.Error(), "gen/spec/wire.yaml:1:1: wire.yaml: missing key") {
		t.Errorf("error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(root, "golden")); !os.IsNotExist(err) {
		t.Errorf("something was written: %v", err)
	}
}
