package app

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/gitfs"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A contract that is at the same place on both sides with the same files means the same on both, under the same values and settings. All that
// a review says of it are its waivers. So it is read only if its bytes may have a waiver, or if its names matter to what the amendment touches.

// An amendment has what a review compares: the contracts that base's settings include.
type amendment struct {
	pairs     []engine.Pair
	unchanged []string          // directories of the contracts that have the same files on both sides and no waiver, sorted; pairs has none of them
	outside   map[string]string // new directories of contracts that are moved out of the settings, by the path of their pair
	notices   []string
}

// amended reads both versions as far as the amendment touches them. A contract that base's settings include gets no head if the amendment moves
// it out of them, or out of its own settings. Cost: git's lists of both trees, the bytes of all contracts, and the contracts that are touched.
func amended(ctx context.Context, revs Revisions, how ReadOptions, observe []string) (*amendment, error) {
	start, err := revs.BaseCommit(ctx)
	if err != nil {
		return nil, err
	}
	stays, err := revs.staying(ctx, start, how.Includes())
	if err != nil {
		return nil, err
	}
	v, err := openVersions(ctx, revs, start)
	if err != nil {
		return nil, err
	}
	defer v.close()
	v.how, v.observe = how, observe
	passed := v.passOver(how.Includes())
	if err := v.setApart(ctx, stays); err != nil {
		return nil, err
	}
	if err := v.read(ctx, without(v.there, v.unread), without(v.here, v.unread)); err != nil {
		return nil, err
	}
	if err := v.complete(ctx); err != nil {
		return nil, err
	}
	before, after, left := v.included()
	notices, err := v.observable(ctx, slices.Concat(before, after))
	a := &amendment{notices: slices.Concat(how.LeftOut(passed+left), NoneYet(passed+left+len(before)+len(after)+len(v.same)), notices, v.clauseNotices())}
	a.pairs, a.outside = engine.DropUnreviewed(engine.Pairs(before, after), stays)
	for _, p := range a.pairs {
		if p.Head == nil && p.Base != nil && a.outside[p.Base.Path] == "" {
			a.outside[p.Base.Path] = notRead(v.head, p.Base.Path)
		}
	}
	var listed []string
	a.pairs = slices.DeleteFunc(a.pairs, func(p engine.Pair) bool {
		if _, same := slices.BinarySearch(v.same, p.Path()); same && p.NothingToReview() {
			return true
		}
		listed = append(listed, p.Path())
		return false
	})
	a.unchanged = without(v.same, listed)
	return a, err
}

// notRead returns the first file of a directory that is nearly named as one of a contract; "" if there is none.
func notRead(fsys fs.FS, dir string) string {
	all, _ := fs.ReadDir(fsys, dir) // what can't be read has no file to name
	for _, e := range all {
		if syntax.Rename(e) != "" {
			return path.Join(dir, e.Name())
		}
	}
	return ""
}

// staying returns the test for whether a contract is still reviewed, given its directories on base and head. Later changes of base's settings
// are not the amendment's.
func (r Revisions) staying(ctx context.Context, start string, base func(dir string) bool) (func(was, now string) bool, error) {
	later, err := r.headSettings(ctx)
	if err != nil {
		return nil, err
	}
	former, err := r.settings(ctx, start, "base, where the amendment begins,")
	return func(was, now string) bool {
		return (base == nil || base(now)) && (later.Includes(now) || !former.Includes(was))
	}, err
}

// versions are both versions of a repository, and the contracts that were read of them.
type versions struct {
	base interface {
		fs.FS
		Each(ctx context.Context, names []string, visit func(name string, content []byte) error) error
	}
	start       string // the commit of base
	head        fs.FS
	named       string   // the revision of head; empty: the work tree
	there, here []string // the contracts of base and head, but for those that the settings leave out on both
	close       func()

	how           ReadOptions
	observe       []string
	before, after []*compile.Draft
	same, unread  []string // contracts that are the same on both sides, sorted; and those of them that are not read
}

func openVersions(ctx context.Context, revs Revisions, start string) (*versions, error) {
	base, err := gitfs.Open(ctx, revs.Dir, start)
	if err != nil {
		return nil, err
	}
	v := &versions{base: base, start: start, named: revs.Head, close: func() { _ = base.Close() }} // only read from
	if v.there, err = load.Find(base, "."); err == nil {
		err = v.openHead(ctx, revs)
	}
	if err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *versions) openHead(ctx context.Context, revs Revisions) error {
	var head interface {
		fs.FS
		Close() error
	}
	var err error
	if revs.Head == "" {
		head, err = revs.workTree(ctx)
	} else {
		var commit string
		if commit, err = revs.resolve(ctx, revs.Head); err == nil {
			head, err = gitfs.Open(ctx, revs.Dir, commit)
		}
	}
	if err != nil {
		return err
	}
	first := v.close
	v.head, v.close = head, func() { first(); _ = head.Close() } // only read from
	v.here, err = load.Find(head, ".")
	return err
}

