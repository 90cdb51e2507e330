package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record"
)

// Trouble is a kind of thing that is wrong with records.
type Trouble uint8

const (
	Unsettled  Trouble = iota // it can't be told: something is not in this clone, or was not given, or a limit was reached
	Unrecorded                // a draft of the branch has no record
	Damaged                   // what is at a ref is no record
	Missing                   // a record is not there that another one, or a note, names
	Replaced                  // another one is there than the one that is named
	Misplaced                 // a record speaks of a draft that the commit, or its own tree, does not have
	Unproven                  // it is not signed by a key that is accepted
	Refuted                   // checked again, the draft comes to something else
)

func (t Trouble) String() string {
	return [...]string{"unsettled", "unrecorded", "damaged", "missing", "replaced", "misplaced", "unproven", "refuted"}[t]
}

// A Problem is what is wrong with one record, or with a draft that should have one.
type Problem struct {
	Kind   Trouble
	Path   string // the contract's directory; empty where nobody knows
	Commit string // likewise
	Ref    string // the record, or empty
	What   string
}

// Covered says which record a draft of the verified commit has.
type Covered struct {
	Path string
	Card *Card // nil: none
	On   bool  // its commit is on the branch; else it was found by content
}

// A Report is what verifying found.
type Report struct {
	Commit   string    // that was verified; empty: single records were
	Drafts   []Covered // the contracts of that commit, in order of their paths
	Records  int       // that were looked at
	Accepted int       // of these, signed by a key that is listed
	Problems []Problem // in order of what they are about
}

// A Verification holds records to what is in the repository.
type Verification struct {
	Repo    Repository
	Keys    record.Keys
	Reading Reading                                    // values that contracts were given, and jobs
	Values  string                                     // the digest of the values, as in Terms
	Tool    string                                     // this program's version
	Recheck func(record.Terms) (finding.Budget, error) // the limits to check again under; nil: nothing is checked again
}

// Commit verifies the records of a repository, and that each contract of a commit has one.
func (v *Verification) Commit(ctx context.Context, commit string, paths []string) (*Report, error) {
	w, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	w.report.Commit = commit
	if err := w.cover(ctx, commit, paths); err != nil {
		return nil, err
	}
	for _, f := range w.book.Damaged {
		w.problem(Problem{Damaged, "", "", f.Ref, f.Wrong.Error()})
	}
	if err := w.notes(ctx); err != nil {
		return nil, err
	}
	var again []*Card
	for _, d := range w.report.Drafts {
		if d.Card != nil {
			again = append(again, d.Card)
		}
	}
	return w.cards(ctx, w.book.Cards, again)
}

// Some verifies single records, and those before them.
func (v *Verification) Some(ctx context.Context, refs []string) (*Report, error) {
	w, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	var again, all []*Card
	for _, ref := range refs {
		c := w.book.At(ref)
		if c == nil {
			w.damagedOrMissing(ref)
			continue
		}
		again = append(again, c)
		for ; c != nil && !slices.Contains(all, c); c = w.book.At(c.before()) {
			all = append(all, c)
		}
	}
	return w.cards(ctx, all, again)
}

func (w *verifying) damagedOrMissing(ref string) {
	for _, f := range w.book.Damaged {
		if f.Ref == ref {
			w.problem(Problem{Damaged, "", "", ref, f.Wrong.Error()})
			return
		}
	}
	w.problem(Problem{Missing, "", "", ref, "there is no such record in this clone"})
}

// verifying is a Verification under way.
type verifying struct {
	*Verification
	book    *Book
	report  *Report
	damaged map[string]bool // refs that are there and are no records
}

func (v *Verification) begin(ctx context.Context) (*verifying, error) {
	book, err := v.Repo.Book(ctx, v.Keys)
	if err != nil {
		return nil, err
	}
	w := &verifying{v, book, &Report{}, map[string]bool{}}
	for _, f := range book.Damaged {
		w.damaged[f.Ref] = true
	}
	return w, nil
}

func (w *verifying) problem(p Problem) { w.report.Problems = append(w.report.Problems, p) }

// about is a problem with a record.
func (w *verifying) about(c *Card, t Trouble, format string, args ...any) {
	w.problem(Problem{t, c.Path, c.Commit, c.Ref, fmt.Sprintf(format, args...)})
}

// cover finds the record of each contract of a commit: the last one on the branch, if it is of this text; else one of this text whose
// commit is not on the branch, for it was squashed or rebased.
func (w *verifying) cover(ctx context.Context, commit string, paths []string) error {
	line, err := w.Repo.Line(ctx, commit)
	if err != nil {
		return err
	}
	places := make([]place, len(paths))
	for i, p := range paths {
		places[i] = place{commit, p}
	}
	drafts, err := w.Repo.texts(ctx, places)
	if err != nil {
		return err
	}
	for i, path := range paths {
		if drafts[i].err != nil {
			w.problem(Problem{Unsettled, path, commit, "", "its files: " + drafts[i].err.Error()})
			continue
		}
		d := w.covered(path, drafts[i].tree, line, paths)
		if d.Card == nil {
			w.problem(Problem{Unrecorded, path, commit, "", "no record is of this draft"})
		}
		w.report.Drafts = append(w.report.Drafts, d)
	}
	return nil
}

