package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/review"
)

// SettingsAt returns the settings of a revision, by default HEAD, and its commit.
func SettingsAt(ctx context.Context, args []string) (*settings.Settings, string, error) {
	rev := "HEAD"
	if len(args) > 0 {
		rev = args[0]
	}
	commit, err := gitfs.Resolve(ctx, ".", rev)
	if err != nil {
		return nil, "", err
	}
	wanted, err := RevisionSettings(ctx, ".", commit, rev)
	return wanted, commit, err
}

// SettingsError reports that settings are ill-formed, so that the wanted ones are unknown.
type SettingsError struct {
	whose       string // in our own words
	Base        bool   // the settings are base's, so the amendment can't correct them
	Diagnostics []finding.Diagnostic
}

func (e *SettingsError) Error() string {
	first := e.Diagnostics[0].Source
	return fmt.Sprintf("%s %s (%s:%d:%d)", e.Says(), e.Diagnostics[0].Message, first.Filename, first.Start.Line, first.Start.Column)
}

// Says returns in a sentence or two whose settings are ill-formed, and where to correct them.
func (e *SettingsError) Says() string {
	says := fmt.Sprintf("The settings of %s are ill-formed, so nothing was done.", e.whose)
	if e.Base {
		says += " They have to be mended there: a review is never made under the amendment's own."
	}
	return says
}

// settingsIn reads the settings of a tree; whose names the tree in messages.
func settingsIn(tree fs.StatFS, shown, whose string) (*settings.Settings, error) {
	s, src, diags, err := settings.Load(tree, shown)
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", whose, err)
	}
	if len(diags) > 0 {
		return nil, illFormedSettings(whose, diags, map[string][]byte{shown: src})
	}
	return s, nil
}

func illFormedSettings(whose string, diags hcl.Diagnostics, files map[string][]byte) *SettingsError {
	e := &SettingsError{whose: whose}
	for _, d := range diags {
		e.Diagnostics = append(e.Diagnostics, explain.Textual(d, files))
	}
	return e
}

// RevisionSettings reads the settings of a revision of the repository around dir.
func RevisionSettings(ctx context.Context, dir, rev, whose string) (*settings.Settings, error) {
	tree, err := gitfs.Open(ctx, dir, rev, path.Dir(settings.File))
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	return settingsIn(tree, settings.File, whose)
}

// directorySettings reads the settings of a directory.
func directorySettings(dir, whose string) (*settings.Settings, error) {
	work, err := gitfs.WorkTree(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	return settingsIn(work, settings.File, whose)
}

// WorkTreeSettings reads the settings of the work tree around the current directory, and returns its top. Outside of a repository it returns
// the defaults and an empty top. It does not run git, so that check works without it.
func WorkTreeSettings() (s *settings.Settings, top string, err error) {
	top, err = TopOfWorkTree()
	if err != nil {
		return nil, "", err
	}
	if top == "" {
		return settings.Default(), "", nil
	}
	s, err = directorySettings(top, "the work tree")
	return s, top, err
}

// TopOfWorkTree returns the nearest directory with a .git entry, from the current one upwards; empty if there is none.
func TopOfWorkTree() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		_, err := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case err == nil:
			return dir, nil
		case !errors.Is(err, fs.ErrNotExist):
			return "", fmt.Errorf("looking for the repository around %s: %w", here, err)
		case dir == filepath.Dir(dir):
			return "", nil
		}
	}
}

// AmendmentSettings returns the settings under which an amendment is reviewed: those of the revision it is to be merged into, never its own,
// so that it can't turn off its own review. A notice says when it changes them.
func AmendmentSettings(ctx context.Context, revs Revisions) (s *settings.Settings, notices []string, err error) {
	if s, err = revs.settings(ctx, revs.Base, "base"); err != nil {
		if wrong := (*SettingsError)(nil); errors.As(err, &wrong) {
			wrong.Base = true
		}
		return nil, nil, err
	}
	before := s
	if start, err := revs.BaseCommit(ctx); err != nil {
		return nil, nil, err
	} else if start != revs.Base { // later changes of base are not the amendment's
		if before, err = revs.settings(ctx, start, "base, where the amendment begins,"); err != nil {
			return nil, nil, err
		}
	}
	after, err := revs.headSettings(ctx)
	if err != nil {
		return nil, nil, err
	}
	if changed := settings.Differ(before, after); changed != nil && settings.Differ(s, after) != nil {
		notices = append(notices, fmt.Sprintf("The amendment changes %s (%s). It is reviewed under base's settings; its own take effect once it is merged.",
			settings.File, strings.Join(changed, ", ")))
	}
	return s, notices, nil
}

// EventSettings returns the settings for a run of the action. In a pull request and in a merge queue the checked-out revision may be a
// stranger's, so they are base's. A revision that is pushed or run by hand has the repository's own.
func EventSettings(ctx context.Context, event review.Event, revs Revisions) (s *settings.Settings, notices []string, err error) {
	if revs.Base != "" && event.Name != "push" {
		return AmendmentSettings(ctx, revs)
	}
	s, err = revs.settings(ctx, revs.Head, "what is checked out")
	if err != nil {
		return nil, nil, err
	}
	return s, nil, nil
}

func (r Revisions) headSettings(ctx context.Context) (*settings.Settings, error) {
	const whose = "the amendment"
	if r.Head != "" {
		return r.settings(ctx, r.Head, whose)
	}
	top, err := r.top(ctx)
	if err != nil {
		return nil, err
	}
	return directorySettings(top, whose)
}
