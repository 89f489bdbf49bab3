// Package bugs holds seeded RTL bugs: patches that the co-simulation must catch. They prove that the comparison can
// fail, and are what the demonstration shows. A bug is applied to a copy of the RTL; the tree itself stays as it is.
package bugs

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"

	"metaroce/golden/event"
	"metaroce/golden/profile"
)

//go:embed bugs.yaml *.patch
var files embed.FS

// Bug is one seeded bug.
type Bug struct {
	Name   string `yaml:"name"`
	Unit   string `yaml:"unit"`
	Patch  string `yaml:"patch"`  // file name
	Text   string `yaml:"text"`   // what is wrong with the RTL
	Level  string `yaml:"level"`  // the weakest level at which it is visible: order, or cycle (and not at order)
	Config string `yaml:"config"` // of the run that shows it
	Seed   uint64 `yaml:"seed"`   // of the run that shows it
	Count  int    `yaml:"count"`
}

// All are the bugs, in the order of bugs.yaml. An error is a fault of the files in this package.
func All() ([]Bug, error) {
	text, err := files.ReadFile("bugs.yaml")
	if err != nil {
		return nil, err
	}
	var list struct {
		Bugs []Bug `yaml:"bugs"`
	}
	if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("bugs.yaml: %w", err)
	}
	seen := map[string]bool{}
	for i := range list.Bugs {
		if err := list.Bugs[i].check(); err != nil {
			return nil, fmt.Errorf("bugs.yaml: bug %d (%q): %w", i+1, list.Bugs[i].Name, err)
		}
		if seen[list.Bugs[i].Name] {
			return nil, fmt.Errorf("bugs.yaml: %q comes twice", list.Bugs[i].Name)
		}
		seen[list.Bugs[i].Name] = true
	}
	return list.Bugs, nil
}

func (b *Bug) check() error {
	if _, ok := event.UnitByName(b.Unit); !ok {
		return fmt.Errorf("unit %q is not in the spec", b.Unit)
	}
	if _, ok := profile.ConfigByName(b.Config); !ok {
		return fmt.Errorf("config %q is not in the spec", b.Config)
	}
	if b.Level != "order" && b.Level != "cycle" {
		return fmt.Errorf("level %q: must be order or cycle", b.Level)
	}
	if b.Name == "" || b.Text == "" || b.Count < 1 {
		return fmt.Errorf("name, text and count are needed")
	}
	if _, err := files.Open(b.Patch); err != nil {
		return err
	}
	return nil
}

// ByName finds a bug; the error of an unknown name lists all.
func ByName(name string) (*Bug, error) {
	all, err := All()
	if err != nil {
		return nil, err
	}
	var names []string
	for i := range all {
		if all[i].Name == name {
			return &all[i], nil
		}
		names = append(names, all[i].Name)
	}
	return nil, fmt.Errorf("no seeded bug %q; there are: %s", name, strings.Join(names, ", "))
}

// Apply makes a copy of the RTL folder rtl at destination, with the bug in it. Nothing of an earlier copy is kept.
func (b *Bug) Apply(rtl, destination string) error {
	text, err := files.ReadFile(b.Patch)
	if err != nil {
		return err
	}
	p, err := parsePatch(b.Patch, string(text))
	if err != nil {
		return err
	}
	if err := os.RemoveAll(destination); err != nil {
		return err
	}
	if err := copyTree(rtl, destination); err != nil {
		return fmt.Errorf("copy of %s: %w", rtl, err)
	}
	for i := range p.files {
		if err := patchFile(b.Patch, &p.files[i], destination); err != nil {
			return err
		}
	}
	return nil
}

// patchFile applies one file's hunks. Paths in the patches begin with rtl/, whatever the copy's name is.
func patchFile(name string, f *filePatch, destination string) error {
	inside, ok := strings.CutPrefix(f.path, "rtl/")
	if !ok || !filepath.IsLocal(inside) {
		return fmt.Errorf("%s: %s is not in rtl/", name, f.path)
	}
	path := filepath.Join(destination, inside)
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	changed, err := f.apply(name, string(text))
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(changed), 0o644)
}

// copyTree copies the regular files of a folder.
func copyTree(from, to string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		target := filepath.Join(to, relative)
		if entry.IsDir() {
			return os.MkdirAll(target, 0o755)
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}
