package behaviour

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// A party is exposed if it has performed and has not been performed for. This holds while a place is marked that the drafter declares as
// exposed (exposed = true). It also holds while another party owes it something, or has breached that and neither repaired it nor performed
// it late, and the party has fulfilled an obligation of its own towards that party.

// exposure sets when each party is exposed on both sides, in order of names, or why that is not known of some, unless as before.
func (v *Versions) exposure(ctx context.Context, d *finding.Difference, x *Observables) {
	var sides [2]map[string][]way
	for side, draft := range []*compile.Draft{v.Base.Draft, v.Head.Draft} {
		sides[side] = exposedBy(draft, v.Names.Of(side))
	}
	calls := v.callers()
	_, _, retimed := compile.Retimed(v.Base.Draft, v.Head.Draft)
	for _, party := range slices.SortedFunc(maps.Keys(Union(sides[0], sides[1])), hclspec.Natural) {
		e := finding.Exposure{
			Party: party, Called: v.called(party), Unit: x.unit,
		}
		var performs [2][]*hclspec.Norm
		for side, to := range []**finding.Exposed{&e.Base, &e.Head} {
			if version := [2]*Version{&v.Base, &v.Head}[side]; !v.has(side, party) {
				continue
			} else if version.Model == nil {
				d.Unexposed = cmp.Or(d.Unexposed, fmt.Sprintf("that takes a list of all states, and there is none of %s: %s", []string{"base", "head"}[side], version.Why))
			} else if found, acts, err := exposed(ctx, version.Model, sides[side][party], calls[side]); err != nil {
				d.Unexposed = cmp.Or(d.Unexposed, v.Budget.Reason(err))
			} else {
				*to, performs[side] = found, acts
			}
		}
		if e.Base != nil && e.Head != nil {
			v.own(ctx, &e, performs)
		}
		for i, side := range []*finding.Exposed{e.Base, e.Head} {
			if retimed && side != nil {
				side.Lasts = nil
			}
			if side != nil && side.None {
				side.Owes, side.Owed = v.bound(i, party)
			}
			if side != nil && side.By != nil {
				for _, set := range side.By.Sets {
					for k, member := range set {
						if member != "time" {
							name := v.person(v.Names.Of(i).Head(diff.Party, member))
							set[k] = cmp.Or(v.called(name), hclspec.WithArticle("the ", name))
						}
					}
				}
			}
		}
		if some(e.Base) || some(e.Head) {
			d.Exposure = append(d.Exposure, e)
		}
	}
	declares := func(c diff.Change) bool {
		return slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return t.Word == "exposed" })
	}
	if compile.SameNet(v.Base.Draft, v.Head.Draft) && x.sameNorms() && !slices.ContainsFunc(v.Changes, declares) {
		d.Unexposed = "" // it is as before
	}
}

// own sets what a party performs that exposes it, and whether it can perform less of that on the side on which it is never exposed.
func (v *Versions) own(ctx context.Context, e *finding.Exposure, performs [2][]*hclspec.Norm) {
	models := [2]*verify.Listed{v.Base.Model, v.Head.Model}
	for side, norms := range performs {
		naming, other := v.Names.Of(side), models[1-side]
		for _, n := range norms {
			name := naming.Head(diff.Obligation, n.Written())
			e.Own = append(e.Own, name)
			for _, act := range n.Acts {
				e.Own = append(e.Own, naming.Event(act.Name))
			}
			var fulfilled []*ctl.Formula
			for _, m := range other.Spec.Norms {
				if m.Kind == hclspec.Obligation && v.Names.Of(1-side).Head(diff.Obligation, m.Written()) == name {
					fulfilled = append(fulfilled, inState(other.Draft, m, "fulfilled"))
				}
			}
			set, err := other.Checker(nil).Sat(ctx, compile.Join(ctl.Or, fulfilled))
			e.Less = e.Less || some(e.Base) != some(e.Head) && (err != nil || set.Len() == 0)
		}
	}
	slices.Sort(e.Own)
	e.Own = slices.Compact(e.Own)
}

// A caller returns the name by which readers know a transition of one side: its title, else its action.
type caller func(t int) string

// callers returns the callers of both sides. What both have is called as on head, so that a new name or title makes no difference.
func (v *Versions) callers() (calls [2]caller) {
	onHead := map[Action]string{}
	for side, c := range []*verify.Listed{v.Base.Model, v.Head.Model} {
		if c == nil {
			continue
		}
		naming := v.Names.Of(side)
		calls[side] = func(t int) string {
			a := ActionOf(naming, c.Draft, t)
			return cmp.Or(onHead[a], title(c.Checked.Draft, t), a.Name)
		}
	}
	if c := v.Head.Model; c != nil {
		for t := range c.Net.Transitions {
			a := ActionOf(v.Names.Of(1), c.Draft, t)
			onHead[a] = cmp.Or(onHead[a], title(c.Checked.Draft, t), a.Name)
		}
	}
	return calls
}

