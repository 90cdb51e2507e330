package main

import (
	"cmp"
	"context"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/review"
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
	start, err := revs.baseCommit(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	former, err := revisionSettings(ctx, revs.dir, start, "base, where the amendment begins,")
	if err != nil {
		return nil, nil, nil, err
	}
	base := how.includes()
	pairs, outside = engine.OutOfSight(engine.Pairs(before, after), func(was, now string) bool {
		return (base == nil || base(now)) && (later.Includes(now) || !former.Includes(was)) // what base's settings changed since is not the amendment's doing
	})
	return pairs, outside, notices, nil
}

// acceptancePolicy returns the policy of base's settings, or the default rule for this place where they set none.
func acceptancePolicy(ctx context.Context, revs revisions, base *settings.Settings, unset finding.AcceptanceRule) (finding.AcceptancePolicy, error) {
	if base == nil {
		base = settings.Default()
	}
	head, err := revs.headSettings(ctx)
	if err != nil {
		return finding.AcceptancePolicy{}, err
	}
	return finding.AcceptancePolicy{
		Rule: finding.AcceptanceRules[cmp.Or(base.Acceptance, unset.String())],
		Read: true, Base: retirements(base), Head: retirements(head),
	}, nil
}

func retirements(s *settings.Settings) []finding.Retirement {
	var all []finding.Retirement
	for _, r := range s.Retired {
		all = append(all, finding.Retirement{Contract: r.Contract, Name: r.Name, Digest: r.Digest, Reason: r.Reason, Source: r.Range})
	}
	return all
}

// settle notes which contracts are put out of sight, and says of each acceptance whether it counts, as far as that is known without a
// network: whose approval is lacking, and not whether it was given.
func (r *reviewing) settle(ctx context.Context, of *finding.Review, outside map[string]string) error {
	for i := range of.Contracts {
		c := &of.Contracts[i]
		c.Outside = outside[c.Path]
	}
	policy, err := acceptancePolicy(ctx, r.revs, r.how.under, r.accept)
	if err != nil {
		return err
	}
	asked := &dryRun{reviewing: r, explicit: r.how.under != nil && r.how.under.Acceptance == finding.AcceptBase.String()}
	return of.Settle(ctx, policy, asked.approve)
}

// A dryRun says who could approve, by base's settings or CODEOWNERS.
type dryRun struct {
	*reviewing
	explicit bool // the settings take no approval
	owners   *review.Owners
}

func (d *dryRun) approve(ctx context.Context, a finding.Acceptance) (finding.Approval, error) {
	if d.explicit {
		return finding.Approval{Why: "By the settings it counts once base has it: merge it first, by itself."}, nil
	}
	if d.owners == nil {
		base, err := d.revs.baseCommit(ctx)
		if err != nil {
			return finding.Approval{}, err
		}
		tree, err := gitfs.Open(ctx, d.revs.dir, base)
		if err != nil {
			return finding.Approval{}, err
		}
		defer func() { _ = tree.Close() }() // only read from
		wanted := d.how.under
		if wanted == nil {
			wanted = settings.Default()
		}
		owners, err := review.ReadOwners(tree, wanted)
		if err != nil {
			return finding.Approval{}, err
		}
		d.owners = &owners
	}
	return d.owners.DryRun(a), nil
}
