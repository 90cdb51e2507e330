package compare

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// counterparts returns, for each requirement of head, the requirement of base that promises the same under any name. If there is none, it
// is the one with the same name, renames undone, or nil.
func counterparts(c *finding.ContractReview, m *compile.Amendment, head *compile.Draft) []*finding.Requirement {
	list := make([]*finding.Requirement, len(head.Spec.Requirements))
	if m == nil {
		return list
	}
	promised := map[string][]int{} // by what is promised, of base
	for j, r := range m.Base.Spec.Requirements {
		promise := head.Promise(m.Names.HeadRequirement(r))
		promised[promise] = append(promised[promise], j)
	}
	names := map[string]int{}
	for j, r := range m.Base.Spec.Requirements {
		if name, ok := m.Names.Head(diff.Requirement, r.Name); ok {
			names[name] = j + 1
		}
	}
	for i, r := range head.Spec.Requirements {
		named := names[r.Name] - 1
		switch same := promised[head.Promise(r)]; {
		case slices.Contains(same, named):
			list[i] = &c.Base.Requirements[named]
		case len(same) > 0:
			list[i] = &c.Base.Requirements[same[len(same)-1]]
		case named >= 0:
			list[i] = &c.Base.Requirements[named]
		}
	}
	return list
}

func isNorm(e diff.Element) bool { return diff.Obligation <= e && e <= diff.Power }

// leftOut replaces the value of an absent attribute.
const leftOut = "left out"

// changedTerms describes each attribute that differs: "within was 3, now 9".
func changedTerms(terms []diff.Term) []string {
	var said []string
	for _, t := range terms {
		said = append(said, t.Word+" was "+cmp.Or(t.Was, leftOut)+", now "+cmp.Or(t.Now, leftOut))
	}
	return said
}
