// Package report shows the result of a co-simulation to a person: one self-contained HTML file, without scripts and
// without anything fetched, with the figures, the first difference with both sides, a timing diagram of the real
// records and a plot of the traffic over time.
package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"metaroce/golden/engine"
	"metaroce/golden/event"
	"metaroce/golden/profile"
	"metaroce/verification/verdict"
)

// Input is what a report is made from. Model and Device are the records of the cycles From..To of both sides.
type Input struct {
	Report        *verdict.Report
	Unit          *event.Unit
	Model, Device []engine.Record
	From, To      uint64 // cycles that the timing diagram shows, both included
	Marked        bool   // Mark is the cycle of the difference
	Mark          uint64
	Series        *Series // nil: no plot
}

//go:embed report.html
var page string

var parsed = template.Must(template.New("report").Parse(page))

// view is what the template sees.
type view struct {
	*Input
	Profile, Spec string
	Figures       [][2]string
	Timing        template.HTML
	Plot          template.HTML
	PlotTitle     string
	Legend        []legendEntry
}

// WriteHTML writes the report.
func WriteHTML(w io.Writer, in *Input) error {
	v := &view{Input: in, Profile: fmt.Sprintf("%s, version %d", profile.Name, profile.Version), Spec: profile.SpecHash}
	v.Figures = figures(in.Report)
	if in.To > in.From {
		v.Timing = timing(in)
	}
	if in.Series != nil {
		if points, title := in.Series.busiest(); len(points) > 1 {
			v.Plot, v.Legend = in.Series.plot(points, in)
			v.PlotTitle = title
		}
	}
	return parsed.Execute(w, v)
}

func figures(r *verdict.Report) [][2]string {
	f := [][2]string{
		{"records compared", fmt.Sprint(r.Compared)}, {"clock cycles", fmt.Sprint(r.Cycles)},
		{"unit", r.Unit}, {"configuration", r.Configuration}, {"level", r.Level}, {"source", r.Source},
	}
	if r.Seed != nil {
		f = append(f, [2]string{"seed", fmt.Sprint(*r.Seed)})
	}
	if r.Khz > 0 {
		f = append(f, [2]string{"speed", fmt.Sprintf("%.0f kHz", r.Khz)})
	}
	if r.Share != nil {
		f = append(f, [2]string{"time in model / bridge / RTL", fmt.Sprintf("%.0f / %.0f / %.0f %%", 100*r.Share.Model, 100*r.Share.Bridge, 100*r.Share.RTL)})
	}
	kept := f[:0]
	for _, pair := range f {
		if pair[1] != "" {
			kept = append(kept, pair)
		}
	}
	return kept
}

// Kind says in words what kind of difference the first is.
func (v *view) Kind() string {
	switch kind := v.Report.First.Kind; kind {
	case verdict.KindField:
		return "a field of the same record has two values"
	case verdict.KindCycle:
		return "the same record comes in different cycles"
	case verdict.KindMissing:
		return "the device lacks a record of the model"
	case verdict.KindUnexpected:
		return "the device has a record that the model has not"
	case verdict.KindUnknown:
		return "the device's value has x or z bits"
	case verdict.KindCounter:
		return "a counter has two values at the end of the run"
	case verdict.KindProtocol:
		return "the device broke the rules of a port"
	default:
		return string(kind)
	}
}

// Fields splits a record's one-line form into its fields, for the two columns of the first difference.
func (v *view) Fields() []fieldRow {
	d := v.Report.First
	if d == nil {
		return nil
	}
	want, got := split(d.WantRecord), split(d.GotRecord)
	var rows []fieldRow
	for i := range max(len(want), len(got)) {
		row := fieldRow{}
		if i < len(want) {
			row.Name, row.Want = want[i][0], want[i][1]
		}
		if i < len(got) {
			row.Name, row.Got = got[i][0], got[i][1]
		}
		row.Different = row.Want != row.Got
		rows = append(rows, row)
	}
	return rows
}

type fieldRow struct {
	Name, Want, Got string
	Different       bool
}

// split turns "cycle 12 m_rsp a=1 b=2" into name and value pairs, the cycle first.
func split(record string) [][2]string {
	words := strings.Fields(record)
	if len(words) < 2 {
		return nil
	}
	pairs := [][2]string{{"cycle", words[1]}}
	for _, word := range words[2:] {
		if name, value, ok := strings.Cut(word, "="); ok {
			pairs = append(pairs, [2]string{name, value})
		}
	}
	return pairs
}
