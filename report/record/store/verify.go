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
	"github.com/redlinehq/redline/report/record/log"
)

// trouble is a kind of problem with records.
type trouble uint8

const (
	Unsettled  trouble = iota // not decidable: something is not in this clone, or was not given, or a limit was reached
	unrecorded                // a draft of the branch has no record
	damaged                   // the object at a ref is not a record
	missing                   // a record that another one, or a note, names does not exist
	replaced                  // a record differs from the one that is named
	misplaced                 // a record describes a draft that the commit, or its own tree, does not have
	unproven                  // it is not signed by a key that is accepted
	refuted                   // checking the draft again gives another result
)

func (t trouble) String() string {
	return [...]string{"unsettled", "unrecorded", "damaged", "missing", "replaced", "misplaced", "unproven", "refuted"}[t]
}

// A problem is a problem with one record, or a draft without one.
type problem struct {
	Kind   trouble
	Path   string // the contract's directory; empty where unknown
	Commit string // likewise
	Ref    string // the record, or empty
	What   string
}

// covered pairs a contract of the verified commit with its record.
type covered struct {
	Path string
	Card *Card // nil: none
	On   bool  // the record's commit is on the branch; otherwise it was found by content
}

// A Report is the result of verifying records.
type Report struct {
	Commit   string    // that was verified; empty: single records were
	Drafts   []covered // the contracts of that commit, in order of their paths
	Records  int       // that were looked at
	Accepted int       // of these, signed by a key that is listed
	Problems []problem // in order of path, record and kind
	Entries  int       // of the log
	Notices  []string  // remarks that are no problems
}

// A Verification checks records against the repository.
type Verification struct {
	Repo    Repository
	Keys    record.Keys
	Reading Reading                                    // values that contracts were given, and jobs
	Values  string                                     // the digest of the values, as in Terms
	Tool    string                                     // this program's version
	Recheck func(record.Terms) (finding.Budget, error) // the limits for checking drafts again; nil: none is

	Checkpoints []log.Found // that the log has to extend
	LeftOut     []string    // contracts of the commit that the settings leave out
}

// commit verifies all records of the repository, and that each contract of a commit has one. paths are the contracts' directories.
func (v *Verification) Commit(ctx context.Context, commit string, paths []string) (*Report, error) {
	w, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	w.report.Commit = commit
	line, err := w.Repo.line(ctx, commit)
	if err != nil {
		return nil, err
	}
	paths = slices.Concat(paths, w.leftOut())
	if err := w.cover(ctx, commit, line, paths); err != nil {
		return nil, err
	}
	for _, f := range w.book.damaged {
		w.problem(problem{damaged, "", "", f.Ref, f.Wrong.Error()})
	}
	w.report.Entries = len(w.book.log.entries)
	if err := w.logs(ctx, commit, line); err != nil {
		return nil, err
	}
	if err := cmp.Or(w.vanished(ctx, commit), w.gaps(ctx, commit, paths)); errors.Is(err, errElsewhere) && ctx.Err() == nil {
		w.notice("Whether a file of keys was taken away, and which drafts in between have no record, is not known: %v", err)
	} else if err != nil {
		return nil, err
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
	return w.cards(ctx, w.book.cards, again)
}

// Some verifies the records at refs, and those before them.
func (v *Verification) Some(ctx context.Context, refs []string) (*Report, error) {
	w, err := v.begin(ctx)
	if err != nil {
		return nil, err
	}
	var again, all []*Card
	for _, ref := range refs {
		c := w.book.at(ref)
		if c == nil {
			w.damagedOrMissing(ref)
			continue
		}
		again = append(again, c)
		for ; c != nil && !slices.Contains(all, c); c = w.book.at(c.before()) {
			all = append(all, c)
		}
	}
	return w.cards(ctx, all, again)
}

func (w *verifier) damagedOrMissing(ref string) {
	for _, f := range w.book.damaged {
		if f.Ref == ref {
			w.problem(problem{damaged, "", "", ref, f.Wrong.Error()})
			return
		}
	}
	w.problem(problem{missing, "", "", ref, "there is no such record in this clone"})
}

// verifier is the state of a running Verification.
type verifier struct {
	*Verification
	book    *book
	report  *Report
	damaged map[string]bool // refs that exist and are not records
}

func (v *Verification) begin(ctx context.Context) (*verifier, error) {
	book, err := v.Repo.book(ctx, v.Keys)
	if err != nil {
		return nil, err
	}
	w := &verifier{v, book, &Report{}, map[string]bool{}}
	for _, f := range book.damaged {
		w.damaged[f.Ref] = true
	}
	return w, nil
}

func (w *verifier) problem(p problem) { w.report.Problems = append(w.report.Problems, p) }

// about reports a problem with a record.
func (w *verifier) about(c *Card, t trouble, format string, args ...any) {
	w.problem(problem{t, c.path, c.Commit, c.Ref, fmt.Sprintf(format, args...)})
}

// cover finds the record of each contract of a commit: the last one on the branch if it has the same files, or else one with the same files
// whose commit is not on the branch because it was squashed or rebased.
func (w *verifier) cover(ctx context.Context, commit string, line ancestry, paths []string) error {
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
			w.problem(problem{Unsettled, path, commit, "", "its files: " + drafts[i].err.Error()})
			continue
		}
		d := w.covered(path, drafts[i].tree, line, paths)
		if d.Card == nil {
			said := "no record is of this draft; 'redline attest' makes one"
			if slices.ContainsFunc(w.book.cards, func(c *Card) bool { return c.tree == drafts[i].tree }) {
				said = "no record of this draft counts"
			}
			w.problem(problem{unrecorded, path, commit, "", said})
		}
		w.report.Drafts = append(w.report.Drafts, d)
	}
	return nil
}

