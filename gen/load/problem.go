package load

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with the spec, at a place.
type Problem struct {
	File   string
	Line   int // from 1
	Column int // from 1
	What   string
	Text   string // the offending text
}

// Error is `file:line:column: what: "text"`.
func (p *Problem) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s: %q", p.File, p.Line, p.Column, p.What, p.Text)
}

// Problems is everything wrong with the spec, in the order of files and lines.
type Problems []*Problem

// Error is one problem a line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// sorted orders the problems by file (in the order they are read), line and column, and drops repeats.
func (ps Problems) sorted() Problems {
	rank := func(name string) int { return slices.Index(FileNames, name[strings.LastIndex(name, "/")+1:]) }
	slices.SortStableFunc(ps, func(a, b *Problem) int {
		if c := rank(a.File) - rank(b.File); c != 0 {
			return c
		}
		if c := a.Line - b.Line; c != 0 {
			return c
		}
		return a.Column - b.Column
	})
	return slices.CompactFunc(ps, func(a, b *Problem) bool { return *a == *b })
}
