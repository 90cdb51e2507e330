package behaviour

import (
	"errors"
	"fmt"
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/symmetry"
)

// This file compares the views of parties that neither draft tells apart once for all of them.

// A likeness is an exchange of two parties in both drafts: by side, the image of each transition; and the image of each label of the one's
// observer, a label of the other's.
type likeness struct {
	from, to    product.Observer
	transitions [2][]int
	labels      map[int]int
}

// An alikeView is a view whose answer is the image of another view's.
type alikeView struct {
	view int // the other one; itself, if there is none
	by   *likeness
}

// alikeViews finds for each view the first one that it is the image of.
func (c *comparison) alikeViews(views []finding.View) []alikeView {
	list := make([]alikeView, len(views))
	steps := c.sides[0].Rule == petri.One && c.sides[1].Rule == petri.One // of one transition each, as runs are exchanged
	var nets [2]*symmetry.Net
	var first []int
	for i := range views {
		list[i].view = i
		o := c.party(views[i].Party)
		if !steps || c.concerned(o) { // norms are observed, too
			continue
		}
		if nets[0] == nil {
			for side, m := range c.sides {
				nets[side] = symmetry.New(m.Net)
			}
		}
		for _, j := range first[:min(len(first), mostFirst)] {
			if l := c.likeness(nets, views[j].Party, views[i].Party); l != nil {
				list[i] = alikeView{j, l}
				break
			}
		}
		if list[i].view == i {
			first = append(first, i)
		}
	}
	return list
}

// mostFirst bounds the views that others are compared with.
const mostFirst = 16

// likeness returns an exchange of two parties that keeps what their observers see, or nil.
func (c *comparison) likeness(nets [2]*symmetry.Net, a, b string) *likeness {
	from, to := c.observer(c.party(a), stepsAlone), c.observer(c.party(b), stepsAlone)
	for _, base := range nets[0].Parties(a, b) {
		for _, head := range nets[1].Parties(a, b) {
			l := &likeness{from, to, [2][]int{base.Transitions(), head.Transitions()}, map[int]int{}}
			if l.keeps(from, to) && exchanges(c.sides[0].Net, base.Place, l.transitions[0]) && exchanges(c.sides[1].Net, head.Place, l.transitions[1]) {
				return l
			}
		}
	}
	return nil
}

// keeps reports whether the labels of one observer become those of the other, one to one, and fills in their images.
func (l *likeness) keeps(from, to product.Observer) bool {
	back := map[int]int{}
	pair := func(a, b int) bool {
		image, known := l.labels[a]
		other, taken := back[b]
		l.labels[a], back[b] = b, a
		return known == taken && (!known || image == b && other == a)
	}
	if !pair(product.Hidden, product.Hidden) || from.Idle != product.Hidden && !pair(from.Idle, to.Idle) {
		return false
	}
	for side, list := range l.transitions {
		for t, image := range list {
			if !pair(from.Labels[side][t], to.Labels[side][image]) {
				return false
			}
		}
	}
	return true
}

// exchanges reports whether images of places and transitions map a net onto itself. It is the definition of an automorphism, taken at its word: what
// is confirmed of one party by replaying it is then so of its image.
func exchanges(n *petri.Net, place func(p int) int, transitions []int) bool {
	images := func(places []int) []int {
		list := make([]int, len(places))
		for i, p := range places {
			list[i] = place(p)
		}
		slices.Sort(list)
		return list
	}
	moves := func(list []petri.Move, to func(p int) int) (texts []string) {
		times := map[int]int{} // moves from one place are tried in order
		for _, v := range list {
			var conditions []int
			for _, p := range v.If {
				conditions = append(conditions, to(p))
			}
			slices.Sort(conditions)
			texts = append(texts, fmt.Sprint(to(v.From), times[v.From], to(v.To), conditions))
			times[v.From]++
		}
		slices.Sort(texts)
		return texts
	}
	same, moved := func(p int) int { return p }, func(p int) bool { return place(p) != p }
	for t := range n.Transitions {
		a, b := &n.Transitions[t], &n.Transitions[transitions[t]]
		if a == b && len(a.Moves) == 0 && !slices.ContainsFunc(a.In, moved) && !slices.ContainsFunc(a.Out, moved) && !slices.ContainsFunc(a.Read, moved) && !slices.ContainsFunc(a.Marks, moved) {
			continue
		}
		if a.Moving != b.Moving || !slices.Equal(moves(a.Moves, place), moves(b.Moves, same)) {
			return false
		}
		for i, list := range [][]int{a.In, a.Out, a.Read, a.Marks} {
			if !slices.Equal(images(list), [][]int{b.In, b.Out, b.Read, b.Marks}[i]) {
				return false
			}
		}
	}
	all, each := make([]int, len(n.Places)), slices.Clone(transitions)
	for p := range all {
		all[p] = p
	}
	slices.Sort(each)
	return len(slices.Compact(each)) == len(n.Transitions) && slices.Equal(images(all), all) && slices.Equal(images(n.Initial), n.Initial)
}

