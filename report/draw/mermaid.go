package draw

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// MaxMessages is the maximum number of firings in a sequence diagram.
const MaxMessages = 60

// SequenceDiagram draws a run between the parties as a Mermaid sequenceDiagram, without the code fence. If exactly one run explains the
// state at its end, that run continues it. It marks the step that base refuses. If no step is marked, it marks the end with a note of some
// lines, if there are any. It returns "" if nothing fires but the clock, or if there would be more than MaxMessages firings.
func SequenceDiagram(t *finding.Trace, refusal *finding.Refusal, atEnd ...string) string {
	if n := Messages(t); n == 0 || n > MaxMessages {
		return ""
	}
	calls := map[string]string{}
	for _, e := range t.End {
		calls[e.Party] = e.Called
	}
	for _, f := range firings(t) {
		for i, name := range f.Parties[:min(len(f.Parties), len(f.Called))] {
			calls[name] = f.Called[i]
		}
	}
	t = recast(t, calls)
	all := firings(t)
	d := diagram{parties: uncrossed(parties(t, all), all), calls: calls, refusal: refusal}
	if len(d.parties) == 0 {
		return ""
	}
	d.WriteString("sequenceDiagram\n")
	for i, p := range d.parties {
		fmt.Fprintf(&d, "    participant p%d as %s\n", i, escape.MermaidText(d.call(p)))
	}
	d.trace(t)
	if len(atEnd) > 0 && !d.isMarked {
		d.mark("    ", strings.Join(words.Mapped(atEnd, escape.MermaidText), "<br/>"), func(string) {})
	}
	return d.String()
}

// A diagram is a sequence diagram that is being written.
type diagram struct {
	strings.Builder
	parties []string
	calls   map[string]string // titles of parties, by name
	refusal *finding.Refusal  // for a step that has not been written yet

	isMarked bool
}

// call returns what a party is called.
func (d *diagram) call(name string) string { return cmp.Or(d.calls[name], name) }

// recast returns a run in which a party of a phase is the party outside of it that has its name and its title: they are one person.
func recast(t *finding.Trace, calls map[string]string) *finding.Trace {
	person := func(name string) string {
		at := strings.LastIndexByte(name, '.')
		outer := name[at+1:]
		if at < 0 || calls[outer] == "" || calls[name] != calls[outer]+" ("+name[:at]+")" {
			return name
		}
		return outer
	}
	cast := func(run []finding.Firing) []finding.Firing {
		run = slices.Clone(run)
		for i := range run {
			f := &run[i]
			names, called := f.Parties, f.Called
			f.Parties, f.Called = nil, nil
			for k, name := range names {
				who := person(name)
				if slices.Contains(f.Parties, who) {
					continue
				}
				f.Parties, f.Called = append(f.Parties, who), append(f.Called, calls[who])
				if who == name && k < len(called) {
					f.Called[len(f.Called)-1] = called[k]
				}
			}
		}
		return run
	}
	if !slices.ContainsFunc(slices.Collect(maps.Keys(calls)), func(name string) bool { return person(name) != name }) {
		return t
	}
	copied := *t
	copied.Prefix, copied.Loop = cast(t.Prefix), cast(t.Loop)
	copied.Then = slices.Clone(t.Then)
	for i, then := range t.Then {
		copied.Then[i] = recast(then, calls)
	}
	return &copied
}

// continued returns the run that continues t, or nil if there is not exactly one.
func continued(t *finding.Trace) *finding.Trace {
	if len(t.Then) != 1 || len(t.Loop) > 0 || t.DeadEnd || t.Stops {
		return nil
	}
	return t.Then[0]
}

// Messages returns the number of firings that a sequence diagram of a run would have.
func Messages(t *finding.Trace) int {
	n := 0
	for ; t != nil; t = continued(t) {
		for _, step := range slices.Concat(words.FoldedTitles(words.Steps(t.Prefix)), words.FoldedTitles(words.Steps(t.Loop))) {
			n += len(step)
		}
	}
	return n
}

