package history

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// A shelf has all records of a repository as rows in order of their refs, and the data needed to sort them.
type shelf struct {
	*rows
	states  []state
	found   index // looks up rows by their refs, later by their commits
	notices []string
}

// A state has what orders a row, and what is known only after all rows were read.
type state struct {
	when   int64 // in seconds
	prior  int32 // the row of the record before it; none: it is not there
	depth  int32 // the number of records before it
	path   uint32
	flags  flags
	place  place
	signed record.Signed
}

// Lists of problems are cut after a few; 'redline verify' lists them all.
const mostNamed = 5

// some has the first few of many, and their number.
type some struct {
	n     int
	named []string
}

func (s *some) add(one string) {
	if s.n++; s.n <= mostNamed {
		s.named = append(s.named, strings.Clone(one))
	}
}

func (s *some) String() string {
	if s.n > mostNamed {
		return strings.Join(s.named, ", ") + fmt.Sprintf(" and %d more", s.n-mostNamed)
	}
	return strings.Join(s.named, ", ")
}

// gather reads every record once, and writes a note of each that the filter wants.
func gather(ctx context.Context, repo store.Repository, x *reader, notes *spool) (s *shelf, err error) {
	s = &shelf{}
	if s.rows, err = newRows(&words{numbers: map[string]uint32{}}); err != nil {
		return nil, err
	}
	damaged, r := &some{}, make(row, rowSize)
	err = store.Gather(ctx, repo, x.read, func(e *entry) error {
		if e.damaged {
			damaged.add(e.Ref)
			return nil
		}
		e.noted, e.size = notes.size, len(e.note)
		s.pack(r, e)
		return cmp.Or(notes.write(e.note), s.write(r))
	})
	if err == nil {
		err = cmp.Or(notes.flush(), s.flush())
	}
	if damaged.n > 0 {
		s.notice("%s no records, or were changed, and are left out ('redline verify' says why): %s", counted(damaged.n, "ref is", "refs are"), damaged)
	}
	if err == nil {
		err = s.link(ctx, repo, x.keys)
	}
	if err != nil {
		_ = s.Close() // its contents are useless now
		return nil, err
	}
	return s, nil
}

func (s *shelf) notice(format string, args ...any) {
	s.notices = append(s.notices, fmt.Sprintf(format, args...))
}

// any reports whether one of some rows satisfies is.
func (s *shelf) any(group []int32, is func(row) bool) (bool, error) {
	r := make(row, rowSize)
	for _, i := range group {
		if err := s.at(i, r); err != nil {
			return false, err
		}
		if is(r) {
			return true, nil
		}
	}
	return false, nil
}

// link finds the previous record of each, decides which signatures count where the log has their records, and lets unsigned records count if one that
// counts follows.
func (s *shelf) link(ctx context.Context, repo store.Repository, keys record.Keys) error {
	s.states, s.found = make([]state, s.count()), make(index, 0, s.count())
	err := s.each(func(i int32, r row) error {
		s.states[i] = r.state()
		s.found.add(r[refAt+refSize/2:], i) // what is found of a draft; the draft may be that of many records
		return nil
	})
	if err != nil {
		return err
	}
	slices.Sort(s.found)
	if err := cmp.Or(s.tie(), s.judge(ctx, repo, keys)); err != nil {
		return err
	}
	for i := range s.states {
		s.vouch(int32(i))
	}
	for i := range s.states {
		s.deepen(int32(i))
	}
	return nil
}

func (r row) state() state {
	return state{when: r.when(), prior: r.prior(), path: r.word(pathWord), flags: r.flags(), place: place(r[placeAt]), signed: r.signed()}
}

// tie finds the previous record of each by its ref.
func (s *shelf) tie() error {
	lost, p := &some{}, make(row, rowSize)
	err := s.each(func(i int32, r row) error {
		at := &s.states[i]
		if !at.flags.has(isFirst) {
			var err error
			if at.prior, err = s.before(r, p, lost); err != nil {
				return err
			}
		}
		waivers := r[waiversAt:whenAt]
		if at.prior == none && !allZero(waivers) || at.prior != none && !p.same(waiversAt, waivers) {
			at.flags |= isNews
		}
		return nil
	})
	if lost.n > 0 {
		s.notice("%s missing that others follow: %s", counted(lost.n, "record is", "records are"), lost)
	}
	return err
}

// before finds the row of the previous record, and reads it into p.
func (s *shelf) before(r, p row, lost *some) (int32, error) {
	ref, other := r[beforeAt:namedAt], ""
	for i := range s.found.of(ref[refSize/2:]) {
		if err := s.at(i, p); err != nil {
			return none, err
		}
		if p.same(refAt, ref) {
			if p.same(digestAt, r[namedAt:digestAt]) {
				return i, nil
			}
			other = " (another one of this name is here)"
		}
	}
	lost.add(r.ref(beforeAt) + other)
	return none, nil
}

func allZero(b []byte) bool { return !slices.ContainsFunc(b, func(x byte) bool { return x != 0 }) }

// vouch lets unsigned records count that precede one that does.
func (s *shelf) vouch(i int32) {
	for e := &s.states[i]; e.flags.has(isCounted) && e.prior != none; {
		if e = &s.states[e.prior]; e.flags.has(isCounted) || e.signed != record.Unsigned {
			return
		}
		e.flags |= isCounted | isVouched
	}
}

// deepen counts the records before one. Each digest covers the name of the record before, so there are no cycles.
func (s *shelf) deepen(i int32) {
	n, at := int32(0), i
	for ; at != none && s.states[at].depth == 0; at = s.states[at].prior {
		n++
	}
	if at != none {
		n += s.states[at].depth
	}
	for ; i != at; i = s.states[i].prior {
		s.states[i].depth = n
		n--
	}
}
