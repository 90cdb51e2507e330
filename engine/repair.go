package engine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/edit"
)

// What would repair a new violation. A remedy is an edit of head. It is shown only if it has been checked
// in full, as a draft like any other, and against base: nothing else may become worse.

const (
	maxRepairs  = 3  // shown of one violation
	maxRemedies = 60 // checked, of one contract
)

// A remedy is an edit of head that may repair.
type remedy struct {
	what   string
	undone set // what it takes back; nil: it does something else
	edits  []edit.Splice
	strict bool // it may bring no warning that neither draft has
}

// A mending finds repairs of the new violations of one contract.
type mending struct {
	*trial
	review  *ContractReview
	text    edit.Text // of head
	reading *edit.Reading
	spent   int                  // states and arcs
	meant   map[string]string    // digests, by edits; empty: what comes of them means nothing new
	checked map[string]*remedied // by digest; nil: it means nothing, or is beyond the budget
}

// remedied is a draft to which a remedy leads, compared with base. Most remedies are of no use, which verdicts show; the rest is found out
// where they do not.
type remedied struct {
	verdicts *ContractReview        // of requirements alone; nil: there are none
	whole    func() *ContractReview // nil where something is left open
}

func (t *trial) mending(c *ContractReview) *mending {
	return &mending{trial: t, review: c, text: t.head.text(), reading: t.diff.Head(),
		meant: map[string]string{}, checked: map[string]*remedied{}}
}

// repairs are the remedies of one violation that survive, best first: those that take back what is to
// blame, then those that change something else.
func (m *mending) repairs(ctx context.Context, s *search) []Repair {
	shown := map[string]bool{}
	undone := m.surviving(ctx, s.finding, s.undoing(ctx), maxRepairs, shown)
	if len(undone) == 0 {
		undone = m.surviving(ctx, s.finding, m.leastUndone(ctx, s), 1, shown)
	}
	other := m.surviving(ctx, s.finding, slices.Concat(m.guards(s), m.swaps(s)), 1, shown)
	if len(other) > 0 {
		undone = undone[:min(len(undone), maxRepairs-1)]
	}
	return append(undone, other...)
}

// surviving are the first so many of some remedies that repair a finding; shown are the digests of what is
// shown already.
func (m *mending) surviving(ctx context.Context, f *Finding, list []remedy, enough int, shown map[string]bool) []Repair {
	var out []Repair
	for _, r := range list {
		if len(out) == enough {
			break
		}
		digest := m.try(ctx, r)
		if !shown[digest] && m.mends(f, digest, r.strict) {
			shown[digest] = true
			m.confirm(func() edit.Text { return m.text.Splice(r.edits) }, digest)
			out = append(out, m.repair(r))
		}
	}
	return out
}

func (m *mending) repair(r remedy) Repair {
	out := Repair{What: r.what}
	for _, s := range m.text.Around(m.text.Lines(r.edits), 3) { // as a reader, and git apply, take them
		out.Edits = append(out.Edits, Edit{Range: m.head.shown(s.Range), Old: s.Old, New: s.New})
	}
	return out
}

// try checks a remedy in full, unless something that means the same has been; it returns the digest.
func (m *mending) try(ctx context.Context, r remedy) string {
	if len(r.edits) == 0 || ctx.Err() != nil {
		return ""
	}
	key := fmt.Sprintf("%q", r.edits)
	if digest, known := m.meant[key]; known {
		return digest
	}
	m.meant[key] = m.check(ctx, r)
	return m.meant[key]
}

// check is try of what has not been tried.
func (m *mending) check(ctx context.Context, r remedy) string {
	draft := sync.OnceValue(func() *Draft { return m.head.redraft(m.text.Splice(r.edits)) })
	type said struct{ digest, remarks string }
	what := recall(ctx, m.commons, m.key("remedy", r.what+r.undone.key()), func() said {
		return said{draft().means(), draft().remarks()}
	})
	if what.digest == "" || what.digest == m.head.unnamed {
		return ""
	}
	if _, known := m.checked[what.digest]; known || len(m.checked) >= maxRemedies || m.spent >= maxWork {
		return what.digest
	}
	type found struct {
		review *ContractReview
		work   int
	}
	of := func(kind string, whole bool) found {
		return recall(ctx, m.commons, func() string { return kind + what.digest + "\n" + what.remarks }, func() found {
			review, work := m.sorted(ctx, draft(), whole)
			return found{review, work}
		})
	}
	now := of("verdicts of remedied ", false)
	m.spent += now.work
	m.checked[what.digest] = &remedied{verdicts: now.review, whole: sync.OnceValue(func() *ContractReview { return of("remedied ", true).review })}
	return what.digest
}

