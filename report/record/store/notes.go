package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/report/record"
)

// NotesRef is where git's notes list the records of a commit, a line each: its ref and the digest of its statement. They can be written anew
// from the records at any time. Until then they are a second witness of them.
const NotesRef = "refs/notes/redline"

// maxNote is how many bytes a note may have.
const maxNote = 1 << 20

// A Noted is a line of a note.
type Noted struct{ Commit, Ref, Digest string }

// Index notes the records of commits here, and at a remote where one is named. What is noted already stays, so that a note still says
// what is missing.
func (r Repository) Index(ctx context.Context, commits []string, remote string, now time.Time) error {
	lines, err := r.noteLines(ctx, commits)
	if err != nil {
		return err
	}
	return retried(ctx, func() error { return r.index(ctx, lines, remote, now) })
}

// IndexAll is Index for all records whose commits are in this clone; it says how many are not.
func (r Repository) IndexAll(ctx context.Context, remote string, now time.Time) (noted, elsewhere int, err error) {
	lines, err := r.noteLines(ctx, nil)
	if err != nil {
		return 0, 0, err
	}
	var ids []string
	for id := range lines {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	here, err := r.present(ctx, ids)
	if err != nil {
		return 0, 0, err
	}
	for _, id := range ids {
		if here[id] {
			noted += len(lines[id])
		} else {
			elsewhere += len(lines[id])
			delete(lines, id)
		}
	}
	return noted, elsewhere, retried(ctx, func() error { return r.index(ctx, lines, remote, now) })
}

// present are those of the ids that are commits of this clone.
func (r Repository) present(ctx context.Context, ids []string) (map[string]bool, error) {
	here := map[string]bool{}
	return here, r.objects(ctx, ids, func(i int, o object) error {
		here[ids[i]] = !o.missing && o.kind == "commit"
		return nil
	})
}

// noteLines are what notes should say of some commits, or of all of them, by commit.
func (r Repository) noteLines(ctx context.Context, commits []string) (map[string][]string, error) {
	lines := map[string][]string{}
	return lines, r.Each(ctx, func(f Found) error {
		if f.Record == nil {
			return nil
		}
		if id := f.Record.Draft().Commit.ID; commits == nil || slices.Contains(commits, id) {
			lines[id] = append(lines[id], f.Ref+" "+f.Record.Digest())
		}
		return nil
	})
}

// index is one try of Index.
func (r Repository) index(ctx context.Context, lines map[string][]string, remote string, now time.Time) error {
	here, err := line(ctx, r.local(ctx, "for-each-ref", "--format=%(objectname)", NotesRef), nil)
	if err != nil {
		return err
	}
	tip := here
	if remote != "" {
		if tip, err = r.fetchNotes(ctx, remote); err != nil {
			return err
		}
	}
	next, err := r.addNotes(ctx, tip, lines, now)
	if err != nil {
		return fmt.Errorf("writing notes: %w", err)
	}
	if remote != "" && next != tip {
		if err := r.pushed(ctx, remote, []string{"--force-with-lease=" + NotesRef + ":" + tip}, []string{next + ":" + NotesRef}); err != nil {
			return fmt.Errorf("pushing notes to %s: %w", remote, err)
		}
	}
	if next == here {
		return nil
	}
	return r.move(ctx, NotesRef, here, next)
}

// fetchNotes brings the notes of a remote here, without a name, and returns what they are; empty: it has none.
func (r Repository) fetchNotes(ctx context.Context, remote string) (string, error) {
	there, err := r.listed(ctx, remote, NotesRef)
	if err != nil || there[NotesRef] == "" {
		return "", err
	}
	_, err = run(ctx, r.away(ctx, "fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--no-filter", remote, NotesRef), nil)
	if err != nil {
		return "", fmt.Errorf("fetching notes from %s: %w", remote, err)
	}
	return there[NotesRef], nil
}

// addNotes writes notes that have lines besides those of a tip, and returns the commit; it is the tip when that has them all.
func (r Repository) addNotes(ctx context.Context, tip string, lines map[string][]string, now time.Time) (string, error) {
	known, err := r.notesAt(ctx, tip)
	if err != nil {
		return "", err
	}
	var changes bytes.Buffer
	for _, commit := range sortedKeys(lines) {
		old := known[commit]
		all := slices.Compact(slices.Sorted(slices.Values(slices.Concat(old.lines, lines[commit]))))
		if slices.Equal(all, old.lines) {
			continue
		}
		blob, err := line(ctx, r.local(ctx, "hash-object", "-w", "--stdin"), []byte(strings.Join(all, "\n")+"\n"))
		if err != nil {
			return "", err
		}
		if old.path != "" {
			fmt.Fprintf(&changes, "0 %s\t%s\n", strings.Repeat("0", len(blob)), old.path)
		}
		fmt.Fprintf(&changes, "100644 %s\t%s/%s\n", blob, commit[:2], commit[2:])
	}
	if changes.Len() == 0 {
		return tip, nil
	}
	tree, err := r.changedTree(ctx, tip, changes.Bytes())
	if err != nil {
		return "", err
	}
	return r.notesCommit(ctx, tip, tree, now)
}

// changedTree writes the tree of a commit with changes, by an index of our own.
func (r Repository) changedTree(ctx context.Context, commit string, changes []byte) (string, error) {
	dir, err := os.MkdirTemp("", "redline-index-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }() // nobody needs it
	var tree string
	for _, step := range []struct {
		args []string
		in   []byte
	}{{[]string{"read-tree", commit}, nil}, {[]string{"update-index", "--index-info"}, changes}, {[]string{"write-tree", "--missing-ok"}, nil}} {
		if step.args[0] == "read-tree" && commit == "" {
			continue
		}
		cmd := r.local(ctx, step.args...)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+filepath.Join(dir, "index"))
		if tree, err = line(ctx, cmd, step.in); err != nil {
			return "", err
		}
	}
	return tree, nil
}

func (r Repository) notesCommit(ctx context.Context, parent, tree string, now time.Time) (string, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "tree %s\n", tree)
	if parent != "" {
		fmt.Fprintf(&b, "parent %s\n", parent)
	}
	for _, who := range []string{"author", "committer"} {
		fmt.Fprintf(&b, "%s %s %d +0000\n", who, ident, now.Unix())
	}
	b.WriteString("\nIndex of redline's records\n")
	return line(ctx, r.local(ctx, "hash-object", "-t", "commit", "-w", "--stdin"), b.Bytes())
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// A note as it is in the tree of notes.
type note struct {
	path  string
	lines []string
}

// errNoNotes is why nothing is read from the ref of notes, and nothing added to it.
var errNoNotes = errors.New(NotesRef + " holds no notes")

// areNotes returns an error unless an object is a commit and each entry of its tree a note, or what notes are sorted by: the commit is not redline's to add to.
func (r Repository) areNotes(ctx context.Context, tip string) error {
	kind, err := line(ctx, r.local(ctx, "cat-file", "-t", tip), nil)
	if err != nil {
		return err
	}
	if kind != "commit" {
		return fmt.Errorf("%w: it is a %s", errNoNotes, kind)
	}
	names, err := run(ctx, r.local(ctx, "ls-tree", "-z", "--full-tree", "--name-only", tip), nil)
	if err != nil {
		return err
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		if !record.Only(name, record.HexDigits) || len(name) != 2 && !record.IsCommit(name) {
			return fmt.Errorf("%w: it has an entry %q", errNoNotes, name)
		}
	}
	return nil
}

// notesAt reads the notes of a commit of notes, by the commits they are of. Lines that are not redline's are kept as they are.
func (r Repository) notesAt(ctx context.Context, tip string) (map[string]note, error) {
	known := map[string]note{}
	if tip == "" {
		return known, nil
	}
	if err := r.areNotes(ctx, tip); err != nil {
		return nil, err
	}
	out, err := run(ctx, r.local(ctx, "ls-tree", "-r", "-z", "--full-tree", tip), nil)
	if err != nil {
		return nil, err
	}
	var blobs, paths []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, path, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if len(fields) == 3 && fields[1] == "blob" && record.IsCommit(strings.ReplaceAll(path, "/", "")) {
			blobs, paths = append(blobs, fields[2]), append(paths, path)
		}
	}
	return known, r.objects(ctx, blobs, func(i int, o object) error {
		n := note{path: paths[i]}
		switch {
		case o.missing:
			return fmt.Errorf("the note at %s: %w", paths[i], errElsewhere)
		case o.size <= maxNote:
			raw, err := io.ReadAll(o.body)
			if err != nil {
				return err
			}
			n.lines = strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		}
		known[strings.ReplaceAll(paths[i], "/", "")] = n
		return nil
	})
}

// Notes reads what the notes say; odd are the commits whose notes have other lines, too.
func (r Repository) Notes(ctx context.Context) (list []Noted, odd []string, err error) {
	tip, err := line(ctx, r.local(ctx, "for-each-ref", "--format=%(objectname)", NotesRef), nil)
	if err != nil {
		return nil, nil, err
	}
	known, err := r.notesAt(ctx, tip)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the notes: %w", err)
	}
	lines := map[string][]string{}
	for commit, n := range known {
		lines[commit] = n.lines
	}
	for _, commit := range sortedKeys(lines) {
		for _, one := range lines[commit] {
			if ref, digest, ok := strings.Cut(one, " "); ok && record.IsRef(ref) && record.IsDigest(digest) {
				list = append(list, Noted{commit, ref, digest})
			} else if !slices.Contains(odd, commit) {
				odd = append(odd, commit)
			}
		}
	}
	return list, odd, nil
}
