package negotiate_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/negotiate"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	hcledit "github.com/redlinehq/redline/hclspec/edit"
	"github.com/redlinehq/redline/hclspec/load"
)

// A deal is a small contract as text: two parties, each with three states, a flag and some transitions, which
// meet in events; and promises.
type deal struct {
	initial  [2]bool
	moves    [2][]dealMove
	promises []string
}

type dealMove struct {
	name, from, to string
	when, set      string // of the flag; empty: neither
	together       bool   // it is a step of both, with the other party's of the same name
}

var dealPromises = []string{
	"AG !(a.S2 && b.S2)", "AG (a.S2 -> a.f)", "AG (b.S2 -> b.f)", "AG EF (a.S0 && b.S0)", "EF a.S2", "AG (a.S1 -> EF b.S1)", "AF (a.S1 || b.S1)", "AG !(a.f && b.f)",
}

func drawDealMove(t *rapid.T, name string) dealMove {
	state, flag := rapid.SampledFrom([]string{"S0", "S1", "S2"}), rapid.SampledFrom([]string{"", "", "true", "false"})
	return dealMove{name, state.Draw(t, "from"), state.Draw(t, "to"), flag.Draw(t, "when"), flag.Draw(t, "set"), rapid.Bool().Draw(t, "together")}
}

func drawDeal(t *rapid.T) deal {
	var d deal
	for side := range d.moves {
		for i := range rapid.IntRange(1, 3).Draw(t, "moves") {
			d.moves[side] = append(d.moves[side], drawDealMove(t, fmt.Sprintf("t%d", i)))
		}
	}
	d.promises = rapid.SliceOfNDistinct(rapid.SampledFrom(dealPromises), 1, 4, rapid.ID[string]).Draw(t, "promises")
	return d
}

// redlined is the deal with some edits.
func (d deal) redlined(t *rapid.T, side string) deal {
	d.moves = [2][]dealMove{slices.Clone(d.moves[0]), slices.Clone(d.moves[1])}
	d.promises = slices.Clone(d.promises)
	for i := range rapid.IntRange(0, 2).Draw(t, side+" edits") {
		p := rapid.IntRange(0, 1).Draw(t, "party")
		list := &d.moves[p]
		at := rapid.IntRange(0, max(0, len(*list)-1)).Draw(t, "at")
		switch edit := rapid.IntRange(0, 6).Draw(t, "edit"); {
		case edit == 0:
			d.initial[p] = !d.initial[p]
		case edit == 1 && len(d.promises) > 1:
			d.promises = d.promises[1:]
		case edit == 2:
			if more := rapid.SampledFrom(dealPromises).Draw(t, "more"); !slices.Contains(d.promises, more) {
				d.promises = append(d.promises, more)
			}
		case edit == 3 && len(*list) > 1:
			*list = slices.Delete(*list, at, at+1)
		case edit == 4 && len(*list) > 0:
			(*list)[at] = drawDealMove(t, (*list)[at].name)
		default:
			*list = append(*list, drawDealMove(t, fmt.Sprintf("%s%d", side, i)))
		}
	}
	return d
}

func (d deal) text() string {
	var b strings.Builder
	b.WriteString("contract \"deal\" {}\n")
	for side, name := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n  state \"S0\" {}\n  state \"S1\" {}\n  state \"S2\" {}\n  flag \"f\" { initial = %t }\n", name, d.initial[side])
		for _, m := range d.moves[side] {
			fmt.Fprintf(&b, "  transition %q {\n    from = %s\n    to = %s\n", m.name, m.from, m.to)
			if m.when != "" && m.set == "" {
				fmt.Fprintf(&b, "    when = { f = %s }\n", m.when)
			}
			if m.set != "" {
				fmt.Fprintf(&b, "    set = { f = %s }\n", m.set)
			}
			b.WriteString("  }\n")
		}
		b.WriteString("}\n")
	}
	for _, m := range d.moves[0] {
		if m.together && slices.ContainsFunc(d.moves[1], func(o dealMove) bool { return o.name == m.name }) {
			fmt.Fprintf(&b, "event %q {\n  sync = {\n    a = %s\n    b = %s\n  }\n}\n", "e-"+m.name, m.name, m.name)
		}
	}
	for _, p := range d.promises {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = %q }\n", slices.Index(dealPromises, p), p)
	}
	return b.String()
}

