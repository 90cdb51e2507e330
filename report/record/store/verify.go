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

// Trouble is a kind of problem with records.
type Trouble uint8

const (
	Unsettled  Trouble = iota // not decidable: something is not in this clone, or was not given, or a limit was reached
	Unrecorded                // a draft of the branch has no record
	Damaged                   // the object at a ref is not a record
	Missing                   // a record that another one, or a note, names does not exist
	Replaced                  // a record differs from the one that is named
	Misplaced                 // a record describes a draft that the commit, or its own tree, does not have
	Unproven                  // it is not signed by a key that is accepted
	Refuted                   // checking the draft again gives another result
)

func (t Trouble) String() string {
	return [...]string{"unsettled", "unrecorded", "damaged", "missing", "replaced", "misplaced", "unproven", "refuted"}[t]
}

// A Problem is a problem with one record, or a draft without one.
type Problem struct {
	Kind   Trouble
	Path   string // the contract's directory; empty where unknown
	Commit string // likewise
	Ref    string // the record, or empty
	What   string
}

// Covered pairs a contract of the verified commit with its record.
type Covered struct {
	Path string
	Card *Card // nil: none
	On   bool  // the record's commit is on the branch; otherwise it was found by content
}

// A Report is the result of verifying records.
type Report struct {
	Commit   string    // that was verified; empty: single records were
	Drafts   []Covered // the contracts of that commit, in order of their paths
	Records  int       // that were looked at
	Accepted int       // of these, signed by a key that is listed
	Problems []Problem // in order of path, record and kind
}

// A Verification checks records against the repository.
type Verification struct {
	Repo    Repository
	Keys    record.Keys
	Reading Reading                                    // values that contracts were given, and jobs
	Values  string                                     // the digest of the values, as in Terms
	Tool    string                                     // this program's version
	Recheck func(record.Terms) (finding.Budget, error) // the limits for checking drafts again; nil: none is
}

// Commit verifies all records of the repository, and that each contract of a commit has one. paths are the contracts' directories.
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

// Some verifies the records at refs, and those before them.
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

// verifying is the state of a running Verification.
type verifying struct {
	*Verification
	book    *Book
	report  *Report
	damaged map[string]bool // refs that exist and are not records
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

// about reports a problem with a record.
func (w *verifying) about(c *Card, t Trouble, format string, args ...any) {
	w.problem(Problem{t, c.Path, c.Commit, c.Ref, fmt.Sprintf(format, args...)})
}

// cover finds the record of each contract of a commit: the last one on the branch if it has the same files, or else one with the same files
// whose commit is not on the branch because it was squashed or rebased.
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

// movedFrom returns the directories that had a contract with the same files and have none now.
func (w *verifying) movedFrom(tree string, paths []string) (list []string) {
	for _, c := range w.book.Cards {
		if c.Tree == tree && !slices.Contains(paths, c.Path) && !slices.Contains(list, c.Path) {
			list = append(list, c.Path)
		}
	}
	return list
}

// notes compares the records with the notes.
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

// cards verifies all, and checks the drafts of again once more if Recheck is set.
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

// signed reports a record whose signature does not count.
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

// resigned reports whether a record that counts has the same findings about the same draft. This allows records of a withdrawn key, or from
// before any key was listed, to be signed again.
func (w *verifying) resigned(c *Card) bool {
	return slices.ContainsFunc(w.book.byPath[c.Path], func(d *Card) bool {
		return d.Counts && d.Commit == c.Commit && d.Tree == c.Tree && d.Finding == c.Finding
	})
}

// chained compares a record with the one before it.
func (w *verifying) chained(c *Card) {
	p := c.Previous
	if p == nil {
		return
	}
	before := w.book.At(p.Record)
	switch {
	case before == nil && w.damaged[p.Record]: // already reported
	case before == nil:
		w.problem(Problem{Missing, p.Path, p.Commit, p.Record, fmt.Sprintf("the record %s follows it, and it is not here (git object %s)", c.Ref, c.Parent)})
	case before.Digest != p.Digest || before.Object != c.Parent:
		w.about(before, Replaced, "the record %s follows another one of this name (%s, git object %s)", c.Ref, p.Digest, c.Parent)
	case before.Commit != p.Commit || before.Path != p.Path:
		w.about(c, Misplaced, "it names the commit or the path of the record before it wrongly")
	}
}

// Find returns the ref of the record that text identifies: its ref, or the beginning of either of its digests, at least eight digits. ref is
// empty if there is none or several.
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
