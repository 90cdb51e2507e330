package engine

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// The built-in checks need no formula. Those of this file look at the composed net or at its
// state model; each finding has a code, whose page explains it.

// static are the checks that need no state model. They warn before anything is explored.
func (d *Draft) static() []Diagnostic {
	var list []Diagnostic
	mentioned := map[string]bool{}
	for _, e := range d.Spec.Events {
		for _, s := range slices.Concat(e.Ways...) {
			mentioned[s.Party.Name+"."+s.Label] = true
		}
	}
	for i, party := range d.parties {
		for _, t := range d.transitions[i] {
			if t.Labelled && !mentioned[party.Name+"."+t.Label] {
				name := party.Name + "." + source(t)
				list = append(list, d.finding("label-without-event", name, t.Range,
					fmt.Sprintf("No event mentions the label %q of %s, so it happens without anybody else.", t.Label, name),
					"Was an event forgotten, or removed? Otherwise drop the label."))
			}
		}
	}
	if d.unbuilt != "" {
		return variantsOnce(list) // what events would do is not there to be looked at
	}
	return variantsOnce(append(append(list, d.notOwnAct()...), d.idle()...))
}

// notOwnAct finds prohibitions, permissions and powers on an event in which their bearer takes no part.
func (d *Draft) notOwnAct() []Diagnostic {
	var list []Diagnostic
	for _, n := range d.Spec.Norms {
		for _, e := range n.Acts {
			if n.Kind == hclspec.Obligation || e.Moving || d.partakes(e, n.Bearer) {
				continue
			}
			list = append(list, d.finding("not-its-own-act", n.Kind.String()+"."+n.Name, n.Range,
				fmt.Sprintf("The %s %q is %s's, and %s takes no part in %q.", n.Kind, n.Name, d.who("the ", n.Bearer), d.who("the ", n.Bearer), e.Name),
				"So the acts of others "+map[hclspec.NormKind]string{hclspec.Prohibition: "breach", hclspec.Permission: "make use of", hclspec.Power: "exercise"}[n.Kind]+
					" it. Let the bearer take part in the event, or name as bearer who does."))
			break
		}
	}
	return list
}

// builtIn runs the checks that need the whole state model.
func (c *checked[S]) builtIn(ctx context.Context, r *Result, asked *answers) error {
	seen, err := c.survey(ctx)
	if err != nil {
		return err
	}
	never, err := c.neverHappens(ctx, seen)
	if err != nil {
		return err
	}
	idle, err := c.idleAtTimes(ctx)
	if err != nil {
		return err
	}
	r.Diagnostics = slices.Concat(c.withoutIdle(r.Diagnostics, seen), idle, never)
	r.Diagnostics = append(r.Diagnostics, c.neverReached(seen)...)
	r.Diagnostics = append(r.Diagnostics, c.neverCounted(seen)...)
	twice, err := c.heldTwice(ctx)
	if err != nil {
		return err
	}
	r.Diagnostics = append(r.Diagnostics, twice...)
	norms, err := c.norms(ctx)
	if err != nil {
		return err
	}
	r.Diagnostics = append(r.Diagnostics, norms...)
	found, err := c.completion(ctx, c.Final, c.Spec.Final, c.Draft)
	if err != nil {
		return err
	}
	r.Diagnostics = append(r.Diagnostics, found...)
	asked.Completion, err = c.completion(ctx, asked.final, asked.finalText, asked.asker)
	return err
}

func (c *checked[S]) survey(ctx context.Context) (survey, error) {
	type surveyed struct {
		survey
		err error
	}
	s := recall(ctx, c.commons, c.key("survey"), func() surveyed {
		s, err := c.model.survey(ctx)
		return surveyed{s, err}
	})
	return s.survey, s.err
}

