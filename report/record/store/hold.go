package store

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/report/record"
)

// texts compares records with the files in their trees and in their commits.
func (w *verifier) texts(ctx context.Context, all []*Card) error {
	if err := w.ownTexts(ctx, all); err != nil {
		return err
	}
	var ids []string
	for _, c := range all {
		ids = append(ids, c.Commit)
	}
	slices.Sort(ids)
	here, err := w.Repo.ExistingCommits(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	var some []*Card
	for _, c := range all {
		if here[c.Commit] {
			some = append(some, c)
		}
	}
	return w.committed(ctx, some)
}

// committed compares records with their commits, which are in this clone.
func (w *verifier) committed(ctx context.Context, all []*Card) error {
	var ids []string
	places := make([]place, len(all))
	for i, c := range all {
		ids, places[i] = append(ids, c.Commit), place{c.Commit, c.path}
	}
	drafts, err := w.Repo.texts(ctx, places)
	if err != nil {
		return err
	}
	slices.Sort(ids)
	commits, err := w.Repo.commits(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	for i, c := range all {
		if drafts[i].err != nil {
			w.about(c, Unsettled, "the files of its commit: %v", drafts[i].err)
		} else if drafts[i].tree != c.tree {
			w.about(c, misplaced, "commit %s has another draft of %s", short(c.Commit), c.path)
		}
	}
	return w.statements(ctx, all, func(c *Card, s *record.Statement) {
		if s.Draft().Commit != commits[c.Commit] {
			w.about(c, misplaced, "commit %s has another author, date or message than it says", short(c.Commit))
		}
	})
}

// statements reads records again, because a book does not keep their statements, and passes each to each.
func (w *verifier) statements(ctx context.Context, all []*Card, each func(*Card, *record.Statement)) error {
	names := make([]Name, len(all))
	for i, c := range all {
		names[i] = c.Name
	}
	i := 0
	return w.Repo.Read(ctx, names, func(f ReadResult) error {
		if f.Record == nil {
			return fmt.Errorf("%s has changed in the meantime: %w", f.Ref, f.Wrong)
		}
		each(all[i], f.Record.Statement)
		i++
		return nil
	})
}

// ownTexts compares records with the files in their own trees.
func (w *verifier) ownTexts(ctx context.Context, all []*Card) error {
	var ids, blobs []string
	for _, c := range all {
		ids = append(ids, c.tree)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	list, err := w.Repo.trees(ctx, ids)
	if err != nil {
		return err
	}
	trees := map[string]text{}
	for i, t := range list {
		trees[ids[i]] = t
		for _, f := range t.files {
			blobs = append(blobs, f.id)
		}
	}
	slices.Sort(blobs)
	sums, err := w.Repo.digests(ctx, slices.Compact(blobs))
	if err != nil {
		return err
	}
	return w.statements(ctx, all, func(c *Card, s *record.Statement) {
		t := trees[c.tree]
		have, err := subjects(c.path, t.files, sums)
		switch {
		case t.err != nil:
			w.about(c, Unsettled, "its tree: %v", t.err)
		case t.tree != c.tree:
			w.about(c, misplaced, "its tree has other things than a contract's files")
		case err != nil:
			w.about(c, Unsettled, "%v", err)
		case !slices.Equal(have, s.Files()):
			w.about(c, misplaced, "its files are not those whose digests it has")
		}
	})
}

// A meant has a record's statements about its draft's model.
type modelClaim struct {
	card        *Card
	model, tool string
	by          reading
}

// reading identifies everything that a model depends on.
type reading struct{ tree, dir, firing string }

// batchOf limits how many drafts are in memory at once.
const batchOf = 256

// meanings compiles each draft again and compares the digest of its model with the record's.
func (w *verifier) meanings(ctx context.Context, all []*Card) error {
	var list []modelClaim
	err := w.statements(ctx, all, func(c *Card, s *record.Statement) {
		if d := s.Draft(); d.Terms.Values == w.Values {
			list = append(list, modelClaim{c, d.Model, d.Tool, reading{c.tree, c.path, d.Terms.Firing}})
		} else {
			w.about(c, Unsettled, "its contract was given values that are not given now (--var, --var-file), so that its model can't be composed")
		}
	})
	if err != nil {
		return err
	}
	slices.SortStableFunc(list, func(a, b modelClaim) int { return cmp.Compare(a.by.tree, b.by.tree) })
	for some := range slices.Chunk(list, batchOf) {
		models, err := w.models(ctx, some)
		if err != nil {
			return err
		}
		for _, m := range some {
			if model := models[m.by]; model != lacking && model != m.model {
				w.about(m.card, misplaced, "its files mean something else than it says: the digest of their model is %s%s", orNone(model), w.other(m.tool))
			}
		}
	}
	return nil
}

// models compiles each distinct reading once and returns the digests of the models.
func (w *verifier) models(ctx context.Context, some []modelClaim) (map[reading]string, error) {
	var trees []string
	for _, m := range some {
		trees = append(trees, m.by.tree)
	}
	files, err := w.Repo.contents(ctx, slices.Compact(trees))
	if err != nil {
		return nil, err
	}
	models := map[reading]string{}
	for _, m := range some {
		models[m.by] = lacking
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(w.Reading.Budget.Jobs, 1))
	for by := range maps.Clone(models) {
		if files[by.tree] == nil {
			continue
		}
		group.Go(func() error {
			d, err := w.under(by.firing).draft(files[by.tree], by.dir)
			mu.Lock()
			defer mu.Unlock()
			if err != nil { // file names are untrusted, so this is no failure of ours
				models[by] = "unreadable (" + err.Error() + ")"
			} else {
				models[by] = d.Digest
			}
			return context.Cause(ctx)
		})
	}
	return models, group.Wait()
}

// lacking replaces the digest of a model whose files are not all in this clone.
const lacking = "lacking"

func orNone(s string) string { return cmp.Or(s, "none, for they are ill-formed") }

// other returns the remark that another version made a record, or "".
func (w *verifier) other(tool string) string {
	if tool == w.Tool {
		return ""
	}
	return fmt.Sprintf(" (as this version %s composes it; it was recorded by %s)", w.Tool, tool)
}

// under returns how to read a draft recorded under a firing rule.
func (w *verifier) under(firing string) Reading {
	h := w.Reading
	h.Rule = ruleNamed(firing)
	return h
}
