package history

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/report/record"
)

// Place says how a record belongs to a branch.
type Place uint8

const (
	Elsewhere Place = iota // it is of another branch
	On                     // its commit is on the branch
	ByContent              // the branch has its draft, at another commit: it was squashed or rebased
	Before                 // a record of the branch follows it: it was squashed away
	Absent                 // its commit is not in this clone, so nobody can tell
)

func (p Place) String() string {
	return [...]string{"elsewhere", "on the branch", "by content", "before", "not in this clone"}[p]
}

// A branch is what is known of the one that is told.
type branch struct {
	repo   record.Repository
	commit string
	line   record.Line
}

// settle says of each entry of one contract how it belongs to the branch, and asks git for its drafts only where commits don't tell.
func (b *branch) settle(ctx context.Context, entries []*Entry, dirs []string) (notice string, err error) {
	var off []*Entry
	for _, e := range entries {
		if b.line.Has(e.Commit) {
			e.Place = On
		} else {
			off = append(off, e)
		}
	}
	if len(off) == 0 {
		return "", nil
	}
	steps, failed := b.repo.Trail(ctx, b.commit, dirs)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if failed != nil { // a partial clone
		notice = "Records could not be found by content: " + failed.Error()
	}
	trees := map[string]bool{}
	for _, s := range steps {
		if s.Tree != "" {
			trees[s.Tree] = true
		}
	}
	for _, e := range off {
		if trees[e.tree] {
			e.Place = ByContent
		}
	}
	for _, e := range entries {
		for p := e.prior; e.Place != Elsewhere && p != nil && p.Place == Elsewhere; p = p.prior {
			p.Place = Before
		}
	}
	return notice, b.absent(ctx, off)
}

// absent finds those whose commits are not in this clone.
func (b *branch) absent(ctx context.Context, off []*Entry) error {
	var ids []string
	for _, e := range off {
		if e.Place == Elsewhere {
			ids = append(ids, e.Commit)
		}
	}
	slices.Sort(ids)
	here, err := b.repo.Here(ctx, slices.Compact(ids))
	for _, e := range off {
		if e.Place == Elsewhere && !here[e.Commit] {
			e.Place = Absent
		}
	}
	return err
}

// later puts what is later first: by the commit's date, then by what follows what.
func later(a, b *Entry) int {
	return cmp.Or(b.When.Compare(a.When), cmp.Compare(b.depth, a.depth), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Ref, b.Ref))
}

// contracts are the entries that are of one contract each: they have a directory in common, or one follows the other.
func (s *shelf) contracts() [][]*Entry {
	byPath := map[string][]*Entry{}
	for _, e := range s.entries {
		byPath[e.Path] = append(byPath[e.Path], e)
	}
	seen := map[*Entry]bool{}
	var all [][]*Entry
	for _, e := range s.entries {
		if seen[e] {
			continue
		}
		seen[e] = true
		group := []*Entry{e}
		for i := 0; i < len(group); i++ {
			at := group[i]
			near := append(byPath[at.Path], at.next...)
			delete(byPath, at.Path)
			if at.prior != nil {
				near = append(near, at.prior)
			}
			for _, n := range near {
				if !seen[n] {
					seen[n] = true
					group = append(group, n)
				}
			}
		}
		slices.SortFunc(group, later)
		all = append(all, group)
	}
	return all
}

// dirsOf are where a contract has been, where it was last first.
func dirsOf(entries []*Entry) (dirs []string) {
	seen := map[string]bool{}
	for _, e := range entries {
		if !seen[e.Path] {
			seen[e.Path] = true
			dirs = append(dirs, e.Path)
		}
	}
	return dirs
}
