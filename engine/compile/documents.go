package compile

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// A document is held where its places are marked: in a net of its own, or in the nets of the parties that may hold it. In both cases
// title.seller means that the seller holds it, and title.nobody that no party does.

// indexDocuments lists the places of each document, and defines the atoms for documents held on the parties' own places.
func (d *Draft) indexDocuments() {
	d.Held, d.meant = map[string][]*ctl.Formula{}, map[string]*ctl.Formula{}
	holders := map[string][]*ctl.Formula{}
	for i, p := range d.AllPlaces {
		if p.Document != "" && p.Holder != "" {
			d.Held[p.Document] = append(d.Held[p.Document], d.Marked(i))
			name := p.Document + "." + hclspec.HolderName(p.Document, p.Holder)
			holders[name] = append(holders[name], d.Marked(i))
		}
	}
	d.ideal()
	for name, places := range holders {
		d.mean(name, Join(ctl.Or, places))
	}
	for _, doc := range d.Spec.Documents {
		d.mean(doc.Name+".nobody", &ctl.Formula{Op: ctl.Not, Left: Join(ctl.Or, d.Held[doc.Name])})
	}
}

// mean defines the meaning of a name, unless a place already has that name. In a document's own net each holder is a place.
func (d *Draft) mean(name string, f *ctl.Formula) {
	if _, place := d.PlaceOf[name]; !place {
		d.meant[name] = f
	}
}

// heldBy returns a hint that lists the holders of a document, for an unknown name that begins with the document's. It returns "" for any other name,
// and when the budget for suggestions is used up.
func (d *Draft) heldBy(name string) string {
	at := max(strings.LastIndexByte(name, '.'), 0)
	document := name[:at]
	if !d.lookup.documents[document] || !d.lookup.suggest.Spend(len(d.AllPlaces)) {
		return ""
	}
	list := []string{document + ".nobody"}
	for _, p := range d.AllPlaces {
		if p.Document == document && p.Holder != "" {
			list = append(list, document+"."+hclspec.HolderName(document, p.Holder))
		}
	}
	slices.Sort(list)
	return "A formula may ask for every party, and for nobody. Who can hold this document: " + strings.Join(slices.Compact(list), ", ") + "."
}

// InBrackets returns a title in parentheses after a blank, or "" for an empty title.
func InBrackets(title string) string {
	if title == "" {
		return ""
	}
	return " (" + title + ")"
}

// AtLeastTwo returns a formula that holds where at least two of the formulas do: two in one half of the list, or one in each.
func AtLeastTwo(list []*ctl.Formula) *ctl.Formula {
	if len(list) < 2 {
		return &ctl.Formula{Op: ctl.False}
	}
	left, right := list[:len(list)/2], list[len(list)/2:]
	across := &ctl.Formula{Op: ctl.And, Left: Join(ctl.Or, left), Right: Join(ctl.Or, right)}
	return Join(ctl.Or, []*ctl.Formula{across, AtLeastTwo(left), AtLeastTwo(right)})
}

// documented returns the part of the digest that says which document a place belongs to.
func documented(p *hclspec.Place) string {
	if p.Document == "" {
		return ""
	}
	return " document " + p.Document
}
