package main

import (
	_ "embed"
	"encoding/json"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// The page that searches the others runs the site's only script, over an index that it contains: it works from a disk, too.
const searchURL = "search.html"

//go:embed search.js
var searchScript string

const searchText = `<h1>Search</h1>
<p><label for="query">All of these words:</label> <input id="query" type="search" autocomplete="off" /></p>
<p id="count" role="status"></p>
<ol id="hits"></ol>
<noscript><p>Searching needs a script, which this browser does not run. Every page is in the navigation above.</p></noscript>
`

// A passage is what the search looks through: a heading and the text up to the next one.
type passage struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// index returns the passages of all parts as JSON.
func index(parts []*part) (string, error) {
	var all []passage
	for _, p := range parts {
		all = append(all, p.passages()...)
	}
	raw, err := json.Marshal(all) // escapes <, > and &
	return string(raw), err
}

// passages cuts a part at its headings.
func (p *part) passages() []passage {
	all := []passage{{URL: p.url, Title: p.title}}
	for n := p.body.FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok {
			if h.Level > 1 {
				all = append(all, passage{URL: p.url + "#" + idOf(h), Title: inline(h, p.raw) + " – " + p.title})
			}
			continue
		}
		last := &all[len(all)-1]
		last.Text = strings.TrimSpace(last.Text + " " + strings.Join(strings.Fields(blockText(n, p.raw)), " "))
	}
	return all
}

// blockText returns the words of a block and of the blocks in it.
func blockText(n ast.Node, raw []byte) string {
	if n.FirstChild() == nil && n.Type() == ast.TypeBlock {
		return string(n.Lines().Value(raw))
	}
	if n.FirstChild() != nil && n.FirstChild().Type() == ast.TypeInline {
		return inline(n, raw)
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(blockText(c, raw) + " ")
	}
	return b.String()
}
