package store

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// An entrant is a record that is to be entered in the log.
type entrant struct {
	log.Entered
	object string
}

// An extension says how the log is extended: not at all, or from which entry.
type extension struct {
	enters bool
	first  string  // the first commit of the branch, if no entry has it yet; of a log without entries, its first entry's
	last   *logged // nil: there is none yet
}

// open determines how records are entered. They stay pending where there is a remote that they are not pushed to, because the log is the
// remote's; and in a shallow clone where there is no log, because the first commit is not known. It returns a notice of the latter.
func (p *planner) open(ctx context.Context) (o extension, notice string, err error) {
	if err := p.book.log.broken(); err != nil {
		return o, "", err
	}
	o.last = p.book.log.last()
	if p.Remote == "" {
		remotes, err := line(ctx, p.Repo.local(ctx, "remote"), nil)
		if err != nil || remotes != "" {
			return o, "", err
		}
	}
	o.enters = true
	if p.book.log.begins(p.line.first) {
		return o, "", nil
	}
	if !p.Repo.Shallow(ctx) {
		o.first = p.line.first
	} else if o.last == nil {
		o.enters = false
		return o, "The records are kept, and in no log yet: this clone is too shallow to tell the first commit, with which the log begins. Set fetch-depth: 0 in actions/checkout, or run `git fetch --unshallow`.", nil
	}
	return o, "", nil
}

// head identifies the last entry of the log that records are made under: of the one that is about to begin, its first.
func (o extension) head() *record.LogHead {
	switch {
	case o.last != nil:
		return &record.LogHead{Size: o.last.Position + 1, Entry: o.last.digest}
	case o.enters:
		return &record.LogHead{Size: 1, Entry: log.Genesis(o.first).Digest()}
	}
	return nil
}

// enter writes the entries that name the records, after the last one, without refs.
func (p *planner) enter(ctx context.Context, o extension, list []entrant) ([]Name, error) {
	if !o.enters || len(list) == 0 {
		return nil, nil
	}
	var names []Name
	last := o.last
	if last == nil {
		if _, err := p.Repo.keepTree(ctx, nil); err != nil { // the tree of all entries
			return nil, err
		}
		var err error
		if last, err = p.Repo.writeEntry(ctx, log.Genesis(o.first), nil, len(p.Commit)); err != nil {
			return nil, err
		}
		names, o.first = append(names, last.Name), ""
	}
	for some := range slices.Chunk(list, log.Most) {
		e, parents := &log.Entry{Position: last.Position + 1, Previous: last.digest, First: o.first}, []string{last.Object}
		for _, r := range some {
			e.Records, parents = append(e.Records, r.Entered), append(parents, r.object)
		}
		var err error
		if last, err = p.Repo.writeEntry(ctx, e, parents, len(p.Commit)); err != nil {
			return nil, err
		}
		names, o.first = append(names, last.Name), ""
	}
	return names, nil
}

// entrants returns the records to enter: those of the book that are in no entry and that take accepts, each after the one that it follows, and
// then the new ones.
func (p *planner) entrants(begins bool, take func(*Card) bool, kept []Kept) (list []entrant) {
	done := p.book.log.has()
	add := func(ref, digest, object string, before bool) {
		if !done[ref] {
			done[ref] = true
			list = append(list, entrant{log.Entered{Ref: ref, Digest: digest, Before: before}, object})
		}
	}
	cards := slices.Clone(p.book.cards)
	slices.SortStableFunc(cards, func(a, b *Card) int { return cmp.Compare(a.attested, b.attested) })
	for _, c := range cards {
		var chain []*Card
		for c != nil && !done[c.Ref] && take(c) {
			chain = append(chain, c)
			before := p.book.at(c.before())
			if before != nil && before.digest != c.previous.Digest { // digests rule cycles out
				break
			}
			c = before
		}
		for _, c := range slices.Backward(chain) {
			add(c.Ref, c.digest, c.Object, begins)
		}
	}
	for _, k := range kept {
		if k.New {
			add(k.Ref, k.digest, k.object, false)
		}
	}
	return list
}

// unsentLog returns the entries that a remote lacks, and the records that they name.
func (b *book) unsentLog(there map[string]string) (records, entries []Name) {
	for _, e := range b.log.entries {
		if there[e.Name.Ref] != "" {
			continue
		}
		entries = append(entries, e.Name)
		for _, r := range e.Records {
			if c := b.at(r.Ref); c != nil && there[r.Ref] == "" {
				records = append(records, c.Name)
			}
		}
	}
	return records, entries
}