func dealDraft(text string) *compile.Draft {
	return compile.Compile(load.Text(map[string][]byte{"deal.contract.hcl": []byte(text)}, "", nil), "deal", nil)
}

// mergedDraft is both redlines of a deal together.
func mergedDraft(t *rapid.T, base, a, b deal) *compile.Draft {
	text := func(d deal) hcledit.Text { return hcledit.Text{"deal.contract.hcl": []byte(d.text())} }
	merged, _, err := hcledit.Merge(text(base), text(a), text(b))
	if err != nil {
		t.Fatal(err)
	}
	return dealDraft(string(merged["deal.contract.hcl"]))
}

var thrifty = finding.Budget{States: 10_000, Jobs: 2}

func negotiatedTexts(base, a, b string) finding.ContractNegotiation {
	list := func(text string) []*compile.Draft { return []*compile.Draft{dealDraft(text)} }
	return negotiate.Negotiate(context.Background(), list(base), list(a), list(b), thrifty)[0]
}

// TestNegotiationWithOneSide: where only one side has a redline, both together are that redline.
func TestNegotiationWithOneSide(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := drawDeal(t)
		a := base.redlined(t, "x")
		review := blame.Compare(context.Background(), dealDraft(base.text()), dealDraft(a.text()), thrifty)
		want, err := json.Marshal(review)
		if err != nil {
			t.Fatal(err)
		}
		for name, n := range map[string]finding.ContractNegotiation{"A": negotiatedTexts(base.text(), a.text(), base.text()), "B": mirrored(negotiatedTexts(base.text(), base.text(), a.text()))} {
			merged, err := json.Marshal(n.Merge)
			if err != nil {
				t.Fatal(err)
			}
			if string(merged) != string(want) || n.B.Status != finding.Same || len(n.Broken)+len(n.Conflicts) > 0 {
				t.Fatalf("%s: %s\n%s\nbase:\n%s\nredline:\n%s", name, merged, want, base.text(), a.text())
			}
			for i := range n.Promises {
				if p := &n.Promises[i]; !sameAnswer(p.A, p.Merge) || !sameAnswer(p.B, p.Base) {
					t.Fatalf("%s: %s: %v\n%s\n%s", name, p.Name, inShort(n), base.text(), a.text())
				}
			}
			for _, c := range n.Runs {
				if c.A != c.Merge || (c.B == finding.Possible) != c.Lost {
					t.Fatalf("%s: %s", name, inShort(n))
				}
			}
		}
	})
}

func sameAnswer(a, b finding.Answer) bool {
	return a.Given == b.Given && a.Promised == b.Promised && a.Verdict == b.Verdict
}

// mirrored exchanges A and B.
func mirrored(n finding.ContractNegotiation) finding.ContractNegotiation {
	n.A, n.B = n.B, n.A
	for i := range n.Promises {
		p := &n.Promises[i]
		p.A, p.B = p.B, p.A
	}
	for i := range n.Broken {
		j := &n.Broken[i]
		j.BlameA, j.BlameB, j.RefusalA, j.RefusalB = j.BlameB, j.BlameA, j.RefusalB, j.RefusalA
		j.Undoes = map[finding.Side]finding.Side{finding.SideA: finding.SideB, finding.SideB: finding.SideA}[j.Undoes]
	}
	for i := range n.Runs {
		n.Runs[i].A, n.Runs[i].B = n.Runs[i].B, n.Runs[i].A
	}
	for i := range n.Conflicts {
		c := &n.Conflicts[i]
		c.A, c.B, c.SaysA, c.SaysB = c.B, c.A, c.SaysB, c.SaysA
	}
	return n
}

