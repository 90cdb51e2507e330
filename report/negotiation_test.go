package report

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// foreignNegotiation is a negotiation in which every text is s.
func foreignNegotiation(s string) *finding.Negotiation {
	review := &foreignReview(s).Contracts[1]
	guilt, refusal := foreignGuilt(s), &finding.Refusal{Step: 1, Instead: []string{s, s}}
	given := func(q *finding.Requirement, promised bool) finding.Answer {
		return finding.Answer{Given: true, Promised: promised, Verdict: q.Verdict, Requirement: q}
	}
	broken, kept, open := &review.Head.Requirements[0], &review.Head.Requirements[1], &review.Head.Requirements[2]
	conflict := finding.Conflict{A: guilt.Blocks[0], B: guilt.Blocks[1], Was: s, SaysA: s, SaysB: s + "\n" + s}
	reworded := conflict
	reworded.Prose = true
	course := finding.JointRun{Sequence: review.Difference.All.Possible[0], A: finding.Possible, B: finding.Impossible}
	lost, both := course, course
	lost.Lost, both.A, both.Merge = true, finding.Impossible, finding.Possible
	return &finding.Negotiation{Base: finding.Origin{Name: s}, A: finding.Origin{Name: s, Directory: true}, B: finding.Origin{Name: s}, Contracts: []finding.ContractNegotiation{
		{Path: s + "/", Name: s, Title: s + "!", A: review, B: review, Unmerged: s, Conflicts: []finding.Conflict{conflict, reworded}},
		{Path: s + "/", Name: s, Title: s + "!", A: review, B: review, Merge: &finding.ContractReview{Status: finding.Changed, Head: review.Head, Findings: review.Findings, Difference: review.Difference},
			Promises: []finding.Promise{
				{Name: s, Requirement: broken, Base: given(kept, true), A: given(kept, true), B: given(broken, false), Merge: given(broken, true)},
				{Name: s, Requirement: open, Base: given(kept, true), A: given(open, true), Merge: given(broken, true)},
				{Name: s, Check: &review.Head.Diagnostics[1], Merge: finding.Answer{Given: true, Promised: true, Verdict: finding.Violated, Check: &review.Head.Diagnostics[1]}},
			},
			Broken: []finding.Joint{
				{Promise: 0, Finding: &review.Findings[0], BlameA: guilt, BlameB: &finding.Blame{Reason: s}, RefusalA: refusal, RefusalB: &finding.Refusal{Step: 2}},
				{Promise: 2, Finding: &review.Findings[2], Undoes: finding.SideB, BlameA: guilt},
			},
			Runs: []finding.JointRun{course, lost, both, course, course}},
		{Path: s, Name: s, A: &finding.ContractReview{}, B: &finding.ContractReview{}, Merge: &finding.ContractReview{}},
	}}
}

// haggle is a negotiation of a sale in which each redline is sound but for a promise that A gives up, and both
// together break another; and of a lease, in which they are in conflict.
func haggle() *finding.Negotiation {
	at := func(line int) hcl.Range { return lines(sellerFile, line, line+1) }
	both := flawed()
	both.Diagnostics = nil
	last := lasting()
	sides := func(status finding.Status, head *finding.Result, r delta.Relation) *finding.ContractReview {
		return &finding.ContractReview{Path: "contracts/sale", Name: "sale", Status: status, Base: sound(), Head: head, Difference: &finding.Difference{All: finding.Behaviour{Relation: r}}}
	}
	held, old := discharge(finding.Holds), lasting()
	old.Verdict, old.Trace = finding.Holds, nil
	answer := func(q finding.Requirement) finding.Answer {
		return finding.Answer{Given: true, Promised: true, Verdict: q.Verdict, Requirement: &q}
	}
	dropped := answer(kept())
	dropped.Promised = false
	merge := sides(finding.Changed, both, delta.Both)
	merge.Findings = []finding.Finding{{Kind: finding.New, Name: "goods-last", Head: &last, Base: &old}}
	lease := &finding.ContractReview{Path: "contracts/lease", Name: "lease", Status: finding.Changed, Base: sound(), Head: sound()}
	return &finding.Negotiation{Base: finding.Origin{Name: "main"}, A: finding.Origin{Name: "seller"}, B: finding.Origin{Name: "./buyer", Directory: true}, Contracts: []finding.ContractNegotiation{
		{Path: "contracts/lease", Name: "lease", Title: "Lease of a shop", A: lease, B: lease, Conflicts: []finding.Conflict{
			{A: finding.Block{Name: `obligation "pay"`, Action: "changed", Terms: []string{"within"}, Source: at(4)}, B: finding.Block{Name: `obligation "pay"`, Action: "changed", Terms: []string{"within"}, Source: at(5)},
				Was: "within = 3", SaysA: "within = 2", SaysB: "within = 9"},
			{A: finding.Block{Name: `party "lessor"`, Action: "removed", Source: at(1), Was: at(9)}, B: finding.Block{Name: `party "lessor" / state "paid"`, Action: "added", Source: at(12)}},
		}},
		{Path: "contracts/old", Name: "old", A: &finding.ContractReview{}, B: &finding.ContractReview{}, Merge: &finding.ContractReview{}},
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", A: sides(finding.Changed, sound(), delta.More), B: sides(finding.Changed, sound(), delta.Both), Merge: merge,
			Promises: []finding.Promise{
				{Name: "goods-only-when-requested", Requirement: point(kept()), Base: answer(kept()), A: dropped, B: answer(kept()), Merge: dropped},
				{Name: "discharge", Requirement: &held, Base: answer(discharge(finding.Violated)), A: answer(discharge(finding.Violated)), B: answer(held), Merge: answer(held)},
				{Name: "goods-last", Requirement: &old, Base: answer(old), A: answer(old), B: answer(old), Merge: answer(last)},
				{Name: "completes", Requirement: point(undecided()), B: answer(undecided()), Merge: answer(undecided())},
			},
			Broken: []finding.Joint{{Promise: 2, Finding: &merge.Findings[0],
				BlameA: &finding.Blame{Smallest: true, Blocks: []finding.Block{{Name: `party "seller" / transition "withdraw"`, Action: "added", Source: at(31)}}},
				BlameB: &finding.Blame{Smallest: true, Blocks: []finding.Block{{Name: `event "GAC"`, Action: "changed", Terms: []string{"sync"}, Source: at(44)},
					{Name: `party "seller" / transition "end"`, Action: "removed", Source: at(1), Was: at(20)}}},
				RefusalA: &finding.Refusal{Step: 3, Instead: []string{"delivery is accepted"}}, RefusalB: &finding.Refusal{Step: 3}}},
			Runs: []finding.JointRun{
				{Sequence: finding.Sequence{Run: []finding.Firing{ready(1, "seller"), request(2)}, Refused: "RFG"}, A: finding.Impossible, B: finding.Impossible, Merge: finding.Possible},
				{Sequence: finding.Sequence{Run: []finding.Firing{ready(1, "seller"), withdraw(2)}, Refused: "withdraw"}, A: finding.Possible, B: finding.Impossible, Merge: finding.Possible},
				{Sequence: finding.Sequence{Run: []finding.Firing{ready(1, "purchaser"), accept(2)}, Refused: "GAC"}, A: finding.Possible, B: finding.Impossible, Merge: finding.Impossible},
				{Sequence: finding.Sequence{Run: []finding.Firing{ready(1, "purchaser"), request(2)}, Refused: "RFG"}, Lost: true, A: finding.Possible, B: finding.Impossible},
			}},
	}}
}

