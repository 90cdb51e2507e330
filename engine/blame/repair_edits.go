package blame

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/behaviour"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// This file makes remedies that are in neither draft: another condition for a transition, or two transitions exchanged. They apply to
// transitions that a drafter wrote in a party, not to those of templates.

// A step is a transition in the text of head.
type step struct {
	path  []string // of its block
	party *hclspec.Party
	spec  *hclspec.Transition
}

// suspects returns the transitions to blame. If there is none, it returns the transitions of the violation's run whose party or event is to
// blame.
func (m *repairer) suspects(s *Search) []step {
	var list []step
	names := map[string]bool{}
	for _, k := range s.among(s.made) {
		c := s.Diff.Changes[s.All[k].changes[0]]
		if st, ok := m.step(c.Path); ok && c.Type() == "transition" {
			list = append(list, st)
		}
		names[c.Path[0]] = true
	}
	if list != nil {
		return list
	}
	for _, f := range runOf(s.Finding) {
		for i, t := range f.Transitions {
			party, name, _ := strings.Cut(t, ".")
			path := []string{fmt.Sprintf("party %q", f.Parties[i]), fmt.Sprintf("transition %q", name)}
			st, ok := m.step(path)
			known := slices.ContainsFunc(list, func(o step) bool { return o.spec == st.spec })
			if ok && party == f.Parties[i] && !known && (names[path[0]] || f.Event != "" && names[fmt.Sprintf("event %q", f.Event)]) {
				list = append(list, st)
			}
		}
	}
	return list
}

// runOf returns the firings of the run of a violation.
func runOf(f *finding.Finding) []finding.Firing {
	t := behaviour.NovelRun(f)
	if t == nil {
		return nil
	}
	return slices.Concat(t.Prefix, t.Loop)
}

// step returns the transition of a path: party "P" / transition "T".
func (m *repairer) step(path []string) (step, bool) {
	if len(path) != 2 {
		return step{}, false
	}
	for _, p := range m.Head.Spec.Parties {
		if p.Made != "" || path[0] != fmt.Sprintf("party %q", p.Of) && path[0] != fmt.Sprintf("net %q", p.Of) {
			continue
		}
		for _, t := range p.Transitions {
			if path[1] == fmt.Sprintf("transition %q", compile.SourceName(t)) {
				return step{path, p, t}, true
			}
		}
	}
	return step{}, false
}

// maxGuards is the most conditions that are tried on a transition.
const maxGuards = 8

// guards returns remedies that add a condition of the party to a transition to blame.
func (m *repairer) guards(s *Search) []remedy {
	var list []remedy
	for _, st := range m.suspects(s) {
		found := m.conditions(st)
		list = append(list, found[:min(len(found), maxGuards)]...)
	}
	return list
}

// conditions returns remedies that let a transition wait for a flag or place that another transition of the party waits for: flags first.
func (m *repairer) conditions(st step) []remedy {
	var flags, places []remedy
	for _, p := range st.party.Places {
		uses := func(list []*hclspec.Place) bool { return slices.Contains(list, p) }
		elsewhere := slices.ContainsFunc(st.party.Transitions, func(t *hclspec.Transition) bool {
			return compile.SourceName(t) != compile.SourceName(st.spec) && (uses(t.Read) || uses(t.Consume))
		})
		switch {
		case !elsewhere || uses(st.spec.Read) || uses(st.spec.Consume) || uses(st.spec.Produce):
		case p.Kind == hclspec.FlagTrue || p.Kind == hclspec.FlagFalse:
			entry := fmt.Sprintf("%s = %t", p.Flag, p.Kind == hclspec.FlagTrue)
			flags = append(flags, m.condition(st, "when", "{ ", entry, " }"))
		case p.Kind == hclspec.Plain:
			places = append(places, m.condition(st, "read", "[", p.Name, "]"))
		}
	}
	return append(flags, places...)
}

// condition returns the remedy that adds an entry to an attribute of a transition.
func (m *repairer) condition(st step, attribute, open, entry, end string) remedy {
	value := open + entry + end
	if old, has := m.reading.Value(st.path, attribute); has {
		within := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(old), strings.TrimSpace(end)), " \t\r\n,")
		if within != strings.TrimSpace(open) {
			value = within + ", " + entry + end
		}
	}
	return remedy{
		what:   fmt.Sprintf("Let %s wait for %s.", calledWithin(st.path), entry),
		strict: true,
		edits:  m.reading.Set([]edit.Setting{{Path: st.path, Attribute: attribute, Value: value}}),
	}
}

// maxSwaps is the most exchanges that are tried.
const maxSwaps = 8

// swaps returns remedies that exchange a transition to blame with one right before or after it in its party.
func (m *repairer) swaps(s *Search) []remedy {
	var list []remedy
	seen := map[[2]string]bool{}
	for _, st := range m.suspects(s) {
		for _, t := range st.party.Transitions {
			pair := [2]string{strings.Join(st.path, "/"), compile.SourceName(t)}
			if compile.SourceName(t) == compile.SourceName(st.spec) || seen[pair] || !follows(st.spec, t) && !follows(t, st.spec) {
				continue
			}
			seen[pair] = true
			seen[[2]string{st.path[0] + "/" + fmt.Sprintf("transition %q", compile.SourceName(t)), compile.SourceName(st.spec)}] = true
			if r, ok := m.swap(st, t); ok {
				list = append(list, r)
			}
		}
	}
	return list[:min(len(list), maxSwaps)]
}

// follows reports whether one transition produces what another consumes.
func follows(a, b *hclspec.Transition) bool {
	return slices.ContainsFunc(a.Produce, func(p *hclspec.Place) bool { return slices.Contains(b.Consume, p) })
}

// swap returns the remedy that exchanges the arcs of two transitions in the party's view. It returns false if only one of them has an
// attribute.
func (m *repairer) swap(st step, t *hclspec.Transition) (remedy, bool) {
	other := []string{st.path[0], fmt.Sprintf("transition %q", compile.SourceName(t))}
	var settings []edit.Setting
	for _, word := range []string{"from", "to", "consume", "produce"} {
		mine, has := m.reading.Value(st.path, word)
		theirs, have := m.reading.Value(other, word)
		if has != have {
			return remedy{}, false
		}
		if has {
			settings = append(settings, edit.Setting{Path: st.path, Attribute: word, Value: theirs},
				edit.Setting{Path: other, Attribute: word, Value: mine})
		}
	}
	return remedy{
		what:   fmt.Sprintf("Exchange the steps %q and %q of %s.", compile.SourceName(st.spec), compile.SourceName(t), st.path[0]),
		strict: true,
		edits:  m.reading.Set(settings),
	}, true
}
