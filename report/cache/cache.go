// Package cache keeps verdicts for later runs, in a directory.
//
// An entry is kept under the SHA-256 of all that it depends on: the program, the limits and whatever else verdicts are
// meant under, and both texts, by name and byte by byte. So there is nothing to invalidate. An entry says under
// which digest it is kept and what its own is; one that is damaged, cut short or put there by mistake is as good as
// none, and is written anew. Whoever can write to the directory on purpose can forge verdicts, as whoever can
// write to the program can: a cache is for those who trust each other.
//
// What a limit of time or memory has ended is not kept, since another run may find out more; nor what is
// ill-formed, since that is found out at once.
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

// MostBytes is how large a cache may become. What has not been used for longest goes first.
const MostBytes = 256 << 20

// A Store is a cache in a directory. Several processes may use one at once.
type Store struct {
	dir     string
	program string // which program's verdicts these are: its digest
	most    int64
}

// Open opens the cache in a directory, which it makes if there is none. Program is the digest of the running program's
// own bytes: a version does not tell two builds apart.
func Open(dir, program string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("opening the cache: %w", err)
	}
	return &Store{dir, program, MostBytes}, nil
}

// Compare is engine.ComparePairs, but for what is in the cache; what is not is put there. Terms are what b and the drafts
// come from. The error says what could not be kept, and is no reason to mistrust a review.
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

// Check is engine.CheckAll, in the same way.
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

// work is what may be in the cache instead of being done.
type work[From, To any] struct {
	key  func(From) string                   // empty: it is never kept
	make func([]From) []To                   // does it
	file func(To) *result.File               // to be kept; nil: it is not
	back func(From, *result.File) (To, bool) // what was kept; false: it is not what it should be
}

// through does what is not in the cache, and keeps it.
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

// each looks for so many things, some side by side, and says which it found.
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
	_ = group.Wait() // what is not found is found out
	return found
}

// name is the file of a key.
func (s *Store) name(key string) string { return filepath.Join(s.dir, key[:2], key[2:]) }

// header begins an entry.
func header(key string, body []byte) string {
	return fmt.Sprintf("redline cache %d %s %s\n", result.Format, key, sum(body))
}

func sum(body []byte) string {
	digest := sha256.Sum256(body)
	return hex.EncodeToString(digest[:])
}

// entry reads what is kept under a key; nil: nothing that is as it should be.
func (s *Store) entry(key string) *result.File {
	if key == "" {
		return nil
	}
	if info, err := os.Lstat(s.name(key)); err != nil || !info.Mode().IsRegular() { // opening a pipe waits for whoever writes to it
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
	now := time.Now() // for trim alone
	_ = os.Chtimes(s.name(key), now, now)
	return f
}

// mostEntry is the size of the largest entry: a few of them must not take all there is.
const mostEntry = MostBytes / 8

// unsettled are the words by which a reason names a limit that another machine, or another day, need not reach.
var unsettled = [][]byte{[]byte("--timeout"), []byte("--max-memory"), []byte("the run was cancelled")}

// keep writes an entry, unless it is too large, or speaks of what another run may find out.
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
	if err != nil {
		return fmt.Errorf("keeping a verdict: %w", err)
	}
	return nil
}
