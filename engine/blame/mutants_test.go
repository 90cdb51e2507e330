package blame_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// enoughMutants is how many mutants of an example are reviewed, if there are as many.
const enoughMutants = 40

// leastInverted is how many of a hundred mutants that break something are to be offered their inverse.
const leastInverted = 80

// TestMutants reviews mutants of every example. Of each that breaks something the review has to name the
// promise, the parties, the step and the guilty line, and to offer what takes the mistake back.
func TestMutants(t *testing.T) {
	draws.SkipForRaces(t)
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range dirs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reviewMutants(t, name)
		})
	}
}

func reviewMutants(t *testing.T, name string) {
	text := testkit.ExampleText(t, name)
	base := compile.Compile(load.Text(text, "x", nil), "x", nil)
	known := map[string]bool{base.Digest: true}
	reviewed, broken, inverted := 0, 0, 0
	fixes := map[string]fix{}
	for _, m := range testkit.MutantsOf(t, text) {
		if reviewed == enoughMutants {
			break
		}
		made := m.Made(text)
		head := testkit.Reread(base, made)
		if head.Spec == nil || head.Unbuilt() != "" || known[head.Digest] {
			continue
		}
		known[head.Digest] = true
		c := blame.Compare(context.Background(), base, head, finding.Budget{Jobs: 1})
		if slices.ContainsFunc(c.Head.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Error }) {
			continue
		}
		reviewed++
		r := mutantReview{T: t, Mistake: &m, text: made, base: base, head: head, fixes: fixes}
		breaks, back := r.review(&c)
		if breaks {
			broken++
		}
		if back {
			inverted++
		} else if breaks {
			t.Logf("not inverted: %s %s\n%s", m.Kind, m.What, blamed(c))
		}
	}
	t.Logf("%s: %d mutants, %d break something, of %d the inverse edit is among the repairs", name, reviewed, broken, inverted)
	if 100*inverted < leastInverted*broken {
		t.Errorf("the inverse edit is among the repairs of %d of %d only", inverted, broken)
	}
	if reviewed < enoughMutants && !strings.HasPrefix(name, "nets/") {
		t.Errorf("%d mutants only", reviewed)
	}
}

// A mutantReview holds one review to what is known of the mutant.
type mutantReview struct {
	*testing.T
	*testkit.Mistake
	text       map[string][]byte
	base, head *compile.Draft
	fixes      map[string]fix // by text

	oldWordings bool // there are findings on them
}

func (r *mutantReview) errorf(format string, args ...any) {
	r.Helper()
	r.Errorf("%s %s: %s", r.Kind, r.What, fmt.Sprintf(format, args...))
}

// review reports whether the mutant breaks something, and whether its inverse is offered wherever it does.
func (r *mutantReview) review(c *finding.ContractReview) (breaks, back bool) {
	back = true
	r.oldWordings = slices.ContainsFunc(c.Findings, func(f finding.Finding) bool { return f.Old || f.Kind == finding.Weakened })
	for i := range c.Findings {
		f := &c.Findings[i]
		if f.Kind != finding.New && f.Kind != finding.Weakened {
			continue
		}
		breaks = true
		r.names(f)
		r.guilty(f)
		r.refused(f)
		back = r.repaired(f) && back
	}
	return breaks, breaks && back
}

// names asks for the promise, a run, and the parties on its steps.
func (r *mutantReview) names(f *finding.Finding) {
	trace := runOfFinding(f)
	switch {
	case f.Head == nil && f.Check == nil, f.Name == "":
		r.errorf("a finding about nothing")
		return
	case trace == nil:
		if f.Head == nil || !strings.HasPrefix(f.Head.Formula, "E") {
			r.errorf("%s: no run", f.Name)
		}
		return
	}
	for _, s := range slices.Concat(trace.Prefix, trace.Loop) {
		if len(s.Parties) == 0 && !clockTick(r.head, s) {
			r.errorf("%s: step %d is nobody's: %+v", f.Name, s.Step, s)
		}
	}
}

func runOfFinding(f *finding.Finding) *finding.Trace {
	if f.Head != nil {
		return f.Head.Trace
	}
	return f.Check.Trace
}

// guilty asks for the block that was mutated, and its line.
func (r *mutantReview) guilty(f *finding.Finding) {
	if f.Blame == nil || len(f.Blame.Blocks) == 0 {
		r.errorf("%s: nothing is to blame: %+v", f.Name, f.Blame)
		return
	}
	if len(f.Blame.Blocks) > len(r.Places) || !f.Blame.Smallest {
		r.errorf("%s: too much is to blame: %+v", f.Name, f.Blame)
	}
	for _, b := range f.Blame.Blocks {
		i := slices.IndexFunc(r.Places, func(p testkit.Wrong) bool { return p.Block == b.Name })
		if i < 0 {
			r.errorf("%s: %s is to blame", f.Name, b.Name)
			continue
		}
		at := b.Source
		if b.Action == "removed" {
			at = b.Was
		}
		if p := r.Places[i]; at.Filename != "x/"+p.File || at.Start.Line != p.Line || b.Action != p.Action {
			r.errorf("%s: %s is %s at %s:%d, and was mutated at %s:%d", f.Name, b.Name, b.Action, at.Filename, at.Start.Line, p.File, p.Line)
		}
	}
}

