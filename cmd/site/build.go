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
	"maps"
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
	Title, Of, Description string
	Home                   bool // the first page
	Body                   template.HTML
	Nav                    []link
	Contents               []entryOf
	Back, Onward           link
	Root                   string // from the page to the site's top
	Source                 string
	Style                  template.CSS
	Script, Index          template.JS // of the page that searches
	Policy                 string
}

type link struct {
	URL, Text string
	Here      bool
}

// An entryOf is a line of a table of contents.
type entryOf struct {
	link
	Level int
}

// build makes the files of the site, by name, of the repository's texts and the gallery. An error says which link of which file leads nowhere.
func build(repository fs.FS, g gallery) (map[string][]byte, error) {
	pages, err := readPages(repository)
	if err != nil {
		return nil, err
	}
	site := map[string][]byte{}
	maps.Copy(site, g.reports)
	var parts []*part
	for i := range pages {
		if pages[i].Source == gallerySource {
			pages[i].Text = g.text
		}
		parts = append(parts, partsOf(&pages[i])...)
	}
	m := newMap(repository, parts)
	for url := range g.reports {
		m.targets[path.Join(path.Dir(gallerySource), url)] = map[string]string{"": url}
	}
	var wrong []error
	for i, p := range parts {
		if site[p.url], err = m.page(p, parts, i); err != nil {
			wrong = append(wrong, err)
		}
	}
	if site[searchURL], err = search(parts); err != nil {
		wrong = append(wrong, err)
	}
	return site, errors.Join(wrong...)
}

// page writes part i of all.
func (m *siteMap) page(p *part, all []*part, i int) ([]byte, error) {
	body, err := m.render(p)
	if err != nil {
		return nil, err
	}
	v := view{Title: p.title, Description: p.description(), Home: p.url == "index.html", Body: template.HTML(body), Source: source + "blob/main/" + p.Source}
	if p.Source == codesSource {
		v.Source = source + "tree/main/" + p.Source
	}
	if p.section != "" {
		v.Of = p.Nav
	}
	v.Contents = contents(p, all)
	v.turn(all, i)
	return v.write(p.page, p.url)
}

// search writes the page that searches all parts.
func search(parts []*part) ([]byte, error) {
	found, err := index(parts)
	if err != nil {
		return nil, err
	}
	v := view{Title: "Search", Description: "Search the documentation of redline.", Body: searchText, Source: source + "tree/main/cmd/site", Script: template.JS(searchScript), Index: template.JS(found)}
	return v.write(nil, searchURL)
}

// write executes the template. of is the page that the navigation marks.
func (v *view) write(of *page, url string) ([]byte, error) {
	v.Root = strings.Repeat("../", strings.Count(url, "/"))
	v.Style, v.Policy = template.CSS(style), policy(string(v.Script))
	for _, s := range sources {
		if s.Nav != "" {
			here := of != nil && (s.URL == of.URL || s.URL == codesURL && path.Dir(of.URL) == "codes")
			v.Nav = append(v.Nav, link{v.Root + s.URL, s.Nav, here})
		}
	}
	v.Nav = append(v.Nav, link{v.Root + searchURL, "Search", url == searchURL})
	var b bytes.Buffer
	if err := layout.Execute(&b, v); err != nil {
		return nil, fmt.Errorf("%s: %w", url, err)
	}
	return b.Bytes(), nil
}

// contents lists the headings of a part, among the other sections of its page if that is split.
func contents(p *part, all []*part) []entryOf {
	var list []entryOf
	for _, h := range p.headings {
		list = append(list, entryOf{link{URL: "#" + h.ID, Text: h.Text}, h.Level})
	}
	if !p.Split {
		return list
	}
	var sections []entryOf
	for _, o := range all {
		if o.page != p.page || o.section == "" {
			continue
		}
		sections = append(sections, entryOf{link{relative(p.url, o.url), o.title, o == p}, 2})
		if o == p {
			for _, e := range list {
				e.Level++
				sections = append(sections, e)
			}
		}
	}
	return sections
}

// turn links to the part before and after part i: the next section of a page that is split, or the next page of the navigation.
func (v *view) turn(all []*part, i int) {
	root := all[i].root()
	if i > 1 && (all[i-1].page == all[i].page || all[i].Nav != "") {
		v.Back = link{URL: root + all[i-1].url, Text: all[i-1].title}
	}
	if i+1 < len(all) && (all[i+1].page == all[i].page || all[i+1].Nav != "") {
		v.Onward = link{URL: root + all[i+1].url, Text: all[i+1].title}
	}
}

// policy lets a page have its own style, the pictures within it, and the script, if it has one; nothing else, whatever gets into it.
func policy(script string) string {
	allowed := ""
	if script != "" {
		allowed = "script-src 'sha256-" + digest(script) + "'; "
	}
	return "default-src 'none'; " + allowed + "img-src data:; style-src 'sha256-" + digest(style) + "'; base-uri 'none'; form-action 'none'"
}

func digest(s string) string {
	sum := sha256.Sum256([]byte(s))
	return base64.StdEncoding.EncodeToString(sum[:])
}
