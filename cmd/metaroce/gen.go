package main

import (
	"context"
	"fmt"
	"io"
	"os/exec"

	"github.com/spf13/cobra"

	"metaroce/gen"
	"metaroce/gen/tables"
	"metaroce/gen/vectors"
	"metaroce/golden/profile"
)

// exitStale is gen's exit code when the tree is not what the spec makes of it.
const exitStale = 1

func newGenCommand() *cobra.Command {
	var root string
	var check, rebuilt bool
	command := &cobra.Command{
		Use:   "gen",
		Short: "Generate code, headers, tables, vectors and documents from gen/spec",
		Long: "Generate code, headers, tables, vectors and documents from gen/spec.\n" +
			"With --check nothing is written: a unified diff of what is stale goes to stdout, and the exit code is 1 if there is any.\n" +
			"Tables and vectors are made by the golden model; where its code changes, the command builds itself again to make them.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			second := gen.Stage{BuiltFrom: profile.SpecHash, Producers: []gen.Producer{tables.Files, vectors.Files}}
			result, err := gen.Run(root, check, second, command.OutOrStdout())
			switch {
			case err != nil:
				return fmt.Errorf("gen: %w", err)
			case check && result.Again:
				return exitWith(exitStale, fmt.Errorf("generated code is stale, tables and vectors were not looked at: run metaroce gen"))
			case check && result.Stale:
				return exitWith(exitStale, fmt.Errorf("generated files are stale: run metaroce gen"))
			case result.Again && rebuilt:
				return fmt.Errorf("gen: --root %s is not the source that this command was built from", root)
			case result.Again:
				return generateRebuilt(command.Context(), root, command.OutOrStdout(), command.ErrOrStderr())
			}
			_, err = fmt.Fprintf(command.ErrOrStderr(), "%d generated files are what gen/spec says\n", result.Files)
			return err
		},
	}
	command.Flags().StringVar(&root, "root", ".", "root of the project, where go.mod is")
	command.Flags().BoolVar(&check, "check", false, "write nothing; show what is stale")
	command.Flags().BoolVar(&rebuilt, "rebuilt", false, "this is the second run, built from the code that the first wrote")
	_ = command.Flags().MarkHidden("rebuilt") // fails only for a flag that is not there
	return command
}

// generateRebuilt builds the command from the code just written and lets it make tables and vectors.
func generateRebuilt(ctx context.Context, root string, stdout, stderr io.Writer) error {
	again := exec.CommandContext(ctx, "go", "run", "./cmd/metaroce", "gen", "--rebuilt")
	again.Dir, again.Stdout, again.Stderr = root, stdout, stderr
	if err := again.Run(); err != nil {
		return fmt.Errorf("gen: tables and vectors: go run ./cmd/metaroce gen in %s: %w", root, err)
	}
	return nil
}
