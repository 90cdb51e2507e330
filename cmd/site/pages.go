package main

import (
	"fmt"
	"io/fs"
	"strings"

	"github.com/redlinehq/redline/hclspec/codes"
)

// A page is one file of the site, and the Markdown it is made of.
type page struct {
	URL    string // relative to the site's top
	Source string // relative to the repository's top
	Nav    string // what the navigation calls it; empty: it is not there
	Text   string // Markdown
}

// sources are the pages in the order of the navigation, whose Text is a file of the repository.
var sources = []page{
	{URL: "index.html", Source: ".github/docs/README.md"},
	{URL: "tutorial.html", Source: ".github/docs/tutorial.md", Nav: "Tutorial"},
	{URL: "counsel.html", Source: ".github/docs/counsel.md", Nav: "For counsel"},
	{URL: "github.html", Source: ".github/docs/github.md", Nav: "On GitHub"},
	{URL: "manual.html", Source: "README.md", Nav: "Manual"},
	{URL: "language.html", Source: "hclspec/README.md", Nav: "Language"},
	{URL: "examples.html", Source: "hclspec/examples/README.md", Nav: "Examples"},
	{URL: "commands.html", Source: ".github/docs/commands.md", Nav: "Commands"},
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

// readPages are all pages of the site with their Markdown.
func readPages(repository fs.FS) ([]page, error) {
	var all []page
	for _, p := range sources {
		if p.Source == codesSource {
			p.Text = listOfCodes()
		} else {
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

// classes are the codes' classes, with what they do to a verdict.
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
	told := ""
	for _, k := range classes {
		if k.class == p.Class {
			told = k.what
		}
	}
	text := fmt.Sprintf("# %s\n\n`%s`\n\n%s\n\n%s", p.Title, c, told, p.Text)
	return page{URL: "codes/" + string(c) + ".html", Source: codesSource + "/" + string(c) + ".md", Text: text}
}
