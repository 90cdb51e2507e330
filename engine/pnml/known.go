package pnml

import (
	"encoding/xml"
	"slices"
	"strconv"
	"strings"
)

// netTypes lists the types of nets whose elements have the meaning that Decode gives them, in lower case and without their addresses. The last
// ones are those of WoPeD, Yasper and PIPE.
var netTypes = []string{"", "ptnet", "pnmlcoremodel", "ptnetb", "ptnet.pntd", "ptnetb.pntd", "epnml-1.1", "p/t net"}

// fields lists, by kind of item, the elements in it that Decode reads.
var fields = map[string][]string{
	"net":                 {"name"},
	"page":                {"name"},
	"place":               {"name", "initialMarking", "capacity"},
	"transition":          {"name", "timed", "priority"},
	"arc":                 {"name", "inscription", "type", "arctype", "tagged"},
	"referencePlace":      {"name"},
	"referenceTransition": {"name"},
}

// silent lists, by kind of item, the elements in it that do not affect what can happen: drawings, remarks, and rates. The last
// ones are PIPE's.
var silent = map[string][]string{
	"document":   {"labels"},
	"net":        {"labels", "token"},
	"place":      {"description", "documentation"},
	"transition": {"description", "documentation", "orientation", "rate", "infiniteServer"},
	"arc":        {"description", "documentation", "arcpath"},
}

// attributes lists, by kind of element, the attributes that Decode reads or that do not matter. A type or field may have no others.
var attributes = map[string][]string{
	"net":                 {"id", "type", "name"},
	"page":                {"id", "name"},
	"module":              {"id", "name"},
	"place":               {"id", "name", "ref"}, // keep refuses a ref outside of references
	"transition":          {"id", "name", "ref"},
	"arc":                 {"id", "name", "source", "target"},
	"referencePlace":      {"id", "name", "ref"},
	"referenceTransition": {"id", "name", "ref"},
	"type":                {"value"},
	finalPlace:            {"idref"},
}

// finalPlace is the kind of a place in a final marking.
const finalPlace = "final place"

// quietTools lists the tools whose own data do not affect what can happen: units (the Model Checking Contest), drawing and log events (ProM),
// drawing of operators, resources and durations (WoPeD).
var quietTools = []string{"nupn", "ProM", "WoPeD"}

// silently reports whether an element in an item of a kind does not affect what can happen.
func silently(kind, name string) bool {
	return name == "graphics" || slices.Contains(silent[kind], name)
}

// typed returns an error if the type of a net is not a known type of place/transition nets.
func (s *scanner) typed(e xml.StartElement) error {
	given := strings.ToLower(strings.TrimSpace(attribute(e, "type")))
	if slices.Contains(netTypes, given) || slices.Contains(netTypes, given[strings.LastIndexByte(given, '/')+1:]) {
		return nil
	}
	return s.wrong("the net is of the type %q: place/transition nets are read", attribute(e, "type"))
}

// plain returns an error if an element has an attribute that Decode does not know.
func (s *scanner) plain(e xml.StartElement) error {
	kind := e.Name.Local
	if s.scope() == markingScope {
		kind = finalPlace
	}
	for _, a := range e.Attr {
		switch a.Name.Space {
		case "xmlns", "xml", "http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2001/XMLSchema-instance":
			continue
		}
		if a.Name.Local == "xmlns" || a.Name.Space == "" && slices.Contains(attributes[kind], a.Name.Local) {
			continue
		}
		return s.wrong("the attribute %s=%q of %s is not read, and may change what the net means", a.Name.Local, shortened(a.Value), s.element(e))
	}
	return nil
}

// unread refuses an element that Decode does not know.
func (s *scanner) unread(e xml.StartElement) error {
	if s.scope() == itemScope || s.scope() == fieldScope {
		return s.wrong("<%s> in %s is not read, and may change what the net means", e.Name.Local, s.item.called())
	}
	return s.wrong("<%s> is not read, and may change what the net means", e.Name.Local)
}

// element returns the name of an element for messages.
func (s *scanner) element(e xml.StartElement) string {
	switch id := attribute(e, "id"); {
	case id != "":
		return e.Name.Local + " " + quoted(id)
	case s.scope() == itemScope || s.scope() == fieldScope:
		return "<" + e.Name.Local + "> in " + s.item.called()
	}
	return "<" + e.Name.Local + ">"
}

// called returns the item's name for messages.
func (i *item) called() string {
	switch {
	case i.id != "":
		return i.kind + " " + quoted(i.id)
	case i.kind == "arc":
		return "arc " + quoted(i.from) + " to " + quoted(i.to)
	}
	return i.kind
}

// tool records a tool whose own data are skipped, unless its data are known not to affect what can happen.
func (s *scanner) tool(e xml.StartElement) {
	name := attribute(e, "tool")
	if slices.Contains(quietTools, name) || slices.Contains(s.tools.Names, name) {
		return
	}
	if len(s.tools.Names) == 0 {
		s.tools.Line, s.tools.Column = s.at.line, s.at.column
	}
	if len(s.tools.Names) == maxTools {
		s.tools.More = true
		return
	}
	s.tools.Names = append(s.tools.Names, name)
}

// quoted returns foreign text shortened and in quotes, for a message.
func quoted(words string) string { return strconv.Quote(shortened(words)) }

func shortened(words string) string {
	if r := []rune(words); len(r) > 60 {
		return string(r[:59]) + "…"
	}
	return words
}

// maxTools is the maximum number of tools that are named.
const maxTools = 5
