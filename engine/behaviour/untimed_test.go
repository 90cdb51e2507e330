package behaviour_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
)

// sale is a contract in which the buyer owes the price after it has accepted the goods, or is silent for three days.
const sale = `contract "sale" {}
party "seller" {}
party "buyer" {}
event "delivery" { by = seller }
event "acceptance" {
  by     = buyer
  within = { delivery = "1 day" }
}
event "silence" {
  after      = { delivery = "3 days" }
  only_while = pay.dormant
}
event "payment" {
  by         = buyer
  only_while = pay.owed
}
obligation "pay" {
  bearer       = buyer
  counterparty = seller
  when         = [acceptance, silence]
  fulfil       = payment
  within       = "5 days"
}
`

// TestWhatALaterDutyIsAfterTheSameEvents: an early change of time, or a step that comes between, leaves no run that both versions have; what becomes of a later duty is
// told after the same events all the same.
func TestWhatALaterDutyIsAfterTheSameEvents(t *testing.T) {
	const dropped = "pay after 5: owed by the buyer to the seller, 5 days left -> not owed; better buyer; worse seller"
	silent := strings.Replace(sale, "[acceptance, silence]", "silence", 1)
	const transfer = "event \"transfer\" {\n  by         = buyer\n  only_while = pay.owed\n}\nevent \"payment\""
	identified := "event \"identification\" { by = buyer }\nparty \"bank\" {\n  state \"open\" {}\n  state \"named\" { since = identification }\n}\n"
	for _, c := range []struct {
		name, base string
		changes    []string
		want       string
	}{
		{"later, and no duty follows", sale, []string{"3 days", "4 days", "[acceptance, silence]", "acceptance"}, dropped},
		{"sooner, and no duty follows", sale, []string{"3 days", "2 days", "[acceptance, silence]", "acceptance"}, "pay after 4: owed by the buyer to the seller, or breached by the buyer towards the seller -> not owed; better buyer; worse seller"},
		{"later, and the duty is longer", silent, []string{"3 days", "4 days", "5 days", "9 days"}, "pay after 6: owed by the buyer to the seller, 5 days left -> owed by the buyer to the seller, 9 days left; better buyer; worse seller"},
		{"later, and the duty is shorter", silent, []string{"3 days", "4 days", "5 days", "2 days"}, "pay after 5: owed by the buyer to the seller, 5 days left -> owed by the buyer to the seller, 2 days left; better seller; worse buyer\npay after 5: owed by the buyer to the seller, 5 days left -> not owed; better buyer; worse seller"},
		{"later, and to another", silent, []string{"3 days", "4 days", "counterparty = seller", "counterparty = bank", "party \"buyer\"", "party \"bank\" {}\nparty \"buyer\""}, "pay after 5: owed by the buyer to the seller, 5 days left -> owed by the buyer to the bank, or breached by the buyer towards the bank; better bank; worse seller"},
		{"a step comes first, and no duty follows", sale, []string{"delivery\" { by = seller }", "delivery\" {\n  by         = seller\n  only_while = bank.named\n}\n" + identified, "[acceptance, silence]", "acceptance"}, dropped},
		{"a step that ends it is new", sale, []string{"within       = \"5", "until        = waiver\n  within       = \"5", "contract \"sale\" {}", "contract \"sale\" {}\nevent \"waiver\" { by = buyer }"}, "pay after 3: owed by the buyer to the seller, or breached by the buyer towards the seller -> lifted; better buyer; worse seller"},
		{"nothing but the time before it", sale, []string{"3 days", "4 days"}, "pay after 5: owed by the buyer to the seller, 5 days left -> not owed; better buyer; worse seller"},
		{"a new event fulfils it, too", sale, []string{"event \"payment\"", transfer, "= payment", "= [payment, transfer]"}, "pay after 3: owed by the buyer to the seller, or breached by the buyer towards the seller -> fulfilled; better buyer; worse seller"},
		{"a new event fulfils it instead", sale, []string{"event \"payment\"", transfer, "= payment", "= transfer"}, "pay after 3: owed by the buyer to the seller, or breached by the buyer towards the seller -> fulfilled; better ; worse \npay after 3: owed by the buyer to the seller, 5 days left -> fulfilled; better buyer; worse seller"},
		{"an act that comes first, and can come as long", sale, []string{"1 day", "2 days"}, ""},
	} {
		x, y := testkit.DraftOf(t, c.base), testkit.DraftOf(t, strings.NewReplacer(c.changes...).Replace(c.base))
		owed := blame.Compare(t.Context(), x, y, finding.Budget{Jobs: 1}).Difference.All.Owed
		if got := owedWords(&finding.Owed{Norms: owed.Untimed}); got != c.want || owed.UntimedReason != "" {
			t.Errorf("%s: %s %s\nwant %s", c.name, got, owed.UntimedReason, c.want)
		}
		if vast := blame.Compare(t.Context(), x, y, finding.Budget{Jobs: 1, Engine: finding.Symbolic}).Difference.All.Owed; vast.UntimedReason == "" && c.want != "" {
			t.Errorf("%s: on diagrams it is not said that it is not decided", c.name)
		}
	}
}

