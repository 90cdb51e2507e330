package engine

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Picture is the state models of both drafts drawn as one. States are one where the parties and
// nets that both drafts have stand the same; arcs, where they lead the same way by the same step. An
// arc that both drafts have and that leads back to its state is not drawn.
type Picture struct {
	States []PictureState // the start first, then by distance from it on head, then those of base alone
	Arcs   []PictureArc   // in order of their ends
	Extent Extent
	More   int // how many arcs that appeared or vanished are left out
}

// PictureState is a state of either draft.
type PictureState struct {
	Words []PartyState // without what is the same in all states drawn, and flags that are down
	Start bool
	In    delta.Side
}

// PictureArc leads from one of a Picture's states to another, by number.
type PictureArc struct {
	From, To int
	Label    string // the titles, or names, of what happens
	In       delta.Side
}

// Extent says how much of the two models a Picture has.
type Extent uint8

const (
	WholeModels Extent = iota // all of both
	AroundIt                  // what appeared or vanished, and a shortest way there from the start
	ChangesOnly               // what appeared or vanished, as far as it was to be drawn
)

func (e Extent) String() string { return [...]string{"whole", "around", "changes"}[e] }

const (
	maxPictureArcs   = 60     // in a review: more than that nobody reads
	maxPictureStates = 50_000 // of a model, beyond which a review spends nothing on a picture
)

// DrawDifference explores the state models of two drafts and draws them as one, with at most so many
// arcs. An error says in a reader's words why there is no picture.
func DrawDifference(ctx context.Context, base, head *Draft, b Budget, arcs int) (*Picture, error) {
	var models [2]*checked
	for i, d := range []*Draft{base, head} {
		if d.Spec == nil {
			return nil, errors.New("the text is ill-formed")
		}
		g, err := d.Explore(ctx, b)
		if err != nil {
			return nil, err
		}
		models[i] = &checked{d, g, b.Memory}
	}
	return drawn(ctx, models[0], models[1], arcs)
}

// drawn is the picture of two state models. Cost: linear in both, with a hash of each state.
func drawn(ctx context.Context, base, head *checked, arcs int) (*Picture, error) {
	j := &joint{at: map[string]int{}, arcAt: map[jointArc]int{}}
	m := meanings(base.Draft, head.Draft)
	if err := j.add(ctx, head, m[1], delta.InHead); err != nil {
		return nil, err
	}
	if err := j.add(ctx, base, m[0], delta.InBase); err != nil {
		return nil, err
	}
	return j.picture(arcs), nil
}

// joint is both state models, states of one meaning put together.
type joint struct {
	states []jointState
	arcs   []jointArc
	sides  []delta.Side // by arc
	labels []string     // by arc
	at     map[string]int
	arcAt  map[jointArc]int
}

// jointState is a state of that meaning in one of the models, of head if head has one.
type jointState struct {
	of    *checked
	state int
	in    delta.Side
	start bool
}

// jointArc is one arc; by is what happens, by its names on head.
type jointArc struct {
	from, to int
	by       string
}

// add puts the states and arcs of one draft in. In a step of several transitions all are named.
func (j *joint) add(ctx context.Context, c *checked, m meaning, side delta.Side) error {
	numbers := make([]int, c.graph.Len())
	for s := range numbers {
		if s%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		numbers[s] = j.state(c, s, m.of(c.graph.Marking(s)), side)
	}
	for s, from := range numbers {
		if s%4096 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		steps := c.graph.Steps(s)
		for i, to := range c.graph.Succ(s) {
			j.arc(jointArc{from, numbers[to], m.step(steps[i])}, c.stepTitle(steps[i]), side)
		}
	}
	return nil
}

func (j *joint) state(c *checked, s int, key string, side delta.Side) int {
	n, had := j.at[key]
	if !had {
		n = len(j.states)
		j.at[key] = n
		j.states = append(j.states, jointState{c, s, side, s == 0})
	}
	if j.states[n].in != side {
		j.states[n].in = delta.InBoth
	}
	j.states[n].start = j.states[n].start || s == 0
	return n
}

func (j *joint) arc(a jointArc, label string, side delta.Side) {
	n, had := j.arcAt[a]
	if !had {
		n = len(j.arcs)
		j.arcAt[a] = n
		j.arcs, j.sides, j.labels = append(j.arcs, a), append(j.sides, side), append(j.labels, label)
	}
	if j.sides[n] != side {
		j.sides[n] = delta.InBoth
	}
}

