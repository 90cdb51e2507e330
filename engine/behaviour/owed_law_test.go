package behaviour_test

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
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
	"github.com/redlinehq/redline/hclspec"
)

// TestOwedAgainstNaive: what is said of what is owed, and of what can happen beside it, is what definitions taken at their word say, for
// everybody and for each party, one by one and on diagrams.
func TestOwedAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 150
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 1))
	var l owedLaw
	for l.pairs < pairs {
		base := testkit.DrawOwing(r)
		l.compare(t, base.Text(), base.Amended(r).Text())
	}
	t.Logf("%+v", l)
	if l.differ < pairs/3 || l.same < pairs/20 || l.onlyOwed < pairs/10 || l.settled < pairs*2 {
		t.Errorf("the pairs are poor: %+v", l)
	}
}

// TestDeadlinesAgainstNaive: where a deadline was changed, the run that is shown is a shortest one after which a norm is live for others, or
// breached, or over, where it was not before; or the time alone differs, which is what definitions taken at their word say, too.
func TestDeadlinesAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 100
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 2))
	var l owedLaw
	for l.pairs < pairs {
		base := testkit.DrawOwing(r)
		if r.IntN(2) == 0 {
			base = base.Ending(r)
		}
		head := base.Rescheduled(r)
		if r.IntN(4) == 0 {
			head = head.Amended(r)
		}
		l.compare(t, base.Text(), head.Text())
	}
	t.Logf("%+v", l)
	if l.later < pairs/4 || l.timeAlone < pairs/20 || l.onlyOwed < pairs/4 {
		t.Errorf("the pairs are poor: %+v", l)
	}
}

// TestSuspensionAgainstNaive: so where a power suspends an obligation.
func TestSuspensionAgainstNaive(t *testing.T) {
	owingAgainstNaive(t, 4, 30, func(r *rand.Rand) testkit.OwingContract { return testkit.DrawOwing(r).Suspending(r) })
}

// TestExtensionAgainstNaive: so where a power extends an obligation.
func TestExtensionAgainstNaive(t *testing.T) {
	owingAgainstNaive(t, 7, 20, func(r *rand.Rand) testkit.OwingContract { return testkit.DrawOwing(r).Extending(r) })
}

// TestAssignmentAgainstNaive: so where a power assigns an obligation, and where several bear one together.
func TestAssignmentAgainstNaive(t *testing.T) {
	owingAgainstNaive(t, 5, 20, func(r *rand.Rand) testkit.OwingContract { return testkit.DrawOwing(r).Assigning(r) })
}

// TestUnseenAgainstNaive: so where an event that one version alone has, and the bearer no part in, brings about a norm or ends it.
func TestUnseenAgainstNaive(t *testing.T) {
	pairsAgainstNaive(t, 6, 50, func(r *rand.Rand) (base, head testkit.OwingContract) { return testkit.DrawOwing(r).Unseen(r) })
}

// owingAgainstNaive compares drawn contracts with their amendments.
func owingAgainstNaive(t *testing.T, seed uint64, pairs int, draw func(*rand.Rand) testkit.OwingContract) {
	t.Helper()
	l := pairsAgainstNaive(t, seed, pairs, func(r *rand.Rand) (base, head testkit.OwingContract) {
		base = draw(r)
		head = base.Amended(r)
		if r.IntN(3) == 0 {
			head = base.Rescheduled(r)
		}
		return base, head
	})
	if l.same < l.pairs/20 || l.onlyOwed < l.pairs/10 {
		t.Errorf("the pairs are poor: %+v", l)
	}
}

// pairsAgainstNaive compares drawn versions: some pairs, or 1,000 if all are asked for.
func pairsAgainstNaive(t *testing.T, seed uint64, pairs int, draw func(*rand.Rand) (base, head testkit.OwingContract)) (l owedLaw) {
	t.Helper()
	draws.SkipForRaces(t)
	if draws.All() {
		pairs = 1_000
	}
	r := rand.New(rand.NewPCG(18, seed))
	for l.pairs < pairs {
		base, head := draw(r)
		l.compare(t, base.Text(), head.Text())
	}
	t.Logf("%+v", l)
	if l.differ < pairs/3 || l.settled < pairs*2 {
		t.Errorf("the pairs are poor: %+v", l)
	}
	return l
}

// owedLaw counts what was held against the definitions.
type owedLaw struct{ pairs, differ, same, onlyOwed, views, settled, unsettled, unsettledAll, later, timeAlone, unproved, observed, counted int }

