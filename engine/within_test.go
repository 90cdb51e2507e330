package engine

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/hclspec"
)

// draftsNamed are drafts as "where=name", blank-separated; without a name they are ill-formed.
func draftsNamed(list string) []*compile.Draft {
	var drafts []*compile.Draft
	for _, one := range strings.Fields(list) {
		path, name, _ := strings.Cut(one, "=")
		d := &compile.Draft{Path: path}
		if name != "" {
			d.Spec = &hclspec.Contract{Name: name}
		}
		drafts = append(drafts, d)
	}
	return drafts
}

func pathsOf(drafts []*compile.Draft) string {
	var paths []string
	for _, d := range drafts {
		paths = append(paths, d.Path)
	}
	return strings.Join(paths, " ")
}

// What an amendment moves out of sight is kept in sight, and so is where it was.
func TestWithin(t *testing.T) {
	in := func(dir string) bool { return strings.HasPrefix(dir, "in/") }
	for name, c := range map[string]struct {
		base, a, b string
		want       string // base | a | b | how many are left out
	}{
		"nothing":               {"", "", "", "|||0"},
		"where they are":        {"in/x=x out/y=y", "in/x=x out/y=y", "in/x=x out/y=y", "in/x|in/x|in/x|1"},
		"added":                 {"", "in/x=x out/y=y", "", "|in/x||1"},
		"removed":               {"in/x=x out/y=y", "", "", "in/x|||1"},
		"moved out":             {"in/x=x", "out/x=x", "in/x=x", "in/x|out/x|in/x|0"},
		"moved in":              {"out/x=x", "in/x=x", "out/x=x", "out/x|in/x|out/x|0"},
		"moved outside":         {"out/x=x", "out/z=x", "out/x=x", "|||2"},
		"moved out, then other": {"in/x=x", "out/x=x in/x=y", "", "in/x|out/x in/x||0"},
		"copied in":             {"out/x=x", "out/x=x in/z=x", "", "|in/z||1"},
		"ill-formed":            {"in/x out/y", "in/x out/y", "out/z", "in/x|in/x||2"},
		"both move it":          {"in/x=x", "out/a=x", "out/b=x", "in/x|out/a|out/b|0"},
	} {
		base, sides, left := Within(in, draftsNamed(c.base), draftsNamed(c.a), draftsNamed(c.b))
		if got := fmt.Sprintf("%s|%s|%s|%d", pathsOf(base), pathsOf(sides[0]), pathsOf(sides[1]), left); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	base, sides, left := Within(nil, draftsNamed("a=a"), draftsNamed("b=b"))
	if pathsOf(base)+pathsOf(sides[0]) != "ab" || left != 0 {
		t.Error("something is left out where nothing is to be")
	}
}

// Contracts that are not asked for are not even opened.
func TestTreeReadsOnly(t *testing.T) {
	text := &fstest.MapFile{Data: []byte("contract \"c\" {}\nparty \"p\" {\n  state \"s\" {}\n}\n")}
	tree := Tree{FS: fstest.MapFS{"in/c.contract.hcl": text, "out/\xff.contract.hcl": text}, Root: ".", Shown: "top"}
	if _, err := tree.Drafts(t.Context(), nil, 1); err == nil {
		t.Error("a file whose name nobody can open was read")
	}
	tree.Only = []string{"in"}
	if drafts, err := tree.Drafts(t.Context(), nil, 1); err != nil || pathsOf(drafts) != "top/in" {
		t.Errorf("drafts %s, %v", pathsOf(drafts), err)
	}
}
