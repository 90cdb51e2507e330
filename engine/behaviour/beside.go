package behaviour

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A state that one draft lacks is told apart from what the other draft comes to by the same steps, if that is one state only.

// beside returns in what the end of a run differs from the state that the other draft is in after the same steps: for each party and net of both drafts
// that differs, how it is on base and on head. It returns nil if the other draft can't take the steps, or could be in several states, or if following it
// takes too much work.
func (c *comparison) beside(side int, way walk) []finding.Change {
	own, other := c.follow(c.Observables, side), c.follow(c.Observables, 1-side)
	sequence, err := own.replayed(way)
	if err != nil {
		return nil
	}
	end, refused, err := other.Along(sequence)
	if err != nil || refused < len(sequence) || len(end) != 1 {
		return nil
	}
	ends := [2][]row{}
	ends[side], ends[1-side] = rows(own.Draft, way.markings[len(way.markings)-1], c.Names.Of(side)), rows(other.Draft, other.marks[end[0]], c.Names.Of(1-side))
	var list []finding.Change
	for _, now := range ends[1] {
		was := slices.IndexFunc(ends[0], func(r row) bool { return r.net == now.net })
		if was >= 0 && !slices.Equal(ends[0][was].places, now.places) {
			change := finding.Change{Party: now.Party, Called: now.Called, Before: ends[0][was].Places, After: now.Places}
			change.Before, change.After = without(change.Before, now.Places), without(change.After, ends[0][was].Places)
			list = append(list, change)
		}
	}
	return list
}

// without returns the words that are not among others.
func without[T comparable](words, others []T) (list []T) {
	for _, w := range words {
		if !slices.Contains(others, w) {
			list = append(list, w)
		}
	}
	return list
}

// A row is where a party or net is: its marked places in words, and by their names on head.
type row struct {
	net string // its name on head
	finding.PartyState
	places []string
}

// rows returns where each party and net of a draft is in a marking, but for bookkeeping.
func rows(d *compile.Draft, m petri.Marking, n compile.SideNaming) (list []row) {
	at := map[string]int{}
	for _, p := range d.Present(m) {
		net, place := d.Owners[p], d.AllPlaces[p]
		if net.Bookkeeping() || place.Kind == hclspec.ClockOff || compile.IsSilent(net, place) && place.Kind != hclspec.State {
			continue
		}
		full := n.Place(d, p)
		i, known := at[net.Name]
		if !known {
			i = len(list)
			at[net.Name] = i
			list = append(list, row{net: strings.TrimSuffix(netOf(full), "."), PartyState: finding.PartyState{Party: net.Name, Called: d.Calls[net.Name]}})
		}
		r := &list[i]
		if word := compile.Word(place); place.Kind == hclspec.State {
			r.Places = append([]string{word}, r.Places...) // the state comes first
		} else {
			r.Places = append(r.Places, word)
		}
		r.places = append(r.places, full)
	}
	return list
}

// maxHeld bounds the transitions that are tried on each side to compare what is held and counted.
const maxHeld = 500_000

// isHeld reports whether a place says what is counted, or who has a document.
func isHeld(d *compile.Draft, place int) bool {
	p := d.AllPlaces[place]
	return p.Kind == hclspec.CounterValue || p.Document != "" || d.Owners[place].Made == "document"
}

// heldApart decides whether the same steps lead both drafts to the same amounts and holders of documents: it compares the sets of what each draft can be in. It is
// asked of drafts that have the same steps, and of nothing where there is neither. What one draft alone has it leaves aside, and lists.
func (c *comparison) heldApart(ctx context.Context, s *finding.States) {
	s.Aside = c.aside()
	if s.SameStepsDiffer() {
		return
	}
	f := &apartFinder{comparison: c, sides: [2]*runFollower{c.follow(c.Observables, 0), c.follow(c.Observables, 1)}}
	f.sense = senses(f.sides[0].Draft, f.sides[1].Draft, c.Names)
	any := false
	for side, x := range f.sides {
		x.follower.left = maxHeld
		for p := range x.Draft.AllPlaces {
			if isHeld(x.Draft, p) {
				any = true
			} else {
				f.sense[side][p] = -1
			}
		}
	}
	if !any {
		return
	}
	var err error
	if s.Apart, err = f.find(ctx); err != nil {
		s.Undecided = err.Error()
		if !errors.Is(err, errTooFar) {
			s.Undecided = c.Budget.Reason(err)
		}
	}
}