// picture draws all if it is at most so many arcs; else what is around the changes; else these alone.
func (j *joint) picture(most int) *Picture {
	var all, changed []int
	for i, a := range j.arcs {
		if j.sides[i] != delta.InBoth {
			changed = append(changed, i)
		} else if a.from == a.to {
			continue
		}
		all = append(all, i)
	}
	if len(all) <= most {
		return j.draw(all, WholeModels, 0, func(int) bool { return true })
	}
	if around := j.around(changed); len(around) <= most {
		return j.draw(around, AroundIt, 0, j.isStart)
	}
	shown := changed[:min(len(changed), most)]
	return j.draw(shown, ChangesOnly, len(changed)-len(shown), func(int) bool { return false })
}

func (j *joint) isStart(s int) bool { return j.states[s].start }

// around is the changed arcs, and the arcs of shortest ways to where they begin, each on the side
// that has it.
func (j *joint) around(changed []int) []int {
	taken := map[int]bool{}
	came := map[delta.Side][]int{}
	for _, side := range []delta.Side{delta.InHead, delta.InBase} {
		came[side] = j.ways(side)
	}
	for _, i := range changed {
		taken[i] = true
		for s := j.arcs[i].from; ; {
			by := came[j.sides[i]][s]
			if by < 0 || taken[by] {
				break
			}
			taken[by] = true
			s = j.arcs[by].from
		}
	}
	list := make([]int, 0, len(taken))
	for i := range j.arcs {
		if taken[i] {
			list = append(list, i)
		}
	}
	return list
}

// ways is, for each state, the arc by which a breadth-first search from the start of one side first
// comes to it; -1 for the start and for what it does not come to.
func (j *joint) ways(side delta.Side) []int {
	leaving := make([][]int, len(j.states))
	for i, a := range j.arcs {
		if j.sides[i] == side || j.sides[i] == delta.InBoth {
			leaving[a.from] = append(leaving[a.from], i)
		}
	}
	came, seen := slices.Repeat([]int{-1}, len(j.states)), make([]bool, len(j.states))
	var queue []int
	for s, state := range j.states {
		if state.start && (state.in == side || state.in == delta.InBoth) {
			queue, seen[s] = append(queue, s), true
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, i := range leaving[queue[0]] {
			if to := j.arcs[i].to; !seen[to] {
				seen[to], came[to] = true, i
				queue = append(queue, to)
			}
		}
	}
	return came
}

// draw makes the picture of some arcs, and of the states at their ends or that are kept anyway.
func (j *joint) draw(arcs []int, extent Extent, more int, keep func(s int) bool) *Picture {
	used := make([]bool, len(j.states))
	for s := range used {
		used[s] = keep(s)
	}
	for _, i := range arcs {
		used[j.arcs[i].from], used[j.arcs[i].to] = true, true
	}
	p := &Picture{Extent: extent, More: more}
	numbers := make([]int, len(j.states))
	for s, state := range j.states {
		if used[s] {
			numbers[s] = len(p.States)
			p.States = append(p.States, PictureState{Words: state.of.depicted(state.state), Start: state.start, In: state.in})
		}
	}
	for _, i := range arcs {
		p.Arcs = append(p.Arcs, PictureArc{numbers[j.arcs[i].from], numbers[j.arcs[i].to], j.labels[i], j.sides[i]})
	}
	slices.SortStableFunc(p.Arcs, func(a, b PictureArc) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), strings.Compare(a.Label, b.Label), cmp.Compare(a.In, b.In))
	})
	p.terse()
	return p
}

// terse drops the words that are the same in all states.
func (p *Picture) terse() {
	if len(p.States) < 2 {
		return
	}
	said := map[string]map[string]int{} // by party, then by what is said of it
	for _, s := range p.States {
		for _, w := range s.Words {
			if said[w.Party] == nil {
				said[w.Party] = map[string]int{}
			}
			said[w.Party][strings.Join(w.Places, "\x00")]++
		}
	}
	for i := range p.States {
		p.States[i].Words = slices.DeleteFunc(p.States[i].Words, func(w PartyState) bool {
			return said[w.Party][strings.Join(w.Places, "\x00")] == len(p.States)
		})
	}
}

// depicted says where all stand, but for flags that are down.
func (c *checked) depicted(s int) []PartyState {
	var up petri.Marking
	for _, p := range c.present(c.graph.Marking(s)) {
		if c.places[p].Kind != hclspec.FlagFalse {
			up = append(up, p)
		}
	}
	return c.standing(up)
}

// stepTitle names what happens in a step to a reader.
func (d *Draft) stepTitle(step []int) string {
	var titles []string
	for _, i := range step {
		t := d.Net.Transitions[i]
		title := d.part(t.Parts[0]).Title
		if t.Event >= 0 {
			title = d.events[t.Event].Title
		}
		titles = append(titles, cmp.Or(title, d.happens(i)))
	}
	return strings.Join(titles, " + ")
}
