package conform

import (
	"context"
	"maps"
	"reflect"
	"slices"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Deviation is the first line of a log that no run of the contract explains.
type Deviation struct {
	Kind    kind
	Line    Line                 // the line; if the log ends too early, its last line
	Nearest string               // the name that may have been meant by an unknown one; empty: none is near
	Parties []string             // that take part instead
	Lacks   []finding.PartyState // the places that lacked a token, party by party
	OneWay  bool                 // other places would do as well, or more of them
	Rival   string               // what the log has at the same moment and what it can't happen together with; empty: nothing
	NotDue  bool                 // it happens by itself, and is not due here
	Itself  *Step                // where it last happened by itself; nil: it has not
	Over    string               // the party, obligation or the like that both concern
}

// kind is the kind of a deviation.
type kind uint8

const (
	Impossible   kind = iota // it is not possible here
	UnknownName              // no event or transition has that name
	UnknownParty             // no party has that name
	OtherParty               // other parties take part in it
	PartOfStep               // more happens in the step before: Next has what
)

func (k kind) String() string {
	return [...]string{"impossible", "unknown-name", "unknown-party", "other-party", "part-of-step"}[k]
}

// deviation explains why line i is not possible.
func (h *holder) deviation(ctx context.Context, i int) (*Deviation, error) {
	l := h.log.Lines[i]
	d := &Deviation{Line: l}
	named := h.book.of(&l)
	if len(named) == 0 {
		d.Kind = UnknownName
		return d, h.nearest(ctx, d)
	}
	for _, name := range l.Parties {
		if !h.book.parties[name] {
			d.Kind, d.Nearest = UnknownParty, hclspec.Nearest(name, h.book.people())
			d.Line.Parties = []string{name}
			return d, nil
		}
	}
	meant := h.book.meant(&l)
	if len(meant) == 0 {
		d.Kind = OtherParty
		for _, p := range explain.Actors(h.draft, named[0]) {
			d.Parties = append(d.Parties, explain.Called(h.draft, p))
		}
		return d, nil
	}
	if h.cutShort(i) {
		d.Kind = PartOfStep
		return d, nil
	}
	return d, h.lacks(d, i, meant)
}

// unfinished returns the deviation of a log that ends within a step.
func (h *holder) unfinished(context.Context) (*Deviation, error) {
	return &Deviation{Kind: PartOfStep, Line: h.log.Lines[len(h.log.Lines)-1]}, nil
}

// cutShort reports whether a line begins a step although no step before it can be complete.
func (h *holder) cutShort(i int) bool {
	if h.draft.Rule != petri.All || !h.apart(i) {
		return false
	}
	return !slices.ContainsFunc(h.now, func(s *candidate) bool { return h.draft.Net.IsStep(s.marking, petri.All, s.chosen) })
}

// nearest finds the name that may have been meant: among those of the options here, or else among all.
func (h *holder) nearest(ctx context.Context, d *Deviation) error {
	here, _, err := h.options(ctx)
	if err != nil {
		return err
	}
	var names []string
	for _, o := range here {
		names = append(names, o.Name)
	}
	if d.Nearest = hclspec.Nearest(d.Line.Name(), names); d.Nearest == "" {
		d.Nearest = hclspec.Nearest(d.Line.Name(), h.book.names(&d.Line))
	}
	return nil
}

// maxTried bounds the transitions, and the markings, that are tried to find what a line lacks.
const maxTried = 100

// lacks finds the fewest places that lack a token for a line.
func (h *holder) lacks(d *Deviation, i int, meant []int) error {
	least := -1
	for _, s := range h.now[:min(len(h.now), maxTried)] {
		m := s.marking
		if len(s.chosen) > 0 && !h.together(i) {
			after, err := h.complete(s)
			if err != nil {
				return err
			}
			if after != nil {
				m = after.marking
			}
		}
		for _, t := range meant[:min(len(meant), maxTried)] {
			lacks, size := explain.Lacks(h.draft, m, t), 0
			for _, party := range lacks {
				size += len(party.Places)
			}
			d.OneWay = d.OneWay || least >= 0 && !reflect.DeepEqual(lacks, d.Lacks)
			if least < 0 || size < least {
				least, d.Lacks = size, lacks
				h.rival(d, s, t)
				h.byItselfBefore(d, s, t)
			}
		}
	}
	return nil
}

// rival sets what of the step under way a transition competes with, and over what.
func (h *holder) rival(d *Deviation, s *candidate, t int) {
	d.Rival, d.Over = "", ""
	for _, u := range s.chosen {
		if p := h.draft.Net.Contested(t, u); p >= 0 && t != u {
			d.Rival, d.Over = explain.TransitionName(h.draft, u), explain.Called(h.draft, h.draft.Owners[p])
			if e := explain.Event(h.draft, u); e != nil {
				d.Rival = e.Name
			}
			return
		}
	}
}

// byItselfBefore sets whether a transition happens by itself and is not due, and where it last did.
func (h *holder) byItselfBefore(d *Deviation, s *candidate, t int) {
	u := h.itself(t)
	d.NotDue, d.Itself = u != nil && !s.marking.Has(u.due), nil
	for w := s.how; w != nil && d.NotDue && d.Itself == nil; w = w.from {
		if w.passed && slices.ContainsFunc(w.fired, func(f int) bool { return slices.Contains(u.transitions, f) }) {
			d.Itself = &Step{w.fired, &h.log.Lines[w.line], true, w.at}
		}
	}
}

// people returns the names of parties, sorted.
func (b *book) people() []string { return slices.Sorted(maps.Keys(b.parties)) }
