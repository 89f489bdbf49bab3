// Package load reads the spec files strictly. It is the only package that reads YAML. Whatever is wrong comes back as
// Problems, each with file, line, column and the offending text; no input makes it panic.
package load

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"metaroce/gen/model"
)

// FileNames is the spec's files in the order in which they are read and hashed.
var FileNames = []string{"profile.yaml", "constants.yaml", "wire.yaml", "units.yaml", "rules.yaml"}

// Directory is where the spec lies, from the root of the module, with slashes.
const Directory = "gen/spec"

// Load reads the spec below the module's root.
func Load(root string) (*model.Spec, error) {
	files := map[string][]byte{}
	for _, name := range FileNames {
		data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(Directory), name))
		if err != nil {
			return nil, fmt.Errorf("read spec: %w", err)
		}
		files[name] = data
	}
	return Parse(files)
}

// Parse reads the spec from the content of its files, by FileNames.
func Parse(files map[string][]byte) (spec *model.Spec, err error) {
	r := &reader{spec: &model.Spec{}}
	for _, name := range FileNames {
		r.readFile(name, files[name])
	}
	if len(r.problems) == 0 {
		r.references()
	}
	if len(r.problems) > 0 {
		return nil, r.problems.sorted()
	}
	r.spec.Hash = hash(files)
	return r.spec, nil
}

// reader builds the spec and collects the problems.
type reader struct {
	spec     *model.Spec
	problems Problems
	deferred []func()                    // checks of references to what stands in later files
	spaces   map[space]map[string]string // owners of the generated names
}

// references runs the checks that need the whole spec.
func (r *reader) references() {
	for _, check := range r.deferred {
		check()
	}
}

// readFile parses one file and reads its sections.
func (r *reader) readFile(name string, data []byte) {
	f := &file{name: path.Join(Directory, name), problems: &r.problems}
	root := f.parse(normalise(data))
	if root == nil {
		return
	}
	switch name {
	case "profile.yaml":
		r.readProfile(f, root)
	case "constants.yaml":
		r.readConstants(f, root)
	case "wire.yaml":
		r.readWire(f, root)
	case "units.yaml":
		r.readUnits(f, root)
	case "rules.yaml":
		r.readRules(f, root)
	}
}

// parse is the root node of the one document of a file, or nil after a problem.
func (f *file) parse(data []byte) (root ast.Node) {
	defer func() {
		// The YAML library is not ours: what it cannot cope with is a malformed file, not a crash.
		if p := recover(); p != nil {
			f.fail(nil, "not readable as YAML", fmt.Sprint(p))
			root = nil
		}
	}()
	tree, err := parser.ParseBytes(data, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		f.syntax(err)
		return nil
	}
	docs := tree.Docs
	if len(docs) == 0 || docs[0].Body == nil {
		f.fail(nil, "file is empty", "")
		return nil
	}
	if len(docs) > 1 {
		f.fail(docs[1], "file must hold one document", "---")
		return nil
	}
	return docs[0].Body
}

// syntax notes an error of the YAML parser at its place.
func (f *file) syntax(err error) {
	p := &Problem{File: f.name, Line: 1, Column: 1, What: "not YAML", Text: excerpt(err.Error())}
	var e *yaml.SyntaxError
	if errors.As(err, &e) && e.Token != nil {
		p.What, p.Text = "not YAML: "+e.Message, excerpt(e.Token.Value)
		if e.Token.Position != nil {
			p.Line, p.Column = e.Token.Position.Line, e.Token.Position.Column
		}
	}
	*f.problems = append(*f.problems, p)
}

// hash is the spec's identity: SHA-256 over each file's name, length and normalised content, in order.
func hash(files map[string][]byte) (sum [32]byte) {
	h := sha256.New()
	for _, name := range FileNames {
		data := normalise(files[name])
		fmt.Fprintf(h, "%s %d\n", name, len(data))
		h.Write(data)
	}
	h.Sum(sum[:0])
	return sum
}
