package testkit

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/hclspec"
)

func RestsText(r *finding.Rests) string {
	var norms []string
	for _, set := range r.Norms {
		var names []string
		for _, n := range set {
			names = append(names, n.Norm)
		}
		norms = append(norms, fmt.Sprint(names))
	}
	text := fmt.Sprint(r.Sets, " norms ", norms, r.More) + r.Unknown
	if r.NoRuns {
		text += " for want of runs"
	}
	return text
}

// A naiveEvent is what happens as one.
type naiveEvent struct {
	transitions []int
	who         []string
}

// NaiveEvents are the events of a draft's net, and those who take part in any, in order.
func NaiveEvents(d *compile.Draft) (map[string]*naiveEvent, []string) {
	nets := netNames(d)
	events := map[string]*naiveEvent{}
	var members []string
	for i, t := range d.Net.Transitions {
		key := fmt.Sprint(t.Event)
		if t.Event < 0 {
			key = t.Name
		}
		e := events[key]
		if e == nil {
			e = &naiveEvent{}
			events[key] = e
		}
		e.transitions = append(e.transitions, i)
		for _, p := range t.Parts {
			e.who = append(e.who, nets[p.Net])
			members = append(members, nets[p.Net])
		}
	}
	slices.SortFunc(members, func(a, b string) int {
		return cmp.Or(cmp.Compare(map[bool]int{true: 1}[a == "time"], map[bool]int{true: 1}[b == "time"]), hclspec.Natural(a, b))
	})
	return events, slices.Compact(members)
}

// A naiveMoves says what can happen in each marking of a draft's net, in order, and which of it changes something and is not forbidden: it
// breaches no norm that somebody bears who takes part or, on ideal runs, none at all.
type naiveMoves struct {
	steps   [][][]int
	changes []map[int]bool
}

func NaiveMovesOf(d *compile.Draft, ideal bool, markings []petri.Marking) naiveMoves {
	var moves naiveMoves
	forbidden := func(t int, before, after petri.Marking) bool {
		return slices.ContainsFunc(d.Spec.Norms, func(n *hclspec.Norm) bool {
			p := slices.IndexFunc(d.Net.Places, func(p petri.Place) bool { return p.Net == n.Name && p.Name == "breached" })
			acts := slices.ContainsFunc(d.Net.Transitions[t].Parts, func(p petri.Part) bool {
				return slices.Contains(strings.FieldsFunc(n.Keeper(), func(r rune) bool { return r == ' ' }), netNames(d)[p.Net])
			})
			return p >= 0 && (ideal || acts) && after.Has(p) && !before.Has(p)
		})
	}
	for _, m := range markings {
		changes := map[int]bool{}
		for t := range d.Net.Transitions {
			if d.Net.Fireable(m, t) {
				after, _ := d.Net.Fire(m, []int{t})
				changes[t] = !slices.Equal(d.Present(after), d.Present(m)) && !forbidden(t, m, after)
			}
		}
		moves.steps, moves.changes = append(moves.steps, d.Net.Steps(m, d.Rule)), append(moves.changes, changes)
	}
	return moves
}

// Fairness is the definition of S-fair runs, which may stop.
func (m naiveMoves) Fairness(events map[string]*naiveEvent, set []string) naive.Fairness {
	var fair [][]int
	for _, e := range events {
		if !slices.ContainsFunc(e.who, func(name string) bool { return !slices.Contains(set, name) }) {
			fair = append(fair, e.transitions)
		}
	}
	return naive.Fairness{
		Stops: true, Actors: len(fair),
		Can: func(k, s int) bool {
			return slices.ContainsFunc(fair[k], func(t int) bool { return m.changes[s][t] })
		},
		Acts: func(k, s, arc int) bool {
			return slices.ContainsFunc(m.steps[s][arc], func(t int) bool { return slices.Contains(fair[k], t) && m.changes[s][t] })
		},
	}
}

// Leavable are the prohibitions that whoever bears them keeps by doing nothing: some bearer is in every way of what is forbidden, and it does
// not happen by itself.
func Leavable(d *compile.Draft) []*hclspec.Norm {
	var list []*hclspec.Norm
	for _, n := range d.Spec.Norms {
		free := n.Kind == hclspec.Prohibition && d.Rule == petri.One
		for _, t := range d.Net.Transitions {
			if t.Event < 0 || !slices.Contains(n.Acts, d.Events[t.Event]) {
				continue
			}
			for _, tenure := range n.Bearers {
				in := slices.ContainsFunc(t.Parts, func(p petri.Part) bool {
					return !d.Part(p).Passive && slices.ContainsFunc(tenure.Parties, func(q *hclspec.Party) bool { return q.Person() == d.Parties[p.Net].Person() })
				})
				free = free && in && d.Events[t.Event].Due == nil
			}
		}
		if free {
			list = append(list, n)
		}
	}
	return list
}

