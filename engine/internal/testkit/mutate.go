package testkit

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/examples"
)

// Mutants of a contract: each is its text with one edit that a drafter may make by mistake. They are made
// of the text by HCL's grammar alone, and know nothing of what redline makes of it.

// A mistake is one edit.
type Mistake struct {
	Kind, What string
	Splices    []Splice
	Places     []Wrong // two where one edit exchanges something of two blocks
}

// A splice replaces bytes of a file.
type Splice struct {
	File     string
	From, To int
	Text     string
}

// A wrong is a block that an edit changes, and the line to be pointed at: on base if it is removed.
type Wrong struct {
	Block, Action, File string
	Line                int
}

// Made is a text with the edit.
func (m *Mistake) Made(base map[string][]byte) map[string][]byte {
	out := maps.Clone(base)
	for _, s := range slices.Backward(m.Splices) { // those of one file stand in order
		out[s.File] = slices.Concat(out[s.File][:s.From], []byte(s.Text), out[s.File][s.To:])
	}
	return out
}

// A generator makes the mutants of a text.
type generator struct {
	text   map[string][]byte
	events []string
	list   []Mistake
}

// A spot is a block with all around it.
type spot struct {
	file string
	path []string
	*hclsyntax.Block
	around *hclsyntax.Block
}

// MutantsOf lists mutants of all kinds, so that the first so many are of as many kinds as can be.
func MutantsOf(t testing.TB, text map[string][]byte) []Mistake {
	t.Helper()
	g := &generator{text: text}
	var spots []spot
	for _, name := range slices.Sorted(maps.Keys(text)) {
		f, diags := hclsyntax.ParseConfig(text[name], name, hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for _, b := range f.Body.(*hclsyntax.Body).Blocks {
			spots = append(spots, spotsOf(name, nil, b, nil)...)
		}
	}
	for _, s := range spots {
		if s.Type == "event" {
			g.events = append(g.events, s.Labels[0])
		}
	}
	for _, s := range spots {
		g.spot(s)
	}
	return spread(g.list)
}

func spotsOf(file string, around []string, b, in *hclsyntax.Block) []spot {
	header := b.Type
	for _, l := range b.Labels {
		header += fmt.Sprintf(" %q", l)
	}
	s := spot{file, append(slices.Clone(around), header), b, in}
	list := []spot{s}
	for _, inner := range b.Body.Blocks {
		list = append(list, spotsOf(file, s.path, inner, b)...)
	}
	return list
}

// spread deals the kinds out in turn, and within a kind without regard to where in the text it is.
func spread(list []Mistake) []Mistake {
	kinds := map[string][]Mistake{}
	for _, m := range list {
		kinds[m.Kind] = append(kinds[m.Kind], m)
	}
	for _, of := range kinds {
		slices.SortStableFunc(of, func(a, b Mistake) int { return strings.Compare(mixed(a.What), mixed(b.What)) })
	}
	var out []Mistake
	for i := 0; len(out) < len(list); i++ {
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			if i < len(kinds[kind]) {
				out = append(out, kinds[kind][i])
			}
		}
	}
	return out
}

func mixed(s string) string {
	h := sha256.Sum256([]byte(s))
	return string(h[:])
}

// spot makes the mutants of one block.
func (g *generator) spot(s spot) {
	norm := construct.IsNorm(s.Type)
	switch {
	case s.Type == "transition":
		g.transition(s)
	case s.Type == "party" || s.Type == "net":
		g.begin(s)
	case s.Type == "event":
		g.sync(s)
	case s.Type == "flag" && s.Body.Attributes["initial"] == nil:
		header := s.DefRange()
		g.add("alter", s, "initial", header.Start.Line+1, Splice{s.file, header.End.Byte, s.CloseBraceRange.End.Byte,
			" {\n    initial = true\n  }"})
	}
	if norm || slices.Contains([]string{"transition", "event", "flag", "state", "place", "document", "phase", "accept"}, s.Type) {
		from, to := g.lines(s.file, s.Range())
		m := Mistake{Kind: "remove", What: strings.Join(s.path, " / "), Splices: []Splice{{s.file, from, to, ""}}}
		m.Places = []Wrong{{m.What, "removed", s.file, s.DefRange().Start.Line}}
		g.list = append(g.list, m)
	}
	for _, a := range attributesOf(s.Body) {
		g.attribute(s, a, norm)
	}
}

func attributesOf(b *hclsyntax.Body) []*hclsyntax.Attribute {
	list := slices.Collect(maps.Values(b.Attributes))
	slices.SortFunc(list, func(a, b *hclsyntax.Attribute) int { return a.SrcRange.Start.Byte - b.SrcRange.Start.Byte })
	return list
}

