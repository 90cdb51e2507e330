package verify

import (
	"context"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/symmetry"
)

// Progress is weak fairness for each party: on an infinite path, a party that from some point on can always act acts infinitely often. A
// party acts when a transition fires in which it takes part and which changes something. A self-loop that only tests a state is no act.
// Paths that end in a dead end are not affected. Package space decides this (space.Fair) and finds the runs; the replayer checks each run
// against the definition above.

// acts returns, for each actor, the composed transitions that are its acts. Of ideal runs, what is shunned is none.
func acts(d *compile.Draft, actors []int, ideal bool) [][]int {
	all := make([][]int, len(actors))
	var shunned []bool
	if ideal {
		shunned = d.Shunned()
	}
	for t := range d.Net.Transitions {
		if ideal && shunned[t] || !isAct(&d.Net.Transitions[t]) {
			continue
		}
		for k, actor := range actors {
			if slices.ContainsFunc(d.Net.Transitions[t].Parts, func(p petri.Part) bool { return actsFor(d, p, actor) }) {
				all[k] = append(all[k], t)
			}
		}
	}
	return all
}

// actsFor reports whether a part is an act of a party or of a role that it plays.
func actsFor(d *compile.Draft, p petri.Part, party int) bool {
	return (p.Net == party || d.Parties[p.Net].Plays == d.Parties[party].Name) && !d.Part(p).Passive
}

// acting reports whether a part is some party's act. Nets do not act, and the beginning of a phase is no act.
func acting(d *compile.Draft, p petri.Part) bool {
	return !d.Parties[p.Net].IsNet && !d.Part(p).Passive
}

// isAct reports whether a transition can change anything. Whether it does depends on the marking.
func isAct(t *petri.Transition) bool { return len(t.In)+len(t.Out)+len(t.Moves) > 0 }

// Checker returns a labelling on the paths on which the actors with these acts make progress. Its sets may take a quarter of the state
// model's memory. All labellings have the same share, so no verdict depends on what is decided at the same time.
func (c *Checked[S]) Checker(acts [][]int) *labelling[S] {
	return c.labelling("", acts, c.Memory.Part(4))
}

// stopping returns a labelling on the runs that may stop for good in any state and are fair to events.
func (c *Checked[S]) stopping(on explain.Runs) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.symmetric(c.Model.Stopping(on, c.Memory.Part(4)), on.Acts) }}
	if c.Memo != nil {
		l.memo, l.of = c.Memo, c.Key("stopping", on)()
	}
	return l
}

// labelling returns a labelling whose checker is made on first use. Kind distinguishes memo keys.
func (c *Checked[S]) labelling(kind string, acts [][]int, memory finding.Bytes) *labelling[S] {
	l := &labelling[S]{start: func() *ctl.Checker[S] { return c.symmetric(c.Model.Labels(acts, memory), acts) }}
	if c.Memo != nil {
		l.memo, l.of = c.Memo, c.Key(kind, acts)()
	}
	return l
}

// symmetric tells a checker which instances the net cannot tell apart, nor fairness to these acts.
func (c *Checked[S]) symmetric(checker *ctl.Checker[S], acts [][]int) *ctl.Checker[S] {
	x := c.exchanges(acts, nil, nil)
	checker.Symmetric(func(f, g *ctl.Formula) bool { _, alike := x.members(f, g); return alike })
	return checker
}

// An exchanges finds instances that neither a net nor sets of its transitions tell apart. They are prepared on first use.
type exchanges struct {
	groups func() (*symmetry.Net, *symmetry.Groups)
}

// exchanges returns those of the draft's net that keep some sets of transitions, with their members: see symmetry.Groups.
func (c *Checked[S]) exchanges(sets, who [][]int, members []string) exchanges {
	return exchanges{sync.OnceValues(func() (*symmetry.Net, *symmetry.Groups) {
		net := c.symmetries()
		return net, net.TransitionGroups(sets, who, members)
	})}
}

// members reports whether an exchange maps one formula to another, and which members it moves.
func (x exchanges) members(f, g *ctl.Formula) (map[int]int, bool) {
	net, groups := x.groups()
	between := net.Between(f, g)
	if between == nil {
		return nil, false
	}
	return between.Keeps(groups)
}

// unbounded returns a labelling on all paths, without a memory limit.
func (c *Checked[S]) unbounded() *labelling[S] { return c.labelling("unbounded", nil, 0) }

// CanonicalMeaning returns the canonical meaning of a resolved formula with its terms.
func CanonicalMeaning(d *compile.Draft, f *ctl.Formula, t compile.Terms) string {
	return d.Saying(f.CTL(), t)
}

// Fair returns the runs that terms select: fair to the acts of each party that makes progress or, for resting terms, to each event in which
// only the named parties take part. It returns false if a name has no party.
func Fair(d *compile.Draft, t compile.Terms) (explain.Runs, bool) {
	parties, known := d.Actors(t.Names)
	if !known || !t.Resting {
		return explain.Runs{Acts: acts(d, parties, t.Ideal)}, known
	}
	a := arenaOf(d)
	var members []int
	for _, p := range parties {
		if m := slices.Index(a.members, d.Parties[p].Person()); m >= 0 {
			members = append(members, m)
		}
	}
	return explain.Runs{Acts: a.actsOf(members), Stops: true, Barred: barred(d, t.Ideal)}, true
}

// Urgent returns the runs on which nobody puts anything off: those that may stop and are fair to every event.
func Urgent(d *compile.Draft, ideal bool) explain.Runs {
	return explain.Runs{Acts: arenaOf(d).acts, Stops: true, Barred: barred(d, ideal)}
}

// On returns a labelling on the runs that the terms select, and which they are.
func (c *Checked[S]) On(t compile.Terms) (*labelling[S], explain.Runs) {
	on, _ := Fair(c.Draft, t)
	if t.Resting {
		return c.stopping(on), on
	}
	return c.Checker(on.Acts), on
}

// timely sets req.Timely if a requirement fails on an infinite run, on which time may stop, but holds if time passes as long as it can. If
// the budget ends, it is not set. It is the same whatever run shows the violation: where it holds if time passes, all of them are infinite.
func (c *Checked[S]) timely(ctx context.Context, f *ctl.Formula, req *finding.Requirement) {
	if !ticks(c.Draft) || req.Resting || slices.Contains(req.Assuming, "time") || !goesOn(req.Trace) {
		return
	}
	holds, err := c.Checker(c.actsOf(append(slices.Clone(req.Assuming), "time"), req.Ideal)).Holds(ctx, f)
	req.Timely = err == nil && holds
}

// actsOf returns the acts of the named parties, by party.
func (c *Checked[S]) actsOf(names []string, ideal bool) [][]int {
	actors, _ := c.Actors(names)
	return acts(c.Draft, actors, ideal)
}

// goesOn reports whether a run, or one that explains it, is infinite.
func goesOn(t *finding.Trace) bool {
	return t != nil && (len(t.Loop) > 0 || slices.ContainsFunc(t.Then, goesOn))
}