// forbidden reports whether such a prohibition names the event of a transition.
func forbidden(d *compile.Draft, t int) bool {
	e := d.Net.Transitions[t].Event
	return e >= 0 && slices.ContainsFunc(Leavable(d), func(n *hclspec.Norm) bool { return slices.Contains(n.Acts, d.Events[e]) })
}

// NaiveRests says naively on whom a requirement rests.
func NaiveRests(d *compile.Draft, ideal bool, i int, g naive.Graph, markings []petri.Marking) string {
	sets, norms, noRuns := NaiveResting(d, ideal, i, g, markings)
	var kept []string
	for _, set := range norms {
		kept = append(kept, fmt.Sprint(set))
	}
	text := fmt.Sprint(sets, " norms ", kept, false)
	if noRuns {
		text += " for want of runs"
	}
	return text
}

// NaiveResting asks every set of members and, where none will do, every set of norms; noRuns says that all members together keep a promise on ideal runs for want of any.
func NaiveResting(d *compile.Draft, ideal bool, i int, g naive.Graph, markings []petri.Marking) (sets, kept [][]string, noRuns bool) {
	events, members := NaiveEvents(d)
	moves := NaiveMovesOf(d, ideal, markings)
	all := make([]bool, len(g.Succ))
	var norms []string
	breached := map[string]int{}
	for _, n := range d.Spec.Norms {
		if n.Breached() != nil {
			norms = append(norms, n.Name)
			breached[n.Name] = slices.IndexFunc(d.Net.Places, func(p petri.Place) bool { return p.Net == n.Name && p.Name == n.Breached().Name })
		}
	}
	unbroken := func(kept []string) []bool {
		in := slices.Clone(all)
		for s, m := range markings {
			in[s] = !slices.ContainsFunc(kept, func(n string) bool { return m.Has(breached[n]) })
		}
		return in
	}
	try := func(set []string) (kept, idle bool) {
		fair := moves.Fairness(events, set)
		kept = naive.FairSat(g, fair, d.Formulas[i])[0]
		return kept, ideal && !naive.FairSat(g, fair, d.IdealRun())[0]
	}
	sets = naiveLeast(members, try)
	if all, idle := try(members); sets == nil {
		noRuns = all && idle
	}
	if _, strict := rests.Normal(d.Formulas[i], true); sets == nil && !ideal && strict {
		fair := moves.Fairness(events, members)
		kept = naiveLeast(norms, func(set []string) (bool, bool) {
			alive := naive.FairPath(g, fair, unbroken(set))
			return alive[0] && naive.FairSat(within(g, alive), arcsWithin(fair, g, alive), d.Formulas[i])[0], false
		})
	}
	return sets, kept, noRuns
}

// within is the part of a graph that has some states alone.
func within(g naive.Graph, in []bool) naive.Graph {
	part := naive.Graph{Holds: g.Holds, Succ: make([][]int, len(g.Succ))}
	for s := range g.Succ {
		for _, t := range g.Succ[s] {
			if in[s] && in[t] {
				part.Succ[s] = append(part.Succ[s], t)
			}
		}
	}
	return part
}

// arcsWithin counts arcs as that part does.
func arcsWithin(fair naive.Fairness, g naive.Graph, in []bool) naive.Fairness {
	acts := fair.Acts
	fair.Acts = func(k, s, arc int) bool {
		for i, t := range g.Succ[s] {
			if !in[t] {
				continue
			}
			if arc == 0 {
				return acts(k, s, i)
			}
			arc--
		}
		panic("no such arc")
	}
	return fair
}

// naiveLeast tries every set, the smallest first. One that is kept only because no run is left does not count.
func naiveLeast(names []string, try func(set []string) (kept, idle bool)) [][]string {
	var found [][]string
	for size := range len(names) + 1 {
		for _, set := range subsets(names, size) {
			larger := slices.ContainsFunc(found, func(f []string) bool {
				return !slices.ContainsFunc(f, func(n string) bool { return !slices.Contains(set, n) })
			})
			if kept, idle := try(set); kept && !idle && !larger {
				found = append(found, set)
			}
		}
	}
	return found
}

// subsets lists the sets of so many names, in order.
func subsets(names []string, size int) [][]string {
	if size == 0 {
		return [][]string{{}}
	}
	var all [][]string
	for i := range names {
		for _, rest := range subsets(names[i+1:], size-1) {
			all = append(all, append([]string{names[i]}, rest...))
		}
	}
	return all
}
