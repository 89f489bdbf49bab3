package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"metaroce/gen"
)

// exitStale is gen's exit code when the tree is not what the spec makes of it.
const exitStale = 1

func newGenCommand() *cobra.Command {
	var root string
	var check bool
	command := &cobra.Command{
		Use:   "gen",
		Short: "Generate code, headers, tables, vectors and documents from gen/spec",
		Long: "Generate code, headers, tables, vectors and documents from gen/spec.\n" +
			"With --check nothing is written: a unified diff of what is stale goes to stdout, and the exit code is 1 if there is any.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			stale, err := gen.Run(root, check, command.OutOrStdout())
			if err != nil {
				return fmt.Errorf("gen: %w", err)
			}
			if check && stale {
				return exitWith(exitStale, fmt.Errorf("generated files are stale: run metaroce gen"))
			}
			return nil
		},
	}
	command.Flags().StringVar(&root, "root", ".", "root of the project, where go.mod is")
	command.Flags().BoolVar(&check, "check", false, "write nothing; show what is stale")
	return command
}
