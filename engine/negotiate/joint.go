package negotiate

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// This file finds violations that only both redlines together have, and the blocks of each redline that cause them. It searches texts with
// all of one redline and a part of the other.

// joint adds the violations that only both redlines together have, with their causes.
func (n *negotiator) joint(ctx context.Context) {
	for i := range n.Promises {
		p := &n.Promises[i]
		if undoes, ok := joint(p); ok {
			j := finding.Joint{Promise: i, Finding: n.finding(p), Undoes: undoes}
			j.RefusalA, j.RefusalB = n.refusal(n.a, j.Finding), n.refusal(n.b, j.Finding)
			n.Broken = append(n.Broken, j)
		}
	}
	if len(n.Broken) == 0 {
		return
	}
	ctx, cancel := n.budget.Within(ctx)
	defer cancel()
	n.setBlame(ctx, finding.SideA)
	n.setBlame(ctx, finding.SideB)
}

// joint reports whether both redlines together violate a promise that neither violates alone, or that one of them alone repairs. undoes is
// the redline whose repair the other one undoes.
func joint(p *finding.Promise) (undoes finding.Side, ok bool) {
	a, b := &p.A, &p.B
	switch {
	case !p.Merge.Broken() || p.Merge.Waits || open(a) || open(b):
		return finding.Neither, false
	case !a.Broken() && !b.Broken():
		return finding.Neither, true
	case p.Base.Broken() && a.Kept():
		return finding.SideA, true
	case p.Base.Broken() && b.Kept():
		return finding.SideB, true
	}
	return finding.Neither, false
}

// open reports whether an answer is unknown or ill-formed.
func open(a *finding.Answer) bool {
	return a.Given && (a.Verdict == finding.Unknown || a.Verdict == finding.IllFormed)
}

// finding returns the finding of the merge's review on a promise. It panics if there is none.
func (n *negotiator) finding(p *finding.Promise) *finding.Finding {
	for i := range n.Merge.Findings {
		f := &n.Merge.Findings[i]
		if f.Check == p.Merge.Check && f.Finds(p.Merge.Requirement) {
			return f
		}
	}
	panic("negotiate: a violated promise without a finding: " + p.Name)
}

// refusal returns the first step of a violation's run that a redline alone would have refused, or nil.
func (n *negotiator) refusal(side *compile.Draft, f *finding.Finding) *finding.Refusal {
	trace := trace(f)
	if trace == nil || side.Spec == nil || side.Failure != "" {
		return nil
	}
	v := behaviour.Versions{Base: behaviour.Version{Draft: side}, Head: behaviour.Version{Draft: n.merged}, Names: compile.Amend(side, n.merged).Naming(), Budget: n.budget}
	return v.Refusal(behaviour.ObservablesOf(side, n.merged, v.Names), trace)
}

// trace returns the run of a finding, or nil.
func trace(f *finding.Finding) *finding.Trace {
	if f.Check != nil {
		return f.Check.Trace
	}
	return f.Head.Trace
}

// setBlame sets the blocks of one redline that cause each joint violation if all of the other redline is applied.
func (n *negotiator) setBlame(ctx context.Context, of finding.Side) {
	var asked []*finding.Joint
	for i := range n.Broken {
		if n.Broken[i].Undoes != of {
			asked = append(asked, &n.Broken[i])
		}
	}
	if len(asked) == 0 {
		return
	}
	t, err := n.between(of, asked)
	for q, j := range asked {
		var g *finding.Blame
		if err != nil {
			g = &finding.Blame{Reason: err.Error()}
		} else {
			s := &blame.Search{Trial: t, Q: q, All: t.Candidates(), Finding: j.Finding}
			if g = s.Blame(ctx); len(g.Blocks) > 0 {
				g.More = n.refusal(s.Made(), j.Finding) != nil
			}
		}
		*map[finding.Side]**finding.Blame{finding.SideA: &j.BlameA, finding.SideB: &j.BlameB}[of] = g
	}
}

// between returns a trial of the texts with all of the other redline and a part of this one.
func (n *negotiator) between(of finding.Side, asked []*finding.Joint) (*blame.Trial, error) {
	part, whole := n.a, n.b
	if of == finding.SideB {
		part, whole = n.b, n.a
	}
	base := edit.Text{}
	if n.base != nil {
		base = n.base.Text()
	}
	diff, err := edit.Compare(base, part.Text())
	if err != nil {
		return nil, err
	}
	t := &blame.Trial{Base: n.base, Head: part, Diff: diff, Budget: n.budget, Tried: map[string][]blame.Outcome{}, Known: map[string][]blame.Outcome{}}
	t.Apply = func(made []bool) edit.Text {
		text, conflicts, err := edit.Merge(base, whole.Text(), diff.Apply(made))
		if err != nil || slices.ContainsFunc(conflicts, func(c edit.Conflict) bool { return !wordsOnly(c.A) || !wordsOnly(c.B) }) {
			return nil
		}
		return text
	}
	for _, j := range asked {
		t.Questions = append(t.Questions, n.question(j, part, whole))
	}
	t.Known[n.merged.Unnamed] = slices.Repeat([]blame.Outcome{blame.Present}, len(asked))
	t.SetSizes(n.A.Head, n.B.Head, n.Merge.Head)
	return t, nil
}

// question returns the question of a joint violation: in the wording of base, else of the partial redline, the whole one, or the merge.
func (n *negotiator) question(j *finding.Joint, part, whole *compile.Draft) blame.Question {
	if j.Finding.Check != nil {
		return blame.Ask(j.Finding, n.base, n.merged, nil)
	}
	p := &n.Promises[j.Promise]
	waived := false
	for _, q := range []*finding.Requirement{p.Base.Requirement, p.A.Requirement, p.B.Requirement, p.Merge.Requirement} {
		waived = waived || q != nil && q.Waiver != nil
	}
	sides := []*compile.Draft{part, whole, n.merged}
	answers := []*finding.Answer{&p.A, &p.B, &p.Merge}
	if part == n.b {
		answers[0], answers[1] = &p.B, &p.A
	}
	if p.Base.Promised {
		return blame.Question{Promise: requirementNamed(n.base, p.Base.Requirement.Name), Asker: n.base, Waived: waived}
	}
	for i, a := range answers {
		if a.Promised {
			return blame.Question{Promise: requirementNamed(sides[i], a.Requirement.Name), Asker: sides[i], Waived: waived}
		}
	}
	panic("negotiate: nobody promises " + p.Name)
}

// requirementNamed returns the requirement of a name, which has to exist.
func requirementNamed(d *compile.Draft, name string) *hclspec.Requirement {
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	return d.Spec.Requirements[i]
}
