package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// A logged is an entry of the log as git keeps it: a commit without files, whose message is the entry's text. Its parents are the entry
// before it and the records that it names, so that what it names stays in the repository whatever happens to the refs.
type logged struct {
	*log.Entry
	Name
	digest  string
	parents []string
}

// before returns the git object of the entry before.
func (e *logged) before() string {
	if e.Position == 0 {
		return ""
	}
	return e.parents[0]
}

// objects returns the git objects of the records that the entry names.
func (e *logged) objects() []string { return e.parents[min(e.Position, 1):] }

// records has the log of a repository as far as it is here.
type records struct {
	entries []*logged    // in order of their positions, of which some may be absent
	damaged []ReadResult // refs below log.Refs that hold no entry
}

const entrySubject = "redline log"

// entryCommit returns the bytes of an entry's commit. It depends on nothing but the entry, the object format, and its parents.
func entryCommit(e *log.Entry, digits int, parents []string) []byte {
	b := fmt.Appendf(nil, "tree %s\n", treeID(nil, digits))
	for _, p := range parents {
		b = fmt.Appendf(b, "parent %s\n", p)
	}
	for _, who := range []string{"author", "committer"} {
		b = fmt.Appendf(b, "%s %s 0 +0000\n", who, ident)
	}
	return append(fmt.Appendf(b, "\n%s\n\n", entrySubject), e.Encode()...)
}

// parseEntry reads the commit of an entry, and refuses anything that redline would not have written there.
func parseEntry(n Name, raw []byte) (*logged, error) {
	if got := objectID(len(n.Object), raw); got != n.Object {
		return nil, fmt.Errorf("the object was changed in place: its name says %s, its content %s", short(n.Object), short(got))
	}
	head, text, ok := strings.Cut(string(raw), "\n\n"+entrySubject+"\n\n")
	if !ok {
		return nil, errors.New("it is no entry of a log")
	}
	entry, err := log.Parse(text)
	if err != nil {
		return nil, err
	}
	e := &logged{Entry: entry, Name: n, digest: record.Sum([]byte(text))}
	for one := range strings.SplitSeq(head, "\n") {
		if id, ok := strings.CutPrefix(one, "parent "); ok {
			e.parents = append(e.parents, id)
		}
	}
	switch {
	case n.Ref != e.Entry.Ref():
		return nil, fmt.Errorf("it does not belong there: it is the entry at position %d", e.Position)
	case len(e.parents) != len(e.Records)+min(e.Position, 1) || string(entryCommit(entry, len(n.Object), e.parents)) != string(raw):
		return nil, errors.New("its commit is not as redline writes it")
	}
	return e, nil
}

// log reads all entries of the log.
func (r Repository) log(ctx context.Context) (*records, error) {
	l := &records{}
	err := r.entries(ctx, func(e *logged, wrong ReadResult) error {
		if e == nil {
			l.damaged = append(l.damaged, wrong)
		} else {
			l.entries = append(l.entries, e)
		}
		return nil
	})
	slices.SortFunc(l.entries, func(a, b *logged) int { return cmp.Compare(a.Position, b.Position) })
	return l, err
}

// entries calls each with the entries of the log, in order of their refs, or, where e is nil, with a ref that has none, and why.
func (r Repository) entries(ctx context.Context, each func(e *logged, wrong ReadResult) error) error {
	var ids []string
	return inParts(r.refsBelow(ctx, log.Refs), maxAsked, func(names []Name) error {
		if len(names) == 0 {
			return nil
		}
		ids = ids[:0]
		for _, n := range names {
			ids = append(ids, n.Object)
		}
		return r.objects(ctx, ids, func(i int, o object) error {
			e, wrong, err := entryOf(names[i], o)
			if err != nil {
				return err
			}
			return each(e, ReadResult{Name: names[i], Wrong: wrong})
		})
	})
}

