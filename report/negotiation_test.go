package report

import (
	"bytes"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// foreignNegotiation is a negotiation in which every text is s.
func foreignNegotiation(s string) *engine.Negotiation {
	review := &foreignReview(s).Contracts[1]
	guilt, refusal := foreignGuilt(s), &engine.Refusal{Step: 1, Instead: []string{s, s}}
	given := func(q *engine.Requirement, promised bool) engine.Answer {
		return engine.Answer{Given: true, Promised: promised, Verdict: q.Verdict, Requirement: q}
	}
	broken, kept, open := &review.Head.Requirements[0], &review.Head.Requirements[1], &review.Head.Requirements[2]
	conflict := engine.Conflict{A: guilt.Blocks[0], B: guilt.Blocks[1], Was: s, SaysA: s, SaysB: s + "\n" + s}
	reworded := conflict
	reworded.Prose = true
	course := engine.Course{Sequence: review.Difference.All.Possible[0], A: engine.Possible, B: engine.Impossible}
	lost, both := course, course
	lost.Lost, both.A, both.Merge = true, engine.Impossible, engine.Possible
	return &engine.Negotiation{Base: engine.Origin{Name: s}, A: engine.Origin{Name: s, Directory: true}, B: engine.Origin{Name: s}, Contracts: []engine.ContractNegotiation{
		{Path: s + "/", Name: s, Title: s + "!", A: review, B: review, Unmerged: s, Conflicts: []engine.Conflict{conflict, reworded}},
		{Path: s + "/", Name: s, Title: s + "!", A: review, B: review, Merge: &engine.ContractReview{Status: engine.Changed, Head: review.Head, Findings: review.Findings, Difference: review.Difference},
			Promises: []engine.Promise{
				{Name: s, Requirement: broken, Base: given(kept, true), A: given(kept, true), B: given(broken, false), Merge: given(broken, true)},
				{Name: s, Requirement: open, Base: given(kept, true), A: given(open, true), Merge: given(broken, true)},
				{Name: s, Check: &review.Head.Diagnostics[1], Merge: engine.Answer{Given: true, Promised: true, Verdict: engine.Violated, Check: &review.Head.Diagnostics[1]}},
			},
			Broken: []engine.Joint{
				{Promise: 0, Finding: &review.Findings[0], GuiltA: guilt, GuiltB: &engine.Guilt{Reason: s}, RefusalA: refusal, RefusalB: &engine.Refusal{Step: 2}},
				{Promise: 2, Finding: &review.Findings[2], Undoes: engine.SideB, GuiltA: guilt},
			},
			Courses: []engine.Course{course, lost, both, course, course}},
		{Path: s, Name: s, A: &engine.ContractReview{}, B: &engine.ContractReview{}, Merge: &engine.ContractReview{}},
	}}
}

// haggle is a negotiation of a sale in which each redline is sound but for a promise that A gives up, and both
// together break another; and of a lease, in which they are in conflict.
func haggle() *engine.Negotiation {
	at := func(line int) hcl.Range { return lines(sellerFile, line, line+1) }
	both := flawed()
	both.Diagnostics = nil
	last := lasting()
	sides := func(status engine.Status, head *engine.Result, r delta.Relation) *engine.ContractReview {
		return &engine.ContractReview{Path: "contracts/sale", Name: "sale", Status: status, Base: sound(), Head: head, Difference: &engine.Difference{All: engine.Behaviour{Relation: r}}}
	}
	held, old := discharge(engine.Holds), lasting()
	old.Verdict, old.Trace = engine.Holds, nil
	answer := func(q engine.Requirement) engine.Answer {
		return engine.Answer{Given: true, Promised: true, Verdict: q.Verdict, Requirement: &q}
	}
	dropped := answer(kept())
	dropped.Promised = false
	merge := sides(engine.Changed, both, delta.Both)
	merge.Findings = []engine.Finding{{Kind: engine.New, Name: "goods-last", Head: &last, Base: &old}}
	lease := &engine.ContractReview{Path: "contracts/lease", Name: "lease", Status: engine.Changed, Base: sound(), Head: sound()}
	return &engine.Negotiation{Base: engine.Origin{Name: "main"}, A: engine.Origin{Name: "seller"}, B: engine.Origin{Name: "./buyer", Directory: true}, Contracts: []engine.ContractNegotiation{
		{Path: "contracts/lease", Name: "lease", Title: "Lease of a shop", A: lease, B: lease, Conflicts: []engine.Conflict{
			{A: engine.Block{Name: `obligation "pay"`, Action: "changed", Terms: []string{"within"}, Source: at(4)}, B: engine.Block{Name: `obligation "pay"`, Action: "changed", Terms: []string{"within"}, Source: at(5)},
				Was: "within = 3", SaysA: "within = 2", SaysB: "within = 9"},
			{A: engine.Block{Name: `party "lessor"`, Action: "removed", Source: at(1), Was: at(9)}, B: engine.Block{Name: `party "lessor" / state "paid"`, Action: "added", Source: at(12)}},
		}},
		{Path: "contracts/old", Name: "old", A: &engine.ContractReview{}, B: &engine.ContractReview{}, Merge: &engine.ContractReview{}},
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", A: sides(engine.Changed, sound(), delta.More), B: sides(engine.Changed, sound(), delta.Both), Merge: merge,
			Promises: []engine.Promise{
				{Name: "goods-only-when-requested", Requirement: point(kept()), Base: answer(kept()), A: dropped, B: answer(kept()), Merge: dropped},
				{Name: "discharge", Requirement: &held, Base: answer(discharge(engine.Violated)), A: answer(discharge(engine.Violated)), B: answer(held), Merge: answer(held)},
				{Name: "goods-last", Requirement: &old, Base: answer(old), A: answer(old), B: answer(old), Merge: answer(last)},
				{Name: "completes", Requirement: point(undecided()), B: answer(undecided()), Merge: answer(undecided())},
			},
			Broken: []engine.Joint{{Promise: 2, Finding: &merge.Findings[0],
				GuiltA: &engine.Guilt{Smallest: true, Blocks: []engine.Block{{Name: `party "seller" / transition "withdraw"`, Action: "added", Source: at(31)}}},
				GuiltB: &engine.Guilt{Smallest: true, Blocks: []engine.Block{{Name: `event "GAC"`, Action: "changed", Terms: []string{"sync"}, Source: at(44)},
					{Name: `party "seller" / transition "end"`, Action: "removed", Source: at(1), Was: at(20)}}},
				RefusalA: &engine.Refusal{Step: 3, Instead: []string{"delivery is accepted"}}, RefusalB: &engine.Refusal{Step: 3}}},
			Courses: []engine.Course{
				{Sequence: engine.Sequence{Run: []engine.Firing{ready(1, "seller"), request(2)}, Refused: "RFG"}, A: engine.Impossible, B: engine.Impossible, Merge: engine.Possible},
				{Sequence: engine.Sequence{Run: []engine.Firing{ready(1, "seller"), withdraw(2)}, Refused: "withdraw"}, A: engine.Possible, B: engine.Impossible, Merge: engine.Possible},
				{Sequence: engine.Sequence{Run: []engine.Firing{ready(1, "purchaser"), accept(2)}, Refused: "GAC"}, A: engine.Possible, B: engine.Impossible, Merge: engine.Impossible},
				{Sequence: engine.Sequence{Run: []engine.Firing{ready(1, "purchaser"), request(2)}, Refused: "RFG"}, Lost: true, A: engine.Possible, B: engine.Impossible},
			}},
	}}
}

