// Package docs is the documentation target: provenance, open questions, wire format, units and rules as Markdown.
package docs

import (
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	var files []output.File
	for _, page := range []struct {
		name, title string
		body        func(*output.Text, *model.Spec)
	}{
		{"provenance", "Where each entry of the profile comes from", provenance},
		{"open-questions", "Questions that the public text leaves open", questions},
		{"wire", "Wire format", wire},
		{"units", "Units: ports, counters, timing", units},
		{"rules", "Rules", rules},
	} {
		t := &output.Text{}
		t.Line("<!--\n%s-->\n\n# %s\n", output.Banner("", s), page.title)
		t.Line("> **Interim profile `%s`, version %d.** %s\n", s.Name, s.Version, output.Sentence(strings.TrimPrefix(s.Statement, "Interim profile. ")))
		page.body(t, s)
		files = append(files, output.File{Path: "docs/generated/" + page.name + ".md", Data: []byte(strings.TrimRight(t.String(), "\n") + "\n")})
	}
	return files, nil
}

// row writes one row of a table.
func row(t *output.Text, cells ...string) {
	for i, c := range cells {
		cells[i] = strings.ReplaceAll(output.Sentence(c), "|", `\|`)
	}
	t.Line("| %s |", strings.Join(cells, " | "))
}

// head writes the head of a table.
func head(t *output.Text, cells ...string) {
	row(t, cells...)
	t.Line("|%s", strings.Repeat(" --- |", len(cells)))
}

func questions(t *output.Text, s *model.Spec) {
	t.Line("What this profile does about each, until the normative text can be had.\n")
	head(t, "Id", "Question", "Our choice")
	for _, q := range s.Questions {
		row(t, "`"+q.ID+"`", q.Question, q.Choice)
	}
}

func provenance(t *output.Text, s *model.Spec) {
	t.Line("*Public* is a number of the list of public facts at the end, *related* a published neighbour, *assumed* our decision and\nits reason.\n")
	entry := func(name, value string, p model.Provenance) { row(t, name, value, p.Public, p.Related, p.Assumed) }
	table := func(title string) {
		t.Line("\n## %s\n", title)
		head(t, "Entry", "Value", "Public", "Related", "Assumed")
	}
	table("Constants")
	for _, c := range s.Constants {
		entry("`"+c.Name+"`", strings.TrimSpace(fmt.Sprintf("%d %s", c.Value, c.Unit)), c.Provenance)
	}
	table("Sizes")
	for _, z := range s.Sizes {
		entry("`"+z.Name+"`", fmt.Sprintf("%d..%d", z.Min, z.Max), z.Provenance)
	}
	table("Tables")
	for _, x := range s.Tables {
		entry("`"+x.Name+"`", fmt.Sprintf("%d x %d bits", x.Entries, x.Bits), x.Provenance)
	}
	table("Enums")
	for _, e := range s.Enums {
		entry("`"+e.Name+"`", fmt.Sprintf("%d values, %d bits", len(e.Values), e.Bits), e.Provenance)
	}
	table("Headers")
	for _, h := range s.Headers {
		entry("`"+h.Name+"`", fmt.Sprintf("%d bytes", h.Bits/8), h.Provenance)
	}
	table("Units")
	for _, u := range s.Units {
		entry("`"+u.Name+"`", u.Text, u.Provenance)
	}
	table("Rules")
	for _, r := range s.Rules {
		entry("`"+r.ID+"`", "", r.Provenance)
	}
	t.Line("\n## Public facts\n")
	for _, f := range s.Facts {
		t.Line("- **%s** %s", f.ID, output.Sentence(f.Text))
	}
}

func rules(t *output.Text, s *model.Spec) {
	t.Line("The words that the model and the RTL are both written from. The spec's file says what its notation means.\n")
	area := ""
	for _, r := range s.Rules {
		if a, _, _ := strings.Cut(r.ID, "."); a != area {
			area = a
			t.Line("## %s\n", area)
		}
		t.Line("### %s\n\n*%s*\n", r.ID, origin(r.Provenance))
		t.Line("```text\n%s\n```\n", strings.TrimRight(r.Text, "\n"))
	}
}

// origin is provenance in one line.
func origin(p model.Provenance) string {
	var parts []string
	for _, x := range []struct{ kind, text string }{{"public", p.Public}, {"related", p.Related}, {"assumed", p.Assumed}} {
		if x.text != "" {
			parts = append(parts, x.kind+": "+output.Sentence(x.text))
		}
	}
	return strings.Join(parts, "; ")
}
