package history

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/report/record/store"
)

// place says how a record belongs to a branch.
type place uint8

const (
	placeElsewhere place = iota // it belongs to another branch
	placeOn                     // its commit is on the branch
	byContent                   // the branch has its draft, at another commit: it was squashed or rebased
	placeBefore                 // a record of the branch follows it: it was squashed away
	placeAbsent                 // its commit is not in this clone, so this is unknown
)

func (p place) String() string {
	return [...]string{"elsewhere", "on the branch", "by content", "before", "not in this clone"}[p]
}

// A branch is the branch whose history is read.
type branch struct {
	repo   store.Repository
	commit string
}

// on marks the records whose commits are on the branch.
func (b *branch) on(ctx context.Context, s *shelf) error {
	s.found = s.found[:0]
	err := s.each(func(i int32, r row) error { s.found.add(r[commitAt+1:], i); return nil })
	if err != nil {
		return err
	}
	slices.Sort(s.found)
	r := make(row, rowSize)
	for commit, err := range b.repo.FirstParents(ctx, b.commit) {
		if err != nil {
			return err
		}
		id := idOf(commit)
		for i := range s.found.of(id[1:]) {
			if err := s.at(i, r); err != nil {
				return err
			}
			if r.same(commitAt, id) {
				s.states[i].place = placeOn
			}
		}
	}
	return nil
}

// settle sets the place of each record of one contract. It asks git for drafts only where commits don't decide.
func (b *branch) settle(ctx context.Context, s *shelf, group []int32, dirs []string) (notice string, err error) {
	off, trees, err := s.off(group)
	if err != nil || len(off) == 0 {
		return "", err
	}
	failed := b.repo.Trail(ctx, b.commit, dirs, func(t store.Step) error { return s.byContent(trees, t.Tree) })
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if failed != nil { // for example in a partial clone
		notice = "Records could not be found by content: " + failed.Error()
		for _, i := range off {
			s.states[i].place = placeElsewhere
		}
	}
	for _, i := range group {
		s.behind(i)
	}
	return notice, b.absent(ctx, s, off)
}

// off returns the records whose commits are not on the branch, and an index of their trees.
func (s *shelf) off(group []int32) (off []int32, trees index, err error) {
	r := make(row, rowSize)
	for _, i := range group {
		if s.states[i].place == placeOn {
			continue
		}
		if err := s.at(i, r); err != nil {
			return nil, nil, err
		}
		off = append(off, i)
		trees.add(r[treeAt+1:], i)
	}
	slices.Sort(trees)
	return off, trees, nil
}

// byContent marks the records with a tree that the branch has.
func (s *shelf) byContent(trees index, tree string) error {
	if tree == "" {
		return nil
	}
	id, r := idOf(tree), make(row, rowSize)
	for i := range trees.of(id[1:]) {
		if err := s.at(i, r); err != nil {
			return err
		}
		if !r.same(treeAt, id) {
			continue
		}
		if s.states[i].place == byContent { // seen before, and all others of this tree with it
			return nil
		}
		s.states[i].place = byContent
	}
	return nil
}

// behind marks the records that precede one of the branch.
func (s *shelf) behind(i int32) {
	if s.states[i].place == placeElsewhere {
		return
	}
	for i = s.states[i].prior; i != none && s.states[i].place == placeElsewhere; i = s.states[i].prior {
		s.states[i].place = placeBefore
	}
}

// mostAsked limits how many commits git is asked about at once.
const mostAsked = 4096

// absent marks the records whose commits are not in this clone.
func (b *branch) absent(ctx context.Context, s *shelf, off []int32) error {
	off = slices.DeleteFunc(off, func(i int32) bool { return s.states[i].place != placeElsewhere })
	for part := range slices.Chunk(off, mostAsked) {
		ids, r := make([]string, len(part)), make(row, rowSize)
		for n, i := range part {
			if err := s.at(i, r); err != nil {
				return err
			}
			ids[n] = r.id(commitAt)
		}
		here, err := b.repo.ExistingCommits(ctx, ids)
		if err != nil {
			return err
		}
		for n, i := range part {
			if !here[ids[n]] {
				s.states[i].place = placeAbsent
			}
		}
	}
	return nil
}

// later orders rows, latest first: by the commit's date, the number of records before, the directory, and the ref.
func (s *shelf) later(i, j int32) int {
	a, b := &s.states[i], &s.states[j]
	return cmp.Or(cmp.Compare(b.when, a.when), cmp.Compare(b.depth, a.depth), cmp.Compare(s.text[a.path], s.text[b.path]), cmp.Compare(i, j))
}

// contracts groups the records by contract. Two belong together if they share a directory, or if one follows the other.
func (s *shelf) contracts() (all [][]int32) {
	dirs := make(joined, len(s.text))
	for n := range dirs {
		dirs[n] = uint32(n)
	}
	for _, e := range s.states {
		if e.prior != none {
			dirs.join(e.path, s.states[e.prior].path)
		}
	}
	list, ranks, last := make([]int32, s.count()), make([]int32, len(s.text)), int32(0) // in order of their first refs
	for i, e := range s.states {
		list[i] = int32(i)
		if of := dirs.of(e.path); ranks[of] == 0 {
			last++
			ranks[of] = last
		}
	}
	class := func(i int32) int32 { return ranks[dirs.of(s.states[i].path)] }
	slices.SortFunc(list, func(i, j int32) int { return cmp.Or(cmp.Compare(class(i), class(j)), s.later(i, j)) })
	for begin, end := 0, 0; begin < len(list); begin = end {
		for end = begin; end < len(list) && class(list[end]) == class(list[begin]); end++ {
		}
		all = append(all, list[begin:end:end])
	}
	return all
}

// joined is a union-find structure on directories. Each names another of its class; the last one represents the class.
type joined []uint32

func (j joined) of(dir uint32) uint32 {
	for j[dir] != dir {
		j[dir] = j[j[dir]] // halves the path (van Leeuwen and van der Weide, 1977)
		dir = j[dir]
	}
	return dir
}

func (j joined) join(a, b uint32) { j[j.of(a)] = j.of(b) }

// dirsOf returns the directories that a contract has been in, latest first.
func (s *shelf) dirsOf(group []int32) (dirs []string) {
	seen := map[uint32]bool{}
	for _, i := range group {
		if path := s.states[i].path; !seen[path] {
			seen[path] = true
			dirs = append(dirs, s.text[path])
		}
	}
	return dirs
}
