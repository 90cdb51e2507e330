package main

import (
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/gdamore/tcell/v2"
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/report/simulate"
)

func simulateCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate [PATH]",
		Short: "Play a contract by hand: what can happen, who may do it, what is owed",
		Long: `Simulate plays the contract step by step: where each party stands, what can happen next and who does it, what is owed by whom, and what the run says of
each requirement. In a terminal it takes the screen. Elsewhere it reads a command a line, and tells what came of it:

` + simulate.Help + `
--run starts with a run, up to where it deviates from the contract: a log as 'redline replay' reads it, or a link that somebody shared. Replay reads what save writes, too. A
tick of a run is one of all deadlines; where each has days of its own, and no such run comes to the same, it says so.

Exit statuses: 0 done, 2 a command could not be carried out, 3 a limit was reached.`,
		Example: `  echo random 3 | redline simulate sale
  redline simulate sale --run log.csv --lines < /dev/null`,
		Args: cobra.MaximumNArgs(1),
	}
	values := &option.Values{}
	firing := option.AddFiring(cmd)
	run := cmd.Flags().String("run", "", "start with the run in a `file`, as 'redline replay' reads it, or in a link (#run=...)")
	logs := addLogFlags(cmd)
	seed := cmd.Flags().Uint64("seed", 1, "of random steps: the same seed takes the same steps")
	lines := cmd.Flags().Bool("lines", false, "read a command a line in a terminal, too")
	values.Add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.Read(app.ReadOptions{Rule: firing.Rule(), Jobs: 1, Time: engine.DefaultBudget().Time})
		if err != nil {
			return err
		}
		d, err := app.OneDraft(cmd.Context(), args, how)
		if err != nil {
			return err
		}
		g, err := play.New(d)
		if err != nil {
			return err
		}
		refused := false
		if *run != "" {
			log, err := logs.read(s, d, *run)
			if err != nil {
				return err
			}
			a, err := log.replay(cmd.Context())
			if err != nil {
				return overLimit(s.err, err)
			}
			if err := log.play(cmd.Context(), a, g); err != nil {
				return overLimit(s.err, err)
			}
			if refused = a.Deviation != nil; refused {
				complain(s.err, fmt.Errorf("%w; the run goes up to there", deviates(a)))
			}
		}
		desk := &simulate.Desk{Game: g, Rand: rand.New(rand.NewPCG(*seed, 0)), Style: styleOf(s.out), Save: saveRun}
		if terminalOf(s.in) != nil && terminalOf(s.out) != nil {
			if !*lines {
				if screen := screenOf(); screen != nil {
					defer screen.Fini()
					return desk.Screen(cmd.Context(), screen)
				}
			}
			desk.Prompt = "> "
			if err := desk.Do(cmd.Context(), s.out, "?"); err != nil {
				return err
			}
		}
		failed, err := desk.Lines(cmd.Context(), s.in, s.out, func(err error) { complain(s.err, err) })
		if err == nil && (failed || refused) {
			return exit(finding.BadInput)
		}
		return err
	}
	return cmd
}

func saveRun(name, text string) error { return os.WriteFile(name, []byte(text), 0o666) }

// screenOf opens the screen of the terminal; nil if there is none to draw on.
func screenOf() tcell.Screen {
	screen, err := tcell.NewScreen()
	if err != nil || screen.Init() != nil {
		return nil
	}
	return screen
}
