package load

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
)

var (
	ruleID = regexp.MustCompile(`^[a-z]+\.[a-z]+$`)
	quoted = regexp.MustCompile("`[^`]*`")
)

// runParameters are quoted in rules but are no entries of the spec: the key sweep, and what a run of the bench is given.
var runParameters = words(`sweep quiet_cycles max_cycles`)

// readRules reads rules.yaml.
func (r *reader) readRules(f *file, root ast.Node) {
	top := f.mapping(root, FileShapes["rules.yaml"], "")
	ids := f.unique("rule")
	for _, n := range top.list("rules") {
		o := f.mapping(n, &ruleShape, "")
		rule := model.Rule{ID: o.text("id"), Text: o.block("text"), Provenance: r.provenance(o)}
		if rule.ID != "" && !ruleID.MatchString(rule.ID) {
			o.fail("id", "id must be area.rule in lower case", rule.ID)
		}
		ids.add(o.at("id"), rule.ID)
		r.deferred = append(r.deferred, func() { r.checkQuotes(o, rule.Text) })
		r.spec.Rules = append(r.spec.Rules, rule)
	}
}

// checkQuotes notes what a rule puts in code quotes though the spec has no such name.
func (r *reader) checkQuotes(o *object, text string) {
	known := r.quotable()
	for _, q := range quoted.FindAllString(text, -1) {
		if name := q[1 : len(q)-1]; !known[name] && !runParameters[name] {
			o.fail("text", "quoted name is not in the spec", name)
		}
	}
}

// quotable is the names of constants, sizes, timing entries and fields.
func (r *reader) quotable() map[string]bool {
	known := map[string]bool{}
	for _, c := range r.spec.Constants {
		known[c.Name] = true
	}
	for _, z := range r.spec.Sizes {
		known[z.Name] = true
	}
	for _, u := range r.spec.Units {
		for _, t := range u.Timing {
			known[t.Name] = true
		}
		for _, c := range u.Counters {
			known[c] = true
		}
		for _, p := range u.Ports {
			for _, x := range p.Fields {
				known[x.Name] = true
			}
		}
	}
	return known
}
