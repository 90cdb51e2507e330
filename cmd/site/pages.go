package main

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/redlinehq/redline/hclspec/codes"
)

// A page is a text of the repository, and where the site shows it.
type page struct {
	URL    string // relative to the site's top
	Source string // relative to the repository's top
	Nav    string // name in the navigation; empty: it is not there
	Text   string // Markdown
	Split  bool   // each section of level 2 is a file of its own, in the folder of URL
}

// sources lists the pages in the order of the navigation.
var sources = []page{
	{URL: "index.html", Source: ".github/docs/README.md"},
	{URL: "tutorial.html", Source: ".github/docs/tutorial.md", Nav: "Tutorial"},
	{URL: "counsel.html", Source: ".github/docs/counsel.md", Nav: "For counsel"},
	{URL: galleryURL, Source: gallerySource, Nav: "Gallery"},
	{URL: "accepting.html", Source: ".github/docs/accepting.md"},
	{URL: "github.html", Source: ".github/docs/github.md", Nav: "On GitHub"},
	{URL: "manual.html", Source: ".github/docs/manual.md", Nav: "Manual"},
	{URL: "pictures.html", Source: ".github/docs/pictures.md"},
	{URL: "redlines.html", Source: ".github/docs/redlines.md"},
	{URL: "replay.html", Source: ".github/docs/replay.md"},
	{URL: "interchange.html", Source: ".github/docs/interchange.md"},
	{URL: "runners.html", Source: ".github/docs/runners.md"},
	{URL: "keeping-records.html", Source: ".github/docs/records.md"},
	{URL: "editor.html", Source: ".github/docs/editor.md"},
	{URL: "library.html", Source: ".github/docs/library.md"},
	{URL: "language/index.html", Source: "hclspec/README.md", Nav: "Language", Split: true},
	{URL: "examples.html", Source: "hclspec/examples/README.md", Nav: "Examples"},
	{URL: "commands/index.html", Source: ".github/docs/commands.md", Nav: "Commands", Split: true},
	{URL: codesURL, Source: codesSource, Nav: "Codes"},
	{URL: "records.html", Source: "report/record/README.md", Nav: "Records"},
	{URL: "theory.html", Source: ".github/docs/theory.md", Nav: "Theory"},
	{URL: "engine.html", Source: "engine/README.md", Nav: "Engine"},
}

// The codes' pages are what 'redline explain' says; their list is the folder of those.
const (
	codesURL    = "codes/index.html"
	codesSource = "hclspec/codes"
)

// readPages returns the pages of the site with their Markdown, but for that of the gallery.
func readPages(repository fs.FS) ([]page, error) {
	var all []page
	for _, p := range sources {
		switch p.Source {
		case codesSource:
			p.Text = listOfCodes()
		case gallerySource:
		default:
			text, err := fs.ReadFile(repository, p.Source)
			if err != nil {
				return nil, err
			}
			p.Text = string(text)
		}
		all = append(all, p)
	}
	for _, c := range codes.All() {
		all = append(all, pageOfCode(c))
	}
	return all, nil
}

// classes lists the classes of codes, with their effect on a verdict.
var classes = []struct {
	class       codes.Class
	title, what string
}{
	{codes.Error, "Errors", "An error: the text is ill-formed, no requirement gets a verdict, and the exit status is 2."},
	{codes.Violation, "Violations", "A violation: it counts like a requirement that fails, and the exit status is 1."},
	{codes.Warning, "Warnings", "A warning: a remark, which leaves the exit status as it is."},
}

func listOfCodes() string {
	var b strings.Builder
	b.WriteString("# Codes\n\nWhat redline says of a contract without being asked has a code, which never changes once it is released. " +
		"`redline explain CODE` says what stands here. A violation or a warning that is meant so can be [accepted](../README.md#accept).\n")
	for _, c := range classes {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| code | what it says |\n|---|---|\n", c.title, c.what)
		for _, code := range codes.All() {
			if p, _ := codes.Lookup(code); p.Class == c.class {
				fmt.Fprintf(&b, "| [`%s`](%s.md) | %s |\n", code, code, p.Title)
			}
		}
	}
	return b.String()
}

func pageOfCode(c codes.Code) page {
	p, _ := codes.Lookup(c)
	effect := ""
	for _, k := range classes {
		if k.class == p.Class {
			effect = k.what
		}
	}
	text := fmt.Sprintf("# %s\n\n`%s`\n\n%s\n\n%s", p.Title, c, effect, p.Text)
	return page{URL: "codes/" + string(c) + ".html", Source: codesSource + "/" + string(c) + ".md", Text: text}
}