// sorted is what a review would say of another draft in place of head, and what that takes; of the requirements alone, unless it is the whole.
func (m *mending) sorted(ctx context.Context, d *Draft, whole bool) (*ContractReview, int) {
	if m.isBase(d) {
		d = m.base
	}
	amended := amend(m.base, d)
	f := m.found(ctx, d, amended, whole)
	c := &ContractReview{Base: m.review.Base, Head: f.result}
	if c.Head.Model.Incomplete != "" {
		return nil, workOf(c.Head)
	}
	back := amended.reversed(d)
	sorting := sorting{review: c, base: m.listed, head: f.listed, draft: d, amended: amended, back: back, asked: f.asked, before: m.before(ctx, back), budget: m.budget}
	sorting.requirements(ctx)
	sorting.dropped(ctx)
	if whole {
		sorting.completion(ctx)
		sorting.checks(ctx)
	}
	return c, workOf(c.Head)
}

// isBase reports whether a draft means and remarks what base does, of which all is known.
func (m *mending) isBase(d *Draft) bool {
	return m.listed != nil && d.unnamed == m.base.unnamed && d.remarks() == m.base.remarks()
}

// found is what is found out about a draft on states one by one.
func (m *mending) found(ctx context.Context, d *Draft, amended *amendment, whole bool) foundOut {
	if d == m.base {
		return foundOut{draft: d, result: m.review.Base, asked: &answers{}, listed: m.listed}
	}
	ctx, cancel := m.budget.within(ctx)
	defer cancel()
	d = d.recallingTexts(amended.texts())
	f := d.begin(amended)
	if g := m.explore(ctx, d, f.result); g != nil {
		f.listed = listing(d, g, m.budget.Memory)
		if whole {
			f.listed.judged(ctx, f, m.budget)
		} else {
			f.listed.verdicts(ctx, f, m.budget)
		}
	}
	f.result.finish(d)
	return f
}

// before is what base says to the wordings of another draft in place of head. Where its states were not looked at one by one, it says nothing.
func (m *mending) before(ctx context.Context, back *amendment) *answers {
	if m.listed == nil {
		a := m.base.ask(back)
		a.unknown("base was not asked")
		return a
	}
	a := m.listed.ask(back)
	m.listed.verdictOfAll(ctx, a.formulas, a.Requirements, m.budget)
	a.Completion, _ = m.listed.completion(ctx, a.final, a.finalText, a.asker)
	return a
}

// mends reports whether a finding is repaired in what was checked, and nothing else is worse than on head.
func (m *mending) mends(f *Finding, digest string, strict bool) bool {
	r := m.checked[digest]
	if r == nil || r.verdicts == nil || !m.better(f, r.verdicts) {
		return false
	}
	c := r.whole()
	return c != nil && m.better(f, c) && noWorse(m.review, c, strict)
}

// better reports whether a finding is repaired in a review, and no other finding is worse than on head.
func (m *mending) better(f *Finding, c *ContractReview) bool {
	before := map[findingKey]*Finding{}
	for i := range m.review.Findings {
		before[m.review.Findings[i].key()] = &m.review.Findings[i]
	}
	for i := range c.Findings {
		now := &c.Findings[i]
		was := before[now.key()]
		if now.worse(was) || now.key() == f.key() && !now.mended(f) || now.emptier(was) {
			return false
		}
	}
	return true
}

// A findingKey says what a finding is about.
type findingKey struct {
	name, subject string
	old           bool
}

func (f *Finding) key() findingKey {
	if f.Check != nil {
		return findingKey{f.Name, f.Check.Subject, false}
	}
	return findingKey{f.Name, "requirement", f.Old}
}

