package page

import (
	"cmp"
	"context"
	"errors"
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

// Limits on what is drawn on one page. A picture that is left out has a note on how to draw it by itself.
const (
	maxNodes    = 3_000 // of one picture
	maxEdges    = 9_000
	maxRead     = 50     // states of a model that a reader can read one by one
	maxStates   = 2_000  // of a state model that is drawn in full if nothing groups its states
	maxModel    = 50_000 // of a state model that is drawn collapsed
	maxSeen     = 700    // nodes of a picture that is open at first
	maxParties  = 40     // pictures of parties, and of norms, for each contract
	maxDrawings = 60_000
)

// A picture is a picture on the page. The data for scripts are in the board.
type picture struct {
	ID, Title, Kind string // party, watch, composed, states, difference
	Now, Before     template.HTML
	Note            string // a remark on it, or the reason why it is not drawn
	Open            bool
	Wide            bool // it has a row of its own
}

// A boardPicture maps a picture to the net. Nodes and edges are numbered as in the picture.
type boardPicture struct {
	ID       string      `json:"id"`
	Kind     string      `json:"kind"`
	Places   [][]int     `json:"places,omitempty"`   // a node, then its places
	Boxes    [][]int     `json:"boxes,omitempty"`    // a node, then its transitions
	Edges    []boardEdge `json:"edges,omitempty"`    //
	Markings [][]int     `json:"markings,omitempty"` // of a state model: state i is node i, or node In[i]
	Seen     int         `json:"seen,omitempty"`     // the number of places in its markings, if the net has more, which only formulas need
	In       []int       `json:"in,omitempty"`
}

// A boardEdge is an edge along which transitions fire. From and To are the places or states that it connects; -1: neither.
type boardEdge struct {
	Edge  int   `json:"e"`
	Fires []int `json:"t"`
	From  int   `json:"f"`
	To    int   `json:"o"`
}

// A canvas draws the pictures of one contract.
type canvas struct {
	prefix  string
	draft   *compile.Draft
	base    *compile.Draft // nil: there is none to draw beside it
	board   *board
	left    *int            // the room for drawings that is left on the page
	visited []petri.Marking // markings of the runs
	places  map[string]int  // by party and place
	fires   map[string][]int
	list    []picture
}

// newCanvas returns a canvas for head.
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

// all draws the pictures of a contract: the parties, the composed net, the state model and the difference; then norms and clocks, which are
// closed at first.
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

// isState reports whether a place is a state.
func isState(p *hclspec.Place) bool { return p.Kind == hclspec.State }

// parties draws the view of each party, or of each norm and clock.
func (e *canvas) parties(watching bool) {
	drawn := 0
	for _, p := range e.draft.Spec.Parties {
		if p.Plays == "" && compile.IsWatcher(p) == watching {
			if drawn++; drawn <= maxParties {
				e.party(p, watching)
			}
		}
	}
	if drawn > maxParties {
		e.list = append(e.list, picture{ID: fmt.Sprintf("%smore%t", e.prefix, watching), Title: fmt.Sprintf("%d more", drawn-maxParties), Kind: "watch",
			Note: "They are not drawn here: redline graph --of NAME draws one."})
	}
}

// party draws one view, with base's beside it.
func (e *canvas) party(p *hclspec.Party, watching bool) {
	g := draw.Party(e.draft, p)
	if len(g.Nodes) == 0 {
		return
	}
	g.Down = true // pictures of parties are side by side
	var before *draw.Graph
	if was := partyOf(e.base, p.Name); was != nil {
		b := draw.Party(e.base, was)
		b.Down, before = true, &b
	}
	kind := map[bool]string{false: "party", true: "watch"}[watching]
	e.add(kind, g, before, watching, func(b *boardPicture, g *draw.Graph) { e.view(b, g, p) })
}

// partyOf returns the party of a name, or nil.
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

// view maps a party's picture to the net.
func (e *canvas) view(b *boardPicture, g *draw.Graph, p *hclspec.Party) {
	at := func(id string) int {
		net, place, nested := strings.Cut(id, " ")
		if !nested { // of a norm or a clock
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

// edge adds an edge, unless nothing fires along it.
func (b *boardPicture) edge(i int, fires []int, from, to int) {
	if len(fires) > 0 {
		b.Edges = append(b.Edges, boardEdge{i, fires, from, to})
	}
}

// composed draws the composed net.
func (e *canvas) composed() {
	if why := e.draft.Unbuilt(); why != "" {
		e.list = append(e.list, picture{ID: e.prefix + "net", Title: "All of it together", Kind: "composed", Note: words.PlainText(why)})
		return
	}
	if len(e.draft.Net.Transitions) > maxNodes || len(e.draft.Net.Places) > maxNodes {
		e.list = append(e.list, picture{ID: e.prefix + "composed", Title: "All of it together", Kind: "composed",
			Note: "It is too large to be drawn here: redline graph --of NAME draws one party."})
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

// together maps the picture of the composed net to the net.
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

// states draws the state model.
func (e *canvas) states(ctx context.Context) error {
	const title = "Every situation that can arise"
	model, err := verify.Explore(ctx, e.draft, finding.Budget{States: maxModel, Jobs: 1})
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil {
		e.list = append(e.list, picture{ID: e.prefix + "states", Title: title, Kind: "states", Note: "Not drawn: " + words.PlainText(err.Error())})
		return nil
	}
	if model.Len() > maxRead || model.Arcs() > maxEdges {
		if drawn, err := e.collapsed(ctx, title, model); drawn || err != nil {
			return err
		}
	}
	if model.Len() > maxStates || model.Arcs() > maxEdges {
		e.list = append(e.list, picture{ID: e.prefix + "states", Title: title, Kind: "states", Note: "Not drawn: " + draw.ErrNoBlocks.Error() + "."})
		return nil
	}
	g := draw.States(e.draft, model)
	g.Title, g.Down = title+": "+g.Title, true
	e.add("states", g, nil, false, func(b *boardPicture, g *draw.Graph) { modelled(b, g, model); b.sees(e.draft) })
	return nil
}

// collapsed draws a large state model with one node for all states that are alike, except for the states of runs. It reports whether
// there is a way to group the states.
func (e *canvas) collapsed(ctx context.Context, title string, model *space.Graph) (bool, error) {
	g, in, err := draw.Collapsed(ctx, e.draft, model, "", e.visited)
	switch {
	case errors.Is(err, draw.ErrNoBlocks):
		return false, nil
	case err != nil:
		return false, err
	}
	g.Title, g.Down = title+": "+g.Title, true
	e.add("states", g, nil, false, func(b *boardPicture, g *draw.Graph) { folded(b, g, model, in); b.sees(e.draft) })
	return true, nil
}

// maxKnown is the number of states of a collapsed model that scripts can find.
const maxKnown = 10_000

// folded maps the picture of a collapsed state model to the net.
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

// sees records the number of places in the model's markings, if the net has more.
func (b *boardPicture) sees(d *compile.Draft) {
	if n := d.Places(); n < len(d.Net.Places) {
		b.Seen = n
	}
}

// modelled maps the picture of a state model to the net.
func modelled(b *boardPicture, g *draw.Graph, model *space.Graph) {
	at := map[string]int{}
	for s := range model.Len() {
		at[g.Nodes[s].ID] = s
		b.Markings = append(b.Markings, model.Marking(s))
	}
	for i, edge := range g.Edges {
		var fires []int
		for _, of := range edge.Of {
			t, _ := strconv.Atoi(of) // as draw.States wrote it
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
	g := draw.Difference("Situations and steps, before and after", of.First(words.MostDrawn))
	if len(g.Edges) > 0 {
		e.add("difference", g, nil, false, func(*boardPicture, *draw.Graph) {})
	}
}

// add draws a picture, and the one of base beside it. The function know maps it to the net.
func (e *canvas) add(kind string, g draw.Graph, before *draw.Graph, closed bool, know func(*boardPicture, *draw.Graph)) {
	p := picture{ID: fmt.Sprintf("%sp%d", e.prefix, len(e.list)), Title: words.PlainText(g.Title), Kind: kind, Note: words.PlainText(g.Note), Open: !closed && len(g.Nodes) <= maxSeen}
	g.Note = "" // it would be as small as the picture
	cost := len(g.Nodes) + len(g.Edges)
	if before != nil {
		cost += len(before.Nodes) + len(before.Edges)
	}
	if *e.left -= cost; *e.left < 0 || len(g.Nodes) > maxNodes || len(g.Edges) > maxEdges {
		p.Note, p.Open = "It is not drawn here, because the page would be too large: redline graph draws it.", false
		e.list = append(e.list, p)
		return
	}
	p.Wide = kind != "party" && kind != "watch" || len(g.Heads) > 1
	b := boardPicture{ID: p.ID, Kind: kind}
	know(&b, &g)
	if kind != "difference" {
		e.board.Pictures = append(e.board.Pictures, b)
	}
	was, both := draw.Graph{}, false
	if before != nil {
		if was, both = united(*before, &g); both {
			p.Wide = true
		}
	}
	if kind != "difference" {
		tokens(&g)
	}
	if both { // escaped by SVGPair
		old, now := draw.SVGPair(was, g, p.ID)
		p.Before, p.Now = template.HTML(old), template.HTML(now)
	} else {
		p.Now = template.HTML(draw.SVGFragment(g, p.ID)) // escaped by SVGFragment
	}
	e.list = append(e.list, p)
}

// tokens marks every place, since scripts show and hide the tokens. All other nodes lose the mark of the initial state.
func tokens(g *draw.Graph) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		n.Marked = n.Shape == draw.Circle || n.Shape == draw.Square
	}
}

// united adds to a picture what only the earlier one has, and marks what only one of them has. It returns the same picture with the initial
// states of the earlier one, and whether the two differ. The nodes and edges of now come first.
func united(before draw.Graph, now *draw.Graph) (was draw.Graph, differ bool) {
	own := *now
	now.Nodes, now.Edges = slices.Clone(own.Nodes), slices.Clone(own.Edges)
	free := map[string][]int{} // now's nodes that are not matched yet
	for i, n := range now.Nodes {
		free[nodeKey(n)] = append(free[nodeKey(n)], i)
		now.Nodes[i].Change = draw.Appeared
	}
	ids, lists := map[string]string{}, map[int][]string{} // of the earlier nodes; what nodes listed earlier that list something else now
	for _, n := range before.Nodes {
		old := n.ID
		if k := nodeKey(n); len(free[k]) > 0 {
			same := &now.Nodes[free[k][0]]
			if !slices.Equal(n.More, same.More) {
				lists[free[k][0]], same.More = n.More, bothLists(n.More, same.More)
			}
			ids[old], same.Change, free[k] = same.ID, draw.Unchanged, free[k][1:]
			continue
		}
		n.ID, n.Change = "before "+old, draw.Gone
		ids[old] = n.ID
		now.Nodes = append(now.Nodes, n)
	}
	clear(free)
	for i, e := range now.Edges {
		free[edgeKey(e)] = append(free[edgeKey(e)], i)
		now.Edges[i].Change = draw.Appeared
	}
	for _, e := range before.Edges {
		e.From, e.To = ids[e.From], ids[e.To]
		if k := edgeKey(e); len(free[k]) > 0 {
			now.Edges[free[k][0]].Change, free[k] = draw.Unchanged, free[k][1:]
			continue
		}
		e.ID, e.Change = "", draw.Gone
		now.Edges = append(now.Edges, e)
	}
	if len(lists) == 0 && !slices.ContainsFunc(now.Nodes, changedNode) && !slices.ContainsFunc(now.Edges, changedEdge) {
		return was, false
	}
	was = *now
	was.Nodes = slices.Clone(now.Nodes)
	for i, list := range lists {
		was.Nodes[i].More = list
	}
	return was, true
}

// bothLists returns what a node lists now, with signs at what it did not list before, and then what it no longer lists.
func bothLists(before, now []string) []string {
	var all []string
	for _, line := range now {
		change := draw.Appeared
		if slices.Contains(before, line) {
			change = draw.Unchanged
		}
		all = append(all, draw.Label(line, change))
	}
	for _, line := range before {
		if !slices.Contains(now, line) {
			all = append(all, draw.Label(line, draw.Gone))
		}
	}
	return all
}

func changedNode(n draw.GraphNode) bool { return n.Change != draw.Unchanged }
func changedEdge(e draw.GraphEdge) bool { return e.Change != draw.Unchanged }

// nodeKey returns a key by which nodes of two drafts are compared. It uses labels, since numbers of places and transitions differ between
// drafts.
func nodeKey(n draw.GraphNode) string {
	return fmt.Sprintf("%d\x00%s\x00%s\x00%v", n.Shape, n.Cluster, n.Label, n.Marked)
}

// edgeKey returns a key by which edges between matched nodes are compared.
func edgeKey(e draw.GraphEdge) string {
	return strings.Join([]string{e.From, e.To, e.Label, strings.Join(e.More, "\x00")}, "\x01")
}
