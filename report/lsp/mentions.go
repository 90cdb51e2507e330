package lsp

import (
	"cmp"
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

// A nameIndex finds elements by name.
type nameIndex struct {
	at    map[hcl.Range]*hclspec.Element // by header, and by name in it
	outer map[string][]*hclspec.Element
	inner map[*hclspec.Element]map[string][]*hclspec.Element
	round map[string]string // the phase of which a name is a round
	all   []*hclspec.Element
}

// nameAll indexes the elements of a text. rounds are those of each phase that has some.
func nameAll(x *hclspec.Index, rounds map[string][]string) *nameIndex {
	n := &nameIndex{
		at: map[hcl.Range]*hclspec.Element{}, outer: map[string][]*hclspec.Element{},
		inner: map[*hclspec.Element]map[string][]*hclspec.Element{}, round: map[string]string{}, all: x.Elements,
	}
	for phase, names := range rounds {
		for _, name := range names {
			n.round[name] = phase
		}
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

// mentioned returns all mentions, by file, then position: the references that the loader resolved, and names in formulas and in attributes
// that the loader does not resolve.
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
	names *nameIndex
	path  []word // of the name in an expression that is being read
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

// flush looks up the name in an expression once it is complete.
func (s *scan) flush() {
	path := slices.DeleteFunc(s.path, func(w word) bool { return w.text == "" })
	s.path = nil
	if len(path) > 0 {
		s.named(path)
	}
}

// text looks up the names in a piece of a text.
func (s *scan) text(t hclsyntax.Token) {
	each := quantified(string(t.Bytes))
	for _, found := range dottedName().FindAllIndex(t.Bytes, -1) {
		path := split(string(t.Bytes[found[0]:found[1]]), t.Range, found[0])
		if of := each[path[0].text]; of != "" {
			path[0].text = of
		}
		s.named(path)
	}
}

// quantified returns the ranges of a formula's variables: purchaser for p in "all p in purchaser: ...".
func quantified(formula string) map[string]string {
	each := map[string]string{}
	for _, m := range quantifier().FindAllStringSubmatch(formula, -1) {
		each[m[1]] = m[2]
	}
	return each
}

var quantifier = hclspec.LazyRegexp(`\b(?:all|some)\s+([\pL_][\pL\pN_-]*)\s+in\s+([\pL_][\pL\pN_-]*)`)

// dottedName matches a name with dots. Each part may have an index.
var dottedName = hclspec.LazyRegexp(`[\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?(\.[\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?)*`)

// split returns the words of a dotted name, without indices.
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

// named adds the mentions in a name, which may have dots.
func (s *scan) named(path []word) {
	for i, meant := range s.names.path(path, s.blocks()) {
		for _, e := range meant {
			if e.At != path[i].at {
				s.found = append(s.found, mention{path[i].at, e})
			}
		}
	}
}

// near returns the elements of a bare name: those in the innermost open block that has it, or else those outside of all blocks.
func (n *nameIndex) near(name string, open []frame) []*hclspec.Element {
	for _, e := range slices.Backward(n.opened(open)) {
		if found := n.inner[e][name]; len(found) > 0 {
			return found
		}
	}
	return n.actors(name)
}

// opened returns the elements of the open blocks, the outermost first.
func (n *nameIndex) opened(open []frame) []*hclspec.Element {
	var all []*hclspec.Element
	here := n.outer
	for _, f := range open {
		at := slices.IndexFunc(here[f.name], func(e *hclspec.Element) bool { return e.Kind == f.typ })
		if at < 0 {
			break
		}
		all = append(all, here[f.name][at])
		here = n.inner[here[f.name][at]]
	}
	return all
}

// unspoken lists the kinds of elements that formulas and attributes do not refer to by a bare name.
var unspoken = []string{"contract", "requirement", "scenario", "accept", "retire", "local", "variable"}

// actors returns the elements outside of all blocks that a bare name can mean: the round of a phase means the phase.
func (n *nameIndex) actors(name string) []*hclspec.Element {
	if phase := n.round[name]; phase != "" {
		return n.ofKind("phase", phase, nil)
	}
	return slices.DeleteFunc(slices.Clone(n.outer[name]), func(e *hclspec.Element) bool { return slices.Contains(unspoken, e.Kind) })
}

// kindsOf maps the first word of a dotted name, such as var in var.x, to the kind of the second.
var kindsOf = map[string]string{
	"local": "local", "var": "variable", "param": "parameter", "event": "event", "requirement": "requirement",
}

// path returns the elements that each part of a dotted name means.
func (n *nameIndex) path(path []word, open []frame) [][]*hclspec.Element {
	meant := make([][]*hclspec.Element, len(path))
	if kind := kindsOf[path[0].text]; kind != "" && len(path) > 1 {
		meant[1] = n.ofKind(kind, path[1].text, open)
		return meant
	}
	meant[0] = n.near(path[0].text, open)
	for i := 1; i < len(path); i++ {
		for _, e := range meant[i-1] {
			meant[i] = append(meant[i], n.member(e, path[i].text)...)
		}
	}
	return meant
}

// ofKind returns the elements of a kind and a name, in the open blocks and outside of all.
func (n *nameIndex) ofKind(kind, name string, open []frame) []*hclspec.Element {
	all := slices.Clone(n.outer[name])
	for _, e := range n.opened(open) {
		all = append(all, n.inner[e][name]...)
	}
	return slices.DeleteFunc(all, func(e *hclspec.Element) bool { return e.Kind != kind })
}

// member returns the elements of a name inside another element. A flag is found by the names of its two places, too. The elements in a phase
// are those that its template declares.
func (n *nameIndex) member(e *hclspec.Element, name string) []*hclspec.Element {
	if e.Kind == "phase" {
		var all []*hclspec.Element
		for _, template := range n.templates(e) {
			all = append(all, n.inner[template][roleOf(e, name)]...)
		}
		return all
	}
	found := n.inner[e][name]
	if flag := strings.TrimSuffix(strings.TrimSuffix(name, "_T"), "_F"); len(found) == 0 && flag != name {
		return n.inner[e][flag]
	}
	return found
}

// templates returns the templates that a phase names.
func (n *nameIndex) templates(phase *hclspec.Element) []*hclspec.Element {
	attr := phase.Block.Body.Attributes["template"]
	if attr == nil {
		return nil
	}
	return n.ofKind("template", hcl.ExprAsKeyword(attr.Expr), nil)
}

// roleOf returns the template's name for a role, given the name in the phase: giver for seller if roles = { giver = seller }.
func roleOf(phase *hclspec.Element, name string) string {
	attr := phase.Block.Body.Attributes["roles"]
	if attr == nil {
		return name
	}
	pairs, _ := hcl.ExprMap(attr.Expr) // nil if the value is not an object
	for _, p := range pairs {
		if hcl.ExprAsKeyword(p.Value) == name {
			return hcl.ExprAsKeyword(p.Key)
		}
	}
	return name
}

// meant returns the elements that the name around an offset means, and the range of that name.
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

// covers reports whether a range contains or touches an offset in a file.
func covers(r hcl.Range, name string, at int) bool {
	return r.Filename == name && r.Start.Byte <= at && at <= r.End.Byte
}

// pathBefore returns the dotted name at the end of a text, with the brackets of indices.
func pathBefore(before string) string {
	from := max(0, len(before)-maxPath)
	return lastPath().FindString(strings.ToValidUTF8(before[from:], " "))
}

// maxPath is the maximum length, in bytes, of a name before the cursor.
const maxPath = 600

var lastPath = hclspec.LazyRegexp(`([\pL_][\pL\pM\pN_-]*(\[[\pL\pN_-]+\])?\.)*([\pL_][\pL\pM\pN_-]*)?$`)
