package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/cmd/redline/option"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/duration"
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

That time passes is a line of its own, with the event tick; or the column time says when it passes; a log with both is refused. How long a tick is the
contract says, where its durations have units, or else --tick 1mo. Then each deadline runs from the moment that started it, whatever else the log
says: within = 2 of an order of 15 January ends on 15 March. What happens at that moment is late. A month ends on the day with the same number, or,
where the month has no such day, on its last: of 31 January on 28 February. Business days are those from Monday to Friday but for the holidays in the
contract's calendar, unless that says otherwise. What recurs, and the deadlines of its occurrences, is counted from the first: each month from 31
January on 28 February and on 31 March. The time of a suspension does not count: what it interrupts ends later by as long. What is owed from the start
runs from --start, or from the first line with a time.

Exit statuses: 0 the log conforms, 1 it deviates, 2 the log or the contract is ill-formed, 3 a limit was reached.`,
		Example: `  redline replay sale log.csv
  redline replay sale - < log.csv`,
		Args: cobra.RangeArgs(1, 2),
	}
	values := &option.Values{}
	format := addFormat(cmd, func(f *format) bool { return f.replay != nil })
	firing := option.AddFiring(cmd)
	logs := addLogFlags(cmd)
	scenario := cmd.Flags().String("scenario", "", "write the log as a scenario of this `name`, to be put into the contract, instead of the answer")
	values.Add(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		how, err := values.Read(app.ReadOptions{Rule: firing.Rule(), Jobs: 1})
		if err != nil {
			return err
		}
		if info, err := os.Stat(args[0]); err == nil && info.IsDir() && len(args) == 1 {
			return fmt.Errorf("LOG is missing: write redline replay %s LOG, where LOG is a file with what happened, or - for standard input", args[0])
		}
		if info, err := os.Stat(args[len(args)-1]); err == nil && info.IsDir() {
			return fmt.Errorf("%s is a directory, and no log: the contract comes first, as in redline replay %[1]s %s", args[1], args[0])
		}
		d, err := app.OneDraft(cmd.Context(), args[:len(args)-1], how)
		if err != nil {
			return err
		}
		log, err := logs.read(s, d, args[len(args)-1])
		if err != nil {
			return err
		}
		a, err := log.replay(cmd.Context())
		switch {
		case err != nil:
			return overLimit(s.err, err)
		case *scenario == "":
			err = formats[format.Value].replay(s.out, a)
		case a.Deviation != nil:
			complain(s.err, deviates(a))
		default:
			err = log.scenario(cmd.Context(), s.out, a, *scenario)
		}
		if err == nil && a.Deviation != nil {
			return exit(finding.Violations)
		}
		return err
	}
	return cmd
}

// deviates is the error that a log is no run of the contract.
func deviates(a *conform.Answer) error {
	return fmt.Errorf("the log deviates at line %d: %s can't happen ('redline replay' says why)", a.Deviation.Line.Number, a.Deviation.Line.Name())
}

// logFlags say how a log is read.
type logFlags struct {
	tick, start string
	limits      conform.Limits
}

func addLogFlags(cmd *cobra.Command) *logFlags {
	f := &logFlags{limits: conform.DefaultLimits()}
	cmd.Flags().StringVar(&f.tick, "tick", "", "how long a tick is, a `duration` as 12h, 1d, 1bd (a business day), 2w or 1mo: time passes by the column time; needless where durations have units")
	cmd.Flags().StringVar(&f.start, "start", "", "with --tick, the `day` on which the contract began, as 2027-03-31: what is owed from the start runs from then; else from the day on which the contract starts, if it says so, or from the first line with a time")
	cmd.Flags().IntVar(&f.limits.Possible, "max-possible", f.limits.Possible, "how many states the log may leave possible at once")
	cmd.Flags().Lookup("max-possible").Value = option.NotNegative{Value: cmd.Flags().Lookup("max-possible").Value}
	return f
}

// A draftedLog is a log with the draft that it is held to.
type draftedLog struct {
	name   string
	draft  *compile.Draft
	lines  *conform.Log
	period *duration.Period // nil: ticks are lines of it
	limits conform.Limits
}

// read reads a log, and finds how time passes in it.
func (f *logFlags) read(s streams, d *compile.Draft, name string) (*draftedLog, error) {
	log := &draftedLog{name: name, draft: d, limits: f.limits}
	var err error
	if f.tick != "" {
		if log.period, err = duration.ParseTickLength(f.tick); err != nil {
			return nil, fmt.Errorf("--tick: %w", err)
		}
		log.period.Observe(d.Spec)
	}
	if log.lines, err = readLog(s.in, name); err != nil {
		return nil, err
	}
	ticks := slices.ContainsFunc(d.Events, func(e *hclspec.Event) bool { return e.Name == hclspec.Tick })
	switch tick, dated := log.lines.Twofold(); {
	case tick == nil || !ticks:
	case d.Rule == petri.All: // where the dates could not be used
		complain(s.err, errors.New("the column time of the log is not used: where firing = all, time passes by its ticks alone"))
	default:
		return nil, fmt.Errorf("%s: line %d: the tick says that time passes, and so does the date of line %d: leave out the ticks, or the column time", name, tick.Number, dated.Number)
	}
	timed := log.lines.TimedOnly()
	switch unit := duration.TickOf(d.Spec); {
	case unit == nil:
	case log.period == nil && timed:
		log.period = unit
	case log.period != nil && !log.period.Is(unit):
		return nil, fmt.Errorf("--tick: the contract counts time in %ss, so a tick is %s and not %s: leave --tick out, or say in the calendar of the contract how long they are", d.Spec.Tick, unit, log.period)
	}
	if log.period == nil && ticks && timed && f.start == "" {
		complain(s.err, fmt.Errorf("the column time of the log is not used, so no time passes between its lines and no deadline ends: %s", askTick(d.Spec)))
	}
	switch began := cmp.Or(f.start, d.Spec.Start); {
	case began == "":
	case log.period != nil:
		if log.period.Start, err = conform.ParseTime(began); err != nil {
			return nil, fmt.Errorf("--start: %w", err)
		}
	case f.start != "" && ticks && !timed:
		return nil, errors.New("--start says from when on time passes by the column time; in this log it passes by lines of its own, or not at all: leave --start out")
	case f.start != "" && ticks:
		return nil, fmt.Errorf("--start needs --tick: %s", askTick(d.Spec))
	}
	return log, nil
}

func (l *draftedLog) replay(ctx context.Context) (*conform.Answer, error) {
	a, err := conform.Replay(ctx, l.draft, l.lines, l.period, l.limits)
	if limit := (conform.LimitError{}); err != nil && !errors.As(err, &limit) && strings.HasPrefix(err.Error(), "line ") { // of the log
		err = fmt.Errorf("%s: %w", l.name, err)
	}
	return a, err
}

// play takes the steps of the log in a game, up to where it deviates.
func (l *draftedLog) play(ctx context.Context, a *conform.Answer, g *play.Game) error {
	a, err := conform.Together(ctx, a, l.lines, l.period, l.limits)
	if err != nil {
		return err
	}
	return g.Follow(ctx, a.Run)
}

// scenario writes a log that conforms as a scenario.
func (l *draftedLog) scenario(ctx context.Context, w io.Writer, a *conform.Answer, name string) error {
	g, err := play.New(l.draft)
	if err == nil {
		err = l.play(ctx, a, g)
	}
	if err != nil {
		return err
	}
	block, err := g.Scenario(name)
	if err == nil {
		_, err = io.WriteString(w, block)
	}
	return err
}

// askTick says what to add to let time pass by the times of a log, where the contract does not say how long a tick is.
func askTick(c *hclspec.Contract) string {
	if c.Tick != "" {
		return fmt.Sprintf("say how long a tick is, which is a %s in this contract, as --tick 1bd for a day from Monday to Friday or --tick 1d", c.Tick)
	}
	return "the durations of the contract have no unit, so say how long a tick is, as --tick 1d or --tick 1mo"
}

// overLimit prints an error about a limit and returns its exit status; other errors it returns unchanged.
func overLimit(w io.Writer, err error) error {
	if limit := (conform.LimitError{}); errors.As(err, &limit) {
		complain(w, err)
		return exit(finding.OutOfLimit)
	}
	return err
}

// readLog reads a log from a file, standard input, or a link.
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
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("there is no file %s to read a log from", name)
		}
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
