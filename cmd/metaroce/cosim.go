package main

import (
	"fmt"
	"os"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"

	"metaroce/verification/cosim"
)

func newCosimCommand() *cobra.Command {
	var request cosim.Request
	var format string
	command := &cobra.Command{
		Use:   "cosim",
		Short: "Run the golden model and the RTL side by side and compare them",
		Long: "Run the golden model and the RTL side by side on one stimulus and compare them while they run.\n" +
			"The stimulus comes from a scenario file, or is made from a seed. Results go to a folder: the reproducer, the\n" +
			"records, the verdict, a report, and at a difference the waves around it with a save file for the viewer.",
		Example: "  metaroce cosim --unit sack --seed 7 --count 50000\n" +
			"  metaroce cosim --scenario verification/scenarios/sack-wrap.yaml --waves\n" +
			"  metaroce cosim --unit rx --rtl ../mine/rtl --level order -o json",
		Args: cobra.NoArgs,
		RunE: func(command *cobra.Command, _ []string) error {
			write, err := reportWriter(format)
			if err != nil {
				return err
			}
			for _, flag := range []string{"seed", "count"} {
				if request.ScenarioFile != "" && command.Flags().Changed(flag) {
					return fmt.Errorf("--scenario and --%s exclude each other: a scenario file holds its whole run", flag)
				}
			}
			if isatty.IsTerminal(os.Stderr.Fd()) {
				request.Terminal = command.ErrOrStderr()
			}
			request.Unsaid = !command.Flags().Changed("seed") && !command.Flags().Changed("count")
			report, err := cosim.RunRequest(command.Context(), request)
			if report == nil {
				return err
			}
			if failed := write(report, command.OutOrStdout()); failed != nil {
				return failed
			}
			return exitWith(report.Verdict.ExitCode(), err)
		},
	}
	flags := command.Flags()
	flags.StringVar(&request.Unit, "unit", "", "unit: sack, rob, rate or rx")
	flags.StringVar(&request.ScenarioFile, "scenario", "", "scenario file; else the run is made from --seed and --count")
	flags.Uint64Var(&request.Seed, "seed", 1, "seed of the run; 0 is a seed like any other")
	flags.IntVar(&request.Count, "count", 10000, "operations (sack, rob, rate) or frames (rx) of the run, up to 10000000")
	flags.StringVar(&request.Config, "config", "", "configuration: small or large (default small)")
	flags.StringVar(&request.Level, "level", "", "what must agree: cycle, or order for RTL with its own timing (default cycle)")
	flags.BoolVar(&request.Waves, "waves", false, "dump the waves of the run's first 20000 cycles even without a difference")
	flags.StringVar(&request.RTL, "rtl", "", "folder of the RTL: mr_<unit>.v and the modules it uses (default rtl in the project)")
	flags.StringVar(&request.Bug, "bug", "", "seed a known bug into a copy of the RTL (verification/bugs); without --seed and --count it brings the run that shows it")
	flags.StringVar(&request.Out, "out", "", "folder for the results, made if missing (default build/cosim/<the run> in the project)")
	flags.StringVar(&request.Root, "root", ".", "project root: the folder with cocotb-bridge, rtl and .venv")
	flags.StringVarP(&format, "output", "o", "text", "text or json")
	return command
}
