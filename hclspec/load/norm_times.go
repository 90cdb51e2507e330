package load

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
)

// An obligation with times = n becomes n norms, its occurrences: rent[1] to rent[n]. Each arises once, in this order. What fulfils or breaches it
// applies to the oldest occurrence that is owed; what lifts it, to those owed and those to come. Every occurrence has a clock, if only to show
// by its place off that it is not owed. With every = m the occurrences after the first arise by a clock of their own, the schedule.

// maxOccurrences is the largest number of occurrences.
const maxOccurrences = 100

// readTimes reads how often an obligation arises, and the ticks from one time to the next.
func (l *loader) readTimes(n *norm) {
	body := n.block.Body
	attr, given := body.Attributes["times"]
	if l.monthly[n.block] == 0 {
		n.every = l.duration(body, "every")
	} else {
		defer l.readMonthly(n)
	}
	if every, set := body.Attributes["every"]; set && !given {
		l.Mistake(diag.MissingAttribute, every.NameRange, fmt.Sprintf("The %s %q arises again and again, and it is not said how often.", n.Kind, l.written(n.block)),
			"Write times = 12 beside it.")
	}
	most, slots := body.Attributes["at_most"]
	switch {
	case slots && given:
		l.Mistake(diag.Contradiction, most.NameRange, fmt.Sprintf("By times the obligation %q arises %s times in all, by at_most any number of times, only so many at once.", l.written(n.block), attr.Expr.Range().SliceBytes(l.Content[attr.Expr.Range().Filename])), "Keep one of times and at_most.")
	case slots:
		attr, n.atMost = most, true
	case !given:
		return
	}
	var ok bool
	if n.times, ok = l.Integer(body, attr.Name, 1); ok && (n.times < 1 || n.times > maxOccurrences) {
		l.Mistake(diag.BadCount, attr.Expr.Range(), fmt.Sprintf("%s must be a whole number, 1 to %d; this is %d.", attr.Name, maxOccurrences, n.times), "")
		n.times = 1
	}
}

// occurrences returns all norms with their occurrences in place of those that have some, in order.
func (l *loader) occurrences(all []*norm) []*norm {
	for _, n := range all {
		l.spreadTimes(n)
	}
	var list []*norm
	for _, n := range all {
		list = append(list, n.split()...)
	}
	for _, n := range all {
		if n.times == 0 && n.answer != nil && n.answer.follows {
			l.twoAnswered(n.answer)
		}
		l.checkAtMost(n)
		if n.times > 0 && !n.follows && n.every == 0 && len(n.starts) == 0 {
			l.Lacking(n.block.Body, n.Range, fmt.Sprintf("Nothing brings the occurrences of %q about.", l.written(n.block)),
				"Write when = EVENT, for one each time it happens, or every = 3, for one every 3 ticks.")
		}
		for _, o := range append(n.starts, n.ends...) {
			l.checkNth(o)
		}
	}
	return list
}

// spreadTimes gives the reparation of an obligation as many occurrences as it has itself, and so on.
func (l *loader) spreadTimes(n *norm) {
	if n.times == 0 || n.follows {
		return
	}
	for r := n.answer; r != nil && !(r.follows && r.times == n.times); r = r.answer {
		own, given := r.block.Body.Attributes["times"]
		if r.atMost {
			own, given = r.block.Body.Attributes["at_most"]
		}
		switch {
		case given:
			l.Mistake(diag.Contradiction, own.NameRange, fmt.Sprintf("The obligation %q has as many occurrences as %q, whose breaches bring them about.", l.written(r.block), l.written(n.block)),
				"Drop its "+own.Name+": the third is the reparation of the third.")
		case len(r.starts) > 0:
			l.Mistake(diag.Contradiction, r.starts[0].at, fmt.Sprintf("The occurrences of %q begin with the breaches of those of %q, and with nothing else.", l.written(r.block), l.written(n.block)),
				"Drop this, or declare another obligation for it.")
		case r.follows:
			l.twoAnswered(r)
		}
		r.times, r.follows = n.times, true
	}
}

