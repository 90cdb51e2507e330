package behaviour

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

const (
	maxWholeArcs     = 30     // of two whole models: more are not readable at a glance
	maxPictureArcs   = 60     // in a review: more are not readable
	maxListedArcs    = 300    // in a review, of the changes alone: tables fold those that are alike
	maxPictureStates = 50_000 // of a model: larger ones have no picture in a review
)

// picture draws the effect of the amendment on the state models. It returns nil if they are too large or time ran out.
func (c *comparison) picture(ctx context.Context) *finding.Picture {
	if c.sides[0].Graph.Len() > maxPictureStates || c.sides[1].Graph.Len() > maxPictureStates {
		return nil
	}
	p, err := drawn(ctx, c.Observables, c.Names, [2]*verify.Listed{c.sides[0].Listed, c.sides[1].Listed}, maxPictureArcs)
	if err != nil {
		return nil
	}
	return p
}

// DrawDifference explores the state models of two drafts and draws them as one, with at most so many arcs. An error says in a reader's
// words why there is no picture.
func DrawDifference(ctx context.Context, base, head *compile.Draft, b finding.Budget, arcs int) (*finding.Picture, error) {
	var models [2]*verify.Listed
	for i, d := range []*compile.Draft{base, head} {
		if d.Spec == nil {
			return nil, errors.New("the text is ill-formed")
		}
		g, err := verify.Explore(ctx, d, b)
		if err != nil {
			return nil, err
		}
		models[i] = verify.Listing(d.WithoutHistory(), g, b.Memory)
	}
	names := compile.Amend(base, head).Naming()
	return drawn(ctx, ObservablesOf(base, head, names), names, models, arcs)
}

// drawn returns the picture of two state models. Cost: linear in both, with a hash of each state.
func drawn(ctx context.Context, x *Observables, n compile.Naming, models [2]*verify.Listed, arcs int) (*finding.Picture, error) {
	meaning := senses(models[0].Draft, models[1].Draft, n)
	key := func() string {
		return models[1].Key("picture", models[0].Graph.ID, x.form(), meaning)()
	}
	both := verify.Memoized(ctx, models[1].Memo, key, func() *plan {
		p := &planner{plan: &plan{}, Observables: x, sense: meaning, at: map[string]int{}, arcAt: map[jointArc]int{}, stepAt: map[string]int{}}
		for _, side := range []int{1, 0} {
			if p.err = p.add(ctx, models[side], side); p.err != nil {
				return p.plan
			}
		}
		p.pass()
		return p.plan
	})
	if both.err != nil {
		return nil, both.err
	}
	return (&joint{x, meaning, models, both}).picture(arcs), nil
}

// A joint is both state models with states of one meaning merged, and their words.
type joint struct {
	*Observables
	sense
	models [2]*verify.Listed
	*plan
}

// A plan is a joint in numbers.
type plan struct {
	states []jointState
	arcs   []jointArc
	sides  []diff.Side   // of arcs
	steps  []Observation // the actions of each step
	err    error
}

// A planner builds a plan.
type planner struct {
	*plan
	*Observables
	sense
	at     map[string]int
	arcAt  map[jointArc]int
	stepAt map[string]int
	idle   [2][]jointArc // self-loops of time, by side, of states in which no clock runs
}

// A jointState is a meaning, with a state of one model that has it: of head if head has one.
type jointState struct {
	side  int
	state int
	in    diff.Side
	start bool
	dead  [2]bool // by side: some state of that meaning is a dead end
}

// A jointArc is one arc; by is the number of its step.
type jointArc struct{ from, to, by int }

// add adds the states and arcs of one draft.
func (j *planner) add(ctx context.Context, c *verify.Listed, side int) error {
	numbers, notDue := make([]int, c.Graph.Len()), ticksRead(c.Net)
	for s := range numbers {
		if s%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		numbers[s] = j.state(c, side, s)
	}
	for s, from := range numbers {
		if s%1024 == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		steps := c.Graph.Steps(s)
		for i, to := range c.Graph.Succ(s) {
			a := jointArc{from, numbers[to], j.done(side, steps[i])}
			if len(j.steps[a.by]) == 0 && a.from != a.to { // time that nobody sees shows another state
				a.by = j.passing()
			}
			if len(j.steps[a.by]) > 0 {
				j.arc(a, side)
			}
		}
		if j.Observables.idle >= 0 && still(c, s, notDue) {
			j.idle[side] = append(j.idle[side], jointArc{from, from, j.passing()})
		}
	}
	return nil
}

// pass merges arcs of time of one draft with time that passes in the other where none of its clocks runs.
func (j *planner) pass() {
	for side, all := range j.idle {
		for _, a := range all {
			if n, had := j.arcAt[a]; had && j.sides[n] != onlyIn(side) {
				j.sides[n] = diff.InBoth
			}
		}
	}
}

func (j *planner) state(c *verify.Listed, side, s int) int {
	key := j.key(side, c.Graph.Marking(s))
	n, had := j.at[key]
	if !had {
		n = len(j.states)
		j.at[key] = n
		j.states = append(j.states, jointState{side: side, state: s, in: onlyIn(side)})
	}
	if j.states[n].in != onlyIn(side) {
		j.states[n].in = diff.InBoth
	}
	j.states[n].start = j.states[n].start || s == 0
	j.states[n].dead[side] = j.states[n].dead[side] || len(c.Graph.Succ(s)) == 0
	return n
}

func (j *planner) arc(a jointArc, side int) {
	n, had := j.arcAt[a]
	if !had {
		n = len(j.arcs)
		j.arcAt[a] = n
		j.arcs, j.sides = append(j.arcs, a), append(j.sides, onlyIn(side))
	}
	if j.sides[n] != onlyIn(side) {
		j.sides[n] = diff.InBoth
	}
}

