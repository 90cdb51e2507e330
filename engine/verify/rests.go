package verify

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// mostSets bounds the sets of members, or of norms, in an answer.
const mostSets = 8

// An arena is a rests.Arena with names, norms and transitions.
type arena struct {
	rests.Arena
	members []string        // names, time last
	norms   []*hclspec.Norm // those that can be breached
	acts    [][]int         // by event, its transitions
}

// arenaOf returns the events of the composed net and the members that take part in each. An event that can happen in several ways, as with
// any of several instances, counts as one event for each way. A transition that no event mentions is an event of its own, together with its
// variants. Nets that only watch do not take part, nor does a party that an event only lets begin a phase. A role counts as the party that
// plays it.
func arenaOf(d *compile.Draft) *arena {
	a := &arena{}
	a.Event = make([]int, len(d.Net.Transitions))
	at := map[eventKey]int{}
	var who [][]string
	for t := range d.Net.Transitions {
		tr := &d.Net.Transitions[t]
		key := eventKey{event: tr.Event}
		if tr.Event < 0 {
			key.name = d.Named(tr.Parts[0])
		}
		e, ok := at[key]
		if !ok {
			e = len(who)
			at[key] = e
			who, a.acts = append(who, participants(d, tr)), append(a.acts, nil)
		}
		a.Event[t], a.acts[e] = e, append(a.acts[e], t)
	}
	a.members = slices.Concat(who...)
	slices.SortFunc(a.members, hclspec.Natural)
	a.members = slices.Compact(a.members)
	if i := slices.Index(a.members, "time"); i >= 0 && ticks(d) {
		a.members = append(slices.Delete(a.members, i, i+1), "time")
	}
	a.Members = len(a.members)
	for _, names := range who {
		a.Who = append(a.Who, a.positions(names))
	}
	for _, n := range d.Spec.Norms {
		if p := n.Breached(); p != nil {
			a.norms, a.Breach = append(a.norms, n), append(a.Breach, d.PlaceOf[n.Name+"."+p.Name])
		}
	}
	return a
}

// barred returns, by transition, the breaches that keep a firing from being an act that is put off: those of norms that bind somebody who takes
// part, as nobody puts off what is forbidden to them. On runs without a breach they are all that the transition can bring about. It returns nil
// if no firing is a breach.
func barred(d *compile.Draft, ideal bool) (by [][]int) {
	norms := map[int]*hclspec.Norm{}
	for _, n := range d.Spec.Norms {
		if p := n.Breached(); p != nil {
			norms[d.PlaceOf[n.Name+"."+p.Name]] = n
		}
	}
	for t := range d.Net.Transitions {
		tr := &d.Net.Transitions[t]
		for _, v := range tr.Moves {
			n := norms[v.To]
			if n == nil || !ideal && !slices.ContainsFunc(tr.Parts, func(p petri.Part) bool { return n.Borne(d.Parties[p.Net]) }) {
				continue
			}
			if by == nil {
				by = make([][]int, len(d.Net.Transitions))
			}
			if !slices.Contains(by[t], v.To) {
				by[t] = append(by[t], v.To)
			}
		}
	}
	return by
}

// An eventKey identifies an event of the composed net, or a transition that no event mentions.
type eventKey struct {
	event int
	name  string
}

// participants returns the names of the members that take part in a composed transition. What happens by itself waits for none of them.
func participants(d *compile.Draft, t *petri.Transition) []string {
	if t.Event >= 0 && d.Events[t.Event].Due != nil {
		return nil
	}
	var names []string
	for _, p := range t.Parts {
		of := d.Parties[p.Net]
		if (of.Made == "" || of.Made == "clock" && of.Name == "time") && !d.Part(p).Passive {
			names = append(names, of.Person())
		}
	}
	return names
}

// ticks reports whether the contract has time.
func ticks(d *compile.Draft) bool {
	return slices.ContainsFunc(d.Parties, func(p *hclspec.Party) bool { return p.Name == "time" && p.Made == "clock" })
}

