package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/redlinehq/redline/report/result"
)

func mergeCommand(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "merge FILE...",
		Short: "Join what several runners found into one review",
		Long: `Merge reads what runs of redline review --result found, joins the shards into one review, and has the exit status of
that review. It fails closed, with exit status 2: when a shard is missing or there twice, when two are of different commits,
settings, limits or versions of redline, or when a shard has not reviewed what it had to.`,
		Args: cobra.MinimumNArgs(1),
	}
	format := addChoice(cmd, "format", "how to tell it", "text", "markdown", "json", "sarif", "junit")
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
		if err := writeReview(s.out, whole.Review, gates[whole.Terms.FailOn], format.value); err != nil {
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
