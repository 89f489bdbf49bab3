package load

import (
	"regexp"

	"github.com/goccy/go-yaml/ast"
)

// The patterns of names. A word does not begin with a digit: camel case then keeps different names different.
const (
	LowerPattern     = `^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*$`
	LowerPathPattern = `^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*(\.[a-z][a-z0-9]*(_[a-z][a-z0-9]*)*)?$`
	UpperPattern     = `^[A-Z][A-Z0-9]*(_[A-Z][A-Z0-9]*)*$`
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