// firings returns all firings that a sequence diagram of a run would have.
func firings(t *finding.Trace) []finding.Firing {
	var all []finding.Firing
	for ; t != nil; t = continued(t) {
		all = slices.Concat(all, t.Prefix, t.Loop)
	}
	return all
}

// parties lists the parties that take part, in the order of the run's end where that has them.
func parties(t *finding.Trace, run []finding.Firing) []string {
	var acting, all []string
	for _, f := range run {
		acting = append(acting, actors(f)...)
	}
	for _, e := range t.End {
		if slices.Contains(acting, e.Party) && !slices.Contains(all, e.Party) {
			all = append(all, e.Party)
		}
	}
	for _, a := range acting {
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	return all
}

// actors returns the parties of a firing. In a model without parties, it is "contract"; none makes time pass.
func actors(f finding.Firing) []string {
	if f.Tick() {
		return nil
	}
	if len(f.Parties) == 0 {
		return []string{"contract"}
	}
	return f.Parties
}

// trace writes a run and its continuations.
func (d *diagram) trace(t *finding.Trace) {
	for ; t != nil; t = continued(t) {
		d.run("    ", t.Prefix)
		if len(t.Loop) > 0 {
			d.WriteString("    loop over and over for ever\n")
			d.run("        ", t.Loop)
			d.WriteString("    end\n")
		}
		if t.DeadEnd {
			d.across("nothing can happen any more")
		}
		if t.Stops {
			d.across("nothing need happen any more")
		}
	}
}

// across writes a note over all parties.
func (d *diagram) across(note string) {
	over := "p0"
	if n := len(d.parties); n > 1 {
		over = fmt.Sprintf("p0,p%d", n-1)
	}
	fmt.Fprintf(d, "    Note over %s: %s\n", over, note)
}

// mark writes a red block, visible on white and on black, with a note below what inside writes.
func (d *diagram) mark(indent, note string, inside func(indent string)) {
	d.isMarked = true
	d.WriteString(indent + "rect rgba(255, 80, 80, 0.25)\n")
	inside(indent + "    ")
	d.WriteString(indent)
	d.across(note)
	d.WriteString(indent + "end\n")
}

// run writes the steps of a run.
func (d *diagram) run(indent string, run []finding.Firing) {
	for _, step := range words.FoldedTitles(words.Steps(run), words.MarkedStep(d.refusal)) {
		if d.refusal == nil || d.refusal.Step != step[0].Step {
			d.step(indent, step)
			continue
		}
		note := map[bool]string{false: "not possible here before the amendment", true: "not over and over possible before the amendment"}[d.refusal.Again]
		d.mark(indent, note, func(indent string) { d.step(indent, step) })
		d.refusal = nil
	}
}

// step writes the firings of one step.
func (d *diagram) step(indent string, step []finding.Firing) {
	if len(step) == 1 {
		d.message(indent, step[0])
		return
	}
	for i, f := range step {
		d.WriteString(indent + [...]string{"par at the same time", "and"}[min(i, 1)] + "\n")
		d.message(indent+"    ", f)
	}
	d.WriteString(indent + "end\n")
}

// message writes a firing between several parties as a line without an arrow head, since a synchronisation has no direction.
func (d *diagram) message(indent string, f finding.Firing) {
	who := actors(f)
	if len(who) == 0 {
		d.WriteString(strings.TrimPrefix(indent, "    "))
		d.across(fmt.Sprintf("%d. %s", f.Step, escape.MermaidText(words.Caption(f))))
		return
	}
	first, last := span(who, d.parties)
	line := "->"
	if len(who) == 1 {
		line = "->>"
	}
	what := escape.MermaidText(words.Caption(f))
	if len(who) > 2 {
		what += " #40;" + escape.MermaidText(strings.Join(words.Mapped(who, d.call), ", ")) + "#41;"
	}
	fmt.Fprintf(d, "%sp%d%sp%d: %d. %s\n", indent, first, line, last, f.Step, what)
}
