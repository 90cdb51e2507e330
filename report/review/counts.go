package review

import (
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

func countReview(r *engine.Review) Counts {
	n := Counts{Contracts: len(r.Contracts)}
	for _, c := range r.Contracts {
		if c.Status != engine.Same {
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
		if a.Open() {
			n.Unapproved++
		}
	}
	return n
}

func (n *Counts) count(f engine.Finding) {
	if f.Check != nil && f.Check.Accepted != "" {
		return
	}
	switch f.Kind {
	case engine.Meaningless:
		n.IllFormed++
	case engine.New:
		n.New++
	case engine.Weakened, engine.Dropped:
		switch {
		case f.Objection(engine.FailNew) == engine.Clean:
			n.Retired++
		case f.Kind == engine.Weakened:
			n.Weakened++
		default:
			n.Withdrawn++
		}
	case engine.Standing:
		n.Standing++
	case engine.Undecided:
		n.Undecided++
	case engine.Repaired:
		n.Repaired++
	case engine.Waived:
		n.Waived++
	case engine.WaiverExpired:
		n.Expired++
	}
}

// countCheck counts what is violated as standing: nobody knows since when.
func countCheck(results []*engine.Result) Counts {
	n := Counts{Contracts: len(results)}
	for _, r := range results {
		n.IllFormed += len(ofClass(r.Diagnostics, codes.Error, illFormed))
		n.Standing += len(ofClass(r.Diagnostics, codes.Violation, standing))
		for _, q := range r.Requirements {
			switch {
			case q.Verdict == engine.IllFormed:
				n.IllFormed++
			case q.Waived():
				n.Waived++
			case q.Verdict == engine.Violated:
				n.Standing++
			case q.Verdict == engine.Unknown:
				n.Undecided++
			}
		}
	}
	return n
}
