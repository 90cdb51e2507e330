package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report/result"
)

func planCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "plan --base REV [--head REV]",
		Short: "Spread a review over several runners",
		Long: `Plan says into how many shards a review is best split: at most as many as --shards, no more than there are
contracts to review, and at least one. It prints them as a matrix for GitHub Actions. Each runner then reviews its shard
(redline review --shard 3/8 --result FILE) of the same revisions, with the same flags; redline merge joins what they
found. A runner finds out from the commits which contracts are its own, so the matrix has nothing to trust.`,
		Args: cobra.NoArgs,
	}
	flags := &checking{budget: defaultBudget()}
	flags.firing = addFiring(cmd)
	flags.values.add(cmd.Flags())
	base := cmd.Flags().String("base", "", "the branch or revision the amendment is to be merged into")
	head := cmd.Flags().String("head", "HEAD", "the amended revision")
	most := cmd.Flags().Int("shards", 8, fmt.Sprintf("how many there may be, from 1 to %d", result.MostShards))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *base == "" {
			return errors.New("--base is missing: name the branch or revision the amendment is to be merged into, as in --base main")
		}
		revs := revisions{dir: ".", base: *base, head: *head}
		wanted, _, err := amendmentSettings(cmd.Context(), revs) // the review has the notices
		if err != nil {
			return err
		}
		how, err := flags.reading(wanted)
		if err != nil {
			return err
		}
		matrix, err := planMatrix(cmd.Context(), revs, how, *most)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(s.out, matrix)
		return err
	}
	return cmd
}

// planMatrix is the matrix of a job that reviews in at most so many shards: one line of JSON, and nothing in it but
// numbers.
func planMatrix(ctx context.Context, revs revisions, how reading, most int) (string, error) {
	if most < 1 || most > result.MostShards {
		return "", fmt.Errorf("there can't be %d shards: name a number from 1 to %d", most, result.MostShards)
	}
	pairs, _, _, err := bothPairs(ctx, revs, how, nil)
	if err != nil {
		return "", err
	}
	type job struct {
		Shard int `json:"shard"`
		Of    int `json:"of"`
	}
	_, parts := engine.Shards(pairs, most)
	jobs := make([]job, parts)
	for i := range jobs {
		jobs[i] = job{i + 1, parts}
	}
	raw, err := json.Marshal(map[string][]job{"include": jobs})
	return string(raw), err
}

func mergeCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join what several runners found into one review",
		Long: `Merge reads what runs of redline review --result found, joins the shards into one review, and has the exit status of
that review. It fails closed, with exit status 2: when a shard is missing or there twice, when two are of different commits,
settings, limits or versions of redline, or when a shard has not reviewed what it had to.`,
		Args: cobra.MinimumNArgs(1),
	}
	format := addFormat(cmd, func(f *format) bool { return f.review != nil })
	failOn := addChoice(cmd, "fail-on", "which verdicts fail, whatever the shards were told: what is newly broken, any violation, or none", "", "new", "any", "never")
	shards := cmd.Flags().Int("shards", 0, "how many there have to be; 0: as many as each says")
	name := addResult(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		whole, err := mergeFiles(args, *shards)
		if err != nil {
			return err
		}
		if failOn.value != "" {
			whole.Terms.FailOn = failOn.value
		}
		tell(s.err, whole.Notices)
		if err := formats[format.value].review(s.out, whole.Review, gates[whole.Terms.FailOn]); err != nil {
			return err
		}
		if err := saveResult(cmd.Context(), *name, whole); err != nil {
			return err
		}
		return exit(whole.Review.Gate(gates[whole.Terms.FailOn]))
	}
	return cmd
}

// mergeFiles joins the shards in some files; want is how many there have to be, 0: as many as they say.
func mergeFiles(names []string, want int) (*result.File, error) {
	var files []*result.File
	for _, name := range names {
		f, err := result.Load(name)
		if err != nil {
			return nil, err
		}
		if want > 0 && f.Shards != want {
			return nil, fmt.Errorf("%s is shard %d of %d, and there have to be %d", name, f.Shard, f.Shards, want)
		}
		files = append(files, f)
	}
	whole, err := result.Join(files, names)
	if err != nil {
		return nil, fmt.Errorf("the shards are no whole review: %w", err)
	}
	return whole, nil
}

func addResult(cmd *cobra.Command) *string {
	return cmd.Flags().String("result", "", "file to write what was found to, for redline merge")
}

// saveResult writes a result, unless nobody asked for it. A run that was cancelled has none: what it left open
// must not stand for what is not known.
func saveResult(ctx context.Context, name string, f *result.File) error {
	switch {
	case name == "":
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the run was cancelled, so %s was not written", name)
	}
	return result.Save(name, f)
}
