package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// A siteMap knows where everything is: pages, their headings, and who links to which.
type siteMap struct {
	repository fs.FS
	urls       map[string]string          // of a source
	anchors    map[string]map[string]bool // of a page's URL
	links      []lead
}

// A lead is a link from one page to a heading of another, or of the same.
type lead struct{ source, text, url, anchor string }

func newMap(repository fs.FS, pages []page) *siteMap {
	m := &siteMap{repository: repository, urls: map[string]string{}, anchors: map[string]map[string]bool{}}
	for _, p := range pages {
		m.urls[p.Source] = p.URL
		if path.Base(p.Source) == "README.md" {
			m.urls[path.Dir(p.Source)] = p.URL
		}
		m.anchors[p.URL] = map[string]bool{"": true}
	}
	return m
}

func (m *siteMap) found(p *page, n *ast.Heading) { m.anchors[p.URL][idOf(n)] = true }

// lead says where a link of a page leads: to a page of the site, to a file of the repository on GitHub, or out of both.
func (m *siteMap) lead(p *page, to string) (string, error) {
	if strings.HasPrefix(to, "https://") {
		return to, nil
	}
	name, anchor, _ := strings.Cut(to, "#")
	target := p.Source
	if name != "" {
		target = path.Join(m.folder(p), name)
	}
	url, ok := m.urls[target]
	if !ok {
		return m.onGitHub(p, to, target)
	}
	m.links = append(m.links, lead{p.Source, to, url, anchor})
	if anchor != "" {
		anchor = "#" + anchor
	}
	if url == p.URL && anchor != "" {
		return anchor, nil
	}
	return relative(p.URL, url) + anchor, nil
}

// folder is where a page's relative links begin.
func (m *siteMap) folder(p *page) string {
	if p.Source == codesSource {
		return codesSource
	}
	return path.Dir(p.Source)
}

func (m *siteMap) onGitHub(p *page, link, target string) (string, error) {
	info, err := fs.Stat(m.repository, target)
	if err != nil {
		return "", fmt.Errorf("%s: the link %s leads nowhere", p.Source, link)
	}
	kind := "blob"
	if info.IsDir() {
		kind = "tree"
	}
	return source + kind + "/main/" + target, nil
}

// picture is a file of the repository as a URL that holds all of it.
func (m *siteMap) picture(p *page, name string) (string, error) {
	raw, err := fs.ReadFile(m.repository, path.Join(m.folder(p), name))
	if err != nil || path.Ext(name) != ".svg" {
		return "", fmt.Errorf("%s: the picture %s is not there, or no SVG", p.Source, name)
	}
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(raw), nil
}

func relative(from, to string) string {
	rel, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		panic(err) // both are ours, and relative
	}
	return filepath.ToSlash(rel)
}

// lost are the links to headings that no page has.
func (m *siteMap) lost() []error {
	var all []error
	for _, l := range m.links {
		if !m.anchors[l.url][l.anchor] {
			all = append(all, fmt.Errorf("%s: the link %s leads to a page that has no such heading", l.source, l.text))
		}
	}
	return all
}