// attribute drops or alters an attribute.
func (g *generator) attribute(s spot, a *hclsyntax.Attribute, norm bool) {
	droppable := []string{"when", "set", "read", "only_while", "not_before", "within", "until", "repeats", "reparation", "lifts", "suspends", "suspended_by", "resumes", "extends", "label", "after", "ends_contract", "survives", "marked", "initial", "consume", "produce", "of", "from"}
	if s.Type != "requirement" && s.Type != "contract" && slices.Contains(droppable, a.Name) && s.Range().Start.Line < a.SrcRange.Start.Line {
		from, to := g.lines(s.file, a.SrcRange)
		g.add("drop", s, a.Name, s.DefRange().Start.Line, Splice{s.file, from, to, ""})
	}
	if norm && (a.Name == "within") {
		value := g.source(s.file, a.Expr.Range())
		for _, other := range []string{"1", "2", "3", "5"} {
			if other != value {
				g.value("alter", s, a, a.Expr.Range(), other)
			}
		}
	}
	if norm && slices.Contains([]string{"when", "until", "fulfil", "exercise"}, a.Name) {
		for _, e := range g.events {
			g.value("alter", s, a, a.Expr.Range(), e)
		}
	}
	if object, ok := a.Expr.(*hclsyntax.ObjectConsExpr); ok && (a.Name == "when" || a.Name == "set") {
		for _, item := range object.Items {
			g.invert(s, a, item.ValueExpr.Range())
		}
	}
	if a.Name == "ends_contract" || a.Name == "survives" || a.Name == "repeats" || a.Name == "initial" || a.Name == "marked" {
		g.invert(s, a, a.Expr.Range())
	}
}

func (g *generator) invert(s spot, a *hclsyntax.Attribute, at hcl.Range) {
	if other, ok := map[string]string{"true": "false", "false": "true"}[g.source(s.file, at)]; ok {
		g.value("invert", s, a, at, other)
	}
}

// transition makes the mutants of a transition: other places, exchanged targets, one more beside it.
func (g *generator) transition(s spot) {
	var places []string
	for _, b := range s.around.Body.Blocks {
		if b.Type == "state" || b.Type == "place" {
			places = append(places, b.Labels[0])
		}
	}
	for _, a := range attributesOf(s.Body) {
		switch a.Name {
		case "from", "to":
			g.redirect(s, a, a.Expr.Range(), places)
		case "consume", "produce":
			list := a.Expr.(*hclsyntax.TupleConsExpr).Exprs
			for i, e := range list {
				g.redirect(s, a, e.Range(), places)
				if len(list) > 1 {
					rest := slices.Delete(slices.Clone(list), i, i+1)
					g.value("unlist", s, a, a.Expr.Range(), "["+g.source(s.file, rest[0].Range())+"]")
				}
			}
		}
	}
	g.exchange(s)
	g.addition(s, places)
}

func (g *generator) redirect(s spot, a *hclsyntax.Attribute, at hcl.Range, places []string) {
	for _, p := range places {
		if p != g.source(s.file, at) {
			g.value("redirect", s, a, at, p)
		}
	}
}

// exchange gives two transitions each other's target.
func (g *generator) exchange(s spot) {
	for _, other := range s.around.Body.Blocks {
		if other.Type != "transition" || other.TypeRange.Start.Byte <= s.TypeRange.Start.Byte {
			continue
		}
		for _, word := range []string{"to", "produce"} {
			mine, theirs := s.Body.Attributes[word], other.Body.Attributes[word]
			if mine == nil || theirs == nil {
				continue
			}
			x, y := mine.Expr.Range(), theirs.Expr.Range()
			m := Mistake{Kind: "exchange", What: fmt.Sprintf("%s: %s with %s", strings.Join(s.path, " / "), word, other.Labels[0])}
			m.Splices = []Splice{{s.file, x.Start.Byte, x.End.Byte, g.source(s.file, y)}, {s.file, y.Start.Byte, y.End.Byte, g.source(s.file, x)}}
			path := append(slices.Clone(s.path[:len(s.path)-1]), fmt.Sprintf("transition %q", other.Labels[0]))
			m.Places = []Wrong{{strings.Join(s.path, " / "), "changed", s.file, x.Start.Line}, {strings.Join(path, " / "), "changed", s.file, y.Start.Line}}
			g.list = append(g.list, m)
		}
	}
}

