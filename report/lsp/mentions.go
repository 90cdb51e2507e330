package lsp

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
)

// A mention is a name somewhere in the text and the element it means.
type mention struct {
	at hcl.Range // only file and bytes
	to *hclspec.Element
}

// A namesake finds elements by name.
type namesake struct {
	at    map[hcl.Range]*hclspec.Element // by header, and by name in it
	outer map[string][]*hclspec.Element
	inner map[*hclspec.Element]map[string][]*hclspec.Element
	all   []*hclspec.Element
}

func nameAll(x *hclspec.Index) *namesake {
	n := &namesake{
		at: map[hcl.Range]*hclspec.Element{}, outer: map[string][]*hclspec.Element{},
		inner: map[*hclspec.Element]map[string][]*hclspec.Element{}, all: x.Elements,
	}
	for _, e := range x.Elements {
		n.at[e.At], n.at[e.Named] = e, e
		if e.Within == nil {
			n.outer[e.Name] = append(n.outer[e.Name], e)
			continue
		}
		if n.inner[e.Within] == nil {
			n.inner[e.Within] = map[string][]*hclspec.Element{}
		}
		n.inner[e.Within][e.Name] = append(n.inner[e.Within][e.Name], e)
	}
	return n
}

// mentioned collects what the loader has resolved, and what the text says besides, in formulas and in
// attributes that the loader keeps to itself.
func (r *reading) mentioned() []mention {
	var all []mention
	known := map[hcl.Pos]map[string]bool{}
	for _, ref := range r.src.Index.References {
		if to := r.names.at[ref.To]; to != nil {
			all = append(all, mention{ref.At, to})
			if known[ref.At.Start] == nil {
				known[ref.At.Start] = map[string]bool{}
			}
			known[ref.At.Start][ref.At.Filename] = true
		}
	}
	for name, content := range r.src.Files {
		tokens, _ := hclsyntax.LexConfig(content, name, hcl.InitialPos)
		s := &scan{names: r.names, walker: newWalker()}
		for _, t := range tokens {
			s.token(t)
		}
		s.flush()
		for _, m := range s.found {
			if !known[m.at.Start][name] {
				all = append(all, m)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b mention) int {
		return cmp.Or(cmp.Compare(a.at.Filename, b.at.Filename), cmp.Compare(a.at.Start.Byte, b.at.Start.Byte),
			cmp.Compare(a.to.At.Filename, b.to.At.Filename), cmp.Compare(a.to.At.Start.Byte, b.to.At.Start.Byte))
	})
	return all
}

// A scan finds the names in one file.
type scan struct {
	*walker
	names *namesake
	path  []word // of the expression's name under way
	found []mention
}

// A word is one name between dots.
type word struct {
	text string
	at   hcl.Range
}

func (s *scan) token(t hclsyntax.Token) {
	value := s.attribute()
	silent := value == "" || slices.Contains(prose, value) && s.inText()
	switch {
	case silent:
		s.flush()
	case t.Type == hclsyntax.TokenIdent:
		if len(s.path) > 0 && s.path[len(s.path)-1].text != "" {
			s.flush()
		}
		s.path = append(s.path[:max(0, len(s.path)-1)], word{string(t.Bytes), t.Range})
	case t.Type == hclsyntax.TokenDot && len(s.path) > 0:
		s.path = append(s.path, word{})
	case t.Type == hclsyntax.TokenQuotedLit || t.Type == hclsyntax.TokenStringLit:
		s.flush()
		s.text(t)
	default:
		s.flush()
	}
	s.see(t)
}

// flush looks up the name of an expression that has come to its end.
func (s *scan) flush() {
	path := slices.DeleteFunc(s.path, func(w word) bool { return w.text == "" })
	s.path = nil
	if len(path) == 0 {
		return
	}
	if len(path) == 1 {
		s.mention(path[0], s.names.near(path[0].text, s.blocks()))
		return
	}
	s.dotted(path)
}

// text looks up the names in a piece of a text.
func (s *scan) text(t hclsyntax.Token) {
	for _, found := range dottedName.FindAllIndex(t.Bytes, -1) {
		path := split(string(t.Bytes[found[0]:found[1]]), t.Range, found[0])
		if len(path) == 1 {
			s.mention(path[0], s.names.actors(path[0].text))
		} else {
			s.dotted(path)
		}
	}
}

// dottedName is a name with dots, each part with an index or none.
var dottedName = regexp.MustCompile(`[\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?(\.[\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?)*`)

// split cuts a name at its dots, indices left out.
func split(name string, in hcl.Range, at int) []word {
	var path []word
	for part := range strings.SplitSeq(name, ".") {
		bare, _, _ := strings.Cut(part, "[")
		bare = strings.TrimRight(bare, "-") // of p->q
		r := in
		r.Start.Byte, r.Start.Line, r.Start.Column = in.Start.Byte+at, 0, 0
		r.End.Byte = r.Start.Byte + len(bare)
		path = append(path, word{bare, r})
		at += len(part) + 1
	}
	return path
}

func (s *scan) dotted(path []word) {
	for i, meant := range s.names.path(path) {
		s.mention(path[i], meant)
	}
}

func (s *scan) mention(w word, meant []*hclspec.Element) {
	for _, e := range meant {
		if e.At != w.at {
			s.found = append(s.found, mention{w.at, e})
		}
	}
}

// near finds a bare name: inside the outermost of the open blocks, else outside of all blocks.
func (n *namesake) near(name string, open []frame) []*hclspec.Element {
	if len(open) > 0 {
		for _, e := range n.outer[open[0].name] {
			if e.Kind == open[0].typ && len(n.inner[e][name]) > 0 {
				return n.inner[e][name]
			}
		}
	}
	return n.actors(name)
}

// unspoken are kinds that formulas and attributes do not call by their bare names.
var unspoken = []string{"contract", "requirement", "accept", "local"}

// actors are those outside of every block that a bare name can mean.
func (n *namesake) actors(name string) []*hclspec.Element {
	return slices.DeleteFunc(slices.Clone(n.outer[name]), func(e *hclspec.Element) bool { return slices.Contains(unspoken, e.Kind) })
}

// kindsOf are the words that stand for a kind where a name begins with a dot after them.
var kindsOf = map[string]string{"local": "local", "event": "event", "requirement": "requirement"}

// path finds what each part of a dotted name means.
func (n *namesake) path(path []word) [][]*hclspec.Element {
	first, second := path[0].text, path[1].text
	meant := make([][]*hclspec.Element, len(path))
	if kind := kindsOf[first]; kind != "" {
		meant[1] = slices.DeleteFunc(slices.Clone(n.outer[second]), func(e *hclspec.Element) bool { return e.Kind != kind })
		return meant
	}
	meant[0] = n.actors(first)
	for i := 1; i < len(path); i++ {
		for _, e := range meant[i-1] {
			meant[i] = append(meant[i], n.member(e, path[i].text)...)
		}
	}
	return meant
}

// member finds an element inside another; a flag also by the names of its two places.
func (n *namesake) member(e *hclspec.Element, name string) []*hclspec.Element {
	found := n.inner[e][name]
	if flag := strings.TrimSuffix(strings.TrimSuffix(name, "_T"), "_F"); len(found) == 0 && flag != name {
		return n.inner[e][flag]
	}
	return found
}

// meant returns the elements that the name around an offset means, and where the name stands.
func (r *reading) meant(name string, at int) ([]*hclspec.Element, hcl.Range) {
	for _, e := range r.src.Index.Elements {
		if covers(e.Named, name, at) {
			return []*hclspec.Element{e}, e.Named
		}
	}
	var all []*hclspec.Element
	var where hcl.Range
	for _, m := range r.mentions() {
		if covers(m.at, name, at) {
			all, where = append(all, m.to), m.at
		}
	}
	return all, where
}

// covers says whether the cursor before byte at touches a range.
func covers(r hcl.Range, name string, at int) bool {
	return r.Filename == name && r.Start.Byte <= at && at <= r.End.Byte
}

// pathBefore is the dotted name that a text ends with, brackets of indices included.
func pathBefore(before string) string {
	from := max(0, len(before)-maxPath)
	return lastPath.FindString(strings.ToValidUTF8(before[from:], " "))
}

// maxPath is the longest name, in bytes, that somebody may be in the midst of writing.
const maxPath = 600

var lastPath = regexp.MustCompile(`([\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?\.)*([\pL_][\pL\pM\pN_-]*)?$`)
