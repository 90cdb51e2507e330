package compare_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/rests"
)

// A pairText is a contract of two parties that meet in events, as a drafter writes it.
type pairText struct {
	steps  map[string][2]string // by party.name, from and to
	events map[string]string    // by name, the names of what a and b do in it
	light  bool
	rest   string // what follows ctl in the promise
	firing string
	paid   string // the step of a that fulfils the obligation o; empty: there is none
	within int    // its ticks
}

func drawPairText(t *rapid.T) pairText {
	p := pairText{steps: map[string][2]string{}, events: map[string]string{}}
	p.firing = rapid.SampledFrom([]string{"one", "one", "all"}).Draw(t, "firing")
	p.rest = rapid.SampledFrom([]string{"", "", "  assuming = progress(a)\n", "  assuming = progress(a, b)\n", "  rests_on = [a]\n", "  rests_on = [a, b]\n", "  rests_on = []\n"}).Draw(t, "rest")
	for range rapid.IntRange(3, 7).Draw(t, "steps") {
		p.add(t)
	}
	if steps := sortedNames(p.steps); p.firing == "one" && rapid.Bool().Draw(t, "owes") && strings.HasPrefix(steps[0], "a.") {
		_, p.paid, _ = strings.Cut(steps[0], ".")
		p.within = rapid.IntRange(1, 2).Draw(t, "within")
	}
	return p
}

func (p pairText) add(t *rapid.T) {
	at := rapid.SampledFrom([]string{"s0", "s1", "s2", "s3"})
	name := rapid.SampledFrom([]string{"a.t0", "a.t1", "a.t2", "a.t3", "a.t4", "a.t5", "a.t6", "a.t7", "b.t0", "b.t1"}).Draw(t, "name")
	from, to := at.Draw(t, "from"), at.Draw(t, "to")
	if strings.HasPrefix(name, "b.") {
		two := rapid.SampledFrom([]string{"s0", "s1"})
		from, to = two.Draw(t, "from"), two.Draw(t, "to")
	}
	p.steps[name] = [2]string{from, to}
}

// amended changes a text a little: steps added, dropped or led elsewhere, events added or dropped, and a light beside it.
func (p pairText) amended(t *rapid.T) pairText {
	q := p
	q.steps, q.events = maps.Clone(p.steps), maps.Clone(p.events)
	for range rapid.IntRange(1, 3).Draw(t, "changes") {
		switch names := sortedNames(q.steps); rapid.IntRange(0, 14).Draw(t, "change") {
		case 0:
			if dropped := rapid.SampledFrom(names).Draw(t, "dropped"); len(names) > 1 && dropped != "a."+q.paid {
				delete(q.steps, dropped)
			}
		case 1:
			q.meet(t)
		case 2:
			q.light = true
		case 13, 14: // a can put off for ever what it does otherwise
			q.steps["a.t6"], q.steps["a.t7"] = [2]string{"s0", "s1"}, [2]string{"s1", "s0"}
		case 12:
			q.within = max(q.within, 1) // 1, or as it was without time
			q.within = 3 - q.within
		case 3, 4:
			q.rename(rapid.SampledFrom(names).Draw(t, "renamed"))
		default:
			q.add(t)
		}
	}
	return q
}

// meet makes a step of a and one of b happen together.
func (p pairText) meet(t *rapid.T) {
	a, b := rapid.SampledFrom([]string{"t0", "t1", "t2"}).Draw(t, "a"), rapid.SampledFrom([]string{"t0", "t1"}).Draw(t, "b")
	if _, is := p.steps["a."+a]; !is {
		return
	}
	if _, is := p.steps["b."+b]; is && a != p.paid {
		p.events["e_"+a] = a + " " + b
	}
}