// TestAfterTheSameRunOnce: a norm that differs after the same events by a run that shows it already after the same steps is listed once, unless that is
// better or worse for others.
func TestAfterTheSameRunOnce(t *testing.T) {
	const loan = `contract "loan" {}
party "lender" {}
party "borrower" {}
event "start" { by = lender }
event "accepted" { after = { start = 2 } }
event "paid" {
  by         = borrower
  repeats    = true
  only_while = any(pay.owed, pay.breached)
}
obligation "pay" {
  bearer       = borrower
  counterparty = lender
  when         = start
  fulfil       = paid
  times        = 2
  every        = 2
  within       = 2
}
event "fee-paid" { by = borrower }
obligation "fee" {
  bearer       = borrower
  counterparty = lender
  when         = pay.breached
  fulfil       = fee-paid
  within       = 2
}
`
	head := strings.NewReplacer("= start\n", "= accepted\n", "= pay.breached\n", "= paid\n").Replace(loan)
	all := blame.Compare(t.Context(), testkit.DraftOf(t, loan), testkit.DraftOf(t, head), finding.Budget{Jobs: 1}).Difference.All.Owed.All()
	fees := 0
	for i, d := range all {
		fees += map[bool]int{true: 1}[d.Norm == "fee"]
		for _, o := range all[:i] {
			if o.SameNorm(d) && finding.SameRun(o.Run, d.Run) && len(d.Better)+len(d.Worse) == 0 {
				t.Errorf("%s is listed again, after the same %d steps", d.Norm, len(d.Run))
			}
		}
	}
	if fees == 0 {
		t.Error("the fee does not differ")
	}
}

// TestABreachThatEndsTheContract: if a breach ends the contract now, the same events can happen only where the norm was kept. Nobody is better off by that.
func TestABreachThatEndsTheContract(t *testing.T) {
	const lease = `contract "lease" { ends = expiry }
party "landlord" {}
party "tenant" {}
event "signing" { by = [landlord, tenant] }
event "expiry" { after = { signing = 6 } }
event "payment" {
  by         = tenant
  repeats    = true
  only_while = rent.owed
}
obligation "rent" {
  bearer       = tenant
  counterparty = landlord
  when         = signing
  fulfil       = payment
  times        = 2
  every        = 2
  within       = 1
}
`
	ending := strings.Replace(lease, "within       = 1\n", "within       = 1\n  ends_contract = true\n", 1)
	for _, versions := range [][2]string{{lease, ending}, {ending, lease}} {
		o := blame.Compare(t.Context(), testkit.DraftOf(t, versions[0]), testkit.DraftOf(t, versions[1]), finding.Budget{Jobs: 1}).Difference.All.Owed
		if len(o.Untimed) == 0 {
			t.Error("nothing is told of the same events")
		}
		for _, d := range o.Untimed {
			if len(d.Better)+len(d.Worse) > 0 {
				t.Errorf("%s: better for %v, worse for %v", d.Norm, d.Better, d.Worse)
			}
		}
	}
}

