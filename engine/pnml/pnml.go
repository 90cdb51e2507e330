// Package pnml reads one-safe nets written in the Petri Net Markup Language (ISO/IEC 15909-2).
package pnml

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/petri"
)

// Read the first net of a document: places, transitions and arcs on all its pages, in the
// document's order. A place that a transition both consumes and produces is read. Namespaces
// and everything else are ignored. It is an error when a name is not known or not unique, and
// ErrNotOneSafe, wrapped, when an arc weighs more than 1 or a place starts with more than one token.
func Read(r io.Reader) (*petri.Net, error) {
	var doc document
	d := xml.NewDecoder(r)
	d.CharsetReader = Charset
	if err := d.Decode(&doc); err != nil {
		return nil, fmt.Errorf("reading PNML: %w", err)
	}
	nets := append(doc.Nets, doc.Module...)
	if len(nets) == 0 {
		return nil, fmt.Errorf("reading PNML: no net")
	}
	return nets[0].build()
}

type document struct {
	Nets   []page `xml:"net"`
	Module []page `xml:"module>net"`
}

// A page, or the net itself.
type page struct {
	ID     string `xml:"id,attr"`
	Places []struct {
		ID     string `xml:"id,attr"`
		Tokens string `xml:"initialMarking>text"`
	} `xml:"place"`
	Transitions []struct {
		ID string `xml:"id,attr"`
	} `xml:"transition"`
	Arcs []struct {
		Source string `xml:"source,attr"`
		Target string `xml:"target,attr"`
		Weight string `xml:"inscription>text"`
	} `xml:"arc"`
	Pages []page `xml:"page"`
}

// flat moves what is on the pages of p to p itself.
func (p page) flat() page {
	for _, q := range p.Pages {
		q = q.flat()
		p.Places = append(p.Places, q.Places...)
		p.Transitions = append(p.Transitions, q.Transitions...)
		p.Arcs = append(p.Arcs, q.Arcs...)
	}
	return p
}

func (p page) build() (*petri.Net, error) {
	p = p.flat()
	b := builder{net: &petri.Net{Name: p.ID}, place: map[string]int{}, transition: map[string]int{}}
	for _, part := range []func(page) error{b.places, b.transitions, b.arcs} {
		if err := part(p); err != nil {
			return nil, fmt.Errorf("net %q: %w", p.ID, err)
		}
	}
	b.finish()
	return b.net, b.net.Sane()
}

type builder struct {
	net               *petri.Net
	place, transition map[string]int
}

func (b *builder) places(p page) error {
	for i, q := range p.Places {
		switch tokens := strings.TrimSpace(q.Tokens); number(tokens) {
		case "", "0":
		case "1":
			b.net.Initial = append(b.net.Initial, i)
		case several:
			return fmt.Errorf("place %q starts with %s tokens: %w", q.ID, tokens, ErrNotOneSafe)
		default:
			return fmt.Errorf("place %q starts with %q tokens", q.ID, tokens)
		}
		b.place[q.ID] = i
		b.net.Places = append(b.net.Places, petri.Place{Net: p.ID, Name: q.ID})
	}
	return nil
}

func (b *builder) transitions(p page) error {
	for i, t := range p.Transitions {
		b.transition[t.ID] = i
		b.net.Transitions = append(b.net.Transitions, petri.Transition{Name: t.ID, Event: -1})
	}
	if len(b.place) != len(p.Places) || len(b.transition) != len(p.Transitions) {
		return fmt.Errorf("two places or two transitions have one name")
	}
	for _, t := range p.Transitions {
		if _, both := b.place[t.ID]; both {
			return fmt.Errorf("a place and a transition are called %q", t.ID)
		}
	}
	return nil
}

func (b *builder) arcs(p page) error {
	for _, a := range p.Arcs {
		switch w := strings.TrimSpace(a.Weight); number(w) {
		case "", "1":
		case several:
			return fmt.Errorf("arc %q to %q weighs %s: %w", a.Source, a.Target, w, ErrNotOneSafe)
		default:
			return fmt.Errorf("arc %q to %q weighs %q", a.Source, a.Target, w)
		}
		if err := b.arc(a.Source, a.Target); err != nil {
			return fmt.Errorf("arc %q to %q: %w", a.Source, a.Target, err)
		}
	}
	return nil
}

// several stands for all numbers over 1.
const several = "several"

// number is "", "0", "1", several, or the text that is no number.
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

func (b *builder) arc(source, target string) error {
	p, in := b.place[source]
	t, ok := b.transition[target]
	if in && ok {
		tr := &b.net.Transitions[t]
		tr.In = append(tr.In, p)
		return nil
	}
	t, in = b.transition[source]
	p, ok = b.place[target]
	if !in || !ok {
		return fmt.Errorf("not between a place and a transition")
	}
	tr := &b.net.Transitions[t]
	tr.Out = append(tr.Out, p)
	return nil
}

// finish sorts the arcs, and makes reads of those that go both ways.
func (b *builder) finish() {
	for i := range b.net.Transitions {
		t := &b.net.Transitions[i]
		both := func(p int) bool { return slices.Contains(t.Read, p) }
		for _, p := range t.In {
			if slices.Contains(t.Out, p) {
				t.Read = append(t.Read, p)
			}
		}
		t.In, t.Out = slices.DeleteFunc(t.In, both), slices.DeleteFunc(t.Out, both)
		slices.Sort(t.In)
		slices.Sort(t.Out)
		slices.Sort(t.Read)
	}
}
