package words

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// Sign returns the sign that precedes a verdict. The word for the verdict always follows it.
func Sign(v finding.Verdict) string {
	return [...]string{"?", "✓", "✗", "!"}[v]
}

// Several returns a count with its noun: no dead end, 1 state, 12 steps.
func Several(n int, thing string) string { return severalOf(big.NewInt(int64(n)), thing) }

// severalOf is Several for numbers of any size.
func severalOf(n *big.Int, thing string) string {
	switch {
	case n.Sign() == 0:
		return "no " + thing
	case n.Cmp(big.NewInt(1)) == 0:
		return "1 " + thing
	}
	return Figure(n) + " " + thing + "s"
}

// Figure returns a number for reading: with commas up to fifteen digits, rounded to two digits and a power of ten beyond that.
func Figure(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return finding.Grouped(s)
	}
	return fmt.Sprintf("about %c.%c × 10^%d", s[0], s[1], len(s)-1)
}

// Size returns the size of a model: its states, steps and dead ends, or its places and transitions if there is no state model.
func Size(m finding.Model) string {
	if m.States == nil {
		return Joined(", ", Several(m.Places, "place"), SomeOf(m.Transitions, "transition")) // zero transitions: there were too many to make
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

// Incomplete returns a sentence with the reason why there is no complete state model. It returns "" if there is one, or if an error of the
// result says the same.
func Incomplete(r *finding.Result, in Medium) string {
	why := r.Model.Incomplete
	if why == "" || slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Error && d.Message == why }) {
		return ""
	}
	said := "No complete state model: " + WithFullStop(in.Prose(why))
	if r.Model.Largest != "" {
		said += " " + WithFullStop(in.Prose(r.Model.Largest))
	}
	return said
}

// NotLookedFor names, in a sentence, the built-in checks and remarks that a limit left out: that none of them is reported says nothing then. It returns "" if
// none was.
func NotLookedFor(r *finding.Result) string {
	var all []string
	for _, code := range r.Model.Unchecked {
		if what := uncheckedWords[code]; !slices.Contains(all, what) {
			all = append(all, what)
		}
	}
	if slices.ContainsFunc(r.Requirements, func(q finding.Requirement) bool { return q.Verdict == finding.Holds && q.Reason != "" }) {
		all = append(all, "parts of requirements that make no difference")
	}
	if len(all) == 0 {
		return ""
	}
	return "Not looked for, so there may be some: " + strings.Join(all, "; ") + "."
}

// uncheckedWords has what the built-in checks that need a state model look for.
var uncheckedWords = map[codes.Code]string{
	"contact":                    "things that would be there twice",
	"counter-out-of-bounds":      "counters out of bounds",
	"event-never-happens":        "what never happens or is never reached",
	"transition-never-fires":     "what never happens or is never reached",
	"state-never-reached":        "what never happens or is never reached",
	"idle-self-loop":             "what goes on for ever and changes nothing",
	"document-held-twice":        "documents in two places",
	"due-event-blocked":          "ways to get stuck",
	"dead-end":                   "ways to get stuck",
	"no-option-to-complete":      "ways to get stuck",
	"obliged-and-forbidden":      "duties and rights that are forbidden, impossible or never arise",
	"permitted-and-forbidden":    "duties and rights that are forbidden, impossible or never arise",
	"power-forbidden":            "duties and rights that are forbidden, impossible or never arise",
	"obligation-cannot-fulfil":   "duties and rights that are forbidden, impossible or never arise",
	"power-never-usable":         "duties and rights that are forbidden, impossible or never arise",
	"norm-never-arises":          "duties and rights that are forbidden, impossible or never arise",
	"norm-never-again":           "duties and rights that are forbidden, impossible or never arise",
	"breach-without-consequence": "breaches that have no consequence or can't be avoided",
	"no-ideal-run":               "breaches that have no consequence or can't be avoided",
	"accept-unused":              "accept blocks that accept nothing",
}

