package load

import (
	"regexp"
	"slices"

	"metaroce/gen/model"
)

var factNumber = regexp.MustCompile(`^P[1-9][0-9]*$`)

// provenance reads the provenance of an entry; one of the three must be there.
func (r *reader) provenance(o *object) model.Provenance {
	p := model.Provenance{Public: o.text("public"), Related: o.text("related"), Assumed: o.text("assumed")}
	if !o.has("public") && !o.has("related") && !o.has("assumed") {
		o.file.fail(o.node, o.what+": provenance is missing (public, related or assumed)", o.title())
	}
	if p.Public != "" && !slices.ContainsFunc(r.spec.Facts, func(f model.Fact) bool { return f.ID == p.Public }) {
		o.fail("public", "unknown public fact", p.Public)
	}
	return p
}

// title names an entry by its name or id, where it has one.
func (o *object) title() string {
	for _, key := range []string{"name", "id"} {
		if s, ok := scalarText(o.values[key]); ok {
			return s
		}
	}
	return sourceText(o.node)
}
