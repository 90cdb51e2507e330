package page

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/words"
)

// How much is drawn on one page. What is not says how to have it drawn by itself.
const (
	maxNodes    = 3_000 // of one picture
	maxEdges    = 9_000
	maxStates   = 2_000  // of a state model that is drawn whole
	maxModel    = 50_000 // of one that is drawn collapsed
	maxSeen     = 700    // nodes of a picture that is open at first
	maxParties  = 40     // pictures of parties, and of norms, of one contract
	maxDrawings = 60_000
)

// A Picture is drawn on the page. What scripts do to it is in the board.
type Picture struct {
	ID, Title, Kind string // party, watch, composed, states, difference
	Now, Before     template.HTML
	Note            string // what there is to say of it, or why it is not drawn
	Open            bool
	Wide            bool // it stands in a row of its own
}

// boardPicture says what of a picture is what of the net. Nodes and edges are known by their numbers in the picture.
type boardPicture struct {
	ID       string      `json:"id"`
	Kind     string      `json:"kind"`
	Places   [][]int     `json:"places,omitempty"`   // a node, then the places that it is
	Boxes    [][]int     `json:"boxes,omitempty"`    // a node, then the transitions that it is
	Edges    []boardEdge `json:"edges,omitempty"`    //
	Markings [][]int     `json:"markings,omitempty"` // of a state model: state i is node i, or node In[i]
	Seen     int         `json:"seen,omitempty"`     // the places of which its markings are, where there are others, which only formulas need
	In       []int       `json:"in,omitempty"`
}

// A boardEdge is one that something fires along. From and To are the places it leads between, or the states of a state model; -1: neither.
type boardEdge struct {
	Edge  int   `json:"e"`
	Fires []int `json:"t"`
	From  int   `json:"f"`
	To    int   `json:"o"`
}

// An easel draws the pictures of one contract.
type canvas struct {
	prefix  string
	draft   *compile.Draft
	base    *compile.Draft // nil: nothing to draw beside it
	board   *board
	left    *int            // what may still be drawn on the page
	visited []petri.Marking // what runs come to
	places  map[string]int  // party.place
	fires   map[string][]int
	list    []Picture
}

func newCanvas(prefix string, head, base *compile.Draft, b *board, left *int) *canvas {
	e := &canvas{prefix: prefix, draft: head, base: base, board: b, left: left, places: map[string]int{}, fires: map[string][]int{}}
	for i, p := range head.Net.Places {
		if p.Net != "" {
			e.places[p.Net+" "+p.Name] = i
		}
	}
	for t := range head.Net.Transitions {
		_, owners, parts := explain.Written(head, t)
		for i, part := range parts {
			key := owners[i].Name + "." + cmp.Or(part.Of, part.Name)
			e.fires[key] = append(e.fires[key], t)
		}
	}
	return e
}

// all draws everything there is to draw of a contract: the parties, all together, the state model, what becomes of it; and then the nets that only
// watch, which are closed at first.
func (e *canvas) all(ctx context.Context, of *finding.Picture) error {
	e.parties(false)
	e.composed()
	if err := e.states(ctx); err != nil {
		return err
	}
	e.difference(of)
	e.parties(true)
	return nil
}

func isState(p *hclspec.Place) bool { return p.Kind == hclspec.State }

// parties draws each view that is anybody's, or each that only watches.
func (e *canvas) parties(watching bool) {
	drawn := 0
	for _, p := range e.draft.Spec.Parties {
		if p.Plays == "" && explain.Watches(p) == watching {
			if drawn++; drawn <= maxParties {
				e.party(p, watching)
			}
		}
	}
	if drawn > maxParties {
		e.list = append(e.list, Picture{ID: fmt.Sprintf("%smore%t", e.prefix, watching), Title: fmt.Sprintf("%d more", drawn-maxParties), Kind: "watch",
			Note: "They are not drawn here: redline graph --of NAME draws one."})
	}
}

func (e *canvas) party(p *hclspec.Party, watching bool) {
	g := draw.Party(e.draft, p)
	if len(g.Nodes) == 0 {
		return
	}
	g.Down = true // pictures of parties stand side by side
	var before *draw.Graph
	if was := partyOf(e.base, p.Name); was != nil {
		b := draw.Party(e.base, was)
		b.Down, before = true, &b
	}
	kind := map[bool]string{false: "party", true: "watch"}[watching]
	e.add(kind, g, before, watching, func(b *boardPicture, g *draw.Graph) { e.view(b, g, p) })
}

