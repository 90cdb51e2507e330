package engine

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/space"
)

// Check builds the draft's state model, runs the built-in checks and decides every requirement.
// Requirements run side by side; one that runs out of budget leaves the others their verdicts.
func (d *Draft) Check(ctx context.Context, b Budget) *Result {
	r, _, _ := d.check(ctx, b, nil, (*listed).sketch)
	return r
}

// check also asks the draft what another version required of itself, and returns the answers, and the
// draft with its state model, nil where there is none; what it proposes for a contract without
// requirements is the caller's choice.
func (d *Draft) check(ctx context.Context, b Budget, m *amendment, propose func(*listed, context.Context) []Proposal) (*Result, *answers, *listed) {
	d = d.recallingTexts(m.texts())
	r := d.result()
	asked := d.ask(m)
	if d.Spec == nil {
		return r.finish(d), asked, nil
	}
	r.Diagnostics = append(r.Diagnostics, d.static()...)
	ctx, cancel := b.within(ctx)
	defer cancel()
	g, reason := d.explore(ctx, b, r)
	if g == nil {
		asked.unknown(reason)
		return r.finish(d), asked, nil
	}
	c := listing(d, g, b.Memory)
	c.size(r)
	c.decideAll(ctx, d.Formulas, r.Requirements, b)
	d.needless(r)
	c.decideAll(ctx, asked.formulas, asked.Requirements, b)
	if err := c.builtIn(ctx, r, asked); err != nil {
		r.Model.Incomplete = "the built-in checks were not finished: " + b.reason(err)
	}
	r.Proposals = propose(c, ctx)
	return r.finish(d), asked, c
}

// Explore builds the draft's state model and nothing else. An error says in a reader's words why
// there is none.
func (d *Draft) Explore(ctx context.Context, b Budget) (*space.Graph, error) {
	g, reason := d.explore(ctx, b, d.result())
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
	var contact *space.ContactError
	switch {
	case errors.As(err, &contact):
		return nil, d.illFormed(r, contact)
	case err != nil:
		return nil, d.unknown(r, b.reason(err))
	}
	return g, ""
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
	r := &Result{Path: d.Path, Model: Model{Firing: d.Rule.String(), Engine: "explicit"}}
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
		Assuming: assumed(spec), Waiver: waiverOf(spec.Waiver),
	}
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

// size says how large the state model is.
func (c *checked[S]) size(r *Result) (err error) {
	r.Model.States, r.Model.Arcs, r.Model.DeadEnds, err = c.model.size()
	return err
}

// decideAll decides requirement i, which formula i means, in slot i.
func (c *checked[S]) decideAll(ctx context.Context, formulas []*ctl.Formula, slots []Requirement, b Budget) {
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	for i, f := range formulas {
		if f == nil {
			continue
		}
		group.Go(func() error {
			c.decide(ctx, f, &slots[i], b)
			return nil
		})
	}
	_ = group.Wait() // slots carry their own reasons
}

// decide gives one requirement its verdict, its run and its remarks.
func (c *checked[S]) decide(ctx context.Context, f *ctl.Formula, req *Requirement, b Budget) {
	acts := c.actsOf(req.Assuming)
	checker := c.checker(acts)
	holds, err := checker.Holds(ctx, f)
	if err == nil {
		req.Trace, err = c.show(ctx, checker, acts, f, req.Notation)
	}
	if err != nil {
		req.Reason = b.reason(err)
		return
	}
	req.Verdict = Violated
	if holds {
		req.Verdict = Holds
		c.vacuity(ctx, checker, f, req, b)
	} else {
		req.Run = c.fingerprint(c.promised(f, req.Assuming), req.Trace)
		c.waits(ctx, f, req)
	}
	req.judge(b.Today)
}

// show finds the run that explains a verdict and replays it.
func (c *checked[S]) show(ctx context.Context, checker *labelling[S], acts [][]int, f *ctl.Formula, notation string) (*Trace, error) {
	evidence, err := checker.Explain(ctx, f, c.model.between)
	if err != nil || evidence == nil {
		return nil, err
	}
	if err := replay(c.Net, c.Rule, acts, evidence); err != nil {
		return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
	}
	return c.trace(evidence, notation), nil
}

// vacuity remarks on a requirement that holds. Its verdict stands even if the budget ends here.
func (c *checked[S]) vacuity(ctx context.Context, checker *labelling[S], f *ctl.Formula, req *Requirement, b Budget) {
	found, err := checker.Vacuous(ctx, f)
	if err != nil {
		req.Reason = "whether it is vacuous is unknown: " + b.reason(err)
	}
	if req.Pattern != "" {
		found = telling(found)
	}
	for _, v := range found {
		req.Vacuous = append(req.Vacuous, Vacuity{notated(v.Sub, req.Notation), v.Replacement, v.Never, v.Always})
	}
}
