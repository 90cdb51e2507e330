package blame

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/edit"
)

// This file looks for repairs of new violations. A remedy is an edit of head. It is suggested only if the edited draft has been checked in
// full, and compared with base: nothing else may become worse.

const (
	maxRepairs  = 3  // suggested for one violation
	maxRemedies = 60 // checked for one contract
)

// A remedy is an edit of head that may repair a violation.
type remedy struct {
	what   string
	undone set // the changes it takes back; nil: it does something else
	edits  []edit.Splice
	strict bool // it must not add a warning that neither draft has
}

// size returns how many bytes of text a remedy takes and adds.
func (r *remedy) size() (bytes int) {
	for _, e := range r.edits {
		bytes += len(e.Old) + len(e.New)
	}
	return bytes
}

// A repairer finds repairs of the new violations of one contract.
type repairer struct {
	*Trial
	review  *finding.ContractReview
	text    edit.Text // of head
	reading *edit.Reading
	spent   int                  // states and arcs
	meant   map[string]meaning   // by edits
	checked map[string]*remedied // by digest
}

// A remedied is a draft to which a remedy leads, compared with base. Most remedies fail, and verdicts are enough to show that. The rest is
// computed only if they do not.
type remedied struct {
	verdicts *finding.ContractReview        // of requirements alone; nil: the model is incomplete
	whole    func() *finding.ContractReview // returns nil if the model is incomplete
}

func (t *Trial) repairer(c *finding.ContractReview) *repairer {
	return &repairer{Trial: t, review: c, text: t.Head.Text(), reading: t.Diff.Head(),
		meant: map[string]meaning{}, checked: map[string]*remedied{}}
}

// repairs returns the verified repairs of one violation, best first: those that take back its causes, then those that change something
// else.
func (m *repairer) repairs(ctx context.Context, s *Search) []finding.Repair {
	shown := map[string]bool{}
	undone := m.surviving(ctx, s, s.undoing(ctx), maxRepairs, shown)
	if len(undone) == 0 {
		undone = m.surviving(ctx, s, m.leastUndone(ctx, s), 1, shown)
	}
	other := m.surviving(ctx, s, slices.Concat(m.guards(s), m.swaps(s)), 1, shown)
	if len(other) > 0 {
		undone = undone[:min(len(undone), maxRepairs-1)]
	}
	return append(undone, other...)
}

// surviving returns the first remedies of a list that repair a search's finding, at most enough, without those that take back more than one before them.
// shown has the digests of repairs already suggested, and receives the new ones.
func (m *repairer) surviving(ctx context.Context, s *Search, list []remedy, enough int, shown map[string]bool) []finding.Repair {
	var out []finding.Repair
	var taken []set
	for _, r := range list {
		if len(out) == enough {
			break
		}
		if slices.ContainsFunc(taken, r.undone.includes) {
			continue
		}
		digest := m.try(ctx, s.Q, r)
		if !shown[digest] && m.isRepaired(s.Finding, digest, r.strict) {
			shown[digest] = true
			if r.undone != nil {
				taken = append(taken, r.undone)
			}
			m.confirm(func() edit.Text { return m.text.Splice(r.edits) }, digest)
			out = append(out, m.repair(r, s.Finding, m.checked[digest].whole()))
		}
	}
	return out
}

// repair returns a remedy of a finding as data. c is the review of the edited draft.
func (m *repairer) repair(r remedy, f *finding.Finding, c *finding.ContractReview) finding.Repair {
	out := finding.Repair{What: r.what}
	for i := range c.Findings {
		switch g := &c.Findings[i]; {
		case g.Kind == finding.Undecided:
			out.Undecided++
		case g.Kind == finding.Kept && f.Old && key(g) == key(f):
			out.OldWording = true
		case !bad(g) || g.Check != nil && g.Check.Accepted != "":
		case key(g) == key(f):
			out.OldWays = true
		default:
			out.Others++
		}
	}
	for _, s := range m.text.Around(m.text.Lines(r.edits), 3) { // whole lines with context, as a reader and git apply need them
		out.Edits = append(out.Edits, finding.Edit{Range: m.Head.Shown(s.Range), Old: s.Old, New: s.New})
	}
	return out
}

// A meaning is what an edited draft means, with its static remarks. The digest is empty if it means nothing.
type meaning struct{ digest, remarks string }

