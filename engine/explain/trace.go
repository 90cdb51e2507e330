package explain

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// Trace renders evidence as a run in the contract's words. It returns nil if the initial state alone shows that the formula holds. If a
// single subformula carries the explanation on from the end of a run, its run continues the run above it.
func Trace(d *compile.Draft, e *ctl.Evidence, notation string) *finding.Trace {
	t := &renderer{Draft: d, notation: notation}
	if e.Holds && !hasRun(e) {
		return nil // the initial state is evidence enough
	}
	tr := t.trace(e, 0, nil)
	if said := tooOften(d, e); said != "" && len(tr.Then) == 0 {
		tr.Claim = said
	}
	date(d, tr, 0)
	return tr
}

// A renderer renders runs and formulas of a draft in one notation.
type renderer struct {
	*compile.Draft
	notation string
	acts     map[string]string // words for events of the instance that a sentence is about, by name
	apart    bool              // the run shown begins before the end of the steps that are counted
	wordless bool              // the claim has a part with temporal operators for which there are no words
}

// trace renders evidence. It counts steps from the given one, and past has the markings shown before.
func (t *renderer) trace(e *ctl.Evidence, step int, past []petri.Marking) *finding.Trace {
	tr := &finding.Trace{Claim: t.claimed(e, past, false)}
	run := e.Run
	if len(run.Steps) > 0 {
		t = &renderer{Draft: t.Draft, notation: t.notation}
	}
	for i, fired := range run.Steps {
		step++
		list := &tr.Prefix
		if run.Loop >= 0 && i >= run.Loop {
			list = &tr.Loop
		}
		for _, transition := range fired {
			*list = append(*list, Firing(t.Draft, step, transition, run.Markings[i]))
		}
	}
	end := len(run.Markings) - 1
	if run.Loop >= 0 {
		end = run.Loop
	}
	ends := run.Dead || rests(e)
	tr.DeadEnd = ends && dead(t.Draft, run.Markings[end])
	tr.Stops = ends && !tr.DeadEnd
	tr.End = PartiesAt(t.Draft, run.Markings[end])
	t.then(tr, e, step, past)
	return tr
}

// then adds the evidence below e. A single continuation at the end of the run prolongs it.
func (t *renderer) then(tr *finding.Trace, e *ctl.Evidence, step int, past []petri.Marking) {
	last := len(e.Run.Markings) - 1
	open := e.Run.Loop < 0 && !e.Run.Dead
	seen := slices.Concat(past, e.Run.Markings)
	if open && len(e.Next) == 1 && e.Next[0].At == last && carriesOn(e, e.Next[0].Evidence) {
		below := deepest(e.Next[0].Evidence)
		tr.Claim = t.claimed(below, seen, t.keptUntil(e, below.Formula))
	}
	var below []ctl.Because
	for _, b := range e.Next {
		if hasRun(b.Evidence) {
			below = append(below, b)
		}
	}
	if open && len(below) == 1 && below[0].At == last && carriesOn(e, below[0].Evidence) {
		next := t.trace(below[0].Evidence, step, seen)
		tr.Prefix = append(tr.Prefix, next.Prefix...)
		tr.Claim, tr.Loop, tr.DeadEnd, tr.Stops, tr.End, tr.Then = cmp.Or(t.ofIdealRun(e, step, past), next.Claim), next.Loop, next.DeadEnd, next.Stops, next.End, next.Then
		for _, later := range tr.Then {
			later.After += last
		}
		return
	}
	for _, b := range below {
		from := *t
		from.apart = t.apart || b.At != last
		next := from.trace(b.Evidence, step, seen[:len(past)+b.At+1])
		next.After = b.At
		tr.Then = append(tr.Then, next)
	}
}

// keptUntil reports whether part held before the last step of a run to where AG fails. For an implication, it reports whether the
// consequent did.
func (t *renderer) keptUntil(e *ctl.Evidence, part *ctl.Formula) bool {
	before := len(e.Run.Markings) - 2
	if e.Formula.Op != ctl.AG || e.Holds || before < 0 || !slices.Contains(e.Formula.Left.Operands(ctl.And), part) {
		return false
	}
	if part.Op != ctl.Implies {
		return true
	}
	given, known := Truth(t.Draft, e.Run.Markings[before], part.Left)
	return given && known
}

