package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/ways"
	"github.com/redlinehq/redline/hclspec"
)

// Whether what is violated on both versions is violated on head in a way that base did not have. Package ways says what a way is.

// maxPairs bounds the pairs of states, and the steps between them, that are looked at for one question.
const maxPairs = 20_000_000

// A Way says how a violation of head compares with the violation of the same on base.
type Way struct {
	New     bool   // the run that is shown is a way that base did not have
	Step    int    // of a new way: the first step of its run that base has and can't take there; 0: base could still keep the promise where it ends
	Unshown bool   // no run shows the violation, so that there is no way to compare
	Unknown string // why it is unknown whether there is a new way; empty otherwise
}

// stepwise is base and head with their states one by one, and which of their steps are the same.
type stepwise struct {
	base, head *listed
	same       [][]int
	apart      []bool
	alone      bool // every way of head is asked for: base is head itself, and has no say
}

// inStep compares the steps of two versions. A step is the same if it is of the same event, and the transitions of the parties that both versions have
// are the same, renames undone; obligations and their like only watch.
func inStep(base, head *listed, n naming) *stepwise {
	f := &stepwise{base: base, head: head}
	both := bothParties(base.Draft, head.Draft, n)
	of := map[string][]int{}
	for t := range base.Net.Transitions {
		key := n.of(0).step(base.Draft, t, both)
		of[key] = append(of[key], t)
	}
	for t := range head.Net.Transitions {
		f.same = append(f.same, of[n.of(1).step(head.Draft, t, both)])
	}
	f.apart = f.apartOf(both)
	return f
}

// bothParties lists the names on head of the parties and nets that both versions have.
func bothParties(base, head *Draft, n naming) map[string]bool {
	of, both := map[string]bool{}, map[string]bool{}
	for _, p := range base.parties {
		of[n.of(0).head(delta.Party, p.Name)] = true
	}
	for _, p := range head.parties {
		both[p.Name] = of[p.Name] && p.Made == ""
	}
	return both
}

