package behaviour

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/product"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// A step that is in no norm can yet take one away: after a new event a claim may be made no longer, and what fulfils an obligation can be out of reach. So both versions are
// followed side by side, and in each pair of states it is compared what can still come about, whatever happens: that a norm begins, is used, is fulfilled, or is by those who bear it
// and nobody else. Steps that one version alone has are hidden, and those that take the act of fewer now. On diagrams the pairs are not listed: see vast.foresee.

// A prospect is a way in which a norm can still turn: begin, be used or be fulfilled.
type prospect struct {
	norm int
	how  finding.TurnKind
}

// comes reports whether a prospect comes about by a step with some events between two states of the norms, whoever takes it. That a norm ends with the contract is none.
func (x *Observables) comes(p prospect, side int, seen Observation, from, to []int16) bool {
	s := x.norms[p.norm].of[side]
	switch p.how {
	case finding.TurnBegins:
		return !live(from[p.norm]) && live(to[p.norm])
	case finding.TurnEnds:
		return live(from[p.norm]) && !live(to[p.norm]) && !x.closes(from, to)
	}
	return live(from[p.norm]) && (!s.allActs || !live(to[p.norm])) && slices.ContainsFunc(seen, func(a int) bool {
		return x.Actions[a].Kind == EventAction && slices.Contains(s.acts, x.Actions[a].Name)
	})
}

// closes reports whether the contract ends between two states of the norms.
func (x *Observables) closes(from, to []int16) bool {
	i := slices.IndexFunc(x.norms, func(n norm) bool { return n.isEnd() })
	return i >= 0 && !live(from[i]) && live(to[i])
}

// prospects returns those of the norms that both sides have: of each that it begins, that it ends, and then the others.
func (c *comparison) prospects() (list []prospect) {
	single := c.sides[0].Rule == petri.One && c.sides[1].Rule == petri.One // see verify.Checked.Own
	for i, n := range c.norms {
		if !n.stays() {
			continue
		}
		list = append(list, prospect{i, finding.TurnBegins}, prospect{i, finding.TurnEnds})
		switch n.of[1].kind {
		case hclspec.Obligation.String():
			if list = append(list, prospect{i, finding.TurnFulfilled}); single {
				list = append(list, prospect{i, finding.TurnFulfilledAlone})
			}
		case hclspec.Power.String(), hclspec.Permission.String():
			list = append(list, prospect{i, finding.TurnUsed})
		}
	}
	return list
}

// An outlook has, for each state of both sides, which prospects can still come about, and of which the norm binds: bit i of word w is prospect 64w+i. That those who bear an
// obligation can fulfil it by themselves is asked of states in which it binds alone.
type outlook struct {
	*pairSearch
	prospects   []prospect
	full        language
	words       int
	freer       map[string][][]string // the events that take the act of fewer now, and whose they took
	codes       [2][][]int16
	open, binds [2][]uint64 // by side: words of each state
	skip        []uint64    // the prospects that are not compared in this search
}

// bytesPerState is about what a state takes, besides its bits, its codes and a word for each arc to it: two lists and a place in the queue.
const bytesPerState = 52

// newOutlook computes what can still come about. Cost: one pass over the arcs of each side, and as many more as prospects come to be known one after the other.
func newOutlook(s *pairSearch) (*outlook, error) {
	l := &outlook{pairSearch: s, prospects: s.prospects(), full: s.lexicon.language(nil, stepsAlone)}
	l.words = (len(l.prospects) + 63) / 64
	l.skip = make([]uint64, l.words)
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
		own, mask, err := l.alone(side)
		if err == nil {
			err = l.spread(side)
		}
		if err != nil {
			return nil, err
		}
		for at := range own {
			l.open[side][at] = l.open[side][at]&^mask[at%l.words] | own[at]
		}
	}
	return l, nil
}

// alone returns the words that say in which states those who bear an obligation can fulfil it by themselves, and which bits do.
func (l *outlook) alone(side int) (own, mask []uint64, err error) {
	m := l.sides[side]
	var list []*hclspec.Norm
	var bits []int
	for i, p := range l.prospects {
		if p.how == finding.TurnFulfilledAlone {
			list, bits = append(list, m.norm(l.norms[p.norm].of[side])), append(bits, i)
		}
	}
	if list == nil {
		return nil, nil, nil
	}
	found, err := m.FulfilledAlone(l.ctx, list)
	own, mask = make([]uint64, len(l.open[side])), make([]uint64, l.words)
	for k, set := range found {
		w, bit := bits[k]/64, uint64(1)<<(bits[k]%64)
		mask[w] |= bit
		for state := range m.Graph.Len() {
			if space.Has(set, state) {
				own[state*l.words+w] |= bit
			}
		}
	}
	return own, mask, err
}

