package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/text"
)

func replayCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "replay [PATH] LOG",
		Short: "Hold a log of what really happened to the contract: the first deviation, who owes what, who is in breach",
		Long: `Replay goes through a log line by line. It names the first line that no run of the contract explains, what could have happened there, and who
owed what at that point; or says that the log conforms, whether it ends in a final state, and what is still owed. A breach is no
deviation, for the contract provides for it: replay says who is in breach of what, and since which line.

LOG is a file, - for standard input, or a link to a run that somebody shared (#run=...). It is CSV with a header, or JSON lines. The columns
(or keys) are event or transition, and optionally time, party and step; others are ignored. An event is named as the contract names it,
a transition that no event mentions as party.transition. Where everything that can happen together does (firing = all), lines
with the same step happened at the same moment.

That time passes is a line of its own, with the event tick; or --tick 1mo says how long a tick is, and the column time when it passes. Then each
deadline runs from the moment that started it, whatever else the log says: within = 2 of an order of 15 January ends on 15 March. What happens at that moment
is late. A month ends on the day with the same number, or, where the month has no such day, on its last: of 31 January on 28 February. What is owed
from the start runs from --start, or from the first line with a time.

Exit statuses: 0 the log conforms, 1 it deviates, 2 the log or the contract is ill-formed, 3 a limit was reached.`,
		Args: cobra.RangeArgs(1, 2),
	}
	values := &valueFlags{}
	format := addChoice(cmd, "format", "how to tell it", "text", "json")
	firing := addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	tick := cmd.Flags().String("tick", "", "how long a tick is, as 12h, 1d, 2w or 1mo: time passes by the column time")
	start := cmd.Flags().String("start", "", "with --tick, when the contract began, as 2027-03-31: what is owed from the start runs from then; else from the first line with a time")
	limits := conform.DefaultLimits()
	cmd.Flags().IntVar(&limits.Possible, "max-possible", limits.Possible, "how many states the log may leave possible at once")
	cmd.Flags().Lookup("max-possible").Value = notNegative{cmd.Flags().Lookup("max-possible").Value}
	values.add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.read(reading{rule: (&checking{firing: firing}).rule(), jobs: 1})
		if err != nil {
			return err
		}
		var period *conform.Period
		if *tick != "" {
			if period, err = conform.ParsePeriod(*tick); err != nil {
				return fmt.Errorf("--tick: %w", err)
			}
		}
		if *start != "" {
			if period == nil {
				return errors.New("--start needs --tick: it says from when on time passes")
			}
			if period.Start, err = conform.ParseTime(*start); err != nil {
				return fmt.Errorf("--start: %w", err)
			}
		}
		d, err := oneDraft(cmd.Context(), args[:len(args)-1], how)
		if err != nil {
			return err
		}
		log, err := readLog(s.in, args[len(args)-1])
		if err != nil {
			return err
		}
		a, err := conform.Hold(cmd.Context(), d, log, period, limits)
		if err != nil {
			return overLimit(s.err, err)
		}
		if format.value == "json" {
			err = json.WriteReplay(s.out, a, version())
		} else {
			err = text.Replay(s.out, a, styleOf(s.out))
		}
		if err == nil && a.Deviation != nil {
			return exit(finding.Violations)
		}
		return err
	}
	return cmd
}

// overLimit tells apart what was not decided.
func overLimit(w io.Writer, err error) error {
	if limit := (conform.LimitError{}); errors.As(err, &limit) {
		complain(w, err)
		return exit(finding.OutOfLimit)
	}
	return err
}

// oneDraft reads the one contract at or under a path, which has to be well-formed.
func oneDraft(ctx context.Context, args []string, how reading) (*compile.Draft, error) {
	drafts, err := workTreeDrafts(ctx, args, how)
	if err != nil {
		return nil, err
	}
	if len(drafts) > 1 {
		return nil, fmt.Errorf("there are %d contracts here (%s, %s, ...): name one", len(drafts), drafts[0].Path, drafts[1].Path)
	}
	if drafts[0].Spec == nil {
		return nil, errors.New("the contract is ill-formed: 'redline check' says where")
	}
	return drafts[0], nil
}

// readLog reads a file, standard input, or a link.
func readLog(in io.Reader, name string) (*conform.Log, error) {
	if conform.IsLink(name) {
		log, err := conform.ReadLink(name)
		if err != nil {
			return nil, fmt.Errorf("the link: %w", err)
		}
		return log, nil
	}
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	log, err := conform.Read(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return log, nil
}
