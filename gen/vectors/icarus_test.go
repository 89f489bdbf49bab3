package vectors

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"metaroce/gen/load"
	"metaroce/gen/model"
)

const root = "../.."

// loadSpec reads the repository's spec.
func loadSpec(t *testing.T) *model.Spec {
	t.Helper()
	s, err := load.Load(root)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// compile builds a unit's committed test bench with the RTL, and skips by name where Icarus is missing.
func compile(t *testing.T, unit string) (program string) {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: vectors of unit " + unit + " not run on the RTL: -short")
	}
	if _, err := exec.LookPath("iverilog"); err != nil {
		t.Skip("SKIPPED: vectors of unit " + unit + " not run on the RTL: iverilog is missing")
	}
	program = filepath.Join(t.TempDir(), "tb")
	command := exec.Command("iverilog", "-g2005", "-Wall", "-I", "rtl/generated", "-I", "rtl/generated/small", "-y", "rtl", "-Y", ".v",
		"-s", "tb_vectors_"+unit, "-o", program, "verification/vectors/testbench/tb_vectors_"+unit+".v")
	command.Dir = root
	if out, err := command.CombinedOutput(); err != nil || len(out) > 0 {
		t.Fatalf("iverilog: %v\n%s", err, out)
	}
	return program
}

// play runs a test bench on the vectors in a directory and returns what it prints.
func play(t *testing.T, program, vectors string, options ...string) string {
	t.Helper()
	vectors, err := filepath.Abs(vectors)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("vvp", append([]string{"-n", program, "+vectors=" + vectors}, options...)...)
	command.Dir = filepath.Join(root, "rtl", "generated")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("vvp: %v\n%s", err, out)
	}
	return string(out)
}

// handshakes is what the bench must have compared: all words of all ports.
func handshakes(t *testing.T, s *model.Spec, unit string) int {
	t.Helper()
	n := 0
	for i := range s.Units {
		if s.Units[i].Name != unit {
			continue
		}
		run, err := simulate(s, &s.Units[i])
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range run.ports {
			n += len(p.beats)
		}
	}
	return n
}

// TestVectorsOnTheRTL plays each unit's vectors in a plain Verilog test bench, by cycle and by order.
func TestVectorsOnTheRTL(t *testing.T) {
	s := loadSpec(t)
	for _, u := range s.Units {
		t.Run(u.Name, func(t *testing.T) {
			program := compile(t, u.Name)
			want := fmt.Sprintf("PASS: %d handshakes and events compared\n", handshakes(t, s, u.Name))
			for _, options := range [][]string{nil, {"+order"}} {
				if got := play(t, program, filepath.Join(root, directory, u.Name), options...); got != want {
					t.Errorf("options %q: got %q, want %q", options, got, want)
				}
			}
		})
	}
}

// fault changes one word of a file.
type fault struct {
	name, file string
	line       int // of the words, from 0
	digit      int // from the right, from 0
	want       string
	byCycle    bool // seen only where cycles are compared
}

// TestPlantedFaults: a test bench that cannot fail proves nothing. One wrong hex digit is found, and named.
func TestPlantedFaults(t *testing.T) {
	for unit, faults := range map[string][]fault{
		"sack": {
			{name: "lowest bit of a response", file: "m_rsp.mem", line: 300, digit: 2, want: "m_rsp beat 300 is"},
			{name: "highest bit of a vector", file: "m_rsp.mem", line: 400, digit: 119, want: "m_rsp beat 400 is"},
			{name: "cycle of a response", file: "m_rsp.mem", line: 500, digit: 120, want: "m_rsp beat 500 is", byCycle: true},
			{name: "cycle of an acceptance", file: "s_req.mem", line: 200, digit: 36, want: "s_req beat 200 accepted", byCycle: true},
			{name: "event", file: "dbg_update.mem", line: 10, digit: 14, want: "dbg_update beat 10 is"},
			{name: "counter", file: "counters.mem", line: 2, digit: 0, want: "count_duplicate is"},
		},
		"rx": {
			{name: "payload byte", file: "m_payload.mem", line: 50, digit: 3, want: "m_payload beat 50 is"},
			{name: "byte of an ACK", file: "m_axis.mem", line: 20, digit: 9, want: "m_axis beat 20 is", byCycle: true},
			{name: "completion", file: "m_cqe.mem", line: 3, digit: 12, want: "m_cqe beat 3 is"},
		},
	} {
		t.Run(unit, func(t *testing.T) { checkFaults(t, unit, faults) })
	}
}

// checkFaults plants all faults of a unit at once: words are compared one by one, so each must be named, and no other. The
// faults that only the cycle level sees must pass by order.
func checkFaults(t *testing.T, unit string, faults []fault) {
	program := compile(t, unit)
	all, timed := copyVectors(t, unit), copyVectors(t, unit)
	for _, f := range faults {
		plant(t, all, f)
		if f.byCycle {
			plant(t, timed, f)
		}
	}
	got := play(t, program, all)
	for _, f := range faults {
		if !strings.Contains(got, f.want) {
			t.Errorf("%s: %q is not in\n%s", f.name, f.want, got)
		}
	}
	if want := fmt.Sprintf("\nFAIL: %d differences, ", len(faults)); !strings.Contains(got, want) || strings.Contains(got, "PASS") {
		t.Errorf("want %q in\n%s", want, got)
	}
	if got := play(t, program, timed, "+order"); !strings.HasPrefix(got, "PASS: ") {
		t.Errorf("by order, faults of the cycle level only: %s", got)
	}
}

// copyVectors copies a unit's vectors.
func copyVectors(t *testing.T, unit string) (vectors string) {
	t.Helper()
	vectors = t.TempDir()
	if err := os.CopyFS(vectors, os.DirFS(filepath.Join(root, directory, unit))); err != nil {
		t.Fatal(err)
	}
	return vectors
}

// plant changes one digit of one word.
func plant(t *testing.T, vectors string, f fault) {
	t.Helper()
	path := filepath.Join(vectors, f.file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines, words := strings.Split(string(data), "\n"), 0
	for i, line := range lines {
		if strings.HasPrefix(line, "//") {
			continue
		}
		if words == f.line {
			at := len(line) - 1 - f.digit
			flipped := map[bool]string{true: "1", false: "0"}[line[at] == '0']
			lines[i] = line[:at] + flipped + line[at+1:]
		}
		words++
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFewerBeatsAreADifference: an output that stays silent is found.
func TestFewerBeatsAreADifference(t *testing.T) {
	program := compile(t, "sack")
	vectors := copyVectors(t, "sack")
	path := filepath.Join(vectors, "s_req.mem")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	last := lines[len(lines)-1]
	lines[len(lines)-1] = last[:8] + "ffffffff" + last[16:] // never offered
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := play(t, program, vectors)
	for _, want := range []string{"s_req: 734 beats of 735\n", "m_rsp: 734 beats of 735\n", "FAIL: "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not hold %q", got, want)
		}
	}
}
