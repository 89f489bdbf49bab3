package trace

import (
	"errors"
	"fmt"
)

// Truncated is the error of a file that ends inside a record. All records before it were delivered and are good.
type Truncated struct {
	Offset int64  // byte at which the file ends
	Record uint64 // ordinal of the record that is cut, from 1
	Noun   string // what a record is in this format: "packet", "change"
	Inside string // what was being read
}

func (e *Truncated) Error() string {
	return fmt.Sprintf("truncated at byte %d, %s %d: the file ends inside %s", e.Offset, e.Noun, e.Record, e.Inside)
}

// IsTruncated tells whether err is, or wraps, a Truncated.
func IsTruncated(err error) bool {
	var t *Truncated
	return errors.As(err, &t)
}

// Malformed is the error of a file that contradicts its format or itself.
type Malformed struct {
	Offset int64  // byte at which the offending item starts
	Line   int    // line, of text formats; 0 otherwise
	Text   string // what is wrong, with the offending values
}

func (e *Malformed) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d, byte %d: %s", e.Line, e.Offset, e.Text)
	}
	return fmt.Sprintf("byte %d: %s", e.Offset, e.Text)
}

// Malformedf makes a Malformed of a binary format.
func Malformedf(offset int64, format string, args ...any) error {
	return &Malformed{Offset: offset, Text: fmt.Sprintf(format, args...)}
}
