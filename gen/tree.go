package gen

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"metaroce/gen/output"
)

// Directories is where generated files lie. A file there that carries the marker and is not made any more is stale.
var Directories = []string{
	"cocotb-bridge/harness/generated", "cocotb-bridge/python/metaroce_bridge", "docs/generated", "gen/spec/schema",
	"golden/event", "golden/profile", "golden/wire", "rtl/generated", "verification/vectors",
}

// Change is a file of the tree that differs from what the spec makes of it. Old is nil where the file is missing, New
// where it should not exist.
type Change struct {
	Path     string
	Old, New []byte
}

// Compare is the files that are missing below root or differ there, by path.
func Compare(root string, files []output.File) ([]Change, error) {
	var changes []Change
	made := map[string]bool{}
	for _, f := range files {
		if made[f.Path] {
			return nil, fmt.Errorf("two targets make %s", f.Path)
		}
		made[f.Path] = true
		old, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(f.Path)))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("compare generated file: %w", err)
		}
		if err != nil || !bytes.Equal(old, f.Data) {
			changes = append(changes, Change{Path: f.Path, Old: old, New: f.Data})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return changes, nil
}

// Leftovers is the generated files below root that are not among the files any more.
func Leftovers(root string, files []output.File) ([]Change, error) {
	made := map[string]bool{}
	for _, f := range files {
		made[f.Path] = true
	}
	var changes []Change
	for _, dir := range Directories {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(dir)), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil || !d.Type().IsRegular() {
				return err
			}
			rel, err := filepath.Rel(root, path)
			if rel = filepath.ToSlash(rel); err != nil || made[rel] {
				return err
			}
			data, err := os.ReadFile(path)
			if err == nil && Marked(data) {
				changes = append(changes, Change{Path: rel, Old: data})
			}
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for stale generated files: %w", err)
		}
	}
	return changes, nil
}

// Marked tells whether the first lines carry the generator's marker.
func Marked(data []byte) bool {
	head := data[:min(len(data), 400)]
	return bytes.Contains(head, []byte(output.Marker)) || bytes.Contains(head, []byte(jsonMarker))
}

// jsonMarker is the marker inside a JSON string.
var jsonMarker = strings.ReplaceAll(output.Marker, `"`, `\"`)

// Apply makes the changes below root.
func Apply(root string, changes []Change) error {
	for _, c := range changes {
		path := filepath.Join(root, filepath.FromSlash(c.Path))
		if c.New == nil {
			if err := os.Remove(path); err != nil {
				return fmt.Errorf("remove stale generated file: %w", err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("write generated file: %w", err)
		}
		if err := os.WriteFile(path, c.New, 0o644); err != nil {
			return fmt.Errorf("write generated file: %w", err)
		}
	}
	return nil
}
