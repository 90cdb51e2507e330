package behaviour_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
)

// TestForeseenAgainstNaive: which norms can't begin, be used or be fulfilled any more on head where they can on base is what the definition taken at its word says.
func TestForeseenAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 100
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(20, 7))
	some, freer, told, unsure, each := 0, 0, 0, 0, map[finding.TurnKind]int{}
	for n := 0; n < pairs; {
		base, head := drawTurning(r)
		head.Who = slices.Clone(head.Who)
		if e := r.IntN(len(base.Who)); r.IntN(2) == 0 && e < len(head.Who) && len(base.Who[e]) > 1 {
			head.Who[e] = base.Who[e][:1]
		}
		x, y := testkit.DraftOf(t, base.Text()), testkit.DraftOf(t, head.Text())
		law := newTurnLaw(x, y, strings.Contains(base.Text()+head.Text(), "within") || strings.Contains(base.Text()+head.Text(), "lasts"))
		if law == nil || compile.SameNet(x, y) {
			continue
		}
		n++
		f := &foreseenLaw{law, [2][][]int{base.Who, head.Who}, nil, map[string]bool{}}
		f.follow()
		for name, norm := range law.norms[1] {
			if was := law.norms[0][name]; was != nil && was.Kind == norm.Kind && norm.Kind == hclspec.Obligation {
				f.norm = norm
				f.follow()
			}
		}
		f.norm = nil
		found := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Owed: true}).Difference
		if found == nil {
			continue
		}
		got := map[string]bool{}
		for _, g := range found.Gone {
			got[fmt.Sprint(g.How, " ", g.Norm)] = true
			each[g.How]++
		}
		vast := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic}).Difference
		drawn := map[string]bool{}
		for _, g := range vast.Gone {
			drawn[fmt.Sprint(g.How, " ", g.Norm)] = true
		}
		switch {
		case vast.Unforeseen != "":
			unsure++
			maps.DeleteFunc(drawn, func(what string, _ bool) bool { return f.gone[what] })
			if len(drawn) > 0 {
				t.Fatalf("on diagrams %v, too, naively %v\nbase\n%s\nhead\n%s", sorted(drawn), sorted(f.gone), base.Text(), head.Text())
			}
		case !maps.Equal(drawn, f.gone):
			t.Fatalf("on diagrams %v, naively %v\nbase\n%s\nhead\n%s", sorted(drawn), sorted(f.gone), base.Text(), head.Text())
		case len(drawn) > 0:
			told++
		}
		if !maps.Equal(got, f.gone) || found.Unforeseen != "" {
			t.Fatalf("%v %s, naively %v\nbase\n%s\nhead\n%s", sorted(got), found.Unforeseen, sorted(f.gone), base.Text(), head.Text())
		}
		if len(got) > 0 {
			some++
			if slices.ContainsFunc([]string{"e0", "e1", "e2"}, f.freer) {
				freer++
			}
		}
	}
	t.Logf("%d of %d pairs, %d where fewer act, %v; on diagrams %d, not known of %d", some, pairs, freer, each, told, unsure)
	if some < pairs/8 || freer < pairs/50 || len(each) < 4 || each[finding.TurnFulfilledAlone] < pairs/50 || told < some/3 {
		t.Error("the pairs are poor")
	}
}

// A foreseenLaw follows both versions by the definition: steps that one version alone has, or that take the act of fewer on head, are hidden.
type foreseenLaw struct {
	*turnLaw
	who  [2][][]int    // by side and event
	norm *hclspec.Norm // of which it is asked whether those who bear it can fulfil it alone; nil: of all norms all else
	gone map[string]bool
}

// takes returns the parties that an event takes on one side, or a party's own transition; none if it never happens there.
func (f *foreseenLaw) takes(side int, event string) (list []string) {
	if party, _, own := strings.Cut(event, "."); own {
		return []string{party}
	}
	happens := slices.ContainsFunc(f.models[side].Arcs, func(arcs []testkit.Labelled) bool {
		return slices.ContainsFunc(arcs, func(a testkit.Labelled) bool { return a.Name == event })
	})
	for e, who := range f.who[side] {
		for _, p := range who {
			if happens && event == fmt.Sprint("e", e) {
				list = append(list, testkit.PartyNames[p])
			}
		}
	}
	return list
}

func (f *foreseenLaw) freer(event string) bool {
	was, now := f.takes(0, event), f.takes(1, event)
	if f.norm != nil && f.agree(parties(f.norm.Bearers), was, now) && f.agree(parties(f.norm.Counterparties), was, now) {
		return false
	}
	return len(now) > 0 && slices.ContainsFunc(was, func(p string) bool { return !slices.Contains(now, p) })
}