func (l *loader) twoAnswered(r *norm) {
	l.Mistake(diag.Contradiction, r.Range, fmt.Sprintf("%q is the reparation of two obligations that arise different numbers of times.", l.written(r.block)),
		"The third of it is the reparation of the third. Declare a reparation for each.")
}

// split returns the occurrences of a norm, or the norm itself if it has none.
func (n *norm) split() []*norm {
	if n.times == 0 {
		n.all = []*norm{n}
		return n.all
	}
	for k := 1; k <= n.times; k++ {
		spec := *n.Norm
		spec.Name, spec.Of, spec.Nth, spec.Times, spec.AtMost = fmt.Sprintf("%s[%d]", n.Name, k), n.Name, k, n.times, n.atMost
		if spec.Title != "" {
			spec.Title += " (" + hclspec.Ordinal(k) + ")"
		}
		one := *n
		one.Norm = &spec
		n.all = append(n.all, &one)
	}
	for _, one := range n.all {
		one.all = n.all
	}
	return n.all
}

// checkNth reports an occurrence that does not exist: rent[13].breached. It returns false then.
func (l *loader) checkNth(o occasion) bool {
	return o.norm == nil || o.index == "" || l.nth(o.norm, o.index, o.at) != nil
}

// nth returns the occurrence of an index; nil after a mistake.
func (l *loader) nth(n *norm, index string, at hcl.Range) *norm {
	k, err := strconv.Atoi(index)
	switch {
	case n.times == 0:
		hint := "Drop the brackets."
		if n.Kind == hclspec.Obligation {
			hint = "Drop the brackets; or give it times, so that it arises several times."
		}
		l.Mistake(diag.UnknownName, at, fmt.Sprintf("There is only one %q: it has no [%s].", l.written(n.block), index), hint)
	case err != nil || k < 1 || k > n.times:
		l.Mistake(diag.UnknownName, at, fmt.Sprintf("There is no %s[%s].", l.written(n.block), index), fmt.Sprintf("There are %d, from %[2]s[1] to %[2]s[%[1]d].", n.times, l.written(n.block)))
	case len(n.all) == n.times:
		return n.all[k-1]
	}
	return nil
}

// norms returns the norms whose change is the occasion: any of several.
func (o occasion) norms() []*norm {
	if k, err := strconv.Atoi(o.index); err == nil {
		return o.norm.all[k-1 : k]
	}
	if o.norm.Nth > 0 {
		return []*norm{o.norm}
	}
	return o.norm.all
}

// oldest returns the entries restricted to the case that no older occurrence is owed.
func (n *norm) oldest(by []entry) []entry {
	if n.Nth == 0 {
		return by
	}
	if n.atMost {
		var older [][]*hclspec.Place
		for k, next := range n.ring {
			older = append(older, append([]*hclspec.Place{next}, notOwed(n.before(k))...))
		}
		return either(by, older...)
	}
	return either(by, notOwed(n.all[:n.Nth-1]))
}

// notOwed returns the places that are marked where none of some occurrences is owed.
func notOwed(all []*norm) (places []*hclspec.Place) {
	for _, n := range all {
		places = append(places, n.clock.off)
	}
	return places
}

// inTurn returns the entries restricted to the case that the occurrence before has arisen. Each occurrence of a reparation has its own breach.
func (n *norm) inTurn(by []entry) []entry {
	switch {
	case n.atMost: // it is the first, from the next on, that was not breached
		var passing [][]*hclspec.Place
		for k := range n.ring {
			passing = append(passing, n.passing(k))
		}
		return either(by, passing...)
	case n.Nth < 2 || n.follows:
		return by
	}
	before := slices.Clone(n.all[n.Nth-2].Net.Places)
	return while(by, slices.DeleteFunc(before, func(p *hclspec.Place) bool { return p.Kind != hclspec.State || p.Name == construct.Dormant })...)
}

// makeSchedule makes the clock by which the occurrences after the first arise, if they do.
func (l *loader) makeSchedule(n *norm) {
	if n.every == 0 || n.Nth != 1 || n.times == 1 {
		return
	}
	net := madeNet("clock", n.Of+"[next]", "until the next "+n.Of, n.Range)
	schedule := newClock(net, n.every)
	if len(n.starts) == 0 {
		schedule.run(true)
	}
	if n.gaps != nil {
		schedule.top().Marked = false
		schedule.left[n.gaps[0]-1].Marked = true
	}
	for _, one := range n.all {
		one.schedule, one.Schedule = schedule, net
	}
	l.spec.Parties = append(l.spec.Parties, net)
}

