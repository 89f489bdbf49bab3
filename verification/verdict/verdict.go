// Package verdict says how a comparison ended: the verdict and its exit code, the first difference, and the report
// in text and in JSON. Everything that compares, live or offline, ends in one of these reports.
package verdict

import "fmt"

// Verdict is the outcome of a comparison. The zero Verdict is not a verdict.
type Verdict string

// The verdicts, from best to worst. Each has its own exit code.
const (
	Same          Verdict = "same"           // at least one record was compared and all agreed
	Different     Verdict = "different"      // a record differed, or nothing was compared
	Truncated     Verdict = "truncated"      // all that could be read agreed, but the input ended early
	Hang          Verdict = "hang"           // one side stopped while work was left; the report names it
	ProtocolError Verdict = "protocol-error" // the two sides do not speak the same protocol, spec or tables
)

// Exit codes of the tools. CodeUsage has no verdict: nothing was compared.
const (
	CodeSame          = 0
	CodeDifferent     = 1
	CodeUsage         = 2
	CodeTruncated     = 3
	CodeHang          = 4
	CodeProtocolError = 5
)

// ExitCode returns the process exit code of v. A value that is not a verdict counts as unreadable input.
func (v Verdict) ExitCode() int {
	switch v {
	case Same:
		return CodeSame
	case Different:
		return CodeDifferent
	case Truncated:
		return CodeTruncated
	case Hang:
		return CodeHang
	case ProtocolError:
		return CodeProtocolError
	}
	return CodeUsage
}

// Error carries a verdict other than Same to the process's exit code. The report has already been written.
type Error struct {
	Verdict Verdict
	Detail  string // one line: where, or which side
}

func (e *Error) Error() string {
	if e.Detail == "" {
		return "verdict: " + string(e.Verdict)
	}
	return fmt.Sprintf("verdict: %s: %s", e.Verdict, e.Detail)
}

// ExitCode returns the exit code of the verdict.
func (e *Error) ExitCode() int { return e.Verdict.ExitCode() }
