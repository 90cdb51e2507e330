package engine

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// Check builds the draft's state model, runs the built-in checks and decides every requirement.
// Requirements run side by side; one that runs out of budget leaves the others their verdicts.
func (d *Draft) Check(ctx context.Context, b Budget) *Result {
	b.ended = new(atomic.Bool)
	r := d.check(ctx, b, nil, (*listed).sketch).result
	r.interrupted = b.ended.Load()
	return r
}

// foundOut is what a method found out about a draft, with the answers to what another version required of itself.
type foundOut struct {
	draft  *Draft // with history places for what the other version asks
	result *Result
	asked  *answers
	listed *listed // the draft with its states one by one; nil where there are none
	broken bool    // by a contact: there is nothing to find out
}

// begin is what is known of a draft before it has a state model.
func (d *Draft) begin(m *amendment) foundOut {
	f := foundOut{draft: d, result: d.result(), asked: d.ask(m)}
	if d.Spec != nil {
		f.result.Diagnostics = append(f.result.Diagnostics, d.static()...)
	}
	return f
}

// oneByOne finds everything out on states one by one; what it proposes for a contract without
// requirements is the caller's choice.
func (d *Draft) oneByOne(ctx context.Context, b Budget, m *amendment, propose func(*listed, context.Context) []Proposal) foundOut {
	f := d.begin(m)
	said := len(f.result.Diagnostics)
	g, reason := d.explore(ctx, b, f.result)
	if g == nil {
		f.broken = len(f.result.Diagnostics) > said
		f.asked.unknown(reason)
		return f
	}
	f.listed = listing(d, g, b.Memory)
	f.listed.all(ctx, f, b)
	f.result.Proposals = propose(f.listed, ctx)
	return f
}

// byDiagrams finds everything out on decision diagrams.
func (d *Draft) byDiagrams(ctx context.Context, b Budget, m *amendment) foundOut {
	f := d.begin(m)
	f.result.Model.Engine = string(Symbolic)
	x, err := d.reached(ctx, b)
	said := len(f.result.Diagnostics)
	if reason := d.lost(err, b, f.result); reason != "" {
		f.broken = len(f.result.Diagnostics) > said
		f.asked.unknown(reason)
		return f
	}
	b.Jobs = 1 // diagrams are for one goroutine at a time
	diagrams(ctx, d, x).all(ctx, f, b)
	f.result.Model.Stats = statsOf(ctx, x)
	return f
}

// all decides and checks everything.
func (c *checked[S]) all(ctx context.Context, f foundOut, b Budget) {
	if !c.judged(ctx, f, b) {
		return
	}
	c.restAll(ctx, c.Formulas, f.result.Requirements, b)
	c.restAll(ctx, f.asked.formulas, f.asked.Requirements, b)
}

// judged decides and checks everything that a verdict or a finding depends on, and reports whether the size of the model is known.
func (c *checked[S]) judged(ctx context.Context, f foundOut, b Budget) bool {
	if !c.sized(ctx, f, b) {
		return false
	}
	c.decideAll(ctx, c.Formulas, f.result.Requirements, b)
	c.needless(f.result)
	c.decideAll(ctx, f.asked.formulas, f.asked.Requirements, b)
	if err := c.builtIn(ctx, f.result, f.asked); err != nil {
		f.result.Model.Incomplete = "the built-in checks were not finished: " + b.reason(err)
	}
	return true
}

// verdicts decides the requirements and what is asked, and finds runs only where a waiver may name them.
func (c *checked[S]) verdicts(ctx context.Context, f foundOut, b Budget) {
	if c.sized(ctx, f, b) {
		c.verdictOfAll(ctx, c.Formulas, f.result.Requirements, b)
		c.verdictOfAll(ctx, f.asked.formulas, f.asked.Requirements, b)
	}
}

// sized writes how large the model is, and reports whether that is known.
func (c *checked[S]) sized(ctx context.Context, f foundOut, b Budget) bool {
	err := c.size(ctx, f.result)
	if err != nil {
		c.unknown(f.result, b.reason(err))
		f.asked.unknown(f.result.Model.Incomplete)
	}
	return err == nil
}

// Explore builds the draft's state model and nothing else, without history places: its size is that in results, and Present says which of its states a marking of the draft is.
// An error says in a reader's words why there is none.
func (d *Draft) Explore(ctx context.Context, b Budget) (*space.Graph, error) {
	g, reason := d.now().explore(ctx, b, d.result())
	if g == nil {
		return nil, errors.New(reason)
	}
	return g, nil
}

