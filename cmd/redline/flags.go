package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/text"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.TrimPrefix(strings.Join(c.words, "|"), "|") }
func (c *choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("%q is none of %s", word, strings.Join(c.words, ", "))
	}
	c.value = word
	return nil
}

// addChoice adds a flag whose default is the first word.
func addChoice(cmd *cobra.Command, name, usage string, words ...string) *choice {
	c := &choice{words[0], words}
	cmd.Flags().Var(c, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// A checking command's flags.
type checking struct {
	budget finding.Budget
	firing *choice
	format *choice
	values valueFlags
}

// defaultBudget is what a command without flags may spend on each contract.
func defaultBudget() finding.Budget {
	limits := settings.Default().Limits
	b := finding.Budget{States: limits.States, Time: limits.Timeout, Jobs: runtime.GOMAXPROCS(0)}
	if err := b.Memory.Set(limits.Memory); err != nil {
		panic(err) // our own default
	}
	return b
}

// addChecking adds them; formats are those that not every command has.
func addChecking(cmd *cobra.Command, formats ...string) *checking {
	c := addDeciding(cmd)
	c.format = addChoice(cmd, "format", "how to tell it", append([]string{"text", "markdown", "json"}, formats...)...)
	return c
}

// addDeciding adds what a command needs to know that decides requirements.
func addDeciding(cmd *cobra.Command) *checking {
	c := &checking{budget: defaultBudget()}
	c.firing = addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
	c.addEngine(cmd)
	c.limits(cmd.Flags())
	c.addToday(cmd.Flags())
	c.values.add(cmd.Flags())
	return c
}

// An engineFlag is the method that a budget names.
type engineFlag struct {
	*choice
	of *finding.Engine
}

func (e engineFlag) Set(word string) error {
	err := e.choice.Set(word)
	if *e.of = finding.Engine(e.value); e.value == "auto" {
		*e.of = finding.Auto
	}
	return err
}

func (c *checking) addEngine(cmd *cobra.Command) {
	const usage = "how to decide: states one by one (explicit), as decision diagrams (symbolic), only as many as needed (local), or what answers"
	word := addChoice(cmd, "engine", usage, "auto", string(finding.Explicit), string(finding.Symbolic), string(finding.Local))
	cmd.Flags().Lookup("engine").Value = engineFlag{word, &c.budget.Engine}
}

// reading is how the flags want contracts to be read, under some settings.
func (c *checking) reading(under *settings.Settings) (reading, error) {
	return c.values.read(reading{rule: c.rule(), jobs: c.budget.Jobs, time: c.budget.Time, under: under})
}

// addGate adds what a review is to object to, and of what it tells the difference.
func (c *checking) addGate(cmd *cobra.Command) (failOn *choice) {
	cmd.Flags().StringSliceVar(&c.budget.Observe, "observe", nil, "tell the difference only as far as these can see it, separated by commas: a party sees what it takes part in, an event itself")
	return addChoice(cmd, "fail-on", "which verdicts fail: what is newly broken, any violation, or none", "new", "any", "never")
}

// addCache adds where earlier verdicts are.
func addCache(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "cache", "", "directory of earlier verdicts: what was found there of the same texts, within the same limits, by this very build, is not found out again")
}

func (c *checking) limits(f *pflag.FlagSet) {
	f.IntVar(&c.budget.States, "max-states", c.budget.States, "states per contract version that are stored one by one, those that differ in what formulas ask of the past apart; 0: no limit")
	f.Var(&c.budget.Memory, "max-memory", "memory for one state model, as 512MiB or 2GiB, and a quarter of it for each requirement at work; 0: no limit")
	f.DurationVar(&c.budget.Time, "timeout", c.budget.Time, "time per contract version, from reading it to the last verdict; 0: no limit")
	f.IntVar(&c.budget.Jobs, "jobs", c.budget.Jobs, "how many contracts, and requirements of one, are checked side by side")
	for _, name := range []string{"max-states", "timeout", "jobs"} {
		flag := f.Lookup(name)
		flag.Value = notNegative{flag.Value}
	}
	f.Lookup("jobs").DefValue = "one for each core" // as help says it, on each machine
}

// notNegative is a number that -1 would turn into nonsense.
type notNegative struct{ pflag.Value }

func (n notNegative) Set(text string) error {
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		return errors.New("it can't be negative")
	}
	return n.Value.Set(text)
}

// addToday adds the only way in which a command learns what day it is.
func (c *checking) addToday(f *pflag.FlagSet) {
	f.Var(&c.budget.Today, "today", "the day, as 2027-03-31, on which waivers are judged; without it none counts that expires")
}

// rule is nil when the contracts' own rules are in force.
func (c *checking) rule() *petri.Rule {
	rules := map[string]petri.Rule{"one": petri.One, "all": petri.All}
	if r, ok := rules[c.firing.value]; ok {
		return &r
	}
	return nil
}

// styleOf is what the terminal behind w can show; in a pipe, plain text of one width.
func styleOf(w io.Writer) text.Style {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return text.Style{Width: 100}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 40 {
		width = 80
	}
	return text.Style{Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb", Width: min(width, 120)}
}
