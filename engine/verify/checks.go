package verify

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// The built-in checks need no requirement. Those in this file examine the composed net or its state model. Each finding has a code, whose
// page explains it.

// StaticChecks runs the checks that need no state model. Check runs them before it explores anything.
func StaticChecks(d *compile.Draft) []finding.Diagnostic {
	var list []finding.Diagnostic
	mentioned := map[string]bool{}
	for _, e := range d.Spec.Events {
		for _, s := range slices.Concat(e.Ways...) {
			mentioned[s.Party.Name+"."+s.Label] = true
		}
	}
	for i, party := range d.Parties {
		for _, t := range d.Transitions[i] {
			if t.Labelled && !mentioned[party.Name+"."+t.Label] {
				name := party.Name + "." + compile.SourceName(t)
				list = append(list, explain.NewDiagnostic(d, "label-without-event", name, t.Range,
					fmt.Sprintf("No event mentions the label %q of %s, so it happens without anybody else.", t.Label, name),
					"Was an event forgotten, or removed? Otherwise drop the label."))
			}
		}
	}
	if d.Failure != "" {
		return compile.VariantsOnce(list) // the net has no composed transitions to check
	}
	return compile.VariantsOnce(append(append(list, notOwnAct(d)...), idle(d)...))
}

// notOwnAct finds prohibitions, permissions and powers on an event in which their bearer takes no part.
func notOwnAct(d *compile.Draft) []finding.Diagnostic {
	var list []finding.Diagnostic
	for _, n := range d.Spec.Norms {
		for _, e := range n.Acts {
			if n.Kind.Construct().ByOthers == "" || e.Moving || partakes(d, e, n.Bearers[0]) {
				continue
			}
			who := hclspec.Named(n.Bearers[0].Parties, func(p *hclspec.Party) string { return d.Who("the ", p) })
			list = append(list, explain.NewDiagnostic(d, "not-its-own-act", n.Kind.String()+"."+n.Name, n.Range,
				fmt.Sprintf("The %s %q is %s's, and %s %s no part in %q.", n.Kind, n.Name, who, who, verb(n.Bearers[0], "takes", "take"), e.Name),
				"So the acts of others "+n.Kind.Construct().ByOthers+" it. Let the bearer take part in the event, or name as bearer who does."))
			break
		}
	}
	return list
}

// builtIn runs the checks that need the whole state model, and adds their findings to the results. Those that it does not come to are left as unchecked.
func (c *Checked[S]) builtIn(ctx context.Context, r *finding.Result, asked *Answers) (err error) {
	defer halt.Caught(&err)
	r.Model.Unchecked = explain.NeedStates(c.Draft)
	checked := func(list ...codes.Code) {
		r.Model.Unchecked = slices.DeleteFunc(r.Model.Unchecked, func(code codes.Code) bool { return slices.Contains(list, code) })
	}
	checked("contact", "counter-out-of-bounds") // else there were no model
	seen := halt.Must(c.survey(ctx))
	never := c.neverHappens(ctx, seen)
	idle := c.idleAtTimes(ctx)
	r.Diagnostics = slices.Concat(c.withoutIdle(r.Diagnostics, seen), idle, never)
	r.Diagnostics = append(r.Diagnostics, c.neverReached(seen)...)
	r.Diagnostics = append(r.Diagnostics, c.neverCounted(seen)...)
	checked("event-never-happens", "transition-never-fires", "state-never-reached", "idle-self-loop")
	twice := halt.Must(c.DocumentsHeldTwice(ctx))
	checked("document-held-twice")
	blocked := halt.Must(c.EventsBlocked(ctx))
	checked("due-event-blocked")
	r.Diagnostics = slices.Concat(r.Diagnostics, twice, blocked)
	norms, how := c.norms(ctx, seen)
	asked.Fulfilment = how
	r.Diagnostics = append(r.Diagnostics, norms...)
	c.follow(r.Diagnostics, seen)
	checked(explain.NormCodes...)
	r.Diagnostics = append(r.Diagnostics, halt.Must(c.Completion(ctx, c.Final, c.Spec.Final, c.Draft))...)
	checked("dead-end", "no-option-to-complete")
	asked.Completion = halt.Must(c.Completion(ctx, asked.Final, asked.FinalText, asked.Asker))
	asked.Twice = halt.Must(c.heldTwice(ctx, asked.held))
	if asked.Asker != nil {
		asked.Clashes, err = c.EachClash(ctx, r)
	}
	return err
}

