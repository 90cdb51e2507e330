package verify

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/space"
)

// Check builds the draft's state model, runs the built-in checks and decides every requirement. Requirements are decided side by side. If
// one exceeds the budget, the others keep their verdicts. A contract without requirements gets proposals.
func Check(ctx context.Context, d *compile.Draft, b finding.Budget) *finding.Result {
	b.Ended = new(atomic.Bool)
	r := Decide(ctx, d, b, nil, (*Listed).sketch).Result
	r.TimedOut = b.Ended.Load()
	return r
}

// An Outcome is the result of a method on a draft, with the answers to the questions of another version.
type Outcome struct {
	Draft  *compile.Draft // with history places for the other version's formulas, too
	Result *finding.Result
	Asked  *Answers
	Listed *Listed // the draft with explicit states; nil if they were not listed
	broken bool    // a contact makes the draft ill-formed
	late   bool    // the reachable states take more steps on decision diagrams than the budget has for them
}

// Begin returns everything that is known of a draft without a state model.
func Begin(d *compile.Draft, m *compile.Amendment) Outcome {
	f := Outcome{Draft: d, Result: StaticResult(d), Asked: BaseQuestions(d, m)}
	if d.Spec != nil {
		f.Result.Diagnostics = append(f.Result.Diagnostics, StaticChecks(d)...)
	}
	return f
}

// oneByOne decides everything on explicit states. Propose makes the proposals for a contract without requirements.
func oneByOne(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment, propose func(*Listed, context.Context) []finding.Proposal) Outcome {
	f := Begin(d, m)
	said := len(f.Result.Diagnostics)
	b.Enter("exploring")
	g, reason := ExploreFor(ctx, d, b, f.Result)
	if g == nil {
		f.broken = len(f.Result.Diagnostics) > said
		f.Asked.Unknown(reason)
		return f
	}
	f.Listed = Listing(d, g, b.Memory)
	f.Listed.all(ctx, f, b)
	f.Result.Proposals = propose(f.Listed, ctx)
	return f
}

// byDiagrams decides everything on decision diagrams.
func byDiagrams(ctx context.Context, d *compile.Draft, b finding.Budget, m *compile.Amendment) Outcome {
	f := Begin(d, m)
	f.Result.Model.Engine = string(finding.Symbolic)
	b.Enter("computing decision diagrams")
	x, err := exploreSymbolic(ctx, d, b)
	said := len(f.Result.Diagnostics)
	if reason := lost(d, err, b, f.Result); reason != "" {
		var steps *dd.LimitError
		f.broken, f.late = len(f.Result.Diagnostics) > said, b.Reach > 0 && errors.As(err, &steps) && steps.Work
		f.Asked.Unknown(reason)
		return f
	}
	b.Jobs = 1 // diagrams are for one goroutine at a time
	diagrams(ctx, d, x).all(ctx, f, b)
	f.Result.Model.Stats = statsOf(ctx, x)
	return f
}

// all decides every requirement, runs every check, and determines on whom requirements rest.
func (c *Checked[S]) all(ctx context.Context, f Outcome, b finding.Budget) {
	if !c.Judge(ctx, f, b) {
		return
	}
	b.Enter("finding on whom promises rest")
	c.restAll(ctx, c.Formulas, f.Result.Requirements, b)
	c.restAll(ctx, f.Asked.Formulas, f.Asked.Requirements, b)
}

// Judge decides every requirement and question and runs the built-in checks, but does not determine on whom requirements rest. It reports
// whether the size of the model is known; without it nothing is decided.
func (c *Checked[S]) Judge(ctx context.Context, f Outcome, b finding.Budget) bool {
	if !c.sized(ctx, f, b) {
		return false
	}
	c.decideAll(ctx, c.Formulas, f.Result.Requirements, b)
	explain.WarnNeedlessWaivers(c.Draft, f.Result)
	c.decideAll(ctx, f.Asked.Formulas, f.Asked.Requirements, b.Silent())
	c.decideLeans(ctx, f)
	if err := c.builtIn(ctx, f.Result, f.Asked); err != nil {
		f.Result.Model.Incomplete = "the built-in checks were not finished: " + b.Reason(err)
	} else {
		f.Result.Model.Unchecked = nil
	}
	return true
}

// Verdicts decides requirements and questions. It finds runs only for requirements with a waiver, which may name them.
func (c *Checked[S]) Verdicts(ctx context.Context, f Outcome, b finding.Budget) {
	if c.sized(ctx, f, b) {
		c.VerdictOfAll(ctx, c.Formulas, f.Result.Requirements, b)
		c.VerdictOfAll(ctx, f.Asked.Formulas, f.Asked.Requirements, b.Silent())
	}
}

