package words

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
)

// A dead end in which no party has states and no norm has begun is told by its run alone, without empty brackets.
func TestADeadEndWithoutStates(t *testing.T) {
	run := []finding.Firing{{Step: 1, Event: "ack"}}
	for want, end := range map[string][]finding.PartyState{
		"1 new dead end: after 1 step, the last of them “ack”.":           nil,
		"1 new dead end: after 1 step, the last of them “ack” (a: done).": {{Party: "a", Places: []string{"done"}}},
	} {
		if got := StateLines(&finding.States{NewDead: 1, NewDeadEnds: []finding.Situation{{Run: run, End: end}}}, Terminal); !slices.Equal(got, []string{want}) {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// TestSequencesNotShown: others are counted beside what is shown only.
func TestSequencesNotShown(t *testing.T) {
	for want, b := range map[string]finding.Behaviour{
		"": {Possible: make([]finding.Sequence, 1)},
		"2 other sequences like these not shown.":                        {Possible: make([]finding.Sequence, 1), MoreThan: 2},
		"No sequence is shown: to replay one would take too many steps.": {MoreThan: 3},
	} {
		if got := SequencesNotShown(&b, len(b.Possible) > 0); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
	view := &finding.View{Behaviour: finding.Behaviour{Relation: delta.More, MoreThan: 3}}
	if got := Seen(view, &finding.Difference{}, Terminal); got != inShort(&view.Behaviour) {
		t.Errorf("%q counts more of nothing", got)
	}
}

// TestChoice: where nothing can come next, that is said in words.
func TestChoice(t *testing.T) {
	for want, c := range map[string]finding.Choice{
		"Now these steps can end where nothing can come next. Before the amendment they never did; what could come next was: go.":            {Head: true, Others: [][]string{{"go"}}},
		"Before the amendment these steps could end where only this could come next: go. Now they never do; what can come next is: nothing.": {Next: []string{"go"}, Others: [][]string{{}}},
	} {
		if _, got := Choice(&c, Terminal); got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// TestPlainWords: what is due by itself and clocks are described without words of the machine.
func TestPlainWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{term(diff.Event, diff.Term{Word: "due_after", Was: "deemed"}, Terminal), "of what is due at once it happened after deemed, now before all others"},
		{term(diff.Event, diff.Term{Word: "due_after", Was: "deemed", Now: "expiry"}, Terminal), "of what is due at once it happened after deemed, now after expiry"},
		{term(diff.TheContract, diff.Term{Word: "holidays", Now: "2026-12-25"}, Terminal), "2026-12-25 is a holiday now"},
		{term(diff.TheContract, diff.Term{Word: "holidays", Was: "2026-12-25, 2026-12-28, 2026-12-29", Now: "2026-12-24, 2026-12-25"}, Terminal), "2026-12-24 is a holiday now, and 2026-12-28, 2026-12-29 are no holidays any more"},
		{transition(finding.Change{Before: []string{"30 days left"}}, Terminal), "30 days left → no longer running"},
		{transition(finding.Change{Before: []string{"open"}}, Terminal), "no longer open"},
	} {
		if c.got != c.want {
			t.Errorf("%s; want %s", c.got, c.want)
		}
	}
}

// TestStepAfterWhatIsNotSeen: all that comes before a step is named, also what the party does not see: after some of it alone the other version may have the step.
func TestStepAfterWhatIsNotSeen(t *testing.T) {
	delivery := finding.Firing{Step: 1, Event: "delivery", Parties: []string{"seller"}}
	day := func(step int) finding.Firing {
		return finding.Firing{Step: step, Event: "tick", Title: "time passes: 1 day", Parties: []string{"buyer"}}
	}
	hidden := finding.Firing{Step: 3, Event: "work", Parties: []string{"seller"}}
	for _, c := range []struct {
		observed []string
		before   []finding.Firing
		want     string
	}{
		{nil, nil, "at the start"},
		{nil, []finding.Firing{delivery}, "after: unseen by it, delivery"},
		{[]string{"delivery"}, []finding.Firing{delivery}, "after: delivery"},
		{nil, []finding.Firing{delivery, day(2)}, "after: unseen by it, delivery, then time passes: 1 day"},
		{[]string{"delivery"}, []finding.Firing{delivery, day(2), hidden, day(4)}, "after: delivery, then time passes: 1 day, then, unseen by it, work, then time passes: 1 day"},
	} {
		run := append(c.before, finding.Firing{Step: len(c.before) + 1, Event: "note", Parties: []string{"buyer"}})
		view := &finding.View{Party: "buyer", Behaviour: finding.Behaviour{Observed: c.observed}}
		if step, got := refusalStep(view, &finding.Sequence{Run: run}, nil, Terminal); step != "note" || got != c.want {
			t.Errorf("%s, %s, want %s", step, got, c.want)
		}
	}
}

// TestSeveralAlterations: what an amendment alters is one row, of which the last part alone follows an "and".
func TestSeveralAlterations(t *testing.T) {
	const want = "no promise is broken, but 1 promise becomes vacuous, 2 promises rest on others than before and what is owed changes"
	if got := (balance{hollow: 1, shifted: 2, owed: 1}).altered(); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// TestRefusedStepsOfAParty: a run that is shown above is referred to, unless two that are shown end with the same step; and of a long one the steps are counted.
func TestRefusedStepsOfAParty(t *testing.T) {
	run := func(events ...string) finding.Sequence {
		var all []finding.Firing
		for i, e := range events {
			all = append(all, finding.Firing{Step: i + 1, Event: e, Title: e, Parties: []string{"tenant"}})
		}
		return finding.Sequence{Run: all}
	}
	long := run("a", "b", "c", "d", "e", "f", "g", "quit")
	view := &finding.View{Party: "tenant", Behaviour: finding.Behaviour{Relation: delta.Both,
		Possible:   []finding.Sequence{run("handover", "rent", "quit"), run("rent", "let")},
		Impossible: []finding.Sequence{run("handover", "rent", "rent", "quit"), run("handover", "sublet"), long}}}
	all := &finding.Difference{All: finding.Behaviour{Relation: delta.Both,
		Possible:   []finding.Sequence{run("quit"), run("handover", "rent", "quit"), run("rent", "let")},
		Impossible: []finding.Sequence{run("handover", "sublet")}}}
	const want = "now possible: quit (after: handover, then rent); let (as above); no longer possible: quit (after: handover, then rent, then rent);" +
		" sublet (as above); quit (after 7 steps, the last of them “g”)"
	if got := refusals(view, all, Terminal); got != want {
		t.Errorf("%s; want %s", got, want)
	}
}

// TestWeighedByAllTogether: what only seems to differ to a party that sees less than all is not said to be better or worse for it.
func TestWeighedByAllTogether(t *testing.T) {
	differs := func(norm string, better, worse []string) finding.NormDifference {
		return finding.NormDifference{Kind: "obligation", Norm: norm, Title: norm, Better: better, Worse: worse}
	}
	bank := []string{"bank"}
	whole := finding.Behaviour{Relation: delta.Both, Owed: &finding.Owed{Relation: delta.Both, Norms: []finding.NormDifference{differs("rent[2]", nil, bank)}}}
	d := &finding.Difference{All: whole, Changes: []diff.Change{{Element: diff.Obligation, Name: "rent"}, {Element: diff.Obligation, Name: "deposit"}}}
	for _, c := range []struct {
		seems finding.NormDifference
		want  string
	}{
		{differs("rent[1]", bank, nil), "the same steps; owed otherwise: as above"},
		{differs("rent[2]", bank, nil), "the same steps; owed otherwise: as above"},
		{differs("rent[2]", nil, bank), "the same steps; owed otherwise: as above"},
		{differs("deposit", bank, nil), "the same steps; owed otherwise: as above; deposit (better)"},
	} {
		view := &finding.View{Party: "bank", Behaviour: finding.Behaviour{Relation: delta.Same, Owed: &finding.Owed{Relation: delta.Both, Norms: []finding.NormDifference{c.seems}}}}
		if got := Seen(view, d, Terminal); got != c.want {
			t.Errorf("%s; want %s", got, c.want)
		}
	}
}

// TestStepsThatWaitForOthers: a party that can't tell both versions apart is told which of its own steps follow other steps of others than before.
func TestStepsThatWaitForOthers(t *testing.T) {
	delivery := finding.Firing{Step: 1, Event: "delivery", Parties: []string{"seller"}}
	end := finding.Firing{Step: 2, Event: "termination", Parties: []string{"seller", "buyer"}}
	consent := finding.Firing{Step: 2, Event: "consent", Parties: []string{"buyer"}}
	view := &finding.View{Party: "seller", Behaviour: finding.Behaviour{Relation: delta.Same}}
	for want, all := range map[string]finding.Behaviour{
		"no change that the seller can see":                                         {Relation: delta.Same},
		"the same steps of its own; not decided whether what others can do differs": {},
		"the same steps of its own; what others can do differs: consent":            {Relation: delta.More, Possible: []finding.Sequence{{Run: []finding.Firing{delivery, consent}}}},
		"the same steps of its own in the same order; what others do before some of them differs, which the seller does not see: termination": {Relation: delta.Both,
			Possible: []finding.Sequence{{Run: []finding.Firing{delivery, consent}}}, Impossible: []finding.Sequence{{Run: []finding.Firing{delivery, end}}}},
	} {
		if got := Seen(view, &finding.Difference{All: all}, Terminal); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// TestEffectsOfWhatIsAdded: of an added or removed power it is said what its exercise does to other norms, and of an event what it moves besides.
func TestEffectsOfWhatIsAdded(t *testing.T) {
	terms := func(pairs ...string) (list []diff.Term) {
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, diff.Term{Word: pairs[i], Now: pairs[i+1]})
		}
		return list
	}
	gone := []diff.Term{{Word: "exercise", Was: "stay"}, {Word: "suspends", Was: "pay, ship"}, {Word: "ends_contract", Was: "true"}}
	all := []diff.Change{
		{Action: diff.Added, Element: diff.Event, Name: "a"},
		{Action: diff.Added, Element: diff.Event, Name: "stay", Terms: terms("by", "buyer")},
		{Action: diff.Added, Element: diff.Event, Name: "call", Terms: terms("by", "vendor", "sync", "service = hit")},
		{Action: diff.Added, Element: diff.Power, Name: "p", Terms: terms("exercise", "stay", "lifts", "pay", "assigns", "ship", "to", "fund")},
		{Action: diff.Added, Element: diff.Power, Name: "q", Terms: terms("exercise", "a")},
		{Action: diff.Removed, Element: diff.Power, Name: "r", Terms: gone},
		{Action: diff.Added, Element: diff.Power, Name: "s", Terms: terms("exercise", "stay", "extends", "pay = 5 days, ship = 2 days")},
	}
	want := []string{"events added: a, stay", "event call added, with service = hit", "power p added: stay lifts pay, and assigns ship to fund", "power q added",
		"power r removed: stay no longer suspends pay, ship, and no longer ends the contract",
		"power s added: stay extends pay by 5 days, ship by 2 days"}
	var got []string
	for _, l := range ChangeLines(all, Terminal) {
		got = append(got, l.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestClausesInOneSentence: what can never happen any more is listed once, and so is what can happen now, with the number of those that are left out.
func TestClausesInOneSentence(t *testing.T) {
	var many []finding.Clause
	for i := range MostNames + 2 {
		many = append(many, finding.Clause{Name: fmt.Sprint("a.t", i)})
	}
	got := StateLines(&finding.States{Died: many[:2], Alive: many}, Terminal)
	if len(got) != 2 || got[0] != "Can never happen any more: a.t0; a.t1." || !strings.HasPrefix(got[1], "Can happen now, and never could before: a.t0; ") || !strings.HasSuffix(got[1], "; 2 others.") {
		t.Errorf("%q", got)
	}
}

// TestWhatIsOwedCanEnd: a party is told which duties towards it a new step of others can lift; not of its own step, and not of a power against it.
func TestWhatIsOwedCanEnd(t *testing.T) {
	step := func(to, after string, parties ...string) finding.Sequence {
		return finding.Sequence{Run: []finding.Firing{{Step: 1, Event: "leave", Title: "the buyer leaves", Parties: parties,
			Changed: []finding.Change{{Party: "pay", Before: []string{"owed"}, After: []string{after}, To: to}}}}}
	}
	for _, c := range []struct {
		s    finding.Sequence
		want string
	}{
		{step("seller", "lifted", "buyer"), "what it is owed can end in more cases than before: pay (by: the buyer leaves)"},
		{step("seller", "fulfilled", "buyer"), ""},
		{step("bank", "lifted", "buyer"), ""},
		{step("seller", "lifted", "buyer", "seller"), ""},
	} {
		if got := endable("seller", &finding.Difference{All: finding.Behaviour{Possible: []finding.Sequence{c.s}}}, Terminal); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Where the contract of one version alone has ended by then, that is why the other refuses a step, or lets time pass.
func TestWhoseContractHasEnded(t *testing.T) {
	run := []finding.Firing{{Step: 1, Event: "start"}, {Step: 2, Event: "refund"}}
	b := &finding.Behaviour{
		Possible:   []finding.Sequence{{Run: run, Refused: "refund", Instead: []string{"expiry"}, Ended: diff.InHead}, {Run: run, Refused: "refund"}},
		Impossible: []finding.Sequence{{Run: run, Refused: "refund", Instead: []string{"expiry"}, Ended: diff.InBase}},
	}
	var got []string
	for _, k := range Sequences(b) {
		for i := range k.All {
			got = append(got, k.Refused(&k.All[i], Terminal))
		}
	}
	want := []string{
		"Not possible here before the amendment. Possible instead: expiry. The contract has ended by then; before the amendment it had not.",
		"Not possible here before the amendment; nothing was.",
		"No longer possible here. Possible instead: expiry. Before the amendment the contract had ended by then.",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestOfTheSameStepsNothingIsSettledElsewhere: where the steps are the same, a party that can tell the versions apart takes part in others, or sees others.
func TestOfTheSameStepsNothingIsSettledElsewhere(t *testing.T) {
	view := &finding.View{Party: "guarantor", In: diff.InBoth, Behaviour: finding.Behaviour{Relation: delta.Otherwise}}
	for relation, want := range map[delta.Relation]string{
		delta.Same:      "the same steps, of which the guarantor takes part in others, or sees others",
		delta.Otherwise: "the same steps in the same order, but what can still follow is settled at another point",
	} {
		if got := Seen(view, &finding.Difference{All: finding.Behaviour{Relation: relation}}, Terminal); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestWhatIsHeldBeside: what is held and counted is said to be the same only where that is decided.
func TestWhatIsHeldBeside(t *testing.T) {
	const proved = "The same steps can happen, and after each the same obligations and rights stand: proved, not guessed. "
	for want, s := range map[string]finding.States{
		"The contract behaves as before: proved, not guessed.": {},
		proved + "Amounts, or what else the parties hold or count, differ, such as after 1 step, the last of them “go”: title: bank (before: buyer).": {Aside: []string{"x"},
			Apart: &finding.Situation{Run: []finding.Firing{{Step: 1, Event: "go"}}, Differs: []finding.Change{{Party: "title", Before: []string{"buyer"}, After: []string{"bank"}}}}},
		proved + "Amounts, or what else the parties hold or count, differ, such as after 1 step, the last of them “go”.": {Apart: &finding.Situation{Run: []finding.Firing{{Step: 1, Event: "go"}}}},
		proved + "Amounts, or what else the parties hold or count, differ: only one version has seller.fee.":             {Aside: []string{"seller.fee"}, Undecided: "why"},
		proved + "Whether amounts, or what else the parties hold or count, differ is not decided: why.":                  {Undecided: "why"},
	} {
		if got := Relation(&finding.Difference{All: finding.Behaviour{Relation: delta.Same}, States: s}, Terminal); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