// TestUntimedAgainstNaive: of two versions whose steps part ways, the norms that stand otherwise after the same events, whenever they happen, are those that
// definitions taken at their word find, and in the states that are shown.
func TestUntimedAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 80
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 9))
	kinds := map[string]int{}
	for n := 0; n < pairs; {
		var texts [2]string
		switch c := testkit.DrawOwing(r); r.IntN(4) {
		case 0:
			base, head := c.Unseen(r)
			texts = [2]string{base.Text(), head.Text()}
		default:
			texts[0], texts[1] = c.Parting(r)
		}
		x, y := testkit.DraftOf(t, texts[0]), testkit.DraftOf(t, texts[1])
		b, h := testkit.LabelledOf(x, "", true, 40, nil), testkit.LabelledOf(y, "", true, 40, nil)
		if b == nil || h == nil {
			continue
		}
		n++
		_, names := diff.Changes(x.Spec, y.Spec)
		testkit.RenamedNorms(b, names, x.Spec.Norms)
		review := blame.Compare(t.Context(), x, y, finding.Budget{Jobs: 1})
		if review.Difference == nil || review.Difference.All.Owed == nil {
			continue
		}
		if problem := untimedProblem(&review.Difference.All, [2]*testkit.LabelledModel{eventsOf(b, y), eventsOf(h, x)}, [2]*testkit.LabelledModel{clockedOf(b, x, y), clockedOf(h, x, y)}, review.Difference.Changes, kinds); problem != "" {
			t.Fatalf("%s\n%s\n%s", problem, texts[0], texts[1])
		}
	}
	t.Log(kinds)
	for _, kind := range []string{"base", "head", "parted", "in ticks", "by itself"} {
		if kinds[kind] < pairs/40 {
			t.Errorf("the pairs are poor: %v", kinds)
		}
	}
}

// eventsOf returns a model in which time is not observed, and nothing that the other draft lacks.
func eventsOf(m *testkit.LabelledModel, other *compile.Draft) *testkit.LabelledModel {
	shared := map[string]bool{}
	for _, t := range other.Net.Transitions {
		shared[t.Name] = !t.Moving
	}
	own := *m
	own.Arcs = nil
	for _, arcs := range m.Arcs {
		arcs = slices.Clone(arcs)
		for i := range arcs {
			if !shared[arcs[i].Name] {
				arcs[i].Name = ""
			}
		}
		own.Arcs = append(own.Arcs, arcs)
	}
	return &own
}

// clockedOf returns a model in which time is observed, and what both drafts have, but for what happens by itself. It returns nil if nothing does.
func clockedOf(m *testkit.LabelledModel, x, y *compile.Draft) *testkit.LabelledModel {
	hidden := map[string]bool{}
	for _, d := range []*compile.Draft{x, y} {
		for _, e := range d.Urgent() {
			hidden[e.Name] = true
		}
	}
	if len(hidden) == 0 {
		return nil
	}
	shared := map[string]int{}
	for _, d := range []*compile.Draft{x, y} {
		for _, t := range d.Net.Transitions {
			shared[t.Name]++
		}
	}
	own := *m
	own.Arcs = nil
	for _, arcs := range m.Arcs {
		arcs = slices.Clone(arcs)
		for i := range arcs {
			if name := arcs[i].Name; name != "tick" && (hidden[name] || shared[name] < 2) {
				arcs[i].Name = ""
			}
		}
		own.Arcs = append(own.Arcs, arcs)
	}
	own.Labels = nil
	for _, l := range m.Labels {
		fates := map[string]string{}
		for norm, stands := range l {
			fates[norm] = testkit.Fate(stands)
		}
		own.Labels = append(own.Labels, fates)
	}
	return &own
}

// byItselfProblem wants the norms that differ at the same time to be those that naively do, in the states that are shown.
func byItselfProblem(b *finding.Behaviour, of [2]*testkit.LabelledModel, kinds map[string]int) string {
	differs := [2]map[string]map[string]int{}
	if of[0] != nil {
		differs = testkit.DifferingStates(of[0], of[1])
	}
	shown := map[string]bool{}
	for _, d := range b.Owed.All() {
		shown[d.Norm] = true
	}
	for _, d := range b.Owed.Untimed {
		if d.Untimed {
			continue
		}
		kinds["by itself"]++
		side := map[diff.Side]int{diff.InBase: 0, diff.InHead: 1}[d.Side]
		own, stands := [2][]finding.NormState{d.Was, d.Now}[side], ""
		if own[0].Ticks = 0; own[0].State != "" {
			stands = d.Kind + " " + own[0].Words("", nil)
		}
		if _, so := differs[side][d.Norm][stands]; !so || len(own) != 1 {
			return fmt.Sprintf("%s at the same time: %v is shown of side %d, naively %v", d.Norm, own, side, differs)
		}
	}
	for _, norms := range differs {
		for norm := range norms {
			if !shown[norm] && b.Owed.UntimedReason == "" && b.Owed.Unshown == 0 {
				return fmt.Sprintf("%s differs at the same time and is not shown: %v", norm, differs)
			}
		}
	}
	return ""
}