// positions returns the indices of members, sorted, each once.
func (a *arena) positions(names []string) []int {
	list := []int{}
	for _, name := range names {
		list = append(list, slices.Index(a.members, name))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// actsOf returns the transitions of each event in which only these members take part.
func (a *arena) actsOf(members []int) [][]int {
	var acts [][]int
	for e, who := range a.Who {
		if !slices.ContainsFunc(who, func(m int) bool { return !slices.Contains(members, m) }) {
			acts = append(acts, a.acts[e])
		}
	}
	return acts
}

// restAll determines on whom each decided requirement rests, after everything else. If the budget ends, the verdicts remain.
func (c *Checked[S]) restAll(ctx context.Context, formulas []*ctl.Formula, slots []finding.Requirement, b finding.Budget) {
	shared := &choices{}
	for i, f := range formulas {
		if req := &slots[i]; f != nil && req.Verdict != finding.Unknown && !(req.NoRuns && compile.TermsDecided(req).Plain()) && compile.CanRest(f) {
			c.rest(ctx, f, req, b, shared)
		}
	}
}

// rest determines on whom one requirement rests, or takes it from the memo.
func (c *Checked[S]) rest(ctx context.Context, f *ctl.Formula, req *finding.Requirement, b finding.Budget, shared *choices) {
	found := Memoized(ctx, c.Memo, c.Key("rests", FormulaKey(f), req.Ideal), func() restsAnswer {
		q := &restQuestion[S]{Checked: c, arena: arenaOf(c.Draft), formula: f, ideal: req.Ideal, budget: b, choices: shared}
		q.arena.Barred = barred(c.Draft, req.Ideal)
		r, err := q.answer(ctx)
		r.err = err
		return r
	})
	switch {
	case found.err != nil:
		req.Rests = &finding.Rests{Unknown: b.Reason(found.err)}
	default:
		req.Rests = restsOf(c.Draft, found)
	}
	req.Rests.Ideal = req.Ideal
}

// A restsAnswer is the answer to a restQuestion, by index.
type restsAnswer struct {
	sets, norms  [][]int
	more, noRuns bool
	err          error
}

// Leaving determines who must act for every run to leave a set of states whenever it is in there.
func (c *Listed) Leaving(ctx context.Context, set space.Set) *finding.Rests {
	a := arenaOf(c.Draft)
	a.Barred = barred(c.Draft, false)
	outside := &ctl.Formula{Op: ctl.True} // stands for the complement of the set
	form, _ := rests.Normal(&ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.AF, Left: outside}}, false)
	l := rests.NewListed(c.Graph, &a.Arena, func(context.Context, *ctl.Formula) (space.Set, error) {
		return c.Graph.Sets().Minus(c.Graph.Sets().All(), set), nil
	}, false)
	keeps, err := l.Keeps(ctx, form)
	if err != nil {
		return nil
	}
	sets, more := l.Least(keeps, rests.False, mostSets)
	if l.Err() != nil {
		return nil
	}
	return restsOf(c.Draft, restsAnswer{sets: sets, more: more})
}

// restsOf converts an answer to names.
func restsOf(d *compile.Draft, found restsAnswer) *finding.Rests {
	a := arenaOf(d)
	r := &finding.Rests{More: found.more, NoRuns: found.noRuns}
	for _, set := range found.sets {
		r.Sets = append(r.Sets, kinds(d, a, set))
	}
	for _, set := range found.norms {
		var kept []finding.KeptNorm
		for _, i := range set {
			n := a.norms[i]
			kept = append(kept, finding.KeptNorm{Norm: n.Name, Bearer: n.Keeper()})
		}
		r.Norms = append(r.Norms, kept)
	}
	return r
}

// kinds returns the names of members, with the family's name in place of all its instances.
func kinds(d *compile.Draft, a *arena, set []int) []string {
	family := map[string]string{} // by party
	for _, p := range d.Parties {
		family[p.Name] = p.Of
	}
	in, outside := map[int]bool{}, map[string]bool{}
	for _, m := range set {
		in[m] = true
	}
	for m, name := range a.members {
		outside[family[name]] = outside[family[name]] || !in[m]
	}
	names, named := []string{}, map[string]bool{}
	for _, m := range set {
		name := a.members[m]
		if of := family[name]; of != "" && !outside[of] {
			name = of
		}
		if !named[name] {
			named[name] = true
			names = append(names, name)
		}
	}
	return names
}

// A restQuestion asks on whom a formula rests.
type restQuestion[S any] struct {
	*Checked[S]
	arena   *arena
	formula *ctl.Formula
	ideal   bool // the formula is about ideal runs
	budget  finding.Budget
	choices *choices // for diagrams
}