// survey returns the model's survey, or takes it from the memo.
func (c *Checked[S]) survey(ctx context.Context) (survey, error) {
	type surveyed struct {
		survey
		err error
	}
	s := Memoized(ctx, c.Memo, c.Key("survey"), func() surveyed {
		s, err := c.Model.survey(ctx)
		return surveyed{s, err}
	})
	return s.survey, s.err
}

// neverHappens finds events that cannot happen, then transitions that can never fire. A transition that could fire only with such an event
// is named only if its own party is never ready for it.
func (c *Checked[S]) neverHappens(ctx context.Context, seen survey) []finding.Diagnostic {
	happens := map[*hclspec.Event]bool{}
	fires, alive := map[string]bool{}, map[string]bool{} // by party.transition, as in the text
	for i, t := range c.Net.Transitions {
		if t.Event >= 0 {
			e := c.Events[t.Event]
			happens[e] = happens[e] || seen.fired[i]
		}
		for _, p := range t.Parts {
			fires[c.Named(p)] = fires[c.Named(p)] || seen.fired[i]
		}
	}
	var list []finding.Diagnostic
	for _, e := range c.Spec.Events {
		if !happens[e] && !e.Moving { // time never passes if no clock is ever started
			list = append(list, explain.NewDiagnostic(c.Draft, "event-never-happens", "event."+e.Name, e.Range, fmt.Sprintf("Event %q can't happen.", e.Name), c.lacking(ctx, e)))
		}
	}
	for _, t := range c.Net.Transitions {
		for _, p := range t.Parts {
			alive[c.Named(p)] = alive[c.Named(p)] || t.Event < 0 || happens[c.Events[t.Event]]
		}
	}
	for i, party := range c.Parties {
		for _, t := range c.Transitions[i] {
			name := party.Name + "." + compile.SourceName(t)
			if fires[name] || t.Made || t.Range == party.Range { // the latter is generated, for a phase that waits
				continue
			}
			ready := c.everReady(ctx, i, name)
			fires[name] = true // skip its other variants
			switch {
			case !ready:
				list = append(list, explain.NewDiagnostic(c.Draft, "transition-never-fires", name, t.Range, fmt.Sprintf("%s can never happen.", name), c.neverReady(t, seen)))
			case alive[name]:
				list = append(list, explain.NewDiagnostic(c.Draft, "transition-never-fires", name, t.Range, fmt.Sprintf("%s can never happen.", name),
					"What it needs is there at times, but never when whatever else happens with it is possible, too."))
			}
		}
	}
	return list
}

// neverReady explains why the party of a transition is never ready for it.
func (c *Checked[S]) neverReady(t *hclspec.Transition, seen survey) string {
	at := slices.IndexFunc(t.Terms, func(term hclspec.Term) bool { return term.Word == "require" })
	if !t.Never() || at < 0 {
		places := c.PlacesAt()
		for _, p := range slices.Concat(t.Consume, t.Read) {
			if i := places[p]; p.Kind == hclspec.State && !seen.marked[i] {
				return fmt.Sprintf("It needs %s, which is never reached.", c.Net.Places[i])
			}
		}
		return "What it needs is never there at one moment."
	}
	return fmt.Sprintf("It requires %s. With the bounds of its counters, and with variables and parameters as they are, that is so for no value.", t.Terms[at].Value)
}

// lacking explains why an event cannot happen, as far as that is known.
func (c *Checked[S]) lacking(ctx context.Context, e *hclspec.Event) string {
	ends := c.Spec.Ends
	if ends != nil && !e.Survives && slices.ContainsFunc(e.Needs, func(need hclspec.Need) bool { return afterEnd(need, ends) }) {
		return "It needs that the contract has ended, and then only events can happen that an obligation or the like with survives = true names, or that a prohibition is about. None names this one."
	}
	if ends != nil && c.readyAfterEnd(ctx, e) {
		return "All that it needs is there at times, but only after the contract has ended."
	}
	if e.Due != nil {
		return "In no reachable state is its time over, with what only_while asks, and are all the parties it concerns ready for it."
	}
	document := slices.ContainsFunc(slices.Concat(e.Ways...), func(s hclspec.Sync) bool { return s.Party.Made == "document" })
	if len(e.Needs) > 0 || document {
		return "In no reachable state is all that it needs so at once: its parties ready for it, and what only_while, not_before, within or a document asks."
	}
	return "In no reachable state are all the parties it concerns ready for it."
}

