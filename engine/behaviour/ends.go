package behaviour

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// mostEnds is the number of markings that a version can be in after a run, up to which all parties are described.
const mostEnds = 8

// An ending is a marking that a version can be in after a run, with the terms that are observed there.
type ending struct {
	marking petri.Marking
	terms   []int
}

// endsOf describes both versions after the run of a difference, party by party. If the other version can be in too many markings, it
// describes the norm of the difference alone.
func (c *comparison) endsOf(w owedRun, d *finding.NormDifference) *finding.Ends {
	ends := &finding.Ends{Side: d.Side, Alone: w.untimed}
	if w.untimed || max(len(w.ends[0]), len(w.ends[1])) > mostEnds {
		ends.Before = []finding.PartyState{{Party: d.Norm, Places: []string{d.Words(d.Was, d.WasOver)}}}
		ends.Now = []finding.PartyState{{Party: d.Norm, Places: []string{d.Words(d.Now, d.NowOver)}}}
		return ends
	}
	var said [2][][]finding.PartyState // by side and marking
	var all []finding.PartyState       // each party once, without places
	for side, list := range w.ends {
		for _, e := range list {
			at := c.statesAt(side, e)
			said[side] = append(said[side], at)
			for _, p := range at {
				if partyIn(all, p.Party) < 0 {
					all = append(all, finding.PartyState{Party: p.Party, Called: p.Called})
				}
			}
		}
	}
	for _, p := range all {
		before, now := c.oneOf(0, p, said[0]), c.oneOf(1, p, said[1])
		if slices.Equal(before.Places, now.Places) {
			ends.Both = append(ends.Both, now)
		} else {
			ends.Before, ends.Now = append(ends.Before, before), append(ends.Now, now)
		}
	}
	return ends
}

// statesAt describes the parties in a marking of one side, under their names on head. Norms that bind or are breached are described with
// their parties.
func (c *comparison) statesAt(side int, e ending) []finding.PartyState {
	d, to := c.sides[side].Listed.Checked.Draft, c.Names.Of(side)
	names := map[string]string{}
	for _, n := range d.Spec.Norms {
		names[n.Name] = to.Head(diff.NormElement(n.Kind), n.Name)
	}
	list := explain.PartiesAt(d, e.marking)
	for i := range list {
		p := &list[i]
		own := p.Party
		if name, isNorm := names[own]; isNorm {
			p.Party = name
		} else {
			p.Party = to.Head(diff.Party, own)
		}
		if n := c.normNamed(p.Party); n >= 0 {
			for _, s := range c.termsOf(e.terms, n) {
				if s.State != "" {
					p.Places = []string{s.Words(c.unit, c.calls())}
				}
			}
		}
	}
	return list
}

// normNamed returns the index of a norm by its name on head, or -1.
func (x *Observables) normNamed(name string) int {
	return slices.IndexFunc(x.norms, func(n norm) bool { return n.name == name })
}

// oneOf returns the states that a party can be in on one side, as one text.
func (c *comparison) oneOf(side int, p finding.PartyState, said [][]finding.PartyState) finding.PartyState {
	var all []string
	for _, at := range said {
		text := c.unseen(side, p.Party)
		if i := partyIn(at, p.Party); i >= 0 {
			text = cmp.Or(strings.Join(at[i].Places, ", "), "nothing")
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	slices.Sort(all)
	p.Places = []string{strings.Join(all, ", or ")}
	return p
}

// unseen describes a party or norm in a marking where its state is not listed.
func (c *comparison) unseen(side int, name string) string {
	n := c.normNamed(name)
	switch {
	case n < 0 && slices.ContainsFunc(c.sides[side].Listed.Checked.Draft.Parties, func(p *hclspec.Party) bool {
		return compile.IsWatcher(p) && c.Names.Of(side).Head(diff.Party, p.Name) == name
	}):
		return "not running" // a clock: nothing else that watches is a party
	case n < 0 || c.norms[n].of[side] == nil && !c.norms[n].isEnd():
		return "not in the contract"
	}
	of := c.norms[n].of[side]
	if of == nil {
		of = c.norms[n].of[1-side]
	}
	d := finding.NormDifference{Kind: of.kind}
	return d.Words([]finding.NormState{{}}, nil)
}

// partyIn returns the index of a party, or -1.
func partyIn(all []finding.PartyState, name string) int {
	return slices.IndexFunc(all, func(p finding.PartyState) bool { return p.Party == name })
}
