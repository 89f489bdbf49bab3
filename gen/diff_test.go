package gen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestDiffOfOneLine is the form that diff -u gives it.
func TestDiffOfOneLine(t *testing.T) {
	var out bytes.Buffer
	old, new := "a\nb\nc\nd\ne\nf\ng\nh\n", "a\nb\nc\nd\nE\nf\ng\nh\n"
	if err := writeDiff(&out, []Change{{Path: "x", Old: []byte(old), New: []byte(new)}}); err != nil {
		t.Fatal(err)
	}
	want := "--- a/x\n+++ b/x\n@@ -2,7 +2,7 @@\n b\n c\n d\n-e\n+E\n f\n g\n h\n"
	if out.String() != want {
		t.Errorf("got:\n%s\nwant:\n%s", out.String(), want)
	}
}

// TestDiffRebuildsBothSides: of any two texts, the equal and removed lines are the old text, the equal and added ones the
// new; and the hunks' line numbers are those of their lines.
func TestDiffRebuildsBothSides(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	text := func() string {
		var b strings.Builder
		for range r.IntN(40) {
			fmt.Fprintln(&b, r.IntN(4))
		}
		return b.String()
	}
	for i := range 500 {
		old, new := text(), text()
		var a, b strings.Builder
		for _, e := range edits(splitLines([]byte(old)), splitLines([]byte(new))) {
			line := strings.TrimSuffix(e.line, "\n") + "\n"
			if e.kind != '+' {
				a.WriteString(line)
			}
			if e.kind != '-' {
				b.WriteString(line)
			}
		}
		if a.String() != old || b.String() != new {
			t.Fatalf("case %d:\nold %q\nnew %q\ngot %q and %q", i, old, new, a.String(), b.String())
		}
		var out bytes.Buffer
		if err := writeDiff(&out, []Change{{Path: "x", Old: []byte(old), New: []byte(new)}}); err != nil {
			t.Fatal(err)
		}
		checkHunks(t, out.String(), splitLines([]byte(old)), splitLines([]byte(new)))
	}
}

// checkHunks reads a diff and compares each line with the line that its number names.
func checkHunks(t *testing.T, diff string, old, new []string) {
	t.Helper()
	oldAt, newAt := 0, 0
	for _, line := range strings.Split(strings.TrimSuffix(diff, "\n"), "\n")[2:] {
		var oldCount, newCount int
		if n, _ := fmt.Sscanf(line, "@@ -%d,%d +%d,%d @@", &oldAt, &oldCount, &newAt, &newCount); n == 4 {
			oldAt, newAt = max(oldAt-1, 0), max(newAt-1, 0)
			if oldCount == 0 {
				oldAt++
			}
			if newCount == 0 {
				newAt++
			}
			continue
		}
		if line[0] != '+' {
			if strings.TrimSuffix(old[oldAt], "\n") != line[1:] {
				t.Fatalf("line %d of the old text is %q, the diff says %q", oldAt+1, old[oldAt], line)
			}
			oldAt++
		}
		if line[0] != '-' {
			if strings.TrimSuffix(new[newAt], "\n") != line[1:] {
				t.Fatalf("line %d of the new text is %q, the diff says %q", newAt+1, new[newAt], line)
			}
			newAt++
		}
	}
}