// readyAfterEnd reports whether in some reachable state an event lacks nothing but that the contract is in force.
func (c *Checked[S]) readyAfterEnd(ctx context.Context, e *hclspec.Event) bool {
	inForce := c.PlacesAt()[c.Spec.Ends.InForce]
	for _, t := range c.Net.Transitions {
		if t.Event < 0 || c.Events[t.Event] != e || !slices.Contains(t.Read, inForce) {
			continue
		}
		var all []*ctl.Formula
		for _, p := range slices.Concat(t.In, t.Read) {
			if p != inForce {
				all = append(all, c.Marked(p))
			}
		}
		if c.ever(ctx, all) {
			return true
		}
	}
	return false
}

// ever reports whether all of some formulas are true in one reachable state.
func (c *Checked[S]) ever(ctx context.Context, all []*ctl.Formula) bool {
	return !halt.Must(c.unbounded().Holds(ctx, &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: compile.Join(ctl.And, all)}}))
}

// afterEnd reports whether a condition can be met only once the contract has ended for good.
func afterEnd(need hclspec.Need, ends *hclspec.Ends) bool {
	ended := func(p *hclspec.Place) bool { return p.Name == "ended" && p.Range == ends.InForce.Range }
	for _, a := range need {
		if !slices.ContainsFunc(a.Places, ended) {
			return false
		}
	}
	return true
}

// everReady reports whether a party's own places allow some variant of a transition in some reachable state.
func (c *Checked[S]) everReady(ctx context.Context, party int, name string) bool {
	at := c.PlacesAt()
	for _, t := range c.Transitions[party] {
		if c.Parties[party].Name+"."+compile.SourceName(t) != name {
			continue
		}
		var all []*ctl.Formula
		for _, p := range slices.Concat(t.Consume, t.Read) {
			all = append(all, c.Marked(at[p]))
		}
		if c.ever(ctx, all) {
			return true
		}
	}
	return false
}

// neverReached finds states, flag values and places that are never marked.
func (c *Checked[S]) neverReached(seen survey) []finding.Diagnostic {
	var list []finding.Diagnostic
	for i, p := range c.Net.Places[:len(c.AllPlaces)] {
		if seen.marked[i] || c.AllPlaces[i].Counter != "" || compile.IsWatcher(c.Owners[i]) {
			continue
		}
		spec, subject := c.AllPlaces[i], p.String()
		message := fmt.Sprintf("%s is never reached.", subject)
		switch spec.Kind {
		case hclspec.FlagTrue, hclspec.FlagFalse:
			subject = p.Net + "." + spec.Flag
			message = fmt.Sprintf("Flag %s never becomes %t.", subject, spec.Kind == hclspec.FlagTrue)
		case hclspec.Plain:
			message = fmt.Sprintf("%s never comes about.", subject)
		}
		list = append(list, explain.NewDiagnostic(c.Draft, "state-never-reached", subject, spec.Range, message, c.waysTo(i)))
	}
	return list
}

// mostLeading limits how many transitions that lead to a place are named.
const mostLeading = 3

// waysTo says what leads to a place that is never marked. It returns "" of what no transition of the text moves.
func (c *Checked[S]) waysTo(place int) string {
	var ways []string
	for _, t := range c.Net.Transitions {
		if !slices.Contains(t.Out, place) || slices.Contains(t.In, place) {
			continue
		}
		for _, p := range t.Parts {
			if party := c.Parties[p.Net]; party.Name != c.Net.Places[place].Net {
				continue
			} else if party.Made != "" || c.Part(p).Made {
				return ""
			}
			if name := c.Named(p); !slices.Contains(ways, name) {
				ways = append(ways, name)
			}
		}
	}
	if len(ways) == 0 {
		return "No transition leads there."
	}
	more := ""
	if n := len(ways) - mostLeading; n > 0 {
		ways, more = ways[:mostLeading], fmt.Sprintf(" and %d more", n)
	}
	return "What leads there can never happen: " + strings.Join(ways, ", ") + more + "."
}