// step identifies a composed transition by what happens: its event, and the transitions of parties that both versions have.
func (n sideNaming) step(d *Draft, t int, both map[string]bool) string {
	did := n.deed(d, t)
	if did.kind == transitionDeed {
		return fmt.Sprintf("%d %s", did.kind, did.name)
	}
	var parts []string
	for _, p := range d.Net.Transitions[t].Parts {
		if party := d.parties[p.Net]; both[n.head(delta.Party, party.Name)] {
			parts = append(parts, n.part(d, p))
		}
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d %s %s", did.kind, did.name, strings.Join(parts, " "))
}

// apartOf marks the transitions of nets that only head has and that share no transition with a net that base has.
func (f *stepwise) apartOf(both map[string]bool) []bool {
	net := f.head.Net
	nets := map[string]int{}
	for i, p := range f.head.parties {
		nets[p.Name] = i
	}
	of := make([]int, len(f.head.parties)) // the net that each is joined with; itself
	for i := range of {
		of[i] = i
	}
	root := func(i int) int {
		for of[i] != i {
			i = of[i]
		}
		return i
	}
	touched := make([][]int, len(net.Transitions))
	for t := range net.Transitions {
		touched[t] = f.head.touches(t, nets)
		for _, i := range touched[t] {
			of[root(i)] = root(touched[t][0])
		}
	}
	known := map[int]bool{}
	for i, p := range f.head.parties {
		known[root(i)] = known[root(i)] || both[p.Name]
	}
	for t := range net.Transitions {
		for _, i := range touched[t] {
			known[root(i)] = known[root(i)] || len(f.same[t]) > 0
		}
	}
	apart := make([]bool, len(net.Transitions))
	for t := range apart {
		apart[t] = len(touched[t]) > 0 && !known[root(touched[t][0])] && len(net.Transitions[t].Marks) == 0
	}
	return apart
}

// touches lists the nets of a transition's parts, places and moves.
func (d *Draft) touches(t int, nets map[string]int) []int {
	tr := d.Net.Transitions[t]
	var list []int
	for _, p := range tr.Parts {
		list = append(list, p.Net)
	}
	places := slices.Concat(tr.In, tr.Out, tr.Read)
	for _, v := range tr.Moves {
		places = append(append(places, v.From, v.To), v.If...)
	}
	for _, p := range places {
		if i, known := nets[d.Net.Places[p].Net]; known {
			list = append(list, i)
		}
	}
	return list
}

// new returns a run that violates a promise on head in a way that base did not have, and as none of the named runs does, replayed; nil where there is none.
func (f *stepwise) new(ctx context.Context, a pledge, named []*ctl.Evidence) (*ctl.Evidence, error) {
	q := ways.Question{
		Head: sideOf(f.head, a.head, a.headActs), Base: sideOf(f.base, a.base, a.baseActs),
		Same: f.same, Apart: f.apart, Between: f.head.model.between, MaxPairs: maxPairs, Alone: f.alone, Named: named,
	}
	e, err := q.New(ctx)
	if err == nil && e != nil {
		if err := replay(f.head.Net, f.head.Rule, a.headActs, false, e); err != nil {
			return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
		}
	}
	return e, err
}

func sideOf(c *listed, f *ctl.Formula, acts [][]int) ways.Side {
	return ways.Side{Net: c.Net, Graph: c.graph, Formula: f, Labels: c.model.labels(acts, c.memory/4), Acts: acts}
}

// refused returns the number of the first step of a run of head, and of what continues it, that base has and can't take; 0: it takes all. Base is followed by the
// definitions of package petri, which package ways does not use.
func (f *stepwise) refused(e *ctl.Evidence) int {
	at, number := f.base.Net.Initial, 0
	for e != nil {
		taken := []petri.Marking{at}
		for _, step := range e.Run.Steps {
			number++
			if at = f.take(at, step); at == nil {
				return number
			}
			taken = append(taken, at)
		}
		next := e.Next
		e = nil
		for _, b := range next {
			if len(b.Run.Steps) > 0 {
				e, at = b.Evidence, taken[b.At]
				break
			}
		}
	}
	return 0
}

// take returns base's marking after what it has of a step; nil where it can't take that.
func (f *stepwise) take(at petri.Marking, step []int) petri.Marking {
	var sets [][]int // for each transition that base has, which it may be
	for _, t := range step {
		if len(f.same[t]) > 0 {
			sets = append(sets, f.same[t])
		}
	}
	if len(sets) == 0 {
		return at
	}
	var ts []int
	for _, some := range sets {
		if k := slices.IndexFunc(some, func(t int) bool { return f.base.Net.Fireable(at, t) }); k >= 0 {
			ts = append(ts, some[k])
		}
	}
	slices.Sort(ts)
	if len(ts) < len(sets) || !f.base.Net.IsStep(at, f.base.Rule, ts) {
		return nil
	}
	after, _ := f.base.Net.Fire(at, ts)
	return after
}

// A pledge is a promise, resolved on both versions.
type pledge struct {
	head, base         *ctl.Formula
	headActs, baseActs [][]int
	resting            bool // it says on whom it may rest
}

// promise resolves a requirement on both versions, in the names of each; ok is false where one of them has not the names.
func (f *stepwise) promise(onHead, onBase *hclspec.Requirement) (w pledge, ok bool) {
	w.head, w.headActs = f.head.asking(onHead)
	w.base, w.baseActs = f.base.asking(onBase)
	w.resting = onHead.RestsOn != nil
	return w, w.head != nil && w.base != nil
}

// asking resolves a requirement in a draft; nil where the draft has not the names for it.
func (d *Draft) asking(r *hclspec.Requirement) (*ctl.Formula, [][]int) {
	acts, known := d.fair(termsOf(r))
	f, _ := d.resolve(r.Formula)
	if f == nil || !known {
		return nil, nil
	}
	return f, acts
}

// way says how head violates what base violates, too, with the run of a new way that is as none of the named runs.
func (f *stepwise) way(ctx context.Context, a pledge, named []*ctl.Evidence, b Budget) (*Way, *ctl.Evidence) {
	if a.resting {
		return &Way{Unknown: "other ways to violate it are not looked for where it says on whom it may rest"}, nil
	}
	if !ways.Shown(a.head) {
		return &Way{Unshown: true}, nil
	}
	e, err := f.new(ctx, a, named)
	switch {
	case errors.Is(err, ways.ErrTooManyPairs):
		return &Way{Unknown: fmt.Sprintf("there are more than %d pairs of states of both versions to look at", maxPairs)}, nil
	case err != nil:
		return &Way{Unknown: b.reason(err)}, nil
	case e == nil:
		return &Way{}, nil
	case f.alone:
		return &Way{New: true}, e
	}
	return &Way{New: true, Step: f.refused(e)}, e
}
