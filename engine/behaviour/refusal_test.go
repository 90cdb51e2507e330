package behaviour_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
)

// TestRefusalAgainstNaive: the step that base is said to refuse is the first that it can't follow; and where
// none is named, it follows to the end, however often round a loop.
func TestRefusalAgainstNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before, after := testkit.DrawAmendment(t)
		for i := range 3 {
			after.Requirements = append(after.Requirements, required(t, after, i))
		}
		x, y := testkit.CompileSpec(before), testkit.CompileSpec(after)
		_, names := diff.Changes(before, after)
		base := model(x, namer(x, names, true))
		review := blame.Compare(context.Background(), x, y, finding.Budget{})
		if base == nil || review.Base == nil {
			return
		}
		for _, f := range review.Findings {
			if f.Head == nil || f.Head.Trace == nil || f.Kind != finding.New && f.Kind != finding.Weakened || len(f.Head.Trace.Then) > 0 {
				continue
			}
			number, again := firstRefused(base, stepsOf(f.Head.Trace.Prefix), stepsOf(f.Head.Trace.Loop))
			switch {
			case number == 0 && f.Refusal == nil:
			case f.Refusal == nil || f.Refusal.Step != number || f.Refusal.Again != again:
				t.Fatalf("%s: %+v; naively step %d, again %t\n%+v\nbase %s", f.Head.Formula, f.Refusal, number, again, f.Head.Trace, testkit.Describe(x))
			}
		}
	})
}

// required is a requirement of a random formula.
func required(t *rapid.T, c *hclspec.Contract, i int) *hclspec.Requirement {
	text := testkit.DrawFormula(t, c, 3).CTL()
	return &hclspec.Requirement{Name: fmt.Sprintf("r%d", i), Formula: &hclspec.Formula{Text: text}}
}

// step is a step of a run, by what fires.
type step struct {
	number int
	name   string
}

func stepsOf(run []finding.Firing) []step {
	names := map[int][]string{}
	var order []int
	for _, f := range run {
		name := "event " + f.Event
		if f.Event == "" {
			name = "transition " + f.Transitions[0]
		}
		if names[f.Step] == nil {
			order = append(order, f.Step)
		}
		names[f.Step] = append(names[f.Step], name)
	}
	var list []step
	for _, number := range order {
		slices.Sort(names[number])
		list = append(list, step{number, strings.Join(names[number], "+")})
	}
	return list
}

// firstRefused is the number of the first step that a model can't follow, and whether it could the first
// time; 0: there is none.
func firstRefused(m *plainModel, prefix, loop []step) (number int, again bool) {
	at := []int{0}
	for round := range 80 {
		steps := loop
		if round == 0 {
			steps = slices.Concat(prefix, loop)
		}
		for _, s := range steps {
			if at = m.after(at, s.name); len(at) == 0 {
				return s.number, round > 0
			}
		}
	}
	return 0, false
}

// TestRefusedInALaterRound: base goes round twice, head for ever.
func TestRefusedInALaterRound(t *testing.T) {
	const text = `
contract "c" {}
party "p" {
  state "asking" {}
  state "asked" {}
  state "done" {}
  counter "times" { to = 2 }
  transition "ask" {
    from    = asking
    to      = asked
    %s
  }
  transition "again" {
    from = asked
    to   = asking
  }
  transition "answer" {
    from = asking
    to   = done
  }
}
requirement "answered" { ctl = "AF p.done" }
`
	base := testkit.DraftOf(t, fmt.Sprintf(text, "require = times < 2\n    set     = { times = times + 1 }"))
	head := testkit.DraftOf(t, fmt.Sprintf(text, "require = times < 2"))
	review := blame.Compare(context.Background(), base, head, finding.Budget{})
	if f := review.Findings[0]; f.Kind != finding.New || f.Refusal == nil || f.Refusal.Step != 1 || !f.Refusal.Again || !slices.Equal(f.Refusal.Instead, []string{"p.answer"}) {
		t.Errorf("%s: %+v", f.Kind, f.Refusal)
	}
}
