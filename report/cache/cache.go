// Package cache keeps verdicts for later runs in a directory.
//
// The key of an entry is the SHA-256 of everything it depends on: the program, the limits and the other terms of the verdict, and the names
// and bytes of both texts. So no entry is ever out of date. An entry contains its key and its own digest. An entry that is damaged,
// truncated or misplaced is ignored, and written anew. This does not stop an attacker: anyone who can write to the directory can forge
// verdicts, just as anyone who can write to the program can. Share a cache only with people you trust.
//
// A result that a limit of time or memory cut short is not kept, since another run may decide more. Ill-formed contracts are not kept
// either, since they are found to be so at once.
package cache

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/result"
)

// mostBytes is the maximum size of a cache. The entries that were not used for longest are removed first.
const mostBytes = 256 << 20

// A Store is a cache in a directory. Several processes may use one at the same time.
type Store struct {
	dir     string
	program string // digest of the program that the verdicts come from
	most    int64
}

// Open opens the cache in a directory, and creates the directory if there is none. Program is the digest of the running program's bytes,
// since two builds may have the same version.
func Open(dir, program string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	return &Store{dir, program, mostBytes}, nil
}

// Compare is engine.ComparePairs with a cache: it takes results from the cache and adds those that were missing. Terms are the conditions
// under which the drafts and b were made. An error says what could not be kept; the reviews are valid nevertheless.
func (s *Store) Compare(ctx context.Context, pairs []engine.Pair, terms result.Terms, b finding.Budget) ([]finding.ContractReview, error) {
	return through(s, pairs, b.Jobs, work[engine.Pair, finding.ContractReview]{
		key:  func(p engine.Pair) string { return s.pairKey(p, terms) },
		make: func(some []engine.Pair) []finding.ContractReview { return engine.ComparePairs(ctx, some, b) },
		file: func(r finding.ContractReview) *result.File {
			if r.Interrupted() {
				return nil
			}
			return &result.File{Terms: terms, Plan: []result.Planned{{Path: r.Path, Shard: 1}}, Review: &finding.Review{Contracts: []finding.ContractReview{r}}}
		},
		back: func(p engine.Pair, f *result.File) (r finding.ContractReview, ok bool) {
			if f.Review == nil || len(f.Review.Contracts) != 1 || f.Review.Contracts[0].Path != p.Path() {
				return r, false
			}
			r = f.Review.Contracts[0]
			r.Cached = true
			return r, true
		},
	})
}

// Check is engine.CheckAll with a cache, in the same way as Compare.
func (s *Store) Check(ctx context.Context, drafts []*compile.Draft, terms result.Terms, b finding.Budget) ([]*finding.Result, error) {
	return through(s, drafts, b.Jobs, work[*compile.Draft, *finding.Result]{
		key:  func(d *compile.Draft) string { return s.draftKey(d, terms) },
		make: func(some []*compile.Draft) []*finding.Result { return engine.CheckAll(ctx, some, b) },
		file: func(r *finding.Result) *result.File {
			if r.Interrupted() {
				return nil
			}
			return &result.File{Terms: terms, Results: []*finding.Result{r}}
		},
		back: func(d *compile.Draft, f *result.File) (*finding.Result, bool) {
			if len(f.Results) != 1 || f.Results[0].Path != d.Path {
				return nil, false
			}
			f.Results[0].Cached = true
			return f.Results[0], true
		},
	})
}

// work describes how to compute results and how to keep them.
type work[From, To any] struct {
	key  func(From) string                   // empty: the result is never kept
	make func([]From) []To                   // computes results
	file func(To) *result.File               // the file to keep; nil: none
	back func(From, *result.File) (To, bool) // the result that was kept; false: it does not fit
}

