package bugs

import (
	"fmt"
	"strings"
)

// patch is a parsed unified diff.
type patch struct {
	name  string
	files []filePatch
}

type filePatch struct {
	path  string // as after "+++ b/"
	hunks []hunk
}

// hunk replaces one run of lines by another; both hold the context lines.
type hunk struct {
	line     int // of the patch file, for errors
	start    int // first line of the old text, from 1
	old, new []string
}

// parsePatch reads a unified diff strictly: header pairs, then hunks whose line counts are as they say.
func parsePatch(name, text string) (*patch, error) {
	p := &patch{name: name}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); {
		switch {
		case strings.HasPrefix(lines[i], "--- a/"):
			if i+1 >= len(lines) || !strings.HasPrefix(lines[i+1], "+++ b/") {
				return nil, p.fault(i, "--- without +++")
			}
			if lines[i][6:] != lines[i+1][6:] {
				return nil, p.fault(i, "a patch must not rename a file")
			}
			p.files = append(p.files, filePatch{path: lines[i+1][6:]})
			i += 2
		case strings.HasPrefix(lines[i], "@@ "):
			if len(p.files) == 0 {
				return nil, p.fault(i, "hunk before its file")
			}
			h, next, err := p.parseHunk(lines, i)
			if err != nil {
				return nil, err
			}
			f := &p.files[len(p.files)-1]
			f.hunks = append(f.hunks, h)
			i = next
		default:
			return nil, p.fault(i, "%q is neither a file header nor a hunk", lines[i])
		}
	}
	return p, p.complete()
}

func (p *patch) fault(i int, format string, args ...any) error {
	return fmt.Errorf("%s:%d: %s", p.name, i+1, fmt.Sprintf(format, args...))
}

// complete refuses a patch that changes nothing.
func (p *patch) complete() error {
	if len(p.files) == 0 {
		return fmt.Errorf("%s: no file is patched", p.name)
	}
	for i := range p.files {
		if len(p.files[i].hunks) == 0 {
			return fmt.Errorf("%s: %s has no hunk", p.name, p.files[i].path)
		}
	}
	return nil
}

func (p *patch) parseHunk(lines []string, at int) (h hunk, next int, err error) {
	var oldCount, newStart, newCount int
	if n, _ := fmt.Sscanf(lines[at], "@@ -%d,%d +%d,%d @@", &h.start, &oldCount, &newStart, &newCount); n != 4 {
		return h, 0, p.fault(at, "want @@ -start,count +start,count @@, have %q", lines[at])
	}
	h.line = at + 1
	changed := false
	i := at + 1
	for ; i < len(lines) && (len(h.old) < oldCount || len(h.new) < newCount); i++ {
		mark, text := " ", ""
		if lines[i] != "" {
			mark, text = lines[i][:1], lines[i][1:]
		}
		switch mark {
		case " ":
			h.old, h.new = append(h.old, text), append(h.new, text)
		case "-":
			h.old, changed = append(h.old, text), true
		case "+":
			h.new, changed = append(h.new, text), true
		default:
			return h, 0, p.fault(i, "line begins with %q", mark)
		}
	}
	if len(h.old) != oldCount || len(h.new) != newCount {
		return h, 0, p.fault(at, "hunk has %d and %d lines, says %d and %d", len(h.old), len(h.new), oldCount, newCount)
	}
	if !changed || len(h.old) == 0 {
		return h, 0, p.fault(at, "hunk changes nothing, or has no line to find its place by")
	}
	return h, i, nil
}

// apply returns the file's text with all hunks applied. A hunk's old lines must stand where it says, or at exactly one
// other place: the file may have grown above it, but what is patched must be what was meant.
func (f *filePatch) apply(patchName, text string) (string, error) {
	lines := strings.Split(text, "\n")
	shift := 0
	for i := range f.hunks {
		h := &f.hunks[i]
		at, err := h.find(lines, h.start-1+shift)
		if err != nil {
			return "", fmt.Errorf("%s:%d: %s: %w", patchName, h.line, f.path, err)
		}
		lines = append(lines[:at:at], append(append([]string(nil), h.new...), lines[at+len(h.old):]...)...)
		shift = at - (h.start - 1) + len(h.new) - len(h.old)
	}
	return strings.Join(lines, "\n"), nil
}

func (h *hunk) find(lines []string, expected int) (int, error) {
	if h.matches(lines, expected) {
		return expected, nil
	}
	found := -1
	for at := range lines {
		if !h.matches(lines, at) {
			continue
		}
		if found >= 0 {
			return 0, fmt.Errorf("the hunk's lines stand at line %d and at line %d, and not where it says", found+1, at+1)
		}
		found = at
	}
	if found < 0 {
		return 0, fmt.Errorf("the hunk's lines are not in the file; the patch is for another version of it")
	}
	return found, nil
}

func (h *hunk) matches(lines []string, at int) bool {
	if at < 0 || at+len(h.old) > len(lines) {
		return false
	}
	for i, want := range h.old {
		if lines[at+i] != want {
			return false
		}
	}
	return true
}
