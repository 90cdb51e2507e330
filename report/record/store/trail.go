package store

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// A Step is a commit of a branch that touches a contract, with the contract's draft there.
type Step struct {
	Commit, Committed, Author string
	Dir                       string // where the contract is; empty: the commit has none
	Tree                      string // of its files, as a record has it
	Wrong                     error  // why the draft can't be read; nil if there is no contract
}

// Trail calls each with the drafts that a contract had on a branch, oldest first, along first parents as far as the clone has them. dirs are
// the directories it was in; if a commit has a contract in several of them, the first one counts.
func (r Repository) Trail(ctx context.Context, commit string, dirs []string, each func(Step) error) (err error) {
	defer wrapped(&err, "following the contract from %s", short(commit))
	var places []place
	return inParts(r.touches(ctx, commit, dirs), max(1, maxAsked/max(1, len(dirs))), func(steps []Step) error {
		places = places[:0]
		for _, s := range steps {
			for _, dir := range dirs {
				places = append(places, place{s.Commit, dir})
			}
		}
		texts, err := r.texts(ctx, places)
		if err != nil {
			return err
		}
		for i, s := range steps {
			s.take(dirs, texts[i*len(dirs):])
			if err := each(s); err != nil {
				return err
			}
		}
		return nil
	})
}

// touches yields the commits that touch directories, oldest first.
func (r Repository) touches(ctx context.Context, commit string, dirs []string) iter.Seq2[Step, error] {
	args := []string{"log", "--first-parent", "--reverse", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-patch", "--format=%H%x00%cI%x00%an",
		"--end-of-options", commit, "--"}
	cmd := r.local(ctx, append(args, dirs...)...)
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	return func(yield func(Step, error) bool) {
		for one, err := range lines(ctx, cmd) {
			fields := strings.SplitN(one, "\x00", 3)
			if err == nil && len(fields) != 3 {
				err = fmt.Errorf("git log printed %.80q", one)
			}
			if err != nil {
				yield(Step{}, err)
				return
			}
			if !yield(Step{Commit: fields[0], Committed: fields[1], Author: record.Clean(fields[2])}, nil) {
				return
			}
		}
	}
}

func (s *Step) take(dirs []string, texts []text) {
	for i, dir := range dirs {
		if t := texts[i]; t.tree != "" {
			s.Dir, s.Tree, s.Wrong = dir, t.tree, nil
			return
		} else if t.err != nil {
			s.Wrong = fmt.Errorf("the files of commit %s: %w", short(s.Commit), t.err)
		}
	}
}
