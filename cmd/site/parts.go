package main

import (
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A part is one file of the site: a page, or a section of a page that is split.
type part struct {
	*page
	url      string
	section  string // the heading that became the part's title; empty: the page's own
	title    string
	body     *ast.Document
	raw      []byte
	ids      map[string]bool // of its headings
	headings []heading       // of level 2 and 3
}

// A heading is an entry in a table of contents.
type heading struct {
	Level    int
	ID, Text string
}

// partsOf parses a page, and splits it if it is one of many sections. Identifiers are those of the whole page, as GitHub gives them.
func partsOf(p *page) []*part {
	raw := []byte(p.Text)
	doc := converter.Parser().Parse(text.NewReader(raw), parser.WithContext(parser.NewContext(parser.WithIDs(anchors{}))))
	first := &part{page: p, url: p.URL, body: ast.NewDocument(), raw: raw, ids: map[string]bool{}}
	all := []*part{first}
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		into := all[len(all)-1]
		if h, ok := n.(*ast.Heading); ok && p.Split {
			if h.Level == 2 {
				into = &part{page: p, url: path.Join(path.Dir(p.URL), idOf(h)+".html"), section: idOf(h), body: ast.NewDocument(), raw: raw, ids: map[string]bool{}}
				all = append(all, into)
			}
			if into != first {
				h.Level--
			}
		}
		doc.RemoveChild(doc, n)
		into.body.AppendChild(into.body, n)
		n = next
	}
	for _, into := range all {
		into.note()
	}
	return all
}

// note collects the headings of a part.
func (p *part) note() {
	for n := p.body.FirstChild(); n != nil; n = n.NextSibling() {
		h, ok := n.(*ast.Heading)
		if !ok {
			continue
		}
		words := inline(h, p.raw)
		p.ids[idOf(h)] = true
		if h.Level == 1 && p.title == "" {
			p.title = words
		}
		if h.Level == 2 || h.Level == 3 {
			p.headings = append(p.headings, heading{h.Level, idOf(h), words})
		}
	}
}

const longest = 160 // characters of a description, about what search engines show

// description returns the beginning of the first paragraph, up to the end of a word.
func (p *part) description() string {
	for n := p.body.FirstChild(); n != nil; n = n.NextSibling() {
		if n.Kind() != ast.KindParagraph {
			continue
		}
		return shortened(inline(n, p.raw))
	}
	return p.title
}

// shortened returns the beginning of a text as a description.
func shortened(text string) string {
	short := ""
	for i, w := range strings.Fields(text) {
		if len(short)+len(w) >= longest-2 {
			return short + " …"
		}
		if i > 0 {
			short += " "
		}
		short += w
	}
	return short
}

func idOf(n *ast.Heading) string {
	id, _ := n.AttributeString("id")
	raw, _ := id.([]byte)
	return string(raw)
}

// inline returns the words of a node without its marks.
func inline(n ast.Node, raw []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			b.WriteString(inline(c, raw))
			continue
		}
		b.Write(t.Value(raw))
		if t.SoftLineBreak() || t.HardLineBreak() {
			b.WriteByte(' ')
		}
	}
	return b.String()
}
