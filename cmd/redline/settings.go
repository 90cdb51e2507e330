package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/pflag"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/settings"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/review"
	"github.com/redlinehq/redline/report/text"
)

// A settingsError says that settings are ill-formed, so that nothing is known of what was wanted.
type settingsError struct {
	whose string // in words of our own
	base  bool   // what is reviewed can't mend them
	found []finding.Diagnostic
}

func (e *settingsError) Error() string {
	first := e.found[0].Source
	return fmt.Sprintf("%s %s (%s:%d:%d)", e.says(), e.found[0].Message, first.Filename, first.Start.Line, first.Start.Column)
}

// tell prints all that is wrong.
func (e *settingsError) tell(w io.Writer) {
	fmt.Fprintln(w, "redline: "+e.says()+"\n")
	_ = text.Diagnostics(w, e.found, styleOf(w)) // as complain
}

func (e *settingsError) says() string {
	says := fmt.Sprintf("The settings of %s are ill-formed, so nothing was done.", e.whose)
	if e.base {
		says += " They have to be mended there: a review is never made under the amendment's own."
	}
	return says
}

// settingsIn reads the settings of a tree; whose says which tree that is.
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

func illFormedSettings(whose string, diags hcl.Diagnostics, files map[string][]byte) *settingsError {
	e := &settingsError{whose: whose}
	for _, d := range diags {
		e.found = append(e.found, explain.Textual(d, files))
	}
	return e
}

// revisionSettings reads those of a revision of the repository around dir.
func revisionSettings(ctx context.Context, dir, rev, whose string) (*settings.Settings, error) {
	tree, err := gitfs.OpenAt(ctx, dir, rev, path.Dir(settings.File))
	if err != nil {
		return nil, err
	}
	defer func() { _ = tree.Close() }() // only read from
	return settingsIn(tree, settings.File, whose)
}

// directorySettings reads those of a directory as it lies there.
func directorySettings(dir, whose string) (*settings.Settings, error) {
	work, err := gitfs.WorkTree(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = work.Close() }() // only read from
	return settingsIn(work, settings.File, whose)
}

// workTreeSettings reads those of the work tree around the current directory, whose top it returns. Outside of a repository there are
// none, and the top is empty. Git itself is not asked: check works without it.
func workTreeSettings() (s *settings.Settings, top string, err error) {
	top, err = topOfWorkTree()
	if err != nil {
		return nil, "", err
	}
	if top == "" {
		return settings.Default(), "", nil
	}
	s, err = directorySettings(top, "the work tree")
	return s, top, err
}