// dead reports whether nothing can happen in a marking.
func dead(d *compile.Draft, m petri.Marking) bool {
	for i := range d.Net.Transitions {
		if d.Net.Fireable(m, i) {
			return false
		}
	}
	return true
}

// carriesOn reports whether the run below is about what e shows, not about a mere condition of it. Where an implication fails, only the run
// of its consequent is.
func carriesOn(e, below *ctl.Evidence) bool {
	return e.Formula.Op != ctl.Implies || e.Holds || below.Formula == e.Formula.Right
}

// deepest follows single explanations without steps down to the formula that decides.
func deepest(e *ctl.Evidence) *ctl.Evidence {
	for len(e.Next) == 1 && len(e.Run.Steps) == 0 && carriesOn(e, e.Next[0].Evidence) {
		e = e.Next[0].Evidence
	}
	return e
}

// hasRun reports whether evidence has a step or a dead end, here or below.
func hasRun(e *ctl.Evidence) bool {
	return len(e.Run.Steps) > 0 || e.Run.Dead || slices.ContainsFunc(e.Next, func(b ctl.Because) bool { return hasRun(b.Evidence) })
}

// Firing describes the firing of a composed transition in a marking, as the given step of a run.
func Firing(d *compile.Draft, step, transition int, before petri.Marking) finding.Firing {
	t := d.Net.Transitions[transition]
	f := finding.Firing{Step: step}
	for _, p := range t.Parts {
		if d.Parties[p.Net].Bookkeeping() {
			continue // it is no party
		}
		name := d.Parties[p.Net].Name
		f.Parties, f.Called = append(f.Parties, name), append(f.Called, d.Calls[name])
		f.Transitions = append(f.Transitions, d.Named(p))
	}
	prose := d.Part(t.Parts[0]).Prose
	if t.Event >= 0 {
		f.Event, prose = d.Events[t.Event].Name, d.Events[t.Event].Prose
	}
	f.Title, f.Clause = prose.Title, prose.Clause
	if f.Clause == "" {
		f.Clause = d.Part(t.Parts[0]).Clause
	}
	f.Changed = append(changes(d, t), d.WatcherChanges(transition, before)...)
	return f
}

// changes returns the changes that a transition makes to the parties' own places.
func changes(d *compile.Draft, t petri.Transition) []finding.Change {
	var list []finding.Change
	for _, p := range t.Parts {
		spec, name := d.Part(p), d.Parties[p.Net].Name
		if d.Parties[p.Net].Bookkeeping() || compile.ActsOnly(d.Parties[p.Net]) {
			continue
		}
		before, after := compile.WithoutCounters(spec.Consume), compile.WithoutCounters(spec.Produce)
		if len(before)+len(after) > 0 {
			list = append(list, finding.Change{Party: name, Called: d.Calls[name], Before: words(before), After: words(after)})
		}
		list = append(list, d.Recounted(name, spec)...)
	}
	return list
}

// words returns the words for places.
func words(places []*hclspec.Place) []string {
	var list []string
	for _, p := range places {
		list = append(list, compile.Word(p))
	}
	return list
}

// PartiesAt returns the state of each party in a marking. It omits parties that only act, and norms and timers with nothing to show.
func PartiesAt(d *compile.Draft, m petri.Marking) []finding.PartyState {
	m = d.Present(m)
	var list []finding.PartyState
	at, loud := map[string]int{}, d.Loud(m)
	for _, p := range d.Parties {
		if !compile.ActsOnly(p) && (!compile.IsWatcher(p) || loud[p.Name]) {
			at[p.Name] = len(list)
			list = append(list, finding.PartyState{Party: p.Name, Called: d.Calls[p.Name]})
		}
	}
	for _, place := range m {
		i, speaks := at[d.Net.Places[place].Net]
		if !speaks || compile.IsSilent(d.Owners[place], d.AllPlaces[place]) {
			continue
		}
		s := &list[i]
		if spec := d.AllPlaces[place]; spec.Kind == hclspec.State {
			s.Places = append([]string{compile.Word(spec)}, s.Places...) // the state comes first
		} else {
			s.Places = append(s.Places, compile.Word(spec))
		}
	}
	return list
}