// try checks a remedy of the violation that question q asks for, unless one of the same meaning has been checked. It returns the digest of the
// edited draft, or "" if that means nothing new.
func (m *repairer) try(ctx context.Context, q int, r remedy) string {
	if len(r.edits) == 0 || ctx.Err() != nil {
		return ""
	}
	draft := sync.OnceValue(func() *compile.Draft { return m.redraft(m.text.Splice(r.edits)) })
	key := fmt.Sprintf("%q", r.edits)
	what, known := m.meant[key]
	if !known {
		what = verify.Memoized(ctx, m.memo, m.key("remedy", r.what+r.undone.key()), func() meaning {
			return meaning{Means(draft()), remarks(draft())}
		})
		m.meant[key] = what
	}
	if what.digest == "" || what.digest == m.Head.Unnamed {
		return ""
	}
	if _, known := m.checked[what.digest]; !known && len(m.checked) < maxRemedies && m.spent < maxWork && !m.failsNearby(ctx, q, what.digest, draft) {
		m.check(ctx, what, draft)
	}
	return what.digest
}

// nearby is how many states of an edited draft are searched for the violation before all are listed. Most remedies fail, and few states show it.
const nearby = 2000

// failsNearby reports whether a draft has the violation that a question asks for, and shows it in few states. Diagrams show that as fast.
func (m *repairer) failsNearby(ctx context.Context, q int, digest string, draft func() *compile.Draft) bool {
	if m.drawn != nil {
		return false
	}
	m.spent += nearby
	key := func() string { return fmt.Sprintf("%d nearby %s", q, m.asking(digest)()) }
	return verify.Memoized(ctx, m.memo, key, func() bool { return m.Questions[q].fails(ctx, draft(), nearby) })
}

// check reviews the draft of a remedy in place of head.
func (m *repairer) check(ctx context.Context, what meaning, draft func() *compile.Draft) {
	type found struct {
		review *finding.ContractReview
		work   int
	}
	of := func(kind string, whole bool) found {
		return verify.Memoized(ctx, m.memo, func() string { return kind + what.digest + "\n" + what.remarks }, func() found {
			review, work := m.sorted(ctx, draft(), whole)
			return found{review, work}
		})
	}
	now := of("verdicts of remedied ", false)
	m.spent += now.work
	m.checked[what.digest] = &remedied{verdicts: now.review, whole: sync.OnceValue(func() *finding.ContractReview { return of("remedied ", true).review })}
}

// sorted returns the review of a draft in place of head, and its cost in states and arcs. It covers requirements only, unless whole is set.
// The review is nil if the state model is incomplete.
func (m *repairer) sorted(ctx context.Context, d *compile.Draft, whole bool) (*finding.ContractReview, int) {
	if m.isBase(d) {
		d = m.Base
	}
	amended := compile.Amend(m.Base, d)
	spent := 0
	if m.drawn != nil && d != m.Base {
		spent = m.usual
		if f := m.decide(ctx, d, amended, whole, true); f.Settled() {
			c := m.sort(ctx, d, amended, f, whole)
			if !slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.Kind == finding.Undecided }) {
				return c, spent
			}
		}
		if m.largest == 0 {
			return nil, spent
		}
	}
	f := m.decide(ctx, d, amended, whole, false)
	spent += workOf(f.Result)
	if f.Result.Model.Incomplete != "" {
		return nil, spent
	}
	return m.sort(ctx, d, amended, f, whole), spent
}

// sort sorts the findings of a draft in place of head.
func (m *repairer) sort(ctx context.Context, d *compile.Draft, amended *compile.Amendment, f verify.Outcome, whole bool) *finding.ContractReview {
	c, back := &finding.ContractReview{Base: m.review.Base, Head: f.Result}, amended.Reversed(d)
	sorting := compare.Sorting{Review: c, Base: m.listed, Head: f.Listed, Draft: d, Amended: amended, Back: back, Asked: f.Asked, Before: m.before(ctx, back), Budget: m.Budget}
	sorting.Requirements(ctx)
	sorting.Dropped(ctx)
	if whole {
		sorting.Completion(ctx)
		sorting.Checks(ctx)
		sorting.NewWaysOfAccepted(ctx)
	}
	return c
}

