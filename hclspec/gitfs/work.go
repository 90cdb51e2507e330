package gitfs

import (
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Work is the present content of a directory as an fs.FS. Nothing leads out of it. It refuses what a tree refuses: a symbolic link in any part
// of a name, a special file, a file above maxBlob.
type Work struct {
	root *os.Root
	fsys fs.FS
}

var _ interface {
	fs.ReadDirFS
	fs.ReadFileFS
	fs.StatFS
} = (*Work)(nil)

// WorkTree opens dir, which need not be in a git repository. Close it after use.
func WorkTree(dir string) (*Work, error) {
	root, err := os.OpenRoot(place(dir))
	if err != nil {
		return nil, fmt.Errorf("work tree: %w", err)
	}
	return &Work{root: root, fsys: root.FS()}, nil
}

// Close closes the directory. Files opened from it stay open.
func (w *Work) Close() error { return w.root.Close() }

// Open opens a regular file or a directory.
func (w *Work) Open(name string) (fs.File, error) {
	if err := w.admit("open", name); err != nil {
		return nil, err
	}
	return w.fsys.Open(name)
}

// ReadFile returns a file's content.
func (w *Work) ReadFile(name string) ([]byte, error) {
	if err := w.admit("read", name); err != nil {
		return nil, err
	}
	f, err := w.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBlob+1)) // it may have grown since
	if err == nil {
		err = readable(0, int64(len(data)))
	}
	if err != nil {
		return nil, &fs.PathError{Op: "read", Path: name, Err: err}
	}
	return data, nil
}

// ReadDir lists a directory, sorted by name.
func (w *Work) ReadDir(name string) ([]fs.DirEntry, error) {
	if err := w.admit("readdir", name); err != nil {
		return nil, err
	}
	return fs.ReadDir(w.fsys, name)
}

// Stat describes a file, a directory or a symbolic link itself.
func (w *Work) Stat(name string) (fs.FileInfo, error) { return w.lstat("stat", name) }

func (w *Work) admit(op, name string) error {
	info, err := w.lstat(op, name)
	if err != nil || info.IsDir() {
		return err
	}
	if err := readable(info.Mode(), info.Size()); err != nil {
		return &fs.PathError{Op: op, Path: name, Err: err}
	}
	return nil
}

// lstat describes name itself; below a symbolic link there is nothing, as in a tree.
func (w *Work) lstat(op, name string) (fs.FileInfo, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	for i, r := range name {
		if r != '/' {
			continue
		}
		info, err := fs.Lstat(w.fsys, name[:i])
		if err != nil {
			return nil, err
		}
		if info.Mode().Type() == fs.ModeSymlink {
			return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
		}
	}
	return fs.Lstat(w.fsys, name)
}
