package report

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine"
)

// A medium says how a stranger's words are let into an output: as prose, as code (a formula), or as
// the name of a thing beside its title.
type medium struct{ prose, code, name func(string) string }

var (
	terminal = medium{TerminalText, formulaText, func(s string) string { return "[" + TerminalText(s) + "]" }}
	markdown = medium{MarkdownText, MarkdownCode, MarkdownCode}
	cell     = medium{MarkdownText, markdownCell, markdownCell}
)

// formulaText is TerminalText for formulas, which are longer than prose.
func formulaText(s string) string { return uncommanded(visible(s, formulaLength)) }

// sign stands before a verdict; the word always follows.
func sign(v engine.Verdict) string {
	return [...]string{"?", "✓", "✗", "!"}[v]
}

// several counts things in words: no dead end, 1 state, 12 steps.
func several(n int, thing string) string { return severalOf(big.NewInt(int64(n)), thing) }

func severalOf(n *big.Int, thing string) string {
	switch {
	case n.Sign() == 0:
		return "no " + thing
	case n.Cmp(big.NewInt(1)) == 0:
		return "1 " + thing
	}
	return figure(n) + " " + thing + "s"
}

// figure writes a number for reading: beyond fifteen digits its size matters, not its digits.
func figure(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return grouped(s)
	}
	return fmt.Sprintf("about %c.%c × 10^%d", s[0], s[1], len(s)-1)
}

// grouped sets commas between thousands.
func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// size says how large a model is.
func size(m engine.Model) string {
	if m.States == nil {
		return joined(", ", several(m.Places, "place"), someOf(m.Transitions, "transition")) // none: they were too many to make
	}
	parts := []string{severalOf(m.States, "state")}
	if m.Arcs != nil {
		parts = append(parts, severalOf(m.Arcs, "step"))
	}
	if m.DeadEnds != nil {
		parts = append(parts, severalOf(m.DeadEnds, "dead end"))
	}
	return strings.Join(parts, ", ")
}

// incomplete says why there is no complete state model; empty when there is one.
func incomplete(m engine.Model, in medium) string {
	if m.Incomplete == "" {
		return ""
	}
	return "No complete state model: " + sentence(in.prose(m.Incomplete))
}

// pace says what the firing rule means; empty when there is no rule to speak of.
func pace(m engine.Model) string {
	switch {
	case m.Firing == "one" && m.Engine == string(engine.Symbolic) && m.States != nil:
		return "one thing happens at a time; counted by decision diagrams"
	case m.Firing == "one":
		return "one thing happens at a time"
	case m.Firing == "all":
		return "all that can happen together does"
	}
	return ""
}

// effort says what a state model took.
func effort(m engine.Model) string {
	s := m.Stats
	if s == nil {
		return "The states were looked at one by one."
	}
	number := func(n uint64) string { return grouped(strconv.FormatUint(n, 10)) }
	return fmt.Sprintf("%s of %s; %s of %s made; %s of %s lookups were in the cache; %s.",
		several(s.Variables, "variable"), several(s.Values, "value"), several(s.Nodes, "node"), number(uint64(s.Peak)),
		number(s.Hits), number(s.Lookups), several(s.Iterations, "iteration"))
}

// cachedNote is said of what was not found out anew; empty of what was.
func cachedNote(cached bool) string {
	if !cached {
		return ""
	}
	return "From the cache: an earlier run found this out, of the same texts and within the same limits."
}

// title names a contract for a reader: its name, and its title if it says more.
func title(name, long string, in medium) string {
	if long == "" || long == name {
		return in.prose(name)
	}
	return in.prose(name) + " — " + in.prose(long)
}

// promise is what a requirement says, and the clause it stands for. One without a title says its
// pattern as a sentence, or its formula.
func promise(r *engine.Requirement, in medium) string {
	if r.Title == "" && r.Says != "" {
		return joined(" ", in.prose(r.Says), clause(r.Clause, in), assumption(r, in))
	}
	if r.Title == "" && r.Formula != "" {
		return joined(" ", in.code(r.Formula)+notation(r), clause(r.Clause, in), assumption(r, in))
	}
	return joined(" ", in.prose(r.Title), clause(r.Clause, in), assumption(r, in))
}

// clause refers to the contract's paper: (clause 2.3), or as the drafter calls it.
func clause(s string, in medium) string {
	switch {
	case s == "":
		return ""
	case s[0] >= '0' && s[0] <= '9':
		return "(clause " + in.prose(s) + ")"
	}
	return "(" + in.prose(s) + ")"
}

