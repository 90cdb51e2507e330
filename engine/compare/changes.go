package compare

import (
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// counterparts finds, for each requirement of head, the one of base that promises the same, under
// whatever name; else the one that has its name, or had it before it was renamed. nil: base has none.
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

// leftOut stands for the value of an attribute that is not there.
const leftOut = "left out"

// changedTerms says what each attribute that differs was and is: "within was 3, now 9".
func changedTerms(terms []diff.Term) []string {
	var said []string
	for _, t := range terms {
		said = append(said, t.Word+" was "+cmp.Or(t.Was, leftOut)+", now "+cmp.Or(t.Now, leftOut))
	}
	return said
}