// agree reports whether an event takes all of some parties, or did not take any of them.
func (f *foreseenLaw) agree(all, was, now []string) bool {
	in := func(list []string) func(string) bool {
		return func(p string) bool { return slices.Contains(list, p) }
	}
	return !slices.ContainsFunc(all, in(was)) || len(slices.DeleteFunc(slices.Clone(all), in(now))) == 0
}

func parties(list []hclspec.Tenure) (all []string) {
	for _, t := range list {
		for _, p := range t.Parties {
			all = append(all, p.Name)
		}
	}
	return all
}

// alone reports whether those who bear an obligation in a state can fulfil it without others.
func (f *foreseenLaw) alone(side, s int, norm string) bool {
	return slices.ContainsFunc(f.norms[side][norm].Bearers, func(by hclspec.Tenure) bool { return f.perform(side, s, norm, by) })
}

// perform reports whether some who bear an obligation in a state can fulfil it by their own steps while they do.
func (f *foreseenLaw) perform(side, s int, norm string, by hclspec.Tenure) bool {
	n := f.norms[side][norm]
	theirs := func(s int) bool {
		stands := f.models[side].Labels[s][norm]
		return f.live(side, s, norm) && (len(n.Bearers) == 1 || slices.ContainsFunc([]string{"owed", "suspended"}, func(state string) bool {
			return strings.HasPrefix(stands, fmt.Sprint(n.Kind, " ", finding.NormState{State: state, Bearer: by.String()}.Words("", nil)))
		}))
	}
	their := func(p string) bool { return slices.Contains(parties([]hclspec.Tenure{by}), p) }
	for all, i := []int{s}, 0; i < len(all); i++ {
		if !theirs(all[i]) {
			continue
		}
		for _, a := range f.models[side].Arcs[all[i]] {
			who := f.takes(side, a.Name)
			if slices.ContainsFunc(n.Acts, func(e *hclspec.Event) bool { return e.Name == a.Name }) && slices.ContainsFunc(who, their) {
				return true
			}
			if len(slices.DeleteFunc(slices.Clone(who), their)) == 0 && !slices.Contains(all, a.To) {
				all = append(all, a.To)
			}
		}
	}
	return false
}

// needsOthers adds the obligation asked of if those who bear it can't fulfil it without others in a state of head, who can, and can in some state of base.
func (f *foreseenLaw) needsOthers(own int, others []int) {
	for norm, n := range f.norms[1] {
		if n == f.norm && f.can(1, own, finding.TurnFulfilled, norm) && !f.alone(1, own, norm) && slices.ContainsFunc(others, func(o int) bool {
			return f.live(0, o, norm) == f.live(1, own, norm) && f.alone(0, o, norm)
		}) {
			f.gone[fmt.Sprint(finding.TurnFulfilledAlone, " ", norm)] = true
		}
	}
}

func (f *foreseenLaw) hidden(name string) bool {
	return name != "tick" && (f.has[0][name] != f.has[1][name] || f.freer(name))
}

func (f *foreseenLaw) live(side, s int, norm string) bool {
	stands := f.models[side].Labels[s][norm]
	return stands != "" && !strings.Contains(stands, "breached")
}

// comes reports whether a norm turns in some way by an arc.
func (f *foreseenLaw) comes(side, s int, a testkit.Labelled, how finding.TurnKind, norm string) bool {
	if how == finding.TurnBegins {
		return !f.live(side, s, norm) && f.live(side, a.To, norm)
	}
	return f.live(side, s, norm) && slices.ContainsFunc(f.norms[side][norm].Acts, func(e *hclspec.Event) bool { return e.Name == a.Name })
}

// can reports whether a norm can still turn so after some steps.
func (f *foreseenLaw) can(side, s int, how finding.TurnKind, norm string) bool {
	all := []int{s}
	for i := 0; i < len(all); i++ {
		for _, a := range f.models[side].Arcs[all[i]] {
			if f.comes(side, all[i], a, how, norm) {
				return true
			}
			if !slices.Contains(all, a.To) {
				all = append(all, a.To)
			}
		}
	}
	return false
}

// lost reports whether a norm can't turn so on head after a step, and could before, and can on base in some state. It is no loss of its own that what binds until the
// contract ends does not begin again, nor that what has ended is not used or fulfilled if it can't begin.
func (f *foreseenLaw) lost(from, to int, others []int, how finding.TurnKind, norm string) bool {
	begins := how == finding.TurnBegins
	if !f.can(1, from, how, norm) || f.can(1, to, how, norm) || !begins && f.live(1, from, norm) && !f.binds(to, norm) || begins && f.live(1, to, norm) && !f.ends(to, norm) {
		return false
	}
	return slices.ContainsFunc(others, func(o int) bool { return f.live(0, o, norm) == f.live(1, to, norm) && f.can(0, o, how, norm) })
}