// neverHappens names events that can't happen, then the transitions that can never fire: of those that could only fire with an
// event that can't happen, the ones whose own party never has what they need.
func (c *checked[S]) neverHappens(ctx context.Context, seen survey) ([]Diagnostic, error) {
	happens := map[*hclspec.Event]bool{}
	fires, alive := map[string]bool{}, map[string]bool{} // by party.transition, as in the text
	for i, t := range c.Net.Transitions {
		if t.Event >= 0 {
			e := c.events[t.Event]
			happens[e] = happens[e] || seen.fired[i]
		}
		for _, p := range t.Parts {
			fires[c.named(p)] = fires[c.named(p)] || seen.fired[i]
		}
	}
	var list []Diagnostic
	for _, e := range c.Spec.Events {
		if !happens[e] && !e.Moving { // that no time passes says no more than that nothing is begun
			list = append(list, c.finding("event-never-happens", "event."+e.Name, e.Range, fmt.Sprintf("Event %q can't happen.", e.Name), lacking(e)))
		}
	}
	for _, t := range c.Net.Transitions {
		for _, p := range t.Parts {
			alive[c.named(p)] = alive[c.named(p)] || t.Event < 0 || happens[c.events[t.Event]]
		}
	}
	for i, party := range c.parties {
		for _, t := range c.transitions[i] {
			name := party.Name + "." + source(t)
			if fires[name] || t.Range == party.Range { // the last: made, for a phase that waits
				continue
			}
			ready, err := c.everReady(ctx, i, name)
			if err != nil {
				return nil, err
			}
			fires[name] = true // its other variants need no words
			switch {
			case !ready:
				list = append(list, c.finding("transition-never-fires", name, t.Range, fmt.Sprintf("%s can never happen.", name), "What it needs is never there at one moment."))
			case alive[name]:
				list = append(list, c.finding("transition-never-fires", name, t.Range, fmt.Sprintf("%s can never happen.", name),
					"What it needs is there at times, but never when whatever else happens with it is possible, too."))
			}
		}
	}
	return list, nil
}

// lacking says why an event can't happen, as far as that is known.
func lacking(e *hclspec.Event) string {
	document := slices.ContainsFunc(slices.Concat(e.Ways...), func(s hclspec.Sync) bool { return s.Party.Made == "document" })
	if len(e.Needs) > 0 || document {
		return "In no reachable state is all that it needs so at once: its parties ready for it, and what only_while, not_before, within or a document asks."
	}
	return "In no reachable state are all the parties it concerns ready for it."
}

// everReady reports whether in some reachable state a party's own places allow one of the variants of a transition.
func (c *checked[S]) everReady(ctx context.Context, party int, name string) (bool, error) {
	at := c.placesAt()
	for _, t := range c.transitions[party] {
		if c.parties[party].Name+"."+source(t) != name {
			continue
		}
		var all []*ctl.Formula
		for _, p := range slices.Concat(t.Consume, t.Read) {
			all = append(all, c.marked(at[p]))
		}
		never, err := c.unbounded().Holds(ctx, &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: join(ctl.And, all)}})
		if err != nil || !never {
			return err == nil, err
		}
	}
	return false, nil
}

// neverReached names states, flag values and places that are never marked.
func (c *checked[S]) neverReached(seen survey) []Diagnostic {
	var list []Diagnostic
	for i, p := range c.Net.Places[:len(c.places)] {
		if seen.marked[i] || c.places[i].Counter != "" || watches(c.owners[i]) {
			continue
		}
		spec, subject := c.places[i], p.String()
		message := fmt.Sprintf("%s is never reached.", subject)
		switch spec.Kind {
		case hclspec.FlagTrue, hclspec.FlagFalse:
			subject = p.Net + "." + spec.Flag
			message = fmt.Sprintf("Flag %s never becomes %t.", subject, spec.Kind == hclspec.FlagTrue)
		case hclspec.Plain:
			message = fmt.Sprintf("%s never comes about.", subject)
		}
		list = append(list, c.finding("state-never-reached", subject, spec.Range, message, ""))
	}
	return list
}

