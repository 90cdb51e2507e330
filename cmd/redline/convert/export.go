// Package convert converts contracts to other forms, and other forms to contracts: pictures, nets in PNML, models for NuSMV, collaborations in
// BPMN, and the canonical layout.
package convert

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/redlinehq/redline/cmd/redline/app"
	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/layout"
	"github.com/redlinehq/redline/report/words"
)

// export is a contract or a net to be written in another notation.
type export struct {
	draft *compile.Draft
	net   *imported.Imported
}

// ReadExport reads the one contract or net at a path.
func ReadExport(ctx context.Context, args []string, how app.ReadOptions) (export, error) {
	others, files := app.NetFiles(args)
	if len(files) > 0 {
		net, err := app.ReadNet(ctx, files[0], finding.Budget{})
		return export{net: net}, err
	}
	draft, err := app.OneDraft(ctx, others, how)
	return export{draft: draft}, err
}

// Write returns the text in a notation, and notes on what the notation can't express. asked names the one requirement to write; empty: all.
func (e export) Write(ctx context.Context, format, asked string) (text []byte, notes []string, err error) {
	var b bytes.Buffer
	if format == "smv" {
		if e.net != nil {
			notes, err = e.net.SMV(&b)
		} else {
			notes, err = verify.SMV(e.draft, &b, asked)
			notes = append(notes, heavy(b.Len(), e.draft.Net)...)
		}
		return b.Bytes(), notes, err
	}
	var net *petri.Net
	var title string
	if e.net != nil {
		net, title, err = e.net.Net()
	} else {
		net, notes, err = verify.Plain(ctx, e.draft, engine.DefaultBudget())
		title = e.draft.Spec.Name
		if e.draft.Spec.Title != "" {
			title = e.draft.Spec.Title
		}
	}
	if err != nil {
		return nil, nil, err
	}
	at, note := laid(net)
	err = pnml.Write(&b, net, title, at)
	return b.Bytes(), append(append(notes, note...), heavy(b.Len(), net)...), err
}

// maxLight is the number of bytes up to which nothing is said of the size of a text.
const maxLight = 8 << 20

// heavy returns the note on a text of so many bytes that few tools read it, with what makes most of it.
func heavy(bytes int, n *petri.Net) []string {
	if bytes <= maxLight {
		return nil
	}
	ways, most := map[string]int{}, ""
	for _, t := range n.Transitions {
		if ways[t.Name]++; ways[t.Name] > ways[most] {
			most = t.Name
		}
	}
	return []string{fmt.Sprintf("the text has %d MiB, which few tools read: %s and %s, %s of them for %s", bytes>>20,
		words.Several(len(n.Places), "place"), words.Several(len(n.Transitions), "transition"), finding.Grouped(strconv.Itoa(ways[most])), most)}
}

// maxLaid is the number of places, transitions and arcs beyond which a net gets no positions.
const maxLaid = 10_000

// Sizes of nodes for the layout, with room for their names.
var (
	netNode = layout.Size{Width: 40, Height: 40}
	netName = layout.Size{Width: 90, Height: 20}
)

// laid returns the position of each place and transition; nil and a note if the net is too large.
func laid(n *petri.Net) (*pnml.Picture, []string) {
	g := layout.Graph{Down: true}
	for range n.Places {
		g.Nodes = append(g.Nodes, layout.Node{Size: netNode, Outline: layout.Ellipse, Label: netName})
	}
	for i, t := range n.Transitions {
		at := len(g.Nodes)
		g.Nodes = append(g.Nodes, layout.Node{Size: netNode, Label: netName})
		for _, p := range t.In {
			g.Edges = append(g.Edges, layout.Edge{From: p, To: at})
		}
		for _, p := range slices.Concat(t.Read, t.Out) {
			g.Edges = append(g.Edges, layout.Edge{From: at, To: p})
		}
		if len(g.Nodes)+len(g.Edges) > maxLaid {
			return nil, []string{fmt.Sprintf("the net is too large to be drawn (transition %d of %d): it has no positions", i+1, len(n.Transitions))}
		}
	}
	drawn := layout.Lay(g)
	at := &pnml.Picture{}
	for i, spot := range drawn.Nodes {
		p := pnml.Position{X: spot.Centre.X, Y: spot.Centre.Y}
		if i < len(n.Places) {
			at.Places = append(at.Places, p)
		} else {
			at.Transitions = append(at.Transitions, p)
		}
	}
	return at, nil
}
