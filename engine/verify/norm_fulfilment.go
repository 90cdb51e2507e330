package verify

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/hclspec"
)

// unable finds the nearest state in which an obligation is owed and cannot be fulfilled: at all, or not unless another party acts first. It
// applies to contracts that fire one transition at a time.
func (n *normChecks[S]) unable(ctx context.Context, norm *hclspec.Norm) {
	if norm.Kind != hclspec.Obligation || n.Rule.String() != "one" {
		return
	}
	owed := n.sat(ctx, compile.Join(ctl.And, append(n.nothingDue(), at(n.Checked.Draft, norm, norm.On()))))
	binding := n.sat(ctx, binds(n.Checked.Draft, norm))
	type ways struct {
		can, own S
		err      error
	}
	found := Memoized(ctx, n.Memo, n.Key("fulfilment", n.Unnamed, norm.Name), func() (w ways) {
		defer halt.Caught(&w.err)
		w.can, w.own = n.fulfilment(ctx, n.sweep(ctx), norm, binding)
		return w
	})
	halt.Must(found, found.err)
	x, how := n.Model.sets(), n.how[subjectOf(norm)]
	lost := x.Minus(owed, found.can)
	dead := !n.none(lost)
	if dead {
		some, why := n.usedUp(ctx, norm, lost)
		how.UsedUp, how.Lost = why != "", why == "" || !n.none(x.Minus(lost, some))
		message := fmt.Sprintf("The %s is owed, and nobody can bring its fulfilment about any more.", norm.Called())
		anybody := func(*petri.Transition) bool { return true }
		reach := func(to S) S { return halt.Must(x.Until(ctx, binding, x.Intersect(binding, to))) }
		n.reportBlocked(ctx, norm, some, message, why, "It could be if ", anybody, reach)
	}
	for _, by := range norm.Bearers {
		during := n.sat(ctx, compile.Join(ctl.And, n.During(by)))
		stuck := x.Intersect(x.Minus(owed, found.own), during)
		if dead || n.none(stuck) {
			continue
		}
		message := fmt.Sprintf("%s %s %q, and cannot fulfil it unless somebody else acts first.", n.who("The ", by), verb(by, "owes", "owe"), norm.Name)
		if !takesPartIn(n.Checked.Draft, norm, by) {
			message = fmt.Sprintf("%s %s %q, and %s no part in what fulfils it.", n.who("The ", by), verb(by, "owes", "owe"), norm.Name, verb(by, "takes", "take"))
		}
		theirs := x.Intersect(binding, during)
		takes := func(t *petri.Transition) bool { return n.TakesPart(t, by) }
		reach := func(to S) S { return n.Model.back(ctx, n.unaided(norm, by), theirs, x.Intersect(theirs, to)) }
		n.reportBlocked(ctx, norm, stuck, message, "", "It could alone if ", takes, reach)
	}
}

// reportBlocked adds a finding on the nearest state of a set in which an obligation can't be fulfilled. If why is empty it says what alone keeps it from that.
func (n *normChecks[S]) reportBlocked(ctx context.Context, norm *hclspec.Norm, set S, message, why, could string, taking func(*petri.Transition) bool, reach func(S) S) {
	if n.reported("obligation-cannot-fulfil", norm) {
		return
	}
	here := n.here(n.Model.nearest(ctx, set))
	if why == "" {
		if why = n.blocked(ctx, norm, here, taking, reach); why != "" {
			why = could + why + "."
		}
	}
	n.report(ctx, "obligation-cannot-fulfil", norm, here, message, why)
}

// alone returns a predicate: no party but the bearers acts in a step. Nets and time do not act, nor does any party in what happens by itself.
func (c *Checked[S]) alone(bearers hclspec.Tenure) func(step []int) bool {
	return func(step []int) bool {
		for _, t := range step {
			if e := explain.Event(c.Draft, t); e != nil && e.Due != nil {
				continue
			}
			for _, p := range c.Net.Transitions[t].Parts {
				if acting(c.Draft, p) && !bearers.Includes(c.Parties[p.Net]) {
					return false
				}
			}
		}
		return true
	}
}

// unaided returns a predicate: those who bear a norm act alone in a step, or take part in one of several acts that it takes.
func (c *Checked[S]) unaided(n *hclspec.Norm, bearers hclspec.Tenure) func(step []int) bool {
	alone := c.alone(bearers)
	return func(step []int) bool {
		return alone(step) || n.Needs != nil && !slices.ContainsFunc(step, func(t int) bool {
			tr := &c.Net.Transitions[t]
			return tr.Event < 0 || !slices.Contains(n.Acts, c.Events[tr.Event]) || !c.TakesPart(tr, bearers)
		})
	}
}

// A Fulfilment says whether an obligation can be fulfilled, and why it can't in some state in which it is owed.
type Fulfilment struct {
	Ever   bool // in some run it is
	UsedUp bool // what fulfils it has happened already, and happens only once
	Lost   bool // nobody can bring it about, for another reason
}

