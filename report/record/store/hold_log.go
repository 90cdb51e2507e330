package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/report/record/log"
)

// logs compares the log with the records, and the records with the log.
func (w *verifier) logs(ctx context.Context, commit string, line ancestry) error {
	l := w.book.log
	for _, d := range l.damaged {
		w.problem(problem{damaged, "", "", d.Ref, d.Wrong.Error()})
	}
	w.entries(l)
	w.entered(l)
	for _, c := range w.book.cards {
		w.madeUnder(c)
	}
	if n := w.pending(); n > 0 {
		w.notice("%s in no log yet: 'redline attest --push REMOTE', or 'redline attest' without any remote, enters what is pending.", counted(n, "record is", "records are"))
	}
	return w.anchored(ctx, l, commit, line)
}

// notice adds a remark that is no problem to the report.
func (w *verifier) notice(format string, args ...any) {
	w.report.Notices = append(w.report.Notices, fmt.Sprintf(format, args...))
}

// entries reports positions without an entry, and entries that do not follow the one before.
func (w *verifier) entries(l *records) {
	next := 0
	for i, e := range l.entries {
		if from, to := next, e.Position; from < to && !w.damagedBetween(l, from, to) {
			w.problem(problem{missing, "", "", log.Refs + fmt.Sprint(to-1), fmt.Sprintf("the log has %s, and not %s: the entry at position %d follows (its parent is git object %s)",
				counted(len(l.entries), "entry", "entries"), positions(from, to-1), to, short(e.before()))})
		} else if from == to && i > 0 && (e.Previous != l.entries[i-1].digest || e.before() != l.entries[i-1].Object) {
			w.problem(problem{replaced, "", "", l.entries[i-1].Name.Ref, fmt.Sprintf("%s follows another one (%s, git object %s)", e.Name.Ref, e.Previous, short(e.before()))})
		}
		next = e.Position + 1
	}
}

// damagedBetween reports whether all positions of a range have something that is no entry, which is reported already.
func (w *verifier) damagedBetween(l *records, from, to int) bool {
	for at := from; at < to; at++ {
		if !slices.ContainsFunc(l.damaged, func(d ReadResult) bool { return d.Ref == log.Refs+fmt.Sprint(at) }) {
			return false
		}
	}
	return true
}

func positions(from, to int) string {
	if from == to {
		return fmt.Sprintf("position %d", from)
	}
	return fmt.Sprintf("positions %d to %d", from, to)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// entered compares each entry with the records that it names.
func (w *verifier) entered(l *records) {
	seen := map[string]int{}
	early := true
	for _, e := range l.entries {
		for i, r := range e.Records {
			c := w.book.at(r.Ref)
			switch at, twice := seen[r.Ref]; {
			case twice:
				w.problem(problem{misplaced, "", "", e.Name.Ref, fmt.Sprintf("it names %s, which %s%d has already", r.Ref, log.Refs, at)})
			case c == nil && !w.damaged[r.Ref]:
				w.problem(problem{missing, "", "", r.Ref, fmt.Sprintf("%s names it, and it is not here; 'git update-ref %s %s' brings it back while git has the object", e.Name.Ref, r.Ref, e.objects()[i])})
			case c != nil && (c.digest != r.Digest || c.Object != e.objects()[i]):
				w.about(c, replaced, "%s names another one of this name (%s, git object %s)", e.Name.Ref, r.Digest, e.objects()[i])
			}
			seen[r.Ref] = e.Position
			if r.Before && !early {
				w.problem(problem{misplaced, "", "", e.Name.Ref, fmt.Sprintf("it says that %s was made before there was a log, after entries that say otherwise", r.Ref)})
			}
			early = early && r.Before
		}
	}
}

// madeUnder reports a record whose log, when it was made, was not the beginning of this one.
func (w *verifier) madeUnder(c *Card) {
	if c.log == nil {
		return
	}
	entries := w.book.log.entries
	i, here := slices.BinarySearchFunc(entries, c.log.Size-1, func(e *logged, at int) int { return e.Position - at })
	switch {
	case len(entries) == 0:
		w.about(c, missing, "it was made when the log had %s, and there is no log here", counted(c.log.Size, "entry", "entries"))
	case !here && c.log.Size-1 > entries[len(entries)-1].Position:
		w.about(c, missing, "it was made when the log had %s; the last one here is at position %d", counted(c.log.Size, "entry", "entries"), entries[len(entries)-1].Position)
	case here && entries[i].digest != c.log.Entry:
		w.about(c, misplaced, "it was made under another log, whose entry at position %d has the digest %s: it was made for another repository, or the log was written anew", c.log.Size-1, c.log.Entry)
	case c.position > 0 && c.position < c.log.Size:
		w.about(c, misplaced, "it is at position %d of the log, and was made when the log had %s", c.position, counted(c.log.Size, "entry", "entries"))
	}
}

func (w *verifier) pending() (n int) {
	for _, c := range w.book.cards {
		if c.position == 0 {
			n++
		}
	}
	return n
}

// anchored reports a log none of whose entries names the first commit of the branch. In a shallow clone that commit is not known, and where the
// first entry is missing, which is reported, it is not known what that named.
func (w *verifier) anchored(ctx context.Context, l *records, commit string, line ancestry) error {
	if len(l.entries) == 0 || l.entries[0].Position > 0 || l.begins(line.first) || w.Repo.Shallow(ctx) {
		return ctx.Err()
	}
	var first []string
	for _, e := range l.entries {
		if e.First != "" {
			first = append(first, short(e.First))
		}
	}
	w.problem(problem{misplaced, "", line.first, l.entries[0].Name.Ref, fmt.Sprintf("the log is of a branch that begins with commit %s, and that of %s begins with %s: it is the log of another repository, or commits were rewritten, which the next entry that 'redline attest' makes takes note of",
		strings.Join(first, " or "), short(commit), short(line.first))})
	return nil
}
