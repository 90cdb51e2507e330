package text

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/play"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// maxOptions is the number of possible next steps that are listed.
const maxOptions = 30

// Replay writes whether a log conforms to the contract. An error comes from w.
func Replay(w io.Writer, a *conform.Answer, style Style) error {
	p := &Page{Style: style}
	spec := a.Draft.Spec
	p.heading(a.Draft.Path, spec.Name, spec.Title)
	if a.Deviation != nil {
		p.deviation(a)
	} else {
		p.put(0, green, "✓ ", conforming(a))
	}
	p.byItself(a)
	p.point(a)
	if len(a.Ignored) > 0 {
		p.Say(2, "Not read of the log: "+words.Enumerated(a.Ignored, words.Terminal)+".")
	}
	_, err := io.WriteString(w, p.String())
	return err
}

// byItself lists what the log leaves out because it happens by itself.
func (p *Page) byItself(a *conform.Answer) {
	var happened []string
	for _, step := range a.Run {
		for _, t := range step.Fired {
			if e := explain.Event(a.Draft, t); step.Passed && e != nil && e.Due != nil {
				happened = append(happened, words.Happening(finding.Firing{Title: e.Title, Clause: e.Clause, Transitions: []string{e.Name}}, words.Terminal)+on(step.At))
			}
		}
	}
	if more := len(happened) - maxOptions; more > 0 {
		happened = append(happened[:maxOptions], fmt.Sprintf("and %d more times", more))
	}
	if len(happened) > 0 {
		p.Say(2, "By itself, and not in the log: "+strings.Join(happened, "; ")+".")
	}
}

// on returns a moment as the end of a sentence, to the day if it is the beginning of one; "" if there is none.
func on(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case at.Equal(at.Truncate(24 * time.Hour)):
		return " on " + at.Format(time.DateOnly)
	}
	return " at " + at.Format(time.RFC3339)
}

// conforming returns the sentence for a log that conforms.
func conforming(a *conform.Answer) string {
	switch a.Lines {
	case 0:
		return "Nothing has happened, and that conforms."
	case 1:
		return "The one line of the log conforms."
	}
	return fmt.Sprintf("All %s of the log conform.", words.Several(a.Lines, "line"))
}

// deviation writes the line at which the log deviates, and the reason.
func (p *Page) deviation(a *conform.Answer) {
	d := a.Deviation
	if d.Kind == conform.PartOfStep {
		p.put(0, red, "✗ ", fmt.Sprintf("The log deviates at line %d: more happens at that moment.", d.Line.Number))
		p.Say(2, "Up to line "+fmt.Sprint(d.Line.Number)+", what happens at one moment is not all that happens at it.")
		return
	}
	name := escape.TerminalText(d.Line.Name())
	p.put(0, red, "✗ ", fmt.Sprintf("The log deviates at line %d: %s", d.Line.Number, words.Joined(" ", name, when(d.Line.Time))))
	p.Say(2, wrong(d, name))
}

// when returns a time in brackets, or "" if there is none.
func when(time string) string {
	if time == "" {
		return ""
	}
	return "(" + escape.TerminalText(time) + ")"
}

// wrong explains why a line is not possible.
func wrong(d *conform.Deviation, name string) string {
	hint := ""
	if d.Nearest != "" {
		hint = fmt.Sprintf(" Did you mean %s?", escape.TerminalText(d.Nearest))
	}
	switch {
	case d.Kind == conform.UnknownName:
		return fmt.Sprintf("Nothing in the contract is called %s.", name) + hint
	case d.Kind == conform.UnknownParty:
		return fmt.Sprintf("Nobody in the contract is called %s.", words.Enumerated(d.Line.Parties, words.Terminal)) + hint
	case d.Kind == conform.OtherParty:
		return fmt.Sprintf("%s takes no part in %s: %s.", words.Enumerated(d.Line.Parties, words.Terminal), name, who(d.Parties))
	case d.Itself != nil:
		return fmt.Sprintf("It happens by itself when it is due, and did so%s.", cmp.Or(on(d.Itself.At), fmt.Sprintf(" before line %d", d.Itself.Line.Number)))
	case d.NotDue:
		return "It happens by itself when it is due, and is not due here."
	case len(d.Lacks) == 0 && d.Rival != "":
		return fmt.Sprintf("It can't happen at the same moment as %s: both concern %s.", escape.TerminalText(d.Rival), escape.TerminalText(d.Over))
	case len(d.Lacks) == 0:
		return "It can't happen at the same moment as what the log has before it."
	}
	if d.OneWay {
		return "It can't happen here. Of several ways, one would take " + words.WithFullStop(words.State(d.Lacks, words.Terminal))
	}
	return "It can't happen here. It would take " + words.WithFullStop(words.State(d.Lacks, words.Terminal))
}

