package builder

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// A cache key has two halves. The shape is everything but the Verilog text: tools, options, harness, adapter, and the
// names of all files in the searched folders. For each shape a manifest lists the Verilog files that Verilator read the
// last time. While no name comes or goes, the same files are read again, so shape and contents of those files decide:
// a change in another unit's module builds nothing.

// shape hashes all but the contents of the Verilog files.
func (o *Options) shape(compiler string) (string, error) {
	h := sha256.New()
	identity, err := o.Verilator.identity()
	if err != nil {
		return "", err
	}
	note(h, identity, compiler, strings.Join(compilerFlags, " "), o.optimise(), slowFlag)
	note(h, o.verilatorArgs()...)
	note(h, o.defines()...)
	for _, dir := range append(append([]string{}, o.Search...), o.Include...) {
		names, err := listVerilog(dir)
		if err != nil {
			return "", err
		}
		note(h, names...)
	}
	files, err := o.harnessFiles()
	if err != nil {
		return "", err
	}
	return sum(h, files)
}

// harnessFiles are the C++ files that end up in the program: the harness's own, the adapter and its neighbours that no
// other unit's adapter is.
func (o *Options) harnessFiles() ([]string, error) {
	var files []string
	for _, pattern := range []string{"*.cpp", "*.h"} {
		found, err := filepath.Glob(filepath.Join(o.Harness, pattern))
		if err != nil {
			return nil, fmt.Errorf("harness folder %s: %w", o.Harness, err)
		}
		files = append(files, found...)
	}
	neighbours, err := filepath.Glob(filepath.Join(filepath.Dir(o.Adapter), "*.h"))
	if err != nil {
		return nil, fmt.Errorf("adapter folder %s: %w", filepath.Dir(o.Adapter), err)
	}
	for _, file := range neighbours {
		if filepath.Clean(file) == filepath.Clean(o.Adapter) || !strings.HasSuffix(file, "_ports.h") {
			files = append(files, file)
		}
	}
	sort.Strings(files)
	return files, nil
}

func listVerilog(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("search folder: %w", err)
	}
	names := []string{dir}
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".v", ".vh", ".sv", ".svh":
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// key hashes the shape and the contents of the Verilog files.
func key(shape string, verilog []string) (string, error) {
	h := sha256.New()
	note(h, shape)
	return sum(h, verilog)
}

// note adds strings so that no two lists look alike.
func note(h hash.Hash, list ...string) {
	fmt.Fprintf(h, "%d\n", len(list))
	for _, s := range list {
		fmt.Fprintf(h, "%d %s\n", len(s), s)
	}
}

// sum adds names and contents of files and returns the hash in hex.
func sum(h hash.Hash, files []string) (string, error) {
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			return "", err
		}
		one := sha256.New()
		_, err = io.Copy(one, f)
		f.Close()
		if err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		note(h, file, string(one.Sum(nil)))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// readFiles takes the Verilog files out of Verilator's dependency file, without those of the installation.
func (o *Options) readFiles(dependencies string) ([]string, error) {
	text, err := os.ReadFile(dependencies)
	if err != nil {
		return nil, err
	}
	_, right, found := strings.Cut(string(text), " : ")
	if !found {
		return nil, fmt.Errorf("%s: no list of files in it", dependencies)
	}
	var files []string
	for _, file := range strings.Fields(right) {
		if file != o.Verilator.Bin && !strings.HasPrefix(file, o.Verilator.Root+string(filepath.Separator)) {
			files = append(files, file)
		}
	}
	sort.Strings(files)
	return files, nil
}