// passOver drops the contracts that the settings leave out and that are at the same place on both sides, so that none of them has moved. It
// returns their number.
func (v *versions) passOver(in func(dir string) bool) int {
	if in == nil {
		return 0
	}
	passed := slices.DeleteFunc(slices.Clone(v.there), func(dir string) bool {
		_, both := slices.BinarySearch(v.here, dir)
		return !both || in(dir)
	})
	v.there, v.here = without(v.there, passed), without(v.here, passed)
	return len(passed)
}

// without returns the sorted dirs that are not among other sorted ones.
func without(dirs, others []string) []string {
	return slices.DeleteFunc(slices.Clone(dirs), func(dir string) bool {
		_, among := slices.BinarySearch(others, dir)
		return among
	})
}

// setApart finds the contracts that have the same files on both sides and stay under review, and those of them that need not be read, as they
// have no waiver.
func (v *versions) setApart(ctx context.Context, stays func(was, now string) bool) error {
	var files []string
	for _, dir := range v.there {
		if _, both := slices.BinarySearch(v.here, dir); !both || !stays(dir, dir) {
			continue
		}
		if names, ok := v.alike(dir); ok {
			v.same, files = append(v.same, dir), append(files, names...)
		}
	}
	differ, waive := map[string]bool{}, map[string]bool{}
	err := v.base.Each(ctx, files, func(name string, content []byte) error {
		if !v.onHead(name, content) {
			differ[path.Dir(name)] = true
		} else if mayWaive(content) {
			waive[path.Dir(name)] = true
		}
		return nil
	})
	v.same = slices.DeleteFunc(v.same, func(dir string) bool { return differ[dir] })
	v.unread = slices.DeleteFunc(slices.Clone(v.same), func(dir string) bool { return waive[dir] })
	return err
}

// aWaiver matches wherever a text can have a waiver: the word has no other spelling, and only blanks and comments can come before the brace.
var aWaiver = regexp.MustCompile(`waiver[ \t]*(?:\{|/\*)`)

// mayWaive reports whether a text may have a waiver. It is false only if the text has none.
func mayWaive(text []byte) bool { return aWaiver.Match(text) }

// alike returns the files of a contract, and reports whether both sides have the same, and the same names of files that a reader of the contract
// warns of. Of a work tree it compares names and sizes only, not content. Files that are not read as text are never alike.
func (v *versions) alike(dir string) (files []string, ok bool) {
	was, warned, err := contractFiles(v.base, dir)
	if err != nil {
		return nil, false // reading the contract will say it
	}
	is, warns, err := contractFiles(v.head, dir)
	if err != nil || len(was) != len(is) || !slices.Equal(warned, warns) {
		return nil, false
	}
	for i, w := range was {
		size, ok := textSize(w)
		if same, isText := textSize(is[i]); !ok || !isText || same != size || w.Name() != is[i].Name() || v.named != "" && !gitfs.Identical(w, is[i]) {
			return nil, false
		}
		files = append(files, path.Join(dir, w.Name()))
	}
	return files, true
}

// contractFiles returns the files of the contract in a directory, and the names of others that could be meant as such.
func contractFiles(tree fs.FS, dir string) (files []fs.DirEntry, others []string, err error) {
	entries, err := fs.ReadDir(tree, dir)
	for _, e := range entries {
		switch name := strings.ToLower(e.Name()); {
		case hclspec.IsContractFile(e.Name()):
			files = append(files, e)
		case !e.IsDir() && (strings.Contains(name, ".hcl") || strings.HasSuffix(name, ".contract")):
			others = append(others, e.Name())
		}
	}
	return files, others, err
}

// textSize returns the size of a file in bytes, and reports whether it can be a contract's.
func textSize(e fs.DirEntry) (bytes int64, ok bool) {
	if !e.Type().IsRegular() || !fs.ValidPath(e.Name()) {
		return 0, false
	}
	info, err := e.Info()
	if err != nil || info.Size() > hclspec.MaxFileSize {
		return 0, false
	}
	return info.Size(), true
}

