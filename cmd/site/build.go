package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"
)

//go:embed page.html
var pageText string

//go:embed style.css
var style string

var layout = template.Must(template.New("page").Parse(pageText))

// source is where the files of the repository are read that are no pages.
const source = "https://github.com/redlinehq/redline/"

// A view is what the template sees.
type view struct {
	Title        string
	Home, Top    bool // the first page; a page that stands in the navigation
	Body         template.HTML
	Nav          []link
	Contents     []heading
	Back, Onward link
	Root         string // from the page to the site's top
	Source       string
	Style        template.CSS
	Policy       string
}

type link struct {
	URL, Text string
	Here      bool
}

// build makes the files of the site, by name. An error says which link of which file leads nowhere.
func build(repository fs.FS) (map[string][]byte, error) {
	pages, err := readPages(repository)
	if err != nil {
		return nil, err
	}
	m := newMap(repository, pages)
	site := map[string][]byte{}
	var wrong []error
	for i := range pages {
		html, err := m.page(&pages[i])
		if err != nil {
			wrong = append(wrong, err)
		}
		site[pages[i].URL] = html
	}
	wrong = append(wrong, m.lost()...)
	return site, errors.Join(wrong...)
}

func (m *siteMap) page(p *page) ([]byte, error) {
	body, err := m.render(p)
	if err != nil {
		return nil, err
	}
	v := view{Title: body.title, Home: p.URL == "index.html", Body: template.HTML(body.html), Contents: body.headings, Root: strings.Repeat("../", strings.Count(p.URL, "/")),
		Source: source + "blob/main/" + p.Source, Style: template.CSS(style), Policy: policy()}
	if p.Source == codesSource {
		v.Source = source + "tree/main/" + p.Source
	}
	v.around(p)
	var b bytes.Buffer
	if err := layout.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Source, err)
	}
	return b.Bytes(), nil
}

// around is what lies before and after a page, and the whole navigation.
func (v *view) around(p *page) {
	for i, s := range sources {
		if s.Nav != "" {
			here := s.URL == p.URL || s.URL == codesURL && path.Dir(p.URL) == "codes"
			v.Nav = append(v.Nav, link{v.Root + s.URL, s.Nav, here})
		}
		if s.URL != p.URL {
			continue
		}
		if i > 1 {
			v.Back = link{URL: v.Root + sources[i-1].URL, Text: sources[i-1].Nav}
		}
		if i+1 < len(sources) {
			v.Onward = link{URL: v.Root + sources[i+1].URL, Text: sources[i+1].Nav}
		}
	}
}

// policy lets a page have its own style and pictures within itself, and nothing else, whatever gets into it.
func policy() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; img-src data:; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}
