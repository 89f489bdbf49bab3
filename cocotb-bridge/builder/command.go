package builder

import (
	"bytes"
	"context"
	"fmt"
	"os"
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
	return m.missingPort(firstError(step, out.String(), err))
}

var noMember = regexp.MustCompile(`no member named \W*(\w+)`)

// missingPort turns the C++ compiler's complaint about a port that the top module lacks into one about the RTL, which is
// at fault, at the place of its module.
func (m *maker) missingPort(e *Error) *Error {
	port := noMember.FindStringSubmatch(e.Message)
	if port == nil || !strings.HasPrefix(e.Place, m.Adapter) {
		return e
	}
	return &Error{Step: e.Step, Place: m.topPlace(), Message: fmt.Sprintf("module %s has no port %s", m.Unit.Top, port[1])}
}

// topPlace is file and line of the top module, as far as they can be found.
func (m *maker) topPlace() string {
	declaration := regexp.MustCompile(`^\s*module\s+` + regexp.QuoteMeta(m.Unit.Top) + `\b`)
	for _, source := range m.Sources {
		text, _ := os.ReadFile(source)
		n := 0
		for line := range strings.Lines(string(text)) {
			if n++; declaration.MatchString(line) {
				return fmt.Sprintf("%s:%d", source, n)
			}
		}
	}
	return strings.Join(m.Sources, ", ")
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