// worse reports whether a finding objects to more than what was found on head.
func (f *Finding) worse(head *Finding) bool {
	return f.bad() && (head == nil || !head.bad() || head.Kind == Standing && f.Kind != Standing)
}

// mended reports whether nothing is left of a finding on head: a new way to violate what base violates, too, may leave the others.
func (f *Finding) mended(head *Finding) bool {
	return !f.bad() || f.Kind == Standing && head.Way != nil && head.Way.New
}

// bad reports whether a finding says that something is violated or not known.
func (f *Finding) bad() bool {
	switch f.Kind {
	case Kept, Repaired, Dropped, Waived:
		return false
	}
	return true
}

// emptier reports whether a promise is kept only vacuously, and was not so before the amendment or in it.
func (f *Finding) emptier(head *Finding) bool {
	vacuous := func(q *Requirement) bool { return q != nil && len(q.Vacuous) > 0 }
	return vacuous(f.Head) && !vacuous(f.Base) && (head == nil || !vacuous(head.Head))
}

// noWorse compares what is remarked on. Where it is not strict, what takes changes back may leave
// something useless; else nothing may be remarked on that is not so of either draft.
func noWorse(was, now *ContractReview, strict bool) bool {
	for _, d := range now.Head.Diagnostics {
		if d.Accepted != "" || !strict && d.Class == codes.Warning {
			continue
		}
		known := func(e Diagnostic) bool { return e.Code == d.Code && e.Subject == d.Subject && e.Accepted == "" }
		if !slices.ContainsFunc(was.Head.Diagnostics, known) && !slices.ContainsFunc(was.Base.Diagnostics, known) {
			return false
		}
	}
	return true
}

// undoing lists ways to take back what is to blame: one block, all of them; and all that would bring the
// violation about without those. First come those that leave nothing useless.
func (s *search) undoing(ctx context.Context) []remedy {
	var list []remedy
	blamed := s.among(s.made)
	for _, k := range blamed {
		list = append(list, s.undo(s.of(k, s.made)))
	}
	if len(blamed) > 1 {
		list = append(list, s.undo(s.made))
	}
	if all := s.causes(ctx); !slices.Equal(all, s.made) {
		list = append(list, s.undo(all))
	}
	strict := slices.Clone(list)
	for i := range strict {
		strict[i].strict = true
	}
	return append(strict, list...)
}

// of is the part of a set that is changes of one culprit.
func (s *search) of(k int, made set) set {
	out := make(set, len(made))
	for _, i := range s.all[k].changes {
		out[i] = made[i]
	}
	return out
}

// causes adds to what is to blame what brings the violation about without it, as far as that is a few
// times so.
func (s *search) causes(ctx context.Context) set {
	all := slices.Clone(s.made)
	for range maxRepairs {
		var rest []int
		for k, c := range s.all {
			if !slices.ContainsFunc(c.changes, func(i int) bool { return all[i] }) {
				rest = append(rest, k)
			}
		}
		if s.one(ctx, s.q, s.set(rest)) != present {
			break
		}
		found, _ := s.halves(ctx, rest)
		for _, k := range found {
			put(all, s.all[k].changes, true)
		}
	}
	return all
}

// undo is the remedy that takes changes back.
func (s *search) undo(undone set) remedy {
	return remedy{what: s.sentence(undone), undone: undone, edits: s.diff.Undo(undone)}
}

// leastUndone takes the whole amendment back but for what can stay: block after block, those last that
// are to blame, then those that act.
func (m *mending) leastUndone(ctx context.Context, s *search) []remedy {
	every := make([]int, len(s.all))
	for k := range every {
		every[k] = k
	}
	undone := s.set(every)
	if !m.mends(s.finding, m.try(ctx, s.undo(undone)), true) {
		return nil
	}
	blamed := s.among(s.made)
	slices.SortStableFunc(every, func(a, b int) int {
		return cmp.Compare(slices.Index(blamed, a), slices.Index(blamed, b))
	})
	for _, k := range every {
		fewer := slices.Clone(undone)
		put(fewer, s.all[k].changes, false)
		if m.mends(s.finding, m.try(ctx, s.undo(fewer)), true) {
			undone = fewer
		}
	}
	return []remedy{s.undo(undone)}
}
