package load

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"

	"metaroce/gen/model"
)

var profileName = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

// readProfile reads profile.yaml.
func (r *reader) readProfile(f *file, root ast.Node) {
	top := f.mapping(root, FileShapes["profile.yaml"], "")
	if top.has("profile") {
		o := f.mapping(top.at("profile"), &profileShape, "")
		r.spec.Name = o.text("name")
		if r.spec.Name != "" && !profileName.MatchString(r.spec.Name) {
			o.fail("name", "name must be lower case words joined by hyphens", r.spec.Name)
		}
		r.spec.Version = o.number("version")
		r.spec.Statement = o.text("statement")
	}
	facts := f.unique("public fact")
	for _, n := range top.list("public_facts") {
		o := f.mapping(n, &factShape, "")
		id := o.text("id")
		if id != "" && !factNumber.MatchString(id) {
			o.fail("id", "id must be P and a number", id)
		}
		facts.add(o.at("id"), id)
		r.spec.Facts = append(r.spec.Facts, model.Fact{ID: id, Text: o.text("text")})
	}
	questions := f.unique("question")
	for _, n := range top.list("open_questions") {
		o := f.mapping(n, &questionShape, "")
		q := model.Question{ID: o.text("id"), Question: o.text("question"), Choice: o.text("choice")}
		questions.add(o.at("id"), q.ID)
		r.spec.Questions = append(r.spec.Questions, q)
	}
}
