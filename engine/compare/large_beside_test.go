package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// TestBesideTooManyStates: a version of many states is decided on diagrams if nothing needs its list: the other version has too many states to list, or neither
// list is asked anything more: for new ways, if base breaks a promise, and for who is exposed, if there are norms.
func TestBesideTooManyStates(t *testing.T) {
	kept, _, _ := strings.Cut(ringPromises, `requirement "begins"`)
	few, broken, many := testkit.Rings(4, 12, "")+kept, testkit.Rings(4, 12, wayBack)+kept, testkit.Rings(4, 23, "")+kept
	const owed = "obligation \"o\" {\n  bearer = p0\n  fulfil = e0\n}\n"
	for _, c := range []struct{ base, head, methods string }{
		{few, many, "symbolic symbolic"},
		{many, few, "symbolic symbolic"},
		{broken, many, "symbolic symbolic"},
		{few, broken, "symbolic symbolic"},
		{broken, few, "explicit explicit"},
		{few + owed, few, "explicit explicit"},
	} {
		review, _ := compare.Compared(t.Context(), testkit.DraftOf(t, c.base), testkit.DraftOf(t, c.head), finding.Budget{Jobs: 2})
		if got := review.Base.Model.Engine + " " + review.Head.Model.Engine; got != c.methods {
			t.Errorf("%s of %v and %v states, expected %s", got, review.Base.Model.States, review.Head.Model.States, c.methods)
		}
	}
}
