// Package gen turns the spec into code: text, checked model, targets. It is a pure function of the spec.
package gen

import (
	"fmt"

	"metaroce/gen/cpp"
	"metaroce/gen/golang"
	"metaroce/gen/load"
	"metaroce/gen/model"
	"metaroce/gen/output"
	"metaroce/gen/verilog"
)

// Producer is a target: it makes files from the spec.
type Producer func(*model.Spec) ([]output.File, error)

// Targets is the first stage: what follows from the spec alone.
var Targets = []Producer{golang.Files, verilog.Files, cpp.Files}

// Produce loads the spec below root and runs the producers on it.
func Produce(root string, producers ...Producer) (*model.Spec, []output.File, error) {
	spec, err := load.Load(root)
	if err != nil {
		return nil, nil, err
	}
	var files []output.File
	for _, produce := range producers {
		made, err := produce(spec)
		if err != nil {
			return nil, nil, fmt.Errorf("generate: %w", err)
		}
		files = append(files, made...)
	}
	return spec, files, nil
}
