package load

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// A document is held by one party at a time. The source gives its holder in one of two ways: by places of the parties (document = title),
// which their own transitions mark; or by the document's own moves, which become a net with a place for each holder.

// nobody names the holder of a document that is not issued yet, or has been surrendered.
const nobody = "nobody"

func (l *loader) declareDocument(b *hclsyntax.Block) {
	d := &hclspec.Document{Prose: l.Prose(b.Body), Name: b.Labels[0], Range: syntax.HeaderRange(b)}
	l.documents.specs[d.Name] = d
	l.spec.Documents = append(l.spec.Documents, d)
}

// holds reads the document attribute of a place, if it has one.
func (l *loader) holds(s *scope, p *hclspec.Place, body *hclsyntax.Body) {
	attr, given := body.Attributes["document"]
	if !given {
		return
	}
	name, r, ok := l.Reference(attr.Expr, "a document")
	if !ok {
		return
	}
	d := l.documents.specs[name]
	if d == nil {
		l.Unknown(r, fmt.Sprintf("There is no document %q.", name), name, func() []string { return syntax.SortedNames([]syntax.Names{l.documents.named}) })
		return
	}
	l.Refer(r, d.Range)
	p.Document, p.Holder = name, s.party.Name
	if p.Title == "" {
		p.Title = d.Title // the same title with every holder
	}
}

// moveDocuments makes the nets of documents that have moves. Places and events are known by then.
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
		if d := l.documents.specs[b.Labels[0]]; d != nil && d.Range == syntax.HeaderRange(b) {
			l.moveDocument(d, b)
		}
	}
}

// moveDocument makes the net of one document, unless places of the parties show its holder.
func (l *loader) moveDocument(d *hclspec.Document, b *hclsyntax.Block) {
	holder, held := b.Body.Attributes["holder"]
	moves, moved := b.Body.Attributes["moves"]
	if f := l.families[d.Name]; f != nil {
		l.Mistake(diag.DuplicateName, b.LabelRanges[0], fmt.Sprintf("The name %q of this document is taken.", d.Name),
			fmt.Sprintf("A %s has it at %s.", f.block.Type, diag.At(f.block.LabelRanges[0])))
		return
	}
	switch {
	case len(d.Places) > 0 && (held || moved):
		l.Mistake(diag.Contradiction, d.Range, fmt.Sprintf("Who holds document %q is said twice: here and at %s.", l.written(b), diag.At(d.Places[0].Range)),
			"Keep holder and moves here, or document = "+l.written(b)+" on the places of the parties.")
	case len(d.Places) > 0:
	case !held && !moved:
		l.Lacking(b.Body, d.Range, fmt.Sprintf("Nobody ever holds document %q.", l.written(b)),
			"Say who holds it at first and which events move it, or write document = "+l.written(b)+" on places of the parties.")
	default:
		c := &custody{loader: l, document: d, places: map[string]*hclspec.Place{}, net: madeNet("document", d.Name, "", d.Range)}
		c.net.Prose, l.documents.nets[d.Name] = d.Prose, c.net
		first, ok := nobody, true
		if held {
			first, ok = c.party(holder.Expr, "")
		}
		if ok {
			c.place(first).Marked = true
		}
		if moved {
			c.moves(moves.Expr)
		}
		l.spec.Parties = append(l.spec.Parties, c.net)
	}
}

// A custody is the net of a document under construction: its holders, and the events that move it.
type custody struct {
	*loader
	document *hclspec.Document
	net      *hclspec.Party
	places   map[string]*hclspec.Place // by holder
}

// place returns the place that is marked while a party holds the document. It makes the place on first use.
func (c *custody) place(holder string) *hclspec.Place {
	p := c.places[holder]
	if p == nil {
		p = &hclspec.Place{Name: hclspec.HolderName(c.document.Name, holder), Document: c.document.Name, Custody: true, Range: c.document.Range}
		c.places[holder] = p
		c.net.Places = append(c.net.Places, p)
		if holder != nobody {
			p.Holder = holder
			c.document.Places = append(c.document.Places, p)
		}
	}
	return p
}

// moves reads { event = { from = party, to = party }, ... }, with several in brackets.
func (c *custody) moves(e hclsyntax.Expression) {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		c.Mistake(diag.NotAReference, e.Range(), "moves names the events that hand the document over, in braces.", "Write moves = { EVENT = { from = PARTY, to = PARTY } }.")
		return
	}
	seen := syntax.Names{}
	for _, item := range object.Items {
		for _, event := range c.eventsAt(item.KeyExpr) {
			if c.Once(seen, event.Name, item.KeyExpr.Range()) {
				c.Refer(item.KeyExpr.Range(), event.Range)
				c.move(event, item.ValueExpr)
			}
		}
	}
}

