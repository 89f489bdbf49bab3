package builder

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"syscall"
)

// Error is a build that failed because of what was built.
type Error struct {
	Step    string // verilator, compile or link
	Place   string // file:line of the first error, or empty
	Message string
	Log     string // file with the whole output
}

func (e *Error) Error() string {
	at := ""
	if e.Place != "" {
		at = e.Place + ": "
	}
	return fmt.Sprintf("%s: %s%s (log: %s)", e.Step, at, e.Message, e.Log)
}

var logMutex sync.Mutex // output of compilers that run at once is kept apart

// command runs one program, appends its output to the log and makes its first error an *Error.
func (m *maker) command(ctx context.Context, step, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) } // g++ has children
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if step == "verilator" {
		cmd.Env = append(cmd.Environ(), "VERILATOR_ROOT="+m.Verilator.Root)
	}
	err := cmd.Run()
	logMutex.Lock()
	fmt.Fprintf(m.log, "$ %s %s\n%s", program, quote(args), out.Bytes())
	logMutex.Unlock()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err == nil {
		return nil
	}
	return firstError(step, out.String(), err)
}

// quote writes arguments so that a shell takes them as they are.
func quote(args []string) string {
	quoted := make([]string, len(args))
	for i, arg := range args {
		if quoted[i] = arg; strings.ContainsAny(arg, " \"'$();&|<>*?#~`\\") {
			quoted[i] = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

var (
	verilatorError = regexp.MustCompile(`(?m)^%Error[^:]*: (?:(\S+?:\d+)(?::\d+)?: )?(.*)$`)
	compilerError  = regexp.MustCompile(`(?m)^(\S+?:\d+)(?::\d+)?: (?:fatal )?error: (.*)$`)
	linkerError    = regexp.MustCompile(`(?m)^(?:.*ld: )?()(.*(?:undefined reference|cannot find|multiple definition).*)$`)
)

// firstError finds the first line of an output that says what is wrong.
func firstError(step, out string, err error) *Error {
	for _, pattern := range []*regexp.Regexp{verilatorError, compilerError, linkerError} {
		if m := pattern.FindStringSubmatch(out); m != nil {
			return &Error{Step: step, Place: m[1], Message: strings.TrimSpace(m[2])}
		}
	}
	return &Error{Step: step, Message: err.Error()}
}
