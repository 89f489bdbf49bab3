package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"metaroce/golden/profile"
)

func newVersionCommand() *cobra.Command {
	var format string
	command := &cobra.Command{
		Use:   "version",
		Short: "Print the profile that this build works from, and the hash of its spec",
		Args:  cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			out := command.OutOrStdout()
			switch format {
			case "text":
				_, err := fmt.Fprintf(out, "profile %s version %d\nspec %s\n%s\n", profile.Name, profile.Version, profile.SpecHash, profile.Statement)
				return err
			case "json":
				return json.NewEncoder(out).Encode(struct {
					SchemaVersion  int    `json:"schema_version"`
					Profile        string `json:"profile"`
					ProfileVersion int    `json:"profile_version"`
					SpecHash       string `json:"spec_hash"`
					Statement      string `json:"statement"`
				}{1, profile.Name, profile.Version, profile.SpecHash, profile.Statement})
			default:
				return fmt.Errorf("-o %q: want text or json", format)
			}
		},
	}
	command.Flags().StringVarP(&format, "output", "o", "text", "text or json")
	return command
}
