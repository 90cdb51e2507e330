package review

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// countReview counts the findings of a review.
func countReview(r *finding.Review) Counts {
	n := Counts{Contracts: len(r.Contracts)}
	for _, c := range r.Contracts {
		if c.Status != finding.Same {
			n.Changed++
		}
		if c.Head != nil {
			n.IllFormed += len(ofClass(c.Head.Diagnostics, codes.Error, illFormed))
		}
		for _, f := range c.Findings {
			n.count(f)
		}
	}
	for _, a := range r.Brought() {
		if a.Blocking() {
			n.Unapproved++
		}
	}
	return n
}

// count counts one finding.
func (n *Counts) count(f finding.Finding) {
	if f.Check != nil && f.Check.Accepted != "" {
		return
	}
	switch f.Kind {
	case finding.Meaningless:
		n.IllFormed++
	case finding.New:
		n.New++
	case finding.Weakened, finding.Dropped:
		switch {
		case f.Objection(finding.FailNew) == finding.Clean:
			n.Retired++
		case f.Kind == finding.Weakened:
			n.Weakened++
		default:
			n.Withdrawn++
		}
	case finding.Standing:
		n.Standing++
	case finding.Undecided:
		n.Undecided++
	case finding.Repaired:
		n.Repaired++
	case finding.Waived:
		n.Waived++
	case finding.WaiverExpired:
		n.Expired++
	}
}

// countCheck counts the results of a check. Violations count as standing, since there is no base to compare with.
func countCheck(results []*finding.Result) Counts {
	n := Counts{Contracts: len(results)}
	for _, r := range results {
		n.IllFormed += len(ofClass(r.Diagnostics, codes.Error, illFormed))
		n.Standing += len(ofClass(r.Diagnostics, codes.Violation, standing))
		for _, q := range r.Requirements {
			switch {
			case q.Verdict == finding.IllFormed:
				n.IllFormed++
			case q.Waived():
				n.Waived++
			case q.Verdict == finding.Violated:
				n.Standing++
			case q.Verdict == finding.Unknown:
				n.Undecided++
			}
		}
	}
	return n
}
