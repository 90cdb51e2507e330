package load

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// startPhases makes each phase with an after attribute wait for its events.
func (l *loader) startPhases(blocks []*hclsyntax.Block) {
	nets := map[string][]*hclspec.Party{} // by phase
	for _, party := range l.spec.Parties {
		if s := l.scopes[party.Name]; s != nil {
			phase := l.Generated[s.block].Phase
			nets[phase] = append(nets[phase], party)
		}
	}
	for _, b := range blocks {
		if attr, given := b.Body.Attributes["after"]; given && b.Type == "phase" {
			l.startPhase(b.Labels[0], nets[b.Labels[0]], attr.Expr)
		}
	}
}

// startPhase makes the nets of a phase wait for the first of some events.
func (l *loader) startPhase(name string, nets []*hclspec.Party, e hclsyntax.Expression) {
	var starts []*hclspec.Event
	seen := map[*hclspec.Event]bool{}
	syntax.EachOf(e, func(e hclsyntax.Expression) {
		for _, event := range l.eventsAt(e) {
			l.Refer(e.Range(), event.Range)
			if slices.ContainsFunc(nets, event.Concerns) {
				l.Mistake(diag.Contradiction, e.Range(), fmt.Sprintf("Phase %q would have to wait for itself: it has a part in event %q.", name, event.Of),
					"Name an event of another phase, or one of the contract's.")
				return
			}
			if !seen[event] {
				starts, seen[event] = append(starts, event), true
			}
		}
	})
	for _, net := range nets {
		waiting := []*hclspec.Place{wait(net, starts)}
		l.begins[name] = nil
		for _, start := range starts {
			l.begins[name] = append(l.begins[name], occasion{event: start, while: waiting, at: e.Range()})
		}
	}
}

// wait makes a net begin with the first of some events: it has no initial tokens until then. Later events change nothing. It returns the place
// that is marked until the net begins.
func wait(net *hclspec.Party, starts []*hclspec.Event) *hclspec.Place {
	waiting := &hclspec.Place{Name: "waiting", Marked: true, Prose: hclspec.Prose{Title: hclspec.NotBegun}, Range: net.Range}
	begun := &hclspec.Place{Name: "begun", Kind: hclspec.Begun, Prose: hclspec.Prose{Title: "begun"}, Range: net.Range}
	begin := &hclspec.Transition{Name: "begin", Label: "begin", Labelled: true, Passive: true, Range: net.Range, Consume: []*hclspec.Place{waiting}, Produce: []*hclspec.Place{begun}}
	for _, p := range net.Places {
		if p.Marked {
			p.Marked = false
			begin.Produce = append(begin.Produce, p)
		}
	}
	again := &hclspec.Transition{Name: "begun", Label: "begin", Labelled: true, Passive: true, Range: net.Range, Read: []*hclspec.Place{begun}}
	for _, t := range net.Transitions {
		if t.Made {
			t.Read = append(t.Read, begun)
		}
	}
	net.Places = append(net.Places, waiting, begun)
	net.Transitions = append(net.Transitions, begin, again)
	for _, start := range starts {
		start.Join(net, "begin")
	}
	return waiting
}
