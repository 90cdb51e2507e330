package scenario

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// An Answer says whether a scenario is as expected.
type Answer struct {
	Holds  bool
	Trace  *finding.Trace // a run of the scenario, or of its steps up to the one that can't happen; nil: it is as expected without a run
	Stops  int            // number of the step, ticks in a row as one, that can't happen after those before it; 0: some run has all steps
	Lacks  []finding.PartyState
	OneWay bool                 // there are other ways to take that step, which lack something else
	There  []finding.PartyState // the parties of Lacks, where that step can't happen
	Of     []string             // of one that leaves a party in breach: by which norms, of each run that differs in them: deliver and pay; sorted
}

// Decide decides a scenario on a draft with its names. The error is a LimitError, a contact, or the context's cause.
func Decide(ctx context.Context, d *compile.Draft, s *phrase.Script, limits Limits) (*Answer, error) {
	if s.Then == nil || !d.Recalls(s.Then) {
		d = d.WithoutHistory()
	}
	x := newSearch(d, s, limits)
	if err := x.run(ctx); err != nil {
		return nil, err
	}
	ends := x.ends()
	if len(ends) == 0 {
		if !s.Possible {
			return &Answer{Holds: true, Stops: x.listed(x.reached())}, nil
		}
		return x.stopped()
	}
	a := &Answer{Holds: s.Possible, Of: x.breaches(s.Then, ends)}
	end, claim := ends[0], "these are the steps of the scenario, one after the other"
	if s.Then != nil {
		for _, i := range ends {
			if value, known := explain.Truth(d, x.nodes[i].marking, s.Then); !known {
				return nil, fmt.Errorf("what has to be so after the scenario can't be read off a state")
			} else if !value {
				a.Holds, end, claim = false, i, x.unlike(s.Then, x.nodes[i].marking)
				break
			}
		}
	}
	var err error
	a.Trace, err = x.trace(end, s.Then, a.Holds, claim)
	return a, err
}

