package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// file collects the problems of one spec file while its nodes are read.
type file struct {
	name     string
	problems *Problems
	sizes    []Key // the keys that the sizes of the spec give to a configuration
}

// fail notes a problem at a node.
func (f *file) fail(n ast.Node, what, text string) {
	p := &Problem{File: f.name, Line: 1, Column: 1, What: what, Text: excerpt(text)}
	if n != nil {
		if t := firstToken(n); t != nil && t.Position != nil {
			p.Line, p.Column = t.Position.Line, t.Position.Column
		}
	}
	*f.problems = append(*f.problems, p)
}

// firstToken is where a node begins; the token of a mapping itself is its first colon or brace.
func firstToken(n ast.Node) *token.Token {
	if entries, ok := entriesOf(n); ok && len(entries) > 0 {
		return entries[0].Key.GetToken()
	}
	return n.GetToken()
}

// excerpt keeps messages to one line of bounded length.
func excerpt(text string) string {
	const limit = 60
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n")
	if r := []rune(text); len(r) > limit {
		return string(r[:limit]) + "..."
	}
	return text
}

// sourceText is the text of a node for a message.
func sourceText(n ast.Node) string {
	if n == nil {
		return ""
	}
	if t := n.GetToken(); t != nil {
		return t.Value
	}
	return ""
}

// object is a mapping whose keys are known and unique.
type object struct {
	file   *file
	node   ast.Node
	what   string // kind of entry, for messages
	shape  map[string]*Key
	values map[string]ast.Node
}

// mapping reads a node as a mapping that has the keys of a shape and no others. of, if not empty, says whose entry it is.
func (f *file) mapping(n ast.Node, s *Shape, of string) *object {
	o := &object{file: f, node: n, what: s.What + of, shape: map[string]*Key{}, values: map[string]ast.Node{}}
	keys := s.AllKeys(f.sizes)
	for i := range keys {
		o.shape[keys[i].Name] = &keys[i]
	}
	pairs, ok := entriesOf(n)
	if !ok {
		f.fail(n, o.what+" must be a mapping", sourceText(n))
		return o
	}
	for _, pair := range pairs {
		o.add(pair)
	}
	for _, k := range keys {
		if o.values[k.Name] == nil && !k.Optional {
			f.fail(n, o.what+": missing key", k.Name)
		}
	}
	return o
}

// add takes one entry of the mapping.
func (o *object) add(pair *ast.MappingValueNode) {
	key, ok := pair.Key.(*ast.StringNode)
	if !ok {
		o.file.fail(pair.Key, o.what+": key is not a plain name", sourceText(pair.Key))
		return
	}
	switch _, seen := o.values[key.Value]; {
	case o.shape[key.Value] == nil:
		o.file.fail(key, o.what+": unknown key", key.Value)
	case seen:
		o.file.fail(key, o.what+": duplicate key", key.Value)
	default:
		o.values[key.Value] = pair.Value
	}
}

// entriesOf is the entries of a mapping node.
func entriesOf(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

// has tells whether the mapping has the key.
func (o *object) has(key string) bool { return o.values[key] != nil }

// at is the node of a key's value, or the object's own where the key is absent.
func (o *object) at(key string) ast.Node {
	if n := o.values[key]; n != nil {
		return n
	}
	return o.node
}

// fail notes a problem at a key's value.
func (o *object) fail(key, what, text string) { o.file.fail(o.at(key), o.what+": "+what, text) }

// text reads a key's value as a string of at least one character; "" if it is absent. Runs of blanks and line ends become
// one blank each: the targets write it into comments of one line.
func (o *object) text(key string) string { return strings.Join(strings.Fields(o.block(key)), " ") }

// block is text as it stands.
func (o *object) block(key string) string {
	if o.values[key] == nil {
		return ""
	}
	s := o.label(key)
	if strings.TrimSpace(s) == "" {
		o.fail(key, key+" is empty", s)
	}
	return s
}

// label reads a key's value as a string that may be empty. It holds nothing that would end, continue or hide a comment:
// no control characters but tabs and line ends, no backslash at the end.
func (o *object) label(key string) string {
	n := o.values[key]
	if n == nil {
		return ""
	}
	s, ok := scalarText(n)
	switch {
	case !ok:
		o.fail(key, key+" must be a string", sourceText(n))
		return ""
	case strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsGraphic(r) && r != '\n' && r != '\t' }) || !utf8.ValidString(s):
		o.fail(key, key+" holds a character that cannot be seen", strconv.QuoteToASCII(s))
	case strings.HasSuffix(strings.TrimSpace(s), `\`):
		o.fail(key, key+" ends in a backslash", s)
	}
	return s
}

// scalarText is the text of a string node in any of YAML's notations.
func scalarText(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// number reads a key's value as a decimal integer in the range of its shape; the lower end if it is absent or wrong.
func (o *object) number(key string) uint64 {
	k, n := o.shape[key], o.values[key]
	if n == nil {
		return k.Low
	}
	text := sourceText(n)
	v, err := strconv.ParseUint(text, 10, 64)
	if _, ok := n.(*ast.IntegerNode); !ok || err != nil {
		o.fail(key, key+" must be a decimal integer from 0 to 2^64-1", text)
		return k.Low
	}
	if v < k.Low || v > k.High {
		o.fail(key, fmt.Sprintf("%s must be in %s", key, k.rangeOf()), text)
		return k.Low
	}
	return v
}

// boolean reads a key's value as true or false; false if it is absent.
func (o *object) boolean(key string) bool {
	n := o.values[key]
	if n == nil {
		return false
	}
	b, ok := n.(*ast.BoolNode)
	if !ok {
		o.fail(key, key+" must be true or false", sourceText(n))
		return false
	}
	return b.Value
}

// list reads a key's value as a sequence; nil if it is absent.
func (o *object) list(key string) []ast.Node {
	n := o.values[key]
	if n == nil {
		return nil
	}
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		o.fail(key, key+" must be a list", sourceText(n))
		return nil
	}
	return s.Values
}

// names reads a key's value as a list of strings, and calls check with the node of each.
func (o *object) names(key string, check func(n ast.Node, name string)) []string {
	var out []string
	for _, n := range o.list(key) {
		s, ok := scalarText(n)
		if !ok {
			o.file.fail(n, o.what+": "+key+" must hold strings", sourceText(n))
			continue
		}
		check(n, s)
		out = append(out, s)
	}
	return out
}

// choice reads a key as one of the words of its shape.
func (o *object) choice(key string) string {
	s, k := o.text(key), o.shape[key]
	if s != "" && !slices.Contains(k.Choices, s) {
		o.fail(key, fmt.Sprintf("%s must be one of %s", key, k.choices()), s)
	}
	return s
}
