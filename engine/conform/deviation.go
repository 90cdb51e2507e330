package conform

import (
	"context"
	"slices"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// A Deviation is the first line of a log that no run of the contract explains.
type Deviation struct {
	Kind    Kind
	Line    Line                 // of the end of the log, its last
	Nearest string               // what may have been meant, where the name is not the contract's; empty: nobody knows
	Parties []string             // who takes part instead
	Lacks   []finding.PartyState // what it would have taken, party by party
	Clocks  bool                 // time can't pass, since nothing waits for it
}

// Kind says how a line deviates.
type Kind uint8

const (
	Impossible   Kind = iota // it can't happen here
	UnknownName              // nothing in the contract is called so
	UnknownParty             // nobody in the contract is called so
	OtherParty               // others take part in it
	PartOfStep               // something else happens at the moment before, too: Next says what
)

func (k Kind) String() string {
	return [...]string{"impossible", "unknown-name", "unknown-party", "other-party", "part-of-step"}[k]
}

// deviation says why line i can't be.
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

// unfinished says that the log ends while a step is under way.
func (h *holder) unfinished(context.Context) (*Deviation, error) {
	return &Deviation{Kind: PartOfStep, Line: h.log.Lines[len(h.log.Lines)-1]}, nil
}

// cutShort says whether a line begins a step before any step that was under way is a whole one.
func (h *holder) cutShort(i int) bool {
	if h.draft.Rule != petri.All || !h.apart(i) {
		return false
	}
	return !slices.ContainsFunc(h.now, func(s *candidate) bool { return h.draft.Net.IsStep(s.marking, petri.All, s.chosen) })
}

// nearest finds the name that may have been meant: of what can happen here, else of all.
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

// maxTried bounds how many transitions are tried in how many markings, to say what a line would have taken.
const maxTried = 100

// lacks finds the least that a line would have taken.
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
			if least < 0 || size < least {
				least, d.Lacks = size, lacks
				d.Clocks = size == 0 && h.draft.Net.Transitions[t].Moving
			}
		}
	}
	return nil
}

// people lists what parties may be called, sorted.
func (b *book) people() []string {
	var all []string
	for name := range b.parties {
		all = append(all, name)
	}
	slices.Sort(all)
	return all
}
