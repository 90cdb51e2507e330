package engine

import (
	"context"
	"fmt"
	"runtime"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
)

// DefaultBudget returns the budget that the command grants each version of a contract by default: 20 million states, 2 GiB, ten minutes,
// and as many goroutines as there are processors.
func DefaultBudget() finding.Budget {
	limits := settings.Default().Limits
	b := finding.Budget{States: limits.States, Time: limits.Timeout, Jobs: runtime.GOMAXPROCS(0)}
	if err := b.Memory.Set(limits.Memory); err != nil {
		panic(err) // our own default
	}
	return b
}

// Check decides every requirement of every contract in a tree, and runs the built-in checks. Results are in order of the contracts' paths;
// finding.StatusOf returns their exit status. A mistake in a contract's text is no error: it is in the Diagnostics of the contract's
// result. A limit that is reached is no error either: it makes verdicts unknown. Check fails if the tree cannot be read, if reading it
// takes too long, or if it has no contract.
func Check(ctx context.Context, t Tree, b finding.Budget) ([]*finding.Result, error) {
	drafts, err := t.granted(b).Drafts(ctx, nil, b.Jobs)
	if err != nil {
		return nil, err
	}
	if len(drafts) == 0 {
		return nil, fmt.Errorf("no contract at or under %s: a contract is a directory with *.contract.hcl files", t.shown(t.root()))
	}
	return CheckAll(ctx, drafts, b), nil
}

// Review compares two trees, contract by contract: which requirements head newly breaks, which it repairs or gives up, and what else
// becomes possible. Review.Gate returns the exit status. A waiver or another acceptance counts if base has it. What the amendment accepts
// for itself counts only after Review.Settle is called with the approvals. Either tree may be without contracts. Errors are as in Check.
func Review(ctx context.Context, base, head Tree, b finding.Budget) (*finding.Review, error) {
	before, err := base.granted(b).Drafts(ctx, nil, b.Jobs)
	if err != nil {
		return nil, fmt.Errorf("base: %w", err)
	}
	same := before
	if base.Values.Digest() != head.Values.Digest() {
		same = nil // what is the same text is another contract
	}
	after, err := head.granted(b).DraftsBeside(ctx, same, nil, b.Jobs)
	if err != nil {
		return nil, fmt.Errorf("head: %w", err)
	}
	r := &finding.Review{Base: "base", Head: "head", Contracts: CompareAll(ctx, before, after, b)}
	return r, r.Settle(ctx, finding.AcceptancePolicy{Rule: finding.AcceptBase}, nil)
}

// granted returns the tree with the budget's time limit for reading each contract, unless the tree has one of its own.
func (t Tree) granted(b finding.Budget) Tree {
	if t.Time == 0 {
		t.Time = b.Time
	}
	return t
}
