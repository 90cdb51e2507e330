package review

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An identity is by which a finding is known again, in a repeated run and after a push: SHA-256 of the
// contract's directory, and of the requirement's name or of the built-in check and what it is about. Where either
// stands in the text, how it is worded and which run shows it are not in it.
type identity struct{ contract, finding string }

func (i identity) String() string { return i.contract + "." + i.finding }

// A fate is what has become of a finding.
type fate uint8

const (
	unsettled fate = iota // nobody knows: what was said of it stays said
	guilty                // the amendment brings it about: it is remarked
	repaired              // it was violated and holds
	excused               // a waiver, or the drafter, accepts it
	withdrawn             // the amendment has no part in it, or none any more
)

// A matter is a finding with its identity and fate.
type matter struct {
	identity
	fate     fate
	finding  *finding.Finding
	contract *finding.ContractReview
}

// matters lists the findings of a contract. Two of one name are told apart by their order.
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

func hashed(what, text string) string {
	sum := sha256.Sum256([]byte("redline " + what + " 1\x00" + text))
	return fmt.Sprintf("%x", sum[:12])
}

// subjectOf says what a finding is about. An old wording is another matter than the requirement that has its name now.
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

func fateOf(f *finding.Finding) fate {
	if f.Check != nil && f.Check.Accepted != "" {
		return excused
	}
	switch f.Kind {
	case finding.New, finding.WaiverExpired:
		return guilty
	case finding.Weakened, finding.Dropped, finding.Waived:
		if f.Objection(finding.FailNew) == finding.Violations {
			return guilty
		}
		return excused
	case finding.Kept, finding.Repaired:
		return repaired
	case finding.Standing, finding.RestsAsBefore:
		return withdrawn
	}
	return unsettled
}

// A docket is all matters of a review, by identity.
type docket struct {
	matters   map[string]*matter
	contracts map[string]bool // by hash: is all of it decided, so that what is not found is not there?
	partial   bool            // contracts are missing
}

func docketOf(t *Telling) docket {
	d := docket{map[string]*matter{}, map[string]bool{}, t.Partial}
	for i := range t.Review.Contracts {
		c := &t.Review.Contracts[i]
		d.contracts[hashed("contract", c.Path)] = decided(c)
		for _, m := range matters(c) {
			d.matters[m.identity.String()] = &m
		}
	}
	return d
}

// decided reports whether head's findings are all there are.
func decided(c *finding.ContractReview) bool {
	return c.Head == nil || c.Head.Model.Incomplete == "" && len(ofClass(c.Head.Diagnostics, codes.Error, illFormed)) == 0
}

// fate says what has become of what was remarked once.
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
