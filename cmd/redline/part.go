package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/cache"
	"github.com/redlinehq/redline/report/result"
)

// A part says which shard of a review this run does, of how many. It is the value of --shard; the zero part is the whole.
type part struct{ shard, of int }

var partForm = regexp.MustCompile(`^([1-9][0-9]{0,2})/([1-9][0-9]{0,2})$`)

func (p *part) Set(text string) error {
	found := partForm.FindStringSubmatch(text)
	if found == nil {
		return fmt.Errorf("%q is no shard: write 3/8 for the third of eight", text)
	}
	shard, _ := strconv.Atoi(found[1]) // digits
	of, _ := strconv.Atoi(found[2])
	if shard > of || of > result.MostShards {
		return fmt.Errorf("there is no shard %s: there are at most %d, and this is one of them", text, result.MostShards)
	}
	*p = part{shard, of}
	return nil
}

func (p *part) String() string {
	if p.of == 0 {
		return ""
	}
	return fmt.Sprintf("%d/%d", p.shard, p.of)
}

// Type names the value in a command's help.
func (p *part) Type() string { return "I/N" }

// A reviewing is what a review is made of, or a part of one.
type reviewing struct {
	revs   revisions
	how    reading
	budget finding.Budget
	failOn string // new, any, never
	event  string // that started the run; empty: none
	part   part
	cache  string                 // directory of earlier verdicts; empty: none
	accept finding.AcceptanceRule // which acceptances count where base's settings do not say
}

// file makes the review. Trouble is what the cache could not keep: the review stands.
func (r *reviewing) file(ctx context.Context) (f *result.File, trouble, err error) {
	pairs, outside, notices, err := bothPairs(ctx, r.revs, r.how, r.budget.Observe)
	if err != nil {
		return nil, nil, err
	}
	f = &result.File{Format: result.Format, Tool: version(), Event: r.event, Terms: r.terms(), Shard: 1, Shards: 1, Notices: notices,
		Review: &finding.Review{Base: r.revs.base, Head: r.revs.head}}
	if f.Base, f.Head, err = r.revs.commits(ctx); err != nil {
		return nil, nil, err
	}
	if r.revs.head == "" {
		f.Review.Head = "the work tree"
	}
	if r.part.of > 0 {
		f.Shard, f.Shards = r.part.shard, r.part.of
	}
	own := planned(f, pairs)
	if f.Review.Contracts, trouble, err = r.compare(ctx, own, f.Terms); err != nil {
		return nil, nil, err
	}
	return f, trouble, r.settle(ctx, f.Review, outside)
}

// planned notes in a file which shard each contract is reviewed in, and returns those that are in its own.
func planned(f *result.File, pairs []engine.Pair) (own []engine.Pair) {
	shards, _ := engine.Shards(pairs, f.Shards)
	for i, p := range pairs {
		f.Plan = append(f.Plan, result.Planned{Path: p.Path(), Shard: shards[i]})
		if shards[i] == f.Shard {
			own = append(own, p)
		}
	}
	return own
}

func (r *reviewing) compare(ctx context.Context, pairs []engine.Pair, terms result.Terms) (reviews []finding.ContractReview, trouble, err error) {
	if r.cache == "" {
		return engine.ComparePairs(ctx, pairs, r.granted()), nil, nil
	}
	store, err := openCache(r.cache)
	if err != nil { // verdicts do not depend on it
		return engine.ComparePairs(ctx, pairs, r.budget), err, nil
	}
	reviews, trouble = store.Compare(ctx, pairs, terms, r.granted())
	return reviews, trouble, nil
}

// terms are what the verdicts are meant under.
func (r *reviewing) terms() result.Terms {
	return termsOf(r.how, r.granted(), r.failOn)
}

// granted is the budget, with what only settings say: whether what is owed counts.
func (r *reviewing) granted() finding.Budget { return r.how.granted(r.budget) }

func (r reading) granted(b finding.Budget) finding.Budget {
	b.Owed = r.under != nil && r.under.Owed == "fail"
	return b
}

func termsOf(how reading, b finding.Budget, failOn string) result.Terms {
	t := result.TermsOf(b)
	if how.rule != nil {
		t.Firing = how.rule.String()
	}
	t.Values, t.FailOn, t.Settings = how.values.Digest(), failOn, settingsDigest(how.under)
	return t
}

// settingsDigest is the SHA-256 of settings, but for how much is done side by side; empty where nobody asked for any.
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

// commits are what the revisions are; head is empty where it is the work tree.
func (r revisions) commits(ctx context.Context) (base, head string, err error) {
	if base, err = r.baseCommit(ctx); err != nil || r.head == "" {
		return base, "", err
	}
	head, err = gitfs.Resolve(ctx, r.dir, r.head)
	return base, head, err
}

// openCache opens the cache in a directory for the verdicts of this very program.
func openCache(dir string) (*cache.Store, error) {
	digest, err := ownDigest()
	if err != nil {
		return nil, fmt.Errorf("reading this program, to know its verdicts from another's: %w", err)
	}
	return cache.Open(dir, digest)
}

// ownDigest is the SHA-256 of the running program.
func ownDigest() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	from, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer func() { _ = from.Close() }() // only read from
	h := sha256.New()
	if _, err := io.Copy(h, from); err != nil {
		return "", err
	}
	return fmt.Sprintf("sha256:%x", h.Sum(nil)), nil
}
