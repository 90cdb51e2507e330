package pnml

import "strings"

// An item is the node or arc that is being read.
type item struct {
	kind          string // its element
	field         string // the field of it that is being read
	at            position
	id, title     string
	ref, from, to string
	marked        bool
	fields        []string // those read so far
	texts         int      // number of texts in the field
	timing        string   // of a transition: whether it is timed, and its priority
}

// A node is a place, a transition, or a reference to one.
type node struct {
	id, title string
	ref       string // of a reference, the id that it refers to
	at        position
	place     bool
	marked    bool
	timing    string
}

// An arc is an arc between two nodes, given by their ids.
type arc struct {
	from, to string
	at       position
}

// store stores the text of a field.
func (s *scanner) store(text string) error {
	text = strings.TrimSpace(text)
	switch s.item.field {
	case "name":
		if s.item.title = text; s.item.kind == "net" {
			s.title = text
		}
	case "initialMarking":
		return s.tokens(text)
	case "inscription":
		return s.weight(text)
	case "capacity":
		if number(text) != "0" && number(text) != "" { // some tools write 0 for no limit
			return s.wrong("place %q has a capacity, which is not read", s.item.id)
		}
	case "arctype":
		return s.ordinary(text)
	case "tagged":
		if text != "false" {
			return s.wrong("%s is tagged %q, and tokens are not told apart", s.item.called(), text)
		}
	case "timed", "priority":
		s.item.timing += " " + s.item.field + " " + text
	case "final":
		return s.final(text)
	}
	return nil
}

func (s *scanner) tokens(text string) error {
	switch number(text) {
	case "", "0":
		s.item.marked = false
	case "1":
		s.item.marked = true
	case several:
		return s.wrong("place %q starts with %s tokens: %w", s.item.id, text, ErrUnsafeStart)
	default:
		return s.wrong("place %q starts with %q tokens", s.item.id, text)
	}
	return nil
}

func (s *scanner) weight(text string) error {
	switch number(text) {
	case "", "1":
		return nil
	case several:
		return s.wrong("arc %q to %q weighs %s: %w", s.item.from, s.item.to, text, ErrNotOneSafe)
	}
	return s.wrong("arc %q to %q weighs %q", s.item.from, s.item.to, text)
}

// ordinary refuses arcs of other kinds.
func (s *scanner) ordinary(kind string) error {
	if s.item.kind != "arc" || kind == "" || kind == "normal" {
		return nil
	}
	return s.wrong("arc %q to %q is of the kind %q, and only normal ones are read", s.item.from, s.item.to, kind)
}

// several represents all numbers over 1.
const several = "several"

// number returns "", "0", "1" or several, or the text itself if it is not a number.
func number(text string) string {
	digits := strings.TrimLeft(text, "0")
	switch {
	case text == "" || digits == "1":
		return digits
	case strings.Trim(digits, "0123456789") != "":
		return text
	case digits == "":
		return "0"
	}
	return several
}

// keep stores an item at its end.
func (s *scanner) keep() error {
	i := &s.item
	if i.kind == "arc" {
		if s.arcs = append(s.arcs, arc{i.from, i.to, i.at}); len(s.arcs) > maxArcs {
			return i.at.wrong("there are more than %d arcs", maxArcs)
		}
		return nil
	}
	if i.id == "" {
		return i.at.wrong("a %s has no id", i.kind)
	}
	s.nodes = append(s.nodes, node{i.id, i.title, i.ref, i.at, i.kind == "place", i.marked, i.timing})
	if len(s.nodes) > maxNodes {
		return i.at.wrong("there are more than %d places and transitions", maxNodes)
	}
	if strings.HasPrefix(i.kind, "reference") == (i.ref == "") {
		return i.at.wrong("%s %q: an attribute ref belongs to references, and to all of them", i.kind, i.id)
	}
	return nil
}
