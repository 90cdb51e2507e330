package pnml

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Limits of a text. Larger nets could not be checked anyway.
const (
	maxBytes = 256 << 20
	maxDepth = 1000
	maxNodes = 1_000_000 // places and transitions together
	maxArcs  = 4_000_000
	maxText  = 1 << 16 // bytes of one name or number
)

// A scope is the kind of an open element.
type scope uint8

const (
	outside scope = iota // outside of the document element
	document
	netScope // the net, or a page of it
	itemScope
	fieldScope // a field of an item
	textScope  // the text of a field
	finalScope // the final markings
	markingScope
	countScope // the tokens of a place in a final marking
	skipped
)

// A position is a position in the text.
type position struct{ line, column int }

// A scanner reads a text and collects its nodes and arcs.
type scanner struct {
	xml    *xml.Decoder
	source *bounded
	open   []scope
	at     position // of the current token

	space string // the namespace of the document
	seen  bool   // a net was read
	id    string
	title string
	nodes []node
	arcs  []arc
	item  item
	text  []byte
	began position // position of the text
	tools tools
	ends  []final // places in final markings
}

func newScanner(r io.Reader) *scanner {
	source := &bounded{from: r, left: maxBytes}
	s := &scanner{xml: xml.NewDecoder(source), source: source, open: []scope{outside}}
	s.xml.CharsetReader = Charset
	return s
}

// bounded reads up to a limit, and keeps the errors of its reader.
type bounded struct {
	from io.Reader
	left int64
	err  error
}

var errTooLarge = fmt.Errorf("the text is larger than %d MiB", maxBytes>>20)

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	n, err := b.from.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	if err != nil && err != io.EOF {
		b.err = err
	}
	return n, err
}

// wrong returns an error at the current token.
func (s *scanner) wrong(format string, args ...any) error { return s.at.wrong(format, args...) }

func (p position) wrong(format string, args ...any) error {
	return &Error{p.line, p.column, fmt.Errorf(format, args...)}
}

// scan reads the whole text.
func (s *scanner) scan() error {
	for {
		s.at.line, s.at.column = s.xml.InputPos()
		token, err := s.xml.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return s.broken(err)
		}
		if err := s.token(token); err != nil {
			return err
		}
	}
	if !s.seen {
		return s.wrong("there is no net")
	}
	return nil
}

// broken returns the error of a text that is not XML, with its position.
func (s *scanner) broken(err error) error {
	if s.source.err != nil {
		return fmt.Errorf("reading PNML: %w", s.source.err)
	}
	var syntax *xml.SyntaxError
	if errors.As(err, &syntax) {
		err = errors.New(syntax.Msg)
	}
	s.at.line, s.at.column = s.xml.InputPos()
	return s.wrong("%w", err)
}

func (s *scanner) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		if len(s.open) > maxDepth {
			return s.wrong("elements stand more than %d deep in each other", maxDepth)
		}
		inner, err := s.enter(t)
		s.open = append(s.open, inner)
		return err
	case xml.EndElement:
		inner := s.scope()
		s.open = s.open[:len(s.open)-1]
		return s.leave(inner)
	case xml.CharData:
		return s.characters(t)
	}
	return nil
}

// characters collects the text of a field. Elsewhere text is not allowed.
func (s *scanner) characters(text []byte) error {
	switch s.scope() {
	case skipped:
	case textScope:
		if s.text = append(s.text, text...); len(s.text) > maxText {
			return s.wrong("a text of more than %d bytes", maxText)
		}
	default:
		if words := strings.TrimSpace(string(text)); words != "" {
			return s.wrong("the text %q stands in no <text>, so it is not said what it means", shortened(words))
		}
	}
	return nil
}

func (s *scanner) scope() scope { return s.open[len(s.open)-1] }

