package scenario

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// Error is a fault of a scenario file, at its place.
type Error struct {
	File         string
	Line, Column int
	Text         string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text) }

// document is a parsed file; its methods read nodes strictly.
type document struct{ file string }

func (d *document) fault(n ast.Node, format string, args ...any) error {
	e := &Error{File: d.file, Line: 1, Column: 1, Text: fmt.Sprintf(format, args...)}
	if n != nil && n.GetToken() != nil {
		e.Line, e.Column = n.GetToken().Position.Line, n.GetToken().Position.Column
	}
	return e
}

// parse reads the one document of a file.
func (d *document) parse(text []byte) (ast.Node, error) {
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		var syntax yaml.Error
		if errors.As(err, &syntax) && syntax.GetToken() != nil {
			at := syntax.GetToken().Position
			return nil, &Error{File: d.file, Line: at.Line, Column: at.Column, Text: syntax.GetMessage()}
		}
		return nil, fmt.Errorf("%s: %w", d.file, err)
	}
	if len(f.Docs) == 0 || len(f.Docs) == 1 && f.Docs[0].Body == nil {
		return nil, d.fault(nil, "the file is empty: want a mapping with version, unit, config, and beats or random")
	}
	if len(f.Docs) != 1 || f.Docs[0].Body == nil {
		return nil, d.fault(nil, "want one YAML document with a mapping, have %d", len(f.Docs))
	}
	return f.Docs[0].Body, nil
}

// entry is one key of a mapping.
type entry struct {
	key   string
	name  ast.Node
	value ast.Node
}

// mapping are the entries of a mapping in file order. A key that comes twice is a fault.
func (d *document) mapping(n ast.Node, what string) ([]entry, error) {
	var pairs []*ast.MappingValueNode
	switch m := n.(type) {
	case *ast.MappingNode:
		pairs = m.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{m}
	default:
		return nil, d.fault(n, "%s: want a mapping", what)
	}
	entries := make([]entry, 0, len(pairs))
	seen := map[string]bool{}
	for _, p := range pairs {
		e := entry{key: p.Key.GetToken().Value, name: p.Key, value: p.Value}
		if seen[e.key] {
			return nil, d.fault(p.Key, "key %q comes twice", e.key)
		}
		seen[e.key] = true
		entries = append(entries, e)
	}
	return entries, nil
}

func (d *document) sequence(n ast.Node, what string) ([]ast.Node, error) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		return nil, d.fault(n, "%s: want a list", what)
	}
	return s.Values, nil
}

func (d *document) text(n ast.Node, what string) (string, error) {
	switch n.(type) {
	case *ast.StringNode, *ast.LiteralNode, *ast.IntegerNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	}
	return "", d.fault(n, "%s: want text", what)
}

// number reads an unsigned number, decimal or 0x hexadecimal, of at most so many bits.
func (d *document) number(n ast.Node, what string, bits int) (*big.Int, error) {
	text, err := d.text(n, what)
	if err != nil {
		return nil, err
	}
	switch text {
	case "true":
		text = "1"
	case "false":
		text = "0"
	}
	v, ok := new(big.Int).SetString(strings.ReplaceAll(text, "_", ""), 0)
	if !ok || v.Sign() < 0 || hasLeadingZero(text) {
		return nil, d.fault(n, "%s: %q is not an unsigned number", what, text)
	}
	if v.BitLen() > bits {
		return nil, d.fault(n, "%s: %s does not fit into %d bits", what, text, bits)
	}
	return v, nil
}

// hasLeadingZero catches 010, which readers disagree on.
func hasLeadingZero(text string) bool {
	if len(text) < 2 || text[0] != '0' {
		return false
	}
	_, err := strconv.Atoi(text[1:2])
	return err == nil
}

func (d *document) uint64(n ast.Node, what string) (uint64, error) {
	v, err := d.number(n, what, 64)
	if err != nil {
		return 0, err
	}
	return v.Uint64(), nil
}
