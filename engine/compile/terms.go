package compile

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Terms say which runs a requirement is about: maximal runs on which some parties make progress or, where it says on whom it may rest, runs that may stop
// for good in any state and are fair to every event in which those alone take part (package rests).
type Terms struct {
	Names   []string // as the source has them
	Resting bool     // they are those on whom it may rest
}

// TermsOf returns the terms of a requirement.
func TermsOf(r *hclspec.Requirement) Terms {
	list, resting := r.Assuming, r.RestsOn != nil
	if resting {
		list = r.RestsOn.On
	}
	t := Terms{Resting: resting}
	for _, p := range list {
		t.Names = append(t.Names, p.Name)
	}
	return t
}

// TermsDecided returns those of a requirement that is decided.
func TermsDecided(q *finding.Requirement) Terms {
	if q.Resting {
		return Terms{q.RestsOn, true}
	}
	return Terms{q.Assuming, false}
}

// Plain reports whether all maximal runs are looked at.
func (t Terms) Plain() bool { return len(t.Names) == 0 && !t.Resting }

// SetTerms writes terms into a requirement.
func SetTerms(q *finding.Requirement, t Terms) {
	if q.Resting = t.Resting; t.Resting {
		q.RestsOn = t.Names
	} else {
		q.Assuming = t.Names
	}
}
