package gitfs

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"
)

const (
	maxEntries = 1_000_000 // of one tree: some sixty bytes of objects can name 10^10 files
	maxDepth   = 256       // of directories
	maxPath    = 64 << 10  // of one path, in bytes
)

var (
	tooMany = &problem{errTooLarge, fmt.Sprintf("the tree has more than %d files and directories", maxEntries), "keep the contracts in a repository of their own"}
	tooLong = &problem{errTooLarge, fmt.Sprintf("a path of the tree is longer than %d bytes", maxPath), "shorten it"}
)

// list reads a commit's tree with the id top, names and sizes but no content: all of it, or only the entries at some names.
func list(ctx context.Context, from *objects, commit, top string, only []string) (*node, error) {
	root, dir := &node{name: ".", mode: fs.ModeDir | 0o755, id: top}, from.git.dir
	l := lister{from: from, only: only, trees: map[string][]node{}}
	if err := l.grow(root, "", 0); err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	root.blobs(ids)
	sizes, err := sizesOf(ctx, dir, ids)
	if errors.Is(err, errMissing) { // git before 2.45 gives up at the first one
		if ids, err = present(ctx, dir, commit, ids); err == nil {
			sizes, err = sizesOf(ctx, dir, ids)
		}
	}
	if err != nil {
		return nil, err
	}
	root.resize(sizes)
	return root, nil
}

// sizesOf returns the sizes in bytes of the objects that are in this clone. Each is looked up once, however many names it has.
func sizesOf(ctx context.Context, dir string, ids map[string]bool) (map[string]int64, error) {
	sizes := make(map[string]int64, len(ids))
	check := git(ctx, dir, "cat-file", "--buffer", "--batch-check=%(objectname) %(objectsize)")
	check.Stdin = strings.NewReader(strings.Join(slices.Sorted(maps.Keys(ids)), "\n") + "\n")
	if len(ids) == 0 {
		return sizes, nil
	}
	return sizes, scan(check, func(line string) error {
		id, size, _ := strings.Cut(line, " ")
		if size == "missing" {
			return nil
		}
		n, err := strconv.ParseInt(size, 10, 64)
		sizes[id] = n
		return err
	})
}

// present returns those of the ids of a commit's objects that are in this clone.
func present(ctx context.Context, dir, commit string, ids map[string]bool) (map[string]bool, error) {
	here := map[string]bool{}
	objects := git(ctx, dir, "rev-list", "--objects", "--no-object-names", "--missing=print", "--no-walk", commit)
	return here, scan(objects, func(id string) error {
		if ids[id] { // a missing one is printed with a question mark before it
			here[id] = true
		}
		return nil
	})
}

// scan runs git and calls each for every line of its output. It kills git at the first error.
func scan(c *command, each func(string) error) error {
	out, err := c.StdoutPipe()
	if err != nil {
		return c.explain(err)
	}
	if err := c.Start(); err != nil {
		return c.explain(err)
	}
	s := bufio.NewScanner(out)
	for err == nil && s.Scan() {
		err = each(s.Text())
	}
	if err != nil || s.Err() != nil {
		c.Cancel()
	}
	exit := c.Wait()
	switch {
	case err != nil:
		return err
	case exit != nil && (c.stderr.String() != "" || c.ctx.Err() != nil || s.Err() == nil):
		return c.explain(exit)
	case s.Err() != nil:
		return fmt.Errorf("git in %s: %w", place(c.dir), s.Err())
	}
	return nil
}

// A lister reads trees, each object once however many names it has: some sixty bytes of objects can name 10^10 files.
type lister struct {
	from  *objects
	only  []string
	trees map[string][]node
	count int
}

// grow adds to a directory all that is in it. Its path is empty or ends with a slash. Entries are sorted by name, as fs.ReadDir requires. A name
// that occurs twice is an error: one of the two would be read and the other shown.
func (l *lister) grow(dir *node, at string, depth int) error {
	all, ok := l.trees[dir.id]
	if !ok {
		var err error
		if all, err = l.from.tree(dir.id); err != nil {
			return err
		}
		slices.SortFunc(all, func(a, b node) int { return strings.Compare(a.name, b.name) })
		l.trees[dir.id] = all
	}
	for i, n := range all {
		full := at + n.name
		if !l.wanted(full) {
			continue
		}
		if i > 0 && n.name == all[i-1].name {
			return &problem{errMalformed, fmt.Sprintf("the tree holds the name %q twice in one directory", n.name), "look at it with `git fsck`"}
		}
		switch l.count++; {
		case l.count > maxEntries:
			return tooMany
		case len(full) > maxPath:
			return tooLong
		case depth > maxDepth:
			return &problem{errTooLarge, fmt.Sprintf("%q lies deeper than %d directories", full, maxDepth), "move it up"}
		}
		dir.children = append(dir.children, &n)
		if n.mode.IsDir() {
			if err := l.grow(&n, full+"/", depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// wanted reports whether a path is at, in or above one of the wanted names.
func (l *lister) wanted(full string) bool {
	return len(l.only) == 0 || slices.ContainsFunc(l.only, func(name string) bool {
		return full == name || strings.HasPrefix(full, name+"/") || strings.HasPrefix(name, full+"/")
	})
}

// fileMode translates a tree entry's mode (git-fast-import, "filemodify").
func fileMode(bits uint64) fs.FileMode {
	switch bits & 0o170000 {
	case 0o040000:
		return fs.ModeDir | 0o755
	case 0o100000:
		return 0o644 | fs.FileMode(bits&0o111)
	case 0o120000:
		return fs.ModeSymlink | 0o777
	}
	return fs.ModeIrregular // 160000 is a submodule
}

// isBlob reports whether git stores the entry's content: that of a link is its target.
func (n *node) isBlob() bool { return n.mode.IsRegular() || n.mode.Type() == fs.ModeSymlink }

// blobs collects the ids of all blobs.
func (n *node) blobs(into map[string]bool) {
	for _, c := range n.children {
		if c.isBlob() {
			into[c.id] = true
		}
		c.blobs(into)
	}
}

// resize sets the sizes of all blobs and marks those without one as missing.
func (n *node) resize(sizes map[string]int64) {
	for _, c := range n.children {
		if c.isBlob() {
			size, ok := sizes[c.id]
			c.size, c.missing = size, !ok
		}
		c.resize(sizes)
	}
}
