package load

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// overtaken reports whether every event that breaches a norm also begins another one, or exercises a power.
func (n *norm) overtaken(all []*norm) bool {
	by := n.breaches
	if n.Kind == hclspec.Prohibition {
		by = n.acts
	}
	if n.Kind == hclspec.Obligation && n.ticks > 0 || len(by) == 0 {
		return false
	}
	for _, breach := range by {
		if !slices.ContainsFunc(all, func(o *norm) bool { return o != n && o.answers(breach.event) }) {
			return false
		}
	}
	return true
}

// answers reports whether an event begins a norm, or exercises it if it is a power.
func (n *norm) answers(e *hclspec.Event) bool {
	list := n.starts
	if n.Kind == hclspec.Power {
		list = slices.Concat(list, n.acts)
	}
	return slices.ContainsFunc(list, func(o occasion) bool { return o.event == e })
}

// rest makes a norm dormant in the initial marking.
func (n *norm) rest() {
	n.On().Marked, n.Net.PlaceNamed(construct.Dormant).Marked = false, true
	n.clock.stop()
}

// An entry is one way for an occasion to occur: by an event, while all of some places are marked.
type entry struct {
	event *hclspec.Event
	given []*hclspec.Place
}

func (e entry) and(p *hclspec.Place) entry {
	e.given = append(e.given[:len(e.given):len(e.given)], p)
	return e
}

// A norm is a Norm while it is read.
type norm struct {
	*hclspec.Norm
	block                        *hclsyntax.Block
	starts, acts, breaches, ends []occasion
	ticks                        int    // 0: no deadline
	lasting, apart               string // its deadline, and the time between its occurrences, as the source has them
	answer                       *norm
	endsContract                 bool
	lifts                        []*norm
	clock                        *clock

	times, every int     // how often it arises, and after how many ticks the next time; 0: it has no occurrences, or no schedule
	follows      bool    // it has as many occurrences as the norm whose reparation it is
	all          []*norm // its occurrences, or itself
	schedule     *clock  // nil unless ticks bring its occurrences about
}

// An occasion is an event, or a change of another norm: deliver.breached.
type occasion struct {
	event *hclspec.Event
	while *hclspec.Place // a place that must be marked; nil: none
	norm  *norm
	index string // of one of its occurrences; empty: any of them
	to    string // the place that the norm reaches
	at    hcl.Range
}

// terms returns the attributes of a norm in a fixed order, so that two drafts can be compared.
func (n *norm) terms() []hclspec.Term {
	kind := n.Kind.Construct()
	var all []hclspec.Term
	add := func(word string, values ...string) {
		if text := strings.Join(slices.Sorted(slices.Values(values)), ", "); text != "" {
			all = append(all, hclspec.Term{Word: word, Value: text})
		}
	}
	for _, who := range []struct {
		word  string
		party *hclspec.Party
	}{{"bearer", n.Bearer}, {"counterparty", n.Counterparty}} {
		if who.party != nil {
			add(who.word, who.party.Name)
		}
	}
	add(kind.Begins, occasionNames(n.starts)...)
	add(kind.Act, occasionNames(n.acts)...)
	if n.ticks > 0 {
		add(kind.Lasts, n.lasting)
	}
	if n.times > 0 {
		add("times", strconv.Itoa(n.times))
	}
	if n.every > 0 {
		add("every", n.apart)
	}
	add("breach", occasionNames(n.breaches)...)
	add("until", occasionNames(n.ends)...)
	if n.answer != nil {
		add("reparation", n.answer.Name)
	}
	var lifted []string
	for _, other := range n.lifts {
		lifted = append(lifted, other.Name)
	}
	add("lifts", lifted...)
	if n.endsContract {
		add("ends_contract", "true")
	}
	if n.Survives {
		add("survives", "true")
	}
	return all
}

func occasionNames(list []occasion) []string {
	var names []string
	for _, o := range list {
		if o.event != nil {
			names = append(names, o.event.Name)
		} else {
			names = append(names, syntax.Ref{Name: o.norm.Name, Index: o.index, Indexed: o.index != ""}.String()+"."+o.to)
		}
	}
	return names
}
