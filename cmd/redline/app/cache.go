package app

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/cache"
	"github.com/redlinehq/redline/report/result"
)

// CheckDrafts checks drafts, with the cache in dir unless dir is empty. Trouble is an error of the cache; the results are valid without it.
func CheckDrafts(ctx context.Context, drafts []*compile.Draft, how ReadOptions, b finding.Budget, failOn, dir string) (f *result.File, trouble error) {
	f = &result.File{Format: result.Format, Tool: Version(), Terms: TermsOf(how, b, failOn), Shard: 1, Shards: 1}
	trouble = cached(dir, func(store *cache.Store) (kept error) {
		f.Results, kept = store.Check(ctx, drafts, f.Terms, b)
		return kept
	}, func() { f.Results = engine.CheckAll(ctx, drafts, b) })
	return f, trouble
}

// compare compares pairs, with the cache if there is one.
func (r *ReviewRequest) compare(ctx context.Context, pairs []engine.Pair) (reviews []finding.ContractReview, trouble error) {
	trouble = cached(r.Cache, func(store *cache.Store) (kept error) {
		reviews, kept = store.Compare(ctx, pairs, r.terms(), r.granted())
		return kept
	}, func() { reviews = engine.ComparePairs(ctx, pairs, r.granted()) })
	return reviews, trouble
}

// cached calls with for the cache in a directory, or without if none is named or it can't be opened. Verdicts do not depend on it: the error
// is about reading or writing the cache.
func cached(dir string, with func(*cache.Store) error, without func()) error {
	if dir == "" {
		without()
		return nil
	}
	store, err := openCache(dir)
	if err != nil {
		without()
		return err
	}
	return with(store)
}

// openCache opens the cache in a directory for the verdicts of this very binary.
func openCache(dir string) (*cache.Store, error) {
	digest, err := ownDigest()
	if err != nil {
		return nil, fmt.Errorf("reading this program, to know its verdicts from another's: %w", err)
	}
	return cache.Open(dir, digest)
}

// ownDigest returns the SHA-256 of the running binary.
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
