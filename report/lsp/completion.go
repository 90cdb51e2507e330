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

// completion returns the names that fit at the cursor.
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

// maxItems limits the items of one completion.
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

// offers computes what can follow at a spot.
type offers struct {
	spot
	names *nameIndex
	spec  *hclspec.Contract // nil if the text was never well-formed
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

// header offers the names that the block header can have. Only accept blocks have one: a code.
func (o *offers) header() []offer {
	outer := o.frames[len(o.frames)-2]
	if len(outer.line) == 0 || string(outer.line[0].Bytes) != "accept" {
		return nil
	}
	return words(itemValue, load.AcceptableCodes()...)
}

// statement offers the attributes and blocks of the innermost open block.
func (o *offers) statement() []offer {
	line := o.top().line
	if !o.top().body || len(line) > 1 || len(line) == 1 && o.path == "" {
		return nil
	}
	attributes, blocks := construct.Expected(o.top().typ)
	return append(words(itemProperty, attributes...), words(itemModule, blocks...)...)
}

// atoms offers what formulas can refer to: parties and their elements, and events.
func (o *offers) atoms() []offer {
	if strings.Contains(o.path, ".") {
		return o.after(o.path)
	}
	if call := operand.FindString(o.near); call != "" { // happened(e) and similar calls take events
		return o.kinds("event")
	}
	all := o.outside(func(e *hclspec.Element) bool { return !slices.Contains(unspoken, e.Kind) })
	if slices.ContainsFunc(o.names.all, func(e *hclspec.Element) bool { return slices.Contains(norms, e.Kind) }) {
		all = append(all, words(itemKeyword, "ideal", "contract")...)
	}
	all = append(all, words(itemFunction, "happened", "enabled", "before")...)
	return append(all, words(itemKeyword, "true", "false")...)
}

// operand matches an open call in a formula whose next operand is wanted.
var operand = regexp.MustCompile(`\b(happened|enabled|before)\s*\([^()]*$`)

// after offers what can follow a name and its dot. Transitions are left out in formulas.
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
	return append(all, o.those(func(e *hclspec.Element) bool {
		return e.Within != nil && slices.Contains(meant, e.Within) && !(o.inText() && e.Kind == "transition")
	})...)
}

// those offers the elements for which wanted is true.
func (o *offers) those(wanted func(*hclspec.Element) bool) (all []offer) {
	for _, e := range o.names.all {
		if wanted(e) {
			all = append(all, offer{e.Name, detail(e), itemName})
		}
	}
	return all
}

// made offers the places of the net that a norm is compiled to, such as deliver.owed of an obligation. The text declares them nowhere.
// Outside formulas only the norm's states have a meaning.
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

// party returns the name of the innermost open party or net.
func (o *offers) party() string {
	for _, f := range o.blocks() {
		if f.typ == "party" || f.typ == "net" {
			return f.name
		}
	}
	return ""
}

// inside offers the elements of some kinds, or of any, in the open blocks.
func (o *offers) inside(kinds ...string) []offer {
	open := o.names.opened(o.blocks())
	return o.those(func(e *hclspec.Element) bool {
		return e.Within != nil && slices.Contains(open, e.Within) && (len(kinds) == 0 || slices.Contains(kinds, e.Kind))
	})
}

// outside offers elements outside all blocks, or beside the open one in a template.
func (o *offers) outside(wanted func(*hclspec.Element) bool) []offer {
	open := o.names.opened(o.blocks())
	return o.those(func(e *hclspec.Element) bool {
		return (e.Within == nil || e.Within.Kind == "template" && slices.Contains(open, e.Within)) && wanted(e)
	})
}

// labels offers the names that events use for the transitions of a party.
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

// label returns the name that events use for a transition.
func label(e *hclspec.Element) string {
	if attr := e.Block.Body.Attributes["label"]; attr != nil {
		if name := hcl.ExprAsKeyword(attr.Expr); name != "" {
			return name
		}
	}
	return e.Name
}

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