func TestNegotiationGolden(t *testing.T) {
	n := haggle()
	golden(t, "negotiation", map[string]string{"text-80": negotiationText(t, n, 80), "text-120": negotiationText(t, n, 120), "markdown": markdown.Negotiation(n)})
}

func negotiationText(t *testing.T, n *finding.Negotiation, width int) string {
	t.Helper()
	told := func(s text.Style) string {
		var b bytes.Buffer
		if err := text.Negotiation(&b, n, s); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	plain := told(text.Style{Width: width})
	sameInColor(t, plain, told, width)
	return plain
}

func TestNegotiationJSONIsAsTheSchemaSays(t *testing.T) {
	for _, n := range []*finding.Negotiation{{}, haggle(), foreignNegotiation("x"), foreignNegotiation("\u202e</script>")} {
		var b bytes.Buffer
		if err := json.WriteNegotiation(&b, n, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		validate(t, schemaOf(t, "compare-v1.1.schema.json"), b.Bytes())
	}
}

// TestEffects holds what becomes of a promise to a table of all that can be said of it.
func TestEffects(t *testing.T) {
	waived := lasting()
	waived.Waiver = &finding.Waiver{State: finding.InForce}
	q := func(v finding.Verdict) finding.Answer {
		return finding.Answer{Given: true, Promised: true, Verdict: v, Requirement: &finding.Requirement{Verdict: v}}
	}
	old := func(v finding.Verdict) finding.Answer {
		a := q(v)
		a.Promised = false
		return a
	}
	none, held, broken, unknown := finding.Answer{}, q(finding.Holds), q(finding.Violated), q(finding.Unknown)
	accepted := finding.Answer{Given: true, Promised: true, Verdict: finding.Violated, Requirement: &waived}
	waiting := q(finding.Violated)
	waiting.Waits = true
	for _, row := range []struct {
		was, now finding.Answer
		want     finding.Effect
	}{
		{held, waiting, finding.StillRests}, {held, held, finding.NoEffect}, {held, broken, finding.Breaks}, {held, old(finding.Violated), finding.Breaks}, {held, old(finding.Holds), finding.GivesUp},
		{held, none, finding.GivesUp}, {held, unknown, finding.Unsettled}, {held, accepted, finding.Accepts}, {held, q(finding.IllFormed), finding.Unsettled},
		{broken, held, finding.Wins}, {broken, broken, finding.NoEffect}, {broken, old(finding.Holds), finding.NoEffect}, {broken, none, finding.NoEffect}, {broken, accepted, finding.NoEffect},
		{none, held, finding.Wins}, {none, broken, finding.Unkept}, {none, none, finding.NoEffect}, {none, unknown, finding.Unsettled},
		{unknown, unknown, finding.NoEffect}, {unknown, broken, finding.Unkept}, {unknown, held, finding.Wins},
		{accepted, broken, finding.Breaks}, {accepted, accepted, finding.NoEffect}, {accepted, held, finding.Wins},
	} {
		p := finding.Promise{Base: row.was}
		if got := p.Effect(&row.now); got != row.want {
			t.Errorf("%s → %s: %s, want %s", words.Answer(&row.was), words.Answer(&row.now), got, row.want)
		}
	}
}
