package pnml

import "encoding/xml"

// A final is a place that is marked in a final marking.
type final struct {
	place string
	at    position
}

// enterFinal begins a part of the final markings.
func (s *scanner) enterFinal(name string, e xml.StartElement) (scope, error) {
	switch inside := s.scope(); {
	case inside == finalScope && name == "marking":
		return markingScope, nil
	case inside == markingScope && name == "place":
		s.item = item{kind: "place", field: "final", at: s.at, id: attribute(e, "idref")}
		return countScope, nil
	case inside == countScope && (name == "text" || name == "value"):
		return s.enterField(name, e)
	}
	return skipped, s.unread(e)
}

// final records that a final marking marks a place.
func (s *scanner) final(text string) error {
	switch number(text) {
	case "", "0":
		return nil
	case "1":
		s.ends = append(s.ends, final{s.item.id, s.item.at})
		return nil
	}
	return s.wrong("a final marking has %s tokens on place %q, and one is read", text, s.item.id)
}

// finals refuses final markings other than the one of package workflow: a token on the only sink.
func (b *builder) finals() error {
	if len(b.ends) == 0 {
		return nil
	}
	inner := make([]bool, len(b.doc.Net.Places))
	for _, t := range b.doc.Net.Transitions {
		for _, p := range append(t.In[:len(t.In):len(t.In)], t.Read...) {
			inner[p] = true
		}
	}
	sinks := 0
	for _, is := range inner {
		if !is {
			sinks++
		}
	}
	for _, f := range b.ends {
		i, ok := b.named[f.place]
		switch {
		case !ok || !b.nodes[b.meant[i]].place:
			return f.at.wrong("a final marking names place %q, and there is none", f.place)
		case inner[b.index[b.meant[i]]] || sinks != 1:
			return f.at.wrong("a final marking has a token on place %q: only final markings with a token on the one place that no arc leaves are read", f.place)
		}
	}
	return nil
}