// Pace describes the firing rule of a model. It returns "" if there is none to describe.
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

// Effort describes the work that a state model took.
func Effort(m finding.Model) string {
	s := m.Stats
	if s == nil {
		return "The states were looked at one by one."
	}
	number := func(n uint64) string { return finding.Grouped(strconv.FormatUint(n, 10)) }
	return fmt.Sprintf("%s of %s; %s of %s made; %s of %s lookups were in the cache; %s.",
		Several(s.Variables, "variable"), Several(s.Values, "value"), Several(s.Nodes, "node"), number(uint64(s.Peak)),
		number(s.Hits), number(s.Lookups), Several(s.Iterations, "iteration"))
}

// CachedNote returns the note on a result that comes from the cache, and "" for any other.
func CachedNote(cached bool) string {
	if !cached {
		return ""
	}
	return "From the cache: an earlier run found this out, of the same texts and within the same limits."
}

// Title returns a contract's name, and its title if that differs.
func Title(name, long string, in Medium) string {
	if long == "" || long == name {
		return in.Prose(name)
	}
	return in.Prose(name) + " — " + in.Prose(long)
}

// Promise returns the text of a requirement, with its clause and its assumption. The text is the title, else the pattern as a sentence,
// else the formula.
func Promise(r *finding.Requirement, in Medium) string {
	if r.Title == "" && r.Says != "" {
		return Joined(" ", in.Prose(r.Says), clause(r.Clause, in), Assumption(r, in))
	}
	if r.Title == "" && r.Formula != "" {
		return Joined(" ", in.Code(r.Formula)+NotationLabel(r), clause(r.Clause, in), Assumption(r, in))
	}
	return Joined(" ", in.Prose(r.Title), clause(r.Clause, in), Assumption(r, in))
}

// clause refers to a clause of the contract's paper in brackets, as clauseName has it.
func clause(s string, in Medium) string {
	if s == "" {
		return ""
	}
	return "(" + clauseName(s, in) + ")"
}

// clauseName names a clause of the contract's paper: "clause 2.3", or the drafter's own name of it.
func clauseName(s string, in Medium) string {
	if s != "" && s[0] >= '0' && s[0] <= '9' {
		return "clause " + in.Prose(s)
	}
	return in.Prose(s)
}

// Reason explains a verdict of unknown or ill-formed. For other verdicts it names the method that needed no state model, or returns "".
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
	case r.Scenario != nil:
		return ScenarioBroken(r, in)
	}
	return without[r.Engine]
}

// without describes the methods that reach a verdict without a complete state model.
var without = map[finding.Engine]string{
	finding.Structural: "Decided by how the contract is put together, without going through its states.",
	finding.Reduced:    "Decided on a part of the contract, beside which the rest makes no difference to it.",
	finding.Local:      "Decided by going to only as many states as that takes.",
}

// Happening names a firing by its title and event. A firing without an event has the names of its transitions.
func Happening(f finding.Firing, in Medium) string {
	name := f.Event
	if name == "" {
		name = strings.Join(f.Transitions, ", ")
	}
	if f.Title == "" || f.Title == name {
		return Joined(" ", in.Prose(name), clause(f.Clause, in))
	}
	leads := map[bool]string{true: "(to " + in.Prose(f.Leads) + ")"}[f.Leads != ""]
	return Joined(" ", in.Prose(f.Title), leads, in.Name(name), clause(f.Clause, in))
}

// Happenings names the firings of one step, joined into one line.
func Happenings(step []finding.Firing, in Medium) string {
	return strings.Join(Mapped(step, func(f finding.Firing) string { return Happening(f, in) }), " — and, at the same time — ")
}

// An effect describes what a firing changes in one party's view.
type effect struct{ Party, Change string }