// refused follows base along the run, by the definitions of petri.
func (r *mutantReview) refused(f *finding.Finding) {
	trace := runOfFinding(f)
	if trace == nil {
		return
	}
	step := refusedStep(r.base, trace)
	switch {
	case f.Refusal == nil && step != 0:
		r.errorf("%s: base refuses step %d, and that is not said", f.Name, step)
	case f.Refusal != nil && f.Refusal.Step != step:
		r.errorf("%s: step %d is said to be refused, not %d", f.Name, f.Refusal.Step, step)
	}
	if step == 0 && len(trace.Loop)+len(trace.Then) == 0 {
		then, now := nextSteps(r.base, trace.Prefix), nextSteps(r.head, trace.Prefix)
		lost := slices.DeleteFunc(then, func(name string) bool { return slices.Contains(now, name) })
		if len(lost) != len(f.Lost) {
			r.errorf("%s: where the run ends %q is lost, not %q", f.Name, lost, f.Lost)
		}
	} else if f.Lost != nil {
		r.errorf("%s: %q is lost where a run does not end", f.Name, f.Lost)
	}
}

// nextSteps are the names of what a draft can do after a run.
func nextSteps(d *compile.Draft, run []finding.Firing) []string {
	at := map[string]petri.Marking{"": d.Net.Initial}
	for _, f := range run {
		at = follow(d, at, f)
	}
	var names []string
	for _, m := range at {
		for t, tr := range d.Net.Transitions {
			if d.Net.Fireable(m, t) {
				names = append(names, tr.Name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// refusedStep is the first step of a run that a draft can't follow, of its loop going round, and of what continues
// it; 0: none.
func refusedStep(d *compile.Draft, trace *finding.Trace) int {
	at := map[string]petri.Marking{"": d.Net.Initial}
	take := func(run []finding.Firing) int {
		for _, f := range run {
			if at = follow(d, at, f); len(at) == 0 {
				return f.Step
			}
		}
		return 0
	}
	step := take(trace.Prefix)
	for round := 0; round < 60 && len(trace.Loop) > 0 && step == 0; round++ {
		step = take(trace.Loop)
	}
	if step != 0 || len(trace.Then) != 1 {
		return step
	}
	return refusedStep(d, continued(trace))
}

// continued is a run with what begins on its way as its end.
func continued(trace *finding.Trace) *finding.Trace {
	then := *trace.Then[0]
	begins := slices.Concat(then.Prefix, then.Loop)
	var way []finding.Firing
	for _, f := range slices.Concat(trace.Prefix, trace.Loop) {
		if len(begins) == 0 || f.Step < begins[0].Step {
			way = append(way, f)
		}
	}
	then.Prefix = slices.Concat(way, then.Prefix)
	return &then
}

// follow is where a draft can be after one more firing. Time passes where no clock runs, too.
func follow(d *compile.Draft, at map[string]petri.Marking, f finding.Firing) map[string]petri.Marking {
	name := f.Event
	if name == "" {
		name = f.Transitions[0]
	}
	next := map[string]petri.Marking{}
	for _, m := range at {
		idle := clockTick(d, f)
		for t, tr := range d.Net.Transitions {
			if tr.Name != name || !d.Net.Fireable(m, t) {
				continue
			}
			idle = false
			after, _ := d.Net.Fire(m, []int{t})
			next[fmt.Sprint(after)] = after
		}
		if idle {
			next[fmt.Sprint(m)] = m
		}
	}
	return next
}

// clockTick reports whether a firing is time passing.
func clockTick(d *compile.Draft, f finding.Firing) bool {
	return slices.ContainsFunc(d.Net.Transitions, func(t petri.Transition) bool { return t.Moving && t.Name == f.Event })
}

// repaired checks every repair shown, and reports whether the inverse edit is one.
func (r *mutantReview) repaired(f *finding.Finding) (back bool) {
	for _, repair := range f.Repairs {
		digest, result := r.fixed(splicedText(r.text, repair.Edits))
		back = back || digest == r.base.Digest
		if digest == "" || stillThere(result, f) {
			r.errorf("%s: not repaired by: %s", f.Name, repair.What)
		}
		if !r.oldWordings { // a check of one text does not have these
			remaining(r.T, f.Name, repair, result)
		}
	}
	return back
}

// A fix is what came of a repaired text.
type fix struct {
	digest string
	result *finding.Result
}

// fixed checks a text, once.
func (r *mutantReview) fixed(text map[string][]byte) (digest string, result *finding.Result) {
	key := fmt.Sprintf("%q", text)
	if _, known := r.fixes[key]; !known {
		d := testkit.Reread(r.base, text)
		r.fixes[key] = fix{d.Digest, verify.Check(context.Background(), d, finding.Budget{Jobs: 1})}
	}
	return r.fixes[key].digest, r.fixes[key].result
}

// stillThere reports whether a result has the violation of a finding.
func stillThere(result *finding.Result, f *finding.Finding) bool {
	if f.Check != nil {
		return slices.ContainsFunc(result.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == f.Check.Code && d.Subject == f.Check.Subject })
	}
	return !slices.ContainsFunc(result.Requirements, func(q finding.Requirement) bool { return q.Formula == f.Head.Formula && q.Verdict == finding.Holds })
}

func splicedText(text map[string][]byte, edits []finding.Edit) map[string][]byte {
	m := testkit.Mistake{}
	for _, e := range edits {
		m.Splices = append(m.Splices, testkit.Splice{File: strings.TrimPrefix(e.Range.Filename, "x/"), From: e.Range.Start.Byte, To: e.Range.End.Byte, Text: e.New})
	}
	return m.Made(text)
}
