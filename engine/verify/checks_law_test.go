package verify_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TestChecksSayWhatIsTrue reads what built-in checks of class violation say, alone and in reviews, with their runs, and decides each on the states by definition. None of them is passed
// over.
func TestChecksSayWhatIsTrue(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 30)
	kinds := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 6 {
			text := checkedText(t)
			amended := amendedTelling(t, text)
			if rapid.Bool().Draw(t, "other final") {
				amended = finalStates.ReplaceAllString(amended, fmt.Sprintf("final = %q", drawnFinal(t)))
			}
			base, head := checkedBy(t, telling(t, text), kinds), checkedBy(t, telling(t, amended), kinds)
			for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
				if e == finding.Symbolic && !strings.Contains(text, "firing = one") {
					continue
				}
				base.alone(e)
				reviewedChecks(base, head, e)
			}
		}
	})
	t.Log(kinds)
	for _, kind := range []string{"dead-end", "no-option-to-complete", "document-held-twice", "obliged-and-forbidden", "contact", "new", "standing", "repaired", "new way"} {
		if kinds[kind] == 0 {
			t.Errorf("nothing was met of kind %s: %v", kind, kinds)
		}
	}
}

// checkedText draws a contract with final states, a document, and a prohibition of what an obligation asks for.
func checkedText(t *rapid.T) string {
	text, _, _ := strings.Cut(tellingText(t, true), "requirement ")
	text = strings.Replace(text, "firing = ", fmt.Sprintf("final = %q\n  firing = ", drawnFinal(t)), 1)
	if rapid.Bool().Draw(t, "document") {
		keeps := rapid.SampledFrom([]string{"consume = [paper]", "consume = [paper]\n    produce = [copy]", "consume = [paper]\n    produce = [copy]", "read = [paper]"}).Draw(t, "keeps")
		place := func(name, more string) string {
			return fmt.Sprintf("  place %q {\n    document = d\n%s  }\n", name, more)
		}
		text = strings.Replace(text, "party \"a\" {\n", "party \"a\" {\n"+place("paper", "    marked = true\n")+place("copy", "")+"  transition \"hand\" {\n    "+keeps+"\n  }\n", 1)
		text = strings.Replace(text, "party \"b\" {\n", "party \"b\" {\n"+place("vault", "")+"  transition \"take\" { produce = [vault] }\n", 1)
		text += "document \"d\" {}\nevent \"handing\" {\n  sync = {\n    a = hand\n    b = take\n  }\n}\n"
	}
	if strings.Contains(text, "obligation \"o\"") {
		text += "prohibition \"g\" {\n  bearer = a\n  of = e1\n" + rapid.SampledFrom([]string{"", "  from = e0\n", "  from = e2\n"}).Draw(t, "from") + "}\n"
	}
	return text
}

var finalStates = regexp.MustCompile(`final = ".*"`)

func drawnFinal(t *rapid.T) string {
	state := func() string {
		return fmt.Sprint(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "party"), ".s", rapid.IntRange(0, 2).Draw(t, "state"))
	}
	return state() + rapid.SampledFrom([]string{" && ", " || "}).Draw(t, "op") + state()
}

// A checksReader decides what checks say of one contract. Without a graph, the contract is not one-safe.
type checksReader struct {
	*runsReader
	unsafe bool
}

func checkedBy(t *rapid.T, d *compile.Draft, kinds map[string]int) *checksReader {
	g, markings, oneSafe := testkit.ExploreForProgress(d)
	return &checksReader{runsReader: &runsReader{t, d, g, markings, kinds}, unsafe: !oneSafe}
}

// alone decides what is said without an amendment.
func (c *checksReader) alone(e finding.Engine) {
	said := map[string]bool{}
	for _, diag := range verify.Check(c.t.Context(), c.d, finding.Budget{Engine: e, Jobs: 1}).Diagnostics {
		if diag.Class == codes.Violation || diag.Code == "contact" {
			c.kinds[string(diag.Code)]++
			said[string(diag.Code)+" "+diag.Subject] = true
			c.check(&diag, c.final())
		}
	}
	if c.unsafe {
		return
	}
	for _, check := range []string{"dead-end ", "no-option-to-complete ", "document-held-twice document.d", "obliged-and-forbidden obligation.o"} {
		code, subject, _ := strings.Cut(check, " ")
		if c.fails(code, subject, c.final()) && !said[check] && !(code == "no-option-to-complete" && said["dead-end "]) {
			c.t.Fatalf("nothing is said of %s\n%s", code, testkit.Describe(c.d))
		}
	}
}

// final returns the text of the final states.
func (c *checksReader) final() string { return c.d.Spec.Final.Text }

// fails reports whether a state that a check looks for can be reached.
func (c *checksReader) fails(code, subject, final string) bool {
	return slices.Contains(c.bad(code, subject, final), true)
}

// bad labels the states that a check looks for.
func (c *checksReader) bad(code, subject, final string) []bool {
	one := &runReader{t: c.t, d: c.d, g: c.g, markings: c.markings, formula: code, kinds: c.kinds, values: map[string][]bool{}}
	bad := make([]bool, len(c.markings))
	finished := one.formulaOf(final)
	done, open := naive.Sat(c.g, finished), naive.Sat(c.g, &ctl.Formula{Op: ctl.EF, Left: finished})
	for s := range bad {
		switch code {
		case "dead-end":
			bad[s] = len(c.g.Succ[s]) == 0 && !done[s]
		case "no-option-to-complete":
			bad[s] = !open[s]
		case "document-held-twice":
			holders := 0
			for _, place := range []string{"a.paper", "a.copy", "b.vault"} {
				holders += c.marks(s, place)
			}
			bad[s] = holders > 1
		case "obliged-and-forbidden":
			bad[s] = c.marks(s, "o.owed")*c.marks(s, "g.in_force") > 0
		}
	}
	return bad
}