// Effects lists what a firing changes for each party. The last entry has the parties that it leaves unchanged, but for those
// that the event says it is done by.
func Effects(f finding.Firing, in Medium) []effect {
	var all []effect
	var idle []string
	for _, s := range gathered(Mapped(f.Changed, func(c finding.Change) position {
		return position{c.Party, cmp.Or(c.Called, c.Party), transition(c, in)}
	})) {
		all = append(all, effect{in.Prose(s.called), s.says})
	}
	for i, p := range f.Parties {
		if actsBy(f, i) && len(f.Changed) > 0 {
			continue
		}
		if !slices.ContainsFunc(f.Changed, func(c finding.Change) bool { return c.Party == p }) {
			idle = append(idle, in.Prose(Calling(f, i)))
		}
	}
	if len(idle) > 0 {
		all = append(all, effect{strings.Join(idle, ", "), "as before"})
	}
	return all
}

// actsBy reports whether a party takes part in a firing by no transition of its own, only as the one that does it.
func actsBy(f finding.Firing, party int) bool {
	own := f.Event[strings.LastIndexByte(f.Event, '.')+1:]
	return party < len(f.Transitions) && own != "" && strings.HasSuffix(f.Transitions[party], "."+own)
}

// Calling returns the display name of a party that takes part in a firing, or its identifier if it has none.
func Calling(f finding.Firing, party int) string {
	if party < len(f.Called) && f.Called[party] != "" {
		return f.Called[party]
	}
	return f.Parties[party]
}

// clockLeft matches the state of a clock that runs.
var clockLeft = regexp.MustCompile(`^[0-9,]+ [a-z]+ left$`)

// transition describes how a party's state changes.
func transition(c finding.Change, in Medium) string {
	before, after := Enumerated(c.Before, in), Enumerated(c.After, in)
	switch {
	case before == "" && after == "":
		return "as before"
	case before == "":
		return "now " + after
	case after == "" && len(c.Before) == 1 && clockLeft.MatchString(before):
		return before + " → no longer running"
	case after == "":
		return "no longer " + before
	}
	return before + " → " + after
}

// Enumerated escapes foreign texts and joins them with commas.
func Enumerated(words []string, in Medium) string {
	return strings.Join(Mapped(words, in.Prose), ", ")
}

// State describes which places each party is in.
func State(end []finding.PartyState, in Medium) string {
	return strings.Join(Mapped(gathered(Mapped(end, func(s finding.PartyState) position {
		return position{s.Party, cmp.Or(s.Called, s.Party), cmp.Or(Enumerated(s.Places, in), "nothing")}
	})), func(s position) string { return in.Prose(s.called) + ": " + s.says }), "; ")
}

// Steps groups firings by step. Firings of one step happen at the same time.
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

// Place returns file:line:column, the file alone if the line is 0, and "" if there is no file.
func Place(file string, line, column int) string {
	if file == "" {
		return ""
	}
	if line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d:%d", file, line, column)
}

// MostRows is the number of rows that a table shows at most.
const MostRows = 100

// AndMore returns a line that counts the rows not shown, or "" if all are.
func AndMore(n int, thing string) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("\n%s more not shown here.\n", Several(n, thing))
}

// Caption returns the shortest meaningful name of a firing: its title, else its event, else its transitions.
func Caption(f finding.Firing) string {
	switch {
	case f.Title != "":
		return f.Title
	case f.Event != "":
		return f.Event
	}
	return strings.Join(f.Transitions, ", ")
}

// NotationLabel returns the name of the pattern, or the word for a scenario, or the name of the notation if that
// is not the usual one, in brackets. Otherwise it returns "".
func NotationLabel(r *finding.Requirement) string {
	if r.Scenario != nil {
		return " (scenario)"
	}
	if r.Pattern != "" {
		return " (pattern: " + r.Pattern + ")"
	}
	if r.Notation == "table1" {
		return " (Table 1 notation)"
	}
	return ""
}

// ClassWord returns the word for a class of diagnostics.
func ClassWord(c codes.Class) string {
	if c == codes.Violation {
		return "failed check"
	}
	return string(c)
}
