package history

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// A Filter selects drafts. Its zero value selects all.
type Filter struct {
	Requirement  string    // drafts that have it, or had it earlier
	Verdict      string    // drafts in which that requirement, or any, has this verdict: one of the engine's words, or waived
	Since, Until time.Time // of their commits; zero: from the beginning, to the end
}

// wants reports whether a draft matches the requirement and the verdict.
func (f Filter) wants(d *record.Draft) bool {
	if f.Requirement == "" && f.Verdict == "" {
		return true
	}
	for i := range d.Requirements {
		q := &d.Requirements[i]
		if (f.Requirement == "" || q.Name == f.Requirement) && (f.Verdict == "" || shownVerdict(q) == f.Verdict) {
			return true
		}
	}
	return f.Verdict == "" && d.When.Change != nil && slices.ContainsFunc(d.When.Change.Verdicts, func(v record.VerdictChange) bool { return v.Name == f.Requirement })
}

func (f Filter) covers(e *state) bool {
	return e.flags.has(isWanted) && (f.Since.IsZero() || e.when >= f.Since.Unix()) && (f.Until.IsZero() || e.when < f.Until.Unix())
}

// choose marks the selected records. It returns how many belong to other branches, and how many selected ones have their commit outside this
// clone.
func (f Filter) choose(s *shelf, group []int32) (others, absent int) {
	for _, i := range group {
		switch e := &s.states[i]; {
		case e.place == placeElsewhere:
			others++
		case f.covers(e):
			e.flags |= isChosen
			if e.place == placeAbsent {
				absent++
			}
		}
	}
	return others, absent
}

// A Query asks for the history of a branch.
type Query struct {
	Repo     store.Repository
	Keys     record.Keys
	Commit   string // the branch is that of this commit, by first parents
	Contract string // its directory in the repository, or its name; empty: all
	Filter   Filter
	Here     string // the directory that Contract may be below of, in the repository; "." is its top

	// Check checks the draft that a contract's directory has in a commit. It is called for drafts without a record.
	Check func(ctx context.Context, commit, dir string) (*finding.Result, error)
}

// A History is the recorded history of a branch. Close it after use.
type History struct {
	commit   string
	contract string // as it was asked for
	filter   Filter
	drafts   int      // that were selected
	several  bool     // they are of several directories
	notices  []string // what the clone lacks, and what is left out

	repo   store.Repository
	rows   *rows  // of all records of its contracts, the latest first
	notes  *spool // of those that the filter wants
	single bool   // they are of the one contract that questions are about
	dirs   []string

	first, last time.Time // of those that were chosen
	check       func(ctx context.Context, commit, dir string) (*finding.Result, error)
}

// Find reads all records of a repository and selects those of the query. The caller closes the History.
func (q *Query) Find(ctx context.Context) (*History, error) {
	h := &History{commit: q.Commit, contract: q.Contract, filter: q.Filter, repo: q.Repo, check: q.Check}
	if err := q.find(ctx, h); err != nil {
		_ = h.Close() // its contents are useless now
		return nil, err
	}
	return h, nil
}

func (q *Query) find(ctx context.Context, h *History) (err error) {
	if h.notes, err = newSpool(); err != nil {
		return err
	}
	s, err := gather(ctx, q.Repo, &reader{keys: q.Keys, only: q.Filter}, h.notes)
	if err != nil {
		return err
	}
	return errors.Join(q.choose(ctx, s, h), s.Close())
}

// Empty reports whether no draft was selected.
func (h *History) Empty() bool { return h.drafts == 0 }

// Close removes the temporary files.
func (h *History) Close() error {
	var err error
	if h.notes != nil {
		err = h.notes.Close()
	}
	if h.rows != nil {
		err = errors.Join(err, h.rows.Close())
	}
	return err
}

// choose sorts the records and keeps those of the requested contracts.
func (q *Query) choose(ctx context.Context, s *shelf, h *History) error {
	b := &branch{repo: q.Repo, commit: q.Commit}
	if err := b.on(ctx, s); err != nil {
		return err
	}
	groups, err := q.pick(ctx, s, h)
	if err != nil {
		return err
	}
	others, absent := 0, 0
	for _, group := range groups {
		dirs := h.dirs
		if len(groups) > 1 {
			dirs = s.dirsOf(group)
		}
		notice, err := b.settle(ctx, s, group, dirs)
		if err != nil {
			return err
		}
		if notice != "" {
			s.notices = append(s.notices, notice)
		}
		o, a := q.Filter.choose(s, group)
		others, absent = others+o, absent+a
	}
	h.several, h.single = len(groups) > 1, len(groups) == 1
	h.notices = append(s.notices, h.lacks(ctx, s.count(), others, absent)...)
	var order []int32
	if h.single {
		order = groups[0]
	} else {
		order = slices.Concat(groups...)
		slices.SortFunc(order, s.later)
	}
	return h.keep(s, order)
}

