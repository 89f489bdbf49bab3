package gen

import (
	"fmt"
	"io"
)

// Run brings the generated files below root up to date, or with check only shows on out, as a unified diff, what is
// stale. It tells whether anything was stale.
func Run(root string, check bool, out io.Writer) (stale bool, err error) {
	_, files, err := Produce(root, Targets...)
	if err != nil {
		return false, err
	}
	changes, err := Compare(root, files, func(string) bool { return false })
	if err != nil {
		return false, err
	}
	if check {
		return len(changes) > 0, writeDiff(out, changes)
	}
	for _, c := range changes {
		fmt.Fprintln(out, c.verb(), c.Path)
	}
	return len(changes) > 0, Apply(root, changes)
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
