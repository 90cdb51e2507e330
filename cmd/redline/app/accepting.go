package app

import (
	"cmp"
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/review"
)

// AcceptancePolicy returns the policy of base's settings, or the default rule unset if they set none.
func AcceptancePolicy(ctx context.Context, revs Revisions, base *settings.Settings, unset finding.AcceptanceRule) (finding.AcceptancePolicy, error) {
	if base == nil {
		base = settings.Default()
	}
	head, err := revs.headSettings(ctx)
	if err != nil {
		return finding.AcceptancePolicy{}, err
	}
	loosened, err := revs.loosened(ctx, head)
	if err != nil {
		return finding.AcceptancePolicy{}, err
	}
	return finding.AcceptancePolicy{
		Rule: finding.AcceptanceRules[cmp.Or(base.Acceptance, unset.String())],
		Said: finding.AcceptanceRules[base.Acceptance],
		Read: true, Base: retirements(base), Head: retirements(head), Loosened: loosened,
	}, nil
}

// loosened returns the settings that the amendment makes less strict: looser than where it begins, and than base's now.
func (r Revisions) loosened(ctx context.Context, head *settings.Settings) ([]finding.Loosening, error) {
	start, err := r.BaseCommit(ctx)
	if err != nil {
		return nil, err
	}
	before, err := r.settings(ctx, start, "base, where the amendment begins,")
	if err != nil {
		return nil, err
	}
	now := before
	if start != r.Base {
		if now, err = r.settings(ctx, r.Base, "base"); err != nil {
			return nil, err
		}
	}
	var all []finding.Loosening
	still := settings.Loosened(now, head)
	for _, l := range settings.Loosened(before, head) {
		i := slices.IndexFunc(still, func(o settings.Loosening) bool { return o.Name == l.Name })
		if i < 0 {
			continue
		}
		at := hcl.Pos{Line: l.From.Line, Column: min(l.From.Line, 1)}
		all = append(all, finding.Loosening{Name: l.Name, Says: still[i].Says, Source: hcl.Range{Filename: settings.File, Start: at, End: at}})
	}
	return all, nil
}

func retirements(s *settings.Settings) []finding.Retirement {
	var all []finding.Retirement
	for _, r := range s.Retired {
		all = append(all, finding.Retirement{Contract: r.Contract, Name: r.Name, Digest: r.Digest, Reason: r.Reason, Source: r.Range})
	}
	return all
}

// settle marks the contracts that are moved out of the settings, and decides which acceptances count, as far as possible without a network: it
// names missing approvers, but does not know approvals.
func (r *ReviewRequest) settle(ctx context.Context, of *finding.Review, outside map[string]string) error {
	for i := range of.Contracts {
		c := &of.Contracts[i]
		c.Outside = outside[c.Path]
	}
	policy, err := AcceptancePolicy(ctx, r.Revs, r.How.Under, finding.AcceptBase)
	if err != nil {
		return err
	}
	of.On = Gates[r.FailOn]
	asked := &dryRun{ReviewRequest: r, explicit: r.How.Under != nil && r.How.Under.Acceptance == finding.AcceptBase.String()}
	return of.Settle(ctx, policy, asked.approve)
}

// A dryRun names the accounts that could approve, by base's settings or CODEOWNERS.
type dryRun struct {
	*ReviewRequest
	explicit bool // the settings allow no approval
	owners   *review.Owners
}

// MergedFirst answers where the settings let no approval count (acceptance = "base"): it says what does.
func MergedFirst(context.Context, finding.Acceptance) (finding.Approval, error) {
	return finding.Approval{Why: "By the settings it counts once base has it: merge it first, by itself (https://github.com/redlinehq/redline/blob/main/.github/docs/accepting.md#in-two-steps)."}, nil
}

func (d *dryRun) approve(ctx context.Context, a finding.Acceptance) (finding.Approval, error) {
	if d.explicit {
		return MergedFirst(ctx, a)
	}
	if d.owners == nil {
		base, err := d.Revs.BaseCommit(ctx)
		if err != nil {
			return finding.Approval{}, err
		}
		tree, err := gitfs.Open(ctx, d.Revs.Dir, base)
		if err != nil {
			return finding.Approval{}, err
		}
		defer func() { _ = tree.Close() }() // only read from
		wanted := d.How.Under
		if wanted == nil {
			wanted = settings.Default()
		}
		owners, err := review.ReadOwners(tree, wanted)
		if err != nil {
			return finding.Approval{}, err
		}
		d.owners = &owners
	}
	return d.owners.EligibleApprovers(a), nil
}