// TestNegotiationIsFair: with the sides exchanged it says the same of the other side. Where things stand in the
// text of both, and so in which order they are told, may differ. Where names may have been exchanged, which promise is whose depends on the side that is
// compared with the other, and such draws are left out.
func TestNegotiationIsFair(t *testing.T) {
	draws.Only(t, 50)
	rapid.Check(t, func(t *rapid.T) {
		base := drawDeal(t)
		a, b := base.redlined(t, "x"), base.redlined(t, "y")
		if anyPair([]*compile.Draft{dealDraft(base.text()), dealDraft(a.text()), dealDraft(b.text())}, displaces) {
			return
		}
		one, other := negotiatedTexts(base.text(), a.text(), b.text()), mirrored(negotiatedTexts(base.text(), b.text(), a.text()))
		if got, want := sortedLines(inShort(one)), sortedLines(inShort(other)); got != want || !reflect.DeepEqual(findings(one), findings(other)) {
			t.Fatalf("%s\n%s\nbase:\n%s\na:\n%s\nb:\n%s", got, want, base.text(), a.text(), b.text())
		}
	})
}

func sortedLines(s string) string {
	lines := strings.Split(s, "\n")
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func findings(n finding.ContractNegotiation) []string {
	if n.Merge == nil {
		return nil
	}
	var list []string
	for _, f := range n.Merge.Findings {
		list = append(list, f.Kind.String()+" "+f.Name)
	}
	slices.Sort(list)
	return list
}

// TestNegotiationTellsTheTruth holds the table to checks of each draft by itself, and each sequence to a
// walk by the definitions.
func TestNegotiationTellsTheTruth(t *testing.T) {
	draws.SkipForRaces(t)
	joint, courses := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		base := drawDeal(t)
		a, b := base.redlined(t, "x"), base.redlined(t, "y")
		drafts := []*compile.Draft{dealDraft(base.text()), dealDraft(a.text()), dealDraft(b.text())}
		all := drafts
		if merged := mergedDraft(t, base, a, b); merged.Spec != nil {
			all = append(slices.Clip(all), merged)
		}
		if anyPair(all, renames) || anyPair(all, displaces) {
			return // the checks below go by names
		}
		n := negotiatedTexts(base.text(), a.text(), b.text())
		for i := range n.Promises {
			p := &n.Promises[i]
			for k, answer := range []finding.Answer{p.Base, p.A, p.B} {
				verdict, promised := verdictOf(drafts[k], p)
				if answer.Given != promised && answer.Promised || promised && answer.Verdict != verdict {
					t.Fatalf("%s: draft %d: %s\n%s%s%s", p.Name, k, inShort(n), base.text(), a.text(), b.text())
				}
			}
		}
		for _, j := range n.Broken {
			joint++
			p := n.Promises[j.Promise]
			if j.Undoes == finding.Neither && (p.A.Broken() || p.B.Broken()) || !p.Merge.Broken() || p.Merge.Verdict != finding.Violated {
				t.Fatalf("%s", inShort(n))
			}
		}
		for _, c := range n.Runs {
			courses++
			for k, has := range []finding.Possibility{c.A, c.B} {
				if has == finding.PossibilityUnknown || walks(drafts[k+1], c.Run) != (has == finding.Possible) {
					t.Fatalf("draft %d: %s\n%s%s%s", k, inShort(n), base.text(), a.text(), b.text())
				}
			}
			if walks(drafts[0], c.Run) != c.Lost {
				t.Fatalf("base: %s", inShort(n))
			}
		}
	})
	if joint+courses == 0 {
		t.Errorf("%d joint violations and %d sequences were drawn", joint, courses)
	}
}

// anyPair reports whether something is so of one of some drafts and another.
func anyPair(drafts []*compile.Draft, is func(d, e *compile.Draft) bool) bool {
	return slices.ContainsFunc(drafts, func(d *compile.Draft) bool {
		return slices.ContainsFunc(drafts, func(e *compile.Draft) bool { return is(d, e) })
	})
}

// renames reports whether anything has another name in one of two drafts than in the other.
func renames(d, e *compile.Draft) bool {
	changes, _ := diff.Changes(d.Spec, e.Spec)
	return slices.ContainsFunc(changes, func(c diff.Change) bool { return c.Action == diff.Renamed })
}

// displaces reports whether anything may have another name in one of two drafts than in the other: a transition that moves from one state to another that
// nothing else is tied to may be two names exchanged.
func displaces(d, e *compile.Draft) bool {
	_, names := diff.Changes(d.Spec, e.Spec)
	return slices.ContainsFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return names.Displaced(r) != nil })
}

// verdictOf checks a requirement by its name: in a deal that says which it is.
func verdictOf(d *compile.Draft, p *finding.Promise) (finding.Verdict, bool) {
	for _, q := range verify.Check(context.Background(), d, thrifty).Requirements {
		if p.Requirement != nil && q.Name == p.Name {
			return q.Verdict, true
		}
	}
	return finding.Unknown, false
}

