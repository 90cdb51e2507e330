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
	settings map[string]*settings.Settings // by commit
}

// once returns the commit for a key, which it looks up if the memo does not have it.
func (m *Memo) once(key string, look func() (string, error)) (string, error) {
	if m == nil {
		return look()
	}
	if commit, ok := m.commits[key]; ok {
		return commit, nil
	}
	commit, err := look()
	if err == nil {
		if m.commits == nil {
			m.commits = map[string]string{}
		}
		m.commits[key], m.commits[commit] = commit, commit
	}
	return commit, err
}

// resolve returns the commit that a name stands for.
func (r Revisions) resolve(ctx context.Context, name string) (string, error) {
	return r.Memo.once(name, func() (string, error) { return gitfs.Resolve(ctx, r.Dir, name) })
}

// settings reads the settings of a revision, for the caller to change; whose names it in messages.
func (r Revisions) settings(ctx context.Context, rev, whose string) (*settings.Settings, error) {
	commit, err := r.resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	if r.Memo != nil && r.Memo.settings[commit] != nil {
		return r.Memo.settings[commit].Clone(), nil
	}
	s, err := RevisionSettings(ctx, r.Dir, commit, whose)
	if err == nil && r.Memo != nil {
		if r.Memo.settings == nil {
			r.Memo.settings = map[string]*settings.Settings{}
		}
		r.Memo.settings[commit] = s.Clone()
	}
	return s, err
}