func onlyIn(side int) diff.Side { return [...]diff.Side{diff.InBase, diff.InHead}[side] }

// passing returns the number of the passing of time where no clock runs.
func (j *planner) passing() int { return j.numbered(Observation{j.Time}) }

// done returns the number of a step's actions.
func (j *planner) done(side int, step []int) int {
	var seen Observation
	for _, t := range step {
		if s := j.All[j.Observables.Of[side][t]]; j.seen(nil, s) {
			seen = append(seen, s.Action)
		}
	}
	slices.Sort(seen)
	return j.numbered(seen)
}

// numbered returns the number of a step with some actions.
func (j *planner) numbered(seen Observation) int {
	key := make([]byte, 0, 32)
	for _, d := range seen {
		key = binary.AppendUvarint(key, uint64(d))
	}
	n, had := j.stepAt[string(key)]
	if !had {
		n = len(j.steps)
		j.stepAt[string(key)], j.steps = n, append(j.steps, seen)
	}
	return n
}

// picture draws everything if that is at most so many arcs, else the changes with their surroundings, else the changes alone.
func (j *joint) picture(most int) *finding.Picture {
	var all, changed []int
	for i, a := range j.arcs {
		if j.sides[i] != diff.InBoth {
			changed = append(changed, i)
		} else if a.from == a.to {
			continue
		}
		all = append(all, i)
	}
	whole, listed := most, most
	if most <= maxPictureArcs { // for a reader
		whole = min(most, maxWholeArcs)
	}
	if most == maxPictureArcs {
		listed = maxListedArcs
	}
	if len(all) <= whole {
		return j.draw(all, finding.WholeModels, 0, func(int) bool { return true })
	}
	if around := j.around(changed); len(around) <= most {
		return j.draw(around, finding.AroundIt, 0, j.isStart)
	}
	shown := changed[:min(len(changed), listed)]
	return j.draw(shown, finding.ChangesOnly, len(changed)-len(shown), func(int) bool { return false })
}

func (j *joint) isStart(s int) bool { return j.states[s].start }

// around returns the changed arcs, and the arcs of shortest ways to where they begin, each on the side that has it.
func (j *joint) around(changed []int) []int {
	taken := map[int]bool{}
	came := map[diff.Side][]int{}
	for _, side := range []diff.Side{diff.InHead, diff.InBase} {
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

// ways returns, for each state, the arc by which a breadth-first search from the start of one side first reaches it, or -1.
func (j *joint) ways(side diff.Side) []int {
	leaving := make([][]int, len(j.states))
	for i, a := range j.arcs {
		if j.sides[i] == side || j.sides[i] == diff.InBoth {
			leaving[a.from] = append(leaving[a.from], i)
		}
	}
	came, seen := slices.Repeat([]int{-1}, len(j.states)), make([]bool, len(j.states))
	var queue []int
	for s, state := range j.states {
		if state.start && (state.in == side || state.in == diff.InBoth) {
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

// draw returns the picture of some arcs, and of the states at their ends or that keep accepts.
func (j *joint) draw(arcs []int, extent finding.Extent, more int, keep func(s int) bool) *finding.Picture {
	used := make([]bool, len(j.states))
	for s := range used {
		used[s] = keep(s)
	}
	for _, i := range arcs {
		used[j.arcs[i].from], used[j.arcs[i].to] = true, true
	}
	p := &finding.Picture{Extent: extent, More: more}
	numbers := make([]int, len(j.states))
	for s, state := range j.states {
		if used[s] {
			numbers[s] = len(p.States)
			p.States = append(p.States, finding.PictureState{Words: j.depicted(state), Start: state.start, Stuck: state.dead[1] && !state.dead[0], In: state.in})
		}
	}
	for _, i := range arcs {
		p.Arcs = append(p.Arcs, finding.PictureArc{From: numbers[j.arcs[i].from], To: numbers[j.arcs[i].to], Label: j.describe(j.steps[j.arcs[i].by]), In: j.sides[i]})
	}
	slices.SortStableFunc(p.Arcs, func(a, b finding.PictureArc) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), strings.Compare(a.Label, b.Label), cmp.Compare(a.In, b.In))
	})
	terse(p)
	return p
}

// terse drops the words that all states have in common.
func terse(p *finding.Picture) {
	if len(p.States) < 2 {
		return
	}
	said := map[string]map[string]int{} // by party, then by its words
	for _, s := range p.States {
		for _, w := range s.Words {
			if said[w.Party] == nil {
				said[w.Party] = map[string]int{}
			}
			said[w.Party][strings.Join(w.Places, "\x00")]++
		}
	}
	for i := range p.States {
		p.States[i].Words = slices.DeleteFunc(p.States[i].Words, func(w finding.PartyState) bool {
			return said[w.Party][strings.Join(w.Places, "\x00")] == len(p.States)
		})
	}
}

// depicted returns the markings of all parties in a state. It leaves out flags that are down, and whatever only one draft has, since a drawn
// state can represent several.
func (j *joint) depicted(state jointState) []finding.PartyState {
	c, told := j.models[state.side], petri.Marking(nil)
	for _, p := range c.Present(c.Graph.Marking(state.state)) {
		if j.sense[state.side][p] >= 0 && c.AllPlaces[p].Kind != hclspec.FlagFalse {
			told = append(told, p)
		}
	}
	return slices.DeleteFunc(explain.PartiesAt(c.Checked.Draft, told), func(w finding.PartyState) bool { return len(w.Places) == 0 })
}
