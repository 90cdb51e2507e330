package bpmn

import (
	"slices"
	"strings"
)

// Limits of one gateway: the transitions that it becomes, and the flows of which any number may be taken.
const (
	maxWays     = 400
	maxOptional = 6
)

// A way is what an element does to tokens at one moment.
type way struct {
	take, put         []*flow
	skipped, skipping []*flow // by which nothing comes: known where it is joined, made known where it is split
	to                string  // of a choice, where it leads
}

// ways lists what a token can do at an element. An event-based gateway does nothing: its flows are one place.
func (s *step) ways() []way {
	puts := s.puts()
	var all []way
	for _, take := range s.takes() {
		for _, put := range puts {
			put.take, put.skipped = take.take, take.skipped
			all = append(all, put)
		}
	}
	return all
}

// takes lists the sets of flows whose tokens an element takes at once.
func (s *step) takes() []way {
	switch {
	case s.kind == "eventBasedGateway":
		return nil
	case len(s.in) == 0:
		return []way{{}}
	case s.kind == "parallelGateway":
		return []way{{take: s.in}}
	case s.split != nil:
		var all []way
		for n := range 1<<len(s.in) - 1 { // at least one comes
			w := way{}
			for k, f := range s.in {
				if n>>k&1 == 0 {
					w.take = append(w.take, f)
				} else {
					w.skipped = append(w.skipped, f)
				}
			}
			all = append(all, w)
		}
		return all
	}
	var all []way
	for _, f := range s.in {
		all = append(all, way{take: []*flow{f}})
	}
	return all
}

// puts lists the sets of flows on which an element puts tokens at once.
func (s *step) puts() []way {
	if s.kind == "exclusiveGateway" && len(s.out) > 0 {
		var all []way
		for _, f := range s.out {
			all = append(all, s.skip(way{put: []*flow{f}, to: f.leads()}))
		}
		return all
	}
	optional := s.optional()
	if len(optional) == 0 {
		return []way{{put: s.out}}
	}
	if len(optional) > maxOptional {
		return nil // refused by arity
	}
	var always, fallback []*flow
	for _, f := range s.out {
		switch {
		case slices.Contains(optional, f):
		case f.id() != "" && f.id() == s.attrs["default"]:
			fallback = append(fallback, f)
		default:
			always = append(always, f)
		}
	}
	var all []way
	for n := range 1 << len(optional) {
		w := way{put: slices.Clone(always)}
		for k, f := range optional {
			if n>>k&1 == 1 {
				w.put = append(w.put, f)
			}
		}
		if n == 0 && len(always) == 0 {
			w.put = fallback
		}
		if len(w.put) == 0 {
			continue
		}
		var names []string
		for _, f := range s.out {
			if slices.Contains(w.put, f) {
				names = append(names, f.leads())
			}
		}
		w.to = strings.Join(names, " and ")
		all = append(all, s.skip(w))
	}
	return all
}

// skip adds the flows by which nothing comes to the gateway that joins the branches.
func (s *step) skip(w way) way {
	for k, f := range s.out {
		if s.match != nil && !slices.Contains(w.put, f) {
			w.skipping = append(w.skipping, s.match[k])
		}
	}
	return w
}

// leads is where a flow leads, in words.
func (f *flow) leads() string { return or(f.attrs["name"], f.to.label()) }

// optional lists the flows of which any number may be taken: those of an inclusive gateway, and those with a condition, but for the default.
func (s *step) optional() []*flow {
	if s.kind == "exclusiveGateway" || s.kind == "eventBasedGateway" || s.kind == "inclusiveGateway" && len(s.out) == 1 {
		return nil
	}
	var all []*flow
	for _, f := range s.out {
		conditional := slices.ContainsFunc(f.children, func(n *node) bool { return n.kind == "conditionExpression" })
		if (conditional || s.kind == "inclusiveGateway") && (f.id() == "" || f.id() != s.attrs["default"]) {
			all = append(all, f)
		}
	}
	return all
}

// joins finds, for an inclusive gateway at which several flows arrive, the gateway that splits them. It waits for whatever can still come (OMG formal/2011-01-03, section
// 13.3.3), which is known where each flow comes from one branch of one gateway, by elements that nothing else leads to or from.
func (i *importer) joins(s *step) {
	if s.kind != "inclusiveGateway" || len(s.in) < 2 {
		return
	}
	for _, split := range s.scope.steps {
		if match := split.branches(s); match != nil && split.split == nil && split.match == nil && len(s.in) <= maxOptional {
			split.match, s.split = match, split
			return
		}
	}
	i.unsupported(s.node, "joins flows that no single gateway splits, so it is not said for which of them it waits", "Draw the gateway that splits them, and a branch for each.")
}

// branches returns, for each flow that leaves a gateway, the flow by which its branch reaches another gateway; nil if they don't all do so apart from each other.
func (s *step) branches(to *step) []*flow {
	if len(s.out) != len(to.in) || len(s.out) < 2 || s == to || !strings.HasSuffix(s.kind, "Gateway") || s.kind == "eventBasedGateway" {
		return nil
	}
	var match []*flow
	seen := map[*step]bool{s: true}
	for _, f := range s.out {
		branch, arrives := map[*step]bool{}, []*flow{}
		rest := []*flow{f}
		for len(rest) > 0 {
			g := rest[0]
			rest = rest[1:]
			switch {
			case g.to == to:
				arrives = append(arrives, g)
			case seen[g.to] && !branch[g.to]:
				return nil
			case !branch[g.to]:
				branch[g.to], seen[g.to] = true, true
				if len(g.to.out) == 0 {
					return nil
				}
				rest = append(rest, g.to.out...)
				for _, b := range g.to.bounds {
					rest = append(rest, b.out...)
				}
			}
		}
		for step := range branch {
			for _, in := range step.in {
				if in != f && !branch[in.from] && in.from.kind != "boundaryEvent" {
					return nil
				}
			}
		}
		if len(arrives) != 1 || slices.Contains(match, arrives[0]) {
			return nil
		}
		match = append(match, arrives[0])
	}
	return match
}
