package engine

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// Violations that only both redlines together have, and which blocks of each of them bring them about: the
// search for what is to blame, in texts that have all of one redline, and only some of the other one.

// joint finds the violations, and who is to blame.
func (n *negotiating) joint(ctx context.Context) {
	for i := range n.Promises {
		p := &n.Promises[i]
		if undoes, ok := p.joint(); ok {
			j := Joint{Promise: i, Finding: n.finding(p), Undoes: undoes}
			j.RefusalA, j.RefusalB = n.refusal(n.a, j.Finding), n.refusal(n.b, j.Finding)
			n.Broken = append(n.Broken, j)
		}
	}
	if len(n.Broken) == 0 {
		return
	}
	ctx, cancel := n.budget.within(ctx)
	defer cancel()
	n.guilty(ctx, SideA)
	n.guilty(ctx, SideB)
}

// joint reports whether both together violate a promise that neither does alone, or that one of them
// alone repairs.
func (p *Promise) joint() (undoes Side, ok bool) {
	a, b := &p.A, &p.B
	switch {
	case !p.Merge.Broken() || p.Merge.Waits || a.open() || b.open():
		return Neither, false
	case !a.Broken() && !b.Broken():
		return Neither, true
	case p.Base.Broken() && a.Kept():
		return SideA, true
	case p.Base.Broken() && b.Kept():
		return SideB, true
	}
	return Neither, false
}

// open reports whether nobody knows.
func (a *Answer) open() bool { return a.Given && (a.Verdict == Unknown || a.Verdict == IllFormed) }

// finding is what the review of both together says of a promise.
func (n *negotiating) finding(p *Promise) *Finding {
	for i := range n.Merge.Findings {
		f := &n.Merge.Findings[i]
		if f.Check == p.Merge.Check && f.Head == p.Merge.Requirement {
			return f
		}
	}
	panic("engine: a violated promise without a finding: " + p.Name)
}

// refusal is the step of a violation's run that a redline alone would have refused.
func (n *negotiating) refusal(side *Draft, f *Finding) *Refusal {
	trace := f.trace()
	if trace == nil || side.Spec == nil || side.unbuilt != "" {
		return nil
	}
	v := versions{base: version{draft: side}, head: version{draft: n.merged}, names: amend(side, n.merged).naming(), budget: n.budget}
	return v.refusal(sightsOf(side, n.merged, v.names), trace)
}

func (f *Finding) trace() *Trace {
	if f.Check != nil {
		return f.Check.Trace
	}
	return f.Head.Trace
}

// guilty finds the blocks of one redline without which the other one does not come to a violation.
func (n *negotiating) guilty(ctx context.Context, of Side) {
	var asked []*Joint
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
		var g *Guilt
		if err != nil {
			g = &Guilt{Reason: err.Error()}
		} else {
			s := &search{trial: t, q: q, all: t.culprits(), finding: j.Finding}
			g = s.guilt(ctx)
		}
		*map[Side]**Guilt{SideA: &j.GuiltA, SideB: &j.GuiltB}[of] = g
	}
}

// between makes texts with all of the other redline, and some of this one.
func (n *negotiating) between(of Side, asked []*Joint) (*trial, error) {
	part, whole := n.a, n.b
	if of == SideB {
		part, whole = n.b, n.a
	}
	base := edit.Text{}
	if n.base != nil {
		base = n.base.text()
	}
	diff, err := edit.Compare(base, part.text())
	if err != nil {
		return nil, err
	}
	t := &trial{base: n.base, head: part, diff: diff, budget: n.budget, tried: map[string][]outcome{}, known: map[string][]outcome{}}
	t.apply = func(made []bool) edit.Text {
		text, conflicts, err := edit.Merge(base, whole.text(), diff.Apply(made))
		if err != nil || slices.ContainsFunc(conflicts, func(c edit.Conflict) bool { return !wordsOnly(c.A) || !wordsOnly(c.B) }) {
			return nil
		}
		return text
	}
	for _, j := range asked {
		t.questions = append(t.questions, n.question(j, part, whole))
	}
	t.known[n.merged.unnamed] = slices.Repeat([]outcome{present}, len(asked))
	t.size(n.A.Head, n.B.Head, n.Merge.Head)
	return t, nil
}

// question is what a violation comes to: in the words of base; else of the redline that is taken apart,
// of the other one, of both together.
func (n *negotiating) question(j *Joint, part, whole *Draft) question {
	if j.Finding.Check != nil {
		return j.Finding.question(n.base, n.merged, nil)
	}
	p := &n.Promises[j.Promise]
	waived := false
	for _, q := range []*Requirement{p.Base.Requirement, p.A.Requirement, p.B.Requirement, p.Merge.Requirement} {
		waived = waived || q != nil && q.Waiver != nil
	}
	sides := []*Draft{part, whole, n.merged}
	answers := []*Answer{&p.A, &p.B, &p.Merge}
	if part == n.b {
		answers[0], answers[1] = &p.B, &p.A
	}
	if p.Base.Promised {
		return question{promise: n.base.requirementNamed(p.Base.Requirement.Name), asker: n.base, waived: waived}
	}
	for i, a := range answers {
		if a.Promised {
			return question{promise: sides[i].requirementNamed(a.Requirement.Name), asker: sides[i], waived: waived}
		}
	}
	panic("engine: nobody promises " + p.Name)
}

func (d *Draft) requirementNamed(name string) *hclspec.Requirement {
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	return d.Spec.Requirements[i]
}