// isBase reports whether a draft has base's meaning and remarks, so that base's results apply.
func (m *repairer) isBase(d *compile.Draft) bool {
	return m.listed != nil && d.Unnamed == m.Base.Unnamed && remarks(d) == remarks(m.Base)
}

// decide checks a draft, on decision diagrams or on listed states.
func (m *repairer) decide(ctx context.Context, d *compile.Draft, amended *compile.Amendment, whole, drawn bool) verify.Outcome {
	if d == m.Base {
		return verify.Outcome{Draft: d, Result: m.review.Base, Asked: &verify.Answers{}, Listed: m.listed}
	}
	ctx, cancel := m.Budget.Within(ctx)
	defer cancel()
	d = d.RecallingTexts(amended.Texts())
	f := verify.Begin(d, amended)
	if drawn {
		if x := m.draw(ctx, d, f.Result); x != nil {
			judge(ctx, x, f, m.oneByOne(), whole)
		}
	} else if g := m.explore(ctx, d, f.Result); g != nil {
		f.Listed = verify.Listing(d, g, m.Budget.Memory)
		judge(ctx, f.Listed.Checked, f, m.Budget, whole)
	}
	explain.Finish(f.Result, d)
	return f
}

// judge checks a draft with its states: in whole, or its requirements alone.
func judge[S any](ctx context.Context, c *verify.Checked[S], f verify.Outcome, b finding.Budget, whole bool) {
	if whole {
		c.Judge(ctx, f, b)
	} else {
		c.Verdicts(ctx, f, b)
	}
}

// oneByOne returns the budget for decision diagrams, which are for one goroutine at a time.
func (m *repairer) oneByOne() finding.Budget {
	b := m.Budget
	b.Jobs = 1
	return b
}

// before returns base's answers to the wordings of a draft in place of head. They are unknown if base has no states.
func (m *repairer) before(ctx context.Context, back *compile.Amendment) *verify.Answers {
	if m.listed != nil {
		return answersOf(ctx, m.listed.Checked, back, m.review.Base, m.Budget)
	}
	if m.drawn != nil {
		d := m.Base.RecallingTexts(back.Texts())
		if x := m.draw(ctx, d, verify.StaticResult(d)); x != nil {
			return answersOf(ctx, x, back, m.review.Base, m.oneByOne())
		}
	}
	a := verify.BaseQuestions(m.Base, back)
	a.Unknown("base was not asked")
	return a
}

// answersOf returns the answers of a draft with its states to the wordings of another.
func answersOf[S any](ctx context.Context, c *verify.Checked[S], back *compile.Amendment, r *finding.Result, b finding.Budget) *verify.Answers {
	a := verify.BaseQuestions(c.Draft, back)
	c.VerdictOfAll(ctx, a.Formulas, a.Requirements, b)
	a.Completion, _ = c.Completion(ctx, a.Final, a.FinalText, a.Asker)
	a.Clashes, _ = c.EachClash(ctx, r)
	return a
}

// isRepaired reports whether a finding is repaired in a checked draft, and nothing else is worse than on head.
func (m *repairer) isRepaired(f *finding.Finding, digest string, strict bool) bool {
	r := m.checked[digest]
	if r == nil || r.verdicts == nil || !m.better(f, r.verdicts) {
		return false
	}
	c := r.whole()
	return c != nil && m.better(f, c) && noWorse(m.review, c, strict)
}

// better reports whether a finding is repaired in a review, and no other finding is worse than on head.
func (m *repairer) better(f *finding.Finding, c *finding.ContractReview) bool {
	before := map[findingKey]*finding.Finding{}
	for i := range m.review.Findings {
		before[key(&m.review.Findings[i])] = &m.review.Findings[i]
	}
	for i := range c.Findings {
		now := &c.Findings[i]
		was := before[key(now)]
		if worse(now, was) || key(now) == key(f) && !repaired(now, f) || emptier(now, was) {
			return false
		}
	}
	return true
}

// A findingKey identifies the subject of a finding.
type findingKey struct {
	name, subject string
	old           bool
}

// key returns the key of a finding.
func key(f *finding.Finding) findingKey {
	if f.Check != nil {
		return findingKey{f.Name, f.Check.Subject, false}
	}
	return findingKey{f.Name, "requirement", f.Old}
}

