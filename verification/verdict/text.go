package verdict

import (
	"fmt"
	"io"
	"strings"

	"metaroce/golden/profile"
)

// WriteText writes the report for a person: the verdict first, then the first difference in the forms that wave
// viewers turn into links ("@ 50000", "top.sub.sig").
func (r *Report) WriteText(w io.Writer) error {
	var b strings.Builder
	r.head(&b)
	if r.First != nil {
		r.First.text(&b)
	}
	r.tail(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

func (r *Report) head(b *strings.Builder) {
	fmt.Fprintf(b, "verdict   %s\n", r.Verdict)
	fmt.Fprintf(b, "compared  %d records in %d cycles%s\n", r.Compared, r.Cycles, portList(r.Ports))
	line(b, "unit", join(r.Unit, prefix("config ", r.Configuration), prefix("level ", r.Level)))
	line(b, "source", r.Source)
	if r.Seed != nil {
		fmt.Fprintf(b, "seed      %d\n", *r.Seed)
	}
	if r.Khz > 0 {
		fmt.Fprintf(b, "speed     %.1f kHz%s\n", r.Khz, r.Share.text())
	}
	line(b, "side", r.Side)
}

func (r *Report) tail(b *strings.Builder) {
	for _, n := range r.Notes {
		line(b, "note", n)
	}
	for _, f := range r.Files {
		line(b, f.Kind, f.Path)
	}
	line(b, "replay", r.Replay)
	fmt.Fprintf(b, "profile   interim profile %s, version %d: conformity is not claimed\n", profile.Name, profile.Version)
}

func (r *Report) headline() string {
	switch {
	case r.First != nil:
		return r.First.headline()
	case r.Side != "":
		return r.Side
	case len(r.Notes) > 0:
		return r.Notes[len(r.Notes)-1]
	}
	return ""
}

func (d *Difference) headline() string {
	where := d.Port
	if d.Field != "" {
		where += "." + d.Field
	}
	return fmt.Sprintf("cycle %d %s: model %s, device %s", d.Cycle, where, d.Want, d.Got)
}

func (d *Difference) text(b *strings.Builder) {
	fmt.Fprintf(b, "\nfirst difference (%s)\n", d.Kind)
	where := fmt.Sprintf("%d", d.Cycle)
	if d.Time != "" {
		where += "   @ " + d.Time
	}
	line(b, "  cycle", where)
	line(b, "  port", join(d.Port, fmt.Sprintf("record %d", d.Record), d.Key))
	line(b, "  field", d.Field)
	line(b, "  signal", d.Signal)
	line(b, "  model", d.Want)
	line(b, "  device", d.Got)
	line(b, "  rule", d.Rule)
	line(b, "  model record", d.WantRecord)
	line(b, "  device record", d.GotRecord)
	for _, g := range d.LastGood {
		line(b, "  last good", g)
	}
	block(b, "  model state", d.ModelState)
	block(b, "  device state", d.DeviceState)
	b.WriteByte('\n')
}

func (s *Share) text() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf(" (model %.0f %%, bridge %.0f %%, RTL %.0f %%)", s.Model*100, s.Bridge*100, s.RTL*100)
}

func portList(ports []Port) string {
	var parts []string
	for _, p := range ports {
		if p.Compared > 0 { // a capture holds some of the ports only
			parts = append(parts, fmt.Sprintf("%s %d", p.Name, p.Compared))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// line writes one "name value" line; nothing for an empty value.
func line(b *strings.Builder, name, value string) {
	if value != "" {
		fmt.Fprintf(b, "%-10s%s\n", pad(name), value)
	}
}

// pad keeps a blank behind a name that fills its column.
func pad(name string) string {
	if len(name) >= 10 {
		return name + "  "
	}
	return name
}

func block(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	b.WriteString(name + "\n")
	for _, l := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString("    " + l + "\n")
	}
}

func prefix(name, value string) string {
	if value == "" {
		return ""
	}
	return name + value
}

// join joins what is not empty with commas.
func join(parts ...string) string {
	kept := parts[:0:0]
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, ", ")
}