// explore returns no graph when there is none to be had, and why.
func (d *Draft) explore(ctx context.Context, b Budget, r *Result) (*space.Graph, string) {
	if d.unbuilt != "" {
		return nil, d.unbuilt
	}
	g, err := d.explored(ctx, b)
	return g, d.lost(err, b, r)
}

// lost is why there is no state model; empty where there is.
func (d *Draft) lost(err error, b Budget, r *Result) string {
	var contact *space.ContactError
	switch {
	case errors.As(err, &contact):
		return d.illFormed(r, contact)
	case err != nil:
		return d.unknown(r, d.reason(b, err))
	}
	return ""
}

// reason says what limit ended an exploration, and that it counts more states than people read where formulas ask of the past.
func (d *Draft) reason(b Budget, err error) string {
	var limit *space.LimitError
	if errors.As(err, &limit) && len(d.history) > 0 {
		return b.reason(err) + ", counting apart states that differ in what formulas ask of the past"
	}
	return b.reason(err)
}

// explored builds the state model, unless that has been done for a contract of the same meaning.
func (d *Draft) explored(ctx context.Context, b Budget) (*space.Graph, error) {
	key := func() string { return fmt.Sprintf("explore %d %d %s", b.States, b.Memory, modelKey(d.Net, d.Rule)) }
	found := recall(ctx, d.commons, key, func() model {
		g, err := space.Explore(ctx, d.Net, d.Rule, space.Limits{States: b.States, Bytes: int64(b.Memory), Progress: b.Progress})
		return model{g, err}
	})
	return found.graph, found.err
}

// model is a state model, or why there is none.
type model struct {
	graph *space.Graph
	err   error
}

// result fills in what needs no state model.
func (d *Draft) result() *Result {
	r := &Result{Path: d.Path, Model: Model{Firing: d.Rule.String(), Engine: string(Explicit)}}
	if d.Spec == nil {
		r.Model.Incomplete = "the text is ill-formed"
		return r
	}
	r.Name, r.Title, r.Digest = d.Spec.Name, d.Spec.Title, d.Digest
	for i := range d.Spec.Requirements {
		r.Requirements = append(r.Requirements, d.requirement(i))
	}
	r.Model.Places = len(d.places)
	if d.unbuilt != "" {
		d.unknown(r, d.unbuilt)
		return r
	}
	r.Model.Transitions = len(d.Net.Transitions)
	return r
}

// requirement is slot i before it is decided.
func (d *Draft) requirement(i int) Requirement {
	spec := d.Spec.Requirements[i]
	req := Requirement{
		Name: spec.Name, Title: spec.Title, Clause: spec.Clause,
		Formula: spec.Formula.Text, Notation: spec.Formula.Notation.String(), Source: spec.Range,
		Waiver: waiverOf(spec.Waiver), ideal: spec.Formula.Ideal,
	}
	req.set(termsOf(spec))
	if d.Formulas[i] != nil {
		req.Formula = wording(spec.Formula)
		req.Says, req.Pattern = d.patternWords(spec.Formula)
		return req
	}
	req.Verdict, req.Reason = IllFormed, d.reasons[i]
	return req
}

// illFormed withdraws every verdict of a draft in which a place would hold two tokens.
func (d *Draft) illFormed(r *Result, contact *space.ContactError) string {
	diag := d.contact(contact)
	r.Diagnostics = append(r.Diagnostics, diag)
	r.Model.Incomplete = diag.Message
	for i := range r.Requirements {
		r.Requirements[i].Verdict, r.Requirements[i].Reason = IllFormed, diag.Message
	}
	return diag.Message
}

// unknown gives one reason to every requirement that could have had a verdict.
func (d *Draft) unknown(r *Result, reason string) string {
	r.Model.Incomplete = reason
	for i := range r.Requirements {
		if d.Formulas[i] != nil {
			r.Requirements[i].Reason = reason
		}
	}
	return reason
}

// size writes how large the state model is, where states that differ only in what formulas ask of the past are one.
func (c *checked[S]) size(ctx context.Context, r *Result) error {
	size, err := c.model.size(ctx)
	if err == nil { // else they would be told as if all had been counted
		r.Model.States, r.Model.Arcs, r.Model.DeadEnds, r.Model.stored = size.States, size.Arcs, size.DeadEnds, c.model.stored()
	}
	return err
}

