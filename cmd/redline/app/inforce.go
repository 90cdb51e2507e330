package app

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/text"
)

// shownSettings holds settings in the form that redline config shows.
type shownSettings struct {
	text.InForce
	All *settings.Settings // in force
}

// SettingsInForce reads the settings of a revision, or of the work tree, and counts the contracts that they include and leave out.
func SettingsInForce(ctx context.Context, rev string) (shownSettings, error) {
	if rev != "" {
		tree, err := gitfs.Open(ctx, ".", rev)
		if err != nil {
			return shownSettings{}, err
		}
		defer func() { _ = tree.Close() }() // only read from
		return settingsAndReach(tree, rev, "revision "+rev)
	}
	top, err := TopOfWorkTree()
	if err != nil {
		return shownSettings{}, err
	}
	if top == "" {
		return noWorkTree(ctx)
	}
	work, err := gitfs.WorkTree(top)
	if err != nil {
		return shownSettings{}, err
	}
	defer func() { _ = work.Close() }() // only read from
	return settingsAndReach(work, "", "the work tree")
}

// noWorkTree returns the defaults, with all contracts below the current directory, as check does without a repository. A bare repository is
// an error: its settings are those of a revision.
func noWorkTree(ctx context.Context) (shownSettings, error) {
	if _, err := gitfs.Top(ctx, "."); errors.Is(err, gitfs.ErrBare) {
		return shownSettings{}, errors.New("this repository is bare: it has no work tree; name the revision whose settings are meant, as in --rev HEAD")
	}
	dirs, err := load.Find(os.DirFS("."), ".")
	notice := "There is no git repository here: " + settings.File + " is looked for at the top of one."
	return shownSettings{text.InForce{In: len(dirs), Notices: []string{notice}}, settings.Default()}, err
}

func settingsAndReach(tree fs.StatFS, rev, whose string) (shownSettings, error) {
	s, err := settingsIn(tree, settings.File, whose)
	if err != nil {
		return shownSettings{}, err
	}
	shown := shownSettings{text.InForce{Revision: rev}, s}
	if _, err := tree.Stat(settings.File); err == nil {
		shown.File = settings.File
	}
	dirs, err := load.Find(tree, ".")
	for _, dir := range dirs {
		if s.Includes(dir) {
			shown.In++
		} else {
			shown.Out++
		}
	}
	return shown, err
}