func (w *verifying) covered(path, tree string, line Line, paths []string) Covered {
	for _, at := range append([]string{path}, w.movedFrom(tree, paths)...) {
		for _, c := range nearest(w.book.byPath[at], line, counts) {
			if c.Tree == tree {
				return Covered{path, c, true}
			}
		}
	}
	var found []*Card
	for _, c := range w.book.Cards {
		if c.Counts && c.Tree == tree && !line.Has(c.Commit) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return Covered{Path: path}
	}
	slices.SortFunc(found, latest)
	return Covered{path, found[0], false}
}

// movedFrom are the directories that had a contract of this text, and have none now.
func (w *verifying) movedFrom(tree string, paths []string) (list []string) {
	for _, c := range w.book.Cards {
		if c.Tree == tree && !slices.Contains(paths, c.Path) && !slices.Contains(list, c.Path) {
			list = append(list, c.Path)
		}
	}
	return list
}

// notes holds the records to the notes.
func (w *verifying) notes(ctx context.Context) error {
	noted, odd, err := w.Repo.Notes(ctx)
	if errors.Is(err, errNoNotes) {
		w.problem(Problem{Damaged, "", "", NotesRef, err.Error() + "; 'git update-ref -d " + NotesRef + "' and 'redline attest --index' write them anew"})
		return nil
	}
	if errors.Is(err, errElsewhere) || ctx.Err() == nil && err != nil {
		w.problem(Problem{Unsettled, "", "", NotesRef, err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	for _, commit := range odd {
		w.problem(Problem{Damaged, "", commit, NotesRef, fmt.Sprintf("the note of commit %s has lines that are not redline's", short(commit))})
	}
	for _, n := range noted {
		c := w.book.At(n.Ref)
		switch {
		case c == nil && !w.damaged[n.Ref]:
			w.problem(Problem{Missing, "", n.Commit, n.Ref, fmt.Sprintf("the note of commit %s names it, and it is not here", short(n.Commit))})
		case c != nil && c.Digest != n.Digest:
			w.about(c, Replaced, "the note of commit %s names another record of this name", short(n.Commit))
		case c != nil && c.Commit != n.Commit:
			w.about(c, Misplaced, "the note of commit %s names it", short(n.Commit))
		}
	}
	return nil
}

// cards verifies records, and checks some of them again.
func (w *verifying) cards(ctx context.Context, all, again []*Card) (*Report, error) {
	for _, c := range all {
		w.report.Records++
		w.signed(c)
		w.chained(c)
	}
	if err := w.texts(ctx, all); err != nil {
		return nil, err
	}
	if err := w.meanings(ctx, all); err != nil {
		return nil, err
	}
	if w.Recheck != nil {
		for _, c := range again {
			if err := w.recheck(ctx, c); err != nil {
				return nil, err
			}
		}
	}
	slices.SortStableFunc(w.report.Problems, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Ref, b.Ref), cmp.Compare(a.Kind, b.Kind))
	})
	return w.report, nil
}

// signed holds a record to the keys.
func (w *verifying) signed(c *Card) {
	if c.Signed == record.Accepted {
		w.report.Accepted++
	}
	switch {
	case c.Signed == record.Forged:
		w.about(c, Unproven, "its signature is not by the key of %s, as it says", c.By)
	case c.Counts, w.resigned(c):
	case c.Signed == record.OutOfTime:
		w.about(c, Unproven, "it is signed by the key of %s after its last day", c.By)
	case c.Signed == record.Unlisted:
		w.about(c, Unproven, "it is signed by a key that is not listed (%s)", short(c.KeyID))
	default:
		w.about(c, Unproven, "it is not signed, and keys are listed")
	}
}

// resigned reports whether another record says the same of the same draft and counts: so records of a key that is withdrawn, or that were
// made before any was listed, can be signed anew.
func (w *verifying) resigned(c *Card) bool {
	return slices.ContainsFunc(w.book.byPath[c.Path], func(d *Card) bool {
		return d.Counts && d.Commit == c.Commit && d.Tree == c.Tree && d.Finding == c.Finding
	})
}

// chained holds a record to the one before it.
func (w *verifying) chained(c *Card) {
	p := c.Previous
	if p == nil {
		return
	}
	before := w.book.At(p.Record)
	switch {
	case before == nil && w.damaged[p.Record]: // which is said
	case before == nil:
		w.problem(Problem{Missing, p.Path, p.Commit, p.Record, fmt.Sprintf("the record %s follows it, and it is not here (git object %s)", c.Ref, c.Parent)})
	case before.Digest != p.Digest || before.Object != c.Parent:
		w.about(before, Replaced, "the record %s follows another one of this name (%s, git object %s)", c.Ref, p.Digest, c.Parent)
	case before.Commit != p.Commit || before.Path != p.Path:
		w.about(c, Misplaced, "it names the commit or the path of the record before it wrongly")
	}
}

// Find is the record that a text names: by its ref, or by the beginning of either of its digests, eight digits at least. Empty: none,
// or several.
func (r Repository) Find(ctx context.Context, text string) (ref string, several bool, err error) {
	if record.IsRef(text) {
		return text, false, nil
	}
	if len(text) < 8 || strings.Trim(text, "0123456789abcdef/") != "" {
		return "", false, nil
	}
	for n, err := range r.Names(ctx) {
		if err != nil {
			return "", false, err
		}
		rest := strings.TrimPrefix(n.Ref, record.Refs)
		digest, run, _ := strings.Cut(rest, "/")
		if strings.HasPrefix(rest, text) || strings.HasPrefix(digest, text) || strings.HasPrefix(run, text) {
			if ref != "" {
				return "", true, nil
			}
			ref = n.Ref
		}
	}
	return ref, false, nil
}
