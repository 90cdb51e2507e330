package engine_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec"
)

// drawAmendment draws a contract, and another that is a mutant of it or has nothing to do with it.
func drawAmendment(t *rapid.T) (base, head *hclspec.Contract) {
	base = drawContract(t)
	base.Requirements = nil
	if rapid.IntRange(0, 4).Draw(t, "other") == 0 {
		head = drawContract(t)
		head.Requirements = nil
		return base, head
	}
	head = copyOf(base)
	for range rapid.IntRange(1, 2).Draw(t, "edits") {
		mutate(t, head)
	}
	return base, head
}

// copyOf copies a contract, so that one can be changed.
func copyOf(c *hclspec.Contract) *hclspec.Contract {
	d := &hclspec.Contract{Name: c.Name, Firing: c.Firing}
	parties := map[*hclspec.Party]*hclspec.Party{}
	for _, p := range c.Parties {
		q := *p
		q.Places, q.Transitions = nil, nil
		places := map[*hclspec.Place]*hclspec.Place{}
		for _, place := range p.Places {
			copied := *place
			places[place] = &copied
			q.Places = append(q.Places, &copied)
		}
		moved := func(list []*hclspec.Place) (to []*hclspec.Place) {
			for _, p := range list {
				to = append(to, places[p])
			}
			return to
		}
		for _, tr := range p.Transitions {
			copied := *tr
			copied.Consume, copied.Produce, copied.Read = moved(tr.Consume), moved(tr.Produce), moved(tr.Read)
			q.Transitions = append(q.Transitions, &copied)
		}
		parties[p] = &q
		d.Parties = append(d.Parties, &q)
	}
	for _, e := range c.Events {
		copied := *e
		copied.Ways = nil
		for _, way := range e.Ways {
			var list []hclspec.Sync
			for _, s := range way {
				list = append(list, hclspec.Sync{Party: parties[s.Party], Label: s.Label})
			}
			copied.Ways = append(copied.Ways, list)
		}
		d.Events = append(d.Events, &copied)
	}
	return d
}

// mutate makes one edit.
func mutate(t *rapid.T, c *hclspec.Contract) {
	p := rapid.SampledFrom(c.Parties).Draw(t, "party")
	switch rapid.IntRange(0, 5).Draw(t, "edit") {
	case 0, 1:
		tr := &hclspec.Transition{Name: fmt.Sprintf("n%d", len(p.Transitions)), Label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")}
		place := rapid.SampledFrom(p.Places)
		arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
		p.Transitions = append(p.Transitions, tr)
	case 2:
		tr := rapid.SampledFrom(p.Transitions).Draw(t, "transition")
		tr.Consume, tr.Produce, tr.Read = nil, nil, nil
		place := rapid.SampledFrom(p.Places)
		arc(tr, place.Draw(t, "from"), place.Draw(t, "to"))
	case 3:
		rapid.SampledFrom(p.Transitions).Draw(t, "transition").Label = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")
	case 4:
		if len(c.Events) > 0 {
			c.Events = slices.Delete(c.Events, 0, 1)
		}
	case 5:
		tr := rapid.SampledFrom(p.Transitions).Draw(t, "transition")
		if !slices.ContainsFunc(p.Transitions, func(o *hclspec.Transition) bool { return o.Name == "renamed" }) { // the language has no two of a name
			tr.Name = "renamed"
		}
	}
}

func compileSpec(c *hclspec.Contract) *engine.Draft {
	text := fmt.Appendf(nil, "%p", c) // as little the same as the texts of two versions
	return engine.Compile(&hclspec.Source{Contract: c, Files: map[string][]byte{"a": text}, Index: &hclspec.Index{}}, "x", nil)
}