// sized writes the size of the model into the result, and reports whether it is known.
func (c *Checked[S]) sized(ctx context.Context, f Outcome, b finding.Budget) bool {
	err := c.size(ctx, f.Result)
	if err != nil {
		f.Asked.Unknown(tooLarge(c.Draft, f.Result, b.Reason(err)))
	}
	return err == nil
}

// Explore builds the draft's explicit state model without history places, so that its size is the one in results. Draft.Present maps a
// marking of the draft to one of its states. The error is the reason in words for readers.
func Explore(ctx context.Context, d *compile.Draft, b finding.Budget) (*space.Graph, error) {
	g, reason := ExploreFor(ctx, d.WithoutHistory(), b, StaticResult(d))
	if g == nil {
		return nil, errors.New(reason)
	}
	return g, nil
}

// ExploreFor builds the draft's explicit state model. If that fails, it returns nil and the reason, and records a failed exploration in the
// result.
func ExploreFor(ctx context.Context, d *compile.Draft, b finding.Budget, r *finding.Result) (*space.Graph, string) {
	if d.Failure != "" {
		return nil, d.Failure
	}
	g, err := explored(ctx, d, b)
	return g, lost(d, err, b, r)
}

// lost writes the reason for a missing state model into the result and returns it. It returns "" if there is no error.
func lost(d *compile.Draft, err error, b finding.Budget, r *finding.Result) string {
	var contact *space.ContactError
	switch {
	case errors.As(err, &contact):
		return illFormed(d, r, contact)
	case err != nil:
		return tooLarge(d, r, reason(d, b, err))
	}
	return ""
}

// reason renders the limit that ended an exploration. If the draft has history places, it adds that more states count than readers see.
func reason(d *compile.Draft, b finding.Budget, err error) string {
	var limit *space.LimitError
	if errors.Is(err, errEnough) {
		return errEnough.Error()
	}
	if errors.As(err, &limit) && len(d.History) > 0 {
		return b.Reason(err) + ", counting apart states that differ in what formulas ask of the past"
	}
	return b.Reason(err)
}

// explored builds the state model, or takes it from the memo.
func explored(ctx context.Context, d *compile.Draft, b finding.Budget) (*space.Graph, error) {
	key := func() string { return fmt.Sprintf("explore %d %d %s", b.States, b.Memory, ModelKey(d.Net, d.Rule)) }
	found := Memoized(ctx, d.Memo, key, func() model {
		g, err := space.Explore(ctx, d.Net, d.Rule, space.Limits{States: b.States, Bytes: int64(b.Memory), Progress: b.Progress})
		return model{g, err}
	})
	return found.graph, found.err
}

// model is a state model, or the error that prevented it.
type model struct {
	graph *space.Graph
	err   error
}

// StaticResult returns the parts of a result that need no state model.
func StaticResult(d *compile.Draft) *finding.Result {
	r := &finding.Result{Path: d.Path, Model: finding.Model{Firing: d.Rule.String(), Engine: string(finding.Explicit)}}
	if d.Spec == nil {
		r.Model.Incomplete = "the text is ill-formed"
		return r
	}
	r.Name, r.Title, r.Digest = d.Spec.Name, d.Spec.Title, d.Digest
	for i := range d.Spec.Requirements {
		r.Requirements = append(r.Requirements, requirement(d, i))
	}
	r.Model.Places = len(d.AllPlaces)
	if d.Failure != "" {
		unknown(d, r, d.Failure)
		return r
	}
	r.Model.Transitions = len(d.Net.Transitions)
	return r
}

// requirement returns requirement i before it is decided.
func requirement(d *compile.Draft, i int) finding.Requirement {
	spec := d.Spec.Requirements[i]
	req := finding.Requirement{
		Name: spec.Name, Title: spec.Title, Clause: spec.Clause,
		Formula: spec.Formula.Text, Notation: spec.Formula.Notation.String(), Source: spec.Range,
		Waiver: finding.WaiverOf(spec.Waiver), Ideal: spec.Formula.Ideal,
	}
	compile.SetTerms(&req, compile.TermsOf(spec))
	if d.Formulas[i] != nil {
		req.Formula = d.Wording(spec.Formula)
		explain.Say(&req, d, spec.Formula)
		req.Scenario = explain.ScenarioOf(d, spec.Formula)
		return req
	}
	req.Verdict, req.Reason = finding.IllFormed, d.Reasons[i]
	return req
}