// entryOf reads an entry from git. wrong says why the object is none; err is a failure to read it.
func entryOf(n Name, o object) (e *logged, wrong, err error) {
	switch _, ok := log.Position(n.Ref); {
	case !ok:
		return nil, errors.New("its name is no position of the log"), nil
	case o.missing:
		return nil, fmt.Errorf("object %s is not in this clone", short(n.Object)), nil
	case o.kind != "commit" || o.size > record.MaxSize:
		return nil, fmt.Errorf("it is a %s of %d bytes, and no entry of a log", o.kind, o.size), nil
	}
	raw, err := io.ReadAll(o.body)
	if err != nil {
		return nil, nil, err
	}
	e, wrong = parseEntry(n, raw)
	return e, wrong, nil
}

// last returns the last entry, or nil for a log without any.
func (l *records) last() *logged {
	if len(l.entries) == 0 {
		return nil
	}
	return l.entries[len(l.entries)-1]
}

// broken returns an error if the log can't be extended: an entry is absent, or does not follow the one before it.
func (l *records) broken() error {
	const more = "'redline verify' says more"
	for i, e := range l.entries {
		if e.Position != i {
			return fmt.Errorf("position %d of the log is not here, and position %d is: %s", i, e.Position, more)
		}
		if i > 0 && (e.Previous != l.entries[i-1].digest || e.before() != l.entries[i-1].Object) {
			return fmt.Errorf("position %d of the log does not follow the one before it: %s", i, more)
		}
	}
	for _, d := range l.damaged {
		if n, ok := log.Position(d.Ref); ok && n <= len(l.entries) {
			return fmt.Errorf("what is at %s is no entry of the log: %w", d.Ref, d.Wrong)
		}
	}
	return nil
}

// begins reports whether an entry names a commit as the first one of a branch.
func (l *records) begins(commit string) bool {
	return slices.ContainsFunc(l.entries, func(e *logged) bool { return e.First == commit })
}

// has returns, as a set, the refs of the records that entries name.
func (l *records) has() map[string]bool {
	all := map[string]bool{}
	for _, e := range l.entries {
		for _, r := range e.Records {
			all[r.Ref] = true
		}
	}
	return all
}

// ErrNoLog is returned where there is no log.
var ErrNoLog = errors.New("there is no log of records here: 'redline attest' begins one, and 'git fetch origin \"refs/redline/*:refs/redline/*\"' brings one")

// Checkpoint returns a checkpoint of the log as it is here. It returns ErrNoLog if there is none, and another error if it is broken.
func (r Repository) Checkpoint(ctx context.Context) (*log.Checkpoint, error) {
	l, err := r.log(ctx)
	if err != nil {
		return nil, err
	}
	if len(l.entries) == 0 {
		return nil, ErrNoLog
	}
	if err := l.broken(); err != nil {
		return nil, err
	}
	var t log.Tree
	for _, e := range l.entries {
		t.Add(e.Encode())
	}
	return &log.Checkpoint{Identity: l.identity(), Size: len(l.entries), Root: t.Root()}, nil
}

// identity returns the log's identity: the digest of its first entry, in hexadecimal digits. It is empty if that entry is not here.
func (l *records) identity() string {
	if len(l.entries) == 0 || l.entries[0].Position != 0 {
		return ""
	}
	return strings.TrimPrefix(l.entries[0].digest, "sha256:")
}

// writeEntry writes an entry's commit, without a ref.
func (r Repository) writeEntry(ctx context.Context, e *log.Entry, parents []string, digits int) (*logged, error) {
	raw := entryCommit(e, digits, parents)
	id, err := line(ctx, r.local(ctx, "hash-object", "-t", "commit", "-w", "--stdin"), raw)
	if err != nil {
		return nil, fmt.Errorf("writing entry %d of the log: %w", e.Position, err)
	}
	return &logged{Entry: e, Name: Name{e.Ref(), id}, digest: e.Digest(), parents: parents}, nil
}
