// Command metaroce is the toolkit's one command: it generates, co-simulates, diffs traces and says what is installed.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"metaroce/verification/verdict"
)

// Exit codes that every subcommand shares; those of a verdict are in package verdict.
const exitUsage = 2

// exitError carries a process exit code out of a subcommand. With a nil err nothing more is printed: the subcommand has
// already said what it found.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// exitWith is what a RunE returns to end with a code: 0 is success, whatever err is not nil is printed on stderr.
func exitWith(code int, err error) error {
	if code == 0 && err == nil {
		return nil
	}
	return &exitError{code: code, err: err}
}

func newRootCommand(stdout, stderr io.Writer) *cobra.Command {
	root := &cobra.Command{
		Use:   "metaroce",
		Short: "Golden model, co-simulation and trace diff for MetaRoCE engines (interim profile)",
		Long: "Golden model, co-simulation and trace diff for MetaRoCE engines.\n" +
			"Works from an interim profile in which every rule carries its provenance; conformity is not claimed.\n" +
			"Exit codes: 0 same, 1 different, 2 usage or unreadable input, 3 truncated, 4 hang, 5 bridge protocol error.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(flagError)
	root.AddCommand(commands()...)
	return root
}

// flagError names the command to ask, and says of a number what is wanted in place of what the parser calls it.
func flagError(command *cobra.Command, err error) error {
	text := err.Error()
	var number *strconv.NumError
	if errors.As(err, &number) {
		text = strings.TrimSuffix(text, number.Error()) + "want a decimal or 0x number in range"
	}
	return fmt.Errorf("%s (see %s --help)", text, command.CommandPath())
}

// oneFile is the argument check of the commands that read one file.
func oneFile(command *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("%d files named, want one: %s", len(args), command.UseLine())
	}
	return nil
}

// run executes one command line and returns the process exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	root := newRootCommand(stdout, stderr)
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	var exit *exitError
	switch {
	case errors.As(err, &exit):
	case ctx.Err() != nil && errors.Is(err, ctx.Err()):
		exit = &exitError{code: verdict.CodeTruncated, err: errors.New("interrupted before there was a result")}
	default:
		exit = &exitError{code: exitUsage, err: err}
	}
	if exit.err != nil {
		fmt.Fprintf(stderr, "metaroce: %v\n", exit.err)
	}
	return exit.code
}

// heapGrowth is how far the heap may grow over what is alive, in percent, unless GOGC says so: a stimulus is alive as long
// as a run lasts and small beside the machine, and looking through it again and again costs a tenth of the run.
const heapGrowth = 400

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process at once
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}