// norm returns a norm of a side.
func (m *modelled) norm(s *normSide) *hclspec.Norm {
	return m.Spec.Norms[slices.IndexFunc(m.Spec.Norms, func(n *hclspec.Norm) bool { return n.Name == s.source })]
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

// gone returns the prospects that are compared and can't come about any more in a state of head, and still can in some of the states of base, in which the norm binds if it does on head.
func (l *outlook) gone(own uint32, others []uint32) []uint64 {
	list := make([]uint64, l.words)
	for w := range list {
		at := int(own)*l.words + w
		for _, o := range others {
			before := int(o)*l.words + w
			list[w] |= l.open[0][before] &^ (l.binds[0][before] ^ l.binds[1][at])
		}
		list[w] &^= l.open[1][at] | l.skip[w]
	}
	return list
}

// foresee sets after which steps of head norms can't turn any more as they still can on base.
func (c *comparison) foresee(ctx context.Context, d *finding.Difference) {
	if !c.asksOfNorms(d.Full()) {
		return
	}
	l, err := newOutlook(c.sideBySide(ctx, 1, nil))
	if err == nil {
		err = l.search(d)
	}
	if err != nil {
		d.Unforeseen = c.Budget.Reason(err)
	}
}

// search follows both versions as often as steps count otherwise for some prospects.
func (l *outlook) search(d *finding.Difference) error {
	for _, g := range l.sameSteps(d, l.prospects) {
		l.pairSearch = l.sideBySide(l.ctx, 1, g.kept)
		l.language = l.lexicon.language(g.kept, outcomes)
		l.freer, l.each, l.skip = g.freer, l.lose, slices.Repeat([]uint64{^uint64(0)}, l.words)
		for _, i := range g.of {
			l.skip[i/64] &^= 1 << (i % 64)
		}
		err := l.run()
		if d.Gone = finding.WithTurns(d.Gone, l.turns); err != nil {
			return err
		}
	}
	return nil
}

// lose adds what can't come about any more after a step, and could before it. Who gains by a norm, and takes part in a step that base does not take there, gives the norm up. What ends
// the contract is said elsewhere.
func (l *outlook) lose(p, next pairing, word uint32) error {
	if err := l.later(p, &next, word); err != nil {
		return err
	}
	foreign := word == delta.Silent || len(next.others) == 0
	if len(next.others) == 0 {
		next.others = p.others
	}
	if l.steps += len(next.others); l.steps > comparingSteps {
		return &delta.LimitError{Steps: comparingSteps}
	}
	if p.parent < 0 {
		if err := l.compare(p, p, false); err != nil {
			return err
		}
	}
	return l.compare(p, next, foreign)
}

// compare adds what is gone in a pairing. It comes after another one, or is the first and the same.
func (l *outlook) compare(p, next pairing, foreign bool) error {
	gone := l.gone(next.own, next.others)
	for i, of := range l.prospects {
		key := turnBy{of.norm, 0, of.how}
		if gone[i/64]&(1<<(i%64)) == 0 || of.how == finding.TurnEnds || l.found[key] || !l.takes(i, p, next) || l.overAlone(next) || foreign && l.consents(of, next) {
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

// takes reports whether a step takes a prospect away that is gone after it. That what binds until the contract ends does not begin again is no loss of its own, nor that what has
// ended is not used or fulfilled if it can't begin.
func (l *outlook) takes(i int, p, next pairing) bool {
	binds, was := l.has(l.binds, next.own, i), l.has(l.open, p.own, i)
	switch l.prospects[i].how {
	case finding.TurnFulfilledAlone:
		return l.has(l.open, next.own, i-1) // others still can
	case finding.TurnBegins:
		return was && (!binds || l.has(l.open, next.own, i+1))
	}
	return was && (binds || !l.has(l.binds, p.own, i) || l.has(l.open, next.own, i-2))
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

// lastSeen returns what is observed of the last step of a pairing; nil for the first.
func (l *outlook) lastSeen(p pairing) Observation {
	if p.parent < 0 {
		return nil
	}
	return l.full.words[l.full.relabel[l.sides[1].system.Label[p.arc]]]
}

// shownLoss confirms by the definitions of package petri that a prospect is gone after a run, and describes it.
func (l *outlook) shownLoss(of prospect, last pairing) (finding.Turn, error) {
	run := l.sides[1].walk(l.lexicon, arcsTo(l.all, last))
	then, err := l.alongside(of, l.o, run, l.due(0))
	if err == nil {
		err = l.comesNoMore(of, then, run, comparingSteps)
	}
	return l.loss(of, run, l.lastSeen(last)), err
}

// alongside returns the markings in which base can be after the steps of a run of head, or of all but the last, and a norm binds if it does after the run. Before the last, what is due
// there may come by itself.
func (c *comparison) alongside(of prospect, o Observer, run walk, due map[int]bool) (then []petri.Marking, err error) {
	follow := c.followers(c.observer(o, outcomes))
	at, err := beside(follow[1], follow[0], run, due)
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

// loss describes that a prospect is gone after a run of head; without steps, from the start.
func (c *comparison) loss(of prospect, run walk, step Observation) finding.Turn {
	t := finding.Turn{Norm: c.norms[of.norm].name, How: of.how, Side: onlyIn(1), Run: c.renderRun(1, run)}
	if len(step) > 0 {
		t.Event, t.Called = c.Actions[step[0]].Name, "“"+c.describe(step)+"”"
	}
	return t
}

// reaches reports whether a prospect comes about after some step from any of some markings.
func (c *comparison) reaches(f *follower, side int, of prospect, from []petri.Marking) (bool, error) {
	var queue crowd
	p := c.postures(side)
	if m := c.sides[side]; of.how == finding.TurnFulfilledAlone {
		return f.fulfilled(m.Own(m.norm(c.norms[of.norm].of[side])), from, func(m petri.Marking) bool { return live(p.of(m)[of.norm]) })
	}
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
	if !w.asksOfNorms(d.Full()) {
		return
	}
	list := slices.DeleteFunc(w.prospects(), func(p prospect) bool { return p.how == finding.TurnEnds })
	for _, g := range w.sameSteps(d, list) {
		if d.Full().Owed.Relation == delta.Same && len(g.freer) == 0 { // but for who takes which step
			g.of = slices.DeleteFunc(g.of, func(i int) bool { return list[i].how != finding.TurnFulfilledAlone })
		}
		if err := w.lost(ctx, d, list, g); err != nil {
			d.Unforeseen = w.vastReason(err)
			return
		}
	}
}

// lost does so for the prospects of a list for which the same steps count.
func (w *vast) lost(ctx context.Context, d *finding.Difference, list []prospect, g sameSteps) error {
	var asked []product.Prospect
	for _, i := range g.of {
		asked = append(asked, w.asked(list[i]))
	}
	if len(asked) == 0 {
		return nil
	}
	action := func(t int) Observation { return Observation{w.All[w.Of[1][t]].Action} }
	given := func(i, t int) bool {
		return w.giveUp(list[g.of[i]], []int{t}, g.freer[w.Actions[action(t)[0]].Name])
	}
	found, err := w.Lost(ctx, w.observer(g.kept, outcomes), w.Of, asked, w.overAt(), given, w.bounds(1, 1))
	for _, loss := range found {
		of := list[g.of[loss.Prospect]]
		run, failed := w.confirmLoss(of, g.kept, loss.Run, maxConfirming)
		if failed != nil {
			return failed
		}
		var last Observation
		if n := len(loss.Run); n > 0 && loss.Run[n-1] >= 0 { // nothing takes away what time alone does
			last = action(loss.Run[n-1])
		}
		d.Gone = finding.WithTurns(d.Gone, []finding.Turn{w.loss(of, run, last)})
	}
	return err
}

// confirmLoss replays a run by the definitions of package petri. What can still come about after it is looked at as far as so many tries go.
func (w *vast) confirmLoss(of prospect, o Observer, transitions []int, most int) (run walk, err error) {
	if run, err = w.followers(w.observer(o, stepsAlone))[1].walk(transitions); err != nil {
		return run, err
	}
	then, err := w.alongside(of, o, run, nil)
	if late, failed := w.alongside(of, o, run, w.due(0)); failed == nil && !slices.EqualFunc(then, late, slices.Equal[petri.Marking]) {
		return run, errors.New(firstByItself("a loss"))
	}
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
		if m := x.sides[side]; of.how == finding.TurnFulfilledAlone {
			p.Own[side] = m.Own(m.norm(s))
		}
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
