package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
)

// maxProposals bounds the proposals. Those about the contract as a whole come first.
const maxProposals = 8

// maxTries bounds the formulas that are checked for proposals.
const maxTries = 256

// maxDeadEnds bounds the dead ends that a proposal can name.
const maxDeadEnds = 2

// sketch proposes requirements for a contract that has none. It omits proposals that exceed the budget.
func (c *Listed) sketch(ctx context.Context) []finding.Proposal {
	if len(c.Spec.Requirements) > 0 {
		return nil
	}
	s := &sketcher{Listed: c, ctx: ctx, checker: c.unbounded()}
	s.whole()
	for i := range c.Parties {
		s.flags(i)
	}
	for i := range c.Parties {
		s.waits(i)
	}
	return s.all
}

// ProposeNothing makes no proposals. Reviews use it: they are about requirements that were agreed.
func ProposeNothing(*Listed, context.Context) []finding.Proposal { return nil }

// A sketcher collects proposals.
type sketcher struct {
	*Listed
	ctx     context.Context
	checker *labelling[space.Set]
	all     []finding.Proposal
	tries   int
}

// holds reports whether a formula holds. Known is false if that is unknown or a limit is reached.
func (s *sketcher) holds(formula string, assuming ...string) (holds, known bool) {
	if s.tries++; len(s.all) >= maxProposals || s.tries > maxTries {
		return false, false
	}
	f, diags := s.Resolve(&hclspec.Formula{Text: formula})
	if diags.HasErrors() {
		return false, false
	}
	checker := s.checker
	if len(assuming) > 0 {
		checker = s.Checked.Checker(s.actsOf(assuming, false))
	}
	holds, err := checker.Holds(s.ctx, f)
	return holds, err == nil
}

// propose adds a proposal.
func (s *sketcher) propose(name, title, formula string, verdict bool, assuming ...string) {
	p := finding.Proposal{Name: name, Title: title, Formula: formula, Assuming: assuming, Verdict: finding.Violated}
	if verdict {
		p.Verdict = finding.Holds
	}
	s.all = append(s.all, p)
}

// whole proposes that the contract completes, that it comes to an end, or, if it has no dead end, that it can start again. Of a contract whose start reads like
// an end it proposes neither.
func (s *sketcher) whole() {
	ends := s.ends()
	switch {
	case slices.Contains(ends, nowhere) || s.at(0) == nowhere:
	case len(ends) == 0 && s.Graph.DeadEnds() == 0:
		start := "(" + s.at(0) + ")"
		if never, _ := s.holds("AG " + start); never { // nobody leaves where it began
			return
		}
		if holds, known := s.holds("AG EF " + start); known {
			s.propose("can-start-again", "All can always come back to where they began", "AG EF "+start, holds)
		}
	case len(ends) > 0:
		end := "(" + strings.Join(ends, " || ") + ")"
		if already, _ := s.holds(end); already { // a path that leaves no place marked when it is over
			return
		}
		comes, can := [2]string{"completes", "Every run of the contract completes"}, [2]string{"can-complete", "The contract can always still complete"}
		if !s.completion(end) {
			comes = [2]string{"comes-to-an-end", "Every run comes to where nothing can happen any more"}
			can = [2]string{"can-come-to-an-end", "All can always still come to where nothing can happen any more"}
			if over, _ := s.holds("AG (" + end + " -> AX false)"); !over { // what the formula leaves out can still change there
				return
			}
		}
		if s.comes(comes[0], comes[1], "AF "+end) {
			return
		}
		if holds, known := s.holds("AG EF " + end); known {
			s.propose(can[0], can[1], "AG EF "+end, holds)
		}
	}
}

// completion reports whether the contract itself says that where a formula holds it is over: it declares final states, or what ends it. Of a dead end alone
// nobody knows: all may be waiting for each other.
func (s *sketcher) completion(end string) bool {
	over := "contract.ended"
	if s.Spec.Final != nil {
		over = s.Spec.Final.Text
	}
	final, known := s.holds("AG (" + end + " -> (" + over + "))")
	return final && known
}

// comes proposes a formula if it holds, if necessary under a progress assumption, and reports whether it does.
func (s *sketcher) comes(name, title, formula string) bool {
	for _, names := range append([][]string{nil}, s.candidates()...) {
		if holds, known := s.holds(formula, names...); known && holds {
			s.propose(name, title, formula, true, names...)
			return true
		}
	}
	return false
}

// candidates returns the progress assumptions to try: each party with its parts in phases, then each such part and each family, then all.
func (s *sketcher) candidates() [][]string {
	var single, kinds [][]string
	var all []string
	for _, p := range s.Parties {
		if p.Made != "" && !(p.Made == "clock" && p.Name == "time") {
			continue
		}
		all = append(all, p.Name)
		if p.Plays != "" {
			kinds = append(kinds, []string{p.Name})
		} else {
			single = append(single, []string{p.Name})
		}
		if p.Of != p.Name && p.Of != "" && !slices.ContainsFunc(kinds, func(k []string) bool { return k[0] == p.Of }) {
			kinds = append(kinds, []string{p.Of})
		}
	}
	if len(all) < 2 {
		return single
	}
	return append(append(single, kinds...), all)
}

