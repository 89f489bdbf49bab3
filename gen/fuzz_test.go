package gen

import (
	"os"
	"path/filepath"
	"testing"

	"metaroce/gen/load"
)

// FuzzTargets: of every spec that the loader accepts, every target makes its files, and the Go code among them parses.
func FuzzTargets(f *testing.F) {
	small := map[string][]byte{}
	for _, name := range load.FileNames {
		data, err := os.ReadFile(filepath.Join("load", "testdata", "small", name))
		if err != nil {
			f.Fatal(err)
		}
		small[name] = data
	}
	for i, name := range load.FileNames {
		f.Add(uint8(i), small[name])
	}
	f.Add(uint8(1), []byte("constants: []\nsizes: [{name: lanes, text: t, min: 1, max: 8, assumed: a}]\nconfigurations: []\n"+
		"tables: [{name: t, unit: u, entries: 1, bits: 64, text: t, related: r}]\n"))
	f.Fuzz(func(t *testing.T, file uint8, data []byte) {
		files := map[string][]byte{}
		for name, content := range small {
			files[name] = content
		}
		files[load.FileNames[int(file)%len(load.FileNames)]] = data
		spec, err := load.Parse(files)
		if err != nil {
			return
		}
		if _, err := run(spec, Targets); err != nil {
			t.Fatal(err)
		}
	})
}