func partyOf(d *compile.Draft, name string) *hclspec.Party {
	if d == nil || d.Spec == nil {
		return nil
	}
	i := slices.IndexFunc(d.Spec.Parties, func(p *hclspec.Party) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return d.Spec.Parties[i]
}

// view says what of a party's picture is what of the net.
func (e *canvas) view(b *boardPicture, g *draw.Graph, p *hclspec.Party) {
	at := func(id string) int {
		net, place, nested := strings.Cut(id, " ")
		if !nested { // of what watches
			net, place = p.Name, id
		}
		if n, ok := e.places[cmp.Or(net, p.Name)+" "+place]; ok {
			return n
		}
		return -1
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if rest, box := strings.CutPrefix(n.ID, "transition "); box && n.Shape == draw.Box {
			net, name, _ := strings.Cut(rest, " ")
			b.Boxes = append(b.Boxes, append([]int{i}, e.fires[cmp.Or(net, p.Name)+"."+name]...))
		} else if place := at(n.ID); place >= 0 {
			b.Places = append(b.Places, []int{i, place})
		}
	}
	boxes := map[string][]int{}
	for _, box := range b.Boxes {
		boxes[g.Nodes[box[0]].ID] = box[1:]
	}
	for i, edge := range g.Edges {
		var fires []int
		for _, of := range edge.Of {
			if t, err := strconv.Atoi(of); err == nil {
				fires = append(fires, t)
			} else {
				fires = append(fires, e.fires[of]...)
			}
		}
		from, to := at(edge.From), at(edge.To)
		if near := slices.Concat(boxes[edge.From], boxes[edge.To]); len(near) > 0 {
			fires, from, to = near, -1, -1
		}
		b.edge(i, fires, from, to)
	}
}

func (b *boardPicture) edge(i int, fires []int, from, to int) {
	if len(fires) > 0 {
		b.Edges = append(b.Edges, boardEdge{i, fires, from, to})
	}
}

func (e *canvas) composed() {
	if why := e.draft.Unbuilt(); why != "" {
		e.list = append(e.list, Picture{ID: e.prefix + "net", Title: "All of it together", Kind: "composed", Note: words.PlainText(why)})
		return
	}
	if len(e.draft.Net.Transitions) > maxNodes || len(e.draft.Net.Places) > maxNodes {
		e.tooLarge("composed", "All of it together", "redline graph --of NAME draws one party")
		return
	}
	var before *draw.Graph
	if e.base != nil && e.base.Spec != nil && e.base.Unbuilt() == "" && len(e.base.Net.Transitions)+len(e.base.Net.Places) <= maxNodes {
		b := draw.Composed(e.base)
		before = &b
	}
	g := draw.Composed(e.draft)
	g.Title = "All of it together: " + g.Title
	e.add("composed", g, before, false, e.together)
}

func (e *canvas) together(b *boardPicture, g *draw.Graph) {
	at := func(id, kind string) int {
		if number, ok := strings.CutPrefix(id, kind); ok {
			if n, err := strconv.Atoi(number); err == nil {
				return n
			}
		}
		return -1
	}
	for i := range g.Nodes {
		if t := at(g.Nodes[i].ID, "transition "); t >= 0 {
			b.Boxes = append(b.Boxes, []int{i, t})
		} else if p := at(g.Nodes[i].ID, "place "); p >= 0 {
			b.Places = append(b.Places, []int{i, p})
		}
	}
	for i, edge := range g.Edges {
		if t := max(at(edge.From, "transition "), at(edge.To, "transition ")); t >= 0 {
			b.edge(i, []int{t}, -1, -1)
		}
	}
}

func (e *canvas) tooLarge(kind, title, instead string) {
	e.list = append(e.list, Picture{ID: e.prefix + kind, Title: title, Kind: kind, Note: "It is too large to be drawn here: " + instead + "."})
}

// states draws the state model.
func (e *canvas) states(ctx context.Context) error {
	const title = "Every situation that can arise"
	model, err := verify.Explore(ctx, e.draft, finding.Budget{States: maxModel, Jobs: 1})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		e.list = append(e.list, Picture{ID: e.prefix + "states", Title: title, Kind: "states", Note: "Not drawn: " + words.PlainText(err.Error())})
		return nil
	}
	if model.Len() > maxStates || model.Arcs() > maxEdges {
		return e.collapsed(ctx, title, model)
	}
	g := draw.States(e.draft, model)
	g.Title, g.Down = title+": "+g.Title, true
	e.add("states", g, nil, false, func(b *boardPicture, g *draw.Graph) { modelled(b, g, model); b.sees(e.draft) })
	return nil
}

// collapsed draws a large state model with one node for what is alike, but for the states that a run comes to.
func (e *canvas) collapsed(ctx context.Context, title string, model *space.Graph) error {
	g, in, err := draw.Collapsed(ctx, e.draft, model, "", e.visited)
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		e.list = append(e.list, Picture{ID: e.prefix + "states", Title: title, Kind: "states", Note: "Not drawn: " + words.PlainText(err.Error()) + "."})
		return nil
	}
	g.Title, g.Down = title+": "+g.Title, true
	e.add("states", g, nil, false, func(b *boardPicture, g *draw.Graph) { folded(b, g, model, in); b.sees(e.draft) })
	return nil
}

// maxKnown is how many states of a collapsed model scripts can find in it.
const maxKnown = 10_000

