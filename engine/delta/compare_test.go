package delta_test

import (
	"cmp"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
)

const labels = 4 // 0 ... 4

// draw gives a number from 0 to n-1.
type draw func(n int) int

// drawn are two systems: independent, or head is base with an edit or two; through a view, which may
// make labels silent or alike.
func drawn(d draw) (base, head *lts) {
	base = random(d)
	if d(3) == 0 {
		head = random(d)
	} else {
		head = edited(d, base)
	}
	if d(3) > 0 {
		base.see = make([]uint32, 10)
		for l := range base.see {
			base.see[l] = uint32(min(l, labels))
			if d(3) == 0 {
				base.see[l] = uint32(d(3))
			}
		}
	}
	head.see = base.see
	return base, head
}

func random(d draw) *lts {
	l := &lts{states: 1 + d(6)}
	deterministic, silent := d(3) == 0, d(2)
	for range d(2*l.states + 2) {
		a := arc{d(l.states), 1 - silent + d(labels+silent), d(l.states)}
		if deterministic && slices.ContainsFunc(l.arcs, func(b arc) bool { return a.from == b.from && a.label == b.label }) {
			continue
		}
		l.arcs = append(l.arcs, a)
	}
	return l
}

func edited(d draw, l *lts) *lts {
	e := &lts{states: l.states + d(2), arcs: slices.Clone(l.arcs)}
	for range d(3) {
		switch i := d(len(e.arcs) + 1); {
		case i == len(e.arcs):
			e.arcs = append(e.arcs, arc{d(e.states), 1 + d(labels), d(e.states)})
		case d(3) == 0:
			e.arcs = slices.Delete(e.arcs, i, i+1)
		case d(2) == 0:
			e.arcs[i].to = d(e.states)
		default:
			e.arcs[i].label = 1 + d(labels)
		}
	}
	return e
}

func compare(t require, base, head *lts) *delta.Answer {
	return compareFirst(t, base, head, 100)
}

func compareFirst(t require, base, head *lts, k int) *delta.Answer {
	p, err := delta.Join(context.Background(), base.system(), head.system(), delta.Limits{})
	if err != nil {
		t.Fatalf("join: %v", err)
	}
	a, err := p.Compare(context.Background(), delta.View{Relabel: base.see, Wait: wait, Most: k}, delta.Limits{})
	if err != nil {
		t.Fatalf("compare: %v", err)
	}
	return a
}

// wait is the label that stands for waiting.
const wait = 2

// require is of testing.T and rapid.T what is needed here.
type require interface {
	Fatalf(format string, args ...any)
}

// checked compares an answer with one from the definitions, in all that it says.
func checked(t require, base, head *lts) *delta.Answer {
	a := compare(t, base, head)
	possible, impossible := refusals(head, base), refusals(base, head)
	if want := relation(base, head, len(possible), len(impossible)); a.Relation != want {
		t.Fatalf("relation %v, by definition %v\nbase %v\nhead %v", a.Relation, want, base, head)
	}
	checkWords(t, head, base, a.Possible, possible)
	checkWords(t, base, head, a.Impossible, impossible)
	if (a.Choice != nil) != (a.Relation == delta.Otherwise) {
		t.Fatalf("relation %v with choice %v", a.Relation, a.Choice)
	}
	if a.Choice != nil {
		checkChoice(t, base, head, a.Choice)
	}
	return a
}

func relation(base, head *lts, possible, impossible int) delta.Relation {
	switch {
	case bisimilar(base, head)[0][base.states]:
		return delta.Same
	case possible > 0 && impossible > 0:
		return delta.Both
	case possible > 0:
		return delta.More
	case impossible > 0:
		return delta.Less
	}
	return delta.Otherwise
}

type refused struct{ word, instead []uint32 }

// refusals are the first shortest words by label, from the definition: of those whose last label other does not have after waiting either, if there are any.
func refusals(own, other *lts) []refused {
	var list []refused
	met, delayed := map[uint32]int{}, map[uint32]bool{}
	places(own, other, labels, func(p place, label uint32) {
		at, known := met[label]
		comes := waits(other, p.other, label)
		if known && (!delayed[label] || comes) {
			return
		}
		r := refused{word: append(slices.Clone(p.word), label)}
		for o := uint32(1); o <= labels; o++ {
			if len(other.post(p.other, o)) > 0 {
				r.instead = append(r.instead, o)
			}
		}
		if delayed[label] = comes; known {
			list[at] = r
			return
		}
		met[label] = len(list)
		list = append(list, r)
	})
	slices.SortStableFunc(list, func(a, b refused) int {
		return cmp.Or(cmp.Compare(len(a.word), len(b.word)), slices.Compare(a.word, b.word))
	})
	return list
}

// waits reports whether a label is possible after some waits.
func waits(l *lts, set []int, label uint32) bool {
	if label == wait {
		return false
	}
	for range 1 << l.states {
		set = l.silently(l.post(set, wait))
		if len(l.post(set, label)) > 0 {
			return true
		}
	}
	return false
}

