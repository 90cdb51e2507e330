package compare

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/engine/ways"
	"github.com/redlinehq/redline/hclspec"
)

// This file asks whether head violates a promise in a way that base did not have. Package ways defines what a way is.

// maxPairs bounds the pairs of states, and the steps between them, of one question, maxWithin those within a run.
const maxPairs, maxWithin = 20_000_000, 500_000

// A stepwise has base and head with their explicit states, and maps the steps of head to those of base.
type stepwise struct {
	base, head *verify.Listed
	same       [][]int
	apart      []bool
	alone      bool // every way of head counts: base is head itself, and is ignored
}

// InStep compares the steps of two versions. Two steps are the same if they have the same event and the same transitions of the parties
// that both versions have, renames undone. Nets of norms only watch, and are ignored. If an event takes more parties than before, what it took then is its step,
// too: what needs another's consent was possible without it.
func InStep(base, head *verify.Listed, n compile.Naming) *stepwise {
	f := &stepwise{base: base, head: head}
	both := bothParties(base.Draft, head.Draft, n)
	of := map[string][]int{}
	for t := range base.Net.Transitions {
		key := step(n.Of(0), base.Draft, t, both, nil)
		of[key] = append(of[key], t)
	}
	for t := range head.Net.Transitions {
		same := of[step(n.Of(1), head.Draft, t, both, nil)]
		if same == nil {
			same = of[step(n.Of(1), head.Draft, t, both, newConsent(base.Draft, head.Draft, t, n))]
		}
		f.same = append(f.same, same)
	}
	f.apart = f.apartOf(both)
	return f
}

// newConsent returns the parties that only have to consent to the event of a transition of head, and did not on base.
func newConsent(base, head *compile.Draft, t int, n compile.Naming) map[string]bool {
	made := func(p petri.Part) bool { return head.Parties[p.Net].Transitions[p.Transition].Made }
	if !slices.ContainsFunc(head.Net.Transitions[t].Parts, made) {
		return nil
	}
	did := behaviour.ActionOf(n.Of(1), head, t)
	before := map[string]bool{}
	for u := range base.Net.Transitions {
		if behaviour.ActionOf(n.Of(0), base, u) == did {
			for _, p := range base.Net.Transitions[u].Parts {
				before[n.Of(0).Head(diff.Party, base.Parties[p.Net].Name)] = true
			}
		}
	}
	more := map[string]bool{}
	for _, p := range head.Net.Transitions[t].Parts {
		name := head.Parties[p.Net].Name
		more[name] = made(p) && !before[name]
	}
	return more
}

// bothParties returns the parties and nets that both versions have, by their names on head.
func bothParties(base, head *compile.Draft, n compile.Naming) map[string]bool {
	of, both := map[string]bool{}, map[string]bool{}
	for _, p := range base.Parties {
		of[n.Of(0).Head(diff.Party, p.Name)] = true
	}
	for _, p := range head.Parties {
		both[p.Name] = of[p.Name] && p.Made == ""
	}
	return both
}

// step returns a key for what a composed transition does: its event, and the transitions of parties that both versions have, but for some parties.
func step(n compile.SideNaming, d *compile.Draft, t int, both, but map[string]bool) string {
	did := behaviour.ActionOf(n, d, t)
	if did.Kind == behaviour.TransitionAction {
		return fmt.Sprintf("%d %s", did.Kind, did.Name)
	}
	var parts []string
	for _, p := range d.Net.Transitions[t].Parts {
		if party := n.Head(diff.Party, d.Parties[p.Net].Name); both[party] && !but[party] {
			parts = append(parts, n.Part(d, p))
		}
	}
	slices.Sort(parts)
	return fmt.Sprintf("%d %s %s", did.Kind, did.Name, strings.Join(parts, " "))
}

