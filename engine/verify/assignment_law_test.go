package verify_test

import "slices"

// What the language page says of assignment, for the interpreter of occurrences.

// An assignment is a power of from to have another party in its place: as bearer or, of q, as counterparty.
type assignment struct {
	from, to, exercise string
	both               bool
}

// held returns who can come to bear o, or r, and to whom it can come to be owed; only where this can change.
func (c occurring) held(r bool) (by, to bool) {
	for _, a := range c.assigns {
		if a.both || !r {
			by, to = by || a.from != "q", to || a.from == "q"
		}
	}
	return by, to
}

// assign has parties take the places of others in what was neither breached nor, where it arises once, fulfilled before the event or by it. What
// follows a breach arises once, since the breach is for good.
func (c occurring) assign(now []occurrence, w occurringWorld, event string, r bool) {
	was := slices.Clone(now)
	for i, a := range c.assigns {
		if event != a.exercise || w.a[i] != "held" || r && !a.both {
			continue
		}
		for k := range now {
			switch {
			case now[k].state == "breached", now[k].state == "fulfilled" && (r || !c.atMost):
			case was[k].by == a.from:
				now[k].by = a.to
			case was[k].to == a.from:
				now[k].to = a.to
			}
		}
	}
}
