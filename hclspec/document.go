package hclspec

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A document is held by one party at a time. Who holds it is said in one of two ways: by places of
// the parties (document = title), which their own transitions mark; or by the document's own moves,
// which become a net with a place for each holder.

// nobody is who holds a document that is not issued yet, or has been surrendered.
const nobody = "nobody"

// declareDocuments enters the documents' names, which places refer to.
func (l *loader) declareDocuments(blocks []*hclsyntax.Block) {
	l.documents = documents{names{}, map[string]*Document{}}
	for _, b := range blocks {
		if b.Type == "document" && l.declareOwn(l.documents.named, b) {
			d := &Document{Prose: l.prose(b.Body), Name: b.Labels[0], Range: headerRange(b)}
			l.documents.specs[d.Name] = d
			l.spec.Documents = append(l.spec.Documents, d)
		}
	}
}

// holds reads which document a place holds, if it holds one.
func (l *loader) holds(s *scope, p *Place, body *hclsyntax.Body) {
	attr, given := body.Attributes["document"]
	if !given {
		return
	}
	name, r, ok := l.reference(attr.Expr, "a document")
	if !ok {
		return
	}
	d := l.documents.specs[name]
	if d == nil {
		l.unknown(r, fmt.Sprintf("There is no document %q.", name), name, func() []string { return keys([]names{l.documents.named}) })
		return
	}
	l.refer(r, d.Range)
	p.Document, p.Holder = name, s.party.Name
	if p.Title == "" {
		p.Title = d.Title // whoever holds it, it is called the same
	}
}

// moveDocuments makes the nets of documents that have moves, once places and events are known.
func (l *loader) moveDocuments(blocks []*hclsyntax.Block) {
	for _, party := range l.spec.Parties {
		for _, p := range party.Places {
			if d := l.documents.specs[p.Document]; d != nil {
				d.Places = append(d.Places, p)
			}
		}
	}
	for _, b := range blocks {
		if b.Type != "document" {
			continue
		}
		if d := l.documents.specs[b.Labels[0]]; d != nil && d.Range == headerRange(b) {
			l.moveDocument(d, b)
		}
	}
}

func (l *loader) moveDocument(d *Document, b *hclsyntax.Block) {
	holder, held := b.Body.Attributes["holder"]
	moves, moved := b.Body.Attributes["moves"]
	if f := l.families[d.Name]; f != nil {
		l.mistake(codeDuplicateName, b.LabelRanges[0], fmt.Sprintf("The name %q of this document is taken.", d.Name),
			fmt.Sprintf("A %s has it at %s.", f.block.Type, place(f.block.LabelRanges[0])))
		return
	}
	switch {
	case len(d.Places) > 0 && (held || moved):
		l.mistake(codeContradiction, d.Range, fmt.Sprintf("Who holds document %q is said twice: here and at %s.", l.written(b), place(d.Places[0].Range)),
			"Keep holder and moves here, or document = "+l.written(b)+" on the places of the parties.")
	case len(d.Places) > 0:
	case !held && !moved:
		l.lacking(b.Body, d.Range, fmt.Sprintf("Nobody ever holds document %q.", l.written(b)),
			"Say who holds it at first and which events move it, or write document = "+l.written(b)+" on places of the parties.")
	default:
		c := &custody{loader: l, document: d, places: map[string]*Place{},
			net: &Party{Prose: d.Prose, Name: d.Name, Of: d.Name, IsNet: true, Made: "document", Range: d.Range}}
		c.first(holder)
		if moved {
			c.moves(moves.Expr)
		}
		l.spec.Parties = append(l.spec.Parties, c.net)
	}
}

// custody is the net of a document under construction: who holds it, and what moves it.
type custody struct {
	*loader
	document *Document
	net      *Party
	places   map[string]*Place // by holder
}

// place is where the document is while a party holds it.
func (c *custody) place(holder string) *Place {
	p := c.places[holder]
	if p == nil {
		p = &Place{Name: HolderName(c.document.Name, holder), Document: c.document.Name, Range: c.document.Range}
		c.places[holder] = p
		c.net.Places = append(c.net.Places, p)
		if holder != nobody {
			p.Holder = holder
			c.document.Places = append(c.document.Places, p)
		}
	}
	return p
}