// answer determines who must act and, if no set of members suffices, which norms must be kept.
func (q *restQuestion[S]) answer(ctx context.Context) (restsAnswer, error) {
	found, err := q.ask(ctx, false)
	if err != nil || len(found.sets) > 0 || q.ideal || len(q.arena.norms) == 0 {
		return found, err
	}
	if _, ok := rests.Normal(q.formula, true); !ok {
		return restsAnswer{}, nil
	}
	norms, err := q.ask(ctx, true)
	return restsAnswer{norms: norms.sets, more: norms.more}, err
}

// ask returns the sets of members, or of norms, that keep the formula.
func (q *restQuestion[S]) ask(ctx context.Context, norms bool) (restsAnswer, error) {
	if g, ok := any(q.Model).(listModel); ok {
		return q.listed(ctx, g, norms)
	}
	return q.drawn(ctx, norms)
}

// least returns the least sets that keep a formula and leave some run. If there is none, noRuns reports whether all members keep it only
// because no run is left.
func (q *restQuestion[S]) least(f *rests.Functions, keeps, idle rests.Function) (restsAnswer, error) {
	sets, more := f.Least(keeps, idle, mostSets)
	return restsAnswer{sets: sets, more: more, noRuns: q.ideal && len(sets) == 0 && keeps != rests.False}, f.Err()
}

// listed decides all sets at once on explicit states.
func (q *restQuestion[S]) listed(ctx context.Context, g listModel, norms bool) (restsAnswer, error) {
	form, _ := rests.Normal(q.formula, norms)
	if q.Memory > 0 && finding.Bytes(g.Len()*4*form.Size()) > q.Memory/4 {
		return restsAnswer{}, ctl.ErrTooManySets
	}
	labels := any(q.Checker(nil)).(*labelling[space.Set])
	l := rests.NewListed(g.Graph, &q.arena.Arena, labels.Sat, norms)
	keeps, err := q.keeps(l.Functions, q.formula, norms, func(f *ctl.Formula) (rests.Function, error) {
		form, _ := rests.Normal(f, norms)
		return l.Keeps(ctx, form)
	})
	if err != nil {
		return restsAnswer{}, err
	}
	idle := rests.False
	switch {
	case norms:
		idle, err = l.Stuck(ctx)
	case q.ideal:
		form, _ := rests.Normal(&ctl.Formula{Op: ctl.Not, Left: q.IdealRun()}, false)
		idle, err = l.Keeps(ctx, form)
	}
	if err != nil {
		return restsAnswer{}, err
	}
	return q.least(l.Functions, keeps, idle)
}

// keeps returns the function of a formula. Of the operands of a conjunction that are alike it asks for one: exchanging members gives those of
// the others.
func (q *restQuestion[S]) keeps(f *rests.Functions, formula *ctl.Formula, norms bool, ask func(*ctl.Formula) (rests.Function, error)) (rests.Function, error) {
	if norms { // exchanges are of members
		return ask(formula)
	}
	x := q.exchanges(q.arena.acts, q.arena.Who, q.arena.members)
	kinds, rest := ctl.Kinds(formula, func(f, g *ctl.Formula) bool { _, alike := x.members(f, g); return alike })
	if kinds == nil {
		return ask(formula)
	}
	all := f.True
	if len(rest) > 0 {
		kinds = append(kinds, []*ctl.Formula{compile.Join(ctl.And, rest)})
	}
	for _, kind := range kinds {
		one, err := ask(kind[0])
		if err != nil {
			return rests.False, err
		}
		for _, g := range kind {
			moved, _ := x.members(kind[0], g)
			all = f.And(all, f.Exchanged(one, moved))
		}
	}
	return all, f.Err()
}

// overKept restricts a formula to the runs on which a condition always holds. The condition must stay false once it is false.
func overKept(f, condition *ctl.Formula) *ctl.Formula {
	return means(phrase.OverIdeal(apart(f), false), condition)
}

// apart replaces atoms with a meaning by that meaning.
func apart(f *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil:
		return nil
	case f.Op == ctl.Atom && f.Means != nil:
		return apart(f.Means)
	}
	g := *f
	g.Left, g.Right = apart(f.Left), apart(f.Right)
	return &g
}

// means resolves the atoms that phrase.OverIdeal has inserted to a condition.
func means(f, condition *ctl.Formula) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	if f.Op == ctl.Atom && f.Name == compile.IdealName && f.Means == nil {
		g.Means = condition
	}
	g.Left, g.Right = means(f.Left, condition), means(f.Right, condition)
	return &g
}
