package gen

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// context is the number of equal lines around a difference.
const context = 3

// writeDiff writes the changes as a unified diff.
func writeDiff(w io.Writer, changes []Change) error {
	var b bytes.Buffer
	for _, c := range changes {
		from, to := "a/"+c.Path, "b/"+c.Path
		if c.Old == nil {
			from = "/dev/null"
		}
		if c.New == nil {
			to = "/dev/null"
		}
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", from, to)
		writeHunks(&b, splitLines(c.Old), splitLines(c.New))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// splitLines cuts a text behind each line end.
func splitLines(data []byte) []string {
	if len(data) == 0 {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
}

// edit is one line of a diff: ' ' in both, '-' only in the old, '+' only in the new text.
type edit struct {
	kind byte
	line string
}

// edits compares two texts line by line: what is equal at both ends is kept, and in between the lines are matched by
// the longest common subsequence, or replaced wholesale where that table would be large.
func edits(old, new []string) []edit {
	const limit = 4 << 20 // cells of the table
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(new)-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	var out []edit
	add := func(kind byte, lines []string) {
		for _, l := range lines {
			out = append(out, edit{kind, l})
		}
	}
	add(' ', old[:head])
	a, b := old[head:len(old)-tail], new[head:len(new)-tail]
	if len(a)*len(b) <= limit {
		out = append(out, common(a, b)...)
	} else {
		add('-', a)
		add('+', b)
	}
	add(' ', old[len(old)-tail:])
	return out
}

// common matches two lists of lines by their longest common subsequence.
func common(a, b []string) []edit {
	length := make([][]int32, len(a)+1)
	for i := range length {
		length[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			} else {
				length[i][j] = max(length[i+1][j], length[i][j+1])
			}
		}
	}
	var out []edit
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			out = append(out, edit{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || length[i+1][j] >= length[i][j+1]):
			out = append(out, edit{'-', a[i]})
			i++
		default:
			out = append(out, edit{'+', b[j]})
			j++
		}
	}
	return out
}

// writeHunks writes the differing stretches with their context.
func writeHunks(b *bytes.Buffer, old, new []string) {
	all := edits(old, new)
	oldLine, newLine := 1, 1
	for i := 0; i < len(all); {
		if all[i].kind == ' ' && !changeWithin(all, i) {
			oldLine, newLine, i = oldLine+1, newLine+1, i+1
			continue
		}
		end := hunkEnd(all, i)
		oldLine, newLine = writeHunk(b, all[i:end], oldLine, newLine)
		i = end
	}
}

// changeWithin tells whether a change lies at most context lines behind an equal line.
func changeWithin(all []edit, i int) bool {
	for j := i; j < len(all) && j <= i+context; j++ {
		if all[j].kind != ' ' {
			return true
		}
	}
	return false
}

// hunkEnd is the end of the hunk that begins at i: context lines behind its last change, hunks that touch joined.
func hunkEnd(all []edit, i int) int {
	last := i
	for j := i; j < len(all) && j <= last+2*context; j++ {
		if all[j].kind != ' ' {
			last = j
		}
	}
	return min(len(all), last+context+1)
}

// writeHunk writes one hunk and returns the line numbers behind it.
func writeHunk(b *bytes.Buffer, hunk []edit, oldLine, newLine int) (int, int) {
	oldCount, newCount := 0, 0
	for _, e := range hunk {
		if e.kind != '+' {
			oldCount++
		}
		if e.kind != '-' {
			newCount++
		}
	}
	fmt.Fprintf(b, "@@ -%s +%s @@\n", lineRange(oldLine, oldCount), lineRange(newLine, newCount))
	for _, e := range hunk {
		b.WriteByte(e.kind)
		b.WriteString(strings.TrimSuffix(e.line, "\n"))
		b.WriteByte('\n')
	}
	return oldLine + oldCount, newLine + newCount
}

// lineRange is a hunk's range; an empty one names the line before it.
func lineRange(line, count int) string {
	if count == 0 {
		line--
	}
	return fmt.Sprintf("%d,%d", line, count)
}
