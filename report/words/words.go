package words

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/escape"
)

// A medium says how a stranger's words are let into an output: as prose, as code (a formula), or as
// the name of a thing beside its title.
type Medium struct{ Prose, Code, Name func(string) string }

var (
	Terminal = Medium{escape.TerminalText, FormulaText, func(s string) string { return "[" + escape.TerminalText(s) + "]" }}
	Markdown = Medium{escape.MarkdownText, escape.MarkdownCode, escape.MarkdownCode}
	Cell     = Medium{escape.MarkdownText, escape.MarkdownCell, escape.MarkdownCell}
)

// FormulaText is TerminalText for formulas, which are longer than prose.
func FormulaText(s string) string { return escape.Uncommanded(escape.Visible(s, escape.FormulaLength)) }

// Sign stands before a verdict; the word always follows.
func Sign(v finding.Verdict) string {
	return [...]string{"?", "✓", "✗", "!"}[v]
}

// Several counts things in words: no dead end, 1 state, 12 steps.
func Several(n int, thing string) string { return severalOf(big.NewInt(int64(n)), thing) }

func severalOf(n *big.Int, thing string) string {
	switch {
	case n.Sign() == 0:
		return "no " + thing
	case n.Cmp(big.NewInt(1)) == 0:
		return "1 " + thing
	}
	return Figure(n) + " " + thing + "s"
}

// Figure writes a number for reading: beyond fifteen digits its size matters, not its digits.
func Figure(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return Grouped(s)
	}
	return fmt.Sprintf("about %c.%c × 10^%d", s[0], s[1], len(s)-1)
}