func (c *custody) first(holder *hclsyntax.Attribute) {
	name := nobody
	if holder != nil {
		var ok bool
		if name, ok = c.party(holder.Expr, ""); !ok {
			return
		}
	}
	c.place(name).Marked = true
}

// moves reads { event = { from = party, to = party }, ... }, with several in brackets.
func (c *custody) moves(e hclsyntax.Expression) {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		c.mistake(codeNotAReference, e.Range(), "Events in braces are expected here.", "Write moves = { event = { from = party, to = party } }.")
		return
	}
	seen := names{}
	for _, item := range object.Items {
		for _, event := range c.eventsAt(item.KeyExpr) {
			if c.once(seen, event.Name, item.KeyExpr.Range()) {
				c.refer(item.KeyExpr.Range(), event.Range)
				c.move(event, item.ValueExpr)
			}
		}
	}
}

// move makes one event move the document. The event then happens only while one it moves from holds it.
func (c *custody) move(event *Event, value hclsyntax.Expression) {
	list := []hclsyntax.Expression{value}
	if several, ok := value.(*hclsyntax.TupleConsExpr); ok {
		list = several.Exprs
	}
	seen := names{}
	before := len(c.net.Transitions)
	for _, e := range list {
		from, to, ok := c.ends(event, e)
		if !ok || !c.once(seen, from, e.Range()) {
			continue
		}
		t := &Transition{Name: event.Name, Label: event.Name, Range: e.Range(),
			Consume: []*Place{c.place(from)}, Produce: []*Place{c.place(to)}}
		if len(list) > 1 {
			t.Of, t.Name = t.Name, t.Name+"{"+from+"}"
		}
		c.net.Transitions = append(c.net.Transitions, t)
	}
	if len(c.net.Transitions) > before {
		event.join(c.net, event.Name)
	}
}

// ends reads { from = party, to = party }: either may be left out, not both.
func (c *custody) ends(event *Event, e hclsyntax.Expression) (from, to string, ok bool) {
	from, to, ok = nobody, nobody, true
	before := len(c.diags)
	c.pairs(e, "a move", func(name string, r hcl.Range, value hclsyntax.Expression) {
		holder, found := c.party(value, strings.TrimPrefix(event.Name, event.Of))
		ok = ok && found
		switch name {
		case "from":
			from = holder
		case "to":
			to = holder
		default:
			c.unknown(r, fmt.Sprintf("There is no %q in a move.", name), name, func() []string { return []string{"from", "to"} })
		}
	})
	if !ok || len(c.diags) > before {
		return "", "", false
	}
	switch {
	case from == to && from == nobody:
		c.mistake(codeMissingAttribute, e.Range(), fmt.Sprintf("Nobody takes part in the move of document %q by event %q.", c.document.Name, event.Of),
			"Write { from = party, to = party }; without from it is issued, without to it is surrendered.")
	case from == to:
		c.mistake(codeContradiction, e.Range(), fmt.Sprintf("Event %q moves document %q from %s to %s.", event.Of, c.document.Name, from, to),
			"What changes nothing is no move: leave it out.")
	default:
		return from, to, true
	}
	return "", "", false
}

// party reads who holds a document. In an event that happens with each of several, their name means the
// one it happens with: index is that of the event, as [0].
func (c *custody) party(e hclsyntax.Expression, index string) (string, bool) {
	ref, ok := c.partyRef(e, "a party")
	if !ok {
		return "", false
	}
	if !ref.indexed && c.families[ref.name] != nil && c.families[ref.name].many && index != "" {
		ref.index, ref.indexed = strings.Trim(index, "[]"), true
	}
	scopes := c.find(ref)
	switch {
	case len(scopes) == 0:
		return "", false
	case len(scopes) > 1 || c.families[ref.name].many && !ref.indexed:
		c.mistake(codeWhichInstances, ref.at, fmt.Sprintf("There are several of %q, and one of them holds a document.", ref.name),
			fmt.Sprintf("Say which: %s[...].", ref.name))
		return "", false
	case ref.name == nobody:
		c.mistake(codeReservedName, ref.at, "A party that holds documents cannot be called nobody.",
			"Nobody holds a document before it is issued and after it is surrendered.")
		return "", false
	}
	c.refer(ref.at, scopes[0].party.Range)
	return scopes[0].party.Name, true
}
