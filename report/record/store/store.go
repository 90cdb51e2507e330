package store

import (
	"context"
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
