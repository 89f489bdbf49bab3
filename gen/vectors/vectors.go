// Package vectors is the second stage's target for test vectors: stimulus and expected outputs of each unit as files for
// $readmemh, with an index and a plain Verilog test bench that need no Go, and examples of every header and beat for the
// codecs of all languages. The expected outputs are those of the golden engine.
package vectors

import (
	"encoding/json"
	"fmt"
	"strings"

	"metaroce/gen/model"
	"metaroce/gen/output"
)

const directory = "verification/vectors/"

// Files is the target's output.
func Files(s *model.Spec) ([]output.File, error) {
	var files []output.File
	for i := range s.Units {
		made, err := unitFiles(s, &s.Units[i])
		if err != nil {
			return nil, fmt.Errorf("vectors of unit %s: %w", s.Units[i].Name, err)
		}
		files = append(files, made...)
	}
	made, err := codecFiles(s)
	if err != nil {
		return nil, fmt.Errorf("codec vectors: %w", err)
	}
	return append(files, made...), nil
}

// unitFiles is the vectors, the index and the test bench of one unit.
func unitFiles(s *model.Spec, u *model.Unit) ([]output.File, error) {
	t, err := simulate(s, u)
	if err != nil {
		return nil, err
	}
	var files []output.File
	for i := range t.ports {
		p := &t.ports[i]
		files = append(files, output.File{Path: directory + u.Name + "/" + p.file(), Data: p.memory(s)})
	}
	index, err := t.index(s)
	if err != nil {
		return nil, err
	}
	return append(files,
		output.File{Path: directory + u.Name + "/counters.mem", Data: t.counterMemory(s)},
		output.File{Path: directory + u.Name + "/index.json", Data: index},
		output.File{Path: directory + "testbench/tb_vectors_" + u.Name + ".v", Data: testbench(s, t)}), nil
}

// comment is the banner as one string, for files whose form has no comments.
func comment(s *model.Spec) string {
	return strings.ReplaceAll(strings.TrimSpace(output.Banner("", s)), "\n", " ")
}

// document is an indented JSON document with a final newline.
func document(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	return append(data, '\n'), err
}
