package compare

import (
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// TestUnknownRestsAreNotCompared: of a version of which it is not known on whom a promise rests nothing is said, and nothing is excused.
func TestUnknownRestsAreNotCompared(t *testing.T) {
	unknown, known := &finding.Requirement{Rests: &finding.Rests{Unknown: "why"}}, &finding.Requirement{Rests: &finding.Rests{Sets: [][]string{{"seller"}}}}
	for _, sides := range [][2]*finding.Requirement{{unknown, known}, {known, unknown}} {
		f := finding.Finding{Kind: finding.New, Base: sides[0], Head: sides[1]}
		s := Sorting{Amended: &compile.Amendment{}}
		if got := s.rested(sides[0], f, nil); got.Rested != nil || got.Kind != finding.New {
			t.Errorf("%+v and %+v: %+v", sides[0].Rests, sides[1].Rests, got)
		}
	}
}
