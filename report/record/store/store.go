package store

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// verdictOf returns the requirement's verdict, or "waived".
func verdictOf(q *record.Requirement) string {
	if q.Waived() {
		return "waived"
	}
	return q.Verdict
}

// Check checks the signature of a record against the listed keys. by is the name of the key, if it is listed.
func Check(k record.Keys, r *Record) (s record.Signed, by string) {
	if r.keyID == "" {
		return record.Unsigned, ""
	}
	v, listed := k[r.keyID]
	switch {
	case !listed:
		return record.Unlisted, ""
	case !signed(&v, r):
		return record.Forged, v.Name
	case v.Until != "" && r.Draft().When.Attested[:len(v.Until)] > v.Until: // both are in UTC, so texts compare as times
		return record.OutOfTime, v.Name
	}
	return record.Accepted, v.Name
}

// signed reports whether that key has signed the record.
func signed(v *record.Verifier, r *Record) bool {
	text := record.Texts.Get().(*[]byte)
	defer record.Texts.Put(text)
	*text = record.AppendPAE((*text)[:0], r.written())
	return ed25519.Verify(v.Key, *text, r.signature)
}

// commits returns what a record says of each commit.
func (r Repository) commits(ctx context.Context, ids []string) (map[string]record.Commit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	const format = "--format=%H%x00%an%x00%aI%x00%cI%x00%s"
	out, err := run(ctx, r.local(ctx, "log", "--no-walk=unsorted", "--stdin", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-patch", format),
		[]byte(strings.Join(ids, "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	found := map[string]record.Commit{}
	for one := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(one, "\n"), "\x00", 5)
		if len(fields) != 5 {
			return nil, fmt.Errorf("git log printed %.80q", one)
		}
		subject := []rune(record.Clean(fields[4]))
		found[fields[0]] = record.Commit{ID: fields[0], Author: record.Clean(fields[1]), Authored: fields[2], Committed: fields[3], Subject: string(subject[:min(len(subject), record.MaxSubject)])}
	}
	return found, nil
}
