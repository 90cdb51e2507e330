package main

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"
)

// A siteMap knows where on the site each heading of each text is.
type siteMap struct {
	repository fs.FS
	targets    map[string]map[string]string // of a source, the URL of each of its anchors; of "", that of its first file
}

// newMap returns the map of the parts of all texts.
func newMap(repository fs.FS, parts []*part) *siteMap {
	m := &siteMap{repository, map[string]map[string]string{}}
	for _, p := range parts {
		of := m.targets[p.Source]
		if of == nil {
			of = map[string]string{"": p.url}
			m.targets[p.Source] = of
			if path.Base(p.Source) == "README.md" {
				m.targets[path.Dir(p.Source)] = of
			}
		}
		for id := range p.ids {
			of[id] = p.url + "#" + id
		}
		if p.section != "" {
			of[p.section] = p.url
		}
	}
	return m
}

// lead returns where a link of a part leads: to another place of the site, to a file of the repository on GitHub, or out of both.
func (m *siteMap) lead(p *part, to string) (string, error) {
	if strings.HasPrefix(to, "https://") {
		return to, nil
	}
	name, anchor, _ := strings.Cut(to, "#")
	target := p.Source
	if name != "" {
		target = path.Join(p.folder(), name)
	}
	of, ok := m.targets[target]
	if !ok {
		return m.onGitHub(p, to, target)
	}
	url, ok := of[anchor]
	if !ok {
		return "", fmt.Errorf("%s: the link %s leads to a page that has no such heading", p.Source, to)
	}
	if in, here := strings.CutPrefix(url, p.url+"#"); here {
		return "#" + in, nil
	}
	return relative(p.url, url), nil
}

// folder returns where the text's relative links begin.
func (p *page) folder() string {
	if p.Source == codesSource {
		return codesSource
	}
	return path.Dir(p.Source)
}

func (m *siteMap) onGitHub(p *part, link, target string) (string, error) {
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

// pictureTypes are the media types of the pictures that a page may have.
var pictureTypes = map[string]string{".svg": "image/svg+xml", ".png": "image/png"}

// picture returns a picture of the repository as a URL that holds all of it.
func (m *siteMap) picture(p *part, name string) (string, error) {
	raw, err := fs.ReadFile(m.repository, path.Join(p.folder(), name))
	kind := pictureTypes[path.Ext(name)]
	if err != nil || kind == "" {
		return "", fmt.Errorf("%s: the picture %s is not there, or no SVG or PNG", p.Source, name)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(raw), nil
}

func relative(from, to string) string {
	rel, err := filepath.Rel(path.Dir(from), to)
	if err != nil {
		panic(err) // both are ours, and relative
	}
	return filepath.ToSlash(rel)
}