func (l *owedLaw) compare(t *testing.T, base, head string) {
	x, y := testkit.DraftOf(t, base), testkit.DraftOf(t, head)
	_, names := diff.Changes(x.Spec, y.Spec)
	times := strings.Contains(base+head, "within") || strings.Contains(base+head, "lasts")
	models := func(who string) (b, h *testkit.LabelledModel) {
		also := testkit.SeenInOne(x, y, who)
		b, h = testkit.LabelledOf(x, who, times, 24, also), testkit.LabelledOf(y, who, times, 24, also)
		if b != nil {
			testkit.RenamedNorms(b, names, x.Spec.Norms)
		}
		return b, h
	}
	if b, h := models(""); b == nil || h == nil {
		return
	}
	listed := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1})
	if listed.Status != finding.Changed {
		return
	}
	l.pairs++
	vast := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Engine: finding.Symbolic})
	fail := func(format string, args ...any) {
		t.Fatalf("%s\nbase\n%s\nhead\n%s", fmt.Sprintf(format, args...), base, head)
	}
	for i, v := range append([]finding.View{{Behaviour: listed.Difference.All}}, listed.Difference.Views...) {
		b, h := models(v.Party)
		steps, owed := testkit.RelationOfLabelled(b.Steps(), h.Steps()), testkit.RelationOfLabelled(b, h)
		if v.Relation != steps || v.Owed != nil && v.Owed.Relation != owed || v.Owed == nil && owed != steps {
			fail("%q: steps %s, naively %s; owed %+v, naively %s", v.Party, v.Relation, steps, v.Owed, owed)
		}
		other := vast.Difference.All
		if i > 0 {
			other = vast.Difference.Views[i-1].Behaviour
		}
		if other.Relation != steps && other.Relation != delta.Unknown || other.Owed != nil && other.Owed.Relation != owed && other.Owed.Relation != delta.Unknown {
			fail("%q on diagrams: steps %s (%s), naively %s; owed %+v, naively %s", v.Party, other.Relation, other.Reason, steps, other.Owed, owed)
		}
		l.count(i, steps, owed, &other)
		if i == 0 {
			for _, o := range []*finding.Owed{v.Owed, other.Owed} {
				if problem := l.norms(b, h, o); problem != "" {
					fail("%s: %+v", problem, o)
				}
			}
		}
	}
	l.observe(x, y, models, fail)
	for _, r := range []finding.ContractReview{listed, vast} {
		if problem := l.statesAddUp(x, y, &r); problem != "" {
			fail("%s", problem)
		}
	}
}

// TestStatesOfWhatHappened: an event that can happen once leaves another state behind, though no party has states; each is counted as a check counts it.
func TestStatesOfWhatHappened(t *testing.T) {
	const base = `contract "c" {}
party "s" {}
party "b" {}
event "delivery" {
  by = s
}
event "withdrawal" { by = b }
obligation "deliver" {
  bearer       = s
  counterparty = b
  fulfil       = delivery
  until        = withdrawal
  within       = 3
}
`
	head := strings.NewReplacer("by = s\n", "by = s\n  only_while = deliver.breached\n", "{ by = b }", "{\n  by = b\n  only_while = deliver.breached\n}").Replace(base)
	x, y := testkit.DraftOf(t, base), testkit.DraftOf(t, head)
	for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
		r := blame.Compare(t.Context(), x, y, finding.Budget{Jobs: 1, Engine: e})
		if problem := (&owedLaw{}).statesAddUp(x, y, &r); problem != "" || r.Difference.States.Vanished != 4 {
			t.Errorf("%s: %s; %d states vanished", e, problem, r.Difference.States.Vanished)
		}
	}
}

// statesAddUp: where both versions have the same places, or it is not said that some are left aside, the states that appeared, less those that vanished, are those that a check counts more; so
// for dead ends.
func (l *owedLaw) statesAddUp(x, y *compile.Draft, r *finding.ContractReview) string {
	var has [2][]string
	for side, d := range []*compile.Draft{x, y} {
		for _, p := range d.Net.Places {
			has[side] = append(has[side], p.String())
		}
		slices.Sort(has[side])
	}
	was, now, n := r.Base.Model, r.Head.Model, r.Difference.States.Counts()
	if !slices.Equal(has[0], has[1]) && r.Difference.States.Merged || was.States == nil || now.States == nil || r.Difference.States.Unknown != "" {
		return ""
	}
	l.counted++
	for _, c := range [][4]*big.Int{{was.States, now.States, n.Appeared, n.Vanished}, {was.DeadEnds, now.DeadEnds, n.NewDead, n.LostDead}} {
		if more, news := new(big.Int).Sub(c[1], c[0]), new(big.Int).Sub(c[2], c[3]); more.Cmp(news) != 0 {
			return fmt.Sprintf("%s before, %s now; %s new and %s gone", c[0], c[1], c[2], c[3])
		}
	}
	return ""
}

