package imported

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/phrase"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/workflow"
	"github.com/redlinehq/redline/hclspec/codes"
)

// An imported is a net being checked.
type imported struct {
	*Imported
	r    *finding.Result
	net  *petri.Net     // with its initial marking
	ends *workflow.Ends // nil: it is not a workflow net
}

// begin fills in the parts that need no state model. If nothing is marked in a workflow net, it marks the source.
func (n *Imported) begin(r *finding.Result) *imported {
	w := &imported{Imported: n, r: r, net: n.doc.Net}
	r.Name, r.Title, r.Digest = w.net.Name, n.doc.Title, netDigest(w.net)
	r.Model.Places, r.Model.Transitions = len(w.net.Places), len(w.net.Transitions)
	r.Requirements = []finding.Requirement{{Name: "one-safe", Title: safeTitle}}
	ends, lacks := workflow.Recognize(w.net)
	if lacks != nil {
		w.say("not-a-workflow-net", -1, -1, "This is no workflow net, so it isn't asked whether it is sound.", w.lacking(lacks))
	} else {
		w.ends = &ends
		r.Requirements = append(r.Requirements, finding.Requirement{Name: "sound", Title: w.soundness()})
	}
	if len(w.net.Initial) == 0 {
		w.unmarked()
	}
	if note := n.leftOut(); note != "" {
		r.Diagnostics = append(r.Diagnostics, w.finding("net-left-out", "", pnml.Item{Line: n.doc.Tools.Line, Column: n.doc.Tools.Column}, note, ""))
	}
	return w
}

// leftOut describes the data of other tools that were skipped and may mean something, or returns "".
func (n *Imported) leftOut() string {
	tools := n.doc.Tools
	if len(tools.Names) == 0 {
		return ""
	}
	var names []string
	for _, name := range tools.Names {
		names = append(names, fmt.Sprintf("%q", name))
	}
	if tools.More {
		names = append(names, "others")
	}
	return fmt.Sprintf("<toolspecific> is left out: what %s may mean by it is no part of the net.", strings.Join(names, ", "))
}

// unmarked adds the finding that no place is marked. In a workflow net it then marks the source.
func (w *imported) unmarked() {
	if w.ends == nil {
		w.say("nothing-marked", -1, -1, "No place is marked at the start.", "Only a transition that needs no token can fire.")
		return
	}
	started := *w.net
	started.Initial = []int{w.ends.Source}
	w.net = &started
	w.say("nothing-marked", w.ends.Source, -1, fmt.Sprintf("No place is marked at the start; the net is checked with a token on its source, %s.", w.place(w.ends.Source)), "")
}

// soundness describes the requirement of soundness.
func (w *imported) soundness() string {
	ends := fmt.Sprintf("with a token on %s, which comes when no other is left", w.place(w.ends.Sinks[0]))
	if n := len(w.ends.Sinks); n > 1 {
		ends = fmt.Sprintf("with tokens on sinks alone (of %d: %s)", n, few(w.ends.Sinks, w.place))
	}
	return fmt.Sprintf("One token a place at most; whatever has happened, the process can still end, %s; every transition can fire some day", ends)
}

// end describes the final markings.
func (w *imported) end() string {
	if len(w.ends.Sinks) == 1 {
		return fmt.Sprintf("It ends with a token on %s and nowhere else.", w.place(w.ends.Sinks[0]))
	}
	return "It ends with tokens on sinks and nowhere else."
}

// lacking explains why the net is not a workflow net.
func (w *imported) lacking(lacks []workflow.Lack) string {
	var said []string
	for _, l := range lacks {
		switch l.Flaw {
		case workflow.NoSource:
			said = append(said, "it has no source: something produces every place")
		case workflow.ManySources:
			said = append(said, fmt.Sprintf("it has %d sources instead of one: %s", len(l.Places), few(l.Places, w.place)))
		case workflow.NoSink:
			said = append(said, "it has no sink: something consumes every place")
		case workflow.Apart:
			said = append(said, fmt.Sprintf("on no path from a source to a sink: %s", joinedNames(few(l.Places, w.place), few(l.Transitions, w.transition))))
		case workflow.Start:
			said = append(said, fmt.Sprintf("not its source alone is marked at the start, but %s", few(l.Places, w.place)))
		}
	}
	return phrase.Sentence(strings.Join(said, "; "))
}