// illFormed withdraws every verdict of a draft in which a place would hold two tokens. It returns the message.
func illFormed(d *compile.Draft, r *finding.Result, contact *space.ContactError) string {
	diag := contactFinding(d, contact)
	r.Diagnostics = append(r.Diagnostics, diag)
	r.Model.Incomplete = diag.Message
	for i := range r.Requirements {
		r.Requirements[i].Verdict, r.Requirements[i].Reason = finding.IllFormed, diag.Message
	}
	return diag.Message
}

// unknown sets the reason of the model and of every well-formed requirement, and returns it.
func unknown(d *compile.Draft, r *finding.Result, reason string) string {
	r.Model.Incomplete, r.Model.Unchecked = reason, explain.NeedStates(d)
	for i := range r.Requirements {
		if d.Formulas[i] != nil {
			r.Requirements[i].Reason = reason
		}
	}
	return reason
}

// tooLarge is unknown for a contract of which a limit ended the exploration. The model names what multiplies.
func tooLarge(d *compile.Draft, r *finding.Result, reason string) string {
	unknown(d, r, reason)
	r.Model.Largest = explain.LargestParts(d)
	return reason
}

// size writes the size of the state model into the result. States that differ only in history count as one.
func (c *Checked[S]) size(ctx context.Context, r *finding.Result) error {
	size, err := c.Model.size(ctx)
	if err == nil { // partial counts must not look complete
		r.Model.States, r.Model.Arcs, r.Model.DeadEnds, r.Model.Stored = size.States, size.Arcs, size.DeadEnds, c.Model.stored()
	}
	return err
}

// decideAll decides the requirements in slots, side by side. Formula i belongs to slot i.
func (c *Checked[S]) decideAll(ctx context.Context, formulas []*ctl.Formula, slots []finding.Requirement, b finding.Budget) {
	sideBySide(formulas, slots, b, func(f *ctl.Formula, req *finding.Requirement) { c.Decide(ctx, f, req, b) })
}

// VerdictOfAll computes the verdicts of the requirements in slots, side by side, without evidence or remarks unless there is a waiver. Formula i belongs to slot i.
func (c *Checked[S]) VerdictOfAll(ctx context.Context, formulas []*ctl.Formula, slots []finding.Requirement, b finding.Budget) {
	sideBySide(formulas, slots, b, func(f *ctl.Formula, req *finding.Requirement) { c.verdict(ctx, f, req, b) })
}

// sideBySide calls do for every slot with a formula, with as many goroutines as there are jobs.
func sideBySide(formulas []*ctl.Formula, slots []finding.Requirement, b finding.Budget, do func(*ctl.Formula, *finding.Requirement)) {
	var group errgroup.Group
	group.SetLimit(max(b.Jobs, 1))
	decided := b.ProgressCounter(len(slots))
	for i, f := range formulas {
		if f == nil {
			continue
		}
		group.Go(func() error {
			do(f, &slots[i])
			decided(&slots[i])
			return nil
		})
	}
	_ = group.Wait() // slots carry their own reasons
}

// Decide sets the verdict, run and remarks of one requirement. If the budget ends first, it sets only the reason.
func (c *Checked[S]) Decide(ctx context.Context, f *ctl.Formula, req *finding.Requirement, b finding.Budget) {
	if Scripted(ctx, c.Draft, f, req, b) {
		return
	}
	checker, on := c.On(compile.TermsDecided(req))
	holds, err := checker.Holds(ctx, f)
	if err == nil {
		req.Trace, err = c.show(ctx, checker, on, f, req.Notation)
	}
	if err != nil {
		req.Reason = b.Reason(err)
		return
	}
	req.Verdict = finding.Violated
	if holds {
		req.Verdict = finding.Holds
		if req.Ideal {
			var known bool
			if req.NoRuns, req.Empty, known = empty(c.Draft, f, func(g *ctl.Formula) (holds, known bool) {
				holds, err = checker.Holds(ctx, g)
				return holds, err == nil
			}); !known {
				req.Verdict, req.Trace, req.Reason = finding.Unknown, nil, "whether an ideal run comes to where it asks for something is unknown: "+b.Reason(err)
				return
			}
		}
		if !req.NoRuns { // else no part is needed, for that reason
			c.vacuity(ctx, checker, f, req, b)
		}
	} else {
		req.Run = c.Fingerprint(CanonicalMeaning(c.Draft, f, compile.TermsDecided(req)), req.Trace)
		c.timely(ctx, f, req)
	}
	req.Judge(b.Today)
}

