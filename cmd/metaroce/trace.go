package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"metaroce/verification/dump"
	"metaroce/verification/trace"
	"metaroce/verification/verdict"
)

func newTraceCommand() *cobra.Command {
	command := &cobra.Command{Use: "trace", Short: "Look into traces", Args: cobra.NoArgs, RunE: func(command *cobra.Command, _ []string) error {
		return fmt.Errorf("which one? metaroce trace dump FILE is what there is")
	}}
	command.AddCommand(newTraceDumpCommand())
	return command
}

func newTraceDumpCommand() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "dump FILE",
		Short: "Print a pcap, pcapng or VCD trace, one record a line",
		Long: "Print a trace, one record a line. The format is told by the file's first bytes: pcap, pcapng or VCD.\n" +
			"Exit code 3 if the file ends inside a record (all records before it are printed), 2 if it is no such trace.",
		Args: oneFile,
		RunE: func(command *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			if err := dump.Dump(command.OutOrStdout(), file, dump.Style(format)); err != nil {
				return exitWith(traceExitCode(err), fmt.Errorf("%s: %w", args[0], err))
			}
			return nil
		},
	}
	command.Flags().StringVarP(&format, "output", "o", "text", "text or json")
	return command
}

// traceExitCode tells a file that ends early from one that cannot be read.
func traceExitCode(err error) int {
	if trace.IsTruncated(err) {
		return verdict.CodeTruncated
	}
	return verdict.CodeUsage
}