// completion checks the declared final states: every dead end is one of them, and from every
// state one of them can be reached (van der Aalst 1998, The application of Petri nets to
// workflow management, definition of soundness, "option to complete").
//
// The text, for its place in the source, is in the draft that declares it.
func (c *checked[S]) completion(ctx context.Context, final *ctl.Formula, text *hclspec.Formula, in *Draft) ([]Diagnostic, error) {
	if final == nil {
		return nil, nil
	}
	stuck := &ctl.Formula{Op: ctl.And, Left: &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}},
		Right: &ctl.Formula{Op: ctl.Not, Left: final}}
	lost := lostTo(final)
	list, err := c.avoidable(ctx, stuck, "dead-end")
	if err != nil {
		return nil, err
	}
	open, err := c.avoidable(ctx, lost, "no-option-to-complete")
	if list != nil && open != nil && list[0].Trace.steps() == open[0].Trace.steps() {
		// A dead end is as near as anything that is lost: what is left to say is where not even a dead end is ahead.
		lost.Left.Left = &ctl.Formula{Op: ctl.Or, Left: final, Right: stuck}
		open, err = c.avoidable(ctx, lost, "no-option-to-complete")
	}
	if err != nil {
		return nil, err
	}
	list = append(list, open...)
	for i := range list {
		list[i].Source, list[i].Snippet = text.Range, in.snippet(text.Range)
	}
	return list, nil
}

// lostTo is where no final state can be reached any more.
func lostTo(final *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EF, Left: final}}
}

// avoidable reports the nearest reachable state that satisfies bad, with the run that leads there;
// nothing when there is none.
func (c *checked[S]) avoidable(ctx context.Context, bad *ctl.Formula, code codes.Code) ([]Diagnostic, error) {
	checker := c.checker(nil)
	never := never(bad)
	holds, err := checker.Holds(ctx, never)
	if err != nil || holds {
		return nil, err
	}
	set, err := checker.Sat(ctx, bad)
	if err != nil {
		return nil, err
	}
	n, err := c.model.count(ctx, set)
	if err != nil {
		return nil, err
	}
	diag := c.finding(code, "", hcl.Range{}, c.completionMessage(code, n), "")
	if diag.Trace, err = c.show(ctx, checker, nil, false, never, hclspec.CTL.String()); err != nil {
		return nil, err
	}
	if diag.Trace == nil { // the initial state itself
		diag.Trace = &Trace{End: c.standing(c.Net.Initial)}
	}
	diag.Trace.Claim, diag.Trace.DeadEnd = "", code == "dead-end"
	return []Diagnostic{diag}, nil
}

func (c *checked[S]) completionMessage(code codes.Code, n *big.Int) string {
	if code == "dead-end" {
		return plural(n, "There is a state, none of the final ones,", "There are %d states, none of them final,") + " in which nothing can happen any more."
	}
	return plural(n, "There is a state", "There are %d states") + " from which no final state can be reached any more."
}

func plural(n *big.Int, one, many string) string {
	if n.IsInt64() && n.Int64() == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// steps is how many steps a run takes before it goes round.
func (t *Trace) steps() int {
	if len(t.Prefix) == 0 {
		return 0
	}
	return t.Prefix[len(t.Prefix)-1].Step
}

// contact says which place would hold two tokens, and how it comes to that.
func (d *Draft) contact(e *space.ContactError) Diagnostic {
	place := d.places[e.Place]
	if place.Kind == hclspec.CounterBound {
		return d.ledTo(e, d.outOfBounds(e))
	}
	last := e.Steps[len(e.Steps)-1]
	var who []string
	for _, t := range last {
		who = append(who, d.Net.Transitions[t].Name)
	}
	return d.ledTo(e, d.finding("contact", e.Name.String(), place.Range,
		fmt.Sprintf("%s would be there twice: %s brings it about while it is still there.", e.Name, strings.Join(who, " with ")),
		"No requirement has a verdict until this is mended."))
}

// ledTo adds the run that leads to a contact.
func (d *Draft) ledTo(e *space.ContactError, diag Diagnostic) Diagnostic {
	diag.Trace = &Trace{End: d.standing(e.Markings[len(e.Markings)-1])}
	for i, step := range e.Steps {
		for _, t := range step {
			diag.Trace.Prefix = append(diag.Trace.Prefix, d.firing(i+1, t, e.Markings[i]))
		}
	}
	return diag
}

// finding is a diagnostic of the class its code has.
func (d *Draft) finding(code codes.Code, subject string, at hcl.Range, message, detail string) Diagnostic {
	page, ok := codes.Lookup(code)
	if !ok {
		panic("engine: no page explains " + code)
	}
	return Diagnostic{Code: code, Class: page.Class, Subject: subject, Source: at, Message: message, Detail: detail,
		Snippet: d.snippet(at)}
}
