package compile

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/hclspec"
)

// Wording returns a formula as reports show it: in the author's notation, with quantifiers. It returns ill-formed text unchanged.
func (d *Draft) Wording(text *hclspec.Formula) string {
	if text.Scenario != nil {
		return text.Scenario.String()
	}
	f, diag := d.parse(text)
	if diag != nil {
		return text.Text
	}
	return canonicalText(f, text.Notation)
}

// expand writes quantifiers out for the instances of this draft.
func (d *Draft) expand(f *ctl.Formula, text *hclspec.Formula) (*ctl.Formula, *hcl.Diagnostic) {
	g, err := ctl.Expand(f, func(of string) ([]string, bool) {
		names := d.instances(of)
		if names == nil && d.role(of) {
			names = []string{of}
		}
		return names, names != nil
	})
	var missing *ctl.RangeError
	if errors.As(err, &missing) {
		return nil, d.notSeveral(missing.Range, text)
	}
	if err != nil {
		return nil, phrase.NotAFormula(err, text)
	}
	return g, nil
}

// Words are what stands in a sentence for parties and events, by name.
type Words struct{ Parties, Events map[string]string }

// OneOfEach returns a formula in which each quantifier is replaced by what it says of the nth instance, or the last one, and names that instance in names,
// words by party, "some pay" or "every pay". A sentence with those words says what the formula does only where the quantifier may be drawn into its atoms:
// some over disjunctions, all over conjunctions of names. OneOfEach returns nil elsewhere, and if words would mean two things.
func (d *Draft) OneOfEach(f *ctl.Formula, nth int, names map[string]string) *ctl.Formula {
	chosen, free := map[string]string{}, map[string]bool{}
	if !d.oneOfEach(f, nth, chosen, names) {
		return nil
	}
	for atom := range f.Atoms() {
		of, _, _ := strings.Cut(atom.Name, ".")
		free[of] = true
	}
	for _, one := range chosen {
		if free[one] {
			return nil
		}
	}
	g, err := ctl.Expand(f, func(of string) ([]string, bool) { return []string{chosen[of]}, true })
	if err != nil {
		return nil
	}
	return g
}

// Quantified returns what a quantifier says of the nth instance, or the last one, and before that, for words, "for every buyer" or "for some buyer". In words
// that instance is named by what the quantifier ranges over, and an event of it that the variable names as “bid” of that buyer. The formula is nil if f is
// no quantifier over a formula without any, and if words would mean two things.
func (d *Draft) Quantified(f *ctl.Formula, nth int, words Words) (of string, body *ctl.Formula) {
	if f.Op != ctl.ForAll && f.Op != ctl.ForSome {
		return "", nil
	}
	all := d.instances(f.Range.Name)
	if len(all) == 0 || d.lookup.parties[all[0]] == nil || quantifies(f.Left) {
		return "", nil
	}
	one := all[min(nth, len(all)-1)]
	for atom := range f.Left.Atoms() {
		if whose, _, _ := strings.Cut(atom.Name, "."); whose == one || whose == f.Range.Name {
			return "", nil
		}
	}
	body, err := ctl.Expand(f, func(string) ([]string, bool) { return []string{one}, true })
	if err != nil {
		return "", nil
	}
	words.Parties[one] = f.Range.Name
	d.actsOf(one, f, body, words.Events)
	return map[ctl.Op]string{ctl.ForAll: "for every ", ctl.ForSome: "for some "}[f.Op] + f.Range.Name, body
}

// actsOf names the events in which an instance takes part and which a quantifier's variable names. Body is the quantifier's formula for that instance.
func (d *Draft) actsOf(instance string, f, body *ctl.Formula, names map[string]string) {
	without := func(way []hclspec.Sync) bool {
		return !slices.ContainsFunc(way, func(s hclspec.Sync) bool { return s.Party.Name == instance })
	}
	written := slices.Collect(f.Left.Atoms())
	for i, atom := range slices.Collect(body.Atoms()) {
		if atom.Call == nil {
			continue
		}
		for j, arg := range atom.Call.Args {
			e := d.lookup.events[arg.Name]
			if e == nil || arg.Name == written[i].Call.Args[j].Name || slices.ContainsFunc(e.Ways, without) {
				continue
			}
			title := cmp.Or(e.Title, e.Of)
			if slices.ContainsFunc(d.Events, func(o *hclspec.Event) bool { return o.Of == e.Of && o.Title != e.Title }) {
				title = e.Of // the title is of one instance
			}
			names[e.Name] = "“" + title + "” of that " + f.Range.Name
		}
	}
}