// empty reports, of a requirement that holds over ideal runs, whether there is none, and whether it holds only because none comes to where it asks
// for something: other runs do. decide returns whether a formula holds, and false if that is not known. Where it is not, neither is the answer: a review must
// not take a promise for kept that may be given up.
func empty(d *compile.Draft, f *ctl.Formula, decide func(*ctl.Formula) (holds, known bool)) (noRuns, empty, known bool) {
	some, known := decide(d.IdealRun())
	if !known || !some {
		return known, known, known
	}
	bare, asks := phrase.Goalless(f)
	if !asks {
		return false, false, true
	}
	none, known := decide(bare)
	if !known || !none {
		return false, false, known
	}
	never, known := decide(phrase.OverAll(bare))
	return false, known && !never, known
}

// verdict sets the verdict of one requirement alone. For one with a waiver it does all that Decide does.
func (c *Checked[S]) verdict(ctx context.Context, f *ctl.Formula, req *finding.Requirement, b finding.Budget) {
	if Scripted(ctx, c.Draft, f, req, b) {
		return
	}
	if req.Waiver != nil {
		c.Decide(ctx, f, req, b)
		return
	}
	checker, _ := c.On(compile.TermsDecided(req))
	holds, err := checker.Holds(ctx, f)
	switch {
	case err != nil:
		req.Reason = b.Reason(err)
	case holds:
		req.Verdict = finding.Holds
	default:
		req.Verdict = finding.Violated
	}
}

// show returns a replayed run that explains a verdict, or nil if the verdict needs none.
func (c *Checked[S]) show(ctx context.Context, checker *labelling[S], on explain.Runs, f *ctl.Formula, notation string) (*finding.Trace, error) {
	evidence, err := c.evidence(ctx, checker, on, f)
	if err != nil || evidence == nil {
		return nil, err
	}
	return explain.Trace(c.Draft, evidence, notation), nil
}

// evidence returns replayed runs that explain a verdict, or nil if no run would.
func (c *Checked[S]) evidence(ctx context.Context, checker *labelling[S], on explain.Runs, f *ctl.Formula) (*ctl.Evidence, error) {
	evidence, err := checker.explain(ctx, f, c.Model.Between)
	if err != nil || evidence == nil {
		return nil, err
	}
	if err := explain.Replay(c.Net, c.Rule, on, evidence); err != nil {
		return nil, fmt.Errorf("the run found does not replay, which is a defect of redline: %w", err)
	}
	return evidence, nil
}

// Evidence returns replayed runs that explain the value of a formula on the runs that some terms leave, or nil if no run would.
func (c *Checked[S]) Evidence(ctx context.Context, f *ctl.Formula, t compile.Terms) (*ctl.Evidence, error) {
	checker, on := c.On(t)
	return c.evidence(ctx, checker, on, f)
}

// vacuity adds remarks on a requirement that holds. The verdict remains if the budget ends here.
func (c *Checked[S]) vacuity(ctx context.Context, checker *labelling[S], f *ctl.Formula, req *finding.Requirement, b finding.Budget) {
	found, err := checker.vacuous(ctx, f)
	if err != nil {
		req.Reason = "whether it is vacuous is unknown: " + b.Reason(err)
	}
	written := func(part *ctl.Formula) string {
		if req.Ideal {
			part = phrase.AsWritten(part)
		}
		return compile.InNotation(part, req.Notation)
	}
	for _, v := range found {
		if req.Ideal && ofIdeal(v.Sub) { // the text has no such part: it says over = ideal
			if ideals(f) == 1 && v.Spare {
				req.Vacuous = append(req.Vacuous, finding.Vacuity{Subformula: "over = ideal", Replacement: v.Replacement, Spare: true})
			}
			continue
		}
		one := finding.Vacuity{Subformula: written(v.Sub), Replacement: v.Replacement, Never: v.Never, Always: v.Always, Value: v.Value, In: v.Role, Nth: v.Nth, Spare: v.Spare}
		if v.Because != nil {
			one.Because = written(v.Because)
		}
		if v.In != nil {
			one.In = written(v.In)
		}
		req.Vacuous = append(req.Vacuous, one)
	}
}

// ofIdeal reports whether a part of a formula is a restriction to ideal runs: it has atoms of these alone.
func ofIdeal(f *ctl.Formula) bool {
	some := false
	for a := range f.Atoms() {
		if a.Name != compile.IdealName && a.Name != phrase.Overstepped {
			return false
		}
		some = true
	}
	return some
}

// ideals counts the restrictions of a formula to ideal runs.
func ideals(f *ctl.Formula) (n int) {
	for a := range f.Atoms() {
		if a.Name == compile.IdealName {
			n++
		}
	}
	return n
}

// ZeroOrOne returns 1 for true.
func ZeroOrOne(b bool) int {
	if b {
		return 1
	}
	return 0
}

// NeverReached returns the formula AG !bad.
func NeverReached(bad *ctl.Formula) *ctl.Formula {
	return &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: bad}}
}