func (w *verifier) covered(path, tree string, line ancestry, paths []string) covered {
	for _, at := range append([]string{path}, w.movedFrom(tree, paths)...) {
		for _, c := range nearest(w.book.byPath[at], line, counts) {
			if c.tree == tree {
				return covered{path, c, true}
			}
		}
	}
	var found []*Card
	for _, c := range w.book.cards {
		if c.counts && c.tree == tree && !line.has(c.Commit) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		return covered{Path: path}
	}
	slices.SortFunc(found, latest)
	return covered{path, found[0], false}
}

// movedFrom returns the directories that had a contract with the same files and have none now.
func (w *verifier) movedFrom(tree string, paths []string) (list []string) {
	for _, c := range w.book.cards {
		if c.tree == tree && !slices.Contains(paths, c.path) && !slices.Contains(list, c.path) {
			list = append(list, c.path)
		}
	}
	return list
}

// notes compares the records with the notes.
func (w *verifier) notes(ctx context.Context) error {
	noted, odd, err := w.Repo.notes(ctx)
	if errors.Is(err, errNoNotes) {
		w.problem(problem{damaged, "", "", notesRef, err.Error() + "; 'git update-ref -d " + notesRef + "' and 'redline attest --index' write them anew"})
		return nil
	}
	if errors.Is(err, errElsewhere) || ctx.Err() == nil && err != nil {
		w.problem(problem{Unsettled, "", "", notesRef, err.Error()})
		return nil
	}
	if err != nil {
		return err
	}
	for _, commit := range odd {
		w.problem(problem{damaged, "", commit, notesRef, fmt.Sprintf("the note of commit %s has lines that are not redline's", short(commit))})
	}
	for _, n := range noted {
		c := w.book.at(n.ref)
		switch {
		case c == nil && !w.damaged[n.ref]:
			w.problem(problem{missing, "", n.commit, n.ref, fmt.Sprintf("the note of commit %s names it, and it is not here", short(n.commit))})
		case c != nil && c.digest != n.digest:
			w.about(c, replaced, "the note of commit %s names another record of this name", short(n.commit))
		case c != nil && c.Commit != n.commit:
			w.about(c, misplaced, "the note of commit %s names it", short(n.commit))
		}
	}
	return nil
}

// leftOut returns the contracts that the settings leave out and that have records: leaving one out does not hide that its draft has none.
func (w *verifier) leftOut() []string {
	if len(w.LeftOut) > 0 {
		w.notice("The settings leave out, and records need not be there of: %s.", strings.Join(w.LeftOut, ", "))
	}
	return slices.DeleteFunc(slices.Clone(w.LeftOut), func(path string) bool { return len(w.book.byPath[path]) == 0 })
}

// cards verifies all, and checks the drafts of again once more if Recheck is set.
func (w *verifier) cards(ctx context.Context, all, again []*Card) (*Report, error) {
	w.checkpoints()
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
	slices.SortStableFunc(w.report.Problems, func(a, b problem) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Ref, b.Ref), cmp.Compare(a.Kind, b.Kind))
	})
	return w.report, nil
}

// signed reports a record whose signature does not count.
func (w *verifier) signed(c *Card) {
	if c.Signed == record.Accepted {
		w.report.Accepted++
	}
	switch {
	case c.Signed == record.Forged:
		w.about(c, unproven, "its signature is not by the key of %s, as it says", c.By)
	case c.counts, w.resigned(c):
	case c.Signed == record.OutOfTime:
		w.about(c, unproven, "it is signed by the key of %s after its last day", c.By)
	case c.Signed == record.OutOfPlace:
		w.about(c, unproven, "%s", w.outOfPlace(c))
	case c.Signed == record.Unlisted:
		w.about(c, unproven, "it is signed by a key that is not listed (%s)", short(c.Key))
	default:
		w.about(c, unproven, "it is not signed, and keys are listed")
	}
}

// outOfPlace says why the key of a record is not valid at its position of the log.
func (w *verifier) outOfPlace(c *Card) string {
	v, at := w.Keys[c.Key], cmp.Or(c.position, len(w.book.log.entries))
	if v.Within(at) {
		return fmt.Sprintf("it is signed by the key of %s after its last day: position %d of the log comes after a record that was made later than %s, whatever day it says itself", c.By, at, v.Until)
	}
	return fmt.Sprintf("it is signed by the key of %s, which is not valid at position %d of the log (from=%d to=%d)", c.By, at, v.From, v.To)
}

// resigned reports whether a record that counts has the same findings about the same draft. This allows records of a withdrawn key, or from
// before any key was listed, to be signed again.
func (w *verifier) resigned(c *Card) bool {
	return slices.ContainsFunc(w.book.byPath[c.path], func(d *Card) bool {
		return d.counts && d.Commit == c.Commit && d.tree == c.tree && d.finding == c.finding
	})
}

// chained compares a record with the one before it.
func (w *verifier) chained(c *Card) {
	p := c.previous
	if p == nil {
		return
	}
	before := w.book.at(p.Record)
	switch {
	case before == nil && w.damaged[p.Record]: // already reported
	case before == nil:
		w.problem(problem{missing, p.Path, p.Commit, p.Record, fmt.Sprintf("the record %s follows it, and it is not here (git object %s)", c.Ref, c.parent)})
	case before.digest != p.Digest || before.Object != c.parent:
		w.about(before, replaced, "the record %s follows another one of this name (%s, git object %s)", c.Ref, p.Digest, c.parent)
	case before.Commit != p.Commit || before.path != p.Path:
		w.about(c, misplaced, "it names the commit or the path of the record before it wrongly")
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
	for n, err := range r.names(ctx) {
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