func TestNegotiationGolden(t *testing.T) {
	n := haggle()
	golden(t, "negotiation", map[string]string{"text-80": negotiationText(t, n, 80), "text-120": negotiationText(t, n, 120), "markdown": MarkdownNegotiation(n)})
}

func negotiationText(t *testing.T, n *engine.Negotiation, width int) string {
	t.Helper()
	told := func(s Style) string {
		var b bytes.Buffer
		if err := TextNegotiation(&b, n, s); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	plain := told(Style{Width: width})
	sameInColor(t, plain, told, width)
	return plain
}

func TestNegotiationJSONIsAsTheSchemaSays(t *testing.T) {
	for _, n := range []*engine.Negotiation{{}, haggle(), foreignNegotiation("x"), foreignNegotiation("\u202e</script>")} {
		var b bytes.Buffer
		if err := JSONNegotiation(&b, n, "v1.2.3"); err != nil {
			t.Fatal(err)
		}
		validate(t, schemaOf(t, "compare-v1.1.schema.json"), b.Bytes())
	}
}

// TestEffects holds what becomes of a promise to a table of all that can be said of it.
func TestEffects(t *testing.T) {
	waived := lasting()
	waived.Waiver = &engine.Waiver{State: engine.InForce}
	q := func(v engine.Verdict) engine.Answer {
		return engine.Answer{Given: true, Promised: true, Verdict: v, Requirement: &engine.Requirement{Verdict: v}}
	}
	old := func(v engine.Verdict) engine.Answer {
		a := q(v)
		a.Promised = false
		return a
	}
	none, held, broken, unknown := engine.Answer{}, q(engine.Holds), q(engine.Violated), q(engine.Unknown)
	accepted := engine.Answer{Given: true, Promised: true, Verdict: engine.Violated, Requirement: &waived}
	waiting := q(engine.Violated)
	waiting.Waits = true
	for _, row := range []struct {
		was, now engine.Answer
		want     engine.Effect
	}{
		{held, waiting, engine.StillRests}, {held, held, engine.NoEffect}, {held, broken, engine.Breaks}, {held, old(engine.Violated), engine.Breaks}, {held, old(engine.Holds), engine.GivesUp},
		{held, none, engine.GivesUp}, {held, unknown, engine.Unsettled}, {held, accepted, engine.Accepts}, {held, q(engine.IllFormed), engine.Unsettled},
		{broken, held, engine.Wins}, {broken, broken, engine.NoEffect}, {broken, old(engine.Holds), engine.NoEffect}, {broken, none, engine.NoEffect}, {broken, accepted, engine.NoEffect},
		{none, held, engine.Wins}, {none, broken, engine.Unkept}, {none, none, engine.NoEffect}, {none, unknown, engine.Unsettled},
		{unknown, unknown, engine.NoEffect}, {unknown, broken, engine.Unkept}, {unknown, held, engine.Wins},
		{accepted, broken, engine.Breaks}, {accepted, accepted, engine.NoEffect}, {accepted, held, engine.Wins},
	} {
		p := engine.Promise{Base: row.was}
		if got := p.Effect(&row.now); got != row.want {
			t.Errorf("%s → %s: %s, want %s", answer(&row.was), answer(&row.now), got, row.want)
		}
	}
}