// addition puts one more transition before one.
func (g *generator) addition(s spot, places []string) {
	from, _ := g.lines(s.file, s.Range())
	indent := strings.Repeat(" ", s.TypeRange.Start.Column-1)
	for i, p := range places {
		for _, q := range places[i+1:] {
			for _, way := range [][2]string{{p, q}, {q, p}} {
				text := fmt.Sprintf("transition \"mutant\" {\n  from = %s\n  to   = %s\n}\n", way[0], way[1])
				if s.Body.Attributes["consume"] != nil || s.Body.Attributes["produce"] != nil {
					text = fmt.Sprintf("transition \"mutant\" {\n  consume = [%s]\n  produce = [%s]\n}\n", way[0], way[1])
				}
				text = indent + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + "\n\n"
				path := append(slices.Clone(s.path[:len(s.path)-1]), `transition "mutant"`)
				m := Mistake{Kind: "add", What: fmt.Sprintf("%s: %s to %s, before %s", strings.Join(path, " / "), way[0], way[1], s.Labels[0])}
				m.Splices = []Splice{{s.file, from, from, text}}
				m.Places = []Wrong{{strings.Join(path, " / "), "added", s.file, s.TypeRange.Start.Line}}
				g.list = append(g.list, m)
			}
		}
	}
}

// begin lets another state be the first one.
func (g *generator) begin(s spot) {
	var states []*hclsyntax.Block
	for _, b := range s.Body.Blocks {
		if b.Type == "state" {
			states = append(states, b)
		}
	}
	for _, b := range states[min(1, len(states)):] {
		to, _ := g.lines(s.file, states[0].Range())
		from, end := g.lines(s.file, b.Range())
		m := Mistake{Kind: "begin", What: fmt.Sprintf("%s begins in %s", strings.Join(s.path, " / "), b.Labels[0])}
		m.Splices = []Splice{{s.file, to, to, string(g.text[s.file][from:end])}, {s.file, from, end, ""}}
		m.Places = []Wrong{{strings.Join(s.path, " / ") + fmt.Sprintf(" / state %q", b.Labels[0]), "changed", s.file, states[0].TypeRange.Start.Line}}
		g.list = append(g.list, m)
	}
}

// sync drops a line of an event's sync, lets it mean another transition, or another number of several.
func (g *generator) sync(s spot) {
	a := s.Body.Attributes["sync"]
	if a == nil {
		return
	}
	for _, item := range a.Expr.(*hclsyntax.ObjectConsExpr).Items {
		at := item.ValueExpr.Range()
		from, to := g.lines(s.file, hcl.RangeBetween(item.KeyExpr.Range(), at))
		g.add("unsync", s, "sync "+g.source(s.file, item.KeyExpr.Range()), a.SrcRange.Start.Line, Splice{s.file, from, to, ""})
		for _, e := range g.events { // often called as the transitions
			g.value("resync", s, a, at, e)
		}
		if call, ok := item.ValueExpr.(*hclsyntax.FunctionCallExpr); ok {
			for _, word := range []string{"all", "any", "each"} {
				if word != call.Name {
					g.value("number", s, a, call.NameRange, word)
				}
			}
		}
	}
}

// value is the mutant with another text in a place of an attribute.
func (g *generator) value(kind string, s spot, a *hclsyntax.Attribute, at hcl.Range, text string) {
	if g.source(s.file, at) != text {
		g.add(kind, s, a.Name+" "+text, at.Start.Line, Splice{s.file, at.Start.Byte, at.End.Byte, text})
	}
}

func (g *generator) add(kind string, s spot, what string, line int, made ...Splice) {
	m := Mistake{Kind: kind, What: strings.Join(s.path, " / ") + ": " + kind + " " + what, Splices: made}
	m.Places = []Wrong{{strings.Join(s.path, " / "), "changed", s.file, line}}
	g.list = append(g.list, m)
}

func (g *generator) source(file string, r hcl.Range) string {
	return string(r.SliceBytes(g.text[file]))
}

// lines is the whole lines that a range stands on.
func (g *generator) lines(file string, r hcl.Range) (from, to int) {
	src := string(g.text[file])
	from = strings.LastIndexByte(src[:r.Start.Byte], '\n') + 1
	end := strings.IndexByte(src[r.End.Byte:], '\n')
	if end < 0 {
		return from, len(src)
	}
	return from, r.End.Byte + end + 1
}

// ExampleText is an example's text by base names.
func ExampleText(t testing.TB, name string) map[string][]byte {
	t.Helper()
	text := map[string][]byte{}
	entries, err := fs.ReadDir(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if text[e.Name()], err = fs.ReadFile(examples.FS, path.Join(name, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return text
}