// has reports whether a side has a party, by its name on head.
func (v *Versions) has(side int, party string) bool {
	d := [2]*compile.Draft{v.Base.Draft, v.Head.Draft}[side]
	return slices.ContainsFunc(d.Parties, func(p *hclspec.Party) bool { return v.Names.Of(side).Reader(p) == party })
}

// person returns the party of head that plays a role of a phase, and the name of any other as it is.
func (v *Versions) person(name string) string {
	for _, p := range v.Head.Draft.Parties {
		if p.Name == name {
			return p.Person()
		}
	}
	return name
}

// bound reports whether a party, by its name on head, owes anything on a side, and whether anything is owed to it.
func (v *Versions) bound(side int, party string) (owes, owed bool) {
	includes := func(tenures []hclspec.Tenure) bool {
		return slices.ContainsFunc(tenures, func(t hclspec.Tenure) bool {
			return slices.ContainsFunc(t.Parties, func(p *hclspec.Party) bool { return v.Names.Of(side).Reader(p) == party })
		})
	}
	for _, n := range [2]*compile.Draft{v.Base.Draft, v.Head.Draft}[side].Spec.Norms {
		if n.Kind == hclspec.Obligation {
			owes, owed = owes || includes(n.Bearers), owed || includes(n.Counterparties)
		}
	}
	return owes, owed
}

func some(e *finding.Exposed) bool { return e != nil && e.States > 0 }

// A way of being exposed is a formula that holds. If late is not nil, it is an obligation that is breached, and a run leads here on which
// it was not performed since.
type way struct {
	when *ctl.Formula
	late *hclspec.Norm
	nets []*hclspec.Party // whose states it is about: two obligations, or a party

	own  *hclspec.Norm // the obligation that the party has performed, or nil; and when it is owed something, performed or not
	open *ctl.Formula
}

// exposedBy returns the ways in which each party is exposed, by its name on head. Parties that can never be exposed are left out.
func exposedBy(d *compile.Draft, n compile.SideNaming) map[string][]way {
	ways := map[string][]way{}
	for i, p := range d.AllPlaces {
		if p.Exposed {
			ways[n.Reader(d.Owners[i])] = append(ways[n.Reader(d.Owners[i])], way{when: d.Marked(i), nets: d.Owners[i : i+1]})
		}
	}
	for _, owed := range d.Spec.Norms {
		if owed.Kind != hclspec.Obligation {
			continue
		}
		for _, own := range d.Spec.Norms {
			if own.Kind != hclspec.Obligation {
				continue
			}
			for _, m := range mutuals(d, owed, own) {
				party := n.Reader(m.party)
				for _, w := range outstanding(d, owed) {
					w.own, w.nets = own, []*hclspec.Party{owed.Net, own.Net}
					w.open = compile.Join(ctl.And, append([]*ctl.Formula{w.when}, m.while...))
					w.when = compile.Join(ctl.And, append([]*ctl.Formula{w.when, inState(d, own, "fulfilled")}, m.while...))
					ways[party] = append(ways[party], w)
				}
			}
		}
	}
	return ways
}

// A mutual is a party that is owed one obligation and bears another to a bearer of the first, while all of some formulas hold.
type mutual struct {
	party *hclspec.Party
	while []*ctl.Formula
}

// mutuals returns the parties that are owed one obligation and bear another to a bearer of the first.
func mutuals(d *compile.Draft, owed, own *hclspec.Norm) (list []mutual) {
	for _, creditor := range owed.Counterparties {
		for _, debtor := range owed.Bearers {
			for _, b := range own.Bearers {
				for _, c := range own.Counterparties {
					if !slices.ContainsFunc(c.Parties, debtor.Includes) {
						continue
					}
					for _, p := range creditor.Parties {
						if b.Includes(p) {
							list = append(list, mutual{p, d.During(creditor, debtor, b, c)})
						}
					}
				}
			}
		}
	}
	return list
}

// inState returns the formula that an obligation is in a state: owed, fulfilled or breached. It is false if the obligation has no such state.
func inState(d *compile.Draft, n *hclspec.Norm, so string) *ctl.Formula {
	place, ok := d.PlaceOf[n.Name+"."+so]
	if !ok {
		return &ctl.Formula{Op: ctl.False}
	}
	return d.Marked(place)
}

// exposed counts the states in which a party is exposed in one of some ways, and finds the steps that begin and end them, and the obligations of
// its own that it has then fulfilled. Without a way a party is never exposed.
func exposed(ctx context.Context, c *verify.Listed, ways []way, call caller) (e *finding.Exposed, performs []*hclspec.Norm, err error) {
	sets := c.Graph.Sets()
	set, late := sets.None(), map[string]space.Set{}
	for _, w := range ways {
		in, err := c.Checker(nil).Sat(ctx, w.when)
		if err != nil {
			return nil, nil, err
		}
		if w.late != nil {
			of, known := late[w.late.Written()]
			if !known {
				of = unperformed(c, w.late)
				late[w.late.Written()] = of
			}
			in = sets.Intersect(in, of)
		}
		if set = sets.Union(set, in); in.Len() > 0 && w.own != nil {
			performs = append(performs, w.own)
		}
	}
	early, err := performedEarly(ctx, c, ways, set, late)
	if err != nil {
		return nil, nil, err
	}
	stays, err := sets.Always(ctx, set)
	if err != nil {
		return nil, nil, err
	}
	e = &finding.Exposed{Ends: stays.Len() == 0, None: len(ways) == 0, Early: early}
	if e.Ends && set.Len() > 0 {
		e.By = c.Leaving(ctx, set)
	}
	return e, performs, turns(ctx, c, e, set, ways, call)
}

