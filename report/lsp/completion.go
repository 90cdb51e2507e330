package lsp

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/load"
)

// completion lists the names that make sense where the cursor stands.
func (c *cursor) completion() (any, error) {
	s := spotAt(c.doc.text.src[:c.at])
	r, err := c.around(c.name, c.at)
	if err != nil {
		return nil, err
	}
	items := []completionItem{}
	word := s.path[strings.LastIndexByte(s.path, '.')+1:]
	where := c.doc.text.span(c.at-len(word), c.at)
	seen := map[string]bool{}
	for _, o := range (&offers{s, r.names, r.spec}).list() {
		if o.name != "" && !seen[o.name] && len(items) < maxItems {
			seen[o.name] = true
			items = append(items, completionItem{o.name, o.kind, o.detail, textEdit{where, o.name}})
		}
	}
	return items, nil
}

// maxItems is as many as one completion offers.
const maxItems = 1_000

// An offer is one name to complete with.
type offer struct {
	name, detail string
	kind         int
}

// Kinds of completion items, of the protocol.
const (
	itemFunction = 3
	itemModule   = 9 // a block
	itemProperty = 10
	itemValue    = 12
	itemKeyword  = 14
	itemName     = 18 // a reference
)

// offers are what can stand at a spot.
type offers struct {
	spot
	names *namesake
	spec  *hclspec.Contract // nil where the text was never right
}

func (o *offers) list() []offer {
	attribute := o.attribute()
	switch {
	case o.comment:
		return nil
	case attribute == "" && o.inText():
		return o.header()
	case attribute == "":
		return o.statement()
	case o.inText() && slices.Contains(prose, attribute):
		return nil
	case o.inText():
		return o.atoms()
	case strings.Contains(o.path, "."):
		return o.after(o.path)
	}
	return o.value(attribute)
}

// header offers the name of a block: of an accept block, which has a code for a name.
func (o *offers) header() []offer {
	outer := o.frames[len(o.frames)-2]
	if len(outer.line) == 0 || string(outer.line[0].Bytes) != "accept" {
		return nil
	}
	return words(itemValue, load.Acceptable()...)
}

// statement offers the attributes and blocks of the block that is open.
func (o *offers) statement() []offer {
	line := o.top().line
	if !o.top().body || len(line) > 1 || len(line) == 1 && o.path == "" {
		return nil
	}
	attributes, blocks := construct.Expected(o.top().typ)
	return append(words(itemProperty, attributes...), words(itemModule, blocks...)...)
}

// atoms offers what a formula is about: parties and what stands in them, and events.
func (o *offers) atoms() []offer {
	if strings.Contains(o.path, ".") {
		return o.after(o.path)
	}
	if call := operand.FindString(o.near); call != "" { // happened(e) and its like speak of events
		return o.kinds("event")
	}
	all := o.outside(func(e *hclspec.Element) bool { return !slices.Contains(unspoken, e.Kind) })
	if slices.ContainsFunc(o.names.all, func(e *hclspec.Element) bool { return slices.Contains(norms, e.Kind) }) {
		all = append(all, words(itemKeyword, "ideal", "contract")...)
	}
	all = append(all, words(itemFunction, "happened", "enabled", "before")...)
	return append(all, words(itemKeyword, "true", "false")...)
}

// operand finds a call that what comes next is an operand of, in a formula.
var operand = regexp.MustCompile(`\b(happened|enabled|before)\s*\([^()]*$`)

// after offers what can follow a name and its dot. A formula does not speak of transitions.
func (o *offers) after(path string) []offer {
	cut := strings.LastIndexByte(path, '.')
	before := split(path[:cut], hcl.Range{}, 0)
	if kind := kindsOf[before[0].text]; kind != "" && len(before) == 1 {
		return o.outside(func(e *hclspec.Element) bool { return e.Kind == kind })
	}
	all := o.made(path[:cut], o.inText())
	if of := quantified(o.near)[before[0].text]; of != "" {
		before[0].text = of
	}
	meant := o.names.path(before, o.blocks())[len(before)-1]
	for _, e := range slices.Clone(meant) {
		if e.Kind == "phase" {
			meant = append(meant, o.names.templates(e)...)
		}
	}
	for _, e := range o.names.all {
		if e.Within != nil && slices.Contains(meant, e.Within) && !(o.inText() && e.Kind == "transition") {
			all = append(all, ofElement(e))
		}
	}
	return all
}

// made offers the places of a net that something was compiled into, as deliver.owed of an obligation: they
// are declared nowhere in the text. Outside of formulas only its states have a meaning.
func (o *offers) made(name string, all bool) []offer {
	if o.spec == nil {
		return nil
	}
	var list []offer
	for _, p := range o.spec.Parties {
		for _, place := range p.Places {
			if p.Made != "" && p.Name == name && (all || place.Kind == hclspec.State) {
				list = append(list, offer{place.Name, p.Made, itemName})
			}
		}
	}
	return list
}

// party is the name of the party or net that is open.
func (o *offers) party() string {
	for _, f := range o.blocks() {
		if f.typ == "party" || f.typ == "net" {
			return f.name
		}
	}
	return ""
}

// inside offers elements of some kinds, or of any, in the open blocks.
func (o *offers) inside(kinds ...string) []offer {
	var all []offer
	open := o.names.opened(o.blocks())
	for _, e := range o.names.all {
		if e.Within != nil && slices.Contains(open, e.Within) && (len(kinds) == 0 || slices.Contains(kinds, e.Kind)) {
			all = append(all, ofElement(e))
		}
	}
	return all
}

// outside offers elements that stand outside of all blocks, or beside the open one in a template.
func (o *offers) outside(wanted func(*hclspec.Element) bool) []offer {
	var all []offer
	open := o.names.opened(o.blocks())
	for _, e := range o.names.all {
		beside := e.Within == nil || e.Within.Kind == "template" && slices.Contains(open, e.Within)
		if beside && wanted(e) {
			all = append(all, ofElement(e))
		}
	}
	return all
}

// labels offers what events call the transitions of a party.
func (o *offers) labels(party string) []offer {
	var all []offer
	parties := o.names.near(party, o.blocks())
	for _, e := range o.names.all {
		if e.Kind == "transition" && slices.Contains(parties, e.Within) {
			all = append(all, offer{label(e), detail(e), itemName})
		}
	}
	return all
}

// label is what events call a transition.
func label(e *hclspec.Element) string {
	if attr := e.Block.Body.Attributes["label"]; attr != nil {
		if name := hcl.ExprAsKeyword(attr.Expr); name != "" {
			return name
		}
	}
	return e.Name
}

func ofElement(e *hclspec.Element) offer { return offer{e.Name, detail(e), itemName} }

func detail(e *hclspec.Element) string {
	if e.Title == "" {
		return e.Kind
	}
	return e.Kind + ": " + e.Title
}

func words(kind int, list ...string) []offer {
	var all []offer
	for _, w := range list {
		all = append(all, offer{name: w, kind: kind})
	}
	return all
}