// rename calls a step otherwise.
func (p pairText) rename(name string) {
	if party, own, _ := strings.Cut(name, "."); !strings.HasPrefix(own, "new") && (party != "a" || own != p.paid) {
		p.steps[party+".new-"+own] = p.steps[name]
		delete(p.steps, name)
		for event, meet := range p.events {
			a, b, _ := strings.Cut(meet, " ")
			if party == "a" && a == own {
				a = "new-" + a
			} else if party == "b" && b == own {
				b = "new-" + b
			}
			p.events[event] = a + " " + b
		}
	}
}

func sortedNames[V any](of map[string]V) []string {
	var names []string
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (p pairText) text(formula string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" { firing = %s }\n", p.firing)
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range map[string]int{"a": 4, "b": 2}[party] {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for _, name := range sortedNames(p.steps) {
			if of, own, _ := strings.Cut(name, "."); of == party {
				fmt.Fprintf(&b, "  transition %q {\n    from = %s\n    to   = %s\n  }\n", own, p.steps[name][0], p.steps[name][1])
			}
		}
		b.WriteString("}\n")
	}
	for _, name := range sortedNames(p.events) {
		own, other, _ := strings.Cut(p.events[name], " ")
		if _, is := p.steps["a."+own]; !is {
			continue
		}
		if _, is := p.steps["b."+other]; is {
			fmt.Fprintf(&b, "event %q {\n  sync = {\n    a = %s\n    b = %s\n  }\n}\n", name, own, other)
		}
	}
	if p.light {
		b.WriteString(testkit.Light)
	}
	if _, is := p.steps["a."+p.paid]; is && p.paid != "" {
		fmt.Fprintf(&b, "event \"pay\" { sync = { a = %s } }\nobligation \"o\" {\n  bearer = a\n  fulfil = pay\n  within = %d\n}\n", p.paid, p.within)
	}
	return fmt.Sprintf("%srequirement \"r\" {\n  ctl = %q\n%s}\n", b.String(), formula, p.rest)
}

// key is what a composed transition does: its name, and who does what in an event; called as the amendment calls it.
func (p pairText) key(name string, called map[string]string) string {
	now := func(name string) string {
		if other, is := called[name]; is {
			return other
		}
		return name
	}
	if name == "pay" {
		return name + " " + now("a."+p.paid)
	}
	a, b, meet := strings.Cut(p.events[name], " ")
	if !meet {
		return now(name)
	}
	return now(name) + " " + now("a."+a) + " " + now("b."+b)
}

// calledOtherwise returns what the review says is renamed.
func calledOtherwise(r *finding.ContractReview) map[string]string {
	called := map[string]string{}
	if r.Difference != nil {
		for _, c := range r.Difference.Changes {
			if c.Action == diff.Renamed && (c.Element == diff.Transition || c.Element == diff.Event) {
				called[c.Was] = c.Name
			}
		}
	}
	return called
}

// TestNewWaysByTheirDefinition: what is sorted is what the definition says, of all runs of at most eight steps of 500 random amendments; nightly of 2,000.
func TestNewWaysByTheirDefinition(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 25)
	counts := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			base := drawPairText(t)
			base.meet(t)
			formula := rapid.SampledFrom(violated(t, base)).Draw(t, "formula")
			head := base.amended(t)
			counts[sortedAsDefined(t, base, head, formula)]++
			counts["firing "+head.firing]++
			if head.rest != "" {
				counts["progress"]++
			}
		}
	})
	t.Log(counts)
	counts["new in any way"] = counts["new"] + counts["in a new way"] // each is rare: of 500 draws some six
	for _, k := range []string{"new in any way", "standing", "kept", "repaired", "rests-as-before"} {
		if counts[k] == 0 && (k != "rests-as-before" || draws.All()) { // four of a thousand
			t.Errorf("%s: only %d", k, counts[k])
		}
	}
}

