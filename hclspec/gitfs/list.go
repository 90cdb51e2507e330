package gitfs

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	maxEntries = 1_000_000 // of one tree: some sixty bytes of objects can name 10^10 files
	maxDepth   = 256       // of directories
	maxPath    = 64 << 10  // of one path, in bytes
)

// list reads the tree of a commit, names and sizes but no content: all of it, or only the entries at some names.
func list(ctx context.Context, dir, commit string, only ...string) (*node, error) {
	root := &node{name: ".", mode: fs.ModeDir | 0o755}
	if err := records(git(ctx, dir, append([]string{"ls-tree", "-rzt", "--full-tree", commit, "--"}, only...)...), grow(root)); err != nil {
		return nil, err
	}
	if err := root.tidy(); err != nil {
		return nil, err
	}
	if err := wholeNames(ctx, dir, append(root.trees(nil), commit+"^{tree}")); err != nil {
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
	return sizes, scan(check, bufio.ScanLines, func(line string) error {
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
	return here, scan(objects, bufio.ScanLines, func(id string) error {
		if ids[id] { // a missing one is printed with a question mark before it
			here[id] = true
		}
		return nil
	})
}

// records runs git and calls each for every NUL-terminated record of its output.
func records(c *command, each func(string) error) error {
	return scan(c, func(data []byte, end bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, 0); i >= 0 {
			return i + 1, data[:i], nil
		}
		if end && len(data) > 0 {
			return 0, nil, io.ErrUnexpectedEOF
		}
		return 0, nil, nil
	}, each)
}

// scan runs git and calls each for every part of its output. It kills git at the first error.
func scan(c *command, split bufio.SplitFunc, each func(string) error) error {
	out, err := c.StdoutPipe()
	if err != nil {
		return c.explain(err)
	}
	if err := c.Start(); err != nil {
		return c.explain(err)
	}
	s := bufio.NewScanner(out)
	s.Buffer(nil, maxPath)
	s.Split(split)
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
	case errors.Is(s.Err(), bufio.ErrTooLong):
		return &Error{errTooLarge, fmt.Sprintf("a path of the tree is longer than %d bytes", maxPath), "shorten it"}
	case s.Err() != nil:
		return fmt.Errorf("git in %s: %w", place(c.dir), s.Err())
	}
	return nil
}

// grow returns a function that adds records of ls-tree -t to the tree under root. Git prints a directory before its entries.
func grow(root *node) func(string) error {
	dirs, count := map[string]*node{".": root}, 0
	return func(record string) error {
		if count++; count > maxEntries {
			return &Error{errTooLarge, fmt.Sprintf("the tree has more than %d files and directories", maxEntries),
				"keep the contracts in a repository of their own"}
		}
		full, n, err := parseRecord(record)
		if err != nil {
			return err
		}
		parent, ok := dirs[path.Dir(full)]
		if !ok || n.name == "" || n.name == "." || n.name == ".." || path.Clean(full) != full {
			return &Error{errMalformed, fmt.Sprintf("the tree holds the impossible name %q", full), "look at it with `git fsck`"}
		}
		if strings.Count(full, "/") > maxDepth {
			return &Error{errTooLarge, fmt.Sprintf("%q lies deeper than %d directories", full, maxDepth), "move it up"}
		}
		parent.children = append(parent.children, n)
		if n.mode.IsDir() {
			dirs[full] = n
		}
		return nil
	}
}

// parseRecord reads "MODE TYPE ID\tPATH".
func parseRecord(record string) (string, *node, error) {
	meta, full, ok := strings.Cut(record, "\t")
	field := strings.Fields(meta)
	if !ok || len(field) != 3 {
		return "", nil, fmt.Errorf("git ls-tree printed %q", record)
	}
	bits, err := strconv.ParseUint(field[0], 8, 32)
	if err != nil {
		return "", nil, fmt.Errorf("git ls-tree printed %q: %w", record, err)
	}
	return full, &node{name: full[strings.LastIndexByte(full, '/')+1:], mode: mode(bits), id: field[2]}, nil
}

// mode translates a tree entry's mode (git-fast-import, "filemodify").
func mode(bits uint64) fs.FileMode {
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

// tidy sorts every directory by name, as fs.ReadDir requires, and refuses a name that occurs twice: one of the two would be read and the other
// shown.
func (n *node) tidy() error {
	slices.SortFunc(n.children, func(a, b *node) int { return strings.Compare(a.name, b.name) })
	for i, c := range n.children {
		if i > 0 && c.name == n.children[i-1].name {
			return &Error{errMalformed, fmt.Sprintf("the tree holds the name %q twice in one directory", c.name), "look at it with `git fsck`"}
		}
		if err := c.tidy(); err != nil {
			return err
		}
	}
	return nil
}

// isBlob reports whether git stores the entry's content: that of a link is its target.
func (n *node) isBlob() bool { return n.mode.IsRegular() || n.mode.Type() == fs.ModeSymlink }

// trees appends the ids of all directories below.
func (n *node) trees(to []string) []string {
	for _, c := range n.children {
		if c.mode.IsDir() {
			to = c.trees(append(to, c.id))
		}
	}
	return to
}

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
