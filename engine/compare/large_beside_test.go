package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestBesideTooManyStates: a version without a run to show is decided on diagrams, too, beside one that has too many states to list. One with a run is listed: waivers name that run.
func TestBesideTooManyStates(t *testing.T) {
	kept, _, _ := strings.Cut(ringPromises, `requirement "begins"`)
	few, broken, many := testkit.Rings(4, 12, "")+kept, testkit.Rings(4, 12, wayBack)+kept, testkit.Rings(4, 23, "")+kept
	for _, c := range []struct{ base, head, methods string }{
		{few, many, "symbolic symbolic"},
		{many, few, "symbolic symbolic"},
		{broken, many, "explicit symbolic"},
		{few, broken, "explicit explicit"},
	} {
		review, _ := compare.Compared(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 2})
		if got := review.Base.Model.Engine + " " + review.Head.Model.Engine; got != c.methods {
			t.Errorf("%s of %v and %v states, expected %s", got, review.Base.Model.States, review.Head.Model.States, c.methods)
		}
	}
}
