package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A promise that base made and head does not make is withdrawn, whatever becomes of it on head: nothing will look after it once
// the amendment is merged. It is no objection if head makes a promise that implies it.

// withdraw sorts anew what head says to the wordings of base that it dropped or changed, and lists the promises of a contract that is gone.
func (c *ContractReview) withdraw(m *amendment, base, head *Draft, asked *answers) {
	switch {
	case base == nil || base.Spec == nil:
	case head == nil:
		for i := range c.Base.Requirements {
			if was := &c.Base.Requirements[i]; was.Verdict == Holds || was.Verdict == Unknown {
				c.Findings = append(c.Findings, Finding{Kind: Dropped, Name: was.Name, Base: was, Old: true, Promise: base.promiseDigest(was.Name)})
			}
		}
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