// aside lists the counters, and the documents, that one draft alone has, by their names there.
func (c *comparison) aside() (list []string) {
	var has [2]map[string]bool
	for side, d := range [2]*compile.Draft{c.Base.Draft, c.Head.Draft} {
		has[side] = map[string]bool{}
		for p, place := range d.AllPlaces {
			name := strings.TrimSuffix(netOf(c.Names.Of(side).Place(d, p)), ".")
			switch {
			case place.Kind == hclspec.CounterValue:
				has[side][name+"."+place.Counter] = true
			case d.Owners[p].Made == "document":
				has[side][name] = true
			}
		}
	}
	for side := range has {
		for name := range has[side] {
			if !has[1-side][name] {
				list = append(list, name)
			}
		}
	}
	slices.Sort(list)
	return list
}

// An apartFinder looks for the shortest steps after which both drafts can't be in the same.
type apartFinder struct {
	*comparison
	sides [2]*runFollower
	sense sense
}

// A crowds has what each draft can be in after the same steps.
type crowds struct {
	of     [2]crowd
	parent int // among those met before; -1: none
	seen   Observation
}

// find returns the end of such a run of head, or nil if there is none.
func (f *apartFinder) find(ctx context.Context) (*finding.Situation, error) {
	all, met, left := []crowds{{parent: -1}}, map[string]bool{}, MaxFollowing
	for side, x := range f.sides {
		var err error
		if all[0].of[side], err = x.start(); err != nil {
			return nil, err
		}
	}
	for i := 0; i < len(all); i++ {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		at := all[i]
		if list := f.differs(at.of); list != nil {
			return f.situation(all, i, list)
		}
		steps, err := f.next(at.of[1])
		if err != nil {
			return nil, err
		}
		for _, seen := range steps {
			to := crowds{parent: i, seen: seen}
			for side, x := range f.sides {
				if to.of[side], err = x.after(at.of[side], seen); err != nil {
					return nil, err
				}
				slices.Sort(to.of[side])
				left -= len(to.of[side])
			}
			if key := to.key(); !met[key] {
				met[key] = true
				all = append(all, to)
			}
			if left < 0 {
				return nil, errTooFar
			}
		}
	}
	return nil, nil
}

func (c *crowds) key() string {
	key := binary.AppendUvarint(nil, uint64(len(c.of[0])))
	for _, m := range slices.Concat(c.of[0], c.of[1]) {
		key = binary.AppendUvarint(key, uint64(m))
	}
	return string(key)
}

// next returns what can be observed next in a crowd, in order.
func (f *apartFinder) next(from crowd) (list []Observation, err error) {
	for _, m := range from {
		moves, err := f.sides[1].moves(m)
		if err != nil {
			return nil, err
		}
		for _, v := range moves {
			if len(v.seen) > 0 {
				list = append(list, v.seen)
			}
		}
	}
	slices.SortFunc(list, slices.Compare[Observation])
	return slices.CompactFunc(list, slices.Equal[Observation]), nil
}

