package review

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// countReview counts the findings of a review.
func countReview(r *finding.Review) reviewCounts {
	n := reviewCounts{contracts: len(r.Contracts) + r.Unchanged}
	for _, c := range r.Contracts {
		if c.Status != finding.Same {
			n.changed++
		}
		if c.Head != nil {
			n.illFormed += len(ofClass(c.Head.Diagnostics, codes.Error, illFormed))
		}
		for _, f := range c.Findings {
			n.count(f)
		}
	}
	for _, a := range r.Brought() {
		if a.Blocking() {
			n.unapproved++
		}
	}
	return n
}

// count counts one finding.
func (n *reviewCounts) count(f finding.Finding) {
	if f.Check != nil && f.Check.Accepted != "" {
		return
	}
	switch f.Kind {
	case finding.Meaningless:
		n.illFormed++
	case finding.New:
		n.new++
	case finding.Weakened, finding.Dropped:
		switch {
		case f.Objection(finding.FailNew) == finding.Clean:
			n.retired++
		case f.Kind == finding.Weakened:
			n.weakened++
		default:
			n.withdrawn++
		}
	case finding.Standing:
		n.standing++
	case finding.Undecided:
		n.undecided++
	case finding.Repaired:
		n.repaired++
	case finding.Waived:
		n.waived++
	case finding.WaiverExpired:
		n.expired++
	}
}

// countCheck counts the results of a check. Violations count as standing, since there is no base to compare with.
func countCheck(results []*finding.Result) reviewCounts {
	n := reviewCounts{contracts: len(results)}
	for _, r := range results {
		n.illFormed += len(ofClass(r.Diagnostics, codes.Error, illFormed))
		n.standing += len(ofClass(r.Diagnostics, codes.Violation, standing))
		for _, q := range r.Requirements {
			switch {
			case q.Verdict == finding.IllFormed:
				n.illFormed++
			case q.Waived():
				n.waived++
			case q.Verdict == finding.Violated:
				n.standing++
			case q.Verdict == finding.Unknown:
				n.undecided++
			}
		}
	}
	return n
}