// onHead reports whether head's file has the content. Revisions were compared by their objects.
func (v *versions) onHead(name string, content []byte) bool {
	if v.named != "" {
		return true
	}
	now, err := fs.ReadFile(v.head, name)
	return err == nil && bytes.Equal(now, content)
}

// read reads contracts of base and of head, and adds them to those read before.
func (v *versions) read(ctx context.Context, there, here []string) error {
	tree := engine.Tree{FS: v.base, Only: there, Values: v.how.Values, Time: v.how.Time}
	before, err := tree.Drafts(ctx, v.how.Rule, v.how.Jobs)
	if err != nil {
		return fmt.Errorf("revision %s: %w", v.start, err)
	}
	tree.FS, tree.Only = v.head, here
	after, err := tree.DraftsBeside(ctx, before, v.how.Rule, v.how.Jobs)
	if err != nil && v.named != "" {
		return fmt.Errorf("revision %s: %w", v.named, err)
	}
	v.before, v.after = sorted(v.before, before), sorted(v.after, after)
	return err
}

func sorted(all, more []*compile.Draft) []*compile.Draft {
	return slices.SortedFunc(slices.Values(slices.Concat(all, more)), func(a, b *compile.Draft) int { return cmp.Compare(a.Path, b.Path) })
}

// readUnread reads contracts that are the same on both sides.
func (v *versions) readUnread(ctx context.Context, dirs []string) error {
	if len(dirs) == 0 {
		return nil
	}
	v.unread = without(v.unread, dirs)
	return v.read(ctx, dirs, dirs)
}

// included returns the drafts read that the settings include, and the number of the others.
func (v *versions) included() (before, after []*compile.Draft, left int) {
	before, sides, left := engine.Within(v.how.Includes(), v.before, v.after)
	return before, sides[0], left
}

// complete reads the unchanged contracts on which the review of the others depends: those that may have the name of a new contract, which is
// then no heir of a changed one with that name; and those that may have a name that the user gave, if no other contract has it. If none has,
// it reads all, as the message needs them.
func (v *versions) complete(ctx context.Context) error {
	var names []string
	for _, d := range v.after {
		if _, old := slices.BinarySearch(v.there, d.Path); !old && d.Spec != nil {
			names = append(names, d.Spec.Name)
		}
	}
	if v.unknown() != nil {
		names = slices.Concat(names, v.how.Asked, v.observe)
	}
	dirs, _, err := v.mentioned(ctx, names)
	if err != nil {
		return err
	}
	if err := v.readUnread(ctx, dirs); err != nil {
		return err
	}
	if v.unknown() != nil {
		err = v.readUnread(ctx, v.unread)
	}
	return cmp.Or(err, v.unknown())
}

// unknown returns an error if the user gave a name that no contract has that was read.
func (v *versions) unknown() error {
	if err := v.how.Declared(slices.Concat(v.before, v.after)...); err != nil {
		return err
	}
	before, after, _ := v.included()
	_, err := v.how.observable(v.observe, slices.Concat(before, after)...)
	return err
}

// observable returns notices on names in the settings that no contract has. An unread contract has those that its text has anywhere.
func (v *versions) observable(ctx context.Context, drafts []*compile.Draft) (notices []string, err error) {
	if notices, err = v.how.observable(v.observe, drafts...); notices == nil || err != nil {
		return nil, err
	}
	_, found, err := v.mentioned(ctx, v.observe)
	if err != nil {
		return nil, err
	}
	return v.how.observable(slices.DeleteFunc(slices.Clone(v.observe), func(name string) bool { return found[name] }), drafts...)
}

// mentioned returns the unread contracts whose texts may have one of the names, and the names that texts have.
func (v *versions) mentioned(ctx context.Context, names []string) (dirs []string, found map[string]bool, err error) {
	if len(names) == 0 {
		return nil, nil, nil
	}
	var files []string
	for _, dir := range v.unread {
		entries, _, err := contractFiles(v.base, dir)
		if err != nil {
			return nil, nil, err
		}
		for _, e := range entries {
			files = append(files, path.Join(dir, e.Name()))
		}
	}
	found = map[string]bool{}
	err = v.base.Each(ctx, files, func(name string, content []byte) error {
		may := bytes.Contains(content, []byte(`\u`)) || bytes.Contains(content, []byte(`\U`)) // a character of a name can be written so
		for _, n := range names {
			if has := bytes.Contains(content, []byte(n[:strings.IndexAny(n+"[", "[.")])); has {
				found[n], may = true, true
			}
		}
		if may {
			dirs = append(dirs, path.Dir(name))
		}
		return nil
	})
	slices.Sort(dirs)
	return slices.Compact(dirs), found, err
}