// exchanged tells of each view that is the image of another one what was found of that.
func (c *comparison) exchanged(views []finding.View, like []alikeView, found []askedOf, reason func(error) string) {
	for i, of := range like {
		if one := found[of.view]; of.by != nil && one.confirmation != nil {
			one.confirmation = c.image(of.by, one.confirmation)
			c.conclude(&views[i].Behaviour, one, reason)
		}
	}
}

// image returns what was confirmed of one observer, exchanged for the other. Runs are replayed; what the other draft can do in place of their last
// steps, and after a choice, is the image of what was confirmed.
func (c *comparison) image(l *likeness, found *confirmation) *confirmation {
	told := &confirmation{leftOut: found.leftOut, err: found.err}
	follow := c.followers(l.to)
	for side, list := range found.refusals {
		for _, r := range list {
			again, seen, err := c.imageOfRun(l, follow[side], side, r.walk)
			if err != nil {
				told.err = err
				return told
			}
			told.refusals[side] = append(told.refusals[side], refusedRun{walk: again, refused: seen[len(seen)-1], instead: l.images(r.instead), later: r.later})
		}
	}
	if choice := found.choice; choice != nil {
		again, _, err := c.imageOfRun(l, follow[choice.side], choice.side, choice.walk)
		if err != nil {
			told.err = err
			return told
		}
		told.choice = &confirmedChoice{walk: again, side: choice.side, own: l.ready(choice.own)}
		for _, other := range choice.others {
			told.choice.others = append(told.choice.others, l.ready(other))
		}
		slices.SortFunc(told.choice.others, compareReady)
	}
	return told
}

// imageOfRun replays the image of a run, and checks that it is observed as the image of what was observed.
func (c *comparison) imageOfRun(l *likeness, follow *follower, side int, of walk) (walk, []Observation, error) {
	var run []int
	var sequence []Observation
	for _, step := range of.steps {
		t, label := -1, l.from.Idle
		if len(step) > 0 {
			t, label = l.transitions[side][step[0]], l.from.Labels[side][step[0]]
		}
		if run = append(run, t); label != product.Hidden {
			sequence = append(sequence, Observation{l.labels[label]})
		}
	}
	c.order(side, run, l.to.Labels[side])
	again, err := follow.walk(run)
	if err != nil {
		return walk{}, nil, err
	}
	seen, err := follow.replayed(again)
	if err == nil && !slices.EqualFunc(seen, sequence, slices.Equal[Observation]) {
		err = errors.New("it is observed otherwise")
	}
	return again, seen, err
}

// images returns the images of observations of one action each, sorted.
func (l *likeness) images(list []Observation) (images []Observation) {
	for _, seen := range list {
		images = append(images, Observation{l.labels[seen[0]]})
	}
	slices.SortFunc(images, slices.Compare[Observation])
	return images
}

// ready returns the image of a ready set.
func (l *likeness) ready(of readySet) readySet {
	return readySet{l.images(of.next), l.images(of.shown), of.silent}
}

// order puts the steps of a run, but for the last, in the order of their numbers, as product has them, as far as two neighbours can change
// places: it leads to the same marking, and not both are observed.
func (c *comparison) order(side int, run []int, labels []int) {
	net := c.sides[side].Net
	markings := []petri.Marking{net.Initial}
	for i, t := range run[:max(len(run)-1, 0)] {
		after, ok := fired(net, markings[i], t)
		if !ok {
			return // which replaying says
		}
		markings = append(markings, after)
		for k := i; k > 0 && c.precedes(side, run[k], run[k-1], labels); k-- {
			between, ok := fired(net, markings[k-1], run[k])
			if !ok {
				break
			}
			if after, ok := fired(net, between, run[k-1]); !ok || !slices.Equal(after, markings[k+1]) {
				break
			}
			markings[k], run[k-1], run[k] = between, run[k], run[k-1]
		}
	}
}

// precedes reports whether a step has a lower number than another, of which at most one is observed.
func (c *comparison) precedes(side, a, b int, labels []int) bool {
	return a >= 0 && b >= 0 && c.Of[side][a] < c.Of[side][b] && (labels[a] == product.Hidden || labels[b] == product.Hidden)
}

// fired returns the marking after a transition, and false if it cannot fire.
func fired(n *petri.Net, m petri.Marking, t int) (petri.Marking, bool) {
	if t < 0 { // time passes where no clock runs
		return m, true
	}
	if !n.IsStep(m, petri.One, []int{t}) {
		return nil, false
	}
	after, contact := n.Fire(m, []int{t})
	return after, contact < 0
}
