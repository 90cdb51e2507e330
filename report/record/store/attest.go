package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// An Attestation describes the records to make for one commit.
type Attestation struct {
	Repo    Repository
	Commit  string
	Drafts  []*compile.Draft  // of that commit
	Results []*finding.Result // result i is draft i's
	Reading Reading           // how the drafts were read and checked
	Terms   record.Terms
	Tool    string
	Key     *record.Key // that signs; nil: records stay unsigned
	Keys    record.Keys // that the repository accepts
	Now     time.Time
	Remote  string // where records are pushed to; empty: nowhere
}

// Kept is the record of a draft, new or existing.
type Kept struct {
	Path   string
	Ref    string
	object string
	digest string // of the statement
	Result string
	commit string // of the record
	New    bool
	before string // the ref of the previous record
}

// tries limits how often a step is tried again while others write at the same time. In each round one of them succeeds, so sixteen need at
// most sixteen rounds; the rest is margin.
const tries = 48

// errRaced reports that another process changed the same ref first.
var errRaced = errors.New("others are writing records at the same time")

// pause waits a random time, longer with each try. It returns an error if the context ends.
func pause(ctx context.Context, try int) error {
	longest := min(10*time.Millisecond<<min(try, 8), 2*time.Second)
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(rand.N(longest)):
		return nil
	}
}

// retried calls do until it returns anything but errRaced, at most tries times. The error after that wraps the last one.
func retried(ctx context.Context, do func() error) error {
	var err error
	for try := range tries {
		if err = do(); !errors.Is(err, errRaced) {
			return err
		}
		if late := pause(ctx, try); late != nil {
			return late
		}
	}
	return fmt.Errorf("given up after %d tries: %w", tries, err)
}

// Keep records every draft that has no equal record yet, enters it in the log, and returns the record of each. A record is written whole or not
// at all, here and at the remote; those of one commit are pushed together. Notices report why records are in no log yet.
func (a *Attestation) Keep(ctx context.Context) (kept []Kept, notices []string, err error) {
	statements, files, err := a.statements(ctx)
	if err != nil {
		return nil, nil, err
	}
	err = retried(ctx, func() error {
		kept, notices, err = a.once(ctx, statements, files)
		return err
	})
	if err != nil {
		return nil, nil, fmt.Errorf("recording the drafts of commit %s: %w", short(a.Commit), err)
	}
	return kept, notices, nil
}

// statements returns the statement of each draft, and the draft's files.
func (a *Attestation) statements(ctx context.Context) (list []*record.Statement, files []text, err error) {
	places := make([]place, len(a.Drafts))
	for i, d := range a.Drafts {
		places[i] = place{a.Commit, d.Path}
	}
	if files, err = a.Repo.texts(ctx, places); err != nil {
		return nil, nil, err
	}
	var ids []string
	for _, t := range files {
		for _, f := range t.files {
			ids = append(ids, f.id)
		}
	}
	slices.Sort(ids)
	sums, err := a.Repo.digests(ctx, slices.Compact(ids))
	if err != nil {
		return nil, nil, err
	}
	commits, err := a.Repo.commits(ctx, []string{a.Commit})
	if err != nil {
		return nil, nil, err
	}
	for i, d := range a.Drafts {
		if files[i].err != nil {
			return nil, nil, fmt.Errorf("contract %s: %w", d.Path, files[i].err)
		}
		about, err := subjects(d.Path, files[i].files, sums)
		if err != nil {
			return nil, nil, err
		}
		s, err := record.Made{Result: a.Results[i], Files: about, Commit: commits[a.Commit], Tool: a.Tool, Terms: a.Terms}.Statement()
		if err != nil {
			return nil, nil, err
		}
		list = append(list, s)
	}
	return list, files, nil
}

