package finding_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
)

// TestMemoryIsNamedAsItIsSet: a limit that is a share of what was set names that, and no share of a limit is none.
func TestMemoryIsNamedAsItIsSet(t *testing.T) {
	all := finding.Budget{Memory: 1 << 30}
	for _, c := range []struct {
		b    finding.Budget
		err  error
		want string
	}{
		{all, &dd.LimitError{Limit: 1 << 30}, "decision diagrams need more than the limit of 1GiB of memory (--max-memory)"},
		{all.Share(2), &dd.LimitError{Limit: int64(all.Share(2).Memory)}, "decision diagrams need more than their share of the limit of 1GiB of memory (--max-memory)"},
		{all.Share(2), &space.LimitError{What: "memory", Limit: int64(all.Share(2).Memory), Explored: 7}, "the states' share of the limit of 1GiB of memory was reached after 7 states (--max-memory)"},
		{all, &space.LimitError{What: "arcs", Limit: 4000}, "there are more than 4,000 steps between states"},
	} {
		if got := c.b.Reason(c.err); got != c.want {
			t.Errorf("%s; want %s", got, c.want)
		}
	}
	if few := (finding.Budget{Memory: 3}).Share(2).Share(1); few.Memory == 0 || few.Whole != 3 || (finding.Budget{}).Share(2).Memory != 0 {
		t.Errorf("%d of %d", few.Memory, few.Whole)
	}
}
