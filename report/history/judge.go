package history

import (
	"cmp"
	"context"
	"slices"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
	"github.com/redlinehq/redline/report/record/store"
)

// A logged record is one that an entry of the log names, at a position. Its row is none if it is not here.
type logged struct {
	position, row int32
	before        bool // the entry says that it was made before there was a log
}

// judge decides which records count: signatures as 'redline verify' does, where the log has the records.
func (s *shelf) judge(ctx context.Context, repo store.Repository, keys record.Keys) error {
	entries, list := 0, []logged(nil)
	if len(keys) > 0 { // else no position decides anything
		var err error
		if entries, list, err = s.logged(ctx, repo); err != nil {
			return err
		}
	}
	by, seen, early, r := &store.Judge{Keys: keys}, make([]bool, s.count()), true, make(row, rowSize)
	for _, l := range list {
		if early = early && l.before; l.row == none || seen[l.row] {
			continue
		}
		seen[l.row] = true
		if err := s.at(l.row, r); err != nil {
			return err
		}
		s.states[l.row].signed = by.At(int(l.position), early, s.signature(r))
	}
	return s.each(func(i int32, r row) error {
		e := &s.states[i]
		if !seen[i] {
			e.signed = by.UnloggedStatus(entries, s.signature(r))
		}
		if keys.Accepts(e.signed) {
			e.flags |= isCounted
		}
		return nil
	})
}

func (s *shelf) signature(r row) *store.Signature {
	return &store.Signature{Signed: r.signed(), Key: s.text[r.word(keyWord)], Day: s.text[r.word(dayWord)]}
}

// logged returns what the log names, in its order, and the number of its entries.
func (s *shelf) logged(ctx context.Context, repo store.Repository) (entries int, list []logged, err error) {
	ref, r := make([]byte, refSize), make(row, rowSize)
	entries, err = repo.Entered(ctx, func(position int, records []log.Entered) error {
		for _, named := range records {
			l := logged{int32(position), none, named.Before}
			packRef(ref, named.Ref)
			for i := range s.found.of(ref[refSize/2:]) {
				if err := s.at(i, r); err != nil {
					return err
				}
				if r.same(refAt, ref) {
					l.row = i
					break
				}
			}
			list = append(list, l)
		}
		return nil
	})
	slices.SortStableFunc(list, func(a, b logged) int { return cmp.Compare(a.position, b.position) })
	return entries, list, err
}
