// Package golang is the Go target: golden/profile, golden/wire and golden/event.
package golang

import (
	"fmt"
	"go/format"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	var files []output.File
	add := func(path string, t *output.Text) error {
		source, err := format.Source([]byte(output.Banner("// ", s) + t.String()))
		if err != nil {
			return fmt.Errorf("format %s: %w", path, err)
		}
		files = append(files, output.File{Path: path, Data: source})
		return nil
	}
	type part struct {
		path string
		text *output.Text
	}
	parts := []part{
		{"golden/profile/constants.go", profileConstants(s)},
		{"golden/profile/timing.go", profileTiming(s)},
		{"golden/profile/config.go", profileConfig(s)},
		{"golden/wire/enums.go", enums(s, model.DomainWire)},
		{"golden/event/enums.go", enums(s, model.DomainEvent)},
		{"golden/event/enum_name.go", enumName(s)},
		{"golden/event/unit.go", unitTypes()},
		{"golden/event/units.go", unitTables(s)},
		{"golden/wire/error.go", shortError("wire")},
		{"golden/event/error.go", beatErrors()},
	}
	for i := range s.Headers {
		parts = append(parts, part{"golden/wire/" + s.Headers[i].Name + "_header.go", header(s, &s.Headers[i])})
	}
	for i := range s.Units {
		parts = append(parts, part{"golden/event/" + s.Units[i].Name + "_beats.go", beats(s, &s.Units[i])})
	}
	for _, p := range parts {
		if err := add(p.path, p.text); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// uintType is the smallest unsigned type that holds the bits.
func uintType(bits int) string { return fmt.Sprintf("uint%d", uintBits(bits)) }

func uintBits(bits int) int {
	for _, n := range []int{8, 16, 32} {
		if bits <= n {
			return n
		}
	}
	return 64
}