// fulfilments returns which obligations are ever fulfilled, by their subjects.
func (c *Checked[S]) fulfilments(seen survey) map[string]*Fulfilment {
	all := map[string]*Fulfilment{}
	for _, n := range c.Spec.Norms {
		if n.Kind == hclspec.Obligation {
			at, ok := c.PlaceOf[n.Name+"."+n.Kind.Construct().Done]
			all[subjectOf(n)] = &Fulfilment{Ever: ok && seen.marked[at]}
		}
	}
	return all
}

// subjectOf returns the subject of findings on a norm.
func subjectOf(n *hclspec.Norm) string { return n.Kind.String() + "." + n.Name }

// fulfilment returns, among the states in which an obligation binds, those from which it can be fulfilled while it does. Can allows steps of
// all parties. Own allows no step of any party but those who bear it, up to an event in which one of them takes part. Of several that it takes, one
// takes part in each.
func (c *Checked[S]) fulfilment(ctx context.Context, s *sweep[S], n *hclspec.Norm, binding S) (can, own S) {
	x := c.Model.sets()
	done := x.Minus(binding, binding) // all that the bearer has to do is done, and time has to pass
	for _, p := range n.Lead {
		done = x.Union(done, halt.Must(c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))))
	}
	can = halt.Must(x.Until(ctx, binding, x.Intersect(binding, x.Union(done, s.enabled[n]))))
	own = x.Minus(binding, binding)
	for i, by := range n.Bearers {
		theirs := x.Intersect(binding, halt.Must(c.unbounded().Sat(ctx, compile.Join(ctl.And, c.During(by)))))
		own = x.Union(own, c.Model.back(ctx, c.unaided(n, by), theirs, x.Intersect(theirs, x.Union(done, s.byOwn[bearing{n, i}]))))
	}
	return can, own
}

// FulfilledAlone returns, for each of some obligations, the states in which it binds and those who bear it can fulfil it by themselves while it does: see fulfilment.
func (c *Checked[S]) FulfilledAlone(ctx context.Context, list []*hclspec.Norm) (all []S, err error) {
	defer halt.Caught(&err)
	s := c.sweepNorms(ctx)
	for _, n := range list {
		_, own := c.fulfilment(ctx, s, n, halt.Must(c.unbounded().Sat(ctx, binds(c.Draft, n))))
		all = append(all, own)
	}
	return all, nil
}

// Own returns the same in terms of places and transitions, for each tenure of the bearers of an obligation. It applies to contracts that fire one transition at a time.
func (c *Checked[S]) Own(n *hclspec.Norm) (all []product.Own) {
	at, groups, of := c.PlacesAt(), c.actGroups(n), max(1, len(n.Needs))
	for b, by := range n.Bearers {
		var own product.Own
		if by.While != nil {
			own.While = []int{at[by.While]}
		}
		for _, p := range n.Lead {
			own.Done = append(own.Done, at[p])
		}
		unaided := c.unaided(n, by)
		for t := range c.Net.Transitions {
			if unaided([]int{t}) {
				own.Steps = append(own.Steps, t)
			}
		}
		for i := range of {
			act := product.Act{By: groups[(b+1)*of+i]}
			for j, p := range n.Needs {
				if j != i {
					act.While = append(act.While, c.PlaceOf[n.Name+"."+p.Name])
				}
			}
			own.Acts = append(own.Acts, act)
		}
		all = append(all, own)
	}
	return all
}

// usedUp returns those of the states in which an obligation is owed and can't be fulfilled in which the reason is that what fulfils it has happened
// already and happens only once; and a sentence that says so and what mends it. If there are none it returns all of the states and "".
func (n *normChecks[S]) usedUp(ctx context.Context, norm *hclspec.Norm, lost S) (S, string) {
	if norm.Needs == nil {
		return n.allHappened(ctx, norm, lost, norm.Acts, nil)
	}
	for i, act := range norm.Acts {
		yet := &ctl.Formula{Op: ctl.Not, Left: at(n.Checked.Draft, norm, norm.Needs[i])}
		if set, why := n.allHappened(ctx, norm, lost, []*hclspec.Event{act}, []*ctl.Formula{yet}); why != "" {
			return set, why
		}
	}
	return lost, ""
}

// allHappened does the same for some acts, in states that also satisfy some formulas.
func (n *normChecks[S]) allHappened(ctx context.Context, norm *hclspec.Norm, lost S, acts []*hclspec.Event, so []*ctl.Formula) (S, string) {
	var names []string
	for _, act := range acts {
		p, once := n.PlaceOf[act.Name+"!.after"]
		if !once {
			return lost, ""
		}
		so, names = append(so, n.Marked(p)), append(names, fmt.Sprintf("%q", act.Name))
	}
	happened := n.Model.sets().Intersect(lost, n.sat(ctx, compile.Join(ctl.And, so)))
	if n.none(happened) {
		return lost, ""
	}
	again := n.beginsAgain(ctx, norm)
	called := strings.Join(names, " and ")
	why, them := called+" has happened already, and happens only once.", "it"
	if len(acts) > 1 {
		why, them = called+" have happened already, and happen only once.", "them"
	}
	if len(norm.Starts) == 0 || norm.Nth > 0 || again { // it may have happened while it was owed
		return happened, fmt.Sprintf("%s Let %s happen again, with repeats = true.", why, them)
	}
	only := fmt.Sprintf("only_while = %s.%s", norm.Written(), norm.On().Name)
	if slices.ContainsFunc(acts, func(e *hclspec.Event) bool { return len(e.Needs) > 0 }) {
		only = fmt.Sprintf("%s.%s in only_while as well", norm.Written(), norm.On().Name)
	}
	return happened, fmt.Sprintf("%s Keep %s from happening before it is owed, with %s, or let %[2]s happen again, with repeats = true.", why, them, only)
}

