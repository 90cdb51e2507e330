package blame

import (
	"context"
	"sync/atomic"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
)

// Compare reviews the amendment of one contract: both versions are composed and checked, and what
// base required is asked of head too, in base's wording. Either draft may be nil, not both. A
// contract whose meaning is the same is not checked again.
func Compare(ctx context.Context, base, head *compile.Draft, b finding.Budget) finding.ContractReview {
	b.Ended = new(atomic.Bool)
	review, was := compare.Compared(ctx, base, head, b)
	review.Link()
	if review.Difference != nil {
		blame(ctx, &review, base, head, was, b)
	}
	review.TimedOut = b.Ended.Load()
	return review
}