// keep writes the selected rows in order, completed.
func (h *History) keep(s *shelf, order []int32) (err error) {
	if h.rows, err = newRows(s.words); err != nil {
		return err
	}
	s.found = nil
	at := make([]int32, s.count()) // new positions of rows
	for n, i := range order {
		at[i] = int32(n)
	}
	r := make(row, rowSize)
	for _, i := range order {
		e := s.states[i]
		if e.prior != none { // which is of the same contract
			e.prior = at[e.prior]
		}
		if err := s.at(i, r); err != nil {
			return err
		}
		r.settle(e)
		if err := h.rows.write(r); err != nil {
			return err
		}
		if !e.flags.has(isChosen) {
			continue
		}
		if h.first = r.date(); h.drafts == 0 {
			h.last = h.first
		}
		h.drafts++
	}
	return h.rows.flush()
}

// lacks returns notices about what the history leaves out, and why.
func (h *History) lacks(ctx context.Context, records, others, absent int) (notices []string) {
	if records == 0 {
		notices = append(notices, "There are no records in this clone. 'redline attest' makes them; git fetch origin 'refs/redline/*:refs/redline/*' brings those that are at origin.")
	}
	if others > 0 {
		notices = append(notices, counted(others, "record is", "records are")+" of other branches, and not told.")
	}
	if absent > 0 {
		notices = append(notices, "The commits of "+counted(absent, "record", "records")+" are not in this clone: whether they were on this branch can't be told from it.")
	}
	if h.repo.Shallow(ctx) {
		notices = append(notices, "This clone is shallow: of commits before its own it has the records only. 'git fetch --unshallow' brings them.")
	}
	return notices
}

// pick returns the requested contract's records, in all directories where it has been.
func (q *Query) pick(ctx context.Context, s *shelf, h *History) ([][]int32, error) {
	groups := s.contracts()
	if q.Contract == "" {
		if len(groups) == 1 {
			h.dirs = s.dirsOf(groups[0])
		}
		return groups, nil
	}
	dir := within(q.Here, q.Contract)
	by := []func() func(row) bool{
		func() func(row) bool { return func(r row) bool { return s.text[r.word(pathWord)] == dir } },
		func() func(row) bool { return func(r row) bool { return s.text[r.word(nameWord)] == q.Contract } },
		func() func(row) bool { return q.sameText(ctx, dir) },
	}
	for _, how := range by {
		is := how()
		for _, group := range groups {
			found, err := s.any(group, is)
			if err != nil {
				return nil, err
			}
			if found {
				if h.dirs = s.dirsOf(group); !slices.Contains(h.dirs, dir) {
					h.dirs = append([]string{dir}, h.dirs...)
				}
				return [][]int32{group}, nil
			}
		}
	}
	if len(groups) == 0 {
		h.dirs = []string{dir}
		return nil, nil
	}
	return nil, fmt.Errorf("no record is of a contract %s; there are records of %s", q.Contract, s.dirsOfAll(groups))
}

// sameText returns a predicate for the records of the directory's latest draft. It finds a contract that was moved and not recorded since.
func (q *Query) sameText(ctx context.Context, dir string) func(row) bool {
	last := ""
	err := q.Repo.Trail(ctx, q.Commit, []string{dir}, func(s store.Step) error { last = s.Tree; return nil })
	id := idOf(last)
	return func(r row) bool { return err == nil && last != "" && r.same(treeAt, id) }
}

func (s *shelf) dirsOfAll(groups [][]int32) *some {
	var all []string
	for _, g := range groups {
		all = append(all, s.dirsOf(g)...)
	}
	slices.Sort(all)
	list := &some{}
	for _, dir := range slices.Compact(all) {
		list.add(dir)
	}
	return list
}

// within returns a directory's path in the repository.
func within(here, dir string) string { return path.Join(here, filepath.ToSlash(dir)) }

// A draftEntry is a selected draft: its entry, and the parts of its record that are shown.
type draftEntry struct {
	*entry
	draft *record.Draft
}

// entries yields the entries of the drafts, latest first.
func (h *History) entries() iter.Seq2[*entry, error] {
	return func(yield func(*entry, error) bool) {
		if h.drafts == 0 {
			return
		}
		enough := errors.New("enough")
		err := h.rows.each(func(_ int32, r row) error {
			if r.flags().has(isChosen) && !yield(h.rows.unpack(r), nil) {
				return enough
			}
			return nil
		})
		if err != nil && err != enough {
			yield(nil, err)
		}
	}
}

// each calls each with the drafts, latest first. It stops at the first error.
func (h *History) each(ctx context.Context, each func(*draftEntry) error) error {
	var b []byte
	for e, err := range h.entries() {
		if err == nil {
			err = context.Cause(ctx)
		}
		if err == nil {
			b = slices.Grow(b[:0], e.size)[:e.size]
			err = h.notes.read(b, e.noted)
		}
		if err == nil {
			err = each(&draftEntry{e, noted(b)})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