// move makes one event move the document. The event then happens only while a party that it moves from holds it.
func (c *custody) move(event *hclspec.Event, value hclsyntax.Expression) {
	list := []hclsyntax.Expression{value}
	if several, ok := value.(*hclsyntax.TupleConsExpr); ok {
		list = several.Exprs
	}
	seen := syntax.Names{}
	before := len(c.net.Transitions)
	for _, e := range list {
		from, to, ok := c.ends(event, e)
		if !ok || !c.Once(seen, from, e.Range()) {
			continue
		}
		t := &hclspec.Transition{Name: event.Name, Label: event.Name, Range: e.Range(),
			Consume: []*hclspec.Place{c.place(from)}, Produce: []*hclspec.Place{c.place(to)}}
		if len(list) > 1 {
			t.Of, t.Name = t.Name, t.Name+"{"+from+"}"
		}
		c.net.Transitions = append(c.net.Transitions, t)
	}
	if len(c.net.Transitions) > before {
		event.Join(c.net, event.Name)
	}
}

// ends reads { from = party, to = party }. One of the two may be left out.
func (c *custody) ends(event *hclspec.Event, e hclsyntax.Expression) (from, to string, ok bool) {
	from, to, ok = nobody, nobody, true
	before := len(c.Diags)
	c.Pairs(e, "a move", func(name string, r hcl.Range, value hclsyntax.Expression) {
		holder, found := c.party(value, strings.TrimPrefix(event.Name, event.Of))
		ok = ok && found
		switch name {
		case "from":
			from = holder
		case "to":
			to = holder
		default:
			c.Unknown(r, fmt.Sprintf("There is no %q in a move.", name), name, func() []string { return []string{"from", "to"} })
		}
	})
	if !ok || len(c.Diags) > before {
		return "", "", false
	}
	switch {
	case from == to && from == nobody:
		c.Mistake(diag.MissingAttribute, e.Range(), fmt.Sprintf("Nobody takes part in the move of document %q by event %q.", c.document.Name, event.Of),
			"Write { from = PARTY, to = PARTY }; without from it is issued, without to it is surrendered.")
	case from == to:
		c.Mistake(diag.Contradiction, e.Range(), fmt.Sprintf("Event %q moves document %q from %s to %s.", event.Of, c.document.Name, from, to),
			"What changes nothing is no move: leave it out.")
	default:
		return from, to, true
	}
	return "", "", false
}

// party reads the holder of a document. In an event that happens with each of several parties, their name means the one that it happens with:
// index is that of the event, as [0].
func (c *custody) party(e hclsyntax.Expression, index string) (string, bool) {
	ref, ok := c.partyRef(e, "a party")
	if !ok {
		return "", false
	}
	if !ref.Indexed && c.families[ref.Name] != nil && c.families[ref.Name].many && index != "" {
		ref.Index, ref.Indexed = strings.Trim(index, "[]"), true
	}
	scopes := c.find(ref)
	switch {
	case len(scopes) == 0:
		return "", false
	case len(scopes) > 1 || c.families[ref.Name].many && !ref.Indexed:
		c.Mistake(diag.WhichInstances, ref.At, fmt.Sprintf("There are several of %q, and one of them holds a document.", ref.Name),
			fmt.Sprintf("Say which: %s[...].", ref.Name))
		return "", false
	case ref.Name == nobody:
		c.Mistake(diag.ReservedName, ref.At, "A party that holds documents cannot be called nobody.",
			"Nobody holds a document before it is issued and after it is surrendered.")
		return "", false
	}
	c.Refer(ref.At, scopes[0].party.Range)
	return scopes[0].party.Name, true
}

// documentCondition reads who holds a document: papers.buyer, papers.nobody. Of several that is any of them; in an event that happens with each of them
// the one that it happens with.
func (l *loader) documentCondition(event *hclspec.Event, d *hclspec.Document, holder syntax.Ref) (*hclspec.Party, []*hclspec.Place) {
	net := l.documents.nets[d.Name]
	switch {
	case len(d.Places) > 0 && net == nil:
		l.Mistake(diag.WrongKind, holder.At, fmt.Sprintf("Who holds the document %q is shown by places of the parties.", d.Name), "A transition of the event's can read such a place; or let the document have holder and moves, and ask for these.")
		return nil, nil
	case net == nil: // a mistake
		return nil, nil
	}
	names := []string{holder.String()}
	if names[0] != nobody {
		names = l.holders(event, d, holder)
	}
	var all []*hclspec.Place
	for _, name := range names {
		if p := net.PlaceNamed(name); p != nil {
			all = append(all, p)
		}
	}
	if len(all) == 0 && len(names) > 0 {
		var known []string
		for _, p := range net.Places {
			known = append(known, d.Name+"."+p.Name)
		}
		l.Mistake(diag.UnknownName, holder.At, fmt.Sprintf("Nothing moves the document %q to %s, so this never changes.", d.Name, names[0]), "A condition may ask for "+strings.Join(known, ", ")+".")
	}
	return net, all
}

// holders returns the names of the places of those whom a condition means as holder of a document; none after a mistake.
func (l *loader) holders(event *hclspec.Event, d *hclspec.Document, holder syntax.Ref) (names []string) {
	phase, _, _ := strings.Cut(d.Name, ".")
	if role := phase + "." + holder.Name; l.families[role] != nil {
		holder.Name = role
	}
	found := l.find(holder)
	for _, s := range found {
		if len(found) > 1 && s.separate(event) {
			found = []*scope{s}
			break
		}
	}
	for _, s := range found {
		l.Refer(holder.At, s.party.Range)
		names = append(names, hclspec.HolderName(d.Name, s.party.Name))
	}
	return names
}