// Completion checks declared final states: every dead end is final, and a final state is reachable from every state (van der Aalst 1998,
// The application of Petri nets to workflow management, definition of soundness, "option to complete").
//
// The draft that declares the text supplies its place in the source. A nil final yields no findings.
func (c *Checked[S]) Completion(ctx context.Context, final *ctl.Formula, text *hclspec.Formula, in *compile.Draft) ([]finding.Diagnostic, error) {
	if final == nil {
		return nil, nil
	}
	stuck := &ctl.Formula{Op: ctl.And, Left: &ctl.Formula{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}},
		Right: &ctl.Formula{Op: ctl.Not, Left: final}}
	list, err := c.avoidable(ctx, stuck, "dead-end")
	if err != nil {
		return nil, err
	}
	open, err := c.avoidable(ctx, FinalUnreachable(final), "no-option-to-complete")
	if list != nil && open != nil && steps(list[0].Trace) == steps(open[0].Trace) {
		// The nearest lost state is as near as the dead end: look for one from which not even a dead end can be reached.
		message := open[0].Message // which counts all lost states
		open, err = c.avoidable(ctx, FinalUnreachable(&ctl.Formula{Op: ctl.Or, Left: final, Right: stuck}), "no-option-to-complete")
		for i := range open {
			open[i].Message = message
		}
	}
	if err != nil {
		return nil, err
	}
	list = append(list, open...)
	for i := range list {
		list[i].Source, list[i].Snippet = text.Range, explain.Snippet(in, text.Range)
	}
	return list, nil
}

// FinalUnreachable returns the formula that holds where no final state can be reached any more.
func FinalUnreachable(final *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EF, Left: final}}
}

// avoidable returns a finding for the nearest reachable state that satisfies bad, with a run to it, or nothing if there is none.
func (c *Checked[S]) avoidable(ctx context.Context, bad *ctl.Formula, code codes.Code) ([]finding.Diagnostic, error) {
	checker := c.Checker(nil)
	never := NeverReached(bad)
	holds, err := checker.Holds(ctx, never)
	if err != nil || holds {
		return nil, err
	}
	set, err := checker.Sat(ctx, bad)
	if err != nil {
		return nil, err
	}
	n, err := c.Model.count(ctx, set)
	if err != nil {
		return nil, err
	}
	diag := explain.NewDiagnostic(c.Draft, code, "", hcl.Range{}, c.CompletionMessage(code, n), "")
	if diag.Trace, err = c.show(ctx, checker, explain.Runs{}, never, hclspec.CTL.String()); err != nil {
		return nil, err
	}
	if diag.Trace == nil { // the initial state itself
		diag.Trace = &finding.Trace{End: explain.PartiesAt(c.Draft, c.Net.Initial)}
	}
	diag.Trace.Claim, diag.Trace.DeadEnd = "", code == "dead-end"
	return []finding.Diagnostic{diag}, nil
}

// CompletionMessage returns the message for n states that violate a check of final states.
func (c *Checked[S]) CompletionMessage(code codes.Code, n *big.Int) string {
	if code == "dead-end" {
		return plural(n, "There is a state, none of the final ones,", "There are %d states, none of them final,") + " in which nothing can happen any more."
	}
	return plural(n, "There is a state", "There are %d states") + " from which no final state can be reached any more."
}

// plural returns the words for one, or those for many with the number.
func plural(n *big.Int, one, many string) string {
	if n.IsInt64() && n.Int64() == 1 {
		return one
	}
	return fmt.Sprintf(many, n)
}

// steps returns the number of steps of a run before its loop.
func steps(t *finding.Trace) int {
	if len(t.Prefix) == 0 {
		return 0
	}
	return t.Prefix[len(t.Prefix)-1].Step
}

