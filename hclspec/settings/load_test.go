package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

func codesOf(diags hcl.Diagnostics) []codes.Code {
	var found []codes.Code
	for _, d := range diags {
		found = append(found, diag.CodeOf(d))
	}
	return found
}

// What a hostile file may be, and the one thing that is said of it.
func TestHostile(t *testing.T) {
	many := func(n int) string {
		return "paths = [" + strings.Repeat(`"a/**", `, n) + "]\n"
	}
	for name, c := range map[string]struct {
		text string
		code codes.Code
	}{
		"1 MiB":                  {"#" + strings.Repeat(" ", 1<<20), "file-too-large"},
		"64 KiB and a byte":      {"#" + strings.Repeat(" ", maxSize), "file-too-large"},
		"brackets":               {"paths = " + strings.Repeat("[", 10_000), "nested-too-deep"},
		"blocks":                 {strings.Repeat("limits {\n", 5_000), "nested-too-deep"},
		"interpolations":         {"sarif = " + strings.Repeat(`"${`, 5_000), "nested-too-deep"},
		"operators":              {"record = " + strings.Repeat("!", 10_000) + "true", "expression-too-long"},
		"a thousand patterns":    {many(1_000), "too-many-values"},
		"one pattern more":       {many(maxListed + 1), "too-many-values"},
		"a long pattern":         {`ignore = ["` + strings.Repeat("a", maxLength+1) + `"]`, "bad-pattern"},
		"a long name":            {`observe = ["` + strings.Repeat("a", maxLength+1) + `"]`, "setting-refused"},
		"digits":                 {"limits {\n  states = " + strings.Repeat("9", 1_000) + "\n}", "value-too-large"},
		"an enormous number":     {"limits {\n  states = 1e999999\n}", "value-too-large"},
		"text that runs back":    {"# \u202e paths = []\n", "hidden-character"},
		"the same, escaped":      {`paths = ["a\u202eb"]`, "hidden-character"},
		"no UTF-8":               {"paths = [\"\xff\"]", "not-utf8"},
		"a directive":            {`sarif = "%{ if true }x%{ endif }"`, "unsupported-expression"},
		"memory beyond an int":   {"limits {\n  memory = \"99999999999GiB\"\n}", "setting-refused"},
		"a time beyond an int":   {"limits {\n  timeout = \"9999999999h\"\n}", "setting-refused"},
		"another's file":         {`sarif = "/etc/passwd"`, "setting-refused"},
		"git's own":              {`sarif = ".git/config"`, "setting-refused"},
		"a device of Windows":    {`sarif = "C:/x"`, "setting-refused"},
		"a function":             {`paths = [file("/etc/passwd")]`, "not-a-literal"},
		"the environment":        {`paths = ["${env.GITHUB_TOKEN}"]`, "not-a-literal"},
		"null":                   {`fail-on = null`, "wrong-type"},
		"what an amendment adds": {"include = \"../other.hcl\"\n", "unknown-attribute"},
	} {
		t.Run(name, func(t *testing.T) {
			s, diags := Parse([]byte(c.text), File)
			if got := codesOf(diags); s != nil || fmt.Sprint(got) != fmt.Sprintf("[%s]", c.code) {
				t.Errorf("settings %v, codes %v, want %s", s, got, c.code)
			}
			if _, ok := codes.Lookup(c.code); !ok {
				t.Errorf("%s has no page", c.code)
			}
		})
	}
	if s, diags := Parse([]byte(many(maxListed)), File); s == nil {
		t.Errorf("as many patterns as may be: %v", diags)
	}
	if s, diags := Parse([]byte("#"+strings.Repeat(" ", maxSize-1)), File); s == nil {
		t.Errorf("as much text as may be: %v", diags)
	}
}

// memory is a tree whose Stat does not follow links; fstest's has none.
type memory struct{ fstest.MapFS }

func (m memory) Stat(name string) (fs.FileInfo, error) { return m.MapFS.Lstat(name) }

