package behaviour

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/hclspec"
)

// A step that is in no norm can yet take one away: after a new event a claim may be made no longer, and what fulfils an obligation can be out of reach. So both versions are
// followed side by side, and in each pair of states it is compared what can still come about, whatever happens: that a norm begins, is used, is fulfilled. Steps that
// one version alone has are hidden, and those that take the act of fewer now. On diagrams the pairs are not listed: see vast.foresee.

// A prospect is a way in which a norm can still turn: begin, be used or be fulfilled.
type prospect struct {
	norm int
	how  finding.TurnKind
}

// comes reports whether a prospect comes about by a step with some events between two states of the norms.
func (x *Observables) comes(p prospect, side int, seen Observation, from, to []int16) bool {
	s := x.norms[p.norm].of[side]
	if p.how == finding.TurnBegins || p.how == finding.TurnEnds {
		return live(from[p.norm]) != live(to[p.norm]) && live(to[p.norm]) == (p.how == finding.TurnBegins)
	}
	return live(from[p.norm]) && (!s.allActs || !live(to[p.norm])) && slices.ContainsFunc(seen, func(a int) bool {
		return x.Actions[a].Kind == EventAction && slices.Contains(s.acts, x.Actions[a].Name)
	})
}

// prospects returns those of the norms that both sides have: of each that it begins, that it ends, and then the others.
func (x *Observables) prospects() (list []prospect) {
	for i, n := range x.norms {
		if !n.stays() {
			continue
		}
		list = append(list, prospect{i, finding.TurnBegins}, prospect{i, finding.TurnEnds})
		switch n.of[1].kind {
		case hclspec.Obligation.String():
			list = append(list, prospect{i, finding.TurnFulfilled})
		case hclspec.Power.String(), hclspec.Permission.String():
			list = append(list, prospect{i, finding.TurnUsed})
		}
	}
	return list
}

// An outlook has, for each state of both sides, which prospects can still come about, and of which the norm binds: bit i of word w is prospect 64w+i.
type outlook struct {
	*pairSearch
	prospects   []prospect
	full        language
	words       int
	freer       map[string][][]string // the events that take the act of fewer now, and whose they took
	codes       [2][][]int16
	open, binds [2][]uint64 // by side: words of each state
}

// bytesPerState is about what a state takes, besides its bits, its codes and a word for each arc to it: two lists and a place in the queue.
const bytesPerState = 52

