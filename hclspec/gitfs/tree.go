package gitfs

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// maxBlob is the largest file that is read, in bytes.
const maxBlob = 64 << 20

// A tree is one commit's files as an fs.FS rooted at the repository's top. It is safe for concurrent use. A file name that is not UTF-8 is
// listed unchanged, but io/fs cannot open it.
type tree struct {
	commit  string
	root    *node
	objects *objects
}

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
} = (*tree)(nil)

// Open reads the names and sizes of all files of rev in the repository around dir. Contents are read on demand, until ctx ends or the tree is
// closed. The tree is the whole repository, whichever of its directories dir is, or holds only the entries at some names, as if there were nothing
// else. Cost: two runs of git, and a third for a rev that is not a full id; one pass
// over the tree, about a second for 100,000 files; with names proportional to these.
func Open(ctx context.Context, dir, rev string, only ...string) (*tree, error) {
	commit := rev
	if !fullID.MatchString(rev) {
		var err error
		if commit, err = Resolve(ctx, dir, rev); err != nil {
			return nil, err
		}
	}
	from, err := startObjects(ctx, dir)
	if err != nil {
		return nil, err
	}
	t := &tree{objects: from}
	top := ""
	if t.commit, top, err = from.commit(commit); err == nil && t.commit == "" {
		if _, err = Resolve(ctx, dir, rev); err == nil {
			err = missing(commit)
		}
		from.end()
		return nil, err
	}
	if err == nil {
		t.root, err = list(ctx, from, t.commit, top, only)
	}
	if err != nil {
		from.end()
		return nil, fmt.Errorf("revision %q: %w", rev, err)
	}
	return t, nil
}

// Commit returns the full id of the commit.
func (t *tree) Commit() string { return t.commit }

// Close ends the git process that reads contents. Later reads return fs.ErrClosed.
func (t *tree) Close() error { return t.objects.close() }

// Open opens a file or a directory.
func (t *tree) Open(name string) (fs.File, error) {
	n, err := t.find("open", name)
	if err != nil {
		return nil, err
	}
	if n.mode.IsDir() {
		return &dir{node: n, path: name}, nil
	}
	if err := n.content(); err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	return &file{node: n, path: name, from: t.objects}, nil
}

// ReadFile returns a file's content; the caller may change it.
func (t *tree) ReadFile(name string) ([]byte, error) {
	n, err := t.find("read", name)
	if err != nil {
		return nil, err
	}
	if err := n.content(); err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	data, err := t.objects.read(n)
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// ReadDir lists a directory, sorted by name.
func (t *tree) ReadDir(name string) ([]fs.DirEntry, error) {
	n, err := t.find("readdir", name)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: errNotDirectory}
	}
	return n.entries(), nil
}

// Stat describes a file, a directory or a symbolic link itself. A blob that is not in this clone has no known size and returns errMissing.
func (t *tree) Stat(name string) (fs.FileInfo, error) {
	n, err := t.find("stat", name)
	if err != nil {
		return nil, err
	}
	info, err := n.Info()
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	return info, nil
}

func (t *tree) find(op, name string) (*node, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	n := t.root
	if name == "." {
		return n, nil
	}
	for part := range strings.SplitSeq(name, "/") {
		i, ok := slices.BinarySearchFunc(n.children, part, func(c *node, s string) int { return strings.Compare(c.name, s) })
		if !ok {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
		n = n.children[i]
	}
	return n, nil
}
