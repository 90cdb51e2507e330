package product_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/space"
)

// TestLostAgainstNaive: what head takes away of what can come about, and after how few observed steps, is what following both versions by the definition says. It is not
// said where base can be in several states, unless nothing is lost there.
func TestLostAgainstNaive(t *testing.T) {
	kinds := map[string]int{}
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(22, seed))
		v := anyProcesses(t, r)
		l := lossLaw{versions: v}
		for side := range v.nets {
			l.arcs[side] = v.arcs(side)
		}
		for range 8 {
			l.prospects = append(l.prospects, v.anyProspect(r))
		}
		if l.over = (product.Over{-1, -1}); r.IntN(2) == 0 {
			l.over = product.Over{r.IntN(v.places()+1) - 1, r.IntN(v.places()+1) - 1}
		}
		w, err := product.New(t.Context(), v.nets[product.Base], v.nets[product.Head], v.like)
		if err != nil {
			t.Fatal(err)
		}
		list, err := w.Lost(t.Context(), v.observer, v.like, l.prospects, l.over, given, product.Limits{})
		sure := err == nil
		if !sure && !errors.Is(err, product.ErrNotDeterminate) {
			t.Fatal(err)
		}
		want, several := l.follow()
		switch {
		case !sure && v.observer.Idle == product.Hidden && plain(v.observer.Labels[product.Base]):
			t.Fatalf("base does not hide anything, nor has it two steps that look alike, and it is not known: %v", want)
		case !sure:
			kinds["not known"]++
			continue
		case several:
			kinds["several states"]++
		}
		got := map[int]int{}
		for _, loss := range list {
			v.replay(t, product.Head, loss.Run)
			if got[loss.Prospect] = -1; len(loss.Run) > 0 {
				got[loss.Prospect] = len(v.seen(product.Head, loss.Run[:len(loss.Run)-1]))
			}
		}
		for i := range l.prospects {
			steps, lost := want[i]
			if found, is := got[i]; is != lost || found != steps {
				t.Fatalf("prospect %d is lost after %d, %t; naively after %d, %t", i, found, is, steps, lost)
			}
			if lost {
				kinds["lost"]++
				kinds[fmt.Sprintf("after %d", steps)]++
				if l.prospects[i].Own[0] != nil {
					kinds[fmt.Sprintf("needed after %d", min(steps, 1))]++
				}
			}
		}
	}
	t.Log(kinds)
	for _, kind := range []string{"not known", "several states", "lost", "after 0", "after 1", "needed after -1", "needed after 0", "needed after 1"} {
		if kinds[kind] == 0 {
			t.Errorf("the versions are poor: %v", kinds)
		}
	}
}