// observe holds what is owed against the definition for a chosen observer: after all steps, also those that it doesn't see, and only its own norms.
func (l *owedLaw) observe(x, y *compile.Draft, models func(who string) (b, h *testkit.LabelledModel), fail func(string, ...any)) {
	party := testkit.PartyNames[l.pairs%len(testkit.PartyNames)]
	b, h := models("")
	_, names := diff.Changes(x.Spec, y.Spec)
	own := map[string]bool{"contract": true}
	for side, d := range []*compile.Draft{x, y} {
		for _, n := range d.Spec.Norms {
			name := n.Name
			if now, known := names.Head(diff.NormElement(n.Kind), name); known && side == 0 {
				name = now
			}
			own[name] = own[name] || slices.ContainsFunc(slices.Concat(n.Bearers, n.Counterparties), func(t hclspec.Tenure) bool {
				return slices.ContainsFunc(t.Parties, func(p *hclspec.Party) bool { return p.Name == party })
			})
		}
	}
	for _, m := range []*testkit.LabelledModel{b, h} {
		for _, label := range m.Labels {
			maps.DeleteFunc(label, func(norm, _ string) bool { return !own[norm] })
		}
	}
	engine := []finding.Engine{finding.Explicit, finding.Symbolic}[l.pairs%2]
	all := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Engine: engine, Observe: []string{party}}).Difference.All
	if problem := l.norms(b, h, all.Owed); problem != "" {
		fail("looking only at %s, %s: %s: %+v", party, engine, problem, all.Owed)
	}
	if all.Owed != nil && all.Owed.Relation != delta.Unknown {
		l.observed++
		if len(all.Owed.Norms) > 0 && all.Same() {
			fail("looking only at %s: it is the same, and norms differ: %+v", party, all.Owed)
		}
	}
}

func (l *owedLaw) count(i int, steps, owed delta.Relation, vast *finding.Behaviour) {
	if i > 0 {
		l.views++
	} else {
		switch {
		case owed == delta.Same:
			l.same++
		case steps == delta.Same:
			l.onlyOwed++
			fallthrough
		default:
			l.differ++
		}
	}
	if vast.Relation == delta.Unknown || vast.Owed != nil && vast.Owed.Relation == delta.Unknown {
		l.unsettled++
		l.unsettledAll += 1 - min(i, 1)
	} else {
		l.settled++
	}
}

// norms holds the norms that are shown against all that differ.
func (l *owedLaw) norms(base, head *testkit.LabelledModel, o *finding.Owed) string {
	if o == nil || o.Relation == delta.Unknown {
		return ""
	}
	lengths, fates, each := testkit.Differing(base, head), testkit.Differing(base.Fates(), head.Fates()), testkit.DifferingStates(base.Fates(), head.Fates())
	fate := func(norm string) bool { // it differs on some side
		_, was := fates[0][norm]
		_, now := fates[1][norm]
		return was || now
	}
	shown := map[string]int{}
	for _, d := range o.Norms {
		side := map[diff.Side]int{diff.InBase: 0, diff.InHead: 1}[d.Side]
		want, differs := lengths[side][d.Norm]
		stands := "" // of the side of the run, without ticks
		switch {
		case d.Reason != "":
			l.unproved++
		case d.TimeAlone == fate(d.Norm):
			return fmt.Sprintf("%s: the time alone: %v; naively %v", d.Norm, d.TimeAlone, fates)
		case d.TimeAlone:
			l.timeAlone++
		default:
			own := [2][]finding.NormState{d.Was, d.Now}[side][0]
			if own.Ticks = 0; own.State != "" {
				stands = d.Kind + " " + own.Words("", nil)
			}
			want, differs = each[side][d.Norm][stands]
			if shown[d.Norm] > 0 && len(d.Run) > 0 { // another way, not always by a shortest run
				want = max(want, d.Run[len(d.Run)-1].Step)
			}
			if lengths[side][d.Norm] < want {
				l.later++
			}
			if sooner, both := fates[1-side][d.Norm]; shown[d.Norm] == 0 && both && sooner < want {
				return fmt.Sprintf("%s: not the shortest run first; naively %v", d.Norm, fates)
			}
		}
		if !differs || len(d.Run) > 0 && d.Run[len(d.Run)-1].Step != want || len(d.Run) == 0 && want != 0 {
			return fmt.Sprintf("%s after %d steps; naively %v", d.Norm, len(d.Run), lengths)
		}
		shown[d.Norm]++
		at := [2][]int{{0}, {0}}
		for _, f := range d.Run {
			for i, m := range []*testkit.LabelledModel{base, head} {
				var next []int
				for _, s := range at[i] {
					for _, a := range m.Arcs[s] {
						if a.Name == testkit.FiringName(f) {
							next = append(next, a.To)
						}
					}
				}
				at[i] = next
			}
		}
		if fate(d.Norm) && d.Reason == "" && slices.ContainsFunc(at[1-side], func(s int) bool {
			return testkit.Fate([]*testkit.LabelledModel{base, head}[1-side].Labels[s][d.Norm]) == stands
		}) {
			return fmt.Sprintf("%s: the other side stands so, too, after %v", d.Norm, d.Run)
		}
		for i, list := range [][]finding.NormState{d.Was, d.Now} {
			m := []*testkit.LabelledModel{base, head}[i]
			for _, s := range at[i] {
				if !slices.ContainsFunc(list, func(n finding.NormState) bool {
					label := m.Labels[s][d.Norm]
					return n.State == "" && label == "" || n.State != "" && strings.HasSuffix(label, " "+n.Words("", nil))
				}) {
					return fmt.Sprintf("%s: %v is not %q", d.Norm, list, m.Labels[s][d.Norm])
				}
			}
		}
	}
	for side := range lengths {
		for norm := range lengths[side] {
			if shown[norm] == 0 {
				return fmt.Sprintf("%s differs and is not shown", norm)
			}
		}
	}
	return ""
}