// who lists the parties that take part, with their verb.
func who(parties []string) string {
	switch len(parties) {
	case 0:
		return "nobody does"
	case 1:
		return escape.TerminalText(parties[0]) + " does"
	}
	return words.Enumerated(parties[:len(parties)-1], words.Terminal) + " and " + escape.TerminalText(parties[len(parties)-1]) + " do"
}

// point writes the state at the end of the log, or before the line that deviates: places, what is owed, broken promises, and what can
// happen next.
func (p *Page) point(a *conform.Answer) {
	lead, more := "At the end:", ""
	if a.Deviation != nil {
		lead = "Right before it:"
	}
	if a.Possible > 1 {
		more = fmt.Sprintf(" The log leaves %s possible; this is one of them.", words.Several(a.Possible, "state"))
	}
	if len(a.States) > 0 {
		p.put(2, noColor, lead+" ", words.WithFullStop(words.State(words.Begun(a.States), words.Terminal))+more)
	}
	if a.Deviation == nil {
		p.Say(2, ends(a))
	}
	p.dues(2, a.Dues)
	for _, b := range BrokenPromises(a) {
		p.put(2, red, "Broken: ", words.WithFullStop(requirementNamed(b.Of)+b.when()))
	}
	p.options(2, a)
}

// BrokenPromise is a requirement that the log shows to be broken, and the line that breaks it.
type BrokenPromise struct {
	Of *hclspec.Requirement
	By *conform.Step // nil: from the start
}

// when describes the line that breaks a promise.
func (b BrokenPromise) when() string {
	switch {
	case b.By == nil:
		return ", from the start"
	case b.By.Passed:
		return fmt.Sprintf(", as time passed before line %d", b.By.Line.Number)
	}
	return fmt.Sprintf(", with line %d, %s", b.By.Line.Number, words.Joined(" ", escape.TerminalText(b.By.Line.Name()), when(b.By.Line.Time)))
}

// BrokenPromises lists the requirements that a log shows to be broken. It returns nil if several runs explain the log, or the run cannot be
// played.
func BrokenPromises(a *conform.Answer) []BrokenPromise {
	g, err := play.New(a.Draft)
	if err != nil || !a.Only || g.Follow(context.Background(), a.Run) != nil {
		return nil
	}
	var list []BrokenPromise
	for _, s := range g.Outcomes() {
		if s.Value != play.Broken {
			continue
		}
		b := BrokenPromise{Of: a.Draft.Spec.Requirements[s.Requirement]}
		if s.Step > 0 {
			b.By = &a.Run[s.Step-1]
		}
		list = append(list, b)
	}
	return list
}

// requirementNamed returns a requirement's title, or its formula, with its name and clause.
func requirementNamed(r *hclspec.Requirement) string {
	return words.Happening(finding.Firing{Event: r.Name, Title: cmp.Or(r.Title, r.Formula.Text), Clause: r.Clause}, words.Terminal)
}

// ends returns the sentence on whether the contract may end here.
func ends(a *conform.Answer) string {
	return map[conform.Final]string{
		conform.IsFinal:    "That is a final state: the contract may end here.",
		conform.NotFinal:   "That is no final state: the contract may not end here.",
		conform.MaybeFinal: "Whether that is a final state, the log doesn't tell.",
		conform.Undecided:  "Whether that is a final state, it takes more than the state to say.",
	}[a.Final]
}

// dues writes first the norms that are breached, then those that still bind.
func (p *Page) dues(indent int, all []conform.Due) {
	binding := 0
	for _, d := range all {
		if d.Breached {
			p.put(indent, red, "In breach: ", escape.TerminalText(breach(d)))
		} else {
			binding++
		}
	}
	if binding == 0 {
		return
	}
	for _, d := range all {
		if !d.Breached {
			lead := d.Norm.Kind.Construct().InForce
			switch {
			case d.State == construct.Suspended:
				lead = "Suspended"
			case d.Idle && d.Norm.Kind == hclspec.Power:
				lead = "Held"
			case d.Idle:
				lead = "Given"
			}
			p.put(indent, yellow, lead+": ", escape.TerminalText(due(d)))
		}
	}
}

