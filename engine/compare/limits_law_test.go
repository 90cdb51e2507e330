package compare_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/report/text"
)

// TestLimitsInEveryPhase: wherever a review meets its limit of states, or its time runs out, what it says is what it says without a limit, or that it is
// not known: each verdict and kind, what the gate lets through, and each sentence that claims a proof.
func TestLimitsInEveryPhase(t *testing.T) {
	draws.SkipForRaces(t)
	phases := []string{"exploring", "computing decision diagrams", "deciding requirements", "finding on whom promises rest", "looking for causes and repairs"}
	ended := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		parties := testkit.DrawParties(t)
		base := parties + testkit.DrawNorms(t, 0)
		head := base
		switch rapid.IntRange(0, 2).Draw(t, "amended") {
		case 0:
			head = parties + testkit.DrawNorms(t, 0)
		case 1:
			head = strings.Replace(base, "only_while", "# only_while", 1)
		}
		spec := testkit.DraftOf(t, parties).Spec
		for i := range 3 {
			r := fmt.Sprintf("requirement \"r%d\" {\n  over = %s\n  ctl = %q\n}\n", i, rapid.SampledFrom([]string{"all", "ideal"}).Draw(t, "over"), testkit.DrawFormula(t, spec, 2).CTL())
			base += r
			if i > 0 || rapid.Bool().Draw(t, "kept") {
				head += r
			}
		}
		was, now := testkit.DraftOf(t, base), testkit.DraftOf(t, head)
		owed := rapid.Bool().Draw(t, "owed")
		whole := reviewed(t, context.Background(), was, now, finding.Budget{Owed: owed})
		engine := rapid.SampledFrom([]finding.Engine{finding.Auto, finding.Explicit, finding.Symbolic, finding.Local}).Draw(t, "engine")
		most := rapid.IntRange(1, 40).Draw(t, "states")
		within(t, whole, reviewed(t, context.Background(), was, now, finding.Budget{States: most, Engine: engine, Owed: owed}), fmt.Sprintf("%d states, %s", most, engine))
		ctx, cancel := context.WithCancelCause(context.Background())
		defer cancel(nil)
		at, nth, cutShort := rapid.SampledFrom(phases).Draw(t, "phase"), rapid.IntRange(1, 3).Draw(t, "nth"), false
		if at == "computing decision diagrams" {
			engine = finding.Symbolic
		}
		cut := reviewed(t, ctx, was, now, finding.Budget{Engine: engine, Owed: owed, Phase: func(p finding.Phase) {
			if p.Name != at || cutShort {
				return
			}
			if nth--; nth == 0 || at != "deciding requirements" {
				cutShort = true
				cancel(finding.ErrTime)
			}
		}})
		if cutShort {
			ended[at]++
			within(t, whole, cut, fmt.Sprintf("%s, %s", at, engine))
		}
	})
	for _, phase := range phases {
		if ended[phase] == 0 {
			t.Errorf("no review was cut short in this phase: %s", phase)
		}
	}
}

func reviewed(_ *rapid.T, ctx context.Context, base, head *compile.Draft, b finding.Budget) *finding.Review {
	b.Jobs = 1
	return &finding.Review{Contracts: []finding.ContractReview{blame.Compare(ctx, base, head, b)}}
}

// within holds what a review says under a limit to what it says without.
func within(t *rapid.T, whole, cut *finding.Review, how string) {
	w, c := &whole.Contracts[0], &cut.Contracts[0]
	for _, side := range [][2]*finding.Result{{w.Base, c.Base}, {w.Head, c.Head}} {
		if side[0] == nil || side[1] == nil {
			continue
		}
		for i, q := range side[1].Requirements {
			if want := side[0].Requirements[i].Verdict; q.Verdict != want && q.Verdict != finding.Unknown {
				t.Fatalf("%s: %s is %s, and without a limit %s", how, q.Name, q.Verdict, want)
			}
		}
	}
	kinds := map[string]finding.Kind{}
	for _, f := range w.Findings {
		kinds[subject(f)] = f.Kind
	}
	objects := false // for what may turn out to be none: a promise that base may not have kept, a violation that may rest on whom it rested on before
	for _, f := range c.Findings {
		if f.GivenUp() && f.Base != nil && f.Base.Verdict == finding.Unknown {
			objects = true
			continue
		}
		kind, there := kinds[subject(f)]
		switch {
		case f.Kind == finding.New && kind == finding.RestsAsBefore && f.Head != nil && (f.Head.Rests != nil && f.Head.Rests.Unknown != "" || f.Base != nil && f.Base.Rests != nil && f.Base.Rests.Unknown != ""):
			objects = true
		case there && f.Kind == kind, f.Kind == finding.Undecided:
		case f.Kind == finding.RestsAsBefore && kind == finding.Standing: // the ways of both were not compared
		case f.Kind == finding.Kept && kind == finding.Repaired: // that base broke it is not known
		default:
			t.Fatalf("%s: %s is %s, and without a limit %s, %t\n%s\n%s", how, subject(f), f.Kind, kind, there, told(cut), told(whole))
		}
	}
	if got, want := cut.Gate(finding.FailNew), whole.Gate(finding.FailNew); got != want && got != finding.OutOfLimit && want != finding.OutOfLimit && !(objects && got == finding.Violations) {
		t.Fatalf("%s: exit status %d, and without a limit %d", how, got, want)
	}
	said := told(whole)
	for _, sentence := range claims(told(cut)) {
		if !strings.Contains(said, sentence) {
			t.Fatalf("%s: %q is not said without a limit:\n%s", how, sentence, said)
		}
	}
}

func subject(f finding.Finding) string {
	if f.Check != nil {
		return f.Name + " on " + f.Check.Subject
	}
	return fmt.Sprint(f.Name, f.Old)
}

// told returns a review as text, without wrapping.
func told(r *finding.Review) string {
	var b strings.Builder
	if err := text.Review(&b, r, text.Style{}); err != nil {
		return err.Error()
	}
	return b.String()
}

// claims returns the sentences of a text that say that something was proved.
func claims(said string) (list []string) {
	for line := range strings.Lines(said) {
		for s := range strings.SplitSeq(strings.TrimSpace(line), ". ") {
			if decided.MatchString(s) && !strings.Contains(s, "not decided") && !strings.Contains(s, "unknown") {
				list = append(list, s)
			}
		}
	}
	return list
}

var decided = regexp.MustCompile(`\bproved|behaves as before|othing to object|No promise is|[Ww]ithout effect|same steps|still keeps`)
