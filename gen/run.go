package gen

import (
	"fmt"
	"io"
	"strings"
)

// Stage is the second stage: producers that run the golden model, whose code the first stage makes.
type Stage struct {
	BuiltFrom string // hash of the spec from which the running program's golden code was generated, in hex
	Producers []Producer
}

// Result says what Run found.
type Result struct {
	Stale bool // something differed from what the spec makes of it
	Again bool // the second stage was left out: the running program is older than the code that the spec makes
	Files int  // how many files the spec makes, of the stages that ran
}

// Run brings the generated files below root up to date and tells on out which changed, or with check only shows on out,
// as a unified diff, what is stale.
//
// If the first stage finds other Go code than the program was built from, what the second stage would make is that of
// another model. It is then left out, and Again is set: whoever wants it builds the program again and runs it again.
func Run(root string, check bool, second Stage, out io.Writer) (Result, error) {
	spec, files, err := Produce(root, Targets...)
	if err != nil {
		return Result{}, err
	}
	changes, err := Compare(root, files)
	if err != nil {
		return Result{}, err
	}
	again := second.BuiltFrom != fmt.Sprintf("%x", spec.Hash) || changesModel(changes)
	if !again {
		made, err := run(spec, second.Producers)
		if err != nil {
			return Result{}, err
		}
		files = append(files, made...)
		if changes, err = Compare(root, files); err != nil {
			return Result{}, err
		}
		left, err := Leftovers(root, files)
		if err != nil {
			return Result{}, err
		}
		changes = append(changes, left...)
	}
	return Result{Stale: len(changes) > 0, Again: again, Files: len(files)}, finish(root, check, changes, out)
}

// changesModel tells whether Go code of the golden model is among the changes.
func changesModel(changes []Change) bool {
	for _, c := range changes {
		if strings.HasPrefix(c.Path, "golden/") && strings.HasSuffix(c.Path, ".go") {
			return true
		}
	}
	return false
}

// finish shows the changes or makes them.
func finish(root string, check bool, changes []Change, out io.Writer) error {
	if check {
		return writeDiff(out, changes)
	}
	for _, c := range changes {
		if _, err := fmt.Fprintln(out, c.verb(), c.Path); err != nil {
			return err
		}
	}
	return Apply(root, changes)
}

// verb says what a change does.
func (c *Change) verb() string {
	switch {
	case c.New == nil:
		return "remove"
	case c.Old == nil:
		return "create"
	}
	return "write"
}