// once makes one try of Keep.
func (a *Attestation) once(ctx context.Context, statements []*record.Statement, files []text) (kept []Kept, notices []string, err error) {
	there := map[string]string{}
	if a.Remote != "" {
		if there, err = a.Repo.fetch(ctx, a.Remote); err != nil {
			return nil, nil, err
		}
	}
	p := &planner{Attestation: a}
	if p.book, err = a.Repo.book(ctx, a.Keys); err != nil {
		return nil, nil, err
	}
	if p.line, err = a.Repo.line(ctx, a.Commit); err != nil {
		return nil, nil, err
	}
	o, notice, err := p.open(ctx)
	if err != nil {
		return nil, nil, err
	}
	if notice != "" {
		notices = append(notices, notice)
	}
	p.head = o.head()
	kept = make([]Kept, len(statements))
	for i, s := range statements {
		if kept[i], err = p.keep(ctx, s, a.Drafts[i], files[i]); err != nil {
			return nil, nil, fmt.Errorf("contract %s: %w", a.Drafts[i].Path, err)
		}
	}
	return kept, notices, p.publish(ctx, o, kept, there)
}

// publish enters the records in the log, pushes what a remote lacks, and creates the refs of what is new.
func (p *planner) publish(ctx context.Context, o extension, kept []Kept, there map[string]string) error {
	sent, entries := []Name(nil), []Name(nil)
	take := func(*Card) bool { return true }
	if p.Remote != "" {
		sent, entries = p.book.unsentLog(there)
		sent = append(sent, p.book.unsent(kept, there)...)
		slices.SortFunc(sent, func(a, b Name) int { return cmp.Compare(a.Ref, b.Ref) })
		sent = slices.Compact(sent)
		take = func(c *Card) bool {
			_, found := slices.BinarySearchFunc(sent, c.Ref, func(n Name, ref string) int { return cmp.Compare(n.Ref, ref) })
			return found || there[c.Ref] != ""
		}
	}
	fresh, err := p.enter(ctx, o, p.entrants(o.last == nil, take, kept))
	if err != nil {
		return err
	}
	if p.Remote != "" {
		if err := p.Repo.push(ctx, p.Remote, slices.Concat(sent, entries, fresh)); err != nil {
			return err
		}
	}
	for _, k := range kept {
		if k.New {
			fresh = append(fresh, Name{k.Ref, k.object})
		}
	}
	return p.Repo.create(ctx, fresh)
}

// A planner determines which records are missing, and writes their objects, without refs yet.
type planner struct {
	*Attestation
	book *book
	line ancestry
	head *record.LogHead // of the log that the records are entered in
}

func (p *planner) keep(ctx context.Context, s *record.Statement, d *compile.Draft, t text) (Kept, error) {
	ref := s.Ref(p.Key.ID())
	if is := p.book.at(ref); is != nil {
		return keptAs(is), nil
	}
	for _, f := range p.book.damaged {
		if f.Ref == ref {
			return Kept{}, fmt.Errorf("what is at %s is not the record that was made there: %w", ref, f.Wrong)
		}
	}
	if k, err := p.restored(ctx, ref); err != nil {
		return Kept{}, err
	} else if k != nil {
		return *k, nil
	}
	before := p.before(s.Draft())
	for _, c := range before {
		if c.counts && c.finding == s.Finding() && c.tree == t.tree && (p.Key == nil || c.Key == p.Key.ID()) {
			return keptAs(c), nil
		}
	}
	if before == nil {
		var err error
		if before, err = p.rewritten(ctx, s.Draft()); err != nil {
			return Kept{}, err
		}
		if before == nil && len(p.book.byPath[s.Draft().Path]) > 0 && p.Repo.Shallow(ctx) {
			return Kept{}, errors.New("it has records, and this clone is too shallow to tell which is the one before this: set fetch-depth: 0 in actions/checkout, or run `git fetch --unshallow`")
		}
	}
	r, err := p.record(ctx, s, d, t, before)
	if err != nil {
		return Kept{}, err
	}
	k := Kept{Path: s.Draft().Path, Ref: ref, object: r.Object, digest: r.Digest(), Result: s.Predicate.Result, commit: p.Commit, New: true}
	if before != nil {
		k.before = before[0].Ref
	}
	return k, nil
}

