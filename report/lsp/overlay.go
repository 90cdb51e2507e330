package lsp

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// An overlay is a folder's tree as the editor shows it: the text of an open document replaces the file on disk, which need not exist.
type overlay struct {
	tree fs.FS
	open map[string]*document // by name in the tree
}

// Open opens the text of an open document, or else the file on disk.
func (o overlay) Open(name string) (fs.File, error) {
	if d, ok := o.open[name]; ok {
		return &openText{entry: entry{d, path.Base(name)}, rest: strings.NewReader(d.text.src)}, nil
	}
	return o.tree.Open(name)
}

// ReadDir lists the files on disk and the open documents, sorted by name. A symbolic link on disk remains one if it is open in the editor.
func (o overlay) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.tree, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for name, d := range o.open {
		if path.Dir(name) == dir {
			entries = merge(entries, entry{d, path.Base(name)})
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

func merge(entries []fs.DirEntry, e entry) []fs.DirEntry {
	at := slices.IndexFunc(entries, func(d fs.DirEntry) bool { return d.Name() == e.name })
	if at < 0 {
		return append(entries, e)
	}
	if entries[at].Type().IsRegular() {
		entries[at] = e
	}
	return entries
}

// An entry describes an open text as a regular file.
type entry struct {
	*document
	name string
}

func (e entry) Name() string               { return e.name }
func (e entry) Size() int64                { return int64(len(e.text.src)) }
func (e entry) Mode() fs.FileMode          { return 0o444 }
func (e entry) Type() fs.FileMode          { return 0 }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) IsDir() bool                { return false }
func (e entry) Sys() any                   { return nil }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }

type openText struct {
	entry
	rest io.Reader
}

func (t *openText) Stat() (fs.FileInfo, error) { return t.entry, nil }
func (t *openText) Read(p []byte) (int, error) { return t.rest.Read(p) }
func (t *openText) Close() error               { return nil }
