package gitfs

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"
)

var (
	errNotDirectory = errors.New("not a directory")
	errIsDirectory  = errors.New("is a directory")
)

// A node is one entry of a tree; it is its own fs.FileInfo and fs.DirEntry.
type node struct {
	name     string
	mode     fs.FileMode
	id       string // of the object, in the repository's own hash
	size     int64  // of a blob, in bytes
	missing  bool   // the blob is not in this clone, so its size is unknown
	children []*node
}

func (n *node) Name() string       { return n.name }
func (n *node) Size() int64        { return n.size }
func (n *node) Mode() fs.FileMode  { return n.mode }
func (n *node) Type() fs.FileMode  { return n.mode.Type() }
func (n *node) IsDir() bool        { return n.mode.IsDir() }
func (n *node) ModTime() time.Time { return time.Time{} } // git keeps none
func (n *node) Sys() any           { return nil }
func (n *node) String() string     { return fs.FormatDirEntry(n) }

func (n *node) Info() (fs.FileInfo, error) {
	if n.missing {
		return nil, missing(n.id)
	}
	return n, nil
}

func (n *node) entries() []fs.DirEntry {
	all := make([]fs.DirEntry, len(n.children))
	for i, c := range n.children {
		all[i] = c
	}
	return all
}

// content returns an error if the node has no content to read.
func (n *node) content() error {
	switch {
	case n.mode.IsDir():
		return errIsDirectory
	case n.missing:
		return missing(n.id)
	}
	return readable(n.mode, n.size)
}

// readable returns an error for files that are not regular, and for those that are too large.
func readable(mode fs.FileMode, size int64) error {
	switch {
	case mode.Type() == fs.ModeSymlink:
		return &problem{errNotContent, "it is a symbolic link, which redline does not follow", "put the file itself there"}
	case !mode.IsRegular():
		return &problem{errNotContent, "it is not a regular file", "put a regular file there"}
	case size > maxBlob:
		return &problem{errTooLarge, fmt.Sprintf("it has %d bytes, more than the %d that are read", size, maxBlob), "split it"}
	}
	return nil
}

// A file reads its blob at the first Read.
type file struct {
	*node
	path string
	from *objects
	data *bytes.Reader
	done bool
}

func (f *file) Stat() (fs.FileInfo, error) { return f.node, nil }

func (f *file) Read(p []byte) (int, error) {
	if f.done {
		return 0, &fs.PathError{Op: "read", Path: f.path, Err: fs.ErrClosed}
	}
	if f.data == nil {
		data, err := f.from.read(f.node)
		if err != nil {
			return 0, &fs.PathError{Op: "read", Path: f.path, Err: err}
		}
		f.data = bytes.NewReader(data)
	}
	return f.data.Read(p)
}

func (f *file) Close() error {
	f.done, f.data = true, nil
	return nil
}

// A dir is an open directory; next is the first entry not yet returned.
type dir struct {
	*node
	path string
	next int
}

func (d *dir) Stat() (fs.FileInfo, error) { return d.node, nil }
func (d *dir) Close() error               { return nil }

func (d *dir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.path, Err: errIsDirectory}
}

func (d *dir) ReadDir(n int) ([]fs.DirEntry, error) {
	rest := d.entries()[d.next:]
	if n > 0 && len(rest) == 0 {
		return nil, io.EOF
	}
	if n > 0 && n < len(rest) {
		rest = rest[:n]
	}
	d.next += len(rest)
	return rest, nil
}
