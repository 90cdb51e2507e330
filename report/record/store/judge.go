package store

import (
	"context"
	"crypto/ed25519"
	"strings"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// A Signature is what a record's signature says, wherever the log has the record.
type Signature struct {
	Signed record.Signed
	Key    string // the id of the key that it names; empty: it is unsigned
	By     string // the name of that key, if it is listed
	Day    string // on which the record says that it was made, in UTC
}

// SignatureOf checks the signature of a record against the listed keys.
func SignatureOf(k record.Keys, r *Record) Signature {
	day, _, _ := strings.Cut(r.Draft().When.Attested, "T")
	s := Signature{Key: r.keyID, Day: day}
	if r.keyID == "" {
		return s
	}
	v, listed := k[r.keyID]
	s.By = v.Name
	switch {
	case !listed:
		s.Signed = record.Unlisted
	case !signed(&v, r):
		s.Signed = record.Forged
	case v.Until != "" && s.Day > v.Until: // both are in UTC, so texts compare as days
		s.Signed = record.OutOfTime
	default:
		s.Signed = record.Accepted
	}
	return s
}

// signed reports whether that key has signed the record.
func signed(v *record.Verifier, r *Record) bool {
	text := record.Texts.Get().(*[]byte)
	defer record.Texts.Put(text)
	*text = record.AppendPAE((*text)[:0], r.written())
	return ed25519.Verify(v.Key, *text, r.signature)
}

// A Judge decides which signatures count where the log has their records.
type Judge struct {
	Keys   record.Keys
	latest string // the last day on which a record says it was made whose signature counts
}

// At returns the state of the signature of the next record of the log, at its position. What was made before there was a log is early: of it the position
// decides nothing.
func (j *Judge) At(position int, early bool, s *Signature) record.Signed {
	is := s.Signed
	if !early {
		is = j.UnloggedStatus(position, s)
	}
	if is == record.Accepted && s.Day > j.latest {
		j.latest = strings.Clone(s.Day)
	}
	return is
}

// UnloggedStatus returns the state of the signature of a record that is in no entry, as if it came next, at a position after all that At was asked about. The
// position is 0 where there is no log.
//
// Where a key has a last position, that decides, and no day. Otherwise a key with a last day is over once the log has a record that was made after
// that day.
func (j *Judge) UnloggedStatus(position int, s *Signature) record.Signed {
	v, listed := j.Keys[s.Key]
	switch {
	case !listed || position == 0 || s.Signed != record.Accepted && s.Signed != record.OutOfTime:
		return s.Signed
	case !v.Within(position):
		return record.OutOfPlace
	case v.To != 0:
		return record.Accepted
	case s.Signed == record.Accepted && v.Until != "" && j.latest > v.Until:
		return record.OutOfPlace
	}
	return s.Signed
}

// Entered calls each with what each entry of the log names, in order of the entries' refs and not of their positions. It returns the number of entries,
// and stops at the first error of each.
func (r Repository) Entered(ctx context.Context, each func(position int, records []log.Entered) error) (n int, err error) {
	err = r.entries(ctx, func(e *logged, _ ReadResult) error {
		if e == nil {
			return nil
		}
		n++
		return each(e.Position, e.Records)
	})
	return n, err
}