// breaches returns the norms that a party is in breach of at each end, if that is what is expected.
func (x *search) breaches(then *ctl.Formula, ends []int) (all []string) {
	if then == nil || then.Call == nil || then.Call.Function != phrase.InBreach {
		return nil
	}
	for _, i := range ends {
		var of []string
		for _, due := range explain.DutiesOf(x.Draft).In(x.nodes[i].marking) {
			if due.Breached && slices.ContainsFunc(due.By, func(p *hclspec.Party) bool { return p.Name == then.Call.Args[0].Name }) {
				of = append(of, due.Norm.Name)
			}
		}
		slices.Sort(of)
		all = append(all, strings.Join(of, " and "))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// unlike returns what is so after a scenario, where something else is expected. It returns "" for a formula in the contract's names, whose
// words explain has.
func (x *search) unlike(then *ctl.Formula, m petri.Marking) string {
	if then.Call == nil || then.Call.Function != phrase.InBreach && then.Call.Function != phrase.Fulfilled {
		return ""
	}
	if then.Call.Function == phrase.InBreach {
		name := then.Call.Args[0].Name
		for _, p := range x.Parties {
			if p.Name == name {
				name = x.Who("the ", p)
			}
		}
		return name + " is in breach of nothing"
	}
	var open []string
	for _, due := range explain.DutiesOf(x.Draft).In(m) {
		if compile.Speaks(then.Call, due.Norm) && (due.Breached || due.Norm.Kind == hclspec.Obligation) {
			open = append(open, due.Norm.Name+" is "+due.State)
		}
	}
	return strings.Join(open, ", ")
}

// trace returns the run to a node, replayed. An empty claim is replaced by what does not hold at its end.
func (x *search) trace(end int, then *ctl.Formula, holds bool, claim string) (*finding.Trace, error) {
	run := ctl.Run{Loop: -1}
	for i := end; i >= 0; i = x.nodes[i].from {
		if n := x.nodes[i]; len(n.fired) > 0 || n.from < 0 {
			run.Markings = append(run.Markings, n.marking)
			if len(n.fired) > 0 {
				run.Steps = append(run.Steps, n.fired)
			}
		}
	}
	slices.Reverse(run.Markings)
	slices.Reverse(run.Steps)
	last := len(run.Markings) - 1
	shown := func(of *ctl.Formula) *ctl.Evidence {
		at := &ctl.Evidence{Formula: of, Holds: holds, Run: ctl.Run{Markings: run.Markings[last:], Loop: -1}}
		whole := &ctl.Formula{Op: map[bool]ctl.Op{true: ctl.EF, false: ctl.AG}[holds], Left: of}
		return &ctl.Evidence{Formula: whole, Holds: holds, Run: run, Next: []ctl.Because{{At: last, Evidence: at}}}
	}
	e := shown(&ctl.Formula{Op: map[bool]ctl.Op{true: ctl.True, false: ctl.False}[holds]})
	if then != nil && claim == "" {
		e = shown(then)
	}
	if err := explain.Replay(x.Net, x.Rule, explain.Runs{}, e); err != nil {
		return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
	}
	t := explain.Trace(x.Draft, e, hclspec.CTL.String())
	if t != nil && claim != "" {
		t.Claim = claim
	}
	return t, nil
}

// Bounds on the transitions and markings that are tried to find what a step lacks.
const triedTransitions, triedMarkings = 30, 30

// reached returns how many steps some run has, of a scenario of which no run has all.
func (x *search) reached() int {
	at := len(x.steps)
	for len(x.layers[at]) == 0 {
		at--
	}
	return at
}

// stopped returns the answer for a scenario that no run has: how far its steps go, and what the next one lacks there. Of several ways it is that which lacks
// least. So of the occurrences of an obligation it is the next one, which is not owed yet, or else the last that is breached, or the last.
func (x *search) stopped() (*Answer, error) {
	at := x.reached()
	list, meant := x.layers[at], x.meant[x.steps[at]]
	end, by, least, past := list[0], -1, 0, 0
	if rested := x.rested(list); len(rested) > 0 { // else what happens by itself comes before the step, whatever that takes
		list, end = rested, rested[0]
	}
	for _, i := range list[:min(len(list), triedMarkings)] {
		for _, t := range meant[:min(len(meant), triedTransitions)] {
			m := x.nodes[i].marking
			n := x.lacking(m, t)
			if by >= 0 && n > least {
				continue
			}
			if over := x.over(m, t); by < 0 || n < least || over < past || over == past && over > 0 && i == end {
				end, by, least, past = i, t, n, over
			}
		}
	}
	a, claim := &Answer{Stops: x.listed(at)}, x.called(at)+" can't happen here"
	if by >= 0 && x.Rule == petri.All && x.Net.Fireable(x.nodes[end].marking, by) {
		claim = x.called(at) + " can't happen alone" + x.company(x.nodes[end].marking, by)
	} else if by >= 0 {
		m := x.nodes[end].marking
		a.Lacks = explain.Lacks(x.Draft, m, by)
		a.OneWay = slices.ContainsFunc(meant[:min(len(meant), triedTransitions)], func(t int) bool { return !reflect.DeepEqual(explain.Lacks(x.Draft, m, t), a.Lacks) })
		for _, s := range explain.PartiesAt(x.Draft, m) {
			if slices.ContainsFunc(a.Lacks, func(l finding.PartyState) bool { return l.Party == s.Party }) {
				a.There = append(a.There, s)
			}
		}
	}
	var err error
	a.Trace, err = x.trace(end, nil, false, claim)
	return a, err
}

// rested returns the nodes where nothing is due that happens by itself.
func (x *search) rested(nodes []int) (all []int) {
	for _, i := range nodes {
		if !slices.ContainsFunc(x.urgent, func(t int) bool { return x.Net.Fireable(x.nodes[i].marking, t) }) {
			all = append(all, i)
		}
	}
	return all
}

// maxTries bounds the transitions that are tried to find what else has to happen at the moment of a step.
const maxTries = 100_000

// company says what else happens wherever a transition that can fire does, if all that can happen together does. Of several ways it has one.
func (x *search) company(m petri.Marking, t int) string {
	var can []int
	for u := range x.Net.Transitions {
		if u != t && x.Net.Fireable(m, u) {
			can = append(can, u)
		}
	}
	first, several := "", false
	x.tries, x.limits.Tries = 0, maxTries
	err := x.extend(can, []int{t}, func(step []int) error {
		var others []string
		for _, u := range step {
			if e := explain.Event(x.Draft, u); e != nil && u != t {
				others = append(others, titled(e, e.Name))
			}
		}
		slices.Sort(others)
		with := strings.Join(others, " and ")
		several = several || first != "" && with != first
		first = cmp.Or(first, with)
		return nil
	})
	switch {
	case first == "":
		return ""
	case several || err != nil:
		return ": at the same moment, for example, " + first
	}
	return ": at the same moment, " + first
}

// lacking counts the places that a transition needs and that are not marked.
func (x *search) lacking(m petri.Marking, t int) int {
	n := 0
	for _, p := range slices.Concat(x.Net.Transitions[t].In, x.Net.Transitions[t].Read) {
		if !m.Has(p) {
			n++
		}
	}
	return n
}

// over says how far obligations and the like that a transition needs are behind, of which a place it needs is not marked: each counts 0 if it has not begun,
// 1 if it is breached, which is what happened in place of the step, and 2 if it is over otherwise.
func (x *search) over(m petri.Marking, t int) int {
	n := 0
	for _, p := range slices.Concat(x.Net.Transitions[t].In, x.Net.Transitions[t].Read) {
		net := x.Owners[p]
		i := slices.IndexFunc(x.Spec.Norms, func(of *hclspec.Norm) bool { return of.Net == net })
		if i < 0 || m.Has(p) {
			continue
		}
		for q, place := range x.AllPlaces {
			switch {
			case x.Owners[q] != net || place.Kind != hclspec.State || !m.Has(q) || place.Name == construct.Dormant:
			case place == x.Spec.Norms[i].Breached():
				n++
			default:
				n += 2
			}
		}
	}
	return n
}

// listed returns the number of a step, from 1, where ticks in a row are one step.
func (x *search) listed(at int) int {
	return len((&hclspec.Scenario{Steps: x.steps[:at+1]}).Listed())
}

// called returns the title of the event of a step, or its name.
func (x *search) called(at int) string {
	if x.steps[at] == phrase.Begun {
		return "the beginning of the phase"
	}
	if x.steps[at] == hclspec.Tick {
		return "the passing of time"
	}
	for _, e := range x.EventsOf(x.steps[at]) {
		if e.Name == e.Of {
			return titled(e, x.steps[at])
		}
	}
	return x.steps[at]
}

// titled returns the title of an event, or a name if it has none.
func titled(e *hclspec.Event, name string) string {
	if e.Title == "" {
		return name
	}
	return fmt.Sprintf("“%s”", e.Title)
}
