// Package gen turns the spec into code: text, checked model, targets. It is a pure function of the spec.
package gen

import (
	"fmt"

	"metaroce/gen/cpp"
	"metaroce/gen/docs"
	"metaroce/gen/golang"
	"metaroce/gen/load"
	"metaroce/gen/model"
	"metaroce/gen/output"
	"metaroce/gen/python"
	"metaroce/gen/schema"
	"metaroce/gen/verilog"
)

// Producer is a target: it makes files from the spec.
type Producer func(*model.Spec) ([]output.File, error)

// Targets is the first stage: what follows from the spec alone.
var Targets = []Producer{golang.Files, verilog.Files, cpp.Files, python.Files, docs.Files, schema.Files}

// Produce loads the spec below root and runs the producers on it.
func Produce(root string, producers ...Producer) (*model.Spec, []output.File, error) {
	spec, err := load.Load(root)
	if err != nil {
		return nil, nil, err
	}
	files, err := run(spec, producers)
	return spec, files, err
}

// run is the files of the producers, in their order.
func run(spec *model.Spec, producers []Producer) ([]output.File, error) {
	var files []output.File
	for _, produce := range producers {
		made, err := produce(spec)
		if err != nil {
			return nil, fmt.Errorf("generate: %w", err)
		}
		files = append(files, made...)
	}
	return files, nil
}
