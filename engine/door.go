package engine

import (
	"context"
	"fmt"
	"runtime"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
)

// DefaultBudget returns what the command grants each version of a contract unless it is asked otherwise: 20 million states, 2 GiB, ten
// minutes; and as many goroutines as there are processors.
func DefaultBudget() finding.Budget {
	limits := settings.Default().Limits
	b := finding.Budget{States: limits.States, Time: limits.Timeout, Jobs: runtime.GOMAXPROCS(0)}
	if err := b.Memory.Set(limits.Memory); err != nil {
		panic(err) // our own default
	}
	return b
}

// Check decides every requirement of every contract in a tree, and what is checked of each contract besides. Results are in order of the
// contracts' paths; finding.StatusOf says what they amount to. What is wrong with the text of a contract is no error but in its
// result's Diagnostics, and a limit that was reached is in its verdicts, which are then unknown. An error means that the tree could not be
// read, that reading it took too long, or that it has no contract.
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

// Review compares two trees, contract by contract: which requirements does head newly break, which does it repair or give up, and
// what else becomes possible. Review.Gate says whether to object. A waiver counts, and so does every other acceptance, if base has it. What the amendment
// accepts for itself does not count until Review.Settle is called with who approved it. Either tree may be without contracts. What is
// an error, and what is none, is as in Check.
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

// granted returns the tree with the budget's time for reading each contract, unless it says another.
func (t Tree) granted(b finding.Budget) Tree {
	if t.Time == 0 {
		t.Time = b.Time
	}
	return t
}
