package load

import (
	"errors"
	"strings"
	"testing"
)

// smallSpec is a whole spec with one of everything: the fuzzer tries more of a short text.
var smallSpec = map[string][]byte{
	"profile.yaml": []byte(`profile: {name: p, version: 1, statement: s}
public_facts: [{id: P1, text: t}]
open_questions: [{id: q, question: a, choice: b}]
`),
	"constants.yaml": []byte(`constants: [{name: c, value: 1, bits: 2, unit: "", text: t, public: P1}]
sizes: [{name: lanes, text: t, min: 1, max: 8, assumed: a}]
configurations: [{name: small, lanes: 4}]
tables: [{name: t, unit: u, entries: 2, bits: 3, text: t, related: r}]
`),
	"wire.yaml": []byte(`enums:
  - {name: e, bits: 4, flags: true, assumed: a, values: [{name: A, value: 1, text: t}]}
headers:
  - name: h
    assumed: a
    bits: 32
    fields: [{name: x, bits: 4, enum: e, text: t}, {name: y, bits: 28, at: 4, text: t}]
`),
	"units.yaml": []byte(`enums: [{name: o, bits: 1, assumed: a, values: [{name: B, value: 0, text: t}]}]
units:
  - name: u
    module: mr_u
    text: t
    assumed: a
    sizes: [lanes]
    tables: [t]
    sweep: [[lanes]]
    timing: [{name: d, value: 1, unit: cycles, text: t}]
    ports:
      - {name: s_a, direction: in, style: stream, packet: h, fields: [{name: x, bits: 1, enum: o, text: t}]}
      - {name: m_a, direction: out, style: axis, keys: [tx], fields: [{name: tx, bits: 512, match: device, text: t}]}
    status: [{name: s, bits: 1, text: t}]
    counters: [k]
`),
	"rules.yaml": []byte("rules:\n  - id: a.b\n    assumed: a\n    text: |\n      uses `c`\n"),
}

func TestSmallSpecLoads(t *testing.T) {
	if _, err := Parse(smallSpec); err != nil {
		t.Fatal(err)
	}
}

// FuzzParse: whatever one of the files holds, the answer is a spec or Problems with places, never a panic.
func FuzzParse(f *testing.F) {
	for i, name := range FileNames {
		f.Add(uint8(i), smallSpec[name])
		f.Add(uint8(i), smallSpec[name][:len(smallSpec[name])/2])
	}
	for i, text := range []string{
		"", "\x00", "---\n---\n", "a: &a [*a]", "<<: {a: 1}\nb: *x", "enums: [1, [], {}]\nheaders: {a: b}", "? [a]\n: b",
		"rules: !!binary x", "sizes: null\nconfigurations:\ntables: ~", "\"", "{", "- - -", "a: |\n\tb", "units: [{ports: [{fields: [{}]}]}]",
	} {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, file uint8, data []byte) {
		spec, err := Parse(with(smallSpec, FileNames[int(file)%len(FileNames)], string(data)))
		if (spec == nil) == (err == nil) {
			t.Fatalf("spec %v and error %v", spec, err)
		}
		var problems Problems
		if err != nil && !errors.As(err, &problems) {
			t.Fatalf("error %T is not Problems", err)
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.What == "" || strings.Contains(p.Error(), "\n") {
				t.Fatalf("problem without a place, or of several lines: %q", p.Error())
			}
		}
	})
}

// TestEveryPrefixAndEveryByte: no cut of the small spec and no replaced byte makes the loader panic.
func TestEveryPrefixAndEveryByte(t *testing.T) {
	for _, name := range FileNames {
		data := string(smallSpec[name])
		for i := range data {
			Parse(with(smallSpec, name, data[:i]))
			const bytes = "{[:&*!|>\"'#\t\n-?,x0"
			Parse(with(smallSpec, name, data[:i]+string(bytes[i%len(bytes)])+data[i+1:]))
		}
	}
}
