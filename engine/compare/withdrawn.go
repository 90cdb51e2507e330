package compare

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// A promise that base made and head does not make is withdrawn, even if head still keeps it: nothing will check it once the amendment is
// merged. It is no objection if head makes a promise that implies it.

// withdraw sorts the findings of base's dropped or changed wordings again, and adds the promises of a removed contract. Norms are among
// those if b.Owed is set: then the gate objects to dropped norms. What can't be decided within the limits is undecided.
func withdraw(ctx context.Context, c *finding.ContractReview, m *compile.Amendment, base, head *compile.Draft, asked *verify.Answers, b finding.Budget) {
	ctx, cancel := b.Within(ctx)
	defer cancel()
	switch {
	case base == nil || base.Spec == nil:
	case head == nil:
		for i := range c.Base.Requirements {
			if was := &c.Base.Requirements[i]; standsFor(was) {
				c.Findings = append(c.Findings, finding.Finding{Kind: finding.Dropped, Name: was.Name, Base: was, Old: true, Promise: promiseDigest(base, base.MustRequirement(was.Name))})
			}
		}
		withdrawAll(c, base, b.Owed)
	default:
		for i := range c.Findings {
			if f := &c.Findings[i]; f.Old {
				withdrawn(ctx, f, m, head, c.Head.Requirements, asked)
			}
		}
	}
}

// withdrawn sorts the finding of a wording of base that head no longer has.
func withdrawn(ctx context.Context, f *finding.Finding, m *compile.Amendment, head *compile.Draft, now []finding.Requirement, asked *verify.Answers) {
	gone := finding.Dropped
	switch {
	case f.Kind == finding.Weakened:
	case !standsFor(f.Base):
		return
	default:
		if f.Kind == finding.RestsAsBefore { // failing only while a party waits does not justify giving it up
			gone = finding.Weakened
		}
		by := implied(ctx, m, head, now, asked, f.Name)
		switch {
		case by != nil && by.Verdict == finding.Unknown:
			q := *f.Head
			q.Verdict, q.Reason = finding.Unknown, fmt.Sprintf("whether %q promises as much, and is kept: %s", by.Name, by.Reason)
			f.Kind, f.Head = finding.Undecided, &q
			return
		case by != nil:
			f.Implied = by.Name
			return
		}
		f.Kind = gone
	}
	f.Promise = promiseDigest(m.Base, m.Names.WrittenOut(m.Base.MustRequirement(f.Name)))
}

// standsFor reports whether base made a promise in earnest: it is not known to have broken it, or only by a run that its waiver names. A waiver
// accepts that run, and neither another one nor that the promise is given up.
func standsFor(was *finding.Requirement) bool {
	return was.Verdict != finding.Violated && was.Verdict != finding.IllFormed || was.Named()
}

// implied returns a requirement of head that promises at least what base's requirement did and that head keeps, or else one of which that is unknown; nil
// if there is none known to. One that head breaks does not count: broken as it is, a later amendment could break what it implies.
func implied(ctx context.Context, m *compile.Amendment, head *compile.Draft, now []finding.Requirement, asked *verify.Answers, name string) (by *finding.Requirement) {
	i := slices.IndexFunc(asked.Requirements, func(q finding.Requirement) bool { return q.Name == name })
	if asked.Formulas[i] == nil {
		return nil
	}
	was := m.Names.HeadRequirement(m.Base.MustRequirement(name))
	for j, r := range head.Spec.Requirements {
		if ctx.Err() != nil {
			return &finding.Requirement{Name: r.Name, Reason: "the time limit ran out"}
		}
		known := now[j].Verdict == finding.Holds
		if (known || now[j].Verdict == finding.Unknown) && head.Formulas[j] != nil &&
			r.Formula.Ideal == was.Formula.Ideal && terms(head, r) == terms(head, was) && entails(head, head.Formulas[j], asked.Formulas[i]) {
			if by = &now[j]; known {
				return by
			}
		}
	}
	return by
}

// terms returns the parts of a promise besides its formula.
func terms(d *compile.Draft, r *hclspec.Requirement) string {
	return strings.TrimPrefix(d.Promise(r), d.Meaning(r.Formula))
}

// promiseDigest returns the SHA-256 by which a retire names a promise: of its canonical form, in the draft's own names.
func promiseDigest(d *compile.Draft, r *hclspec.Requirement) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\n"+d.Promise(r)+"\n")))
}

// finalDigest returns the SHA-256 by which a retire names the promise that a final state can always be reached.
func finalDigest(d *compile.Draft) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\nfinal "+d.Meaning(d.Spec.Final)+"\n")))
}

// finalGivenUp handles final states of base if head declares none, or others that do not imply them. The promise that one of them can
// always be reached is then given up, whether head still keeps it or not.
func (s *Sorting) finalGivenUp() {
	old := s.Asked.Final
	if s.Asked.LostFinal == nil && (old == nil || s.Draft.Final != nil && entails(s.Draft, s.Draft.Final, old)) {
		return
	}
	digest, found := finalDigest(s.Amended.Base), !kept(s.Review.Base)
	for i := range s.Review.Findings {
		f := &s.Review.Findings[i]
		if lost := f.Check != nil && f.Check == s.Asked.LostFinal && !found; lost || f.Check != nil && f.Kind == finding.Weakened {
			f.Promise, found = digest, true
			if lost {
				f.Kind, f.Was = finding.Dropped, finalBefore(s.Review.Base)
			}
		}
	}
	if !found {
		s.add(finalDropped(s.Review.Base, s.Draft, digest, s.Draft.Spec.Range))
	}
}

// finalDropped returns the finding that base's final states are no longer promised.
func finalDropped(base *finding.Result, d *compile.Draft, digest string, at hcl.Range) finding.Finding {
	const what = "That the contract can always come to one of the final states it had (final)."
	one := explain.NewDiagnostic(d, "no-option-to-complete", "", at, what, "")
	return finding.Finding{Kind: finding.Dropped, Name: string(one.Code), Check: &one, Promise: digest, Was: finalBefore(base)}
}

// finalBefore returns base's verdict on the promise that a final state can always be reached. What is accepted is violated nevertheless.
func finalBefore(base *finding.Result) finding.Verdict {
	switch {
	case says(base, "dead-end") || says(base, "no-option-to-complete"):
		return finding.Violated
	case base.Model.States == nil:
		return finding.Unknown
	}
	return finding.Holds
}

// withdrawAll adds what a removed contract promised besides its requirements: its final states and, if norms is set, its norms.
func withdrawAll(c *finding.ContractReview, base *compile.Draft, norms bool) {
	if base.Final != nil && kept(c.Base) {
		c.Findings = append(c.Findings, finalDropped(c.Base, base, finalDigest(base), base.Spec.Final.Range))
	}
	if !norms {
		return
	}
	for _, n := range base.Spec.Norms {
		if n.Nth > 1 { // the first is shown for all
			continue
		}
		one := explain.NewDiagnostic(base, "norm-dropped", n.Kind.String()+"."+n.Written(), n.Range, fmt.Sprintf("The amendment drops the %s %q %s with its contract.", n.Kind, n.Written(), bound(n)), "")
		c.Findings = append(c.Findings, finding.Finding{Kind: finding.Dropped, Name: string(one.Code), Check: &one, Promise: normDigest(n)})
	}
}

// normDigest returns the SHA-256 by which a retire names a norm of a removed contract.
func normDigest(n *hclspec.Norm) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\n"+compile.CanonicalNorm(n)+"\n")))
}