func joinedNames(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// mostNamed is the number of items that a sentence names.
const mostNamed = 5

// few returns the names of up to mostNamed items.
func few(list []int, name func(int) string) string {
	text := strings.Join(named(list[:min(len(list), mostNamed)], name), ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// named returns the names of some items.
func named(list []int, name func(int) string) (names []string) {
	for _, i := range list {
		names = append(names, name(i))
	}
	return names
}

func (w *imported) place(p int) string { return w.doc.Places[p].Called(w.net.Places[p].Name) }

func (w *imported) transition(t int) string {
	return w.doc.Transitions[t].Called(w.net.Transitions[t].Name)
}

// say adds a finding about a place, a transition or, if both are -1, the net.
func (w *imported) say(code codes.Code, place, transition int, message, detail string) *finding.Diagnostic {
	subject, at := "", pnml.Item{}
	switch {
	case place >= 0:
		subject, at = w.party()+"."+w.net.Places[place].Name, w.doc.Places[place]
	case transition >= 0:
		subject, at = w.party()+"."+w.net.Transitions[transition].Name, w.doc.Transitions[transition]
	}
	w.r.Diagnostics = append(w.r.Diagnostics, w.finding(code, subject, at, message, detail))
	return &w.r.Diagnostics[len(w.r.Diagnostics)-1]
}

// report adds the findings of a report to the result, in words.
func (w *imported) report(found *workflow.Report) {
	w.r.Model.States, w.r.Model.Arcs, w.r.Model.DeadEnds = found.States, found.Arcs, found.DeadEnds
	for i := range found.Findings {
		w.finds(&found.Findings[i])
	}
	if found.Surveyed {
		w.each("transition-never-fires", found.Unfired, func(t int) {
			w.say("transition-never-fires", -1, t, "Transition "+w.transition(t)+" can never fire.", "")
		}, w.transition)
		w.each("state-never-reached", found.Unmarked, func(p int) {
			w.say("state-never-reached", p, -1, "Place "+w.place(p)+" is never marked.", "Nothing that can happen leads there. Remove it, or add an arc to it.")
		}, w.place)
	}
	slices.SortStableFunc(w.r.Diagnostics, explain.Compare)
}

// maxEach is the number of findings of one code that are listed one by one.
const maxEach = 20

// each lists the first findings one by one, and names the others in one finding.
func (w *imported) each(code codes.Code, list []int, say func(int), name func(int) string) {
	for _, i := range list[:min(len(list), maxEach)] {
		say(i)
	}
	if more := list[min(len(list), maxEach):]; len(more) > 0 {
		w.say(code, -1, -1, fmt.Sprintf("The same is true of %d more.", len(more)), strings.Join(named(more, name), ", "))
	}
}

// finds adds one finding with its run.
func (w *imported) finds(f *workflow.Finding) {
	var d *finding.Diagnostic
	switch f.Kind {
	case workflow.Contact:
		last := f.Run.Steps[len(f.Run.Steps)-1][0]
		d = w.say("contact", f.Place, -1, fmt.Sprintf("Place %s would hold two tokens: transition %s puts one there while one is there already.", w.place(f.Place), w.transition(last)),
			"Nothing else is said of a net in which that can happen.")
	case workflow.DeadEnd:
		d = w.stops(f.States)
	case workflow.Improper:
		sink := w.ends.Sinks[0]
		d = w.say("improper-completion", sink, -1, fmt.Sprintf("Place %s is marked and other places still are, too, in %s.", w.place(sink), markings(f.States)),
			"Who sees the end can't tell whether the process is over. Let whatever leads there take the tokens off the other places first.")
	case workflow.NoOption:
		d = w.say("no-option-to-complete", -1, -1, fmt.Sprintf("From %s the process can't end any more.", w.more(f.States)), w.end())
	}
	d.Trace = w.trace(f)
}

// stops adds the finding on dead ends: in a workflow net, on those that are not final.
func (w *imported) stops(n *big.Int) *finding.Diagnostic {
	if w.ends == nil {
		return w.say("deadlock", -1, -1, fmt.Sprintf("In %s nothing can fire any more.", markings(n)), "That may be meant: what the net's ends are, it does not say.")
	}
	return w.say("dead-end", -1, -1, fmt.Sprintf("In %s nothing can fire any more, and the process has not ended.", markings(n)), w.end())
}

// more counts markings, as further ones if there are violations already.
func (w *imported) more(n *big.Int) string {
	if slices.ContainsFunc(w.r.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Violation }) {
		return strings.Replace(markings(n), " ", " more ", 1)
	}
	return markings(n)
}

func markings(n *big.Int) string {
	if n.IsInt64() && n.Int64() == 1 {
		return "1 reachable marking"
	}
	return n.String() + " reachable markings"
}

// trace describes a run by the net's own names.
func (w *imported) trace(f *workflow.Finding) *finding.Trace {
	t := &finding.Trace{DeadEnd: f.Kind == workflow.DeadEnd}
	for i, step := range f.Run.Steps {
		t.Prefix = append(t.Prefix, w.firing(i+1, step[0]))
	}
	t.End = []finding.PartyState{{Party: w.party(), Places: w.places(f.Run.Markings[len(f.Run.Markings)-1])}}
	return t
}

func (w *imported) firing(step, t int) finding.Firing {
	of := &w.net.Transitions[t]
	f := finding.Firing{Step: step, Title: w.doc.Transitions[t].Title, Parties: []string{w.party()}, Transitions: []string{of.Name}}
	if len(of.In)+len(of.Out) > 0 {
		f.Changed = []finding.Change{{Party: w.party(), Before: w.places(of.In), After: w.places(of.Out)}}
	}
	return f
}

func (w *imported) places(list []int) []string { return named(list, w.place) }

// party returns the name of the only party: the net.
func (w *imported) party() string {
	if w.net.Name == "" {
		return "net"
	}
	return w.net.Name
}