// differs returns in which nets the drafts can be elsewhere, with everything that each can be in and the other can't; nil if they can be in the same. Where
// they differ in what comes together alone, the list has no elements.
func (f *apartFinder) differs(of [2]crowd) []finding.Change {
	var keys [2]map[string]bool
	var can [2]map[string][]string // by net, the words of what it can be in
	var nets []row
	for side, x := range f.sides {
		keys[side], can[side] = map[string]bool{}, map[string][]string{}
		for _, at := range of[side] {
			m := petri.Marking(slices.DeleteFunc(slices.Clone(x.marks[at]), func(p int) bool { return f.sense[side][p] < 0 }))
			key := f.sense.key(side, m)
			if keys[side][key] {
				continue
			}
			keys[side][key] = true
			for _, r := range rows(x.Draft, m, f.Names.Of(side)) {
				can[side][r.net] = append(can[side][r.net], r.Places...)
				nets = append(nets, r)
			}
		}
	}
	if maps.Equal(keys[0], keys[1]) {
		return nil
	}
	list := []finding.Change{}
	slices.SortStableFunc(nets, func(a, b row) int { return strings.Compare(a.net, b.net) })
	for _, r := range slices.CompactFunc(nets, func(a, b row) bool { return a.net == b.net }) {
		change := finding.Change{Party: r.Party, Called: r.Called}
		change.Before, change.After = oneOfEach(without(can[0][r.net], can[1][r.net])), oneOfEach(without(can[1][r.net], can[0][r.net]))
		if len(change.Before)+len(change.After) > 0 {
			list = append(list, change)
		}
	}
	return list
}

// oneOfEach returns a list with each element once, in order.
func oneOfEach(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// situation returns the end of a run of head along the steps to a pair of crowds.
func (f *apartFinder) situation(all []crowds, i int, differs []finding.Change) (*finding.Situation, error) {
	var sequence []Observation
	for ; all[i].parent >= 0; i = all[i].parent {
		sequence = append(sequence, all[i].seen)
	}
	slices.Reverse(sequence)
	way, err := f.sides[1].runAlong(sequence)
	if err != nil {
		return nil, err
	}
	end := way.markings[len(way.markings)-1]
	return &finding.Situation{Run: f.renderRun(1, way), End: explain.PartiesAt(f.sides[1].Draft, end), Differs: differs}, nil
}

// runAlong returns a run with the observations of a sequence that a draft has.
func (f *follower) runAlong(sequence []Observation) (walk, error) {
	type node struct {
		m    petri.Marking
		at   int // in the sequence
		from int
		step []int
	}
	all, met := []node{{m: f.Net.Initial, from: -1}}, map[string]bool{}
	for i := 0; i < len(all); i++ {
		n := all[i]
		if n.at == len(sequence) {
			var w walk
			for ; i >= 0; i = all[i].from {
				w.markings = append(w.markings, all[i].m)
				if all[i].from >= 0 {
					w.steps = append(w.steps, all[i].step)
				}
			}
			slices.Reverse(w.markings)
			slices.Reverse(w.steps)
			return w, nil
		}
		visit := func(to node) {
			if key := string(binary.AppendUvarint([]byte(markingKey(to.m)), uint64(to.at))); !met[key] {
				met[key] = true
				all = append(all, to)
			}
		}
		var able []int
		for t := range f.Net.Transitions {
			if f.Net.Fireable(n.m, t) {
				able = append(able, t)
			}
		}
		if f.left -= len(f.Net.Transitions); f.left < 0 {
			return walk{}, errTooFar
		}
		if err := f.steps(able, nil, func(step []int) {
			after, _ := f.Net.Fire(n.m, step)
			switch seen := f.shown(f.observe(step), n.m, after); {
			case len(seen) == 0:
				visit(node{after, n.at, i, step})
			case slices.Equal(seen, sequence[n.at]):
				visit(node{after, n.at + 1, i, step})
			}
		}); err != nil {
			return walk{}, err
		}
		if slices.Equal(sequence[n.at], Observation{f.time}) {
			visit(node{n.m, n.at + 1, i, nil})
		}
	}
	return walk{}, errors.New("no run has these steps, which is a defect of redline")
}
