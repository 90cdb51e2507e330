package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A promise that base made and head does not make is withdrawn, whatever becomes of it on head: nothing will look after it once
// the amendment is merged. It is no objection if head makes a promise that implies it.

// withdraw sorts anew what head says to the wordings of base that it dropped or changed, and lists the promises of a contract that is gone.
// Norms are among them where the gate objects to those that are dropped.
func (c *ContractReview) withdraw(m *amendment, base, head *Draft, asked *answers, norms bool) {
	switch {
	case base == nil || base.Spec == nil:
	case head == nil:
		for i := range c.Base.Requirements {
			if was := &c.Base.Requirements[i]; was.Verdict == Holds || was.Verdict == Unknown {
				c.Findings = append(c.Findings, Finding{Kind: Dropped, Name: was.Name, Base: was, Old: true, Promise: base.promiseDigest(was.Name)})
			}
		}
		c.withdrawAll(base, norms)
	default:
		for i := range c.Findings {
			if f := &c.Findings[i]; f.Old && f.Check == nil {
				f.withdrawn(m, head, asked)
			}
		}
	}
}

// withdrawn sorts a wording of base that head has no more.
func (f *Finding) withdrawn(m *amendment, head *Draft, asked *answers) {
	kept := f.Base.Verdict == Holds || f.Base.Verdict == Unknown
	switch {
	case f.Kind == Dropped && !kept:
		f.Kind = Repaired // base broke what head would keep
	case f.Kind == RestsAsBefore && kept: // that it fails only while somebody waits is no reason to give it up
		if f.Implied = m.implied(head, asked, f.Name); f.Implied == "" {
			f.Kind, f.Promise = Weakened, m.base.promiseDigest(f.Name)
		}
	case f.Kind == Weakened:
		f.Promise = m.base.promiseDigest(f.Name)
	case f.Kind == Dropped, f.Kind == Undecided && kept:
		f.Kind = Dropped
		if f.Implied = m.implied(head, asked, f.Name); f.Implied != "" {
			f.Kind = Kept
			return
		}
		f.Promise = m.base.promiseDigest(f.Name)
	}
}

// implied names the requirement of head that promises at least what base's did by a name; empty: none does, or it is not known.
func (m *amendment) implied(head *Draft, asked *answers, name string) string {
	i := slices.IndexFunc(asked.Requirements, func(q Requirement) bool { return q.Name == name })
	if i < 0 || asked.formulas[i] == nil {
		return ""
	}
	was := m.names.HeadRequirement(m.base.required(name))
	for j, r := range head.Spec.Requirements {
		if head.Formulas[j] != nil && r.Formula.Ideal == was.Formula.Ideal && head.terms(r) == head.terms(was) &&
			ctl.Entails(head.Formulas[j], asked.formulas[i], atomName) {
			return r.Name
		}
	}
	return ""
}

// atomName is what an atom is known by in formulas of one draft: two names of one place are one.
func atomName(atom *ctl.Formula) string {
	if atom.Means == nil && atom.Sum == nil {
		return fmt.Sprintf("place %d", atom.Place)
	}
	return atom.Name
}

// terms is what a promise says besides its formula.
func (d *Draft) terms(r *hclspec.Requirement) string {
	return strings.TrimPrefix(d.promise(r), d.meaning(r.Formula))
}

func (d *Draft) required(name string) *hclspec.Requirement {
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	return d.Spec.Requirements[i]
}

// promiseDigest is the SHA-256 by which a retire names a promise: of its canonical form, in the draft's own names.
func (d *Draft) promiseDigest(name string) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\n"+d.promise(d.required(name))+"\n")))
}

// finalPromise is the name by which a retire gives up the promise that one of the final states can always be reached. No requirement can have it.
const finalPromise = "contract.final"

// Promised is the name by which a retire gives up what a finding is about.
func (f *Finding) Promised() string {
	switch {
	case f.Check == nil:
		return f.Name
	case f.OfNorms():
		return f.Check.Subject
	}
	return finalPromise
}

// completes reports whether a result has nothing against the promise that a final state can always be reached.
func (r *Result) completes() bool { return !r.says("dead-end") && !r.says("no-option-to-complete") }

// finalDigest is the SHA-256 by which a retire names that promise.
func (d *Draft) finalDigest() string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\nfinal "+d.meaning(d.Spec.Final)+"\n")))
}

// finalGivenUp sorts what becomes of the final states that base declares, where head declares none or others that do not imply them: the promise that one of
// them can always be reached is given up, whether head still keeps it or not.
func (s *sorting) finalGivenUp() {
	if s.amended == nil || s.amended.base.Final == nil || !s.review.Base.completes() {
		return
	}
	old := s.asked.final
	if s.asked.lostFinal == nil && (old == nil || s.draft.Final != nil && ctl.Entails(s.draft.Final, old, atomName)) {
		return
	}
	digest, found := s.amended.base.finalDigest(), false
	for i := range s.review.Findings {
		f := &s.review.Findings[i]
		if lost := f.Check != nil && f.Check == s.asked.lostFinal; lost || f.Check != nil && f.Kind == Weakened {
			f.Promise, found = digest, true
			if lost {
				f.Kind = Dropped
			}
		}
	}
	if !found {
		s.add(s.draft.finalDropped(digest, s.draft.Spec.Range))
	}
}

// finalDropped is the finding that the final states of base are no promise any more.
func (d *Draft) finalDropped(digest string, at hcl.Range) Finding {
	const what = "That the contract can always come to one of the final states it had (final)."
	one := d.finding("no-option-to-complete", "", at, what, "")
	return Finding{Kind: Dropped, Name: string(one.Code), Check: &one, Promise: digest}
}

// withdrawAll lists what a contract that is gone promised besides its requirements: its final states, and, where they count, its norms.
func (c *ContractReview) withdrawAll(base *Draft, norms bool) {
	if base.Final != nil && c.Base.completes() {
		c.Findings = append(c.Findings, base.finalDropped(base.finalDigest(), base.Spec.Final.Range))
	}
	if !norms {
		return
	}
	for _, n := range base.Spec.Norms {
		one := base.finding("norm-dropped", n.Kind.String()+"."+n.Name, n.Range, fmt.Sprintf("The amendment drops the %s %q of the %s with its contract.", n.Kind, n.Name, n.Bearer.Name), "")
		c.Findings = append(c.Findings, Finding{Kind: Dropped, Name: string(one.Code), Check: &one, Promise: normDigest(n)})
	}
}

// normDigest is the SHA-256 by which a retire names a norm of a contract that is gone.
func normDigest(n *hclspec.Norm) string {
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte("redline promise 1\n"+canonicalNorm(n)+"\n")))
}
