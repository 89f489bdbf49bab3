// Package architecture holds the one test that is the architecture document: which package may import which.
package architecture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "metaroce"

// rule says what the packages below a prefix may import of ours and from outside the standard library. The longest
// prefix that fits a package decides.
type rule struct {
	below   string   // package path without the module, or a folder of it
	ours    []string // prefixes of our packages
	outside []string // prefixes of modules
	banned  []string // standard library packages
}

// The model is a function of its inputs: no clock, no files, no network, no printing of its own.
var noWorld = []string{"os", "net", "time", "log", "log/slog", "math/rand", "syscall", "os/exec", "runtime"}

var rules = []rule{
	{below: "gen", outside: []string{"github.com/goccy/go-yaml"}, ours: []string{"gen"}},
	{below: "gen/tables", ours: []string{"gen", "golden"}, outside: []string{"github.com/goccy/go-yaml"}},
	{below: "gen/vectors", ours: []string{"gen", "golden"}, outside: []string{"github.com/goccy/go-yaml"}},
	{below: "golden", ours: []string{"golden"}, banned: noWorld},
	{below: "cocotb-bridge", ours: []string{"cocotb-bridge"}, outside: []string{"github.com/hashicorp/go-hclog"}},
	{below: "verification", ours: []string{"verification", "golden", "cocotb-bridge"}, outside: []string{
		"github.com/google/gopacket", "github.com/goccy/go-yaml", "github.com/hashicorp/go-hclog", "github.com/mattn/go-isatty"}},
	{below: "verification/setup"},
	{below: "boards", ours: []string{"boards"}},
	{below: "cmd", ours: []string{"gen", "golden", "cocotb-bridge", "verification"}, outside: []string{
		"github.com/spf13/cobra", "github.com/hashicorp/go-hclog", "github.com/mattn/go-isatty"}},
}

type listed struct {
	ImportPath string
	Standard   bool
	Imports    []string
}

func TestImportsPointOneWay(t *testing.T) {
	packages := listPackages(t)
	require.Greater(t, len(packages), 10, "go list found hardly any package: nothing was checked")
	for _, p := range packages {
		for _, imported := range p.Imports {
			if err := check(p.ImportPath, imported); err != nil {
				t.Error(err)
			}
		}
	}
}

// The test must be able to fail.
func TestWrongArrowsAreFound(t *testing.T) {
	for _, arrow := range [][2]string{
		{"metaroce/golden/sack", "metaroce/verification/diff"},
		{"metaroce/golden/sack", "os"},
		{"metaroce/golden/sack", "github.com/google/gopacket"},
		{"metaroce/cocotb-bridge/protocol", "metaroce/golden/sack"},
		{"metaroce/gen", "metaroce/golden/cc"},
		{"metaroce/verification/compare", "metaroce/gen"},
		{"metaroce/nowhere", "metaroce/golden/sack"},
	} {
		require.Error(t, check(arrow[0], arrow[1]), "%s -> %s", arrow[0], arrow[1])
	}
	require.NoError(t, check("metaroce/gen/tables", "metaroce/golden/cc"))
	require.NoError(t, check("metaroce/golden/sack", "math/bits"))
}

// check tells whether one package may import another, and if not, why not.
func check(importer, imported string) error {
	r, found := ruleFor(strings.TrimPrefix(importer, module+"/"))
	if !found {
		return fmt.Errorf("%s: no rule for this folder: add one, or move the package", importer)
	}
	switch {
	case strings.HasPrefix(imported, module+"/"):
		return allow(importer, imported, below(strings.TrimPrefix(imported, module+"/"), r.ours))
	case strings.Contains(strings.SplitN(imported, "/", 2)[0], "."):
		return allow(importer, imported, below(imported, r.outside))
	default:
		return allow(importer, imported, !contains(r.banned, imported))
	}
}

func allow(importer, imported string, ok bool) error {
	if ok {
		return nil
	}
	return fmt.Errorf("%s imports %s: wrong arrow", importer, imported)
}

func ruleFor(path string) (rule, bool) {
	best, found := rule{}, false
	for _, r := range rules {
		if below(path, []string{r.below}) && len(r.below) >= len(best.below) {
			best, found = r, true
		}
	}
	return best, found
}

func below(path string, prefixes []string) bool {
	for _, prefix := range prefixes {
		if path == prefix || strings.HasPrefix(path, prefix+"/") {
			return true
		}
	}
	return false
}

func contains(list []string, name string) bool {
	for _, entry := range list {
		if entry == name {
			return true
		}
	}
	return false
}

func listPackages(t *testing.T) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-json=ImportPath,Standard,Imports", "./...")
	command.Dir = "../.."
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	require.NoError(t, err, stderr.String())
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		err := decoder.Decode(&p)
		if errors.Is(err, io.EOF) {
			return packages
		}
		require.NoError(t, err)
		packages = append(packages, p)
	}
}
