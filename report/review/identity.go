package review

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An identity recognises a finding in a repeated run and after a push. It has a SHA-256 of the contract's directory, and one of the
// requirement's name, or of the built-in check and its subject. It does not depend on their places in the text, on the wording, or on the
// run that shows the violation.
type identity struct{ contract, finding string }

func (i identity) String() string { return i.contract + "." + i.finding }

// A fate is the present state of a finding.
type fate uint8

const (
	unsettled fate = iota // unknown: an existing remark stays as it is
	caused                // the amendment causes it: it gets a remark
	repaired              // it was violated and holds
	excused               // a waiver, or the drafter, accepts it
	withdrawn             // the amendment does not cause it, or no longer
)

// A matter is a finding with its identity and fate.
type matter struct {
	identity
	fate     fate
	finding  *finding.Finding
	contract *finding.ContractReview
}

// matters returns the findings of a contract. Findings of the same name are distinguished by their order.
func matters(c *finding.ContractReview) []matter {
	path, times := hashed("contract", c.Path), map[string]int{}
	var all []matter
	for i := range c.Findings {
		f := &c.Findings[i]
		key := subjectOf(f)
		times[key]++
		all = append(all, matter{identity{path, hashed("finding", fmt.Sprintf("%s\x00%d", key, times[key]))}, fateOf(f), f, c})
	}
	return all
}

// hashed returns a shortened SHA-256 of a text.
func hashed(what, text string) string {
	sum := sha256.Sum256([]byte("redline " + what + " 1\x00" + text))
	return fmt.Sprintf("%x", sum[:12])
}

// subjectOf returns the subject of a finding. An old wording is another subject than the requirement that has its name now.
func subjectOf(f *finding.Finding) string {
	parts := []string{"requirement", f.Name}
	if f.Check != nil {
		parts = []string{"check", f.Name, f.Check.Subject}
	}
	if f.Old || f.Kind == finding.Weakened || f.Kind == finding.Dropped {
		parts = append(parts, "old wording")
	}
	return strings.Join(parts, "\x00")
}

// fateOf returns the fate of a finding.
func fateOf(f *finding.Finding) fate {
	if f.Check != nil && f.Check.Accepted != "" {
		return excused
	}
	switch f.Kind {
	case finding.New, finding.WaiverExpired:
		return caused
	case finding.Weakened, finding.Dropped, finding.Waived:
		if f.Objection(finding.FailNew) == finding.Violations {
			return caused
		}
		return excused
	case finding.Kept, finding.Repaired:
		return repaired
	case finding.Standing, finding.RestsAsBefore:
		return withdrawn
	}
	return unsettled
}

// A docket has all matters of a review, by identity.
type docket struct {
	matters   map[string]*matter
	contracts map[string]bool // by hash: whether an absent finding is known to be gone
	partial   bool            // contracts are missing
}

// docketOf returns the matters of a report's review.
func docketOf(t *PullReport) docket {
	d := docket{map[string]*matter{}, map[string]bool{}, t.partial}
	for i := range t.Review.Contracts {
		c := &t.Review.Contracts[i]
		d.contracts[hashed("contract", c.Path)] = decided(c)
		for _, m := range matters(c) {
			d.matters[m.identity.String()] = &m
		}
	}
	return d
}

// decided reports whether head's findings are complete.
func decided(c *finding.ContractReview) bool {
	return c.Head == nil || c.Head.Model.Incomplete == "" && len(ofClass(c.Head.Diagnostics, codes.Error, illFormed)) == 0
}

// fate returns the present state of a finding that had a remark.
func (d docket) fate(id string) fate {
	if m, ok := d.matters[id]; ok {
		return m.fate
	}
	contract, _, _ := strings.Cut(id, ".")
	known, found := d.contracts[contract]
	if known || !found && !d.partial {
		return withdrawn
	}
	return unsettled
}