// runSchedule starts the schedule with the first occurrence, and starts it anew until the last has arisen.
func (l *loader) runSchedule(n *norm) {
	c := n.schedule
	if c == nil || n.Nth != 1 {
		return
	}
	top, first := c.left[len(c.left)-1], n.Net.PlaceNamed(construct.Dormant)
	for _, e := range n.required(l.entries(n.starts)) {
		l.moves(n.Range, while(l.inForce(n, e), first), c.off, top)
	}
	last := n.all[n.times-1]
	for j := 1; j < len(n.gaps); j++ { // by the calendar
		l.moves(n.Range, while(n.all[j].inTurn([]entry{{event: l.tick}}), n.all[j].Net.PlaceNamed(construct.Dormant)), c.left[0], c.left[n.gaps[j]-1])
	}
	if n.gaps == nil && c.left[0] != top {
		l.move(n.Range, entry{l.tick, []*hclspec.Place{n.all[n.times-2].Net.PlaceNamed(construct.Dormant)}}, c.left[0], top)
	}
	l.moves(n.Range, last.inTurn([]entry{{event: l.tick}}), c.left[0], c.off)
}

func (l *loader) stopSchedule(n *norm, by []entry) {
	if n.schedule == nil || n.Nth != 1 {
		return
	}
	for _, e := range by {
		for _, left := range n.schedule.left {
			l.move(n.Range, e, left, n.schedule.off)
		}
	}
}

// overtaking returns the ticks on which the contract ends, of an occurrence that arises by time alone: on such a tick it does not arise any more.
func (l *loader) overtaking(n *norm) (all []entry) {
	if n.schedule == nil || n.Nth == 1 {
		return nil
	}
	ends := l.entries(l.ends)
	for _, o := range l.compiled {
		if o.endsContract {
			ends = append(ends, l.changes(o, o.ender())...)
		}
	}
	return slices.DeleteFunc(ends, func(e entry) bool { return e.event != l.tick })
}

// repairedBy returns the norms that a breach of this one brings about: of a reparation with as many occurrences the one of its number.
func (n *norm) repairedBy() []*norm {
	if n.answer.follows {
		return n.answer.all[n.Nth-1 : n.Nth]
	}
	return n.answer.all
}

// makeParts adds a flag for each of the acts that fulfil an obligation together.
func (n *norm) makeParts() (all []pair) {
	if !n.together || len(n.acts) < 2 {
		return nil
	}
	for _, act := range n.acts {
		no := &hclspec.Place{Prose: hclspec.Prose{Title: cmp.Or(act.event.Title, act.event.Name)}, Kind: hclspec.FlagFalse, Flag: "done-" + act.event.Name, Marked: true, Range: n.Range}
		yes := *no
		no.Name, yes.Name, yes.Kind, yes.Marked = no.Flag+"_F", no.Flag+"_T", hclspec.FlagTrue, false
		all = append(all, pair{&yes, no})
		n.Net.Places = append(n.Net.Places, no, &yes)
	}
	return all
}

// last returns, of the acts that fulfil an obligation together, each where the others have happened.
func (n *norm) last(by []entry) []entry {
	if len(n.parts) == 0 {
		return by
	}
	var all []entry
	for i, e := range by {
		for j, part := range n.parts {
			if j != i {
				e = e.and(part.yes)
			}
		}
		all = append(all, e)
	}
	return all
}

// partMoves adds the moves of the acts that fulfil an obligation together, while another has yet to happen, unless the act lifts it by way of
// others.
func (l *loader) partMoves(n *norm) {
	for i := range n.parts {
		for j := range n.parts {
			if i == j {
				continue
			}
			var by []entry
			for _, e := range n.oldest(l.entries(n.acts[i : i+1])) {
				for _, p := range n.Binding() {
					by = append(by, e.and(p, n.parts[j].no))
				}
			}
			l.moves(n.Range, l.minus(by, l.changes(n, n.Kind.Construct().Off)), n.parts[i].no, n.parts[i].yes)
		}
	}
}