// worse reports whether a finding is worse than the one on head, which may be nil.
func worse(f *finding.Finding, head *finding.Finding) bool {
	return bad(f) && (head == nil || !bad(head) || head.Kind == finding.Standing && f.Kind != finding.Standing)
}

// repaired reports whether nothing is left of a finding on head. If that was a new way to violate what base violates too, base's ways may
// remain.
func repaired(f *finding.Finding, head *finding.Finding) bool {
	return !bad(f) && !(f.Kind == finding.Waived && head.Kind == finding.Waived) || f.Kind == finding.Standing && head.Way != nil && head.Way.New
}

// bad reports whether a finding is a violation or an unknown verdict.
func bad(f *finding.Finding) bool {
	switch f.Kind {
	case finding.Kept, finding.Repaired, finding.Dropped, finding.Waived:
		return false
	}
	return true
}

// emptier reports whether a promise holds vacuously, and does not on base or on head.
func emptier(f *finding.Finding, head *finding.Finding) bool {
	vacuous := func(q *finding.Requirement) bool { return q != nil && len(q.Vacuous) > 0 }
	return vacuous(f.Head) && !vacuous(f.Base) && (head == nil || !vacuous(head.Head))
}

// noWorse reports whether a review has no remarks that neither draft has. If strict is false, new warnings are allowed: taking changes back
// may leave something unused.
func noWorse(was, now *finding.ContractReview, strict bool) bool {
	for _, d := range now.Head.Diagnostics {
		if d.Accepted != "" || !strict && d.Class == codes.Warning {
			continue
		}
		known := func(e finding.Diagnostic) bool { return e.Code == d.Code && e.Subject == d.Subject && e.Accepted == "" }
		if !slices.ContainsFunc(was.Head.Diagnostics, known) && !slices.ContainsFunc(was.Base.Diagnostics, known) {
			return false
		}
	}
	return true
}

// undoing returns remedies that take causes back: each block, all of them, and all with the alternative causes, those that change the least text
// first. Each comes twice, first as strict.
func (s *Search) undoing(ctx context.Context) []remedy {
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
	slices.SortStableFunc(list, func(a, b remedy) int { return cmp.Compare(a.size(), b.size()) })
	strict := slices.Clone(list)
	for i := range strict {
		strict[i].strict = true
	}
	return append(strict, list...)
}

// of returns the changes of a set that belong to one cause.
func (s *Search) of(k int, made set) set {
	out := make(set, len(made))
	for _, i := range s.All[k].changes {
		out[i] = made[i]
	}
	return out
}

// causes returns the changes to blame, together with alternative causes that bring about the violation without them, as far as there are at
// most maxRepairs of those.
func (s *Search) causes(ctx context.Context) set {
	all := slices.Clone(s.made)
	for range maxRepairs {
		var rest []int
		for k, c := range s.All {
			if !slices.ContainsFunc(c.changes, func(i int) bool { return all[i] }) {
				rest = append(rest, k)
			}
		}
		if s.one(ctx, s.Q, s.set(rest)) != Present {
			break
		}
		found, _ := s.halves(ctx, rest)
		for _, k := range found {
			put(all, s.All[k].changes, true)
		}
	}
	return all
}

// undo returns the remedy that takes changes back.
func (s *Search) undo(undone set) remedy {
	return remedy{what: s.sentence(undone), undone: undone, edits: s.Diff.Undo(undone)}
}

// leastUndone returns the remedy that takes the whole amendment back except for the changes that can stay. It tries to keep block after
// block, those to blame last.
func (m *repairer) leastUndone(ctx context.Context, s *Search) []remedy {
	every := make([]int, len(s.All))
	for k := range every {
		every[k] = k
	}
	undone := s.set(every)
	if !m.isRepaired(s.Finding, m.try(ctx, s.Q, s.undo(undone)), true) {
		return nil
	}
	blamed := s.among(s.made)
	slices.SortStableFunc(every, func(a, b int) int {
		return cmp.Compare(slices.Index(blamed, a), slices.Index(blamed, b))
	})
	for _, k := range every {
		fewer := slices.Clone(undone)
		put(fewer, s.All[k].changes, false)
		if m.isRepaired(s.Finding, m.try(ctx, s.Q, s.undo(fewer)), true) {
			undone = fewer
		}
	}
	return []remedy{s.undo(undone)}
}
