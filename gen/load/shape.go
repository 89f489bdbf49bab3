package load

import (
	"fmt"
	"strings"
)

// Kind is what a key's value must be.
type Kind int

// The kinds of values.
const (
	Text    Kind = iota // a string, not empty
	Label               // a string, may be empty
	Name                // lower case words joined by underscores
	Upper               // upper case words joined by underscores
	Number              // a decimal integer in Low..High
	Boolean             // true or false
	Choice              // one of Choices
	Names               // a list of names
	Lists               // a list of lists of names
	Entry               // a mapping of shape Item
	Entries             // a list of mappings of shape Item
)

// Reference says of which kind of entry a name must be.
type Reference string

// The kinds of entries that are referred to.
const (
	ToFact   Reference = "public fact"
	ToEnum   Reference = "enum"
	ToSize   Reference = "size"
	ToTable  Reference = "table"
	ToUnit   Reference = "unit"
	ToHeader Reference = "header"
)

// Key is one key of a mapping.
type Key struct {
	Name     string
	Kind     Kind
	Optional bool
	Text     string // what it means, for the schema
	Low      uint64
	High     uint64
	Choices  []string
	Refers   Reference
	Pattern  string // of a name, where it is not that of the kind; for the schema
	Item     *Shape
}

// Shape is the keys that a mapping has. It is the one statement of them: the loader and the JSON Schema follow it.
type Shape struct {
	What       string // kind of entry, for messages
	Keys       []Key
	Provenance bool // the keys public, related and assumed are allowed too, and one of them must be there
	Sizes      bool // a key for each size is required too
}

// AllKeys is the keys of a shape with those of provenance and sizes. Sizes is by name.
func (s *Shape) AllKeys(sizes []Key) []Key {
	keys := s.Keys
	if s.Provenance {
		keys = append(keys[:len(keys):len(keys)], provenanceKeys...)
	}
	if s.Sizes {
		keys = append(keys[:len(keys):len(keys)], sizes...)
	}
	return keys
}

func text(name, meaning string) Key { return Key{Name: name, Kind: Text, Text: meaning} }
func name(meaning string) Key       { return Key{Name: "name", Kind: Name, Text: meaning} }
func optional(k Key) Key            { k.Optional = true; return k }
func boolean(name, meaning string) Key {
	return Key{Name: name, Kind: Boolean, Text: meaning, Optional: true}
}

func number(name string, low, high uint64, meaning string) Key {
	return Key{Name: name, Kind: Number, Low: low, High: high, Text: meaning}
}

func choice(name, meaning string, choices ...string) Key {
	return Key{Name: name, Kind: Choice, Choices: choices, Text: meaning}
}

func reference(name string, to Reference, meaning string) Key {
	return Key{Name: name, Kind: Text, Refers: to, Text: meaning}
}

func matching(k Key, pattern string) Key { k.Pattern = pattern; return k }

func names(name string, to Reference, meaning string) Key {
	return Key{Name: name, Kind: Names, Refers: to, Text: meaning}
}

func entries(name string, item *Shape) Key {
	return Key{Name: name, Kind: Entries, Item: item, Text: "list of: " + item.What}
}

// provenanceKeys say where an entry comes from.
var provenanceKeys = []Key{
	optional(reference("public", ToFact, "number of the public fact that the entry follows")),
	optional(text("related", "published neighbour that the entry is taken from")),
	optional(text("assumed", "our decision, with its reason")),
}

// rangeOf says a number key's range in a message.
func (k *Key) rangeOf() string { return fmt.Sprintf("%d..%d", k.Low, k.High) }

func (k *Key) choices() string { return strings.Join(k.Choices, ", ") }
