package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"metaroce/verification/compare"
	"metaroce/verification/diff"
	"metaroce/verification/verdict"
)

func newDiffCommand() *cobra.Command {
	var options diff.Options
	var level, setup, format string
	command := &cobra.Command{
		Use:   "diff FILE",
		Short: "Judge a trace against the golden model",
		Long: "Judge a trace against the golden model: its inputs drive the model, the model's outputs are compared with its own.\n" +
			"FILE is a VCD of a unit (dumped from the reset on), a pcapng capture of ours, or a pcap or pcapng capture of a device.\n" +
			"The format is told by the file's first bytes.",
		Args: oneFile,
		RunE: func(command *cobra.Command, args []string) error {
			write, err := reportWriter(format)
			if err != nil {
				return err
			}
			if level != "" {
				if options.Level, err = compare.ParseLevel(level); err != nil {
					return err
				}
			}
			if options.Setup, err = readSetup(setup); err != nil {
				return err
			}
			options.Source = args[0]
			report, err := diffFile(args[0], options)
			if err != nil {
				return err
			}
			if err := write(report, command.OutOrStdout()); err != nil {
				return err
			}
			return exitWith(report.Verdict.ExitCode(), nil)
		},
	}
	flags := command.Flags()
	flags.StringVar(&options.Unit, "unit", "", "unit: sack, rob, rate or rx (default: what the trace says)")
	flags.StringVar(&options.Scope, "scope", "", "VCD: scope of the unit, such as TOP.mr_sack (default: the outermost with its ports)")
	flags.StringVar(&options.Config, "config", "", "configuration: small or large (default: what the trace says, else small)")
	flags.StringVar(&level, "level", "", "cycle or order (default: cycle for VCD, order for captures)")
	flags.StringVar(&setup, "setup", "", "YAML of the open connections, for captures without configuration beats")
	flags.StringVarP(&format, "output", "o", "text", "text or json")
	return command
}

func diffFile(name string, options diff.Options) (*verdict.Report, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report, err := diff.Run(file, options)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return report, nil
}

func readSetup(name string) (*diff.Setup, error) {
	if name == "" {
		return nil, nil
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	setup, err := diff.ReadSetup(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return setup, nil
}

// reportWriter is shared by the commands that end in a verdict.
func reportWriter(format string) (func(*verdict.Report, io.Writer) error, error) {
	switch format {
	case "text":
		return (*verdict.Report).WriteText, nil
	case "json":
		return (*verdict.Report).WriteJSON, nil
	}
	return nil, fmt.Errorf("-o %q: want text or json", format)
}
