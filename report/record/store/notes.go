package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/report/record"
)

// notesRef is the ref of the git notes that list the records of a commit, one line each: the record's ref and the digest of its statement.
// They can be rewritten from the records at any time. Until then they are independent evidence of which records existed.
const notesRef = "refs/notes/redline"

// maxNote limits the size of a note, in bytes.
const maxNote = 1 << 20

// A noted is one line of a commit's note.
type noted struct{ commit, ref, digest string }

// IndexAll adds all records whose commits are in this clone to the notes, here and at a remote if one is given. Existing lines stay, so a note
// still names records that went missing. It returns how many records were noted, and how many have their commit elsewhere.
func (r Repository) IndexAll(ctx context.Context, remote string, now time.Time) (noted, elsewhere int, err error) {
	lines, err := r.noteLines(ctx)
	if err != nil {
		return 0, 0, err
	}
	ids := slices.Sorted(maps.Keys(lines))
	here, err := r.ExistingCommits(ctx, ids)
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

// ExistingCommits returns which of the ids are commits of this clone.
func (r Repository) ExistingCommits(ctx context.Context, ids []string) (map[string]bool, error) {
	here := map[string]bool{}
	return here, r.objects(ctx, ids, func(i int, o object) error {
		here[ids[i]] = !o.missing && o.kind == "commit"
		return nil
	})
}

// noteLines returns the lines that notes should have, by commit.
func (r Repository) noteLines(ctx context.Context) (map[string][]string, error) {
	lines := map[string][]string{}
	return lines, r.each(ctx, func(f ReadResult) error {
		if f.Record != nil {
			id := f.Record.Draft().Commit.ID
			lines[id] = append(lines[id], f.Ref+" "+f.Record.Digest())
		}
		return nil
	})
}

// index makes one try of IndexAll.
func (r Repository) index(ctx context.Context, lines map[string][]string, remote string, now time.Time) error {
	here, err := r.notesTip(ctx)
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
		if err := r.pushed(ctx, remote, []string{"--force-with-lease=" + notesRef + ":" + tip}, []string{next + ":" + notesRef}); err != nil {
			return fmt.Errorf("pushing notes to %s: %w", remote, err)
		}
	}
	if next == here {
		return nil
	}
	return r.move(ctx, notesRef, here, next)
}

// fetchNotes fetches the notes of a remote, without creating a ref, and returns their commit, or "" if it has none.
func (r Repository) fetchNotes(ctx context.Context, remote string) (string, error) {
	there, err := r.listed(ctx, remote, notesRef)
	if err != nil || there[notesRef] == "" {
		return "", err
	}
	_, err = run(ctx, r.away(ctx, "fetch", "--quiet", "--no-tags", "--no-prune", "--no-write-fetch-head", "--no-recurse-submodules",
		"--no-auto-maintenance", "--no-filter", remote, notesRef), nil)
	if err != nil {
		return "", fmt.Errorf("fetching notes from %s: %w", remote, err)
	}
	return there[notesRef], nil
}

// addNotes writes a notes commit with the given lines added to those of tip, and returns it. It returns tip if nothing is new.
func (r Repository) addNotes(ctx context.Context, tip string, lines map[string][]string, now time.Time) (string, error) {
	known, err := r.notesAt(ctx, tip)
	if err != nil {
		return "", err
	}
	var changes bytes.Buffer
	for _, commit := range slices.Sorted(maps.Keys(lines)) {
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

// changedTree writes the tree of a commit with changes applied, through an index file of its own.
func (r Repository) changedTree(ctx context.Context, commit string, changes []byte) (string, error) {
	dir, err := os.MkdirTemp("", "redline-index-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }() // a leftover directory is harmless
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

// A note is an entry in the tree of notes.
type note struct {
	path  string
	lines []string
}

// errNoNotes reports that notesRef does not hold notes, so nothing is read from it or added to it.
var errNoNotes = errors.New(notesRef + " holds no notes")

// notesAt reads the notes in a notes commit, by annotated commit. Lines that are not redline's are kept as they are. It returns errNoNotes for any
// other object, and for a commit whose tree has anything but notes: redline adds nothing to these.
func (r Repository) notesAt(ctx context.Context, tip string) (map[string]note, error) {
	known := map[string]note{}
	if tip == "" {
		return known, nil
	}
	kind, err := line(ctx, r.local(ctx, "cat-file", "-t", tip), nil)
	if err != nil {
		return nil, err
	}
	if kind != "commit" {
		return nil, fmt.Errorf("%w: it is a %s", errNoNotes, kind)
	}
	out, err := run(ctx, r.local(ctx, "ls-tree", "-r", "-z", "--full-tree", tip), nil)
	if err != nil {
		return nil, err
	}
	var blobs, paths []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		meta, path, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(meta)
		if len(fields) != 3 || fields[1] != "blob" || !record.IsCommit(strings.ReplaceAll(path, "/", "")) {
			return nil, fmt.Errorf("%w: it has an entry %q", errNoNotes, path)
		}
		blobs, paths = append(blobs, fields[2]), append(paths, path)
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

// notesTip returns the object at notesRef, or "" if there is none. It returns errNoNotes if there are refs below it.
func (r Repository) notesTip(ctx context.Context) (tip string, err error) {
	for n, err := range r.refsBelow(ctx, notesRef) {
		if err != nil {
			return "", err
		}
		if n.Ref != notesRef {
			return "", fmt.Errorf("%w: there is a ref %s", errNoNotes, n.Ref)
		}
		tip = n.Object
	}
	return tip, nil
}

// notes returns the lines of all notes, and in odd the commits whose notes also have other lines.
func (r Repository) notes(ctx context.Context) (list []noted, odd []string, err error) {
	tip, err := r.notesTip(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the notes: %w", err)
	}
	known, err := r.notesAt(ctx, tip)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the notes: %w", err)
	}
	lines := map[string][]string{}
	for commit, n := range known {
		lines[commit] = n.lines
	}
	for _, commit := range slices.Sorted(maps.Keys(lines)) {
		for _, one := range lines[commit] {
			if ref, digest, ok := strings.Cut(one, " "); ok && record.IsRef(ref) && record.IsDigest(digest) {
				list = append(list, noted{commit, ref, digest})
			} else if !slices.Contains(odd, commit) {
				odd = append(odd, commit)
			}
		}
	}
	return list, odd, nil
}
