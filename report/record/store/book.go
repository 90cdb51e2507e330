package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// A Card is a record in a book, with what is needed to find and verify it.
type Card struct {
	Name
	tree, parent   string // as in Record
	digest         string // of the statement
	finding        string // Statement.Finding
	path, contract string // the contract's directory, and its own name
	Commit         string
	attested       string
	Result         string
	previous       *record.Previous
	Signature
	counts   bool // Keys.Accepts, or a record that counts names it as the one before
	log      *record.LogHead
	position int  // in the log; 0: it is in no entry
	early    bool // it was made before there was a log
}

// A book indexes all records of a repository.
type book struct {
	cards   []*Card      // in order of their refs
	damaged []ReadResult // refs below Refs that are not records
	byRef   map[string]*Card
	byPath  map[string][]*Card
	log     *records
}

// book reads all records and checks their signatures against keys.
func (r Repository) book(ctx context.Context, keys record.Keys) (*book, error) {
	b := &book{byRef: map[string]*Card{}, byPath: map[string][]*Card{}}
	err := r.each(ctx, func(f ReadResult) error {
		if f.Record == nil {
			b.damaged = append(b.damaged, f)
		} else {
			b.add(cardOf(f.Record, keys))
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if b.log, err = r.log(ctx); err != nil {
		return nil, err
	}
	b.place(keys)
	b.vouch()
	return b, nil
}

// place determines the position of each record in the log, and whether its key was valid there. A record that is in no entry is judged as if it
// came next.
func (b *book) place(keys record.Keys) {
	var list []*Card
	early := true
	for _, e := range b.log.entries {
		for _, r := range e.Records {
			if early = early && r.Before; b.at(r.Ref) == nil || b.at(r.Ref).position > 0 {
				continue
			}
			c := b.at(r.Ref)
			c.position, c.early = e.Position, early
			list = append(list, c)
		}
	}
	by := &Judge{Keys: keys}
	for _, c := range list {
		c.Signed = by.At(c.position, c.early, &c.Signature)
	}
	for _, c := range b.cards {
		if c.position == 0 {
			c.Signed = by.UnloggedStatus(len(b.log.entries), &c.Signature)
		}
		c.counts = keys.Accepts(c.Signed)
	}
}

// vouch marks unsigned records as counting if a record that counts follows them: that one's signature covers their digests.
func (b *book) vouch() {
	for _, c := range b.cards {
		for c != nil && c.counts {
			before := b.at(c.before())
			if before == nil || before.counts || before.Signed != record.Unsigned || before.digest != c.previous.Digest {
				break
			}
			before.counts = true
			c = before
		}
	}
}

func cardOf(r *Record, keys record.Keys) *Card {
	d := r.Draft()
	c := &Card{Name: Name{r.Ref, r.Object}, tree: r.Tree, parent: r.Parent, digest: r.Digest(), finding: r.Statement.Finding(),
		path: d.Path, contract: d.Name, Commit: d.Commit.ID, attested: d.When.Attested, Result: r.Statement.Predicate.Result, Signature: SignatureOf(keys, r)}
	if p := d.When.Previous; p != nil {
		c.previous = &record.Previous{Record: strings.Clone(p.Record), Digest: strings.Clone(p.Digest), Commit: strings.Clone(p.Commit), Path: strings.Clone(p.Path)}
	}
	for _, s := range []*string{&c.tree, &c.parent, &c.path, &c.contract, &c.Commit, &c.attested, &c.Result, &c.Key, &c.Day} {
		*s = strings.Clone(*s) // drops the rest of the record's text
	}
	if h := d.When.Log; h != nil {
		c.log = &record.LogHead{Size: h.Size, Entry: strings.Clone(h.Entry)}
	}
	return c
}

func (b *book) add(c *Card) {
	b.cards = append(b.cards, c)
	b.byRef[c.Ref] = c
	b.byPath[c.path] = append(b.byPath[c.path], c)
}

// at returns the record at a ref, or nil.
func (b *book) at(ref string) *Card { return b.byRef[ref] }

// A ancestry is a commit and its ancestors by first parents: the branch as it was at each moment.
type ancestry struct {
	at    map[commitID]int32
	first string // the earliest one, as far as the clone has them
}

// A commitID is a commit's id in binary. Both of git's object formats fit.
type commitID [sha256.Size]byte

func idOf(commit string) (id commitID) {
	if record.IsCommit(commit) {
		_, _ = hex.Decode(id[:], []byte(commit))
	}
	return id
}

// FirstParents yields a commit and its ancestors by first parents, latest first, as far as the clone has them.
func (r Repository) FirstParents(ctx context.Context, commit string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for id, err := range lines(ctx, r.local(ctx, "rev-list", "--first-parent", "--end-of-options", commit, "--")) {
			if err != nil {
				err = fmt.Errorf("following the branch from %s: %w", short(commit), err)
			}
			if !yield(id, err) {
				return
			}
		}
	}
}

// line returns the FirstParents of a commit as a set.
func (r Repository) line(ctx context.Context, commit string) (ancestry, error) {
	l := ancestry{at: map[commitID]int32{}}
	for id, err := range r.FirstParents(ctx, commit) {
		if err != nil {
			return ancestry{}, err
		}
		l.at[idOf(id)], l.first = int32(len(l.at)), id
	}
	return l, nil
}

// place returns how many commits of the line are later. It returns false if the commit is not on the line, as far as the clone has it.
func (l ancestry) place(commit string) (int, bool) {
	i, ok := l.at[idOf(commit)]
	return int(i), ok && record.IsCommit(commit)
}

// has reports whether a commit is on the line, as far as the clone has it.
func (l ancestry) has(commit string) bool { _, ok := l.place(commit); return ok }

// nearest returns the records that take accepts at the latest commit of the line that has any, the last one made first.
func nearest(cards []*Card, l ancestry, take func(*Card) bool) []*Card {
	var best []*Card
	at := len(l.at)
	for _, c := range cards {
		switch i, ok := l.place(c.Commit); {
		case !ok || i > at || !take(c):
		case i < at:
			at, best = i, []*Card{c}
		default:
			best = append(best, c)
		}
	}
	slices.SortFunc(best, latest)
	return best
}

// counts and unsigned select records.
func counts(c *Card) bool   { return c.counts }
func unsigned(c *Card) bool { return c.Signed == record.Unsigned }

// latest orders records, last one first: a record before the one it follows, otherwise by time.
func latest(a, b *Card) int {
	switch {
	case a.before() == b.Ref:
		return -1
	case b.before() == a.Ref:
		return 1
	}
	return cmp.Or(cmp.Compare(b.attested, a.attested), cmp.Compare(a.Ref, b.Ref))
}

// Shallow reports whether the clone is shallow. It returns false if git fails.
func (r Repository) Shallow(ctx context.Context) bool {
	out, err := line(ctx, r.local(ctx, "rev-parse", "--is-shallow-repository"), nil)
	return err == nil && out == "true"
}

// touching returns the commits of a branch that change a directory, latest first.
func (r Repository) touching(ctx context.Context, commit, dir string) ([]string, error) {
	cmd := r.local(ctx, "rev-list", "--first-parent", "--end-of-options", commit, "--", dir)
	cmd.Env = append(cmd.Env, "GIT_LITERAL_PATHSPECS=1")
	out, err := run(ctx, cmd, nil)
	return strings.Fields(out), err
}

// of returns the nearest records of a contract on a line: those of its directory, or else those of a contract of the same name in a
// directory that has none now. is reports whether a directory has a contract now.
func (b *book) of(path, name string, l ancestry, take func(*Card) bool, is func(path string) bool) []*Card {
	if found := nearest(b.byPath[path], l, take); found != nil || name == "" {
		return found
	}
	var moved []*Card
	for _, c := range b.cards {
		if c.contract == name && !is(c.path) {
			moved = append(moved, c)
		}
	}
	return nearest(moved, l, take)
}