// due describes what a party owes, or may or must not do.
func due(d conform.Due) string {
	to := ""
	if d.Norm.Kind == hclspec.Obligation {
		to = d.Counterparty
	}
	verb := d.Norm.Kind.Construct().Verb
	if d.Idle {
		verb = fmt.Sprintf("can't use this %s now", d.Norm.Kind)
	}
	if len(d.By) > 1 {
		verb = "jointly " + strings.TrimSuffix(verb, "s")
	}
	text := words.Joined(" ", d.Bearer, verb, to) + ": " + normNamed(d)
	switch {
	case d.State == construct.Suspended && d.Left > 0 && d.Norm.Extensible > 0:
		text += fmt.Sprintf(", with %s left", words.Several(d.Left, d.Unit))
	case d.State == construct.Suspended && d.Left > 0:
		text += fmt.Sprintf(", with %s of %d left", words.Several(d.Left, d.Unit), d.Within)
	case d.Left > 0 && (d.Left == d.Within || d.Norm.Extensible > 0):
		text += fmt.Sprintf(", within %s", words.Several(d.Left, d.Unit))
	case d.Left > 0:
		text += fmt.Sprintf(", within %s (%d of %d have passed)", words.Several(d.Left, d.Unit), d.Within-d.Left, d.Within)
	}
	if d.Norm.By != "" {
		text += ", by " + d.Norm.By
	}
	return words.WithFullStop(text + perhaps(d))
}

// breach describes which norm a party has breached, and since when.
func breach(d conform.Due) string {
	to := ""
	if d.Counterparty != "" {
		to = "to " + d.Counterparty
	}
	broke := "has breached what it"
	if len(d.By) > 1 {
		broke = "have breached what they"
	}
	text := words.Joined(" ", d.Bearer, broke, d.Norm.Kind.Construct().Breaker, to) + ": " + normNamed(d)
	switch {
	case d.Since == nil:
	case d.Passed:
		text += fmt.Sprintf(", as time passed before line %d", d.Since.Number)
	default:
		text += fmt.Sprintf(", with line %d, %s", d.Since.Number, words.Joined(" ", d.Since.Name(), when(d.Since.Time)))
	}
	if d.Norm.By != "" {
		text += "; it was due by " + d.Norm.By
	}
	if d.Within > 0 && d.Norm.Kind == hclspec.Obligation {
		text += fmt.Sprintf("; %s had %s", map[bool]string{false: "it", true: "they"}[len(d.By) > 1], words.Several(d.Within, d.Unit))
		if d.Norm.Extensible > 0 {
			text += " and any extension"
		}
	}
	return words.WithFullStop(text + perhaps(d))
}

// perhaps returns a remark in brackets if the log leaves a norm's state open, and "" otherwise.
func perhaps(d conform.Due) string {
	if d.Possible {
		return " (perhaps: the log doesn't tell)"
	}
	return ""
}

// normNamed returns a norm's title, name and clause; of a prohibition, whose title may say what is to be kept, what it forbids before that.
func normNamed(d conform.Due) string {
	if d.Norm.Kind == hclspec.Prohibition {
		var acts []string
		for _, e := range d.Norm.Acts {
			acts = append(acts, words.Happening(finding.Firing{Event: e.Name, Title: e.Title}, words.Terminal))
		}
		return fmt.Sprintf("%s (prohibition: %s)", strings.Join(acts, " or "), words.Happening(finding.Firing{Event: d.Norm.Name, Title: d.Norm.Title, Clause: d.Norm.Clause}, words.Terminal))
	}
	return words.Happening(finding.Firing{Event: d.Norm.Name, Title: d.Norm.Title, Clause: d.Norm.Clause}, words.Terminal)
}

// options lists the steps that can happen next.
func (p *Page) options(indent int, a *conform.Answer) {
	switch {
	case len(a.Next) == 0 && a.Deviation != nil:
		p.Say(indent, "Nothing could have happened any more.")
		return
	case len(a.Next) == 0:
		p.Say(indent, "Nothing can happen any more.")
		return
	case a.Deviation != nil:
		p.Say(indent, "What could have happened:")
	default:
		p.Say(indent, "What can happen next:")
	}
	for _, o := range a.Next[:min(len(a.Next), maxOptions)] {
		p.put(indent+2, noColor, "- ", optionText(o))
	}
	if rest := len(a.Next) - maxOptions; rest > 0 {
		p.Say(indent+2, fmt.Sprintf("and %d more", rest))
	}
	if a.More {
		p.Say(indent+2, "and perhaps more, that there are too many possible states to look for")
	}
}

// optionText describes a step that can happen, and its parties.
func optionText(o conform.Option) string {
	f := finding.Firing{Title: o.Title, Clause: o.Clause, Transitions: []string{o.Name}}
	text := words.Happening(f, words.Terminal)
	people := slices.DeleteFunc(slices.Clone(o.Parties), func(who string) bool { return strings.HasPrefix(o.Name, who+".") })
	switch {
	case o.Itself:
		text += ", by itself"
	case len(people) > 0:
		text += ", by " + words.Enumerated(people, words.Terminal)
	}
	return cmp.Or(text, "-")
}