// restored returns the record that the log names by that ref, though the ref is not here: what was taken away comes back as it was. It returns nil if
// the log has none of that name.
func (p *planner) restored(ctx context.Context, ref string) (k *Kept, err error) {
	for _, e := range p.book.log.entries {
		i := slices.IndexFunc(e.Records, func(r log.Entered) bool { return r.Ref == ref })
		if i < 0 {
			continue
		}
		err = p.Repo.Read(ctx, []Name{{ref, e.objects()[i]}}, func(f ReadResult) error {
			if f.Record == nil || f.Record.Digest() != e.Records[i].Digest {
				return fmt.Errorf("position %d of the log names a record at %s (git object %s), which is not here: %w", e.Position, ref, e.objects()[i], cmp.Or(f.Wrong, errElsewhere))
			}
			c := cardOf(f.Record, p.Keys)
			one := keptAs(c)
			one.New, k = true, &one
			return nil
		})
		return k, err
	}
	return nil, nil
}

func keptAs(c *Card) Kept {
	return Kept{Path: c.path, Ref: c.Ref, object: c.Object, digest: c.digest, Result: c.Result, commit: c.Commit, before: c.before()}
}

// before returns the records that precede a draft's on its branch. If none counts, because keys are listed only now, it returns the unsigned
// ones, for which the first signed record then vouches. After a signed one, unsigned ones are ignored.
func (p *planner) before(d *record.Draft) []*Card {
	is := func(path string) bool {
		return slices.ContainsFunc(p.Drafts, func(d *compile.Draft) bool { return d.Path == path })
	}
	if found := p.book.of(d.Path, d.Name, p.line, counts, is); found != nil {
		return found
	}
	return p.book.of(d.Path, d.Name, p.line, unsigned, is)
}

// rewritten returns the records of the nearest earlier draft whose commit is no longer on the branch because it was squashed or rebased.
func (p *planner) rewritten(ctx context.Context, d *record.Draft) ([]*Card, error) {
	elsewhere := map[string][]*Card{} // by tree
	for _, c := range p.book.byPath[d.Path] {
		if c.counts && !p.line.has(c.Commit) {
			elsewhere[c.tree] = append(elsewhere[c.tree], c)
		}
	}
	if len(elsewhere) == 0 {
		return nil, nil
	}
	touching, err := p.Repo.touching(ctx, p.Commit, d.Path)
	if err != nil {
		return nil, err
	}
	places := make([]place, len(touching))
	for i, c := range touching {
		places[i] = place{c, d.Path}
	}
	drafts, err := p.Repo.texts(ctx, places)
	if err != nil {
		return nil, err
	}
	for _, t := range drafts {
		if found := elsewhere[t.tree]; t.tree != "" && found != nil {
			slices.SortFunc(found, latest)
			return found, nil
		}
	}
	return nil, nil
}

// record writes the git object of a record, without a ref.
func (p *planner) record(ctx context.Context, s *record.Statement, d *compile.Draft, t text, before []*Card) (*Record, error) {
	r := &Record{Statement: s}
	s.Draft().When = record.When{Attested: p.Now.UTC().Format(time.RFC3339), Log: p.head}
	if before != nil {
		last := before[0]
		r.Parent = last.Object
		s.Draft().When.Previous = &record.Previous{Record: last.Ref, Digest: last.digest, Commit: last.Commit, Path: last.path}
		var err error
		if s.Draft().When.Change, err = p.against(ctx, last, d, s); err != nil {
			return nil, fmt.Errorf("what changed since %s: %w", last.Ref, err)
		}
	}
	var err error
	if r.Tree, err = p.Repo.keepTree(ctx, t.files); err != nil {
		return nil, fmt.Errorf("writing the tree of the record: %w", err)
	}
	raw, err := r.Sealed(p.Key)
	if err != nil {
		return nil, err
	}
	if r.Object, err = line(ctx, p.Repo.local(ctx, "hash-object", "-t", "commit", "-w", "--stdin"), raw); err != nil {
		return nil, fmt.Errorf("writing the record: %w", err)
	}
	return r, nil
}

func (p *planner) against(ctx context.Context, last *Card, d *compile.Draft, s *record.Statement) (c *record.Change, err error) {
	err = p.Repo.Read(ctx, []Name{last.Name}, func(f ReadResult) error {
		if f.Record == nil {
			return f.Wrong
		}
		c, err = p.Reading.change(ctx, p.Repo, f.Record, d, s)
		return err
	})
	return c, err
}
