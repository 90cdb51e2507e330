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
	flags.firing = addChoice(cmd, "firing", "override the contract's firing rule", "", "one", "all")
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
