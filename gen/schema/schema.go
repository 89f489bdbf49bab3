// Package schema is the JSON Schema target: editors complete and check the spec files with it. The loader stays the
// judge; it knows more than a schema can say.
package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	"metaroce/gen/load"
	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is one schema a spec file.
func Files(s *model.Spec) ([]output.File, error) {
	var files []output.File
	for _, name := range load.FileNames {
		w := &writer{spec: s}
		root := w.object(load.FileShapes[name])
		root = append([]member{
			{"$schema", "https://json-schema.org/draft/2020-12/schema"},
			{"$comment", strings.ReplaceAll(strings.TrimSpace(output.Banner("", s)), "\n", " ")},
			{"title", "gen/spec/" + name + " of the interim profile"},
		}, root...)
		data, err := json.MarshalIndent(root, "", "  ")
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", name, err)
		}
		path := load.Directory + "/schema/" + strings.TrimSuffix(name, ".yaml") + ".schema.json"
		files = append(files, output.File{Path: path, Data: append(data, '\n')})
	}
	return files, nil
}

// member is a key and value of a JSON object whose keys keep their order.
type member struct {
	key   string
	value any
}

type object []member

// MarshalJSON writes the members in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := json.Marshal(m.key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.key, err)
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

type writer struct{ spec *model.Spec }

// object is the schema of a mapping.
func (w *writer) object(s *load.Shape) object {
	var properties object
	required := []string{}
	for _, k := range s.AllKeys(w.sizes()) {
		properties = append(properties, member{k.Name, w.value(&k)})
		if !k.Optional {
			required = append(required, k.Name)
		}
	}
	o := object{{"type", "object"}, {"additionalProperties", false}, {"required", required}, {"properties", properties}}
	if s.Provenance {
		var any []object
		for _, key := range []string{"public", "related", "assumed"} {
			any = append(any, object{{"required", []string{key}}})
		}
		o = append(o, member{"anyOf", any})
	}
	return o
}

// sizes is the keys that the spec's sizes give to a configuration.
func (w *writer) sizes() []load.Key {
	var keys []load.Key
	for _, z := range w.spec.Sizes {
		keys = append(keys, load.Key{Name: z.Name, Kind: load.Number, Low: z.Min, High: z.Max, Text: z.Text})
	}
	return keys
}

// value is the schema of a key's value.
func (w *writer) value(k *load.Key) object {
	o := object{{"description", k.Text}}
	switch k.Kind {
	case load.Text:
		o = append(o, w.name(k, ``)...)
	case load.Label:
		o = append(o, member{"type", "string"})
	case load.Name:
		o = append(o, w.name(k, load.LowerPattern)...)
	case load.Upper:
		o = append(o, w.name(k, load.UpperPattern)...)
	case load.Number:
		o = append(o, member{"type", "integer"}, member{"minimum", k.Low}, member{"maximum", k.High})
	case load.Boolean:
		o = append(o, member{"type", "boolean"})
	case load.Choice:
		o = append(o, member{"enum", k.Choices})
	case load.Names:
		pattern := load.LowerPattern
		if k.Pattern != "" {
			pattern = k.Pattern
		}
		o = append(o, list(w.name(k, pattern))...)
	case load.Lists:
		o = append(o, list(list(w.name(k, load.LowerPattern)))...)
	case load.Entry:
		o = append(o, w.object(k.Item)...)
	case load.Entries:
		o = append(o, list(w.object(k.Item))...)
	}
	return o
}

func list(item object) object { return object{{"type", "array"}, {"items", item}} }

// name is the schema of a string: one of the names it may refer to, or of a pattern, or not empty.
func (w *writer) name(k *load.Key, pattern string) object {
	if names := w.names(k.Refers); names != nil {
		return object{{"enum", names}}
	}
	if pattern != "" {
		return object{{"type", "string"}, {"pattern", pattern}}
	}
	return object{{"type", "string"}, {"minLength", 1}}
}

// names is the names of the entries of a kind.
func (w *writer) names(kind load.Reference) []string {
	var names []string
	s := w.spec
	switch kind {
	case load.ToFact:
		for _, x := range s.Facts {
			names = append(names, x.ID)
		}
	case load.ToEnum:
		for _, x := range s.Enums {
			names = append(names, x.Name)
		}
	case load.ToSize:
		for _, x := range s.Sizes {
			names = append(names, x.Name)
		}
	case load.ToTable:
		for _, x := range s.Tables {
			names = append(names, x.Name)
		}
	case load.ToUnit:
		for _, x := range s.Units {
			names = append(names, x.Name)
		}
	case load.ToHeader:
		for _, x := range s.Headers {
			names = append(names, x.Name)
		}
	}
	return names
}
