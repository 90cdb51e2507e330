package verify

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
)

// That nobody else has a document at the same time is a promise of the version that declares it. It is asked of the other version, too, where
// that has the places and some of them are the document's no more.

// A HeldAsk is a document of another version, with the places in which that has it.
type HeldAsk struct {
	Name   string // in this draft's names, if it has the document
	Title  string
	Places []*ctl.Formula
	Lost   []string  // the names of those that are the document's no more
	At     hcl.Range // of the first of these
}

// askDocuments returns the documents of which some places are the document's no more.
func askDocuments(d *compile.Draft, m *compile.Amendment) (list []HeldAsk) {
	for _, doc := range m.Base.Spec.Documents {
		ask := HeldAsk{Name: doc.Name, Title: doc.Title}
		if name, ok := m.Names.HeadSubject("document." + doc.Name); ok {
			ask.Name = strings.TrimPrefix(name, "document.")
		}
		for _, held := range m.Base.Held[doc.Name] {
			name, _ := m.Names.HeadPlace(held.Name)
			i, ok := d.PlaceOf[name]
			if !ok {
				continue
			}
			ask.Places = append(ask.Places, d.Marked(i))
			if p := d.AllPlaces[i]; p.Document != ask.Name {
				if ask.Lost == nil {
					ask.At = p.Range
				}
				ask.Lost = append(ask.Lost, name)
			}
		}
		if len(ask.Lost) > 0 {
			list = append(list, ask)
		}
	}
	return list
}

// heldTwice finds documents of another version that are in two of that version's places at once.
func (c *Checked[S]) heldTwice(ctx context.Context, asked []HeldAsk) (list []finding.Diagnostic, err error) {
	for _, doc := range asked {
		found, err := c.avoidable(ctx, compile.AtLeastTwo(doc.Places), "document-held-twice")
		if err != nil {
			return nil, err
		}
		for _, diag := range found {
			diag.Subject, diag.Source = "document."+doc.Name, doc.At
			diag.Snippet = explain.Snippet(c.Draft, diag.Source)
			diag.Message = fmt.Sprintf("Document %q%s is held in two of its former places at once.", doc.Name, compile.InBrackets(doc.Title))
			diag.Detail = "The amendment takes it off " + strings.Join(doc.Lost, " and ") + ", and so off the check that nobody else has it: what was the document may still be there."
			list = append(list, diag)
		}
	}
	return list, nil
}