// topOfWorkTree is the directory around the current one that has a .git entry; empty: there is none.
func topOfWorkTree() (string, error) {
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

// amendmentSettings are those under which an amendment is reviewed: of the revision it is to be merged into, never its own, so
// that it can't turn off what reviews it. A notice says when it changes them.
func amendmentSettings(ctx context.Context, revs revisions) (s *settings.Settings, notices []string, err error) {
	if s, err = revisionSettings(ctx, revs.dir, revs.base, "base"); err != nil {
		if wrong := (*settingsError)(nil); errors.As(err, &wrong) {
			wrong.base = true
		}
		return nil, nil, err
	}
	before := s
	if start, err := revs.baseCommit(ctx); err != nil {
		return nil, nil, err
	} else if start != revs.base { // what has changed on base since is not the amendment's doing
		if before, err = revisionSettings(ctx, revs.dir, start, "base, where the amendment begins,"); err != nil {
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

// eventSettings are those a run of the action is under. In a pull request and in a merge queue what is checked out may be a stranger's, so
// they are base's. What is pushed or run by hand is the repository's own.
func eventSettings(ctx context.Context, dir string, event review.Event, commits review.Range) (s *settings.Settings, notices []string, err error) {
	if commits.Base != "" && event.Name != "push" {
		return amendmentSettings(ctx, revisions{dir: dir, base: commits.Base, head: commits.Head, exact: true})
	}
	s, err = revisionSettings(ctx, dir, commits.Head, "what is checked out")
	if err != nil {
		return nil, nil, err
	}
	return s, nil, nil
}

func (r revisions) headSettings(ctx context.Context) (*settings.Settings, error) {
	const whose = "the amendment"
	if r.head != "" {
		return revisionSettings(ctx, r.dir, r.head, whose)
	}
	top, err := gitfs.Top(ctx, r.dir)
	if err != nil {
		return nil, err
	}
	return directorySettings(top, whose)
}

// flagSettings are the flags that outweigh a setting. Not every command has each.
var flagSettings = [][2]string{
	{"fail-on", "fail-on"}, {"observe", "observe"},
	{"max-states", "limits.states"}, {"max-memory", "limits.memory"}, {"timeout", "limits.timeout"}, {"jobs", "limits.jobs"},
	{"comment", "comment.summary"}, {"inline", "comment.inline"}, {"suggestions", "comment.suggestions"},
	{"check-run", "check-run"}, {"status", "status"}, {"sarif", "sarif"},
}

// under takes from the settings what flags and inputs leave open, and puts into the settings what those say. Flags are bound to
// what a command works with, so afterwards flags and settings say the same.
func under(s *settings.Settings, flags *pflag.FlagSet) error {
	values := map[string]string{}
	for _, set := range s.List() {
		if values[set.Name] = fmt.Sprint(set.Value); set.Name == "observe" {
			values[set.Name] = strings.Join(s.Observe, ",")
		}
	}
	for _, pair := range flagSettings {
		flag, setting := pair[0], pair[1]
		f := flags.Lookup(flag)
		var err error
		switch {
		case f == nil:
		case f.Changed:
			err = s.Override(setting, textOf(f), originOf(f))
		case s.From(setting) != (settings.Origin{}):
			err = f.Value.Set(values[setting])
		}
		if err != nil {
			return fmt.Errorf("setting %s, %s: %w", setting, s.From(setting), err)
		}
	}
	return nil
}

// textOf is the value of a flag, of a list with commas.
func textOf(f *pflag.Flag) string {
	if list, ok := f.Value.(pflag.SliceValue); ok {
		return strings.Join(list.GetSlice(), ",")
	}
	return f.Value.String()
}

// inputMark is the annotation of a flag that has its value from an input of the action.
const inputMark = "input"

func originOf(f *pflag.Flag) settings.Origin {
	if _, ok := f.Annotations[inputMark]; ok {
		return settings.Origin{Input: f.Name}
	}
	return settings.Origin{Flag: f.Name}
}

// observable reports names that nothing has. A file of settings may name parties of some contracts only, or of none that is left: that is
// worth a notice. Who names them for one run has mistyped.
func (r reading) observable(names []string, drafts ...*compile.Draft) (notices []string, err error) {
	err = behaviour.Observable(names, drafts...)
	if err == nil || r.under == nil || r.under.From("observe").File == "" {
		return nil, err
	}
	for line := range strings.SplitSeq(err.Error(), "\n") {
		notices = append(notices, fmt.Sprintf("%s: %s.", r.under.From("observe"), escape.TerminalText(line)))
	}
	return notices, nil
}

// leftOut says how many contracts the settings leave out; empty: none.
func (r reading) leftOut(n int) []string {
	if n == 0 {
		return nil
	}
	var by []string
	for _, name := range []string{"paths", "ignore"} {
		if from := r.under.From(name); from.File != "" {
			by = append(by, fmt.Sprintf("%s, %s", name, from))
		}
	}
	noun := "contracts are"
	if n == 1 {
		noun = "contract is"
	}
	return []string{fmt.Sprintf("%d %s left out (%s).", n, noun, strings.Join(by, "; "))}
}

// includes is nil when everything is looked at.
func (r reading) includes() func(dir string) bool {
	if r.under == nil || len(r.under.Paths)+len(r.under.Ignore) == 0 {
		return nil
	}
	return r.under.Includes
}
