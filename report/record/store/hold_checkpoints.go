package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/log"
)

// checkpoints reports each checkpoint that the log does not extend.
func (w *verifier) checkpoints() {
	l, list := w.book.log, slices.Clone(w.Checkpoints)
	slices.SortStableFunc(list, func(a, b log.Found) int { return cmp.Compare(a.Size, b.Size) })
	whole := 0
	for whole < len(l.entries) && l.entries[whole].Position == whole {
		whole++
	}
	var tree log.Tree
	agreed, at := 0, 0
	for i := range list {
		for ; at < min(list[i].Size, whole); at++ {
			tree.Add(l.entries[at].Encode())
		}
		if w.checkpoint(&list[i], l.identity(), tree.Root(), whole, agreed) {
			agreed = list[i].Size
		}
	}
}

// checkpoint reports whether the log extends one checkpoint. root is the root hash of its entries as far as the checkpoint and the log go, whole the number of
// entries from the first one on without a gap, and agreed the size of an earlier checkpoint that the log does extend, or 0.
func (w *verifier) checkpoint(f *log.Found, identity string, root tlog.Hash, whole, agreed int) bool {
	about := func(t trouble, position int, format string, args ...any) bool {
		w.problem(problem{t, "", "", log.Refs + fmt.Sprint(position), fmt.Sprintf("the checkpoint %s (%s, %s) ", f.Where, counted(f.Size, "entry", "entries"), signedWords(f)) + fmt.Sprintf(format, args...)})
		return false
	}
	entries := w.book.log.entries
	switch last := f.Size - 1; {
	case f.Signed == record.Forged:
		return about(unproven, last, "has another signature than that of the key of %s, as it says", f.By)
	case len(entries) == 0:
		return about(missing, last, "is of a log, and there is none here")
	case identity != "" && identity != f.Identity:
		return about(misplaced, 0, "is of another log, %s, and this one is %s", short(f.Identity), short(identity))
	case whole < f.Size:
		return about(missing, last, "has %s of the log, of which not all are here", positions(whole, last))
	case root != f.Root:
		return about(replaced, last, "has other entries than the log here: %s", between(agreed, last))
	}
	w.notice("The log extends the checkpoint %s (%s, %s).", f.Where, counted(f.Size, "entry", "entries"), signedWords(f))
	return true
}

// between says where a log differs from a checkpoint, as far as an earlier checkpoint that it extends tells.
func between(agreed, last int) string {
	where := positions(agreed, last)
	if agreed < last {
		where = "one of " + where
	}
	if agreed > 0 {
		return "it extends an earlier checkpoint, so another one was there at " + where
	}
	return "another one was there at " + where
}

func signedWords(f *log.Found) string {
	if f.Signed == record.Accepted {
		return "signed by " + f.By
	}
	return f.Signed.String()
}

// vanished reports a file of keys that the branch had once and that the commit has not.
func (w *verifier) vanished(ctx context.Context, commit string) error {
	if len(w.Keys) > 0 {
		return nil
	}
	touching, err := w.Repo.touching(ctx, commit, record.KeysFile)
	if err != nil || len(touching) == 0 {
		return err
	}
	w.problem(problem{unproven, "", touching[0], "", fmt.Sprintf("commit %s took %s away, without which every record counts, signed or not; --keys names a file that lists the keys", short(touching[0]), record.KeysFile)})
	return nil
}

// gaps adds a notice for each contract that has drafts on the branch without a record, after one that has. A draft of the commit itself that
// has none is a problem, and not among them. Drafts that this clone lacks are left out.
func (w *verifier) gaps(ctx context.Context, commit string, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	recorded := map[string]bool{}
	for _, c := range w.book.cards {
		recorded[c.tree] = recorded[c.tree] || c.counts
	}
	tracks := make([]track, len(paths))
	var places []place
	err := inParts(w.Repo.touches(ctx, commit, paths), max(1, maxAsked/len(paths)), func(steps []Step) error {
		places = places[:0]
		for _, s := range steps {
			for _, p := range paths {
				places = append(places, place{s.Commit, p})
			}
		}
		texts, err := w.Repo.texts(ctx, places)
		if err != nil {
			return err
		}
		for i, t := range texts {
			tracks[i%len(paths)].take(places[i].commit, t.tree, recorded[t.tree])
		}
		return nil
	})
	for i, t := range tracks {
		if t.open { // the draft of the commit itself
			t.n, t.commits = t.n-1, t.commits[:min(len(t.commits), t.n-1)]
		}
		if n := t.n; n > 0 {
			w.notice("%s: %s on the branch, after its first record, %s no record: %s", paths[i], counted(n, "draft", "drafts"), map[bool]string{true: "has", false: "have"}[n == 1], t.named())
		}
	}
	return err
}

// A track follows the drafts of one contract on a branch, oldest first.
type track struct {
	tree    string // of the last draft
	begun   bool   // a draft had a record
	open    bool   // the last draft has none, after one that had
	n       int    // drafts without a record since
	commits []string
}

// mostNamed limits how many commits a notice names.
const mostNamed = 5

func (t *track) take(commit, tree string, recorded bool) {
	if tree == "" || tree == t.tree {
		return
	}
	t.tree, t.begun = tree, t.begun || recorded
	if t.open = t.begun && !recorded; t.open {
		if t.n++; t.n <= mostNamed {
			t.commits = append(t.commits, short(commit))
		}
	}
}

func (t *track) named() string {
	text := strings.Join(t.commits, ", ")
	if more := t.n - len(t.commits); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}
