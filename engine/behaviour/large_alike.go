package behaviour

import (
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
	transitions [2][]int
	labels      map[int]int
}

// An alikeView is a view whose answer is the image of another view's.
type alikeView struct {
	view int // the other one; itself, if there is none
	by   *likeness
}

// alikeViews finds for each view the first one that it is the image of.
func (w *vast) alikeViews(views []finding.View) []alikeView {
	list := make([]alikeView, len(views))
	var nets [2]*symmetry.Net
	var first []int
	for i := range views {
		list[i].view = i
		o := w.party(views[i].Party)
		if w.concerned(o) { // norms are observed, too
			continue
		}
		if nets[0] == nil {
			for side, m := range w.sides {
				nets[side] = symmetry.New(m.Net)
			}
		}
		for _, j := range first[:min(len(first), mostFirst)] {
			if l := w.likeness(nets, views[j].Party, views[i].Party); l != nil {
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
func (w *vast) likeness(nets [2]*symmetry.Net, a, b string) *likeness {
	from, to := w.observer(w.party(a), stepsAlone), w.observer(w.party(b), stepsAlone)
	for _, base := range nets[0].Parties(a, b) {
		for _, head := range nets[1].Parties(a, b) {
			l := &likeness{[2][]int{base.Transitions(), head.Transitions()}, map[int]int{}}
			if l.keeps(from, to) {
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

// image returns an answer with all transitions and labels exchanged, for the other observer.
func (w *vast) image(l *likeness, a *product.Answer, seen product.Observer) *product.Answer {
	b := *a
	b.Impossible, b.Possible = l.words(0, a.Impossible), l.words(1, a.Possible)
	for side, words := range [2][]product.Word{b.Impossible, b.Possible} {
		for _, word := range words {
			w.order(side, word.Run, seen.Labels[side])
		}
	}
	return &b
}

// order puts the steps of a run, but for the last, in the order of their numbers, as product has them, as far as two neighbours can change
// places: it leads to the same marking, and not both are observed.
func (w *vast) order(side int, run []int, labels []int) {
	net := w.sides[side].Net
	markings := []petri.Marking{net.Initial}
	for i, t := range run[:len(run)-1] {
		after, ok := fired(net, markings[i], t)
		if !ok {
			return // which replaying says
		}
		markings = append(markings, after)
		for k := i; k > 0 && w.precedes(side, run[k], run[k-1], labels); k-- {
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
func (w *vast) precedes(side, a, b int, labels []int) bool {
	return a >= 0 && b >= 0 && w.Of[side][a] < w.Of[side][b] && (labels[a] == product.Hidden || labels[b] == product.Hidden)
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

// words returns the images of words of one side.
func (l *likeness) words(side int, words []product.Word) (list []product.Word) {
	for _, w := range words {
		w.Run, w.Instead = slices.Clone(w.Run), slices.Clone(w.Instead)
		for i, t := range w.Run {
			if t >= 0 {
				w.Run[i] = l.transitions[side][t]
			}
		}
		for i, label := range w.Instead {
			w.Instead[i] = l.labels[label]
		}
		slices.Sort(w.Instead)
		w.Refused = l.labels[w.Refused]
		list = append(list, w)
	}
	return list
}
