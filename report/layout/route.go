package layout

import (
	"cmp"
	"slices"
)

// A place is a point on a canvas.
type place struct{ along, across int }

func (s *canvas) centre(v int) place {
	r := s.vertices[v].rank
	return place{s.starts[r] + s.thick[r]/2, s.across[v]}
}

// write copies the canvas into the drawing, with its corner at the origin, and returns its size.
func (s *canvas) write(d *Drawing) Size {
	from, to := s.reach(s.across)
	for v := range s.across {
		s.across[v] -= from
	}
	for v, n := range s.part.nodes {
		d.Nodes[n] = spot{s.point(s.centre(v)), s.point(s.written(v))}
	}
	ports := s.ports()
	loops := make([]loops, len(s.vertices))
	for i, e := range s.part.edges {
		if l := s.edges[i]; l.loop {
			d.Edges[e] = s.selfLoop(l, &loops[l.from])
		} else {
			d.Edges[e] = s.route(i, ports)
		}
	}
	s.writeLanes(d)
	return s.turn(Size{s.end(), to - from})
}

// point converts along and across to x and y.
func (s *canvas) point(p place) Point {
	if s.down {
		return Point{p.across, p.along}
	}
	return Point{p.along, p.across}
}

// written returns the centre of a node's label.
func (s *canvas) written(v int) place {
	c, l := s.centre(v), s.turn(bounded(s.g.Nodes[s.part.nodes[v]].Label))
	if l == (Size{}) {
		return c
	}
	return place{c.along, c.across + s.vertices[v].after - l.Height/2}
}

func (s *canvas) writeLanes(d *Drawing) {
	for i, g := range s.lanes.order {
		from, to := s.across[s.border(2*i)], s.across[s.border(2*i+1)]
		head := s.turn(bounded(s.g.Groups[g]))
		d.Groups[g] = Lane{Rect: Rect{s.point(place{0, from}), s.turn(Size{s.end(), to - from})},
			Head: s.point(place{lanePad/2 + head.Width/2, (from + to) / 2})}
	}
}

// A port is where an edge meets its two nodes, as the distance across from their centres.
type port struct{ from, to int }

// ports spreads the edges on each side of a node, in the order of their other ends.
func (s *canvas) ports() []port {
	all := make([]port, len(s.edges))
	in, out := s.incident()
	for v := range s.part.nodes {
		s.spread(v, out[v], func(i int) *int { return &all[i].from }, func(i int) int {
			if e := s.edges[i]; len(e.bends) > 0 {
				return s.across[e.bends[0]]
			}
			return s.across[s.edges[i].to]
		})
	}
	for v := range s.part.nodes {
		s.spread(v, in[v], func(i int) *int { return &all[i].to }, func(i int) int {
			if e := s.edges[i]; len(e.bends) > 0 {
				return s.across[e.bends[len(e.bends)-1]]
			}
			return s.across[s.edges[i].from] + all[i].from
		})
	}
	return all
}

// portGap is the greatest distance between two edges at a node.
const portGap = 14

// spread places edges side by side, so that one of them can run straight if possible.
func (s *canvas) spread(v int, edges []int, port func(int) *int, across func(int) int) {
	slices.SortFunc(edges, func(i, j int) int { return cmp.Or(cmp.Compare(across(i), across(j)), cmp.Compare(i, j)) })
	room, gap := s.halfSide(v), 0
	if len(edges) > 1 {
		gap = min(portGap, 2*room/(len(edges)-1))
	}
	first := -gap * (len(edges) - 1) / 2
	slack, by := room+first, 1<<30
	for n, i := range edges {
		if d := across(i) - s.across[v] - (first + n*gap); max(d, -d) < max(by, -by) {
			by = d
		}
	}
	if by < -slack || slack < by {
		by = 0
	}
	for n, i := range edges {
		*port(i) = first + n*gap + by
	}
}

// halfSide returns how far from the centre of a node, across, edges may meet it.
func (s *canvas) halfSide(v int) int {
	n := s.g.Nodes[s.part.nodes[v]]
	z := s.turn(bounded(n.Size))
	if n.Outline == Ellipse {
		return z.Height * 3 / 10
	}
	return max(z.Height/2-6, 0)
}

// rim returns how far along the outline of a node is from its centre, at an offset across.
func (s *canvas) rim(v, offset int) int {
	n := s.g.Nodes[s.part.nodes[v]]
	z := s.turn(bounded(n.Size))
	offset = max(offset, -offset)
	if n.Outline == Ellipse && z.Height > 0 {
		b := z.Height / 2
		return z.Width * root(b*b-offset*offset) / (2 * max(b, 1))
	}
	return z.Width / 2
}

// route draws an edge straight through the layers, and in curves between them, so that it passes over no node.
func (s *canvas) route(i int, ports []port) route {
	e, p := s.edges[i], ports[i]
	from, to := s.centre(e.from), s.centre(e.to)
	l := &line{canvas: s}
	l.start(place{from.along + s.rim(e.from, p.from), from.across + p.from})
	l.straight(s.ending(e.from))
	for _, v := range e.bends {
		l.curve(place{s.starts[s.vertices[v].rank], s.across[v]})
		l.straight(s.ending(v))
	}
	l.curve(place{s.starts[s.vertices[e.to].rank], to.across + p.to})
	l.straight(to.along - s.rim(e.to, p.to))
	if e.turned {
		slices.Reverse(l.points)
	}
	r := route{Curve: l.points, Crowded: e.crowded}
	if e.tag >= 0 {
		c := s.centre(e.tag)
		if s.down {
			c.across += 2*tagGap + e.label.Height/2
		} else {
			c.across -= tagGap + e.label.Height/2
		}
		r.Label = s.point(c)
	}
	return r
}

func (s *canvas) ending(v int) int {
	r := s.vertices[v].rank
	return s.starts[r] + s.thick[r]
}

// A line is a route under construction.
type line struct {
	*canvas
	at     place
	since  place // where its last piece began
	flat   bool  // which is straight on
	points []Point
}

func (l *line) start(p place) { l.at, l.points = p, []Point{l.point(p)} }

// straight extends the route straight on, merged with a straight segment before.
func (l *line) straight(along int) {
	if along == l.at.along {
		return
	}
	if l.flat {
		l.points, l.at = l.points[:len(l.points)-3], l.since
	}
	l.flat = true
	l.piece(place{along, l.at.across}, 3)
}

// curve extends the route to a place, leaving and arriving straight.
func (l *line) curve(to place) {
	if to.across == l.at.across {
		l.straight(to.along)
		return
	}
	l.flat = false
	l.piece(to, 2)
}

// piece adds a Bézier curve whose control points are straight on, a share of the way.
func (l *line) piece(to place, share int) {
	from := l.at
	by := (to.along - from.along) / share
	for _, p := range []place{{from.along + by, from.across}, {to.along - by, to.across}, to} {
		l.points = append(l.points, l.point(p))
	}
	l.since, l.at = from, to
}
