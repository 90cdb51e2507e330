package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A sweep holds the states in which events of norms can happen. Cost: one pass over all firings, and a set for each norm and each way in
// which it can begin.
type sweep[S any] struct {
	enabled map[*hclspec.Norm]S // where an event can happen that fulfils it or that it permits; of several that it takes, the last
	byOwn   map[bearing]S       // where its bearers, or one of them, take part in such an event
	starts  map[*hclspec.Norm]S // where an event can happen that begins it, or would if it could begin
	missed  map[*hclspec.Norm]S // where an event can happen that would begin it if there were room for one more
}

// A bearing is the number of one of the tenures of a norm's bearers.
type bearing struct {
	norm *hclspec.Norm
	i    int
}

// sweepNorms makes the sweep of all norms.
func (c *Checked[S]) sweepNorms(ctx context.Context) (*sweep[S], error) {
	norms := c.Spec.Norms
	var groups [][]int
	for _, n := range norms {
		groups = append(groups, c.actGroups(n)...)
	}
	acts := len(groups)
	for _, n := range norms {
		for _, start := range slices.Concat(n.Starts, n.Missed) {
			groups = append(groups, c.transitionsOf(start.Event))
		}
	}
	sets, err := c.Model.firing(ctx, groups)
	if err != nil {
		return nil, err
	}
	s := &sweep[S]{map[*hclspec.Norm]S{}, map[bearing]S{}, map[*hclspec.Norm]S{}, map[*hclspec.Norm]S{}}
	at, next := 0, acts
	for _, n := range norms {
		of := max(1, len(n.Needs))
		if s.enabled[n], err = c.lastActs(ctx, n, sets[at:at+of]); err != nil {
			return nil, err
		}
		for i := range n.Bearers {
			at += of
			if s.byOwn[bearing{n, i}], err = c.lastActs(ctx, n, sets[at:at+of]); err != nil {
				return nil, err
			}
		}
		at += of
		for _, of := range []struct {
			sets   map[*hclspec.Norm]S
			starts []hclspec.Start
		}{{s.starts, n.Starts}, {s.missed, n.Missed}} {
			if of.sets[n], err = c.beginning(ctx, of.starts, sets[next:next+len(of.starts)]); err != nil {
				return nil, err
			}
			next += len(of.starts)
		}
	}
	return s, nil
}

// actGroups returns the transitions of a norm's acts, and for each tenure of its bearers those in which one of them takes part; of each act by
// itself if it takes all of them.
func (c *Checked[S]) actGroups(n *hclspec.Norm) [][]int {
	of := max(1, len(n.Needs))
	groups := make([][]int, of*(1+len(n.Bearers)))
	for t := range c.Net.Transitions {
		tr := &c.Net.Transitions[t]
		if tr.Event < 0 {
			continue
		}
		i := slices.Index(n.Acts, c.Events[tr.Event])
		switch {
		case i < 0:
			continue
		case n.Needs == nil:
			i = 0
		}
		groups[i] = append(groups[i], t)
		for b, by := range n.Bearers {
			if c.TakesPart(tr, by) {
				groups[(b+1)*of+i] = append(groups[(b+1)*of+i], t)
			}
		}
	}
	return groups
}

// lastActs joins the states in which a norm's acts can happen. Of acts that it takes all of, each is restricted to where the others have
// happened.
func (c *Checked[S]) lastActs(ctx context.Context, n *hclspec.Norm, acts []S) (can S, err error) {
	x := c.Model.sets()
	can = x.Minus(x.All(), x.All())
	for i := range acts {
		others := x.All()
		for j, p := range n.Needs {
			if j == i {
				continue
			}
			done, err := c.unbounded().Sat(ctx, at(c.Draft, n, p))
			if err != nil {
				return can, err
			}
			others = x.Intersect(others, done)
		}
		can = x.Union(can, x.Intersect(acts[i], others))
	}
	return can, x.Err()
}

// beginning joins the states in which the events of some starts can happen, each restricted to the start's conditions.
func (c *Checked[S]) beginning(ctx context.Context, starts []hclspec.Start, events []S) (S, error) {
	x := c.Model.sets()
	joined := x.Minus(x.All(), x.All())
	for i, set := range events {
		for _, p := range starts[i].While {
			while, err := c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))
			if err != nil {
				return joined, err
			}
			set = x.Intersect(set, while)
		}
		joined = x.Union(joined, set)
	}
	return joined, x.Err()
}

// transitionsOf returns the composed transitions of an event.
func (c *Checked[S]) transitionsOf(e *hclspec.Event) []int {
	var list []int
	for t := range c.Net.Transitions {
		if i := c.Net.Transitions[t].Event; i >= 0 && c.Events[i] == e {
			list = append(list, t)
		}
	}
	return list
}

