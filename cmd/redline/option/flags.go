// Package option has the flags that several commands and the GitHub Action share, and merges them with a repository's settings: a flag
// outweighs a setting.
package option

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/settings"
)

// Choice is a flag that takes one of a few words.
type Choice struct {
	Value string
	words []string
}

// String returns the word.
func (c *Choice) String() string { return c.Value }

// mostTyped limits the length of a list of words in place of a flag's value, so that help stays within a screen's width.
const mostTyped = 50

// Type lists the words for help, or says that they are names if there are too many.
func (c *Choice) Type() string {
	if list := strings.TrimPrefix(strings.Join(c.words, "|"), "|"); len(list) <= mostTyped {
		return list
	}
	return "name"
}

// Set sets the word; any other is an error.
func (c *Choice) Set(word string) error {
	if !slices.Contains(c.words, word) {
		return noneOf(word, c.words)
	}
	c.Value = word
	return nil
}

// noneOf returns the error for a word that is none of some, with the nearest of them.
func noneOf(word string, words []string) error {
	near := hclspec.Nearest(word, words)
	if i := slices.IndexFunc(words, func(w string) bool { return len(word) > 2 && strings.Contains(w, word) }); near == "" && i >= 0 {
		near = words[i]
	}
	if near != "" {
		return fmt.Errorf("did you mean %s? There are: %s", near, strings.TrimPrefix(strings.Join(words, ", "), ", "))
	}
	return fmt.Errorf("write one of %s", strings.TrimPrefix(strings.Join(words, ", "), ", "))
}

// AddChoice adds a flag whose default is the first word.
func AddChoice(cmd *cobra.Command, name, usage string, words ...string) *Choice {
	return addChoice(cmd, cmd.Flags(), name, usage, words)
}

// AddCommonChoice adds a flag of a command and of all below it, whose default is the first word.
func AddCommonChoice(cmd *cobra.Command, name, usage string, words ...string) *Choice {
	return addChoice(cmd, cmd.PersistentFlags(), name, usage, words)
}

func addChoice(cmd *cobra.Command, flags *pflag.FlagSet, name, usage string, words []string) *Choice {
	c := &Choice{words[0], words}
	if c.Type() == "name" {
		usage += ": " + strings.Join(words, ", ")
	}
	flags.Var(c, name, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// Check has the flags of a command that decides requirements.
type Check struct {
	Budget finding.Budget
	Firing *firing
	Values Values
}

// AddDeciding adds all flags for deciding requirements.
func AddDeciding(cmd *cobra.Command) *Check {
	c := &Check{Budget: engine.DefaultBudget()}
	c.Firing = AddFiring(cmd)
	c.addEngine(cmd)
	c.AddLimits(cmd.Flags())
	c.AddToday(cmd.Flags())
	c.Values.Add(cmd.Flags())
	return c
}

// An engineFlag is the flag for the engine of a budget.
type engineFlag struct {
	*Choice
	of *finding.Engine
}

func (e engineFlag) Set(word string) error {
	err := e.Choice.Set(word)
	if *e.of = finding.Engine(e.Value); e.Value == "auto" {
		*e.of = finding.Auto
	}
	return err
}

func (c *Check) addEngine(cmd *cobra.Command) {
	const usage = "how to decide: states one by one (explicit), as decision diagrams (symbolic), only as many as needed (local), or what answers"
	word := AddChoice(cmd, "engine", usage, "auto", string(finding.Explicit), string(finding.Symbolic), string(finding.Local))
	cmd.Flags().Lookup("engine").Value = engineFlag{word, &c.Budget.Engine}
}

// ReadOptions returns the options for reading contracts, under some settings.
func (c *Check) ReadOptions(under *settings.Settings) (app.ReadOptions, error) {
	return c.Values.Read(app.ReadOptions{Rule: c.Firing.Rule(), Jobs: c.Budget.Jobs, Time: c.Budget.Time, Under: under})
}

// AddGate adds the flags --observe and --fail-on. It returns the latter.
func (c *Check) AddGate(cmd *cobra.Command) (failOn *Choice) {
	cmd.Flags().StringSliceVar(&c.Budget.Observe, "observe", nil, "tell the difference only as far as these `names` can see it, separated by commas: a party sees what it takes part in and what changes its duties and rights, an event itself")
	return AddChoice(cmd, "fail-on", "which verdicts fail: what is newly broken, any violation, or none", "new", "any", "never")
}

// AddCache adds the flag for the directory of earlier verdicts.
func AddCache(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "cache", "", "`directory` of earlier verdicts: what was found there of the same texts, within the same limits, by this very build, is not found out again")
}

// AddLimits adds the limits of states, memory and time.
func (c *Check) AddLimits(f *pflag.FlagSet) {
	f.IntVar(&c.Budget.States, "max-states", c.Budget.States, "states per contract version that are stored one by one, those that differ in what formulas ask of the past apart; 0: no limit")
	f.Var(&c.Budget.Memory, "max-memory", "memory for one state model, as 512MiB or 2GiB, and a quarter of it for each requirement at work; 0: no limit")
	f.DurationVar(&c.Budget.Time, "timeout", c.Budget.Time, "time per contract version, from reading it to the last verdict; 0: no limit")
	f.IntVar(&c.Budget.Jobs, "jobs", c.Budget.Jobs, "how many contracts, and requirements of one, are checked side by side")
	for _, name := range []string{"max-states", "timeout", "jobs"} {
		flag := f.Lookup(name)
		flag.Value = NotNegative{flag.Value}
	}
	f.Lookup("jobs").DefValue = "one for each core" // in help, the same on each machine
}

// NotNegative is a flag whose number must not be negative.
type NotNegative struct{ pflag.Value }

// Set refuses a text with a minus sign.
func (n NotNegative) Set(text string) error {
	if strings.HasPrefix(strings.TrimSpace(text), "-") {
		return errors.New("it can't be negative")
	}
	return n.Value.Set(text)
}

// AddToday adds the flag for the day of a check. A command learns the day in no other way.
func (c *Check) AddToday(f *pflag.FlagSet) {
	f.Var(&c.Budget.Today, "today", "the day, as 2027-03-31, on which waivers are judged; without it none counts that expires")
}

// AddFiring adds the flag for how many transitions fire at a time.
func AddFiring(cmd *cobra.Command) *firing {
	return &firing{AddChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")}
}

// firing is the value of --firing.
type firing struct{ *Choice }

// Rule returns the rule of the flag; nil if the contracts' own rules apply.
func (f *firing) Rule() *petri.Rule {
	rules := map[string]petri.Rule{"one": petri.One, "all": petri.All}
	if r, ok := rules[f.Value]; ok {
		return &r
	}
	return nil
}