// decideAll decides requirement i, which formula i means, in slot i.
func (c *checked[S]) decideAll(ctx context.Context, formulas []*ctl.Formula, slots []Requirement, b Budget) {
	sideBySide(formulas, slots, b, func(f *ctl.Formula, req *Requirement) { c.decide(ctx, f, req, b) })
}

// verdictOfAll is decideAll of verdicts alone.
func (c *checked[S]) verdictOfAll(ctx context.Context, formulas []*ctl.Formula, slots []Requirement, b Budget) {
	sideBySide(formulas, slots, b, func(f *ctl.Formula, req *Requirement) { c.verdict(ctx, f, req, b) })
}

// sideBySide goes through the slots that have a formula, so many at once as there are jobs.
func sideBySide(formulas []*ctl.Formula, slots []Requirement, b Budget, do func(*ctl.Formula, *Requirement)) {
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, f := range formulas {
		if f == nil {
			continue
		}
		group.Go(func() error {
			do(f, &slots[i])
			return nil
		})
	}
	_ = group.Wait() // slots carry their own reasons
}

// decide gives one requirement its verdict, its run and its remarks.
func (c *checked[S]) decide(ctx context.Context, f *ctl.Formula, req *Requirement, b Budget) {
	checker, acts := c.on(req.terms())
	holds, err := checker.Holds(ctx, f)
	if err == nil {
		req.Trace, err = c.show(ctx, checker, acts, req.Resting, f, req.Notation)
	}
	if err != nil {
		req.Reason = b.reason(err)
		return
	}
	req.Verdict = Violated
	if holds {
		req.Verdict = Holds
		if req.ideal {
			some, err := checker.Holds(ctx, &ctl.Formula{Op: ctl.EG, Left: c.meant[idealName]})
			req.NoRuns = err == nil && !some
		}
		c.vacuity(ctx, checker, f, req, b)
	} else {
		req.Run = c.fingerprint(c.promised(f, req.terms()), req.Trace)
		c.timely(ctx, f, req)
	}
	req.judge(b.Today)
}

// verdict gives one requirement its verdict alone; where it has a waiver, all that decide does.
func (c *checked[S]) verdict(ctx context.Context, f *ctl.Formula, req *Requirement, b Budget) {
	if req.Waiver != nil {
		c.decide(ctx, f, req, b)
		return
	}
	checker, _ := c.on(req.terms())
	holds, err := checker.Holds(ctx, f)
	switch {
	case err != nil:
		req.Reason = b.reason(err)
	case holds:
		req.Verdict = Holds
	default:
		req.Verdict = Violated
	}
}

// show finds the run that explains a verdict and replays it.
func (c *checked[S]) show(ctx context.Context, checker *labelling[S], acts [][]int, stops bool, f *ctl.Formula, notation string) (*Trace, error) {
	evidence, err := c.evidence(ctx, checker, acts, stops, f)
	if err != nil || evidence == nil {
		return nil, err
	}
	return c.trace(evidence, notation), nil
}

// evidence explains a verdict by runs that were replayed, and nil where none would show it. Stops says that runs may stop for good.
func (c *checked[S]) evidence(ctx context.Context, checker *labelling[S], acts [][]int, stops bool, f *ctl.Formula) (*ctl.Evidence, error) {
	evidence, err := checker.Explain(ctx, f, c.model.between)
	if err != nil || evidence == nil {
		return nil, err
	}
	if err := replay(c.Net, c.Rule, acts, stops, evidence); err != nil {
		return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
	}
	return evidence, nil
}

// vacuity remarks on a requirement that holds. Its verdict stands even if the budget ends here.
func (c *checked[S]) vacuity(ctx context.Context, checker *labelling[S], f *ctl.Formula, req *Requirement, b Budget) {
	found, err := checker.Vacuous(ctx, f)
	if err != nil {
		req.Reason = "whether it is vacuous is unknown: " + b.reason(err)
	}
	for _, v := range found {
		one := Vacuity{Subformula: notated(v.Sub, req.Notation), Replacement: v.Replacement, Never: v.Never, Always: v.Always, Value: v.Value, In: v.Role, Nth: v.Nth, Spare: v.Spare}
		if v.Because != nil {
			one.Because = notated(v.Because, req.Notation)
		}
		if v.In != nil {
			one.In = notated(v.In, req.Notation)
		}
		req.Vacuous = append(req.Vacuous, one)
	}
}