var bearers = regexp.MustCompile(`the \w+( and the \w+)*`)

// bondOf returns whom a state of a norm binds.
func bondOf(stands string) string { return fmt.Sprint(bearers.FindAllString(stands, -1)) }

// bondsOf returns a model whose labels say of each norm that binds, or is breached, whom it binds.
func bondsOf(m *testkit.LabelledModel) *testkit.LabelledModel {
	own := *m
	own.Labels = nil
	for _, l := range m.Labels {
		bonds := map[string]string{}
		for norm, stands := range l {
			bonds[norm] = bondOf(stands)
		}
		own.Labels = append(own.Labels, bonds)
	}
	return &own
}

func untimedProblem(b *finding.Behaviour, of, clocked [2]*testkit.LabelledModel, changes []diff.Change, kinds map[string]int) string {
	if b.Relation == delta.Same || b.Relation == delta.Otherwise {
		if len(b.Owed.Untimed) > 0 {
			return "the steps are the same"
		}
		return ""
	}
	kinds["parted"]++
	if problem := byItselfProblem(b, clocked, kinds); problem != "" {
		return problem
	}
	base, head := of[0], of[1]
	ticks, bonds := testkit.DifferingStates(base, head), testkit.DifferingStates(bondsOf(base), bondsOf(head))
	shown := map[string]bool{}
	for _, d := range b.Owed.Norms {
		shown[d.Norm] = true
	}
	for _, d := range b.Owed.Untimed {
		if !d.Untimed {
			continue
		}
		side := map[diff.Side]int{diff.InBase: 0, diff.InHead: 1}[d.Side]
		kinds[[]string{"base", "head"}[side]]++
		own, of := [2][]finding.NormState{d.Was, d.Now}[side], bonds
		if others := [2][]finding.NormState{d.Now, d.Was}[side]; own[0].Ticks > 0 && others[0].Ticks > 0 {
			kinds["in ticks"]++
			of = ticks
		} else {
			own[0].Ticks = 0
		}
		stands := ""
		if own[0].State != "" {
			stands = d.Kind + " " + own[0].Words("", nil)
		}
		if stands != "" && own[0].Ticks == 0 {
			stands = bondOf(stands)
		}
		if _, so := of[side][d.Norm][stands]; !so || len(own) != 1 {
			return fmt.Sprintf("%s: %v is shown of side %d, naively %v", d.Norm, own, side, of)
		}
		if problem := otherStates(&d, side, [2]*testkit.LabelledModel{base, head}); problem != "" {
			return problem
		}
		if shown[d.Norm] {
			kinds["shown with steps"]++
		}
		shown[d.Norm] = true
	}
	for side := range bonds {
		for norm := range bonds[side] {
			if changed := (&finding.NormDifference{Norm: norm, Kind: "obligation"}).Amended(changes); changed && !shown[norm] {
				return fmt.Sprintf("%s differs and is not shown: %v", norm, bonds)
			}
		}
	}
	return ""
}

// otherStates wants what is said of the other side to be all that it can be after the events of the run, whenever they happen; or the most ticks of it.
func otherStates(d *finding.NormDifference, side int, models [2]*testkit.LabelledModel) string {
	m := models[1-side]
	var run []string
	for _, f := range d.Run {
		run = append(run, testkit.FiringName(f))
	}
	said := [2][]finding.NormState{d.Now, d.Was}[side]
	for _, s := range m.After(run) {
		label := m.Labels[s][d.Norm]
		if said[0].Ticks == 0 {
			label = testkit.Fate(label)
		}
		if !slices.ContainsFunc(said, func(n finding.NormState) bool {
			for most := n.Ticks; n.Ticks > 0; n.Ticks-- {
				if strings.HasSuffix(label, " "+n.Words("", nil)) && n.Ticks <= most {
					return true
				}
			}
			return n.State == "" && label == "" || n.State != "" && strings.HasSuffix(label, " "+n.Words("", nil))
		}) && (said[0].Ticks == 0 || strings.Contains(label, " left")) {
			return fmt.Sprintf("%s after %v: %q is not said: %v", d.Norm, d.Run, label, said)
		}
	}
	return ""
}
