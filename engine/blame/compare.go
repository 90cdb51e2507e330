package blame

import (
	"context"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// Compare reviews the amendment of one contract. It composes and checks both versions, checks head against base's wording too, and finds
// causes and repairs of new violations. Either draft may be nil, not both. A contract whose meaning is the same is not checked again,
// except for its waivers.
func Compare(ctx context.Context, base, head *compile.Draft, b finding.Budget) finding.ContractReview {
	b.Ended = new(atomic.Bool)
	base, head = compile.SameTick(base, head)
	review, was := compare.Compared(ctx, base, head, b)
	review.Link()
	if review.Difference != nil {
		blame(ctx, &review, base, head, was, b)
	}
	review.TimedOut = b.Ended.Load()
	return review
}
