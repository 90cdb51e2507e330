package main

import (
	"cmp"
	"context"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/settings"
)

// bothPairs reads both versions and pairs their contracts. What base's settings look at and the amendment puts out of their sight, or
// out of sight of its own settings, has no head; outside says where it lies now, by the path of its pair.
func bothPairs(ctx context.Context, revs revisions, how reading, observe []string) (pairs []engine.Pair, outside map[string]string, notices []string, err error) {
	before, after, notices, err := bothDrafts(ctx, revs, how, observe)
	if err != nil {
		return nil, nil, nil, err
	}
	later, err := revs.headSettings(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	now := how.includes()
	pairs, outside = engine.OutOfSight(engine.Pairs(before, after), func(dir string) bool {
		return (now == nil || now(dir)) && later.Includes(dir)
	})
	return pairs, outside, notices, nil
}

// policy is what counts as accepted: by base's settings, or where they do not say by the rule for this place.
func (r *reviewing) policy(ctx context.Context) (engine.AcceptancePolicy, error) {
	base := r.how.under
	if base == nil {
		base = settings.Default()
	}
	head, err := r.revs.headSettings(ctx)
	if err != nil {
		return engine.AcceptancePolicy{}, err
	}
	return engine.AcceptancePolicy{
		Rule: engine.AcceptanceRules[cmp.Or(base.Acceptance, r.accept.String())],
		Base: retirements(base), Head: retirements(head),
	}, nil
}

func retirements(s *settings.Settings) []engine.Retirement {
	var all []engine.Retirement
	for _, r := range s.Retired {
		all = append(all, engine.Retirement{Contract: r.Contract, Name: r.Name, Digest: r.Digest, Reason: r.Reason, Source: r.Range})
	}
	return all
}

// settle notes which contracts are put out of sight, and says of each acceptance whether it counts, as far as that is known without a
// network.
func (r *reviewing) settle(ctx context.Context, review *engine.Review, outside map[string]string) error {
	for i := range review.Contracts {
		c := &review.Contracts[i]
		c.Outside = outside[c.Path]
	}
	policy, err := r.policy(ctx)
	if err != nil {
		return err
	}
	return review.Settle(ctx, policy, nil)
}
