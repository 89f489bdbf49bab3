// Package bugs holds seeded RTL bugs: patches that the co-simulation must catch. They prove that the comparison can
// fail, and are what the demonstration shows. A bug is applied to a copy of the RTL; the tree itself stays as it is.
package bugs

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
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

// Apply returns a copy of the RTL folder rtl with the bug in it, in a folder below parent that is named by its content:
// what is there already is used again, and two processes that want the same copy do not get into each other's way.
func (b *Bug) Apply(rtl, parent string) (string, error) {
	text, err := files.ReadFile(b.Patch)
	if err != nil {
		return "", err
	}
	p, err := parsePatch(b.Patch, string(text))
	if err != nil {
		return "", err
	}
	digest, err := digestTree(rtl, text)
	if err != nil {
		return "", fmt.Errorf("copy of %s: %w", rtl, err)
	}
	final := filepath.Join(parent, b.Name+"-"+digest)
	if _, err := os.Stat(final); err == nil {
		return final, nil
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	work, err := os.MkdirTemp(parent, "work-*")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(work)
	copied := filepath.Join(work, "rtl")
	if err := b.copyPatched(p, rtl, copied); err != nil {
		return "", err
	}
	if err := os.Rename(copied, final); err != nil && !isDir(final) { // another process may have been quicker
		return "", err
	}
	return final, nil
}

func (b *Bug) copyPatched(p *patch, rtl, copied string) error {
	if err := copyTree(rtl, copied); err != nil {
		return fmt.Errorf("copy of %s: %w", rtl, err)
	}
	for i := range p.files {
		if err := patchFile(b.Patch, &p.files[i], copied); err != nil {
			return err
		}
	}
	return nil
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
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

// eachFile calls f with the regular files of a folder, in lexical order, under their names in it.
func eachFile(folder string, f func(name string, content []byte) error) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return f(name, content)
	})
}

// digestTree names the content of a folder and a patch.
func digestTree(folder string, patch []byte) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s", len(patch), patch)
	err := eachFile(folder, func(name string, content []byte) error {
		fmt.Fprintf(h, "%s %d ", name, len(content))
		h.Write(content)
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)[:8]), err
}

// copyTree copies the regular files of a folder.
func copyTree(from, to string) error {
	return eachFile(from, func(name string, content []byte) error {
		target := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, content, 0o644)
	})
}
