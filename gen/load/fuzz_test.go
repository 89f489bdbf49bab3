package load

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

// smallSpec is a whole spec with one of everything: the fuzzer tries more of a short text.
func smallSpec(t testing.TB) map[string][]byte {
	t.Helper()
	return readFiles(t, filepath.Join("testdata", "small"))
}

func TestSmallSpecLoads(t *testing.T) {
	if _, err := Parse(smallSpec(t)); err != nil {
		t.Fatal(err)
	}
}

// FuzzParse: whatever one of the files holds, the answer is a spec or Problems with places, never a panic.
func FuzzParse(f *testing.F) {
	small := smallSpec(f)
	for i, name := range FileNames {
		f.Add(uint8(i), small[name])
		f.Add(uint8(i), small[name][:len(small[name])/2])
	}
	for i, text := range []string{
		"", "\x00", "---\n---\n", "a: &a [*a]", "<<: {a: 1}\nb: *x", "enums: [1, [], {}]\nheaders: {a: b}", "? [a]\n: b",
		"rules: !!binary x", "sizes: null\nconfigurations:\ntables: ~", "\"", "{", "- - -", "a: |\n\tb", "units: [{ports: [{fields: [{}]}]}]",
	} {
		f.Add(uint8(i), []byte(text))
	}
	f.Fuzz(func(t *testing.T, file uint8, data []byte) {
		spec, err := Parse(with(small, FileNames[int(file)%len(FileNames)], string(data)))
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
	small := smallSpec(t)
	for _, name := range FileNames {
		data := string(small[name])
		for i := range data {
			Parse(with(small, name, data[:i]))
			const bytes = "{[:&*!|>\"'#\t\n-?,x0"
			Parse(with(small, name, data[:i]+string(bytes[i%len(bytes)])+data[i+1:]))
		}
	}
}