// Grouped sets commas between thousands.
func Grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Size says how large a model is.
func Size(m finding.Model) string {
	if m.States == nil {
		return Joined(", ", Several(m.Places, "place"), SomeOf(m.Transitions, "transition")) // none: they were too many to make
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

// Incomplete says why there is no complete state model; empty when there is one.
func Incomplete(m finding.Model, in Medium) string {
	if m.Incomplete == "" {
		return ""
	}
	return "No complete state model: " + Sentence(in.Prose(m.Incomplete))
}

// Pace says what the firing rule means; empty when there is no rule to speak of.
func Pace(m finding.Model) string {
	switch {
	case m.Firing == "one" && m.Engine == string(finding.Symbolic) && m.States != nil:
		return "one thing happens at a time; counted by decision diagrams"
	case m.Firing == "one":
		return "one thing happens at a time"
	case m.Firing == "all":
		return "all that can happen together does"
	}
	return ""
}

// Effort says what a state model took.
func Effort(m finding.Model) string {
	s := m.Stats
	if s == nil {
		return "The states were looked at one by one."
	}
	number := func(n uint64) string { return Grouped(strconv.FormatUint(n, 10)) }
	return fmt.Sprintf("%s of %s; %s of %s made; %s of %s lookups were in the cache; %s.",
		Several(s.Variables, "variable"), Several(s.Values, "value"), Several(s.Nodes, "node"), number(uint64(s.Peak)),
		number(s.Hits), number(s.Lookups), Several(s.Iterations, "iteration"))
}

// CachedNote is said of what was not found out anew; empty of what was.
func CachedNote(cached bool) string {
	if !cached {
		return ""
	}
	return "From the cache: an earlier run found this out, of the same texts and within the same limits."
}

// Title names a contract for a reader: its name, and its title if it says more.
func Title(name, long string, in Medium) string {
	if long == "" || long == name {
		return in.Prose(name)
	}
	return in.Prose(name) + " — " + in.Prose(long)
}

// Promise is what a requirement says, and the clause it stands for. One without a title says its
// pattern as a sentence, or its formula.
func Promise(r *finding.Requirement, in Medium) string {
	if r.Title == "" && r.Says != "" {
		return Joined(" ", in.Prose(r.Says), clause(r.Clause, in), Assumption(r, in))
	}
	if r.Title == "" && r.Formula != "" {
		return Joined(" ", in.Code(r.Formula)+Notation(r), clause(r.Clause, in), Assumption(r, in))
	}
	return Joined(" ", in.Prose(r.Title), clause(r.Clause, in), Assumption(r, in))
}

// clause refers to the contract's paper: (clause 2.3), or as the drafter calls it.
func clause(s string, in Medium) string {
	switch {
	case s == "":
		return ""
	case s[0] >= '0' && s[0] <= '9':
		return "(clause " + in.Prose(s) + ")"
	}
	return "(" + in.Prose(s) + ")"
}

// Vacuity says which part of a requirement that holds makes no difference, and why.
func Vacuity(v finding.Vacuity, in Medium) string {
	sub := in.Code(v.Subformula)
	if v.In != "" {
		sub += " in " + in.Code(v.In)
	}
	if v.Nth > 0 {
		sub = fmt.Sprintf("%s (number %d of its like)", sub, v.Nth)
	}
	constant := map[bool]string{true: "is always true", false: "is never true"}
	one := v.Never || v.Always
	switch {
	case v.Because != "" && v.Spare:
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference and may be left out.")
	case v.Because != "":
		return Joined(" ", "Holds, but", in.Code(v.Because), constant[v.Value]+":", sub, "makes no difference.")
	case v.Spare && one:
		return "Holds without " + sub + ", which " + constant[v.Always] + ": that part is not needed and may be left out."
	case v.Spare:
		return "Holds without " + sub + ", too: that part is not needed and may be left out."
	case one:
		return "Holds whatever " + sub + " is, and it " + constant[v.Always] + ": that part makes no difference."
	}
	return "Holds whatever " + sub + " is: that part makes no difference."
}

// Reason says why there is no verdict.
func Reason(r *finding.Requirement, in Medium) string {
	switch {
	case r.Verdict == finding.Unknown && r.Reason == "":
		return "Not decided."
	case r.Verdict == finding.Unknown:
		return "Not decided: " + in.Prose(r.Reason)
	case r.Verdict == finding.IllFormed && r.Reason == "":
		return "It has no meaning as the contract stands."
	case r.Verdict == finding.IllFormed:
		return "It has no meaning as the contract stands: " + in.Prose(r.Reason)
	}
	return without[r.Engine]
}

// without says how a verdict came about for which there was no state model.
var without = map[finding.Engine]string{
	finding.Structural: "Decided by how the contract is put together, without going through its states.",
	finding.Reduced:    "Decided on a part of the contract, beside which the rest makes no difference to it.",
	finding.Local:      "Decided by going to only as many states as that takes.",
}

// Happening names a firing: by its title and event, or by the one transition that fired.
func Happening(f finding.Firing, in Medium) string {
	name := f.Event
	if name == "" {
		name = strings.Join(f.Transitions, ", ")
	}
	if f.Title == "" || f.Title == name {
		return Joined(" ", in.Prose(name), clause(f.Clause, in))
	}
	return Joined(" ", in.Prose(f.Title), in.Name(name), clause(f.Clause, in))
}

// Happenings names the firings of one step.
func Happenings(step []finding.Firing, in Medium) string {
	return strings.Join(Mapped(step, func(f finding.Firing) string { return Happening(f, in) }), " — and, at the same time — ")
}

// An effect is what a firing does in one party's view.
type effect struct{ Party, Change string }

// Effects lists what a firing does, party by party; parties it leaves as they were come last, in one.
func Effects(f finding.Firing, in Medium) []effect {
	var all []effect
	var idle []string
	for _, c := range f.Changed {
		all = append(all, effect{in.Prose(cmp.Or(c.Called, c.Party)), transition(c, in)})
	}
	for i, p := range f.Parties {
		if !slices.ContainsFunc(f.Changed, func(c finding.Change) bool { return c.Party == p }) {
			idle = append(idle, in.Prose(Calling(f, i)))
		}
	}
	if len(idle) > 0 {
		all = append(all, effect{strings.Join(idle, ", "), "as before"})
	}
	return all
}

// Calling is what people call a party that takes part in a firing.
func Calling(f finding.Firing, party int) string {
	if party < len(f.Called) && f.Called[party] != "" {
		return f.Called[party]
	}
	return f.Parties[party]
}

// transition says how a party's state changes.
func transition(c finding.Change, in Medium) string {
	before, after := Enumerated(c.Before, in), Enumerated(c.After, in)
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

// Enumerated joins a stranger's words with commas.
func Enumerated(words []string, in Medium) string {
	clean := make([]string, len(words))
	for i, w := range words {
		clean[i] = in.Prose(w)
	}
	return strings.Join(clean, ", ")
}

// State tells where all parties are.
func State(end []finding.PartyState, in Medium) string {
	parts := make([]string, len(end))
	for i, s := range end {
		places := Enumerated(s.Places, in)
		if places == "" {
			places = "nothing"
		}
		parts[i] = in.Prose(cmp.Or(s.Called, s.Party)) + ": " + places
	}
	return strings.Join(parts, "; ")
}

// Steps groups the firings that happen together.
func Steps(run []finding.Firing) [][]finding.Firing {
	var all [][]finding.Firing
	for i, f := range run {
		if i > 0 && f.Step == run[i-1].Step {
			all[len(all)-1] = append(all[len(all)-1], f)
		} else {
			all = append(all, []finding.Firing{f})
		}
	}
	return all
}

// Place writes file:line:column; empty when there is no file.
func Place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// Joined joins what is not empty.
func Joined(sep string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), sep)
}

// Sentence ends s with a full stop unless it ends with one, or its like, already.
func Sentence(s string) string {
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?:") {
		return s
	}
	return s + "."
}

// Mapped applies f to each element; the result is never nil.
func Mapped[A, B any](all []A, f func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = f(a)
	}
	return out
}

// MostRows is how many rows of a table are shown.
const MostRows = 100

// AndMore says how many are not shown.
func AndMore(n int, thing string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("\n%s more not shown here.\n", Several(n, thing))
}

// Caption is the shortest name of a firing that means something to a reader.
func Caption(f finding.Firing) string {
	switch {
	case f.Title != "":
		return f.Title
	case f.Event != "":
		return f.Event
	}
	return strings.Join(f.Transitions, ", ")
}

// Notation names the notation when it is not the usual one, or the pattern.
func Notation(r *finding.Requirement) string {
	if r.Pattern != "" {
		return " (pattern: " + r.Pattern + ")"
	}
	if r.Notation == "table1" {
		return " (Table 1 notation)"
	}
	return ""
}

func ClassWord(c codes.Class) string {
	if c == codes.Violation {
		return "failed check"
	}
	return string(c)
}

func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