// ends returns the dead ends as formulas, or none if there are more than maxDeadEnds.
func (s *sketcher) ends() []string {
	if n := s.Graph.DeadEnds(); n == 0 || n > maxDeadEnds {
		return nil
	}
	var ends []string
	for state := range s.Graph.Len() {
		if state%1024 == 0 && s.ctx.Err() != nil {
			return nil
		}
		if end := s.at(state); len(s.Graph.Succ(state)) == 0 && !slices.Contains(ends, end) {
			ends = append(ends, end) // dead ends that differ only in generated nets read the same
		}
	}
	return ends
}

// at returns a formula for the parties' part of a state: their states and, for parties without states, their marked places and counters. It
// omits generated nets.
func (s *sketcher) at(state int) string {
	var list []string
	for _, place := range s.Present(s.Graph.Marking(state)) {
		party, spec := s.Owners[place], s.AllPlaces[place]
		switch {
		case party.Made != "" || hasStates(party) && spec.Kind != hclspec.State:
		case spec.Kind == hclspec.State || spec.Kind == hclspec.Plain:
			list = append(list, party.Name+"."+spec.Name)
		case spec.Kind == hclspec.CounterValue:
			list = append(list, fmt.Sprintf("%s.%s == %d", party.Name, spec.Counter, spec.Value))
		}
	}
	if list == nil {
		return nowhere
	}
	return strings.Join(list, " && ")
}

// nowhere is the formula for parties that have only flags. It is not worth a proposal.
const nowhere = "true"

// hasStates reports whether a party has states.
func hasStates(p *hclspec.Party) bool {
	return slices.ContainsFunc(p.Places, func(place *hclspec.Place) bool { return place.Kind == hclspec.State })
}

// flags proposes, for each flag of a party, the states in which it can be up, if these are at most half of the party's states.
func (s *sketcher) flags(i int) {
	party := s.Parties[i]
	if party.Made != "" || party.Name != party.Of && party.Of != "" {
		return
	}
	var states []string
	for _, p := range party.Places {
		if p.Kind == hclspec.State {
			states = append(states, p.Name)
		}
	}
	for _, p := range party.Places {
		if p.Kind == hclspec.FlagTrue {
			s.flag(party, p, states)
		}
	}
}

// flag makes the proposal for one flag.
func (s *sketcher) flag(party *hclspec.Party, flag *hclspec.Place, states []string) {
	up := party.Name + "." + flag.Flag
	var while []string
	for _, state := range states {
		if holds, known := s.holds("EF (" + up + " && " + party.Name + "." + state + ")"); known && holds {
			while = append(while, party.Name+"."+state)
		}
	}
	if len(while) == 0 || 2*len(while) > len(states) {
		return
	}
	formula := "AG (" + up + " -> " + strings.Join(while, " || ") + ")"
	if holds, known := s.holds(formula); known && holds {
		s.propose(party.Name+"-"+flag.Flag, fmt.Sprintf("%s: “%s” is so only in %s", party.Name, bare(flag, flag.Flag), s.named(party, while)), formula, true)
	}
}

// named joins the titles of states.
func (s *sketcher) named(party *hclspec.Party, states []string) string {
	var list []string
	for _, name := range states {
		for _, p := range party.Places {
			if party.Name+"."+p.Name == name {
				list = append(list, "“"+bare(p, p.Name)+"”")
			}
		}
	}
	return strings.Join(list, " or ")
}

// bare returns a place's title, or its name if there is none.
func bare(p *hclspec.Place, name string) string {
	if p.Title != "" {
		return p.Title
	}
	return name
}

// waits proposes, for each state that a party can leave only together with others, that the party does not stay there for ever. One
// proposal covers all instances of a party.
func (s *sketcher) waits(i int) {
	party := s.Parties[i]
	if party.Made != "" || s.again(i) {
		return
	}
	for _, p := range party.Places {
		if p.Kind == hclspec.State && s.needsOthers(i, p) {
			s.wait(i, p)
		}
	}
}

// again reports whether an earlier party is an instance of the same family.
func (s *sketcher) again(i int) bool {
	return slices.ContainsFunc(s.Parties[:i], func(p *hclspec.Party) bool {
		return s.Parties[i].Of != s.Parties[i].Name && p.Of == s.Parties[i].Of
	})
}

// needsOthers reports whether a state can be left, and only together with other parties.
func (s *sketcher) needsOthers(party int, state *hclspec.Place) bool {
	found := false
	for _, t := range s.Net.Transitions {
		for _, part := range t.Parts {
			if part.Net != party || !slices.Contains(s.Part(part).Consume, state) {
				continue
			}
			found = true
			if len(t.Parts) == 1 {
				return false
			}
		}
	}
	return found
}

// wait proposes the strongest that holds: that the party leaves the state, that it does so under a progress assumption, or that it can.
func (s *sketcher) wait(i int, state *hclspec.Place) {
	party, who, here, every := s.Parties[i].Name, s.Parties[i].Name, s.Parties[i].Name+"."+state.Name, ""
	if of := s.Parties[i].Of; of != "" && of != party {
		party, who, here, every = of, "each "+of, "p."+state.Name, "all p in "+of+": "
	}
	name, title := party+"-leaves-"+state.Name, fmt.Sprintf("%s does not stay “%s” for ever", who, bare(state, state.Name))
	formula := every + "AG (" + here + " -> AF !" + here + ")"
	if reached, known := s.holds(every + "EF " + here); !known || !reached {
		return
	}
	if s.comes(name, title, formula) {
		return
	}
	weak := every + "AG (" + here + " -> EF !" + here + ")"
	if holds, known := s.holds(weak); known {
		s.propose(name, fmt.Sprintf("%s can always get out of “%s”", who, bare(state, state.Name)), weak, holds)
	}
}
