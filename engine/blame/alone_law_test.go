package blame_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	texts "github.com/redlinehq/redline/hclspec/edit"
)

// hazards are bad states of a drawn contract: no run may reach one.
var hazards = []string{"p.S2 && q.S0", "p.S3 && q.S0", "p.S3 && q.S1", "p.S1 && q.S2", "o.breached", "f.breached"}

// drawPair draws two parties that go through their states one by one, by events of which some wait for the other party, and a text in which some don't, wait
// for something else, or in which a party can skip states. The norms are the same.
func drawPair(t *rapid.T) (base, head string) {
	norms := testkit.DrawNorms(t, rapid.IntRange(0, 2).Draw(t, "within"))
	waits := func(other string) string {
		return rapid.SampledFrom([]string{"", "  only_while = " + other + ".S1\n", "  only_while = " + other + ".S2\n"}).Draw(t, "waits")
	}
	var parties, events, shorter, sooner strings.Builder
	for i, n := range []int{3, 2} {
		party, other := []string{"p", "q"}[i], []string{"q", "p"}[i]
		states, steps, skips := "", "", ""
		for k := range n + 1 {
			states += fmt.Sprintf("  state \"S%d\" {}\n", k)
		}
		for k := range n {
			name := fmt.Sprintf("e%d", 3*i+k)
			steps += fmt.Sprintf("  transition \"t%d\" {\n    from = S%d\n    to = S%d\n  }\n", k, k, k+1)
			event := fmt.Sprintf("event %q {\n  sync = { %s = t%d }\n", name, party, k)
			was := waits(other)
			now := was
			if rapid.IntRange(0, 2).Draw(t, "edit") == 0 {
				now = waits(other)
			}
			events.WriteString(event + was + "}\n")
			sooner.WriteString(event + now + "}\n")
		}
		if rapid.Bool().Draw(t, "skips") {
			from := rapid.IntRange(0, n-2).Draw(t, "from")
			skips = fmt.Sprintf("  transition \"skip\" {\n    from = S%d\n    to = S%d\n  }\n", from, from+2)
		}
		fmt.Fprintf(&parties, "party %q {\n%s}\n", party, states+steps)
		fmt.Fprintf(&shorter, "party %q {\n%s}\n", party, states+skips+steps)
	}
	const name = "contract \"c\" {}\n"
	return name + parties.String() + events.String() + norms, name + shorter.String() + sooner.String() + norms
}

// TestTheRunNeedsNoOtherChange: unless it is said that the run may need more, it is one of base with the changes to blame alone, and ends there where the promise
// is broken; the one found first is none.
func TestTheRunNeedsNoOtherChange(t *testing.T) {
	draws.Only(t, 80)
	replaced, shown, more := 0, 0, map[finding.Engine]int{}
	rapid.Check(t, func(t *rapid.T) {
		promises := ""
		for i, p := range hazards {
			promises += fmt.Sprintf("requirement \"r%d\" { ctl = \"AG !(%s)\" }\n", i, p)
		}
		was, now := drawPair(t)
		base, head := texts.Text{"x.contract.hcl": []byte(was + promises)}, texts.Text{"x.contract.hcl": []byte(now + promises)}
		before, after := textDraft(base), textDraft(head)
		if before.Spec == nil || after.Spec == nil || before.Digest == after.Digest {
			return
		}
		diff, err := texts.Compare(base, head)
		if err != nil {
			t.Fatal(err)
		}
		engine := drawEngine(t)
		c := blame.Compare(context.Background(), before, after, finding.Budget{Jobs: 1, Engine: engine})
		for _, f := range c.Findings {
			if f.Kind != finding.New || f.Head == nil || f.Head.Trace == nil || f.Blame == nil || len(f.Blame.Blocks) == 0 {
				continue
			}
			alone := textDraft(diff.Apply(ofBlocks(diff, f.Blame.Blocks)))
			if alone.Spec == nil {
				t.Fatalf("%s: what is to blame means nothing", f.Name)
			}
			if f.Blame.More {
				more[engine]++
				continue
			}
			if !endsBadly(alone, f.Head.Trace, f.Name) {
				t.Fatalf("%s: not a run that breaks it with %v alone: %s\n%s\n%s", f.Name, f.Blame.Blocks, steps(f.Head.Trace, nil), was, now)
			}
			if f.Blame.First == nil {
				shown++
				continue
			}
			replaced++
			if endsBadly(alone, f.Blame.First.Trace, f.Name) {
				t.Fatalf("%s: the run found first needs no other change than %v: %s\n%s\n%s", f.Name, f.Blame.Blocks, steps(f.Blame.First.Trace, nil), was, now)
			}
		}
	})
	t.Logf("%d runs replaced, %d not, by engine those of which more may be needed: %v", replaced, shown, more)
}

// ofBlocks returns which changes are of the given blocks.
func ofBlocks(diff *texts.Difference, blocks []finding.Block) (made []bool) {
	for _, c := range diff.Changes {
		made = append(made, slices.ContainsFunc(blocks, func(b finding.Block) bool {
			return b.Name == c.Block() && (b.Terms == nil || slices.Contains(b.Terms, c.Attribute))
		}))
	}
	return made
}

// followed returns the markings in which a draft may be after the steps of a run, from the rule of firing alone.
func followed(d *compile.Draft, t *finding.Trace) []petri.Marking {
	at := []petri.Marking{d.Net.Initial}
	for _, f := range slices.Concat(t.Prefix, t.Loop) {
		name := f.Event
		if name == "" {
			name = strings.Join(f.Transitions, "+")
		}
		var next []petri.Marking
		for _, m := range at {
			for _, step := range d.Net.Steps(m, petri.One) {
				if d.Net.Transitions[step[0]].Name != name {
					continue
				}
				if to, contact := d.Net.Fire(m, step); contact < 0 {
					next = append(next, to)
				}
			}
		}
		at = next
	}
	return at
}

// endsBadly reports whether a run can end in a draft where a requirement AG !p has its p.
func endsBadly(d *compile.Draft, t *finding.Trace, promise string) bool {
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == promise })
	return slices.ContainsFunc(followed(d, t), func(m petri.Marking) bool { return !testkit.Value(d.Formulas[i].Left, m) })
}
