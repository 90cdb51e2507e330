package bpmn

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/text/encoding/htmlindex"
)

// Limits of a text: what is beyond them nobody has drawn.
const (
	maxBytes    = 16 << 20
	maxDepth    = 200
	maxElements = 100_000
)

// space is the namespace of BPMN's elements; those of other namespaces are drawing, in the one that follows, and tools' own data.
const (
	space   = "http://www.omg.org/spec/BPMN/20100524/MODEL"
	drawing = "http://www.omg.org/spec/BPMN/20100524/DI"
)

// A node is an element of the text.
type node struct {
	kind     string // its name without namespace
	attrs    map[string]string
	at       hcl.Pos
	children []*node
	in       *node  // the element it is a part of; nil: it stands by itself
	text     string // of a reference, such as <incoming>
	foreign  bool   // it is in another namespace than BPMN's
}

func (n *node) id() string { return n.attrs["id"] }

// called is the element as messages name it.
func (n *node) called() string {
	name := n.kind
	if n.id() != "" {
		name += fmt.Sprintf(" %q", n.id())
	}
	if title := n.attrs["name"]; title != "" {
		name += " (" + shorter(title) + ")"
	}
	if n.in != nil {
		name += " of " + n.in.called()
	}
	return name
}

// shorter cuts a stranger's words to what a message can hold.
func shorter(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return s
}

// A broken is a text that is no XML, or too large, and where that shows.
type broken struct {
	at  hcl.Pos
	why string
}

func (b *broken) Error() string { return b.why }

// bounded is a reader with a limit, which remembers its own failures: they are no mistake in the text.
type bounded struct {
	from io.Reader
	left int
	err  error
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("the text is larger than %d MiB", maxBytes>>20)
	}
	n, err := b.from.Read(p[:min(len(p), b.left)])
	if b.left -= n; err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// tree reads the elements of BPMN. Its error is r's, or a broken. An entity that XML does not define is an error of the decoder, which expands none.
func tree(r io.Reader) (*node, error) {
	source := &bounded{from: r, left: maxBytes}
	d := xml.NewDecoder(source)
	d.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		encoding, err := htmlindex.Get(label)
		if err != nil {
			return nil, fmt.Errorf("the encoding %q is not known; write UTF-8", label)
		}
		return encoding.NewDecoder().Reader(r), nil
	}
	g := &grower{decoder: d, open: []*node{{kind: "document"}}}
	err := g.grow()
	switch {
	case source.err != nil:
		return nil, source.err
	case err != nil:
		return nil, err
	}
	return g.open[0], nil
}

// A grower makes a tree of tokens.
type grower struct {
	decoder *xml.Decoder
	open    []*node // the document first
	count   int
}

func (g *grower) pos() hcl.Pos {
	line, column := g.decoder.InputPos()
	return hcl.Pos{Line: line, Column: column, Byte: int(g.decoder.InputOffset())}
}

func (g *grower) grow() error {
	for {
		at := g.pos()
		token, err := g.decoder.Token()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			var syntax *xml.SyntaxError
			if errors.As(err, &syntax) {
				err = errors.New(syntax.Msg)
			}
			return &broken{g.pos(), err.Error()}
		}
		if err := g.token(token, at); err != nil {
			return err
		}
	}
}

func (g *grower) token(token xml.Token, at hcl.Pos) error {
	top := g.open[len(g.open)-1]
	switch t := token.(type) {
	case xml.StartElement:
		if g.count++; g.count > maxElements {
			return &broken{at, fmt.Sprintf("there are more than %d elements", maxElements)}
		}
		if len(g.open) > maxDepth {
			return &broken{at, fmt.Sprintf("elements stand more than %d deep in each other", maxDepth)}
		}
		n := &node{kind: t.Name.Local, at: at, attrs: map[string]string{}, foreign: t.Name.Space != space}
		for _, a := range t.Attr {
			if a.Name.Space == "" {
				n.attrs[a.Name.Local] = a.Value
			}
		}
		if !n.foreign || t.Name.Space != drawing && !top.foreign && len(g.open) > 1 {
			top.children = append(top.children, n)
			if len(g.open) > 3 { // in an element of a process, or deeper
				n.in = top
			}
		}
		g.open = append(g.open, n) // a drawing hangs on nothing
	case xml.EndElement:
		g.open = g.open[:len(g.open)-1]
	case xml.CharData:
		if len(top.text) < 1000 {
			top.text += string(t)
		}
	}
	return nil
}
