package load

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
)

var ruleID = regexp.MustCompile(`^[a-z]+\.[a-z]+$`)

// readRules reads rules.yaml.
func (r *reader) readRules(f *file, root ast.Node) {
	top := f.mapping(root, "rules.yaml", "rules")
	ids := f.unique("rule")
	for _, n := range top.list("rules") {
		o := f.mapping(n, "rule", withProvenance("id", "text")...)
		rule := model.Rule{ID: o.text("id"), Text: o.text("text"), Provenance: r.provenance(o)}
		if rule.ID != "" && !ruleID.MatchString(rule.ID) {
			o.fail("id", "id must be area.rule in lower case", rule.ID)
		}
		ids.add(o.at("id"), rule.ID)
		r.spec.Rules = append(r.spec.Rules, rule)
	}
}
