package main

import (
	"context"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/examples"
)

// wholeSite is built as the workflow builds it; build itself refuses links that lead nowhere.
func wholeSite(t *testing.T) map[string][]byte {
	t.Helper()
	site, err := builtOnce()
	if err != nil {
		t.Fatal(err)
	}
	return site
}

var builtOnce = sync.OnceValues(func() (map[string][]byte, error) {
	g, err := reviewExamples(context.Background())
	if err != nil {
		return nil, err
	}
	return build(os.DirFS("../.."), g)
})

// isReport says which files are pages of 'redline report', with tests of their own.
func isReport(name string) bool { return path.Dir(name) == "gallery" && name != galleryURL }

// An element is what a test asks of one.
type element struct {
	name       string
	attributes map[string]string
}

// elementsOf reads a page strictly: what is not closed, or closed twice, is an error.
func elementsOf(t *testing.T, name string, page []byte) (all []element) {
	t.Helper()
	if isReport(name) {
		return nil
	}
	text := strings.TrimPrefix(string(page), "<!DOCTYPE html>\n")
	if name == searchURL {
		text = strings.Replace(text, "<script>"+searchScript+"</script>", "<script></script>", 1)
	}
	d := xml.NewDecoder(strings.NewReader(text))
	d.Entity = xml.HTMLEntity
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if e, ok := token.(xml.StartElement); ok {
			found := element{e.Name.Local, map[string]string{}}
			for _, a := range e.Attr {
				found.attributes[a.Name.Local] = a.Value
			}
			all = append(all, found)
		}
	}
}

// Every link of every page leads to a file that is written and an id that is there, and each id is there once.
func TestLinksLead(t *testing.T) {
	site := wholeSite(t)
	ids := map[string]map[string]bool{}
	links := 0
	for name, page := range site {
		ids[name] = map[string]bool{"": true}
		for _, e := range elementsOf(t, name, page) {
			if id := e.attributes["id"]; id != "" && ids[name][id] {
				t.Errorf("%s: the id %s is there twice", name, id)
			}
			ids[name][e.attributes["id"]] = true
		}
	}
	for name, page := range site {
		for _, e := range elementsOf(t, name, page) {
			to, ok := e.attributes["href"]
			if !ok || strings.HasPrefix(to, "https://") {
				continue
			}
			links++
			file, id, _ := strings.Cut(to, "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if ids[target] == nil || !ids[target][id] {
				t.Errorf("%s: %s leads nowhere", name, to)
			}
		}
	}
	if links < 1000 || len(site) < len(codes.All())+len(sources) {
		t.Errorf("%d links on %d pages", links, len(site))
	}
}

// Every page is whole by itself: it runs nothing but the search, fetches nothing, and says so to the browser.
func TestPagesStandAlone(t *testing.T) {
	for name, page := range wholeSite(t) {
		if isReport(name) {
			continue
		}
		policies, headings, titles := 0, 0, 0
		for _, e := range elementsOf(t, name, page) {
			switch e.name {
			case "script":
				if name != searchURL {
					t.Errorf("%s runs a script", name)
				}
			case "iframe", "object", "embed", "form", "link", "base":
				t.Errorf("%s has an element %s", name, e.name)
			case "h1":
				headings++
			case "title":
				titles++
			case "meta":
				if e.attributes["http-equiv"] == "Content-Security-Policy" && strings.HasPrefix(e.attributes["content"], "default-src 'none'; ") {
					policies++
				}
			}
			for attribute := range e.attributes {
				if strings.HasPrefix(attribute, "on") || attribute == "style" {
					t.Errorf("%s: <%s %s>", name, e.name, attribute)
				}
			}
			if src, ok := e.attributes["src"]; ok && !strings.HasPrefix(src, "data:image/") || e.name == "img" && e.attributes["alt"] == "" {
				t.Errorf("%s fetches %q, or does not say what it shows", name, src)
			}
		}
		if policies != 1 || headings != 1 || titles != 1 {
			t.Errorf("%s: %d policies, %d headings of the first level, %d titles", name, policies, headings, titles)
		}
		if strings.Contains(string(page), "raw HTML omitted") || !strings.Contains(string(page), "<style>"+style+"</style>") {
			t.Errorf("%s is not what its source says, or its style not that of its policy", name)
		}
	}
}

// Each code has a page with what 'redline explain' says, and is in the list.
func TestEveryCodeHasItsPage(t *testing.T) {
	site := wholeSite(t)
	for _, c := range codes.All() {
		if site["codes/"+string(c)+".html"] == nil || !strings.Contains(string(site[codesURL]), `href="`+string(c)+`.html"`) {
			t.Errorf("%s has no page, or is not listed", c)
		}
	}
}

