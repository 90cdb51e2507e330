package app

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report/result"
)

// planned records the shard of each contract in a file, and returns the pairs of the file's own shard.
func planned(f *result.File, pairs []engine.Pair) (own []engine.Pair) {
	shards, _ := engine.Shards(pairs, f.Shards)
	for i, p := range pairs {
		f.Plan = append(f.Plan, result.Planned{Path: p.Path(), Shard: shards[i]})
		if shards[i] == f.Shard {
			own = append(own, p)
		}
	}
	return own
}

// PlanMatrix returns the matrix of a job that reviews in at most so many shards: one line of JSON that contains only numbers.
func PlanMatrix(ctx context.Context, revs Revisions, how ReadOptions, most int) (string, error) {
	if most < 1 || most > result.MostShards {
		return "", fmt.Errorf("there can't be %d shards: name a number from 1 to %d", most, result.MostShards)
	}
	a, err := amended(ctx, revs, how, nil)
	if err != nil {
		return "", err
	}
	type job struct {
		Shard int `json:"shard"`
		Of    int `json:"of"`
	}
	_, parts := engine.Shards(a.pairs, most)
	jobs := make([]job, parts)
	for i := range jobs {
		jobs[i] = job{i + 1, parts}
	}
	raw, err := json.Marshal(map[string][]job{"include": jobs})
	return string(raw), err
}

// MergeResults joins the shards in some files; want is the required number, 0 for the number that they name.
func MergeResults(names []string, want int) (*result.File, error) {
	var files []*result.File
	for _, name := range names {
		f, err := result.Load(name)
		if err != nil {
			return nil, err
		}
		if want > 0 && f.Shards != want {
			return nil, fmt.Errorf("%s is shard %d of %d, but the plan has %d shards: use results of one plan", name, f.Shard, f.Shards, want)
		}
		files = append(files, f)
	}
	whole, err := result.Join(files, names)
	if err != nil {
		return nil, fmt.Errorf("the shards do not make a whole review: %w", err)
	}
	return whole, nil
}

// SaveResult writes a result to a file, if one is named. It refuses to after a run that was cancelled: requirements left unfinished must not
// pass for unknown.
func SaveResult(ctx context.Context, name string, f *result.File) error {
	switch {
	case name == "":
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("the run was cancelled, so %s was not written", name)
	}
	return result.Save(name, f)
}
