package layout

// Sizes of loops, in pixels.
const (
	loopHeight = 20
	loopWidth  = 18
	loopNest   = 5 // how much larger the next one of the same node is
)

// reserveLoops reserves the space for each node's loops, before it across, and for their labels before them.
func (s *canvas) reserveLoops() {
	all := make([]loops, len(s.vertices))
	for _, e := range s.edges {
		if !e.loop {
			continue
		}
		v, l := &s.vertices[e.from], &all[e.from]
		l.n++
		if s.down { // one label below the other
			v.loops = max(v.loops, e.label.Height)
			l.labels += e.label.Width
			v.long = max(v.long, l.labels)
		} else { // one above the other
			v.loops += e.label.Height
			v.long = max(v.long, e.label.Width)
		}
	}
	for i, l := range all {
		if v := &s.vertices[i]; l.n > 0 {
			v.loops += labelGap + loopHeight + (l.n-1)*loopNest
			v.long = max(v.long, 2*(l.n-1)*loopNest+loopWidth)
			v.before += v.loops
		}
	}
}

// loops describes the loops of a node that are drawn so far: their number, and the extent of their labels.
type loops struct{ n, labels int }

// selfLoop routes a loop from a node and back, outside the previous ones.
func (s *canvas) selfLoop(e link, l *loops) route {
	c, v := s.centre(e.from), s.vertices[e.from]
	wide, high := loopWidth/2+l.n*loopNest, loopHeight+l.n*loopNest
	top := c.across - v.before + v.loops // of the outline
	if s.g.Nodes[s.part.nodes[e.from]].Outline != Rectangle {
		top += 2 // it is lower there
	}
	foot := min(wide/2, s.rim(e.from, 0)*2/3)
	var r route
	for _, p := range []place{{-foot, 0}, {-foot, high * 2 / 3}, {-wide, high}, {0, high}, {wide, high}, {foot, high * 2 / 3}, {foot, 0}} {
		r.Curve = append(r.Curve, s.point(place{c.along + p.along, top - p.across}))
	}
	r.Label = s.point(s.loopLabel(e, l))
	l.n++
	return r
}

// loopLabel returns the position of a loop's label: outside all loops of the node.
func (s *canvas) loopLabel(e link, l *loops) place {
	c, v := s.centre(e.from), s.vertices[e.from]
	outside := c.across - v.before
	if s.down {
		l.labels += e.label.Width
		return place{c.along - v.long/2 + l.labels - e.label.Width/2, outside + e.label.Height/2}
	}
	l.labels += e.label.Height
	return place{c.along, outside + l.labels - e.label.Height/2}
}