// turns counts the states, those that differ in history once, and names the steps that begin and end the exposure.
func turns(ctx context.Context, c *verify.Listed, e *finding.Exposed, set space.Set, ways []way, call caller) error {
	of := []any{c.Unnamed}
	for _, w := range ways {
		of = append(of, verify.FormulaKey(w.when), w.late != nil)
	}
	found := verify.Memoized(ctx, c.Memo, c.Key("turns", of...), func() exposedStates {
		all := turnedBy(ctx, c, set, ways)
		if all.states > 0 && all.err == nil {
			all.lasts = lasting(c, set, e.Ends)
		}
		return all
	})
	e.States, e.Of, e.Apart, e.Lasts = found.states, found.of, found.apart, found.lasts
	for i, to := range []*[]string{&e.From, &e.To, &e.Stuck} {
		names := map[string]bool{}
		for t := range found.by[i] {
			names[call(t)] = true
		}
		*to = slices.SortedFunc(maps.Keys(names), hclspec.Natural)
	}
	return found.err
}

// A turned has the number of exposed states, of all states, and the transitions that begin and end the exposure.
type exposedStates struct {
	states, of int
	apart      int             // those of states that the nets of the ways tell apart
	by         [3]map[int]bool // the third: after which it can't end any more
	lasts      *finding.Lasting
	err        error
}

func turnedBy(ctx context.Context, c *verify.Listed, set space.Set, ways []way) exposedStates {
	e := exposedStates{by: [3]map[int]bool{{}, {}, {}}}
	in := func(s int) bool { return space.Has(set, s) }
	sets := c.Graph.Sets()
	leaves, err := sets.Until(ctx, set, sets.Minus(sets.All(), set))
	if err != nil {
		return exposedStates{err: err}
	}
	had, apart := map[string]bool{}, map[string]bool{} // markings without history, and of what the ways are about without its clocks
	clocks := []hclspec.Kind{hclspec.ClockOff, hclspec.ClockLeft, hclspec.ClockKept}
	about := func(p int) bool {
		return p < len(c.Owners) && !slices.Contains(clocks, c.AllPlaces[p].Kind) && slices.ContainsFunc(ways, func(w way) bool { return slices.Contains(w.nets, c.Owners[p]) }) // else it is history
	}
	for s := range c.Graph.Len() {
		if s%1024 == 0 && ctx.Err() != nil {
			return exposedStates{err: context.Cause(ctx)}
		}
		if once(c, had, s) {
			e.of++
			e.states += verify.ZeroOrOne(in(s))
		}
		if in(s) {
			apart[markingKey(slices.DeleteFunc(slices.Clone(c.Graph.Marking(s)), func(p int) bool { return !about(p) }))] = true
		}
		var steps [][]int // once they are needed
		for i, next := range c.Graph.Succ(s) {
			gone, turned := space.Has(leaves, s) && !space.Has(leaves, int(next)), in(s) != in(int(next))
			if steps == nil && (gone || turned) {
				steps = c.Graph.Steps(s)
			}
			if gone {
				for _, t := range steps[i] {
					e.by[2][t] = true
				}
			}
			if !turned {
				continue
			}
			for _, t := range turning(c, c.Graph.Marking(s), steps[i], ways) {
				e.by[verify.ZeroOrOne(in(s))][t] = true
			}
		}
	}
	e.apart = len(apart)
	return e
}

// once reports whether a state is the first among those that differ in history alone.
func once(c *verify.Listed, had map[string]bool, s int) bool {
	if len(c.History) == 0 {
		return true
	}
	key := markingKey(c.Present(c.Graph.Marking(s)))
	first := !had[key]
	had[key] = true
	return first
}

// turning returns the transitions of a step that alone change the value of a formula of some ways or perform late, or all of them if none does.
func turning(c *verify.Listed, m petri.Marking, step []int, ways []way) []int {
	if len(step) == 1 {
		return step
	}
	r := &explain.Replayer{Net: c.Net, Rule: c.Rule}
	holds := func(m petri.Marking) bool {
		return slices.ContainsFunc(ways, func(w way) bool { now, _ := r.Value(m, w.when); return now })
	}
	var list []int
	for _, t := range step {
		after, _ := c.Net.Fire(m, []int{t})
		if holds(after) != holds(m) || slices.ContainsFunc(ways, func(w way) bool { return w.late != nil && performing(c.Draft, w.late.Acts)[t] }) {
			list = append(list, t)
		}
	}
	if list == nil {
		return step
	}
	return list
}