// Instances returns how many instances the largest range of a formula's quantifiers has.
func (d *Draft) Instances(f *ctl.Formula) int {
	if f == nil {
		return 0
	}
	n := max(d.Instances(f.Left), d.Instances(f.Right))
	if f.Op == ctl.ForAll || f.Op == ctl.ForSome {
		n = max(n, len(d.instances(f.Range.Name)))
	}
	return n
}

// quantifies reports whether there is a quantifier in a formula.
func quantifies(f *ctl.Formula) bool {
	return f != nil && (f.Op == ctl.ForAll || f.Op == ctl.ForSome || quantifies(f.Left) || quantifies(f.Right))
}

// oneOfEach records the nth instance, or the last one, of each range of a quantifier, and its words.
func (d *Draft) oneOfEach(f *ctl.Formula, nth int, chosen, names map[string]string) bool {
	if f == nil {
		return true
	}
	if f.Op != ctl.ForAll && f.Op != ctl.ForSome {
		return d.oneOfEach(f.Left, nth, chosen, names) && d.oneOfEach(f.Right, nth, chosen, names)
	}
	word, between := "some ", ctl.Or
	if f.Op == ctl.ForAll {
		word, between = "every ", ctl.And
	}
	all := d.instances(f.Range.Name)
	if len(all) == 0 || d.lookup.parties[all[0]] == nil || !drawnInto(f.Left, f.Name, between) { // of rounds of a phase there are no words
		return false
	}
	said, one := word+f.Range.Name, all[min(nth, len(all)-1)]
	if _, again := chosen[f.Range.Name]; again && names[one] != said {
		return false
	}
	chosen[f.Range.Name], names[one] = one, said
	return true
}

// drawnInto reports whether a formula consists of places of a variable, joined by one operator.
func drawnInto(f *ctl.Formula, variable string, by ctl.Op) bool {
	if f.Op == by {
		return drawnInto(f.Left, variable, by) && drawnInto(f.Right, variable, by)
	}
	return f.Op == ctl.Atom && f.Call == nil && f.Compare == nil && strings.HasPrefix(f.Name, variable+".")
}

// instances returns the names of the instances of a party, in canonical order, or nil for any other name.
func (d *Draft) instances(of string) []string { return d.lookup.members[of] }

// role reports whether a name is a role in a phase that a single party plays. A template does not know how many play a role, so its
// formulas may quantify over one.
func (d *Draft) role(name string) bool {
	p := d.lookup.parties[name]
	return p != nil && p.Index == "" && p.Plays != ""
}

// families returns the names of the parties with several instances, sorted. It returns nil when the budget for suggestions is used up.
func (d *Draft) families() []string {
	if !d.lookup.suggest.Spend(len(d.lookup.members)) {
		return nil
	}
	return slices.Sorted(maps.Keys(d.lookup.members))
}

// notSeveral returns the diagnostic for a quantifier over a party without instances, or over no party.
func (d *Draft) notSeveral(over ctl.Ref, text *hclspec.Formula) *hcl.Diagnostic {
	at := text.Source(over.From, over.To)
	if d.lookup.parties[over.Name] != nil {
		return phrase.Diagnostic("wrong-kind", at, fmt.Sprintf("There is only one %q.", over.Name),
			"all and some range over a party that has count or for_each.")
	}
	hint := "all and some range over a party that has count or for_each."
	if near := d.lookup.suggest.Nearest(over.Name, d.families()); near != "" {
		hint += " " + hclspec.Meant(over.Name, near)
	}
	return phrase.Diagnostic("unknown-name", at, fmt.Sprintf("There is no party %q of which there are several.", over.Name), hint)
}

// several returns a hint for an atom that names a party with several instances as if it were one. It returns "" for any other.
func (d *Draft) several(atom string) string {
	of, rest, dotted := strings.Cut(atom, ".")
	names := d.instances(of)
	if !dotted || names == nil {
		return ""
	}
	return fmt.Sprintf("There are several of %s. Write %s.%s for one; or all p in %s: ... p.%s ... for every one, some p in %s: ... for at least one.",
		of, names[0], rest, of, rest, of)
}

// Covers reports whether an accepted subject applies to a finding's subject: it is the same, or the element of which the finding's is an
// instance.
func Covers(accepted, subject string) bool {
	return accepted == subject || accepted == WithoutIndex(subject)
}

// WithoutIndex drops the brackets from purchaser[0].P1 and event.GAV[0].
func WithoutIndex(subject string) string {
	before, rest, ok := strings.Cut(subject, "[")
	_, after, closed := strings.Cut(rest, "]")
	if !ok || !closed {
		return subject
	}
	return before + after
}

// quantified reports whether a formula has a quantifier over instances.
func quantified(f *ctl.Formula) bool {
	return f != nil && (f.Op == ctl.ForAll || f.Op == ctl.ForSome || quantified(f.Left) || quantified(f.Right))
}