// vacuity says which part of a requirement that holds makes no difference, and why.
func vacuity(v engine.Vacuity, in medium) string {
	sub := in.code(v.Subformula)
	if v.In != "" {
		sub += " in " + in.code(v.In)
	}
	if v.Nth > 0 {
		sub = fmt.Sprintf("%s (number %d of its like)", sub, v.Nth)
	}
	constant := map[bool]string{true: "is always true", false: "is never true"}
	one := v.Never || v.Always
	switch {
	case v.Because != "" && v.Spare:
		return joined(" ", "Holds, but", in.code(v.Because), constant[v.Value]+":", sub, "makes no difference and may be left out.")
	case v.Because != "":
		return joined(" ", "Holds, but", in.code(v.Because), constant[v.Value]+":", sub, "makes no difference.")
	case v.Spare && one:
		return "Holds without " + sub + ", which " + constant[v.Always] + ": that part is not needed and may be left out."
	case v.Spare:
		return "Holds without " + sub + ", too: that part is not needed and may be left out."
	case one:
		return "Holds whatever " + sub + " is, and it " + constant[v.Always] + ": that part makes no difference."
	}
	return "Holds whatever " + sub + " is: that part makes no difference."
}

// reason says why there is no verdict.
func reason(r *engine.Requirement, in medium) string {
	switch {
	case r.Verdict == engine.Unknown && r.Reason == "":
		return "Not decided."
	case r.Verdict == engine.Unknown:
		return "Not decided: " + in.prose(r.Reason)
	case r.Verdict == engine.IllFormed && r.Reason == "":
		return "It has no meaning as the contract stands."
	case r.Verdict == engine.IllFormed:
		return "It has no meaning as the contract stands: " + in.prose(r.Reason)
	}
	return without[r.Engine]
}

// without says how a verdict came about for which there was no state model.
var without = map[engine.Engine]string{
	engine.Structural: "Decided by how the contract is put together, without going through its states.",
	engine.Reduced:    "Decided on a part of the contract, beside which the rest makes no difference to it.",
	engine.Local:      "Decided by going to only as many states as that takes.",
}

// happening names a firing: by its title and event, or by the one transition that fired.
func happening(f engine.Firing, in medium) string {
	name := f.Event
	if name == "" {
		name = strings.Join(f.Transitions, ", ")
	}
	if f.Title == "" || f.Title == name {
		return joined(" ", in.prose(name), clause(f.Clause, in))
	}
	return joined(" ", in.prose(f.Title), in.name(name), clause(f.Clause, in))
}

// happenings names the firings of one step.
func happenings(step []engine.Firing, in medium) string {
	return strings.Join(mapped(step, func(f engine.Firing) string { return happening(f, in) }), " — and, at the same time — ")
}

// An effect is what a firing does in one party's view.
type effect struct{ party, change string }

// effects lists what a firing does, party by party; parties it leaves as they were come last, in one.
func effects(f engine.Firing, in medium) []effect {
	var all []effect
	var idle []string
	for _, c := range f.Changed {
		all = append(all, effect{in.prose(cmp.Or(c.Called, c.Party)), transition(c, in)})
	}
	for i, p := range f.Parties {
		if !slices.ContainsFunc(f.Changed, func(c engine.Change) bool { return c.Party == p }) {
			idle = append(idle, in.prose(calling(f, i)))
		}
	}
	if len(idle) > 0 {
		all = append(all, effect{strings.Join(idle, ", "), "as before"})
	}
	return all
}

// calling is what people call a party that takes part in a firing.
func calling(f engine.Firing, party int) string {
	if party < len(f.Called) && f.Called[party] != "" {
		return f.Called[party]
	}
	return f.Parties[party]
}

// transition says how a party's state changes.
func transition(c engine.Change, in medium) string {
	before, after := listed(c.Before, in), listed(c.After, in)
	switch {
	case before == "" && after == "":
		return "as before"
	case before == "":
		return "now " + after
	case after == "":
		return "no longer " + before
	}
	return before + " → " + after
}

// listed joins a stranger's words with commas.
func listed(words []string, in medium) string {
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = in.prose(w)
	}
	return strings.Join(clean, ", ")
}

// state tells where all parties are.
func state(end []engine.PartyState, in medium) string {
	parts := make([]string, len(end))
	for i, s := range end {
		places := listed(s.Places, in)
		if places == "" {
			places = "nothing"
		}
		parts[i] = in.prose(cmp.Or(s.Called, s.Party)) + ": " + places
	}
	return strings.Join(parts, "; ")
}

// steps groups the firings that happen together.
func steps(run []engine.Firing) [][]engine.Firing {
	var all [][]engine.Firing
	for i, f := range run {
		if i > 0 && f.Step == run[i-1].Step {
			all[len(all)-1] = append(all[len(all)-1], f)
		} else {
			all = append(all, []engine.Firing{f})
		}
	}
	return all
}

// place writes file:line:column; empty when there is no file.
func place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// sentence ends s with a full stop unless it ends with one, or its like, already.
func sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return s
	}
	return s + "."
}