func TestLoad(t *testing.T) {
	link := &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("elsewhere")}
	for name, c := range map[string]struct {
		tree fstest.MapFS
		want string
	}{
		"nothing":                  {fstest.MapFS{}, "new []"},
		"no file":                  {fstest.MapFS{".github/x": {}}, "new []"},
		"a file":                   {fstest.MapFS{File: {Data: []byte(`fail-on = "any"`)}}, "any []"},
		"a wrong file":             {fstest.MapFS{File: {Data: []byte(`fail-on = 5`)}}, "none [wrong-type]"},
		"a large file":             {fstest.MapFS{File: {Data: make([]byte, maxSize+1)}}, "none [file-too-large]"},
		"a link":                   {fstest.MapFS{File: link, ".github/elsewhere": {}}, "none [not-a-regular-file]"},
		"a link of the directory":  {fstest.MapFS{".github": link, "elsewhere/redline.hcl": {}}, "none [not-a-regular-file]"},
		"a directory":              {fstest.MapFS{File + "/x": {}}, "none [not-a-regular-file]"},
		"a device":                 {fstest.MapFS{File: {Mode: fs.ModeDevice}}, "none [not-a-regular-file]"},
		"a submodule":              {fstest.MapFS{".github": {Mode: fs.ModeIrregular}}, "none [not-a-regular-file]"},
		"a file for the directory": {fstest.MapFS{".github": {}}, "new []"},
		"another case of letters":  {fstest.MapFS{".github/Redline.hcl": {Data: []byte("x")}}, "new []"},
	} {
		t.Run(name, func(t *testing.T) {
			s, src, diags, err := Load(memory{c.tree}, "shown")
			got := "none"
			if s != nil {
				got = s.failOn
			}
			if got = fmt.Sprint(got, " ", codesOf(diags)); err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
			for _, d := range diags {
				if d.Subject.Filename != "shown" {
					t.Errorf("at %v", d.Subject)
				}
			}
			if strings.Contains(name, "link") && src != nil {
				t.Error("a link was followed")
			}
		})
	}
}

// failing is a tree that can't say what it holds.
type failing struct{ fstest.MapFS }

var errMissing = errors.New("not in this clone")

func (failing) Stat(string) (fs.FileInfo, error) { return nil, errMissing }

// A tree that fails is no tree without settings.
func TestLoadFails(t *testing.T) {
	if s, _, _, err := Load(failing{}, File); s != nil || !errors.Is(err, errMissing) {
		t.Errorf("settings %v, error %v", s, err)
	}
}

// Every code of this package has a page; its first example makes that mistake and no other, its second none.
func TestPages(t *testing.T) {
	for _, code := range []codes.Code{codeBlockTwice, codeNotLiteral, codeRefused, codeBadPattern, codeTooMany} {
		page, ok := codes.Lookup(code)
		if !ok || page.Class != codes.Error {
			t.Errorf("%s: page %t, class %s", code, ok, page.Class)
			continue
		}
		fences := strings.Split(page.Text, "```hcl\n")[1:]
		if code == codeTooMany {
			continue // it would be long
		}
		if len(fences) != 2 {
			t.Errorf("%s has %d examples", code, len(fences))
			continue
		}
		for i, want := range []string{string(code), ""} {
			text, _, _ := strings.Cut(fences[i], "```")
			_, diags := Parse([]byte(text), File)
			for _, d := range diags {
				if string(diag.CodeOf(d)) != want {
					t.Errorf("%s, example %d: %s: %s", code, i+1, diag.CodeOf(d), d.Summary)
				}
			}
			if len(diags) == 0 && want != "" {
				t.Errorf("%s: its mistake is none", code)
			}
		}
	}
}

// The reference names every setting with its default.
func TestReference(t *testing.T) {
	raw, err := os.ReadFile(filepath.FromSlash("../README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(raw), "\n## Settings of a repository\n")
	if !ok {
		t.Fatal("there is no reference")
	}
	for _, s := range Default().List() {
		row := "| `" + s.Name + "` |"
		if !strings.Contains(text, row) {
			t.Errorf("nothing on %s", s.Name)
		}
		line, _, _ := strings.Cut(text[strings.Index(text, row)+1:], "\n")
		if !strings.HasSuffix(line, fmt.Sprintf("| `%s` |", shownDefault(s.Value))) {
			t.Errorf("%s: the default is %s, in %s", s.Name, shownDefault(s.Value), line)
		}
	}
	examples := strings.Split(text, "```hcl settings\n")[1:]
	if len(examples) < 2 {
		t.Errorf("%d examples", len(examples))
	}
	for _, e := range examples {
		example, _, _ := strings.Cut(e, "```")
		if _, diags := Parse([]byte(example), File); diags != nil {
			t.Errorf("%s\n%v", example, diags)
		}
	}
}

func shownDefault(v any) string {
	switch v := v.(type) {
	case string:
		return `"` + v + `"`
	case []string:
		return "[]"
	}
	return fmt.Sprint(v)
}