// enter returns the scope of an element in the open one. An unknown element or attribute is an error, since the net may mean something else
// without it.
func (s *scanner) enter(e xml.StartElement) (scope, error) {
	name := e.Name.Local
	switch inside := s.scope(); {
	case inside == skipped:
		return skipped, nil
	case inside == outside && name != "pnml":
		return skipped, s.wrong("the document is a <%s>, expected <pnml>", name)
	case inside == outside:
		s.space = e.Name.Space
		return document, nil
	case name == "toolspecific":
		s.tool(e)
		return skipped, nil
	case e.Name.Space != s.space:
		return skipped, s.unread(e)
	}
	inner, err := s.enterKnown(e)
	if err == nil && inner != skipped {
		err = s.plain(e)
	}
	return inner, err
}

func (s *scanner) enterKnown(e xml.StartElement) (scope, error) {
	name := e.Name.Local
	switch s.scope() {
	case document:
		return s.enterDocument(name, e)
	case netScope:
		return s.enterNet(name, e)
	case itemScope:
		return s.enterItem(name, e)
	case fieldScope:
		return s.enterField(name, e)
	case finalScope, markingScope, countScope:
		return s.enterFinal(name, e)
	}
	return skipped, s.unread(e)
}

func (s *scanner) enterDocument(name string, e xml.StartElement) (scope, error) {
	switch {
	case name == "module": // Woflan and LoLA write this
		return document, nil
	case name == "ports": // of an open net; in a closed one they are empty
		return document, nil
	case name == "finalmarkings":
		return finalScope, nil
	case silently("document", name):
		return skipped, nil
	case name != "net":
		return skipped, s.unread(e)
	case s.seen:
		return skipped, s.wrong("there is a second net: a text with one is read")
	}
	s.seen, s.id = true, attribute(e, "id")
	return netScope, s.typed(e)
}

// enterNet begins a part of the net.
func (s *scanner) enterNet(name string, e xml.StartElement) (scope, error) {
	switch name {
	case "page":
		return netScope, nil
	case "finalmarkings":
		return finalScope, nil
	case "name": // of the net, or of a page, which is not used
		s.item = item{kind: "page", field: name}
		if s.open[len(s.open)-2] == document {
			s.item.kind = "net"
		}
		return fieldScope, nil
	case "place", "transition", "referencePlace", "referenceTransition", "arc":
		s.item = item{kind: name, at: s.at, id: attribute(e, "id"), from: attribute(e, "source"), to: attribute(e, "target"), ref: attribute(e, "ref")}
		return itemScope, nil
	case "declaration":
		return skipped, s.coloured(name)
	}
	if silently("net", name) {
		return skipped, nil
	}
	return skipped, s.unread(e)
}

// enterItem begins a field of a node or an arc.
func (s *scanner) enterItem(name string, e xml.StartElement) (scope, error) {
	switch {
	case silently(s.item.kind, name):
		return skipped, nil
	case name == "hlinitialMarking" || name == "hlinscription" || name == "condition":
		return skipped, s.coloured(name)
	case name == "delay":
		return skipped, s.wrong("%s %q takes time, which is not read", s.item.kind, s.item.id)
	case !slices.Contains(fields[s.item.kind], name):
		return skipped, s.unread(e)
	case slices.Contains(s.item.fields, name):
		return skipped, s.wrong("a second <%s> in %s: which one counts is not said", name, s.item.called())
	}
	s.item.field, s.item.fields, s.item.texts = name, append(s.item.fields, name), 0
	if name == "type" {
		s.item.field = "arctype"
		return fieldScope, s.ordinary(attribute(e, "value"))
	}
	return fieldScope, nil
}

// enterField begins a field's text.
func (s *scanner) enterField(name string, e xml.StartElement) (scope, error) {
	switch {
	case name == "graphics":
		return skipped, nil
	case name != "text" && name != "value":
		return skipped, s.unread(e)
	case s.item.texts > 0 && s.item.field != "name":
		return skipped, s.wrong("a second <%s> in %s: which one counts is not said", name, s.item.called())
	}
	s.item.texts++
	s.text, s.began = s.text[:0], s.at
	return textScope, nil
}

func (s *scanner) coloured(name string) error {
	return s.wrong("<%s> belongs to coloured nets: place/transition nets are read", name)
}

// leave ends an element.
func (s *scanner) leave(inner scope) error {
	switch inner {
	case textScope:
		s.at = s.began
		return s.store(string(s.text))
	case itemScope:
		return s.keep()
	}
	return nil
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}