// Links of all Markdown files lead somewhere, also of those that are no pages.
func TestMarkdownLinksLead(t *testing.T) {
	repository := os.DirFS("../..")
	pages, err := readPages(repository)
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(repository, ".", func(name string, e fs.DirEntry, err error) error {
		known := slices.ContainsFunc(pages, func(p page) bool { return p.Source == name })
		if err != nil || known || path.Ext(name) != ".md" || strings.Contains(name, "testdata/") {
			return err
		}
		text, err := fs.ReadFile(repository, name)
		text = badge.ReplaceAllFunc(text, func(b []byte) []byte {
			if !isTrue(repository, string(badge.FindSubmatch(b)[2])) {
				t.Errorf("%s: the badge %s is not true, or not known", name, b)
			}
			return badge.FindSubmatch(b)[1]
		})
		for _, m := range drawn.FindAllSubmatch(text, -1) {
			if _, err := fs.Stat(repository, path.Join(path.Dir(name), string(m[1]))); err != nil {
				t.Error(err)
			}
		}
		pages = append(pages, page{URL: name, Source: name, Text: string(text)})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var parts []*part
	for i := range pages {
		parts = append(parts, partsOf(&pages[i])...)
	}
	m := newMap(repository, parts)
	for _, p := range parts {
		if _, err := m.render(p); err != nil {
			t.Error(err)
		}
	}
}

// badge matches a picture that another server draws, and drawn the file of one in HTML.
var (
	badge = regexp.MustCompile(`!\[([^\]]+)\]\((https://[^)]+)\)`)
	drawn = regexp.MustCompile(`<(?:img|source)\b[^>]*\bsrc(?:set)?="([^"]+)"`)
)

// isTrue reports whether what a badge says of the repository is so: that there is such a workflow, such a package, such a licence.
func isTrue(repository fs.FS, url string) bool {
	const module = "github.com/redlinehq/redline/"
	if workflow, ok := strings.CutPrefix(url, "https://"+module+"actions/workflows/"); ok {
		_, err := fs.Stat(repository, ".github/workflows/"+strings.TrimSuffix(workflow, "/badge.svg"))
		return err == nil
	}
	if pkg, ok := strings.CutPrefix(url, "https://pkg.go.dev/badge/"+module); ok {
		_, err := fs.Stat(repository, strings.TrimSuffix(pkg, ".svg")+"/doc.go")
		return err == nil
	}
	licence, err := fs.ReadFile(repository, "LICENSE")
	return err == nil && url == "https://img.shields.io/badge/licence-Apache--2.0-blue.svg" && strings.Contains(string(licence), "Apache License\n                           Version 2.0")
}

func TestLostLinksAreRefused(t *testing.T) {
	whole := fstest.MapFS{}
	for _, s := range sources {
		if s.Source != codesSource && s.Source != gallerySource {
			whole[s.Source] = &fstest.MapFile{Data: []byte("# x\n")}
		}
	}
	whole["hclspec/README.md"] = &fstest.MapFile{Data: []byte("# x\n\n## accept\n")}
	for link, want := range map[string]string{
		"nowhere.md":                     ".github/docs/theory.md: the link nowhere.md leads nowhere",
		"../../hclspec/README.md#acept":  "no such heading",
		"javascript:alert(1)":            "leads nowhere",
		"http://example.com":             "leads nowhere",
		"../../../etc/passwd":            "leads nowhere",
		"../../hclspec/README.md#accept": "",
	} {
		whole[".github/docs/theory.md"] = &fstest.MapFile{Data: []byte("# x\n\n[y](" + link + ")\n")}
		_, err := build(whole, gallery{})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v", link, err)
		}
	}
}

// What is written is what was built, twice the same.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if err := run(os.DirFS("../.."), dir); err != nil {
			t.Fatal(err)
		}
		site := wholeSite(t)
		for _, name := range slices.Sorted(maps.Keys(site)) {
			got, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
			if err != nil || string(got) != string(site[name]) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The names of headings are those that GitHub gives them.
func TestAnchors(t *testing.T) {
	a := anchors{}
	for _, c := range [][2]string{
		{"What is checked without asking", "what-is-checked-without-asking"}, {"redline verify-certificate", "redline-verify-certificate"},
		{"How to read `--stats`", "how-to-read---stats"}, {"Notes", "notes"}, {"Notes", "notes-1"}, {"What `redline check net.pnml` decides", "what-redline-check-netpnml-decides"},
	} {
		if got := string(a.Generate([]byte(c[0]), 0)); got != c[1] {
			t.Errorf("%q: %s, want %s", c[0], got, c[1])
		}
	}
}

// Each section of a page that is split has a file, whose links and anchors are those of the whole.
func TestSplit(t *testing.T) {
	p := page{URL: "manual/index.html", Source: "manual.md", Split: true, Text: "# Manual\n\nWhat it is.\n\n## One\n\n### More\n\nSee [two](#two), [more](#more) and [more of two](#more-1).\n\n## Two\n\n### More\n"}
	parts := partsOf(&p)
	m := newMap(fstest.MapFS{}, parts)
	var got strings.Builder
	for _, part := range parts {
		html, err := m.render(part)
		if err != nil {
			t.Fatal(err)
		}
		got.WriteString(part.url + " " + part.title + "\n" + html)
	}
	want := `manual/index.html Manual
<h1 id="manual">Manual</h1>
<p>What it is.</p>
manual/one.html One
<h1 id="one">One</h1>
<h2 id="more">More</h2>
<p>See <a href="two.html">two</a>, <a href="#more">more</a> and <a href="two.html#more-1">more of two</a>.</p>
manual/two.html Two
<h1 id="two">Two</h1>
<h2 id="more-1">More</h2>
`
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// A description is the first paragraph, up to the end of a word; a passage has the words of code and tables, too.
func TestPassages(t *testing.T) {
	p := page{URL: "a.html", Text: "# A\n\nOne `two`\n[three](https://x.example).\n\n```sh\nfour\n```\n\n## B\n\n| five |\n|---|\n| six |\n\n- seven\n"}
	part := partsOf(&p)[0]
	if got := part.description(); got != "One two three." {
		t.Errorf("described as %q", got)
	}
	got, want := part.passages(), []passage{{"a.html", "A", "One two three. four"}, {"a.html#b", "B – A", "five six seven"}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	long := page{Text: "# A\n\n" + strings.Repeat("word ", 100)}
	if got := partsOf(&long)[0].description(); len(got) > longest+2 || !strings.HasSuffix(got, "word …") {
		t.Errorf("described as %q", got)
	}
}

// The gallery says of each amendment what the review says, and leads to it.
func TestGallery(t *testing.T) {
	site := wholeSite(t)
	for _, a := range examples.Amendments {
		if report := string(site["gallery/"+a.Name+".html"]); !strings.Contains(report, "The amendment breaks ") {
			t.Errorf("%s: no promise is broken", a.Name)
		}
		if !strings.Contains(string(site[galleryURL]), `href="`+a.Name+`.html"`) {
			t.Errorf("%s is not in the gallery", a.Name)
		}
	}
}

// A report has a title and a description that no other page has, and leads back to the gallery and to the first page.
func TestReportsBelongToTheSite(t *testing.T) {
	site := wholeSite(t)
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(site)) {
		head, _, _ := strings.Cut(string(site[name]), "<style>")
		title, description := titled.FindStringSubmatch(head), described.FindStringSubmatch(head)
		if title == nil || description == nil {
			t.Errorf("%s has no title, or no description", name)
			continue
		}
		for _, is := range []string{title[0], description[0]} {
			if other := seen[is]; other != "" && (isReport(name) || isReport(other)) {
				t.Errorf("%s and %s both have %s", name, other, is)
			}
			seen[is] = name
		}
		if !isReport(name) {
			continue
		}
		if n := len([]rune(description[1])); n > longest || !strings.HasSuffix(title[1], " – redline") {
			t.Errorf("%s: %s, %s (%d characters)", name, title[1], description[1], n)
		}
		for _, url := range []string{"index.html", galleryURL} {
			if site[url] == nil || !strings.Contains(string(site[name]), `<a href="`+relative(name, url)+`">`) {
				t.Errorf("%s does not lead to %s", name, url)
			}
		}
	}
}

var (
	titled    = regexp.MustCompile(`<title>([^<]+)</title>`)
	described = regexp.MustCompile(`<meta name="description" content="([^"]+)"`)
)

const aScreen = 400 // words, about what a wide screen shows

// A page of the manual that is longer than a screen has a table of contents. The first page leads to the others instead.
func TestLongPagesHaveContents(t *testing.T) {
	site := wholeSite(t)
	for _, s := range sources[1:] {
		if path.Dir(s.Source) != ".github/docs" || s.Split {
			continue
		}
		text, err := os.ReadFile(filepath.Join("../..", filepath.FromSlash(s.Source)))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(strings.Fields(string(text))); n > aScreen && !strings.Contains(string(site[s.URL]), `<nav class="contents"`) {
			t.Errorf("%s has %d words, and no table of contents", s.URL, n)
		}
	}
}
