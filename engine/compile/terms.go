package compile

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Terms select the runs that a requirement is about. Ordinary terms select the maximal runs on which the named parties make progress.
// Resting terms select runs that may stop for good in any state and are fair to every event in which only the named parties take part
// (package rests).
type Terms struct {
	Names   []string // as the source has them
	Resting bool     // the names are those on whom it may rest
	Ideal   bool     // it is about the runs on which nothing is breached
}

// TermsOf returns the terms of a requirement.
func TermsOf(r *hclspec.Requirement) Terms {
	list, resting := r.Assuming, r.RestsOn != nil
	if resting {
		list = r.RestsOn.On
	}
	t := Terms{Resting: resting, Ideal: r.Formula.Ideal}
	for _, p := range list {
		t.Names = append(t.Names, p.Name)
	}
	return t
}

// TermsDecided returns the terms of a requirement in a result.
func TermsDecided(q *finding.Requirement) Terms {
	if q.Resting {
		return Terms{q.RestsOn, true, q.Ideal}
	}
	return Terms{q.Assuming, false, q.Ideal}
}

// Plain reports whether the terms select all maximal runs.
func (t Terms) Plain() bool { return len(t.Names) == 0 && !t.Resting }

// SetTerms writes terms into a requirement of a result.
func SetTerms(q *finding.Requirement, t Terms) {
	if q.Resting = t.Resting; t.Resting {
		q.RestsOn = t.Names
	} else {
		q.Assuming = t.Names
	}
}
