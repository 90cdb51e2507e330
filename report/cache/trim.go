package cache

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"
)

// A kept is a file of the cache: an entry, or one that a process is writing or has left behind.
type kept struct {
	name string
	size int64
	used time.Time
}

// ours matches the names of files that this package makes, relative to the directory. It touches no others.
var ours = regexp.MustCompile(`^[0-9a-f]{2}/([0-9a-f]{62}|\.redline-[0-9]+\.part)$`)

// trim removes entries until the rest fit, those first that were not used for longest. Other processes may do the same, so a file that is
// gone already is no error.
func (s *Store) trim() error {
	all, err := s.all()
	if err != nil {
		return fmt.Errorf("looking at what is in the cache: %w", err)
	}
	var size int64
	for _, k := range all {
		size += k.size
	}
	slices.SortFunc(all, func(a, b kept) int { return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.name, b.name)) })
	for _, k := range all {
		if size <= s.most {
			return nil
		}
		if err := os.Remove(filepath.Join(s.dir, k.name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("making room in the cache: %w", err)
		}
		size -= k.size
	}
	return nil
}

// all lists the files of the cache.
func (s *Store) all() ([]kept, error) {
	var all []kept
	err := fs.WalkDir(os.DirFS(s.dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || !ours.MatchString(name) || !e.Type().IsRegular() {
			return gone(err)
		}
		info, err := e.Info()
		if err != nil {
			return gone(err)
		}
		all = append(all, kept{filepath.FromSlash(name), info.Size(), info.ModTime()})
		return nil
	})
	return all, err
}

// gone returns nil for the error that another process has removed a file, and any other error as it is.
func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
