package smv

import (
	"fmt"

	"github.com/redlinehq/redline/engine/petri"
)

// moves are the moves of a net, each once: with those of the same place that come before it, one of which would count instead.
type moves struct {
	all      []move
	users    [][]int // by move, the transitions that have it
	lists    map[string][]int
	distinct [][]petri.Move // the lists, in order
	number   map[string]int // of a list, from 1
	net      *petri.Net
}

type move struct {
	petri.Move
	before []int // moves
}

func newMoves(n *petri.Net) *moves {
	m := &moves{lists: map[string][]int{}, number: map[string]int{}, net: n}
	for t := range n.Transitions {
		list := n.Transitions[t].Moves
		if len(list) == 0 {
			continue
		}
		key := fmt.Sprint(list)
		if m.lists[key] == nil {
			m.lists[key], m.distinct = m.add(list), append(m.distinct, list)
			m.number[key] = len(m.distinct)
		}
		for _, i := range m.lists[key] {
			m.users[i] = append(m.users[i], t)
		}
	}
	return m
}

func (m *moves) add(list []petri.Move) []int {
	var ids, before []int
	for i, v := range list {
		if i > 0 && list[i-1].From != v.From {
			before = nil
		}
		ids = append(ids, len(m.all))
		m.all, m.users = append(m.all, move{v, before}), append(m.users, nil)
		before = append(before[:len(before):len(before)], ids[i])
	}
	return ids
}

func (m *moves) id(i int) string { return fmt.Sprintf("move$%d", i+1) }

// applies is when a move would be made.
func (m *moves) applies(v move, places []string) string {
	all := []string{places[v.From]}
	for _, p := range v.If {
		all = append(all, places[p])
	}
	for _, i := range v.before {
		all = append(all, "!"+m.id(i))
	}
	return and(all)
}

// named lists the identifiers of a transition's moves, also of those by which a token stays.
func (m *moves) named(list []petri.Move) []string {
	var names []string
	for _, i := range m.lists[fmt.Sprint(list)] {
		names = append(names, m.id(i))
	}
	return names
}

// clash is the name of what the moves of a list would do wrong; empty: there are none.
func (m *moves) clash(list []petri.Move) string {
	if len(list) == 0 {
		return ""
	}
	return fmt.Sprintf("clash$%d", m.number[fmt.Sprint(list)])
}

func (m *moves) of(t int) []string { return m.named(m.net.Transitions[t].Moves) }

// some says that a move of a transition moves something.
func (m *moves) some(t int) string {
	var all []string
	for i, v := range m.net.Transitions[t].Moves {
		if !v.Stays() {
			all = append(all, m.of(t)[i])
		}
	}
	return or(all)
}