func folded(b *boardPicture, g *draw.Graph, model *space.Graph, in []int) {
	at := map[string]int{}
	for i, n := range g.Nodes {
		at[n.ID] = i
	}
	for s := range min(model.Len(), maxKnown) {
		n, ok := at[fmt.Sprintf("state %d", s)]
		if !ok {
			n = at[fmt.Sprintf("block %d", in[s])]
		}
		b.Markings, b.In = append(b.Markings, model.Marking(s)), append(b.In, n)
	}
	for i, edge := range g.Edges {
		b.Edges = append(b.Edges, boardEdge{i, []int{}, at[edge.From], at[edge.To]})
	}
}

// sees notes how many places the states of a model are of, if the draft has others besides.
func (b *boardPicture) sees(d *compile.Draft) {
	if n := d.Places(); n < len(d.Net.Places) {
		b.Seen = n
	}
}

func modelled(b *boardPicture, g *draw.Graph, model *space.Graph) {
	at := map[string]int{}
	for s := range model.Len() {
		at[g.Nodes[s].ID] = s
		b.Markings = append(b.Markings, model.Marking(s))
	}
	for i, edge := range g.Edges {
		var fires []int
		for _, of := range edge.Of {
			t, _ := strconv.Atoi(of) // as DrawStates wrote it
			fires = append(fires, t)
		}
		b.edge(i, fires, at[edge.From], at[edge.To])
	}
}

// difference draws both state models as one.
func (e *canvas) difference(of *finding.Picture) {
	if of == nil {
		return
	}
	g := draw.Difference("Situations and steps, before and after", of)
	if len(g.Edges) > 0 {
		e.add("difference", g, nil, false, func(*boardPicture, *draw.Graph) {})
	}
}

// add draws a picture, and what it was before beside it.
func (e *canvas) add(kind string, g draw.Graph, before *draw.Graph, closed bool, know func(*boardPicture, *draw.Graph)) {
	p := Picture{ID: fmt.Sprintf("%sp%d", e.prefix, len(e.list)), Title: words.PlainText(g.Title), Kind: kind, Open: !closed && len(g.Nodes) <= maxSeen}
	cost := len(g.Nodes) + len(g.Edges)
	if before != nil {
		cost += len(before.Nodes) + len(before.Edges)
	}
	if *e.left -= cost; *e.left < 0 || len(g.Edges) > maxEdges {
		p.Note, p.Open = "It is not drawn here, because the page would be too large: redline graph draws it.", false
		e.list = append(e.list, p)
		return
	}
	p.Wide = kind != "party" && kind != "watch" || len(g.Heads) > 1
	if before != nil && differ(before, &g) {
		p.Wide = true
		p.Before = template.HTML(draw.SVGFragment(*before, p.ID+"b")) // escaped by SVGFragment
	}
	b := boardPicture{ID: p.ID, Kind: kind}
	know(&b, &g)
	if kind != "difference" {
		tokens(&g)
		e.board.Pictures = append(e.board.Pictures, b)
	}
	p.Now = template.HTML(draw.SVGFragment(g, p.ID)) // escaped by SVGFragment
	e.list = append(e.list, p)
}

// tokens gives every place a token, which scripts show and hide, and takes away what is drawn of where all began.
func tokens(g *draw.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Marked = n.Shape == draw.Circle || n.Shape == draw.Square
	}
}

// differ marks what is in one of two pictures alone, and says whether anything is.
func differ(before, now *draw.Graph) bool {
	a, b := marked(before, now, draw.Gone), marked(now, before, draw.Appeared)
	return a || b
}

// marked marks what of a picture the other one has not.
func marked(of, other *draw.Graph, as draw.Change) bool {
	nodes, edges, any := map[string]bool{}, map[string]bool{}, false
	for _, n := range other.Nodes {
		nodes[nodeKey(n)] = true
	}
	names := namesIn(other)
	for _, e := range other.Edges {
		edges[edgeKey(e, names)] = true
	}
	for i := range of.Nodes {
		if !nodes[nodeKey(of.Nodes[i])] {
			of.Nodes[i].Change, any = as, true
		}
	}
	names = namesIn(of)
	for i := range of.Edges {
		if !edges[edgeKey(of.Edges[i], names)] {
			of.Edges[i].Change, any = as, true
		}
	}
	return any
}

// nodeKey is what a node says: numbers of places and transitions are not the same in both drafts.
func nodeKey(n draw.GraphNode) string {
	return fmt.Sprintf("%d\x00%s\x00%s\x00%v", n.Shape, n.Cluster, n.Label, n.Marked)
}

func namesIn(g *draw.Graph) map[string]string {
	names := map[string]string{}
	for _, n := range g.Nodes {
		names[n.ID] = n.Cluster + "\x00" + n.Label
	}
	return names
}

func edgeKey(e draw.GraphEdge, names map[string]string) string {
	return strings.Join([]string{names[e.From], names[e.To], e.Label, strings.Join(e.More, "\x00")}, "\x01")
}