// through computes the results that are not in the cache, and keeps them.
func through[From, To any](s *Store, all []From, jobs int, w work[From, To]) ([]To, error) {
	done, keys := make([]To, len(all)), make([]string, len(all))
	found := s.each(len(all), jobs, func(i int) (ok bool) {
		keys[i] = w.key(all[i])
		if f := s.entry(keys[i]); f != nil {
			done[i], ok = w.back(all[i], f)
		}
		return ok
	})
	var missing []int
	var some []From
	for i := range all {
		if !found[i] {
			missing, some = append(missing, i), append(some, all[i])
		}
	}
	var errs []error
	for k, made := range w.make(some) {
		i := missing[k]
		done[i] = made
		if f := w.file(made); keys[i] != "" && f != nil {
			errs = append(errs, s.keep(keys[i], f))
		}
	}
	return done, errors.Join(append(errs, s.trim())...)
}

// each calls find n times, at most jobs at once, and returns what each call returned.
func (s *Store) each(n, jobs int, find func(i int) bool) []bool {
	found := make([]bool, n)
	var group errgroup.Group
	group.SetLimit(max(jobs, 1))
	for i := range n {
		group.Go(func() error {
			found[i] = find(i)
			return nil
		})
	}
	_ = group.Wait() // find returns no error: what is missing is computed
	return found
}

// name returns the file name of a key.
func (s *Store) name(key string) string { return filepath.Join(s.dir, key[:2], key[2:]) }

// header returns the first line of an entry.
func header(key string, body []byte) string {
	return fmt.Sprintf("redline cache %d %s %s\n", result.Format, key, sum(body))
}

// sum returns the SHA-256 of an entry's body.
func sum(body []byte) string {
	digest := sha256.Sum256(body)
	return hex.EncodeToString(digest[:])
}

// entry reads the result kept under a key. It returns nil if there is none or the entry is invalid.
func (s *Store) entry(key string) *result.File {
	if key == "" {
		return nil
	}
	if info, err := os.Lstat(s.name(key)); err != nil || !info.Mode().IsRegular() { // opening a pipe would block until another process writes to it
		return nil
	}
	from, err := os.Open(s.name(key))
	if err != nil {
		return nil
	}
	defer func() { _ = from.Close() }() // only read from
	raw, err := io.ReadAll(io.LimitReader(from, mostEntry+1))
	if err != nil || len(raw) > mostEntry {
		return nil
	}
	_, body, _ := bytes.Cut(raw, []byte("\n"))
	if !bytes.Equal(raw[:len(raw)-len(body)], []byte(header(key, body))) {
		return nil
	}
	f, err := result.Read(bytes.NewReader(body))
	if err != nil {
		return nil
	}
	now := time.Now() // trim removes entries by age of use
	_ = os.Chtimes(s.name(key), now, now)
	return f
}

// mostEntry is the maximum size of an entry: a few must not fill the cache.
const mostEntry = mostBytes / 8

// unsettled has texts by which a reason names a limit that another run may not reach.
var unsettled = [][]byte{[]byte("--timeout"), []byte("--max-memory"), []byte("the run was cancelled")}

// keep writes an entry, unless it is too large or names a limit that another run may not reach.
func (s *Store) keep(key string, f *result.File) error {
	f.Format, f.Shard, f.Shards = result.Format, 1, 1
	var body bytes.Buffer
	if err := result.Write(&body, f); err != nil {
		return fmt.Errorf("keeping a verdict: %w", err)
	}
	for _, words := range unsettled {
		if bytes.Contains(body.Bytes(), words) {
			return nil
		}
	}
	head := header(key, body.Bytes())
	if len(head)+body.Len() > mostEntry {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(s.name(key)), 0o777); err != nil {
		return fmt.Errorf("keeping a verdict: %w", err)
	}
	err := result.Replace(s.name(key), func(to *os.File) error {
		_, err := to.Write(append([]byte(head), body.Bytes()...))
		return err
	})
	if gone(err) != nil { // where another process made room meanwhile, the verdict is not kept
		return fmt.Errorf("keeping a verdict: %w", err)
	}
	return nil
}
