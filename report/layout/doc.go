// Package layout places the nodes of a directed graph in layers and routes its edges between them. It is pure geometry: it knows sizes, and
// no words.
//
// The steps are those of K. Sugiyama, S. Tagawa, M. Toda (1981), Methods for visual understanding of hierarchical system
// structures: break cycles (cycles.go), give each node a rank (rank.go), put bends where an edge passes a rank (bends.go),
// order each layer so that few edges cross (order.go), give coordinates (align.go, after U. Brandes, B. Köpf (2001), Fast
// and simple horizontal coordinate assignment), lead the edges (route.go). Labels of edges are bends with a size, as
// in E. Gansner, E. Koutsofios, S. North, K.-P. Vo (1993), A technique for drawing directed graphs; so a label
// covers nothing and nothing covers it. Groups are lanes: bands that no other group's node is in (lanes.go).
//
// All numbers are integers, so that every machine draws the same.
package layout
