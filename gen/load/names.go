package load

import (
	"fmt"
	"regexp"

	"github.com/goccy/go-yaml/ast"
)

// The patterns of names.
const (
	LowerPattern = `^[a-z][a-z0-9]*(_[a-z0-9]+)*$`
	UpperPattern = `^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$`
)

var (
	lowerName = regexp.MustCompile(LowerPattern)
	upperName = regexp.MustCompile(UpperPattern)
)

// name reads a key as a lower-case name that no target's language reserves.
func (o *object) name(key string) string {
	s := o.text(key)
	if s == "" {
		return ""
	}
	if !lowerName.MatchString(s) {
		o.fail(key, key+" must be lower case words joined by underscores", s)
	} else if language := reservedIn(s); language != "" {
		o.fail(key, key+" is a reserved word of "+language, s)
	}
	return s
}

// fieldName reads the name of a field, which targets emit only with a prefix, quoted, or in camel case.
func (o *object) fieldName(key string) string {
	s := o.text(key)
	switch {
	case s == "":
	case !lowerName.MatchString(s):
		o.fail(key, key+" must be lower case words joined by underscores", s)
	case methodNames[s]:
		o.fail(key, key+" is the name of a generated method", s)
	case !fieldWords[s] && reservedIn(s) != "":
		o.fail(key, key+" is a reserved word of "+reservedIn(s), s)
	}
	return s
}

// valueName reads an upper-case name of an enum value.
func (o *object) valueName(key string) string {
	s := o.text(key)
	if s == "" {
		return ""
	}
	if !upperName.MatchString(s) {
		o.fail(key, key+" must be upper case words joined by underscores", s)
	} else if cMacros[s] {
		o.fail(key, key+" is a macro of the C++ library", s)
	}
	return s
}

// unique notes a second use of a name in a list of one kind.
type unique struct {
	file *file
	what string
	seen map[string]bool
}

func (f *file) unique(what string) *unique { return &unique{f, what, map[string]bool{}} }

func (u *unique) add(n ast.Node, name string) {
	if name == "" {
		return
	}
	if u.seen[name] {
		u.file.fail(n, "duplicate "+u.what, name)
	}
	u.seen[name] = true
}

// claim takes a name of the one flat namespace that the Verilog macros and the Go constants share.
func (r *reader) claim(f *file, n ast.Node, name, owner string) {
	if r.macros == nil {
		r.macros = map[string]string{}
		for _, reserved := range []string{
			"name", "version", "statement", "spec_hash", "spec_hash64", "config", "config_name", "configurations", "profile_vh",
			"config_vh", "tables_vh", "table_hash", "headers", "units", "enums",
		} {
			r.macros[reserved] = "the generator"
		}
	}
	if other, taken := r.macros[name]; taken {
		f.fail(n, fmt.Sprintf("generated name %s of %s is taken by %s", name, owner, other), name)
		return
	}
	r.macros[name] = owner
}
