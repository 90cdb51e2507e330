package behaviour

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// An obligation that was breached, and that nothing repairs, can be performed late. An act is performed late if it happens when the obligation
// is not owed; what happens while an occurrence of it is owed is for that one. Each time it makes up for one breach. It takes all of the acts of
// fulfil = all(...): of each, those that had not happened when the obligation was breached.

// unperformed returns the states in which an obligation, or an occurrence of it, is breached and to which some run leads on which it was not performed.
func unperformed(c *verify.Listed, n *hclspec.Norm) space.Set {
	set := c.Graph.Sets().None()
	of := lateActs(c, n)
	for act := range max(1, len(n.Needs)) {
		set = c.Graph.Sets().Union(set, of.missing(act))
	}
	return set
}

// A late has the occurrences of an obligation, in the states of a model. An obligation without occurrences is one.
type late struct {
	model *verify.Listed
	norms []*hclspec.Norm
	owed  space.Set   // one of them is owed or suspended
	in    []space.Set // by occurrence: it is breached
}

func lateActs(c *verify.Listed, n *hclspec.Norm) *late {
	sets := c.Graph.Sets()
	l := &late{model: c, owed: sets.None()}
	for _, m := range c.Spec.Norms {
		if m.Written() != n.Written() {
			continue
		}
		l.norms, l.in = append(l.norms, m), append(l.in, l.where(m, m.Breached()))
		for _, p := range m.Binding() {
			l.owed = sets.Union(l.owed, l.where(m, p))
		}
	}
	return l
}

// where returns the states in which a place of a norm is marked; none without a place.
func (l *late) where(n *hclspec.Norm, p *hclspec.Place) space.Set {
	if p == nil {
		return l.model.Graph.Sets().None()
	}
	return l.model.Graph.Sets().Where(l.model.PlaceOf[n.Name+"."+p.Name])
}

// missing returns the states to which some run leads on which an act was performed too seldom: it makes up for fewer breaches than there were
// without it. It finds the most that any run leaves, which no run but one with another breach increases.
func (l *late) missing(act int) space.Set {
	c := l.model
	var done []space.Set // by occurrence: the act has happened while it was owed
	acts := l.norms[0].Acts
	for _, n := range l.norms {
		if n.Needs != nil {
			acts = n.Acts[act : act+1]
			done = append(done, l.where(n, n.Needs[act]))
		}
	}
	performs := performing(c.Draft, acts)
	most := make([]int, c.Graph.Len())
	var queue []int
	for s := range most {
		queue = append(queue, s)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		steps := c.Graph.Steps(s)
		for i, next := range c.Graph.Succ(s) {
			left, fresh := most[s], 0
			for k, in := range l.in {
				if space.Has(in, int(next)) && !space.Has(in, s) && (done == nil || !space.Has(done[k], s)) {
					fresh++
				}
			}
			if !space.Has(l.owed, s) && slices.ContainsFunc(steps[i], func(t int) bool { return performs[t] }) {
				left = max(0, left-1)
			}
			if left+fresh > most[next] {
				most[next] = left + fresh
				queue = append(queue, int(next))
			}
		}
	}
	return c.Graph.Sets().Those(c.Graph.Sets().All(), func(s int) bool { return most[s] > 0 })
}

// An act that fulfils an obligation can often happen before the obligation is owed, such as a payment before the delivery that makes it due. That
// fulfils nothing, so who pays then does not count as exposed. Whether it is better off in one version than in the other is not decided then.

// performedEarly reports whether a state is reached, outside the set of those in which a party counts as exposed, by some run on which it performed an
// obligation before that was owed, and by some run, maybe another, after which it is owed something. late has the states of way.late.
func performedEarly(ctx context.Context, c *verify.Listed, ways []way, exposed space.Set, late map[string]space.Set) (bool, error) {
	sets := c.Graph.Sets()
	after := map[*hclspec.Norm]space.Set{}
	for _, w := range ways {
		if w.own == nil {
			continue
		}
		if after[w.own] == nil {
			set, err := afterEarly(ctx, c, w.own)
			if err != nil {
				return false, err
			}
			after[w.own] = set
		}
		open, err := c.Checker(nil).Sat(ctx, w.open)
		if err != nil {
			return false, err
		}
		if w.late != nil {
			open = sets.Intersect(open, late[w.late.Written()])
		}
		if sets.Minus(sets.Intersect(open, after[w.own]), exposed).Len() > 0 {
			return true, nil
		}
	}
	return false, nil
}

// afterEarly returns the states to which some run leads on which an obligation was performed before it was owed. What happens while another
// occurrence of it is owed is for that one.
func afterEarly(ctx context.Context, c *verify.Listed, n *hclspec.Norm) (space.Set, error) {
	sets, of := c.Graph.Sets(), lateActs(c, n)
	before := sets.Minus(of.where(n, n.Net.PlaceNamed(construct.Dormant)), of.owed)
	performs := performing(c.Draft, n.Acts)
	set := sets.None()
	for s := range before.Each() {
		steps := c.Graph.Steps(s)
		for i, next := range c.Graph.Succ(s) {
			if slices.ContainsFunc(steps[i], func(t int) bool { return performs[t] }) {
				space.Add(set, int(next))
			}
		}
	}
	return sets.From(ctx, set)
}

// outstanding returns when an obligation is owed or suspended, and when it was breached and its reparation is neither fulfilled nor lifted, or,
// if nothing repairs it, it was not performed since.
func outstanding(d *compile.Draft, n *hclspec.Norm) []way {
	unrepaired := []*ctl.Formula{inState(d, n, "breached")}
	seen := []*hclspec.Norm{n}
	for range d.Spec.Norms {
		r := reparation(d, seen[len(seen)-1])
		if r == nil || slices.Contains(seen, r) {
			break
		}
		seen = append(seen, r)
		for _, settled := range []string{"fulfilled", "lifted"} {
			unrepaired = append(unrepaired, &ctl.Formula{Op: ctl.Not, Left: inState(d, r, settled)})
		}
	}
	breached := way{when: compile.Join(ctl.And, unrepaired)}
	if len(unrepaired) == 1 {
		breached.late = n
	}
	return []way{{when: compile.Join(ctl.Or, []*ctl.Formula{inState(d, n, "owed"), inState(d, n, construct.Suspended)})}, breached}
}

// performing returns the transitions of events.
func performing(d *compile.Draft, events []*hclspec.Event) map[int]bool {
	performs := map[int]bool{}
	for _, e := range events {
		for _, t := range d.TransitionsOf(e) {
			performs[t] = true
		}
	}
	return performs
}

// reparation returns the norm that a breach of an obligation brings about, or nil.
func reparation(d *compile.Draft, n *hclspec.Norm) *hclspec.Norm {
	at := slices.IndexFunc(n.Terms, func(t hclspec.Term) bool { return t.Word == "reparation" })
	if at < 0 {
		return nil
	}
	other := slices.IndexFunc(d.Spec.Norms, func(m *hclspec.Norm) bool { return m.Written() == n.Terms[at].Value && m.Nth == n.Nth })
	if other < 0 {
		return nil
	}
	return d.Spec.Norms[other]
}