// newOutlook computes what can still come about. Cost: one pass over the arcs of each side, and as many more as prospects come to be known one after the other.
func newOutlook(s *pairSearch) (*outlook, error) {
	l := &outlook{pairSearch: s, prospects: s.prospects(), full: s.lexicon.language(nil, stepsAlone)}
	l.words = (len(l.prospects) + 63) / 64
	size := int64(0)
	for _, m := range s.sides {
		size += int64(m.Graph.Len())*int64(16*l.words+2*len(s.norms)+bytesPerState) + 4*int64(len(m.system.Target))
	}
	if limit := int64(s.Budget.Memory); limit > 0 && size > limit {
		return nil, &delta.LimitError{Bytes: limit}
	}
	for side, m := range s.sides {
		n := m.Graph.Len()
		l.open[side], l.binds[side] = make([]uint64, n*l.words), make([]uint64, n*l.words)
		for state := range n {
			l.codes[side] = append(l.codes[side], s.postures[side].of(m.Graph.Marking(state)))
			for i, of := range l.prospects {
				if live(l.codes[side][state][of.norm]) {
					l.binds[side][state*l.words+i/64] |= 1 << (i % 64)
				}
			}
		}
		if err := l.spread(side); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// spread follows arcs backwards from those by which something comes about.
func (l *outlook) spread(side int) error {
	m, open := l.sides[side], l.open[side]
	before := make([][]uint32, m.Graph.Len()) // by state, its predecessors
	var due []uint32                          // states of which more came to be known
	for s := range m.Graph.Len() {
		if s%1024 == 0 && l.ctx.Err() != nil {
			return context.Cause(l.ctx)
		}
		for arc := m.system.First[s]; arc < m.system.First[s+1]; arc++ {
			word, to := l.full.relabel[m.system.Label[arc]], m.system.Target[arc]
			if word == delta.Dropped {
				continue
			}
			before[to] = append(before[to], uint32(s))
			for i, p := range l.prospects {
				if l.comes(p, side, l.full.words[word], l.codes[side][s], l.codes[side][to]) {
					open[s*l.words+i/64] |= 1 << (i % 64)
				}
			}
		}
		due = append(due, uint32(s))
	}
	for steps := 0; len(due) > 0; steps++ {
		if steps%1024 == 0 && l.ctx.Err() != nil {
			return context.Cause(l.ctx)
		}
		to := int(due[len(due)-1])
		due = due[:len(due)-1]
		for _, s := range before[to] {
			more := false
			for w := range l.words {
				at := int(s)*l.words + w
				all := open[at] | open[to*l.words+w]
				more, open[at] = more || all != open[at], all
			}
			if more {
				due = append(due, s)
			}
		}
	}
	return nil
}

// gone returns the prospects that can't come about any more in a state of head, and still can in some of the states of base, in which the norm binds if it does on head.
func (l *outlook) gone(own uint32, others []uint32) []uint64 {
	list := make([]uint64, l.words)
	for w := range list {
		at := int(own)*l.words + w
		for _, o := range others {
			before := int(o)*l.words + w
			list[w] |= l.open[0][before] &^ (l.binds[0][before] ^ l.binds[1][at])
		}
		list[w] &^= l.open[1][at]
	}
	return list
}

// foresee sets after which steps of head norms can't turn any more as they still can on base.
func (c *comparison) foresee(ctx context.Context, d *finding.Difference) {
	if !c.asksOfNorms(d.Full()) {
		return
	}
	freer, kept := c.comparable(d)
	l, err := newOutlook(c.sideBySide(ctx, 1, kept))
	if err == nil {
		l.freer, l.each = freer, l.lose
		err = l.run()
		d.Gone = finding.WithTurns(nil, l.turns)
	}
	if err != nil {
		d.Unforeseen = c.Budget.Reason(err)
	}
}

// comparable returns the observer of the steps in which both versions can be compared, and the events that take the act of fewer now, with whose they took.
func (c *comparison) comparable(d *finding.Difference) (freer map[string][][]string, kept Observer) {
	freer = map[string][][]string{}
	for _, a := range d.Acts {
		if a.Freer() {
			freer[a.Event] = a.Was
		}
	}
	both := c.shared()
	return freer, func(s Sight) bool { return both(s) && (s.Action < 0 || freer[c.Actions[s.Action].Name] == nil) }
}

// lose adds what can't come about any more after a step, and could before it. Who gains by a norm, and takes part in a step that base does not take there, gives the norm up. What ends
// the contract is said elsewhere. That what binds for ever does not begin again is no loss of its own, nor that what has ended is not used or fulfilled if it can't begin.
func (l *outlook) lose(p, next pairing, word uint32) error {
	foreign := word == delta.Silent || len(next.others) == 0
	if len(next.others) == 0 {
		next.others = p.others
	}
	if l.steps += len(next.others); l.steps > comparingSteps {
		return &delta.LimitError{Steps: comparingSteps}
	}
	gone := l.gone(next.own, next.others)
	for i, of := range l.prospects {
		if gone[i/64]&(1<<(i%64)) == 0 || !l.has(l.open, p.own, i) {
			continue
		}
		key := turnBy{of.norm, 0, of.how}
		if of.how == finding.TurnEnds || l.found[key] {
			continue
		}
		var idle bool
		if binds := l.has(l.binds, next.own, i); of.how == finding.TurnBegins {
			idle = binds && !l.has(l.open, next.own, i+1)
		} else {
			idle = !binds && l.has(l.binds, p.own, i) && !l.has(l.open, next.own, i-2)
		}
		if idle || l.overAlone(next) || foreign && l.consents(of.norm, next) {
			continue
		}
		l.found[key] = true
		one, err := l.shownLoss(of, next)
		if err != nil {
			return err
		}
		l.turns = append(l.turns, one)
	}
	return nil
}

// has reports whether the bit of a prospect is set for a state of head.
func (l *outlook) has(bits [2][]uint64, own uint32, prospect int) bool {
	return bits[1][int(own)*l.words+prospect/64]&(1<<(prospect%64)) != 0
}

// overAlone reports whether the contract is over on head and not on base.
func (l *outlook) overAlone(p pairing) bool {
	own := l.markings(1, []uint32{p.own})
	return slices.ContainsFunc(p.others, func(other uint32) bool { return l.over(0, l.marking(0, other), own) })
}

// consents reports whether all who gain by a norm take part in the last step of a pairing, or whether others could take such a step without any of them on base.
func (l *outlook) consents(norm int, p pairing) bool {
	step, _ := l.sides[1].fires(int(l.all[p.parent].own), p.arc)
	return l.giveUp(norm, step, l.freer[l.Actions[l.lastSeen(p)[0]].Name])
}

// giveUp reports whether all who gain by a norm take part in a step of head, or whether others could bring about its event without any of them, by the ways that base has.
func (c *comparison) giveUp(norm int, step []int, ways [][]string) bool {
	gain := c.norms[norm].of[1].gain
	var who []string
	for _, t := range step {
		who = append(who, c.participants(c.sides[1].Draft, t, c.Names.Of(1))...)
	}
	lacks := func(way []string) bool {
		return !slices.ContainsFunc(gain, func(name string) bool { return slices.Contains(way, name) })
	}
	return len(gain) > 0 && len(without(gain, who)) == 0 || slices.ContainsFunc(ways, lacks)
}

// lastSeen returns what is observed of the last step of a pairing.
func (l *outlook) lastSeen(p pairing) Observation {
	return l.full.words[l.full.relabel[l.sides[1].system.Label[p.arc]]]
}

// shownLoss confirms by the definitions of package petri that a prospect is gone after a run, and describes it.
func (l *outlook) shownLoss(of prospect, last pairing) (finding.Turn, error) {
	run := l.sides[1].walk(l.lexicon, arcsTo(l.all, last))
	then, err := l.alongside(of, l.o, run)
	if err == nil {
		err = l.comesNoMore(of, then, run, comparingSteps)
	}
	return l.loss(of, run, l.lastSeen(last)), err
}

// alongside returns the markings in which base can be after the steps of a run of head, or of all but the last, and a norm binds if it does after the run.
func (c *comparison) alongside(of prospect, o Observer, run walk) (then []petri.Marking, err error) {
	follow := c.followers(c.observer(o, stepsAlone))
	at, err := beside(follow[1], follow[0], run)
	if err != nil {
		return nil, err
	}
	own, was := c.postures(1).of(run.markings[len(run.markings)-1]), c.postures(0)
	for _, m := range at {
		if live(was.of(m)[of.norm]) == live(own[of.norm]) {
			then = append(then, m)
		}
	}
	return then, nil
}

// comesNoMore confirms that a prospect can come about from markings of base and not from the last one of a run of head. It tries so many transitions.
func (c *comparison) comesNoMore(of prospect, then []petri.Marking, run walk, most int) error {
	all := c.followers(c.observer(nil, stepsAlone))
	all[0].left, all[1].left = most, most
	before, err := c.reaches(all[0], 0, of, then)
	if err != nil {
		return err
	}
	now, err := c.reaches(all[1], 1, of, run.markings[len(run.markings)-1:])
	if !before || now {
		err = errors.New(doesNotReplay + "what can come about")
	}
	return err
}

// loss describes that a prospect is gone after a run of head.
func (c *comparison) loss(of prospect, run walk, step Observation) finding.Turn {
	return finding.Turn{Norm: c.norms[of.norm].name, How: of.how, Side: onlyIn(1), Run: c.renderRun(1, run), Event: c.Actions[step[0]].Name, Called: "“" + c.describe(step) + "”"}
}

// reaches reports whether a prospect comes about after some step from any of some markings.
func (c *comparison) reaches(f *follower, side int, of prospect, from []petri.Marking) (bool, error) {
	var queue crowd
	p := c.postures(side)
	f.round++
	add := func(m int) {
		if f.first(m) {
			queue = append(queue, m)
		}
	}
	for _, m := range from {
		add(f.numbered(m))
	}
	for ; len(queue) > 0; queue = queue[1:] {
		moves, err := f.moves(queue[0])
		if err != nil {
			return false, err
		}
		for _, v := range moves {
			if c.comes(of, side, v.seen, p.of(f.marks[queue[0]]), p.of(f.marks[v.to])) {
				return true, nil
			}
			add(v.to)
		}
	}
	return false, nil
}

// foresee sets after which steps of head norms can't turn any more as they still can on base.
func (w *vast) foresee(ctx context.Context, d *finding.Difference) {
	freer, kept := w.comparable(d)
	if b := d.Full(); !w.asksOfNorms(b) || b.Owed.Relation == delta.Same && len(freer) == 0 {
		return
	}
	list := slices.DeleteFunc(w.prospects(), func(p prospect) bool { return p.how == finding.TurnEnds })
	var asked []product.Prospect
	for _, of := range list {
		asked = append(asked, w.asked(of))
	}
	action := func(t int) Observation { return Observation{w.All[w.Of[1][t]].Action} } // an idle step takes nothing away
	given := func(i, t int) bool { return w.giveUp(list[i].norm, []int{t}, freer[w.Actions[action(t)[0]].Name]) }
	found, err := w.Lost(ctx, w.observer(kept, stepsAlone), w.Of, asked, w.overAt(), given, w.bounds(1, 1))
	for _, loss := range found {
		of := list[loss.Prospect]
		run, failed := w.confirmLoss(of, kept, loss.Run, maxConfirming)
		if failed != nil {
			d.Unforeseen = failed.Error()
			return
		}
		d.Gone = finding.WithTurns(d.Gone, []finding.Turn{w.loss(of, run, action(loss.Run[len(loss.Run)-1]))})
	}
	if err != nil {
		d.Unforeseen = w.vastReason(err)
	}
}

// confirmLoss replays a run by the definitions of package petri. What can still come about after it is looked at as far as so many tries go.
func (w *vast) confirmLoss(of prospect, o Observer, transitions []int, most int) (run walk, err error) {
	if run, err = w.followers(w.observer(o, stepsAlone))[1].walk(transitions); err != nil {
		return run, err
	}
	then, err := w.alongside(of, o, run)
	if err == nil {
		err = w.comesNoMore(of, then, run, most)
	}
	if errors.Is(err, errTooFar) {
		err = nil
	}
	return run, err
}

// asked returns a prospect in terms of places and transitions.
func (x *vast) asked(of prospect) (p product.Prospect) {
	p.Begins = of.how == finding.TurnBegins
	for side, s := range x.norms[of.norm].of {
		p.Live[side] = []int{s.on}
		if s.suspended >= 0 {
			p.Live[side] = append(p.Live[side], s.suspended)
		}
		if s.allActs && !p.Begins {
			p.After[side] = p.Live[side]
		}
		for t, sight := range x.Of[side] {
			a := x.Actions[x.All[sight].Action]
			if p.Begins || a.Kind == EventAction && slices.Contains(s.acts, a.Name) {
				p.By[side] = append(p.By[side], t)
			}
		}
	}
	return p
}

// overAt returns the places that are marked once the contract is over.
func (x *vast) overAt() product.Over {
	over := product.Over{-1, -1}
	for _, n := range x.norms {
		for side, s := range n.of {
			if s != nil && n.isEnd() {
				over[side] = s.on
			}
		}
	}
	return over
}
