package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/result"
)

// ReviewRequest is a request to review two revisions.
type ReviewRequest struct {
	Revs   Revisions
	How    ReadOptions
	Budget finding.Budget
	FailOn string // new, any, never
	Event  string // that started the run; empty: none
	Part   part
	Cache  string // directory of earlier verdicts; empty: none

	Pairs []engine.Pair // set by Run: what each contract of the review was compared of
}

// Run reviews the revisions, or its part of them. Trouble is an error of the cache, in reading or writing; the review is valid without it.
func (r *ReviewRequest) Run(ctx context.Context) (f *result.File, trouble, err error) {
	if r.Revs.Memo == nil {
		r.Revs.Memo = new(Memo)
	}
	a, err := amended(ctx, r.Revs, r.How, r.Budget.Observe)
	if err != nil {
		return nil, nil, err
	}
	f = &result.File{Format: result.Format, Tool: Version(), Event: r.Event, Terms: r.terms(), Shard: 1, Shards: 1, Notices: a.notices}
	if f.Base, f.Head, err = r.Revs.commits(ctx); err != nil {
		return nil, nil, err
	}
	if r.Part.Of > 0 {
		f.Shard, f.Shards = r.Part.shard, r.Part.Of
	}
	a.pairs = planned(f, a.pairs)
	r.Pairs = a.pairs
	f.Review, trouble, err = r.review(ctx, a)
	return f, trouble, err
}

// review compares the pairs of an amendment and settles which acceptances count, also of what was decided before ctx was cancelled.
func (r *ReviewRequest) review(ctx context.Context, a *amendment) (of *finding.Review, trouble, err error) {
	of = &finding.Review{Base: r.Revs.Base, Head: r.Revs.Head, Unchanged: len(a.unchanged)}
	if of.Head == "" {
		of.Head = "the work tree"
	}
	of.Contracts, trouble = r.compare(ctx, a.pairs)
	return of, trouble, r.settle(context.WithoutCancel(ctx), of, a.outside)
}

// terms returns the terms of the verdicts.
func (r *ReviewRequest) terms() result.Terms {
	return TermsOf(r.How, r.granted(), r.FailOn)
}

// TermsOf returns the terms under which verdicts hold: limits, rules, values and settings.
func TermsOf(how ReadOptions, b finding.Budget, failOn string) result.Terms {
	t := result.TermsOf(b)
	if how.Rule != nil {
		t.Firing = how.Rule.String()
	}
	t.Values, t.FailOn, t.Settings = how.Values.Digest(), failOn, settingsDigest(how.Under)
	return t
}

// settingsDigest returns the SHA-256 of settings, except for the number of jobs; empty if there are no settings.
func settingsDigest(s *settings.Settings) string {
	if s == nil {
		return ""
	}
	var all []any
	for _, one := range s.List() {
		if one.Name != "limits.jobs" {
			all = append(all, one.Name, one.Value)
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		panic(err) // texts, numbers, lists of texts
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256(raw))
}

// Gates maps the words of --fail-on to what a review fails for.
var Gates = map[string]finding.FailOn{"new": finding.FailNew, "any": finding.FailAny, "never": finding.FailNever}

// ReviewRevisions reads both versions and compares every contract of either. It uses no cache.
func ReviewRevisions(ctx context.Context, revs Revisions, how ReadOptions, b finding.Budget) (r *finding.Review, notices []string, err error) {
	whole := &ReviewRequest{Revs: revs, How: how, Budget: b}
	f, _, err := whole.Run(ctx) // without a cache
	if err != nil {
		return nil, nil, err
	}
	return f.Review, f.Notices, nil
}