// An obligation with at_most = n has n occurrences, too: as many debts at once. Each can begin again once it was fulfilled or lifted. They are
// taken in turn, like the places of a ring buffer: the next debt takes the first that is free, from the one after the last that was taken; those
// that were breached are passed over. So the oldest debt is the first that is owed from there on. Where none is free nothing arises, unless the
// same event fulfils the oldest: then the new debt takes its place.

// once reports whether a norm is an occurrence that begins only once.
func (n *norm) once() bool { return n.Nth > 0 && !n.atMost }

// checkAtMost reports what does not go with several debts at once.
func (l *loader) checkAtMost(n *norm) {
	if !n.atMost {
		return
	}
	at := n.block.Body.Attributes["at_most"].NameRange
	with := ""
	switch {
	case n.every > 0:
		with = "every"
	case n.together:
		with = "fulfil = all(...)"
	case len(n.suspenders) > 0:
		with = "what suspends it"
	}
	if with != "" {
		l.Mistake(diag.Contradiction, at, fmt.Sprintf("at_most does not go with %s.", with), "Write times, if it can be said how often the obligation arises in all.")
	}
}

// makeRing makes the net that says which occurrence is next.
func (l *loader) makeRing(n *norm) {
	if !n.atMost || n.Nth != 1 {
		return
	}
	net := madeNet("clock", n.Of+"[next]", "the next "+n.Of, n.Range)
	for k := range n.times {
		addState(net, fmt.Sprintf("next-%d", k+1), "the "+hclspec.Ordinal(k+1))
	}
	for _, one := range n.all {
		one.ring = net.Places
	}
	l.spec.Parties = append(l.spec.Parties, net)
}

// before returns the occurrences of a norm from index k on to the one before it, around the ring.
func (n *norm) before(k int) (all []*norm) {
	for ; k != n.Nth-1; k = (k + 1) % n.times {
		all = append(all, n.all[k])
	}
	return all
}

// passing returns the places that are marked where index k is next, and the occurrences from there to a norm were breached.
func (n *norm) passing(k int) []*hclspec.Place {
	given := []*hclspec.Place{n.ring[k]}
	for _, o := range n.before(k) {
		given = append(given, o.Breached())
	}
	return given
}

// replacing returns, of some ways in which an occurrence is next, those in which it is the oldest debt, so that all are owed, and the event
// fulfils it: then the new debt takes its place.
func (l *loader) replacing(n *norm, beginnings []entry) (all []entry) {
	if !n.atMost {
		return nil
	}
	for _, e := range beginnings {
		if n.fulfilledBy(e.event) {
			all = append(all, while(l.inForce(n, e), n.On())...)
		}
	}
	return all
}

func (n *norm) fulfilledBy(e *hclspec.Event) bool {
	return slices.ContainsFunc(n.acts, func(o occasion) bool { return o.event == e })
}

// replaceMoves starts the clock of a debt that takes the place of the oldest.
func (l *loader) replaceMoves(n *norm, by []entry) {
	for _, e := range by {
		for _, left := range n.clock.left {
			if left != n.clock.top() {
				l.move(n.Range, e, left, n.clock.top())
			}
		}
	}
}

// turnRing moves the ring on where a debt arises, and records where one would if there were room.
func (l *loader) turnRing(n *norm) {
	if !n.atMost {
		return
	}
	starts, after := n.required(l.entries(n.starts)), n.ring[n.Nth%n.times]
	for k, next := range n.ring {
		if next == after {
			continue
		}
		var by []entry
		for _, e := range starts {
			e = e.and(n.passing(k)...)
			by = append(by, l.replacing(n, []entry{e})...)
			by = append(by, while(l.inForce(n, e), n.begun()...)...)
		}
		l.moves(n.Range, by, next, after)
	}
	if n.Nth < n.times {
		return
	}
	for _, e := range starts {
		if n.fulfilledBy(e.event) { // there is no room only where all were breached
			for _, one := range n.all {
				e = e.and(one.Breached())
			}
		}
		n.Missed = append(n.Missed, hclspec.Start{Event: e.event, While: e.given})
	}
}