// partakes reports whether one of some parties takes part in some way of an event.
func partakes(d *compile.Draft, e *hclspec.Event, who hclspec.Tenure) bool {
	return slices.ContainsFunc(d.Net.Transitions, func(t petri.Transition) bool {
		return t.Event >= 0 && d.Events[t.Event] == e && d.TakesPart(&t, who)
	})
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
	Stuck  bool // those who bear it can't, unless others act first
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
func (c *Checked[S]) fulfilment(ctx context.Context, s *sweep[S], n *hclspec.Norm, binding S) (can, own S, err error) {
	x := c.Model.sets()
	done := x.Minus(binding, binding) // all that the bearer has to do is done, and time has to pass
	for _, p := range n.Lead {
		running, err := c.unbounded().Sat(ctx, c.Marked(c.PlacesAt()[p]))
		if err != nil {
			return can, own, err
		}
		done = x.Union(done, running)
	}
	can, err = x.Until(ctx, binding, x.Intersect(binding, x.Union(done, s.enabled[n])))
	if err != nil {
		return can, own, err
	}
	own = x.Minus(binding, binding)
	for i, by := range n.Bearers {
		during, err := c.unbounded().Sat(ctx, compile.Join(ctl.And, c.During(by)))
		if err != nil {
			return can, own, err
		}
		theirs := x.Intersect(binding, during)
		alone, err := c.Model.back(ctx, c.unaided(n, by), theirs, x.Intersect(theirs, x.Union(done, s.byOwn[bearing{n, i}])))
		if err != nil {
			return can, own, err
		}
		own = x.Union(own, alone)
	}
	return can, own, x.Err()
}

// usedUp returns those of the states in which an obligation is owed and can't be fulfilled in which the reason is that what fulfils it has happened
// already and happens only once; and a sentence that says so and what mends it. If there are none it returns all of the states and "".
func (n *normChecks[S]) usedUp(ctx context.Context, norm *hclspec.Norm, lost S) (S, string, error) {
	if norm.Needs == nil {
		return n.allHappened(ctx, norm, lost, norm.Acts, nil)
	}
	for i, act := range norm.Acts {
		yet := &ctl.Formula{Op: ctl.Not, Left: at(n.Checked.Draft, norm, norm.Needs[i])}
		if set, why, err := n.allHappened(ctx, norm, lost, []*hclspec.Event{act}, []*ctl.Formula{yet}); err != nil || why != "" {
			return set, why, err
		}
	}
	return lost, "", nil
}

// allHappened does the same for some acts, in states that also satisfy some formulas.
func (n *normChecks[S]) allHappened(ctx context.Context, norm *hclspec.Norm, lost S, acts []*hclspec.Event, so []*ctl.Formula) (S, string, error) {
	var names []string
	for _, act := range acts {
		p, once := n.PlaceOf[act.Name+"!.after"]
		if !once {
			return lost, "", nil
		}
		so, names = append(so, n.Marked(p)), append(names, fmt.Sprintf("%q", act.Name))
	}
	happened, err := n.checker.Sat(ctx, compile.Join(ctl.And, so))
	if err != nil {
		return lost, "", err
	}
	x := n.Model.sets()
	happened = x.Intersect(lost, happened)
	if x.Err() != nil || n.none(happened) {
		return lost, "", x.Err()
	}
	again, err := n.beginsAgain(ctx, norm)
	if err != nil {
		return lost, "", err
	}
	called := strings.Join(names, " and ")
	why, them := called+" has happened already, and happens only once.", "it"
	if len(acts) > 1 {
		why, them = called+" have happened already, and happen only once.", "them"
	}
	if len(norm.Starts) == 0 || norm.Nth > 0 || again { // it may have happened while it was owed
		return happened, fmt.Sprintf("%s Let %s happen again, with repeats = true.", why, them), nil
	}
	only := fmt.Sprintf("only_while = %s.%s", norm.Written(), norm.On().Name)
	if slices.ContainsFunc(acts, func(e *hclspec.Event) bool { return len(e.Needs) > 0 }) {
		only = fmt.Sprintf("%s.%s in only_while as well", norm.Written(), norm.On().Name)
	}
	return happened, fmt.Sprintf("%s Keep %s from happening before it is owed, with %s, or let %[2]s happen again, with repeats = true.", why, them, only), nil
}

// beginsAgain reports whether what brings an obligation about can happen once it has been fulfilled.
func (n *normChecks[S]) beginsAgain(ctx context.Context, norm *hclspec.Norm) (bool, error) {
	done, err := n.checker.Sat(ctx, at(n.Checked.Draft, norm, norm.Net.PlaceNamed(norm.Kind.Construct().Done)))
	if err != nil {
		return false, err
	}
	s, err := n.sweep(ctx)
	if err != nil {
		return false, err
	}
	return !n.none(n.Model.sets().Intersect(done, s.starts[norm])), n.Model.sets().Err()
}
