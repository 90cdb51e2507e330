package behaviour

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// This file compares states by meaning: the markings of the places that both drafts have. States that differ only in what one draft alone has
// (a new flag, an added obligation, history) mean the same. So where both have the same places, the counts are those of a check: what appeared
// less what vanished is what one has more.

// maxSituations is the most states of a kind that are shown.
const maxSituations = 3

// A sense has the meanings of places as numbers, by side and place; -1: none.
type sense [2][]int32

// senses returns the meanings of places. Places that both drafts have mean something, and so do places where a party or net of both can be
// on one side only. A flag or a counter that one of them lacks means nothing, nor does a place of one side that is marked initially: it
// says only that nothing has happened yet.
func senses(base, head *compile.Draft, n compile.Naming) sense {
	drafts := [2]*compile.Draft{base, head}
	var has [2]map[string]bool // names of places and nets
	for side, d := range drafts {
		has[side] = map[string]bool{}
		for i := range d.AllPlaces {
			name := n.Of(side).Place(d, i)
			has[side][name], has[side][netOf(name)] = true, true
		}
	}
	var x sense
	at := map[string]int32{}
	for side, d := range drafts {
		x[side] = slices.Repeat([]int32{-1}, len(d.AllPlaces))
		for i, p := range d.AllPlaces {
			name, other := n.Of(side).Place(d, i), has[1-side]
			stand := p.Flag == "" && p.Counter == "" && (p.Kind == hclspec.State || !p.Marked) && other[netOf(name)]
			if !other[name] && (compile.IsSilent(d.Owners[i], p) || !stand) {
				continue
			}
			if _, numbered := at[name]; !numbered {
				at[name] = int32(len(at))
			}
			x[side][i] = at[name]
		}
	}
	return x
}

// netOf returns the net of a place, with the dot after it, so that it is not the name of a place.
func netOf(place string) string { return place[:strings.LastIndexByte(place, '.')+1] }

// key returns the meaning of a marking of one side.
func (x sense) key(side int, m petri.Marking) string {
	var said []int32
	for _, p := range m {
		if p < len(x[side]) && x[side][p] >= 0 {
			said = append(said, x[side][p])
		}
	}
	slices.Sort(said)
	key := make([]byte, 0, 4*len(said))
	for _, p := range said {
		key = binary.BigEndian.AppendUint32(key, uint32(p))
	}
	return string(key)
}

// A meant has the meanings of the states of one side: the first state of each meaning, and the first dead end.
type meanings struct {
	first map[string]int
	dead  map[string]int
	order []int // the first states, ascending
	stuck []int // the first dead ends, ascending
}

func (c *comparison) meanings(ctx context.Context, x sense, side int) (*meanings, error) {
	m := &meanings{first: map[string]int{}, dead: map[string]int{}}
	g := c.sides[side].Graph
	for s := range g.Len() {
		if s%1024 == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		key := x.key(side, g.Marking(s))
		if _, had := m.first[key]; !had {
			m.first[key] = s
			m.order = append(m.order, s)
		}
		if _, had := m.dead[key]; !had && len(g.Succ(s)) == 0 {
			m.dead[key] = s
			m.stuck = append(m.stuck, s)
		}
	}
	return m, nil
}

// perState is the approximate memory of a meaning in bytes: its key and two map entries.
const perState = 160

// states compares the state models by the meanings of their states.
func (c *comparison) states(ctx context.Context, n compile.Naming) finding.States {
	if limit := int64(c.Budget.Memory); limit > 0 && perState*int64(c.sides[0].Graph.Len()+c.sides[1].Graph.Len()) > limit {
		return finding.States{Unknown: fmt.Sprintf("comparing the states of both versions needs more than the limit of %s of memory (--max-memory)", c.Budget.Memory)}
	}
	x := senses(c.sides[0].Draft, c.sides[1].Draft, n)
	found := verify.Memoized(ctx, c.memo(), c.key("states", x), func() novel { return c.novel(ctx, x) })
	if found.err != nil {
		return finding.States{Unknown: c.Budget.Reason(found.err)}
	}
	s := finding.States{}
	for side, to := range []struct {
		count, dead      *int
		shown, deadShown *[]finding.Situation
	}{{&s.Vanished, &s.LostDead, &s.VanishedShown, &s.LostDeadEnds}, {&s.Appeared, &s.NewDead, &s.AppearedShown, &s.NewDeadEnds}} {
		*to.count, *to.dead = found.count[side], found.dead[side]
		var err error
		if *to.shown, err = c.situations(side, found.fresh[side], false); err == nil {
			*to.deadShown, err = c.situations(side, found.stuck[side], true)
		}
		if err != nil {
			return finding.States{Unknown: "a run to a state does not replay, which is a defect of redline: " + err.Error()}
		}
	}
	s.Died, s.Alive = c.clauses(n)
	return s
}

// A novel has what each side has and the other lacks: the number of states and dead ends, and some of them.
type novel struct {
	count, dead  [2]int
	fresh, stuck [2][]int
	err          error
}

func (c *comparison) novel(ctx context.Context, x sense) (n novel) {
	var all [2]*meanings
	for side := range all {
		if all[side], n.err = c.meanings(ctx, x, side); n.err != nil {
			return n
		}
	}
	for side := range all {
		fresh := c.lacking(x, side, all[side].order, all[1-side].first)
		stuck := c.lacking(x, side, all[side].stuck, all[1-side].dead)
		n.count[side], n.dead[side] = len(fresh), len(stuck)
		fresh = c.entries(x, side, fresh, all[1-side].first)
		n.fresh[side], n.stuck[side] = fresh[:min(len(fresh), maxSituations)], stuck[:min(len(stuck), maxSituations)]
	}
	return n
}

// lacking returns the states of one side whose meaning the other side lacks.
func (c *comparison) lacking(x sense, side int, states []int, other map[string]int) []int {
	var list []int
	for _, s := range states {
		if _, has := other[x.key(side, c.sides[side].Graph.Marking(s))]; !has {
			list = append(list, s)
		}
	}
	return list
}

// entries puts the states first that a shortest run reaches without passing another of them: there the novelty begins.
func (c *comparison) entries(x sense, side int, fresh []int, other map[string]int) []int {
	var first, then []int
	m := c.sides[side]
	for _, s := range fresh {
		enters := m.parent[s] == orphan
		if !enters {
			_, enters = other[x.key(side, m.Graph.Marking(int(m.parent[s])))]
		}
		if enters {
			first = append(first, s)
		} else {
			then = append(then, s)
		}
	}
	return append(first, then...)
}

// situations describes some states, each with a replayed shortest run.
func (c *comparison) situations(side int, states []int, dead bool) ([]finding.Situation, error) {
	var list []finding.Situation
	m := c.sides[side]
	f := NewFollower(m.Draft, c.idle, 0)
	for _, s := range states[:min(len(states), maxSituations)] {
		way := m.way(c.lexicon, s)
		if _, err := f.replayed(way); err != nil {
			return nil, err
		}
		end := way.markings[len(way.markings)-1]
		if dead && f.able(end) {
			return nil, errors.New("it does not end in a dead end")
		}
		list = append(list, finding.Situation{Run: c.renderRun(side, way), End: explain.PartiesAt(m.Listed.Checked.Draft, end), Differs: c.beside(side, way)})
	}
	return list, nil
}