// marks returns 1 if a state marks a place, and 0 if not.
func (c *checksReader) marks(s int, place string) int {
	for _, p := range c.markings[s] {
		if c.d.Net.Places[p].String() == place {
			return 1
		}
	}
	return 0
}

var countOfStates = regexp.MustCompile(`^There are (\d+) states`)

// check decides the message and the run of a failed check.
func (c *checksReader) check(diag *finding.Diagnostic, final string) {
	fail := func(why string) {
		c.t.Fatalf("%s %s: %s\n%s\nfinal %s\n%s", diag.Code, diag.Subject, diag.Message, why, final, testkit.Describe(c.d))
	}
	if diag.Trace == nil {
		fail("it has no run")
	}
	stage := explain.Stage(c.d, []*finding.Trace{diag.Trace})[0]
	if stage == nil {
		fail("its run can't be fired anew")
	}
	if diag.Trace.Claim != "" || len(diag.Trace.Loop) > 0 || len(diag.Trace.Then) > 0 || diag.Trace.Stops {
		fail("its run says more than where it leads")
	}
	here := stage.Start
	for i, step := range stage.Steps {
		after, contact := c.d.Net.Fire(here, step)
		if (contact >= 0) != (diag.Code == "contact" && i == len(stage.Steps)-1) {
			fail("contact on its run")
		}
		if contact < 0 {
			here = after
		}
	}
	if diag.Code == "contact" {
		if len(diag.Trace.End) > 0 {
			fail("its run has a state at its end, which the last step does not lead to")
		}
		return
	}
	(&runReader{t: c.t, d: c.d, g: c.g, markings: c.markings, formula: diag.Message, kinds: c.kinds}).standing(diag.Trace.End, here)
	bad := c.bad(string(diag.Code), diag.Subject, final)
	end := slices.IndexFunc(c.markings, func(m petri.Marking) bool { return slices.Equal(m, here) })
	if !bad[end] {
		fail("it does not lead there")
	}
	if diag.Trace.DeadEnd != (diag.Code == "dead-end") {
		fail("it ends, or does not")
	}
	if states := c.counted(bad); states != 1 || countOfStates.MatchString(diag.Message) {
		if m := countOfStates.FindStringSubmatch(diag.Message); m != nil && m[1] != fmt.Sprint(states) {
			fail(fmt.Sprintf("there are %d", states))
		}
	}
}

// counted counts states apart in more than what formulas remember.
func (c *checksReader) counted(of []bool) int {
	met := map[string]bool{}
	for s, is := range of {
		if is {
			met[fmt.Sprint(c.d.Present(c.markings[s]))] = true
		}
	}
	return len(met)
}

// reviewedChecks decides what a review says of the checks of two versions.
func reviewedChecks(base, head *checksReader, e finding.Engine) {
	if base.unsafe || head.unsafe {
		return
	}
	review := blame.Compare(base.t.Context(), base.d, head.d, finding.Budget{Engine: e, Jobs: 1})
	for i := range review.Findings {
		f := &review.Findings[i]
		if f.Check == nil || f.Check.Class != codes.Violation {
			continue
		}
		code := f.Name
		if f.Check.Subject == "" { // both checks of final states are about one promise
			code = "no-option-to-complete"
		}
		own := slices.ContainsFunc(review.Head.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == f.Check.Code && d.Subject == f.Check.Subject })
		final := head.final()
		was := base.fails(code, f.Check.Subject, base.final())
		both := was && base.fails(code, f.Check.Subject, final)
		so := false
		switch base.kinds[f.Kind.String()]++; f.Kind {
		case finding.New:
			so = both == (f.Way != nil && f.Way.New)
			if both {
				base.kinds["new way"]++
			}
		case finding.Standing:
			if !own {
				final, both = base.final(), was
			}
			so = both && head.fails(code, f.Check.Subject, final)
		case finding.Undecided:
			if !own {
				final, both = base.final(), was && head.fails(code, f.Check.Subject, base.final())
			}
			so = both && f.Way != nil && f.Way.Unknown != ""
			if f.Way == nil { // names may have been exchanged, whatever was so before
				so = compile.Amend(base.d, head.d).Names.DisplacedIn(base.d.Spec.Final) != nil
				base.kinds["displaced"]++
			}
		case finding.Repaired:
			so = was && !head.fails(f.Name, f.Check.Subject, final)
			base.check(f.Check, base.final())
		case finding.Weakened:
			final = base.final()
			so = !was || f.Way != nil && f.Way.New
		case finding.Dropped:
			so = base.final() != head.final()
		}
		if !so {
			base.t.Fatalf("%s %s %+v: before %t\nbase, final %s\n%shead, final %s\n%s", f.Kind, f.Name, f.Way, was, base.final(), testkit.Describe(base.d), head.final(), testkit.Describe(head.d))
		}
		if f.Kind != finding.Repaired && f.Kind != finding.Dropped && f.Check.Trace != nil {
			head.check(f.Check, final)
		}
	}
}
