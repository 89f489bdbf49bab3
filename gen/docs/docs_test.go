package docs

import (
	"strings"
	"testing"

	"metaroce/gen/load"
	"metaroce/gen/model"
)

// pages is the pages by their file's name.
func pages(t *testing.T) (*model.Spec, map[string]string) {
	t.Helper()
	s, err := load.Load("../..")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Files(s)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, f := range files {
		out[f.Path[strings.LastIndex(f.Path, "/")+1:]] = string(f.Data)
	}
	return s, out
}

func TestPagesSayWhatTheyAreAndMissNothing(t *testing.T) {
	s, page := pages(t)
	for name, text := range page {
		if !strings.Contains(text, "**Interim profile `metaroce-interim`") || !strings.Contains(text, "claims conformity") {
			t.Errorf("%s does not say that it is of an interim profile", name)
		}
	}
	want := func(name string, parts ...string) {
		for _, part := range parts {
			if !strings.Contains(page[name], part) {
				t.Errorf("%s does not hold %q", name, part)
			}
		}
	}
	for _, q := range s.Questions {
		want("open-questions.md", "| `"+q.ID+"` | "+q.Question)
	}
	for _, r := range s.Rules {
		want("rules.md", "### "+r.ID+"\n", strings.SplitN(r.Text, "\n", 2)[0])
		want("provenance.md", "| `"+r.ID+"` |")
	}
	for _, c := range s.Constants {
		want("provenance.md", "| `"+c.Name+"` |")
	}
	for _, u := range s.Units {
		for _, p := range u.Ports {
			for _, f := range p.Fields {
				want("units.md", "| `"+p.Signal(f.Name)+"` |")
			}
		}
	}
	for _, h := range s.Headers {
		for _, f := range h.Fields {
			want("wire.md", "| `"+f.Name+"` |")
		}
	}
}

// TestDiagram draws a header whose fields end inside rows, cross them, and fill several.
func TestDiagram(t *testing.T) {
	h := &model.Header{Bits: 128, Fields: []model.HeaderField{
		{Name: "kind", Bits: 4}, {Name: "long_name", Bits: 4, Offset: 4}, {Name: "across", Bits: 40, Offset: 8},
		{Name: "rest", Bits: 16, Offset: 48}, {Name: "wide", Bits: 64, Offset: 64},
	}}
	const want = ` 0                   1                   2                   3
 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
| kind  |long_n~|                    across                     |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                               |             rest              |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
|                             wide                              |
+                                                               +
|                                                               |
+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
`
	if got := Diagram(h); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// TestDiagramsAddUp: in every header's diagram the boxes of a row are as wide as its bits.
func TestDiagramsAddUp(t *testing.T) {
	s, _ := pages(t)
	for i := range s.Headers {
		h := &s.Headers[i]
		lines := strings.Split(strings.TrimSuffix(Diagram(h), "\n"), "\n")[2:]
		bits := 0
		for j, line := range lines {
			if j%2 == 1 {
				bits += (len(line) - 1) / 2
			}
			if len(line) > 2*rowBits+1 {
				t.Errorf("header %s: line %q is too long", h.Name, line)
			}
		}
		if bits != h.Bits || len(lines)%2 != 1 {
			t.Errorf("header %s: the diagram shows %d bits in %d lines, want %d bits", h.Name, bits, len(lines), h.Bits)
		}
	}
}