// contactFinding returns the finding for a place that would hold two tokens, with a run to it.
func contactFinding(d *compile.Draft, e *space.ContactError) finding.Diagnostic {
	place := d.AllPlaces[e.Place]
	if place.Kind == hclspec.CounterBound {
		return ledTo(d, e, explain.OutOfBounds(d, e))
	}
	last := e.Steps[len(e.Steps)-1]
	var who []string
	for _, t := range last {
		who = append(who, d.Net.Transitions[t].Name)
	}
	return ledTo(d, e, explain.NewDiagnostic(d, "contact", e.Name.String(), place.Range,
		fmt.Sprintf("%s would be there twice: %s brings it about while it is still there.", e.Name, strings.Join(who, " with ")),
		"No requirement has a verdict until this is mended."))
}

// ledTo adds the run that leads to a contact. It has no state at its end, since its last step leads to none.
func ledTo(d *compile.Draft, e *space.ContactError, diag finding.Diagnostic) finding.Diagnostic {
	diag.Trace = &finding.Trace{}
	for i, step := range e.Steps {
		for _, t := range step {
			diag.Trace.Prefix = append(diag.Trace.Prefix, explain.Firing(d, i+1, t, e.Markings[i]))
		}
	}
	explain.Date(d, diag.Trace.Prefix, 0)
	return diag
}

// EventsBlocked finds events that are due and can't happen, so that nothing happens any more.
func (c *Checked[S]) EventsBlocked(ctx context.Context) ([]finding.Diagnostic, error) {
	var list []finding.Diagnostic
	for _, e := range c.Draft.Urgent() {
		found, err := c.avoidable(ctx, Blocked(c.Draft, e), "due-event-blocked")
		if err != nil {
			return nil, err
		}
		for _, diag := range found {
			diag.Subject, diag.Source, diag.Snippet = "event."+e.Name, e.Range, explain.Snippet(c.Draft, e.Range)
			diag.Message = fmt.Sprintf("Event %q is due and can't happen, so nothing happens any more.", e.Name)
			diag.Detail = "A party that takes part in it has no transition for it then. Give it one in each of its states, or say with only_while when the event is to happen."
			diag.Trace.DeadEnd = true
			list = append(list, diag)
		}
	}
	return list, nil
}

// Blocked returns the formula for states in which an event is due, before any other, and can't happen: these are dead ends, since nothing else happens then.
func Blocked(d *compile.Draft, of *hclspec.Event) *ctl.Formula {
	at := d.PlacesAt()
	all := []*ctl.Formula{{Op: ctl.AX, Left: &ctl.Formula{Op: ctl.False}}}
	for _, e := range d.Urgent() {
		if e == of {
			return compile.Join(ctl.And, append(all, d.Marked(at[e.Due.Now])))
		}
		all = append(all, d.Marked(at[e.Due.Not]))
	}
	return nil
}

// here returns the formula that holds in one marking alone.
func (c *Checked[S]) here(m petri.Marking) *ctl.Formula {
	var all []*ctl.Formula
	for p := range c.Net.Places {
		f := c.Marked(p)
		if !m.Has(p) {
			f = &ctl.Formula{Op: ctl.Not, Left: f}
		}
		all = append(all, f)
	}
	return &ctl.Formula{Op: ctl.Atom, Name: "here", Means: compile.Join(ctl.And, all)}
}

// DocumentsHeldTwice finds documents that can be held in two places at once.
func (c *Checked[S]) DocumentsHeldTwice(ctx context.Context) ([]finding.Diagnostic, error) {
	var list []finding.Diagnostic
	for _, doc := range c.Spec.Documents {
		found, err := c.avoidable(ctx, compile.AtLeastTwo(c.Held[doc.Name]), "document-held-twice")
		if err != nil {
			return nil, err
		}
		for _, diag := range found {
			diag.Subject = "document." + doc.Name
			diag.Source, diag.Detail = explain.SecondHolder(c.Draft, doc, diag.Trace)
			diag.Snippet = explain.Snippet(c.Draft, diag.Source)
			diag.Message = fmt.Sprintf("Document %q%s is held in two places at once.", doc.Name, compile.InBrackets(doc.Title))
			list = append(list, diag)
		}
	}
	return list, nil
}
