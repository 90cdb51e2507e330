package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"

	"github.com/gdamore/tcell/v2"
	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/conform"
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
--run starts with a run: a file, or a link that somebody shared. 'redline replay' reads what save writes.

Exit statuses: 0 done, 2 a command could not be carried out.`,
		Example: `  echo random 3 | redline simulate sale
  redline simulate sale --run log.csv --lines < /dev/null`,
		Args: cobra.MaximumNArgs(1),
	}
	values := &option.Values{}
	firing := option.AddFiring(cmd)
	run := cmd.Flags().String("run", "", "start with the run in a `file`, or in a link (#run=...)")
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
		if *run != "" {
			if err := startWith(cmd.Context(), s, g, *run); err != nil {
				return err
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
		if err == nil && failed {
			return exit(finding.BadInput)
		}
		return err
	}
	return cmd
}

// startWith takes the steps of a shared run. The error says so if the contract does not have the run.
func startWith(ctx context.Context, s streams, g *play.Game, name string) error {
	log, err := readLog(s.in, name)
	if err != nil {
		return err
	}
	a, err := conform.Replay(ctx, g.Draft, log, nil, conform.DefaultLimits())
	if err != nil {
		return overLimit(s.err, err)
	}
	if a.Deviation != nil {
		return fmt.Errorf("the run is none of this contract: line %d, %s, can't happen ('redline replay' says why)", a.Deviation.Line.Number, a.Deviation.Line.Name())
	}
	return g.Follow(ctx, a.Run)
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