// apartOf marks the transitions of nets that only head has and that share no transition with a net of base.
func (f *stepwise) apartOf(both map[string]bool) []bool {
	net := f.head.Net
	nets := map[string]int{}
	for i, p := range f.head.Parties {
		nets[p.Name] = i
	}
	of := make([]int, len(f.head.Parties)) // union-find: the net that each is joined with, or itself
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
		touched[t] = touches(f.head.Checked.Draft, t, nets)
		for _, i := range touched[t] {
			of[root(i)] = root(touched[t][0])
		}
	}
	known := map[int]bool{}
	for i, p := range f.head.Parties {
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

// touches returns the nets of the places of a transition and of its moves.
func touches(d *compile.Draft, t int, nets map[string]int) []int {
	tr := d.Net.Transitions[t]
	var list []int
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

// new returns a replayed run that violates a promise on head in a way that base did not have and that none of the named runs shows, or nil.
// It fails if there are too many pairs of states, or if the run does not replay.
func (f *stepwise) new(ctx context.Context, a pledge, named []*ctl.Evidence) (*ctl.Evidence, error) {
	q := ways.Question{
		Head: sideOf(f.head, a.Head, a.onHead), Base: sideOf(f.base, a.Base, a.onBase),
		Same: f.same, Apart: f.apart, Between: f.head.Model.Between, MaxPairs: maxPairs, MaxWithin: maxWithin, Alone: f.alone, Stops: a.onHead.Stops, Named: named,
	}
	e, err := q.NewViolation(ctx)
	if err == nil && e != nil {
		if err := explain.Replay(f.head.Net, f.head.Rule, a.onHead, e); err != nil {
			return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
		}
	}
	return e, err
}

func sideOf(c *verify.Listed, f *ctl.Formula, on explain.Runs) ways.Side {
	s := ways.Side{Net: c.Net, Graph: c.Graph, Formula: f, Acts: on.Acts, Barred: on.Barred}
	if on.Stops {
		s.Labels = c.Model.Stopping(on, c.Memory.Part(4))
	} else {
		s.Labels = c.Model.Labels(on.Acts, c.Memory.Part(4))
	}
	return s
}

// refused returns the number of the first step of a run of head that base has and cannot take, or 0, and that of the first one before it that base has not,
// or 0. It follows base by the definitions of
// package petri, which package ways does not use.
func (f *stepwise) refused(e *ctl.Evidence) (number, lacks int) {
	at := f.base.Net.Initial
	for e != nil {
		taken := []petri.Marking{at}
		for _, step := range e.Run.Steps {
			number++
			if lacks == 0 && !slices.ContainsFunc(step, func(t int) bool { return len(f.same[t]) > 0 }) {
				lacks = number
			}
			if at = f.take(at, step); at == nil {
				return number, lacks
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
	return 0, 0
}

// take returns base's marking after its part of a step, or nil if base cannot take that.
func (f *stepwise) take(at petri.Marking, step []int) petri.Marking {
	_, after := f.firing(at, step)
	return after
}

// firing returns the transitions of base that are its part of a step, and the marking after them, which is nil if base cannot take them.
func (f *stepwise) firing(at petri.Marking, step []int) (ts []int, after petri.Marking) {
	var sets [][]int // for each transition that base has, which it may be
	for _, t := range step {
		if len(f.same[t]) > 0 {
			sets = append(sets, f.same[t])
		}
	}
	if len(sets) == 0 {
		return nil, at
	}
	for _, some := range sets {
		if k := slices.IndexFunc(some, func(t int) bool { return f.base.Net.Fireable(at, t) }); k >= 0 {
			ts = append(ts, some[k])
		}
	}
	slices.Sort(ts)
	if len(ts) < len(sets) || !f.base.Net.IsStep(at, f.base.Rule, ts) {
		return nil, nil
	}
	after, _ = f.base.Net.Fire(at, ts)
	return ts, after
}

// A pledge is a promise, resolved on both versions.
type pledge struct {
	Head, Base     *ctl.Formula
	onHead, onBase explain.Runs
}

// Promise resolves a requirement on both versions, in the names of each. ok is false if one of them lacks the names.
func (f *stepwise) Promise(onHead, onBase *hclspec.Requirement) (w pledge, ok bool) {
	head := f.head.Checked.Draft
	w.Head, w.onHead = asking(head, head, onHead)
	w.Base, w.onBase = asking(f.base.Checked.Draft, head, onBase)
	return w, w.Head != nil && w.Base != nil
}

// asking resolves a requirement in a draft, in the shape that it has on head. The formula is nil if the draft lacks the names for it.
func asking(d, head *compile.Draft, r *hclspec.Requirement) (*ctl.Formula, explain.Runs) {
	on, known := verify.Fair(d, compile.TermsOf(r))
	f, _ := d.ResolveLike(r.Formula, head)
	if f == nil || !known {
		return nil, explain.Runs{}
	}
	return f, on
}

// way returns how head violates a promise that base violates too, with the run of a new way that none of the named runs shows.
func (f *stepwise) way(ctx context.Context, a pledge, named []*ctl.Evidence, b finding.Budget) (*finding.Way, *ctl.Evidence) {
	if !ways.RefutedByRuns(a.Head) {
		return &finding.Way{Unshown: true}, nil
	}
	e, err := f.new(ctx, a, named)
	switch {
	case errors.Is(err, ways.ErrTooManyPairs):
		return &finding.Way{Unknown: fmt.Sprintf("there are more than %d pairs of states of both versions to look at", maxPairs)}, nil
	case err != nil:
		return &finding.Way{Unknown: b.Reason(err)}, nil
	case e == nil:
		return &finding.Way{}, nil
	case f.alone:
		return &finding.Way{New: true}, e
	}
	w := &finding.Way{New: true}
	w.Step, w.Lacks = f.refused(e)
	return w, e
}
