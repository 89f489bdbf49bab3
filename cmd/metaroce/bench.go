package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"metaroce/golden/profile"
	"metaroce/verification/bench"
)

func newBenchCommand() *cobra.Command {
	options := bench.Options{Root: "."}
	var config, format, save string
	command := &cobra.Command{
		Use:   "bench",
		Short: "Measure the model, the bare RTL, the bridge and the co-simulation side by side",
		Long: "Measure every unit, saturated, four ways in turn and in one run: the golden model alone, the RTL in the harness\n" +
			"without a socket, the RTL through the bridge, and the whole co-simulation. Figures are medians over the rounds.",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			write, err := benchWriter(format)
			if err != nil {
				return err
			}
			var known bool
			if options.Config, known = profile.ConfigByName(config); !known {
				return fmt.Errorf("--config %q: want small or large", config)
			}
			options.Cache = filepath.Join(options.Root, "build", "harness")
			options.Progress = benchProgress(command.ErrOrStderr())
			rows, err := bench.Run(command.Context(), options)
			options.Progress("")
			if err != nil {
				return err
			}
			if err := saveBench(save, rows); err != nil {
				return err
			}
			return write(command.OutOrStdout(), rows)
		},
	}
	flags := command.Flags()
	flags.StringVar(&config, "config", "small", "configuration: small or large")
	flags.Uint64Var(&options.Seed, "seed", 1, "seed of the stimulus")
	flags.IntVar(&options.Count, "count", 100_000, "operations or frames of each run")
	flags.IntVar(&options.Rounds, "rounds", 5, "rounds; each runs the four once")
	flags.StringVar(&save, "json", "", "write the JSON document to this file too")
	flags.StringVarP(&format, "output", "o", "text", "text or json")
	return command
}

func benchWriter(format string) (func(io.Writer, []bench.Row) error, error) {
	switch format {
	case "text":
		return bench.WriteText, nil
	case "json":
		return bench.WriteJSON, nil
	default:
		return nil, fmt.Errorf("-o %q: want text or json", format)
	}
}

func saveBench(path string, rows []bench.Row) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := bench.WriteJSON(file, rows); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}

// benchProgress shows what is going on where somebody looks; an empty text clears the line.
func benchProgress(stderr io.Writer) func(string) {
	if !isatty.IsTerminal(os.Stderr.Fd()) {
		return func(string) {}
	}
	return func(text string) { fmt.Fprintf(stderr, "\r\x1b[K%s", text) }
}
