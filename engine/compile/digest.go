package compile

import (
	"context"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// digest sets Digest to the SHA-256 of the draft's canonical form, and Unnamed to that of the form without the contract's name. Drafts with
// equal digests mean the same: comments, layout, order, notation and prose do not count. An ill-formed formula counts by its text. The
// digests are invalid if the context has ended.
func (d *Draft) digest(ctx context.Context) {
	meaning := d.canonical(ctx)
	sum := func(text string) string { return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(text))) }
	d.Digest = sum(fmt.Sprintf("redline meaning 1\ncontract %s\n%s", d.Spec.Name, meaning))
	d.Unnamed = sum(meaning)
}

// canonical renders the meaning of the draft without its name, one line for each element, in canonical order. Names are identifiers, so a
// blank separates them.
func (d *Draft) canonical(ctx context.Context) string {
	var b strings.Builder
	fmt.Fprintf(&b, "firing %s\n", d.Rule)
	if d.Spec.Tick != "" {
		fmt.Fprintf(&b, "tick %s\n", tickOf(d))
	}
	if d.Spec.Start != "" {
		fmt.Fprintf(&b, "start %s\n", d.Spec.Start)
	}
	if len(d.Spec.Holidays) > 0 {
		fmt.Fprintf(&b, "holidays %s\n", strings.Join(d.Spec.Holidays, " "))
	}
	if d.Spec.Final != nil {
		fmt.Fprintf(&b, "final %s\n", d.Meaning(d.Spec.Final))
	}
	if d.Spec.Ends != nil {
		fmt.Fprintf(&b, "ends %s\n", strings.Join(slices.Sorted(slices.Values(d.Spec.Ends.By)), " "))
	}
	for i, p := range d.Parties {
		fmt.Fprintf(&b, "net %s%s\n", p.Name, noActor(p))
		for _, t := range d.Transitions[i] {
			fmt.Fprintf(&b, "transition %s label %s consume%s produce%s read%s\n", t.Name, t.Label,
				names(t.Consume), names(t.Produce), names(t.Read))
		}
	}
	for i, p := range d.Net.Places[:len(d.AllPlaces)] {
		_, marked := slices.BinarySearch(d.Net.Initial, i)
		fmt.Fprintf(&b, "place %s kind %d marked %t%s%s%s\n", p, d.AllPlaces[i].Kind, marked, documented(d.AllPlaces[i]), exposes(d.AllPlaces[i]), bounded(d.AllPlaces[i]))
	}
	at, turn := d.PlacesAt(), d.inTurn()
	for _, e := range d.canonicalEvents() {
		fmt.Fprintf(&b, "event %s%s%s%s\n", e.Name, syncs(e), d.watched(e, at), turn[e])
	}
	for _, line := range d.canonicalNorms() {
		b.WriteString(line)
	}
	for _, line := range d.canonicalClaims(ctx) {
		b.WriteString(line)
	}
	return b.String()
}

// inTurn returns, by event that happens by itself, the part of the digest that says after which it happens when both are due.
func (d *Draft) inTurn() map[*hclspec.Event]string {
	all, last := map[*hclspec.Event]string{}, ""
	for _, e := range d.Urgent() {
		all[e] = " by itself" + last
		last = " after " + e.Name
	}
	return all
}

// canonicalEvents returns each event once.
func (d *Draft) canonicalEvents() []*hclspec.Event { return slices.Compact(slices.Clone(d.Events)) }

// names renders the names of places, sorted, each after a blank.
func names(places []*hclspec.Place) string {
	var list []string
	for _, p := range places {
		list = append(list, " "+p.Name)
	}
	slices.Sort(list)
	return strings.Join(list, "")
}

// syncs renders the ways in which an event can happen, sorted.
func syncs(e *hclspec.Event) string {
	var ways []string
	for _, way := range e.Ways {
		var list []string
		for _, s := range way {
			while := ""
			if s.While != nil {
				while = " while " + s.While.Name
			}
			list = append(list, " "+s.Party.Name+"."+s.Label+while)
		}
		slices.Sort(list)
		ways = append(ways, strings.Join(list, ""))
	}
	slices.Sort(ways)
	return strings.Join(ways, " or")
}