// walks goes along the names of a run through all markings the draft can be in.
func walks(d *compile.Draft, run []finding.Firing) bool {
	at := map[string]petri.Marking{fmt.Sprint(d.Net.Initial): d.Net.Initial}
	for _, f := range run {
		next := map[string]petri.Marking{}
		for _, m := range at {
			for _, step := range d.Net.Steps(m, d.Rule) {
				if d.Net.Transitions[step[0]].Name == cmp.Or(f.Event, strings.Join(f.Transitions, "+")) {
					to, _ := d.Net.Fire(m, step)
					next[fmt.Sprint(to)] = to
				}
			}
		}
		at = next
	}
	return len(at) > 0
}

// TestJointGuiltIsEnough makes the text with all of one redline and only the guilty blocks of the other: it
// breaks the promise, and without any one of these blocks it does not.
func TestJointGuiltIsEnough(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 40)
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		base, a, b := drawQuarrel(t)
		n := negotiatedTexts(base.text(), a.text(), b.text())
		for _, j := range n.Broken {
			p := &n.Promises[j.Promise]
			for _, part := range []struct {
				blame       *finding.Blame
				some, whole deal
			}{{j.BlameA, a, b}, {j.BlameB, b, a}} {
				if part.blame == nil || !p.Base.Promised || !p.Merge.Promised {
					continue
				}
				tried++
				blocks := part.blame.Blocks
				if !stillBreaks(t, p, base, part.some, part.whole, blocks) {
					t.Fatalf("%v are not enough\n%s\n%s%s%s", blocks, inShort(n), base.text(), a.text(), b.text())
				}
				for i := range blocks {
					if fewer := slices.Delete(slices.Clone(blocks), i, i+1); stillBreaks(t, p, base, part.some, part.whole, fewer) {
						t.Fatalf("%v are enough\n%s\n%s%s%s", fewer, inShort(n), base.text(), a.text(), b.text())
					}
				}
			}
		}
	})
	if tried == 0 {
		t.Error("nobody was guilty")
	}
}

func stillBreaks(t *rapid.T, p *finding.Promise, base, some, whole deal, blocks []finding.Block) bool {
	text := func(d deal) hcledit.Text { return hcledit.Text{"deal.contract.hcl": []byte(d.text())} }
	diff, err := hcledit.Compare(text(base), text(some))
	if err != nil {
		t.Fatal(err)
	}
	made := make([]bool, len(diff.Changes))
	for i, c := range diff.Changes {
		made[i] = slices.ContainsFunc(blocks, func(b finding.Block) bool {
			return b.Name == c.Block() && (c.Attribute == "" || slices.Contains(b.Terms, c.Attribute))
		})
	}
	merged, conflicts, err := hcledit.Merge(text(base), text(whole), diff.Apply(made))
	if err != nil || len(conflicts) > 0 {
		t.Fatal(err, conflicts)
	}
	d := compile.Compile(load.Text(merged, "", nil), "deal", nil)
	if d.Spec == nil {
		return false
	}
	verdict, _ := verdictOf(d, p)
	return verdict == finding.Violated
}

// drawQuarrel draws a deal in which nobody comes to S2, or both raise their flags, and two redlines of which
// each lets one party do so.
func drawQuarrel(t *rapid.T) (base, a, b deal) {
	base = drawDeal(t)
	for _, list := range base.moves {
		for i := range list {
			list[i].set = ""
			if list[i].to == "S2" {
				list[i].to = "S1"
			}
		}
	}
	base.promises = []string{dealPromises[0], dealPromises[7]}
	var sides [2]deal
	for i, name := range []string{"x", "y"} {
		sides[i] = base.redlined(t, name)
		for k := range rapid.IntRange(1, 2).Draw(t, "steps") {
			m := drawDealMove(t, fmt.Sprintf("%s-step%d", name, k))
			m.to, m.set = "S2", rapid.SampledFrom([]string{"", "true"}).Draw(t, "raise")
			sides[i].moves[i] = append(slices.Clone(sides[i].moves[i]), m)
		}
	}
	return base, sides[0], sides[1]
}
