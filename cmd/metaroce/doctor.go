package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"metaroce/verification/setup"
)

func newDoctorCommand() *cobra.Command {
	var format, root string
	command := &cobra.Command{
		Use:   "doctor",
		Short: "List each outside tool: version wanted, found or missing, and what misses without it",
		Long:  "List each outside tool: version wanted, found or missing, and what misses without it.\nExit code 2 if a tool that the README's commands need is missing.",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			write, err := doctorWriter(format)
			if err != nil {
				return err
			}
			states, err := setup.Check(command.Context(), root)
			if err != nil {
				return err
			}
			if err := write(command.OutOrStdout(), states); err != nil {
				return err
			}
			if missing := setup.Missing(states); len(missing) > 0 {
				return fmt.Errorf("%s is missing (%v): run make tools", missing[0].Name, missing[0].Err)
			}
			return nil
		},
	}
	command.Flags().StringVarP(&format, "output", "o", "text", "text or json")
	command.Flags().StringVar(&root, "root", ".", "project root, where .venv is")
	return command
}

func doctorWriter(format string) (func(io.Writer, []setup.State) error, error) {
	switch format {
	case "text":
		return setup.WriteText, nil
	case "json":
		return setup.WriteJSON, nil
	default:
		return nil, fmt.Errorf("-o %q: want text or json", format)
	}
}