// canonicalClaims renders requirements, waivers, accepted findings and retirements, sorted. It returns nil if the context ends.
func (d *Draft) canonicalClaims(ctx context.Context) []string {
	var lines []string
	for _, r := range d.Spec.Requirements {
		if ctx.Err() != nil {
			return nil
		}
		lines = append(lines, fmt.Sprintf("requirement %s %s\n", r.Name, d.Promise(r)))
		if w := r.Waiver; w != nil {
			lines = append(lines, fmt.Sprintf("waiver %s run %s until %q by %q\n", r.Name, w.Run, w.Expires, w.Approver))
		}
	}
	for _, a := range d.Spec.Accepts {
		run := ""
		if a.Run != "" {
			run = " run " + a.Run
		}
		lines = append(lines, fmt.Sprintf("accept %s %s%s\n", a.Code, a.On, run))
	}
	for _, r := range d.Spec.Retires {
		lines = append(lines, fmt.Sprintf("retire %s %s\n", r.Name, r.Digest))
	}
	slices.Sort(lines)
	return slices.Compact(lines) // accepting twice means the same as accepting once
}

// bounded returns the part of the digest with a counter's bounds, where its places don't show them.
func bounded(p *hclspec.Place) string {
	if p.Sparse() {
		return fmt.Sprintf(" within %d %d", p.Bounds[0], p.Bounds[1])
	}
	return ""
}

// noActor returns the part of the digest that marks a net without an acting party. The checks of obligations depend on it.
func noActor(p *hclspec.Party) string {
	if p.IsNet && p.Made == "" {
		return " of nobody"
	}
	return ""
}

// Meaning returns the canonical text of a formula. An ill-formed formula means only its own text.
func (d *Draft) Meaning(text *hclspec.Formula) string {
	f, diags := d.resolve(text, phrase.Parse) // what ideal runs are depends on the norms, which the digest has anyway
	if diags.HasErrors() {
		return fmt.Sprintf("ill-formed %s %q", text.Notation, text.Text)
	}
	over := ""
	if text.Ideal && slices.ContainsFunc(slices.Collect(f.Atoms()), func(atom *ctl.Formula) bool { return atom.Means != nil && atom.Means.Temporal() }) {
		over = " over ideal runs" // the restriction is inside the atom's meaning, so CTL does not show it
	}
	if g, _ := phrase.Parse(text); quantified(g) {
		// Keep quantifiers, without their instances: a requirement on every purchaser stays the same
		// when an amendment adds a purchaser.
		return d.plain(g, nil).CTL() + over
	}
	for atom := range f.Atoms() {
		if atom.Means == nil && atom.Place >= 0 {
			atom.Name = d.Net.Places[atom.Place].String() // a flag has two names for one place
		}
	}
	return f.CTL() + over
}

// plain replaces names of flags in a quantified formula by one canonical name. Bound maps each variable to the party over whose instances
// it ranges.
func (d *Draft) plain(f *ctl.Formula, bound map[string]string) *ctl.Formula {
	if f == nil {
		return nil
	}
	g := *f
	if f.Op == ctl.ForAll || f.Op == ctl.ForSome {
		bound = maps.Clone(bound)
		if bound == nil {
			bound = map[string]string{}
		}
		bound[f.Name] = f.Range.Name
	}
	if f.Op == ctl.Atom && f.Call == nil && f.Compare == nil {
		name := f.Name
		first, rest := phrase.Cut(name)
		if some := d.instances(bound[first]); some != nil {
			name = some[0] + rest
		}
		if p, ok := d.PlaceOf[name]; ok && d.AllPlaces[p].Kind == hclspec.FlagTrue {
			g.Name = f.Name[:strings.LastIndexByte(f.Name, '.')+1] + d.AllPlaces[p].Flag
		}
	}
	g.Left, g.Right = d.plain(f.Left, bound), d.plain(f.Right, bound)
	return &g
}

// ruleOf converts the contract's firing rule to the net's.
func ruleOf(f hclspec.Firing) petri.Rule {
	if f == hclspec.FireAll {
		return petri.All
	}
	return petri.One
}
