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
func (s *shelf) contracts() (all [][]*Entry) {
	dirs := joined{}
	for _, e := range s.entries {
		if dirs.join(e.Path, e.Path); e.prior != nil {
			dirs.join(e.Path, e.prior.Path)
		}
	}
	at := map[string]int{}
	for _, e := range s.entries {
		of := dirs.of(e.Path)
		i, known := at[of]
		if !known {
			i = len(all)
			at[of], all = i, append(all, nil)
		}
		all[i] = append(all[i], e)
	}
	for _, group := range all {
		slices.SortFunc(group, later)
	}
	return all
}

// joined are directories in classes, each by the one it was joined to; the last of these stands for the class.
type joined map[string]string

func (j joined) of(dir string) string {
	for j[dir] != dir {
		j[dir] = j[j[dir]] // the next one has a shorter way (van Leeuwen and van der Weide, 1977: halving)
		dir = j[dir]
	}
	return dir
}

func (j joined) join(a, b string) {
	for _, dir := range []string{a, b} {
		if _, known := j[dir]; !known {
			j[dir] = dir
		}
	}
	j[j.of(a)] = j.of(b)
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