// A lift is one thing that the acts of an obligation need, and the states in which one of them can happen if it does not need that.
type lift struct {
	says string
	can  *ctl.Formula
}

// lifts returns what an act needs: its conditions, and that each party and document is ready for it. taking chooses among the ways in which it happens.
func (n *normChecks[S]) lifts(act *hclspec.Event, taking func(*petri.Transition) bool) (all []lift) {
	at := n.PlacesAt()
	marked := func(places []*hclspec.Place) (all []*ctl.Formula) {
		for _, p := range places {
			all = append(all, n.Marked(at[p]))
		}
		return all
	}
	always := n.nothingDue()
	if ends := n.Spec.Ends; ends != nil && !act.Survives {
		always = append(always, n.Marked(at[ends.InForce]))
	}
	needs := func(but hcl.Range) (all []*ctl.Formula) {
		for _, need := range act.Needs {
			var any []*ctl.Formula
			for _, a := range need {
				any = append(any, compile.Join(ctl.And, marked(a.Places)))
			}
			if need[0].Range != but {
				all = append(all, compile.Join(ctl.Or, any))
			}
		}
		return all
	}
	ways := map[string][]petri.Part{}
	for _, t := range n.transitionsOf(act) {
		if tr := &n.Net.Transitions[t]; taking(tr) {
			ways[fmt.Sprint(tr.Parts)] = tr.Parts
		}
	}
	ready := func(but int) *ctl.Formula {
		var any []*ctl.Formula
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			var each []*ctl.Formula
			for _, p := range ways[way] {
				if t := n.Part(p); p.Net != but {
					each = append(each, marked(slices.Concat(t.Consume, t.Read))...)
				}
				for _, s := range slices.Concat(act.Ways...) {
					if s.While != nil && s.Party == n.Parties[p.Net] {
						each = append(each, n.Marked(at[s.While]))
					}
				}
			}
			any = append(any, compile.Join(ctl.And, each))
		}
		return compile.Join(ctl.Or, any)
	}
	for _, need := range act.Needs {
		if at := need[0].Range; at.Filename != "" {
			says := fmt.Sprintf("%q did not need %s (%s:%d)", act.Name, explain.Quoted(n.Checked.Draft, at), at.Filename, at.Start.Line)
			all = append(all, lift{says, compile.Join(ctl.And, slices.Concat(always, needs(at), []*ctl.Formula{ready(-1)}))})
		}
	}
	for _, way := range slices.Sorted(maps.Keys(ways)) {
		for _, p := range ways[way] {
			net, t := n.Parties[p.Net], n.Part(p)
			if net.Made == "" && len(t.Consume)+len(t.Read) > 0 {
				says := fmt.Sprintf("%s were ready for %q (%s, %s:%d)", n.Who("the ", net), act.Name, n.Named(p), t.Range.Filename, t.Range.Start.Line)
				all = append(all, lift{says, compile.Join(ctl.And, slices.Concat(always, needs(hcl.Range{}), []*ctl.Formula{ready(p.Net)}))})
			}
		}
	}
	return all
}

// blocked says which single things keep an obligation from being fulfilled in a state: without one of them it could be. Reach returns from where a set of states
// can be reached. Nothing is said of an obligation that takes several acts: without a condition of one there are other states after it.
func (n *normChecks[S]) blocked(ctx context.Context, norm *hclspec.Norm, here *ctl.Formula, taking func(*petri.Transition) bool, reach func(S) S) string {
	if norm.Needs != nil {
		return ""
	}
	state, x := n.sat(ctx, here), n.Model.sets()
	var said []string
	for _, act := range norm.Acts {
		for _, l := range n.lifts(act, taking) {
			if !n.none(x.Intersect(state, reach(n.sat(ctx, l.can)))) && !slices.Contains(said, l.says) {
				said = append(said, l.says)
			}
		}
	}
	return strings.Join(said, ", or if ")
}

// beginsAgain reports whether what brings an obligation about can happen once it has been fulfilled.
func (n *normChecks[S]) beginsAgain(ctx context.Context, norm *hclspec.Norm) bool {
	done := n.sat(ctx, at(n.Checked.Draft, norm, norm.Net.PlaceNamed(norm.Kind.Construct().Done)))
	return !n.none(n.Model.sets().Intersect(done, n.sweep(ctx).starts[norm]))
}