// anyProcesses are three parties of three states, and an amendment of one to three of their steps. A step may need another party in a state. Some are hidden.
func anyProcesses(t *testing.T, r *rand.Rand) *versions {
	v := &versions{observer: product.Observer{Idle: product.Hidden, Wait: product.Hidden}}
	n := &petri.Net{Name: "n"}
	for i := range 9 {
		place(n, fmt.Sprint("party", i/3), fmt.Sprint("s", i%3), i%3 == 0)
	}
	step := func() (tr petri.Transition) {
		party, from := r.IntN(3), r.IntN(3)
		tr.In, tr.Out = []int{3*party + from}, []int{3*party + (from+1+r.IntN(2))%3}
		if r.IntN(2) == 0 {
			tr.Read = []int{3*((party+1+r.IntN(2))%3) + r.IntN(3)}
		}
		return tr
	}
	var labels []int
	for i := range 6 {
		n.Transitions = append(n.Transitions, step())
		if labels = append(labels, i); r.IntN(20) == 0 {
			labels[i] = []int{product.Hidden, max(0, i-1)}[r.IntN(2)]
		}
	}
	m := &petri.Net{Name: n.Name, Places: n.Places, Initial: n.Initial, Transitions: slices.Clone(n.Transitions)}
	v.observer.Labels = [2][]int{labels, slices.Clone(labels)}
	for range 1 + r.IntN(3) {
		switch i := r.IntN(6); r.IntN(3) {
		case 0:
			m.Transitions[i] = step()
		case 1:
			m.Transitions[i].Read = step().Read
			if len(m.Transitions[i].Read) > 0 && m.Transitions[i].Read[0]/3 == m.Transitions[i].In[0]/3 {
				m.Transitions[i].Read = nil
			}
		default:
			m.Transitions = append(m.Transitions, step())
			v.observer.Labels[1] = append(v.observer.Labels[1], []int{product.Hidden, 6}[r.IntN(2)])
		}
	}
	if r.IntN(4) == 0 {
		v.observer.Idle = r.IntN(8)
	}
	for side, n := range [2]*petri.Net{n, m} {
		for i := range n.Transitions {
			n.Transitions[i].Event, v.like[side] = i, append(v.like[side], i)
		}
		g, err := space.Explore(t.Context(), n, petri.One, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		v.nets[side], v.graphs[side] = n, g
	}
	return v
}

// places returns how many places both versions have.
func (v *versions) places() int { return min(len(v.nets[0].Places), len(v.nets[1].Places)) }

// anyProspect is mostly that a transition happens which both versions have, while what it takes is marked, or that it marks something.
func (v *versions) anyProspect(r *rand.Rand) product.Prospect {
	some := func(likely []int) [2][]int {
		if r.IntN(4) == 0 {
			likely = []int{r.IntN(v.places())}
		}
		likely = slices.DeleteFunc(slices.Clone(likely), func(p int) bool { return p >= v.places() })
		return [2][]int{likely, likely}
	}
	by := r.IntN(min(len(v.nets[0].Transitions), len(v.nets[1].Transitions)))
	of := &v.nets[r.IntN(2)].Transitions[by]
	p := product.Prospect{By: [2][]int{{by}, {by}}, Begins: r.IntN(2) == 0}
	if p.Live = some(slices.Concat(of.In, of.Read)); p.Begins {
		p.Live = some(of.Out)
	}
	if r.IntN(4) == 0 {
		p.After = some(nil)
	}
	if more := r.IntN(2); r.IntN(4) == 0 {
		p.By[more] = append(p.By[more], r.IntN(len(v.nets[more].Transitions)))
	}
	if p.Begins || r.IntN(2) == 0 {
		return p
	}
	for side, n := range v.nets {
		for range 1 + r.IntN(2) {
			own := product.Own{Acts: []product.Act{{By: p.By[side]}}}
			for t := range n.Transitions {
				if r.IntN(2) == 0 {
					own.Steps = append(own.Steps, t)
				}
			}
			for _, list := range []*[]int{&own.While, &own.Done, &own.Acts[0].While} {
				if r.IntN(6) == 0 {
					*list = []int{r.IntN(v.places())}
				}
			}
			p.Own[side] = append(p.Own[side], own)
		}
	}
	return p
}

// plain is whether all labels are seen, and each is of one transition.
func plain(labels []int) bool {
	labels = slices.Sorted(slices.Values(labels))
	return labels[0] != product.Hidden && len(slices.Compact(slices.Clone(labels))) == len(labels)
}

// given is whether a transition of head may take a prospect away.
func given(prospect, transition int) bool { return (prospect+transition)%4 == 0 }

// An arc is a step of one side.
type arc struct{ label, transition, to int }

func (v *versions) arcs(side int) (all [][]arc) {
	g, n := v.graphs[side], v.nets[side]
	for s := range g.Len() {
		var list []arc
		moving := false
		for i, step := range g.Steps(s) {
			moving = moving || n.Transitions[step[0]].Moving
			list = append(list, arc{v.observer.Labels[side][step[0]], step[0], int(g.Succ(s)[i])})
		}
		if !moving && v.observer.Idle != product.Hidden && !waits(n, g.Marking(s)) {
			list = append(list, arc{v.observer.Idle, -1, s})
		}
		all = append(all, list)
	}
	return all
}

// A lossLaw takes the definition of a loss at its word.
type lossLaw struct {
	*versions
	arcs      [2][][]arc
	prospects []product.Prospect
	over      product.Over
}

func (l *lossLaw) marked(side, state int, places []int) bool {
	return slices.ContainsFunc(places, func(p int) bool { return l.graphs[side].Marking(state).Has(p) })
}

// open reports whether a prospect can still come about from a state.
func (l *lossLaw) open(side, state int, p *product.Prospect) bool {
	live := func(s int) bool { return l.marked(side, s, p.Live[side]) }
	all := []int{state}
	for i := 0; i < len(all); i++ {
		for _, a := range l.arcs[side][all[i]] {
			comes := a.transition >= 0 && slices.Contains(p.By[side], a.transition) && !l.marked(side, a.to, p.After[side])
			if comes && (p.Begins && !live(all[i]) && live(a.to) || !p.Begins && live(all[i])) {
				return true
			}
			if !slices.Contains(all, a.to) {
				all = append(all, a.to)
			}
		}
	}
	return false
}

// alone reports whether some who bear the norm can bring a prospect about by themselves from a state in which it binds.
func (l *lossLaw) alone(side, state int, p *product.Prospect) bool {
	return slices.ContainsFunc(p.Own[side], func(own product.Own) bool { return l.does(side, state, p, own) })
}

// does reports whether some who bear the norm can bring a prospect about by themselves from a state.
func (l *lossLaw) does(side, state int, p *product.Prospect, own product.Own) bool {
	holds := func(s int, places []int) bool {
		return !slices.ContainsFunc(places, func(p int) bool { return !l.marked(side, s, []int{p}) })
	}
	for all, i := []int{state}, 0; i < len(all); i++ {
		if !l.marked(side, all[i], p.Live[side]) || !holds(all[i], own.While) {
			continue
		}
		if l.marked(side, all[i], own.Done) {
			return true
		}
		for _, a := range l.arcs[side][all[i]] {
			if a.transition >= 0 && slices.Contains(own.Acts[0].By, a.transition) && holds(all[i], own.Acts[0].While) {
				return true
			}
			if a.transition >= 0 && slices.Contains(own.Steps, a.transition) && !slices.Contains(all, a.to) {
				all = append(all, a.to)
			}
		}
	}
	return false
}

// needed reports whether those who bear the norm need others in a state of head, who still can, and not in one of some of base.
func (l *lossLaw) needed(own int, others []int, p *product.Prospect) bool {
	return l.open(product.Head, own, p) && !l.alone(product.Head, own, p) && slices.ContainsFunc(others, func(o int) bool {
		ended := l.ended(product.Head, own) && !l.ended(product.Base, o)
		return !ended && l.marked(product.Base, o, p.Live[0]) == l.marked(product.Head, own, p.Live[1]) && l.alone(product.Base, o, p)
	})
}

func (l *lossLaw) ended(side, s int) bool {
	return l.over[side] >= 0 && l.marked(side, s, []int{l.over[side]})
}

// binds reports whether the norm binds in a state of head or after some steps from it.
func (l *lossLaw) binds(state int, p *product.Prospect) bool {
	return slices.ContainsFunc(l.from(state), func(s int) bool { return l.marked(product.Head, s, p.Live[1]) })
}

// ends reports whether the norm ends by some step from a state of head on by which all is not over.
func (l *lossLaw) ends(state int, p *product.Prospect) bool {
	return slices.ContainsFunc(l.from(state), func(s int) bool {
		return l.marked(product.Head, s, p.Live[1]) && slices.ContainsFunc(l.arcs[product.Head][s], func(a arc) bool {
			return !l.marked(product.Head, a.to, p.Live[1]) && (l.ended(product.Head, s) || !l.ended(product.Head, a.to))
		})
	})
}

// from returns the states of head that some steps from one lead to.
func (l *lossLaw) from(state int) []int {
	all := []int{state}
	for i := 0; i < len(all); i++ {
		for _, a := range l.arcs[product.Head][all[i]] {
			if !slices.Contains(all, a.to) {
				all = append(all, a.to)
			}
		}
	}
	return all
}

// lost reports whether a prospect is open before a step of head and not after it, and is in a state of base in which the norm binds as it does on head then.
func (l *lossLaw) lost(from, to int, others []int, p *product.Prospect) bool {
	if !l.open(product.Head, from, p) || l.open(product.Head, to, p) || !p.Begins && l.marked(product.Head, from, p.Live[1]) && !l.binds(to, p) || p.Begins && l.marked(product.Head, to, p.Live[1]) && !l.ends(to, p) {
		return false
	}
	return slices.ContainsFunc(others, func(o int) bool {
		return l.marked(product.Base, o, p.Live[0]) == l.marked(product.Head, to, p.Live[1]) && l.open(product.Base, o, p)
	})
}

func (l *lossLaw) closed(states []int) []int {
	for i := 0; i < len(states); i++ {
		for _, a := range l.arcs[product.Base][states[i]] {
			if a.label == product.Hidden && !slices.Contains(states, a.to) {
				states = append(states, a.to)
			}
		}
	}
	slices.Sort(states)
	return slices.Compact(states)
}

// follow returns after how few observed steps each prospect is lost by another one, and whether base can be in several states after the same steps.
func (l *lossLaw) follow() (found map[int]int, several bool) {
	type pair struct {
		own    int
		others []int
		steps  int
	}
	found = map[int]int{}
	met := map[string]bool{}
	for i := range l.prospects {
		if p := &l.prospects[i]; p.Own[0] != nil && l.needed(0, l.closed([]int{0}), p) {
			found[i] = -1
		}
	}
	for layer := []pair{{0, l.closed([]int{0}), 0}}; len(layer) > 0; {
		var next []pair
		for i := 0; i < len(layer); i++ {
			at := layer[i]
			if key := fmt.Sprint(at.own, at.others); met[key] {
				continue
			} else {
				met[key] = true
			}
			several = several || len(at.others) > 1
			for _, a := range l.arcs[product.Head][at.own] {
				others, foreign := at.others, a.label == product.Hidden
				if !foreign {
					var to []int
					for _, o := range at.others {
						for _, b := range l.arcs[product.Base][o] {
							if b.label == a.label {
								to = append(to, b.to)
							}
						}
					}
					if foreign = len(to) == 0; !foreign {
						others = l.closed(to)
						next = append(next, pair{a.to, others, at.steps + 1})
					}
				} else {
					layer = append(layer, pair{a.to, others, at.steps})
				}
				l.step(at.own, a, at.others, others, foreign, at.steps, found)
			}
		}
		layer = next
	}
	return found, several
}

// step adds what an arc takes away.
func (l *lossLaw) step(own int, a arc, before, others []int, foreign bool, steps int, found map[int]int) {
	for i := range l.prospects {
		p := &l.prospects[i]
		fair := slices.DeleteFunc(slices.Clone(others), func(o int) bool { return l.ended(product.Head, a.to) && !l.ended(product.Base, o) })
		lost := func() bool {
			if p.Own[0] != nil {
				return !l.needed(own, before, p) && l.needed(a.to, others, p)
			}
			return l.lost(own, a.to, fair, p)
		}
		if _, known := found[i]; known || foreign && (a.transition < 0 || given(i, a.transition)) || !lost() {
			continue
		}
		found[i] = steps
	}
}

// TestLostWithinTime: if time is up at any moment it fails, and nothing is guessed.
func TestLostWithinTime(t *testing.T) {
	n := chained(0, 1, 2)
	m := chained(0, 1, 2)
	m.Transitions[2].Read = []int{4}
	v := &versions{nets: [2]*petri.Net{n, m}, observer: product.Observer{Labels: [2][]int{{0, 1, 0, 3}, {0, 1, 0, 3}}, Idle: 5, Wait: product.Hidden}, like: [2][]int{{0, 1, 2, 3}, {0, 1, 2, 3}}}
	w, err := product.New(t.Context(), n, m, v.like)
	if err != nil {
		t.Fatal(err)
	}
	prospects := []product.Prospect{{By: both(2), Live: both(2)}, {By: both(2), Live: both(3), Begins: true, After: both(0)}}
	ask := func(ctx context.Context, l product.Limits) ([]product.Loss, error) {
		return w.Lost(ctx, v.observer, v.like, prospects, product.Over{3, 3}, func(int, int) bool { return false }, l)
	}
	whole, err := ask(t.Context(), product.Limits{})
	if err != nil || len(whole) != 2 {
		t.Fatal(whole, err)
	}
	for asked := 0; ; asked++ {
		list, err := ask(&countdown{context.Background(), asked}, product.Limits{})
		if err == nil {
			if fmt.Sprint(list) != fmt.Sprint(whole) {
				t.Fatalf("after %d questions whether time is up: %v", asked, list)
			}
			t.Logf("time is asked for %d times", asked)
			break
		}
		if !errors.Is(err, context.Canceled) || len(list) >= len(whole) {
			t.Fatalf("after %d questions: %v, %v", asked, list, err)
		}
	}
}

func both(list ...int) [2][]int { return [2][]int{list, list} }

// chained is a net whose first transitions, with those labels, go from one place to the next, and which has one more from another place.
func chained(labels ...int) *petri.Net {
	n := &petri.Net{Name: "n"}
	for i := range len(labels) + 3 {
		place(n, "n", fmt.Sprint("p", i), i == 0 || i == len(labels)+1)
	}
	for i := range labels {
		n.Transitions = append(n.Transitions, petri.Transition{In: []int{i}, Out: []int{i + 1}, Event: i})
	}
	n.Transitions = append(n.Transitions, petri.Transition{In: []int{len(labels) + 1}, Out: []int{len(labels) + 2}, Event: len(labels)})
	return n
}

// TestGivenUp: what is given up by a step of head alone is no loss, though base hides a step of its own, and though what is left is reached otherwise, too. Of several steps
// that take it away at once the one with the least number is shown.
func TestGivenUp(t *testing.T) {
	for _, c := range []struct {
		name   string
		base   int    // label of the last step of base
		labels [2]int // of two more steps of head, by which it is lost
		given  bool
		want   string
	}{
		{"given up, seen or not", 3, [2]int{6, product.Hidden}, true, "[] <nil>"},
		{"base hides", product.Hidden, [2]int{6, product.Hidden}, true, "[] <nil>"},
		{"two steps", 3, [2]int{6, 7}, false, "[{0 [4]}] <nil>"},
		{"two steps, the other way round", 3, [2]int{7, 6}, false, "[{0 [4]}] <nil>"},
	} {
		n, m := chained(0, 1, 2), chained(0, 1, 2)
		for _, side := range []*petri.Net{n, m} {
			place(side, "n", "way", true)
			place(side, "n", "blocked", false)
			side.Transitions[0].Read = []int{6}
		}
		for i := range c.labels {
			m.Transitions = append(m.Transitions, petri.Transition{In: []int{6}, Out: []int{7}, Event: 4 + i})
		}
		like := [2][]int{{0, 1, 2, 3}, {0, 1, 2, 3, 4, 5}}
		w, err := product.New(t.Context(), n, m, like)
		if err != nil {
			t.Fatal(err)
		}
		o := product.Observer{Labels: [2][]int{{0, 1, 2, c.base}, {0, 1, 2, 3, c.labels[0], c.labels[1]}}, Idle: product.Hidden, Wait: product.Hidden}
		list, err := w.Lost(t.Context(), o, like, []product.Prospect{{By: both(0), Live: both(0)}}, product.Over{-1, -1}, func(int, int) bool { return c.given }, product.Limits{})
		if got := fmt.Sprint(list, " ", err); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// A countdown is a context that ends once it has been asked so often.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}