var sortedFormulas = []string{
	"AG !a.s3", "AG !(a.s3 && b.s1)", "AF a.s1", "A[!a.s2 U a.s1]", "A[!a.s2 W a.s1]", "AG(a.s1 -> AF a.s2)", "AG(a.s1 -> AX a.s2)", "AG EF a.s0",
	"AF !o.owed", "AG !o.breached", "AF o.fulfilled", "AG (a.s1 -> AF o.fulfilled)",
	"AG !a.s3 && AF a.s2", "AG(a.s1 -> A[!a.s3 W a.s2])", "AX a.s1", "AF AG !a.s0"}

// violated lists the formulas that a text violates, and some of the others.
func violated(t *rapid.T, p pairText) []string {
	var list []string
	for _, f := range sortedFormulas {
		d := testkit.DraftOf(t, p.text(f))
		if len(d.Broken) > 0 { // whom it rests on is not asked of every formula
			continue
		}
		if len(list) == 0 || !walkableOf(p, d, nil).sat(d.Formulas[0])[0] {
			list = append(list, f)
		}
	}
	return list
}

// restsOnTheSame reports whether the only promise rests on the same in both versions, by the definitions, and whether acting alone keeps it there.
func restsOnTheSame(base, head *compile.Draft) (same, acting bool) {
	var sets, norms [2][][]string
	var noRuns [2]bool
	for i, d := range []*compile.Draft{base, head} {
		if d.Spec.Requirements[0].RestsOn != nil { // the verdict is on those runs alone
			return false, false
		}
		if _, normal := rests.Normal(d.Formulas[0], false); !normal || !rests.Comes(d.Formulas[0]) {
			return false, false
		}
		g, markings, _ := testkit.ExploreForProgress(d)
		sets[i], norms[i], noRuns[i] = testkit.NaiveResting(d, false, 0, g, markings)
	}
	same = slices.EqualFunc(sets[0], sets[1], slices.Equal) && slices.EqualFunc(norms[0], norms[1], slices.Equal) && noRuns[0] == noRuns[1]
	return same, len(sets[0]) > 0
}

// sorts returns what an amendment does to a promise.
func (x *definition) sorts(was, now *ctl.Formula) finding.Kind {
	x.pair(now, was)
	held := x.base.sat(was)[0]
	switch holds := x.sat(now, 0); {
	case holds && !held:
		return finding.Repaired
	case holds:
		return finding.Kept
	case held || x.some(func(c *course) bool { return x.isNew(now, c, 0) }, 8):
		return finding.New
	}
	return finding.Standing
}

func sortedAsDefined(t *rapid.T, base, head pairText, formula string) string {
	was, now := testkit.DraftOf(t, base.text(formula)), testkit.DraftOf(t, head.text(formula))
	review := blame.Compare(context.Background(), was, now, finding.Budget{Jobs: 1})
	if review.Status == finding.Same {
		return "same"
	}
	called := calledOtherwise(&review)
	x := &definition{head: walkableOf(head, now, nil), base: walkableOf(base, was, called), same: map[string]bool{}, labels: map[*ctl.Formula][]bool{}, keeping: map[*ctl.Formula][]bool{}}
	for t := range was.Net.Transitions {
		x.same[base.key(was.Net.Transitions[t].Name, called)] = true
	}
	f := review.Findings[0]
	want := x.sorts(was.Formulas[0], now.Formulas[0])
	if same, acting := restsOnTheSame(was, now); want == finding.New && same {
		urgent := &definition{head: x.head.urgently(now), base: x.base.urgently(was), same: x.same, labels: map[*ctl.Formula][]bool{}, keeping: map[*ctl.Formula][]bool{}}
		if acting || urgent.sorts(was.Formulas[0], now.Formulas[0]) != finding.New {
			want = finding.RestsAsBefore // a new way, but only while somebody waits
		}
	}
	if f.Kind != want {
		t.Fatalf("%s is %s, want %s (%+v)\nbase:\n%s\nhead:\n%s", formula, f.Kind, want, f.Way, base.text(formula), head.text(formula))
	}
	if f.Way != nil && f.Way.New {
		return "in a new way"
	}
	return want.String()
}
