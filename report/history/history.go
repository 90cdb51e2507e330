package history

import (
	"context"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/report/record"
)

// A Filter chooses drafts. Its zero value chooses all.
type Filter struct {
	Requirement  string    // drafts that have it, or have had it up to then
	Verdict      string    // drafts in which that requirement, or any, has this verdict: one of the engine's words, or Waived
	Since, Until time.Time // of their commits; zero: from the beginning, to the end
}

// wants holds a draft to the requirement and the verdict.
func (f Filter) wants(d *record.Draft) bool {
	if f.Requirement == "" && f.Verdict == "" {
		return true
	}
	for i := range d.Requirements {
		q := &d.Requirements[i]
		if (f.Requirement == "" || q.Name == f.Requirement) && (f.Verdict == "" || told(q) == f.Verdict) {
			return true
		}
	}
	return f.Verdict == "" && d.When.Change != nil && slices.ContainsFunc(d.When.Change.Verdicts, func(v record.VerdictChange) bool { return v.Name == f.Requirement })
}

func (f Filter) covers(e *Entry) bool {
	return e.wanted && (f.Since.IsZero() || !e.When.Before(f.Since)) && (f.Until.IsZero() || e.When.Before(f.Until))
}

// A Query is what is to be told.
type Query struct {
	Repo     record.Repository
	Keys     record.Keys
	Commit   string // the branch is that of this commit, by first parents
	Contract string // its directory in the repository, or its name; empty: all
	Filter   Filter
	Here     string // the directory that Contract may be below of, in the repository; "." is its top

	// Check finds out about the draft that a contract's directory has in a commit, where nobody has recorded it.
	Check func(ctx context.Context, commit, dir string) (*engine.Result, error)
}

// A History is what records tell of a branch.
type History struct {
	Commit   string
	Contract string // as it was asked for
	Filter   Filter
	Entries  []*Entry // that were chosen, the latest first
	Several  bool     // they are of several directories
	Notices  []string // what the clone lacks, and what is left out

	repo     record.Repository
	branch   *branch
	contract []*Entry // all of the one contract that questions are about
	dirs     []string
	check    func(ctx context.Context, commit, dir string) (*engine.Result, error)
}

// Find reads the records of a repository and chooses those that are asked for.
func (q *Query) Find(ctx context.Context) (*History, error) {
	h := &History{Commit: q.Commit, Contract: q.Contract, Filter: q.Filter, repo: q.Repo, branch: &branch{repo: q.Repo, commit: q.Commit}, check: q.Check}
	lined := make(chan error, 1)
	go func() { // while records are read
		var err error
		h.branch.line, err = q.Repo.Line(ctx, q.Commit)
		lined <- err
	}()
	s, err := gather(ctx, q.Repo, &reader{keys: q.Keys, only: q.Filter})
	if failed := <-lined; err == nil {
		err = failed
	}
	if err != nil {
		return nil, err
	}
	groups, err := q.pick(ctx, s.contracts(), h)
	if err != nil {
		return nil, err
	}
	others := 0
	for _, group := range groups {
		dirs := h.dirs
		if len(groups) > 1 {
			dirs = dirsOf(group)
		}
		notice, err := h.branch.settle(ctx, group, dirs)
		if err != nil {
			return nil, err
		}
		if notice != "" {
			s.notices = append(s.notices, notice)
		}
		for _, e := range group {
			if e.Place == Elsewhere {
				others++
			} else if q.Filter.covers(e) {
				h.Entries = append(h.Entries, e)
			}
		}
	}
	slices.SortFunc(h.Entries, later)
	h.Several = len(groups) > 1
	h.Notices = append(s.notices, h.lacks(ctx, len(s.entries), others)...)
	return h, nil
}

// lacks says what is not told, and why.
func (h *History) lacks(ctx context.Context, records, others int) (notices []string) {
	if records == 0 {
		notices = append(notices, "There are no records in this clone. 'redline attest' makes them; git fetch origin 'refs/redline/*:refs/redline/*' brings those that are at origin.")
	}
	if others > 0 {
		notices = append(notices, counted(others, "record is", "records are")+" of other branches, and not told.")
	}
	absent := 0
	for _, e := range h.Entries {
		if e.Place == Absent {
			absent++
		}
	}
	if absent > 0 {
		notices = append(notices, "The commits of "+counted(absent, "record", "records")+" are not in this clone: whether they were on this branch can't be told from it.")
	}
	if h.branch.repo.Shallow(ctx) {
		notices = append(notices, "This clone is shallow: of commits before its own it has the records only. 'git fetch --unshallow' brings them.")
	}
	return notices
}

// pick chooses the contract that is asked for, with all the directories where it has been.
func (q *Query) pick(ctx context.Context, groups [][]*Entry, h *History) ([][]*Entry, error) {
	if q.Contract == "" {
		if len(groups) == 1 {
			h.contract = groups[0]
			h.dirs = dirsOf(groups[0])
		}
		return groups, nil
	}
	dir := within(q.Here, q.Contract)
	by := []func() func(*Entry) bool{
		func() func(*Entry) bool { return func(e *Entry) bool { return e.Path == dir } },
		func() func(*Entry) bool { return func(e *Entry) bool { return e.Contract == q.Contract } },
		func() func(*Entry) bool { return q.sameText(ctx, dir) },
	}
	for _, how := range by {
		is := how()
		for _, group := range groups {
			if slices.ContainsFunc(group, is) {
				h.contract, h.dirs = group, dirsOf(group)
				if !slices.Contains(h.dirs, dir) {
					h.dirs = append([]string{dir}, h.dirs...)
				}
				return [][]*Entry{group}, nil
			}
		}
	}
	if len(groups) == 0 {
		h.dirs = []string{dir}
		return nil, nil
	}
	return nil, fmt.Errorf("no record is of a contract %s; there are records of %s", q.Contract, listed(dirsOfAll(groups)))
}

// sameText finds a contract that was moved, and not recorded since.
func (q *Query) sameText(ctx context.Context, dir string) func(*Entry) bool {
	steps, err := q.Repo.Trail(ctx, q.Commit, []string{dir})
	if err != nil || len(steps) == 0 {
		return func(*Entry) bool { return false }
	}
	last := steps[len(steps)-1]
	return func(e *Entry) bool { return last.Tree != "" && e.tree == last.Tree }
}

func dirsOfAll(groups [][]*Entry) (all []string) {
	for _, g := range groups {
		all = append(all, dirsOf(g)...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// within is a directory as the repository calls it.
func within(here, dir string) string { return path.Join(here, filepath.ToSlash(dir)) }

// Told is a draft that is being told: what is kept of it, and all that its record says.
type Told struct {
	*Entry
	Draft *record.Draft
	First bool // no record is before it
	News  bool // its waivers are not those of the record before it
}

// Each tells the drafts one after the other, the latest first.
func (h *History) Each(ctx context.Context, each func(*Told) error) error {
	names := make([]record.Name, len(h.Entries))
	for i, e := range h.Entries {
		names[i] = e.Name
	}
	i := 0
	return h.repo.Again(ctx, names, func(f record.Found) error {
		if f.Record == nil {
			return fmt.Errorf("%s has changed in the meantime: %w", f.Ref, f.Wrong)
		}
		e := h.Entries[i]
		i++
		return each(&Told{e, f.Record.Draft(), e.first, e.prior == nil && e.waivers != 0 || e.prior != nil && e.prior.waivers != e.waivers})
	})
}