func checkWords(t require, own, other *lts, words []delta.Word, want []refused) {
	if len(words) != len(want) {
		t.Fatalf("%d words, by definition %d: %v\nown %v\nother %v", len(words), len(want), want, own, other)
	}
	for i, w := range words {
		r := want[i]
		run, _ := followed(t, own, w.Run)
		if lifted := own.lifted(r.word, func(int) bool { return true }); !slices.Equal(run, lifted) {
			t.Fatalf("run %v, by definition %v\nown %v\nother %v", run, lifted, own, other)
		}
		if w.Refused != r.word[len(r.word)-1] || !slices.Equal(w.Instead, r.instead) {
			t.Fatalf("word %v, by definition %v\nown %v\nother %v", w, r, own, other)
		}
	}
}

// followed replays a run and gives its labels and where it ends.
func followed(t require, l *lts, run []uint32) (labels []uint32, state int) {
	l.system() // sorts the arcs
	for _, i := range run {
		a := l.arcs[i]
		if a.from != state {
			t.Fatalf("arc %v does not leave state %d\n%v", a, state, l)
		}
		labels, state = append(labels, uint32(a.label)), a.to
	}
	return labels, state
}

func checkChoice(t require, base, head *lts, c *delta.Choice) {
	own, other := base, head
	if c.Head {
		own, other = head, base
	}
	run, state := followed(t, own, c.Run)
	var word []uint32
	now := other.silently([]int{0})
	for _, l := range run {
		if o := own.observed(arc{label: int(l)}); o != delta.Silent {
			word = append(word, o)
			now = other.silently(other.post(now, o))
		}
	}
	if next := own.next(state); !slices.Equal(next, c.Next) {
		t.Fatalf("next %v, by definition %v\nbase %v\nhead %v", c.Next, next, base, head)
	}
	var others [][]uint32
	for _, s := range now {
		others = append(others, other.next(s))
	}
	slices.SortFunc(others, slices.Compare)
	others = slices.CompactFunc(others, slices.Equal)
	if !slices.EqualFunc(others, c.Others, slices.Equal[[]uint32]) {
		t.Fatalf("others %v, by definition %v\nbase %v\nhead %v", c.Others, others, base, head)
	}
	equal := bisimilar(own, other)[state]
	for _, s := range now {
		if equal[own.states+s] {
			t.Fatalf("the choice %v has an equal\nbase %v\nhead %v", c, base, head)
		}
	}
	differ := !slices.ContainsFunc(others, func(o []uint32) bool { return slices.Equal(o, c.Next) })
	shortest := min(firstChoice(base, head), firstChoice(head, base))
	deep := []int{firstStep(base, head), firstStep(head, base)}
	deep = slices.DeleteFunc(deep, func(n int) bool { return n == none })
	if !differ && len(word) != slices.Max(append(deep, 0)) {
		t.Fatalf("choice %v after %d, by definition %d\nbase %v\nhead %v", c, len(word), deep, base, head)
	}
	if differ != (shortest < none) || differ && len(word) != shortest {
		t.Fatalf("choice %v after %d, by definition %d\nbase %v\nhead %v", c, len(word), shortest, base, head)
	}
}

const none = 1 << 30

// firstChoice is the length of the shortest word after which own can be in a state where what can
// be observed next is not what it is in any state other may be in.
func firstChoice(own, other *lts) int {
	for _, p := range places(own, other, labels, func(place, uint32) {}) {
		for _, s := range p.own {
			if !slices.ContainsFunc(p.other, func(o int) bool { return slices.Equal(own.next(s), other.next(o)) }) {
				return len(p.word)
			}
		}
	}
	return none
}

// firstStep is the length of the shortest word after which own can be in a state without an equal,
// from which every step leads to one that has its equal.
func firstStep(own, other *lts) int {
	equal := bisimilar(own, other)
	matched := func(state int, others []int) bool {
		return slices.ContainsFunc(others, func(o int) bool { return equal[state][own.states+o] })
	}
	for _, p := range places(own, other, labels, func(place, uint32) {}) {
		for _, s := range p.own {
			lost := matched(s, p.other)
			for _, a := range own.arcs {
				lost = lost || a.from == s && !matched(a.to, other.silently(other.post(p.other, own.observed(a))))
			}
			if !lost {
				return len(p.word)
			}
		}
	}
	return none
}

func TestByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	count := map[delta.Relation]int{}
	for range 6000 {
		base, head := drawn(r.IntN)
		count[checked(t, base, head).Relation]++
	}
	for _, want := range []delta.Relation{delta.Same, delta.More, delta.Less, delta.Both, delta.Otherwise} {
		if count[want] < 100 {
			t.Errorf("only %d pairs are %v", count[want], want)
		}
	}
	t.Log(count)
}

func TestByDefinitionRapid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base, head := drawn(func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "n") })
		checked(t, base, head)
	})
}
