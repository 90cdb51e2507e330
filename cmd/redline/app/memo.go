package app

import (
	"context"

	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
)

// A Memo keeps what was looked up of a repository, so that a run asks git once, and goes by one version though a branch moves meanwhile. It does
// not keep errors. It is not safe for concurrent use.
type Memo struct {
	commits  map[string]string             // by revision; a merge base by BASE...HEAD
	tops     map[string]string             // of work trees, by a directory in them
	settings map[string]*settings.Settings // by commit
}

// commit returns the commit for a key, which it looks up if the memo does not have it.
func (m *Memo) commit(key string, look func() (string, error)) (string, error) {
	if m == nil {
		return look()
	}
	commit, err := once(&m.commits, key, look)
	if err == nil {
		m.commits[commit] = commit
	}
	return commit, err
}

// once returns the value for a key, which it looks up if the map does not have it.
func once[V any](m *map[string]V, key string, look func() (V, error)) (V, error) {
	if v, ok := (*m)[key]; ok {
		return v, nil
	}
	v, err := look()
	if err == nil {
		if *m == nil {
			*m = map[string]V{}
		}
		(*m)[key] = v
	}
	return v, err
}

// resolve returns the commit of a revision, by its name.
func (r Revisions) resolve(ctx context.Context, name string) (string, error) {
	return r.Memo.commit(name, func() (string, error) { return gitfs.Resolve(ctx, r.Dir, name) })
}

// settings reads the settings of a revision, for the caller to change; whose names it in messages.
func (r Revisions) settings(ctx context.Context, rev, whose string) (*settings.Settings, error) {
	commit, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	look := func() (*settings.Settings, error) { return RevisionSettings(ctx, r.Dir, commit, whose) }
	if r.Memo == nil {
		return look()
	}
	s, err := once(&r.Memo.settings, commit, look)
	if err != nil {
		return nil, err
	}
	return s.Clone(), nil
}

// top returns the top directory of the work tree.
func (r Revisions) top(ctx context.Context) (string, error) {
	look := func() (string, error) { return gitfs.Top(ctx, r.Dir) }
	if r.Memo == nil {
		return look()
	}
	return once(&r.Memo.tops, r.Dir, look)
}
