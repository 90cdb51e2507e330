package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// A shelf is all records of a repository, as entries.
type shelf struct {
	entries []*Entry // in order of their refs
	notices []string
}

// Lists of what is wrong are cut after a few: 'redline verify' names them all.
const mostNamed = 5

// gather reads every record once.
func gather(ctx context.Context, repo record.Repository, x *reader) (s *shelf, err error) {
	if x.names, err = repo.Names(ctx); err != nil {
		return nil, err
	}
	s = &shelf{entries: make([]*Entry, 0, len(x.names))}
	var damaged []string
	shared := words{}
	err = record.Gather(ctx, repo, x.names, x.read, func(e *Entry) error {
		if e.damaged {
			damaged = append(damaged, e.Ref)
			return nil
		}
		shared.share(&e.Path, &e.Contract, &e.Author, &e.Result, &e.Relation, &e.By, &e.asked)
		s.entries = append(s.entries, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(damaged) > 0 {
		s.notice("%s no records, or were changed, and are left out ('redline verify' says why): %s", counted(len(damaged), "ref is", "refs are"), listed(damaged))
	}
	s.link()
	return s, nil
}

func (s *shelf) notice(format string, args ...any) {
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// at is the entry of a ref; nil: there is none.
func (s *shelf) at(ref string) *Entry {
	if i, ok := slices.BinarySearchFunc(s.entries, ref, func(e *Entry, ref string) int { return cmp.Compare(e.Ref, ref) }); ok {
		return s.entries[i]
	}
	return nil
}

// link finds the record before each, and lets unsigned ones count that one follows that counts.
func (s *shelf) link() {
	var lost []string
	for _, e := range s.entries {
		if e.first {
			continue
		}
		p, tie := s.at(e.tie.before), e.tie
		switch {
		case p == nil:
			lost = append(lost, tie.before)
		case p.tie.digest == tie.named:
			e.prior = p
		default:
			lost = append(lost, tie.before+" (another one of this name is here)")
		}
	}
	for _, e := range s.entries {
		e.tie = nil
	}
	if len(lost) > 0 {
		s.notice("%s missing that others follow: %s", counted(len(lost), "record is", "records are"), listed(lost))
	}
	for _, e := range s.entries {
		for p := e.prior; e.Counts && p != nil && !p.Counts && p.Signed == record.Unsigned; e, p = p, p.prior {
			p.Counts, p.vouched = true, true
		}
	}
	for _, e := range s.entries {
		e.depth = depth(e)
	}
}

// depth counts the records before. A digest is of what names the one before, so there are no circles.
func depth(e *Entry) int {
	var path []*Entry
	for ; e != nil && e.depth == 0; e = e.prior {
		path = append(path, e)
	}
	n := 0
	if e != nil {
		n = e.depth
	}
	for i := len(path) - 1; i >= 0; i-- {
		n++
		path[i].depth = n
	}
	return n
}

func listed(all []string) string {
	if len(all) > mostNamed {
		return strings.Join(all[:mostNamed], ", ") + fmt.Sprintf(" and %d more", len(all)-mostNamed)
	}
	return strings.Join(all, ", ")
}