// binds reports whether the norm binds in a state of head or after some steps from it.
func (f *foreseenLaw) binds(s int, norm string) bool {
	return slices.ContainsFunc(f.from(s), func(s int) bool { return f.live(1, s, norm) })
}

// ends reports whether the norm ends by some step from a state of head on, and the contract does not end by the same step.
func (f *foreseenLaw) ends(s int, norm string) bool {
	over := func(s int) bool { return f.models[1].Labels[s]["contract"] != "" }
	return slices.ContainsFunc(f.from(s), func(s int) bool {
		return f.live(1, s, norm) && slices.ContainsFunc(f.models[1].Arcs[s], func(a testkit.Labelled) bool {
			return !f.live(1, a.To, norm) && (over(s) || !over(a.To))
		})
	})
}

// from returns the states of head that some steps from one lead to.
func (f *foreseenLaw) from(s int) []int {
	all := []int{s}
	for i := 0; i < len(all); i++ {
		for _, a := range f.models[1].Arcs[all[i]] {
			if !slices.Contains(all, a.To) {
				all = append(all, a.To)
			}
		}
	}
	return all
}

// after returns where base can be after a step with a name, and what it does hidden then.
func (f *foreseenLaw) after(states []int, name string) (to []int) {
	for _, s := range states {
		for _, a := range f.models[0].Arcs[s] {
			if a.Name == name {
				to = append(to, a.To)
			}
		}
	}
	return f.closed(to)
}

func (f *foreseenLaw) closed(states []int) []int {
	for i := 0; i < len(states); i++ {
		for _, a := range f.models[0].Arcs[states[i]] {
			if f.hidden(a.Name) && !slices.Contains(states, a.To) {
				states = append(states, a.To)
			}
		}
	}
	slices.Sort(states)
	return slices.Compact(states)
}

func (f *foreseenLaw) follow() {
	type pair struct {
		own    int
		others []int
	}
	queue, met := []pair{{0, f.closed([]int{0})}}, map[string]bool{}
	f.needsOthers(0, queue[0].others)
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if met[fmt.Sprint(p)] {
			continue
		}
		met[fmt.Sprint(p)] = true
		for _, a := range f.models[1].Arcs[p.own] {
			others, foreign := p.others, f.hidden(a.Name)
			if !foreign {
				if to := f.after(p.others, a.Name); len(to) > 0 {
					others = to
				} else {
					foreign = true
				}
			}
			f.step(p.own, a, others, foreign)
			if !foreign || f.hidden(a.Name) {
				queue = append(queue, pair{a.To, others})
			}
		}
	}
}

// step adds what is gone by an arc.
func (f *foreseenLaw) step(own int, a testkit.Labelled, others []int, foreign bool) {
	ended := func(side, s int) bool { return f.models[side].Labels[s]["contract"] != "" }
	if ended(1, a.To) && slices.ContainsFunc(others, func(o int) bool { return !ended(0, o) }) {
		return
	}
	if f.norm != nil {
		f.needsOthers(a.To, others)
		return
	}
	for norm, n := range f.norms[1] {
		if f.norms[0][norm] == nil || f.norms[0][norm].Kind != n.Kind {
			continue
		}
		hows := map[hclspec.NormKind][]finding.TurnKind{hclspec.Obligation: {finding.TurnFulfilled}, hclspec.Power: {finding.TurnUsed}, hclspec.Permission: {finding.TurnUsed}}[n.Kind]
		for _, how := range append(hows, finding.TurnBegins) {
			if f.lost(own, a.To, others, how, norm) && !(foreign && f.consents(n, a.Name)) {
				f.gone[fmt.Sprint(how, " ", norm)] = true
			}
		}
	}
}

// consents reports whether all who gain by a norm take part in an event, or none of them had to on base.
func (f *foreseenLaw) consents(n *hclspec.Norm, event string) bool {
	list := n.Counterparties
	if n.Kind == hclspec.Power || n.Kind == hclspec.Permission {
		list = n.Bearers
	}
	var gain []string
	for _, t := range list {
		for _, p := range t.Parties {
			gain = append(gain, p.Name)
		}
	}
	misses := func(who []string, all bool) bool {
		n := 0
		for _, g := range gain {
			if !slices.Contains(who, g) {
				n++
			}
		}
		return all && n == len(gain) || !all && n > 0
	}
	return len(gain) > 0 && !misses(f.takes(1, event), false) || f.freer(event) && misses(f.takes(0, event), true)
}
