package compare_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/rests"
	"github.com/redlinehq/redline/hclspec"
)

// restingPromises are what promises of random contracts say. N is a norm's name.
var restingPromises = []string{
	"AF a.s1", "AF (a.s1 || b.s1)", "AF a.s1 && AF b.s1", "AG (a.s1 -> AF b.s1)", "AG (a.s0 -> AF (b.s1 || c.s1))", "A[!a.s1 U b.s1]",
	"AF AG c.s1", "AG AF b.s0", "!EG a.s0", "AG EF a.s1 && AF c.s1", "AG (b.s1 -> A[!c.s1 U a.s1])", "AG !a.s1 || AF c.s1", "AF (a.s1 && EF b.s1)",
	"AF !N.DUE", "AG (N.DUE -> AF N.DONE)", "AF N.DONE", "AG (N.DUE -> AF (N.DONE || a.s1))",
}

// A restingPromise is a requirement of a random contract.
type restingPromise struct {
	name  string
	says  int
	norm  string // what base calls it; empty: none
	ideal bool
}

func drawResting(r *rand.Rand, c testkit.OwingContract) []restingPromise {
	var list []restingPromise
	for i := range 3 {
		p := restingPromise{name: fmt.Sprint("p", i), says: r.IntN(len(restingPromises)), ideal: r.IntN(6) == 0}
		if n := c.Norms[r.IntN(len(c.Norms))]; strings.Contains(restingPromises[p.says], "N.") {
			if p.norm = n.Name; n.Kind != "obligation" {
				p.says, p.norm = r.IntN(13), ""
			}
		}
		list = append(list, p)
	}
	return list
}

// wording writes what a promise says in a contract that calls norms otherwise; empty: the contract has not the norm it speaks of.
func (p restingPromise) wording(c testkit.OwingContract) string {
	text := restingPromises[p.says]
	if p.norm == "" {
		return text
	}
	for _, n := range c.Norms {
		if strings.TrimLeft(n.Name, "r") == p.norm && n.Kind == "obligation" {
			return strings.NewReplacer("N.DUE", n.Name+".owed", "N.DONE", n.Name+".fulfilled").Replace(text)
		}
	}
	return ""
}

// restingText writes a contract with promises. Carol takes the place of c, and a light is added, where that is asked for.
func restingText(c testkit.OwingContract, promises []restingPromise, carol, lit bool) string {
	text := c.Text()
	if lit {
		text += testkit.Light
	}
	for _, p := range promises {
		if w := p.wording(c); w != "" {
			text += fmt.Sprintf("requirement %q {\n  ctl = %q\n%s}\n", p.name, w, map[bool]string{true: "  over = ideal\n"}[p.ideal])
		}
	}
	if carol {
		text = regexp.MustCompile(`\bc\b`).ReplaceAllString(text, "carol")
	}
	return text
}

// TestReviewOfRestsAgainstNaive: on whom a review says that promises rest, before an amendment and after it, and what comes of it, is what the definition says,
// in both engines.
func TestReviewOfRestsAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 100
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(15, 4))
	l := restingLaw{T: t, kinds: map[finding.Kind]int{}}
	for l.pairs < pairs {
		l.draw(r)
	}
	t.Logf("%d pairs, %d promises, %d changed, %d not kept by acting, %d by norms: %v", l.pairs, l.asked, l.changed, l.never, l.norms, l.kinds)
	if l.asked < pairs || l.changed < pairs/5 || l.norms < pairs/50 || l.kinds[finding.RestsAsBefore] < pairs/25 || l.kinds[finding.New] < pairs/10 {
		t.Error("the pairs are poor")
	}
}

type restingLaw struct {
	*testing.T
	pairs, asked, changed, never, norms int
	kinds                               map[finding.Kind]int
}

// draw compares one pair, unless it is too large for what is naive.
func (l *restingLaw) draw(r *rand.Rand) {
	base := testkit.DrawOwing(r)
	for i := range base.Steps {
		if r.IntN(2) == 0 { // something comes of most
			base.Steps[i] = [3]int{0, 1}
		}
	}
	head := base.Amended(r)
	if e := r.IntN(testkit.OwingEvents); r.IntN(2) == 0 { // another takes part, or no more
		who := r.IntN(len(testkit.PartyNames))
		if i := slices.Index(head.Who[e], who); i < 0 {
			head.Who[e] = append(slices.Clone(head.Who[e]), who)
		} else if len(head.Who[e]) > 1 {
			head.Who[e] = slices.Delete(slices.Clone(head.Who[e]), i, i+1)
		}
	}
	carol, lit := r.IntN(5) == 0, r.IntN(4) == 0
	promises := drawResting(r, base)
	now := slices.Clone(promises)
	switch i := r.IntN(len(now)); r.IntN(5) {
	case 0:
		now[i].says, now[i].norm = r.IntN(13), ""
	case 1:
		now = slices.Delete(now, i, i+1)
	}
	if r.IntN(4) == 0 {
		head = base // what is amended is the light, a name or a promise
	}
	p := restingPair{
		base: versionOf(l.T, restingText(base, promises, false, false)), head: versionOf(l.T, restingText(head, now, carol, lit)),
		baseAsked: versionOf(l.T, restingText(base, now, false, false)), headAsked: versionOf(l.T, restingText(head, promises, carol, lit)),
	}
	if p.base == nil || p.head == nil || p.baseAsked == nil || p.headAsked == nil {
		return
	}
	_, p.names = diff.Changes(p.base.Spec, p.head.Spec)
	asked := 0
	for _, e := range []finding.Budget{{Jobs: 1, Engine: finding.Explicit}, {Jobs: 1, Engine: finding.Symbolic}} {
		review := blame.Compare(context.Background(), p.base.Draft, p.head.Draft, e)
		if review.Status != finding.Changed {
			return
		}
		for i := range review.Findings {
			if f := &review.Findings[i]; f.Check == nil && f.Head != nil {
				asked += l.finding(&p, f, e.Engine)
			}
		}
	}
	l.pairs, l.asked = l.pairs+1, l.asked+asked
}

// A restingVersion is a version of a contract with its states.
type restingVersion struct {
	*compile.Draft
	text     string
	graph    naive.Graph
	markings []petri.Marking
	answers  map[string]naiveAnswer // those that were asked for
}

func versionOf(t *testing.T, text string) *restingVersion {
	v := &restingVersion{Draft: testkit.DraftOf(t, text), text: text, answers: map[string]naiveAnswer{}}
	if slices.Contains(v.Formulas, nil) {
		t.Fatalf("a promise means nothing:\n%s", text)
	}
	var oneSafe bool
	if v.graph, v.markings, oneSafe = testkit.ExploreForProgress(v.Draft); !oneSafe || len(v.markings) > 60 {
		return nil
	}
	return v
}

// A naiveAnswer is what a version says to a promise by the definitions.
type naiveAnswer struct {
	holds, asked bool
	sets, norms  [][]string
	noRuns       bool
	bearers      map[string]string // of norms
}

// answer says what a version says to the promise of a name; false where it has none.
func (v *restingVersion) answer(name string) (a naiveAnswer, has bool) {
	i := slices.IndexFunc(v.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name })
	if a, has = v.answers[name]; has || i < 0 {
		return a, has
	}
	f, ideal := v.Formulas[i], v.Spec.Requirements[i].Formula.Ideal
	a.holds = naive.Sat(v.graph, f)[0]
	_, normal := rests.Normal(f, false)
	if a.asked = normal && rests.Comes(f); ideal && a.holds { // nothing is asked of it where no run keeps the contract
		a.asked = a.asked && naive.Sat(v.graph, v.IdealRun())[0]
	}
	if a.asked {
		a.sets, a.norms, a.noRuns = testkit.NaiveResting(v.Draft, ideal, i, v.graph, v.markings)
		a.bearers = map[string]string{}
		for _, n := range v.Spec.Norms {
			a.bearers[n.Name] = n.Bearer()
		}
	}
	v.answers[name] = a
	return a, true
}

// A restingPair is both versions, and each with the promises of the other.
type restingPair struct {
	base, head, baseAsked, headAsked *restingVersion
	names                            *diff.Names
}

// finding holds one finding against the definition; it returns 1 where there was something to compare.
func (l *restingLaw) finding(p *restingPair, f *finding.Finding, e finding.Engine) int {
	if f.Base == nil {
		return 0
	}
	own, made := p.base.answer(f.Base.Name) // the same promise may have another name
	here, head := own, p.headAsked
	if !f.Old {
		here, _ = p.baseAsked.answer(f.Name)
		head = p.head
	}
	now, has := head.answer(f.Name)
	if !has || !made || f.Head.Verdict == finding.Unknown || !p.agrees(f.Name) {
		return 0
	}
	fail := func(format string, args ...any) {
		l.Fatalf("%s, %s (old %t): %s\nbase\n%s\nhead\n%s", f.Name, e, f.Old, fmt.Sprintf(format, args...), p.base.text, p.head.text)
	}
	if f.Kind == finding.Dropped && f.Emptied() { // TestIdealRuns holds when a promise is empty
		if !here.holds || !now.holds {
			fail("it is emptied: head's wording holds on base %t, on head %t", here.holds, now.holds)
		}
		return 0
	}
	if got := restedText(f.Head.Rests); got != now.text(nil) {
		fail("rests on %s; naively %s", got, now.text(nil))
	}
	rested := ""
	if here.asked && now.asked && here.text(p.names) != now.text(nil) {
		rested = here.text(p.names)
		l.changed++
	}
	if got := restedText(f.Rested); got != rested {
		fail("rested on %q before; naively %q", got, rested)
	}
	if want := p.kinds(f, own, here, now, rested == "", e); !slices.Contains(want, f.Kind) {
		fail("it is %s, and one of %v: holds on base %t, head's wording %t, on head %t; rests on %s", f.Kind, want, own.holds, here.holds, now.holds, now.text(nil))
	}
	l.kinds[f.Kind]++
	if len(now.norms) > 0 {
		l.norms++
	} else if now.asked && len(now.sets) == 0 {
		l.never++
	}
	return 1
}

// kinds lists what an amendment may have done to a promise that base made. Whether what both violate is violated in a new way is no part of this law.
func (p *restingPair) kinds(f *finding.Finding, own, here, now naiveAnswer, same bool, e finding.Engine) []finding.Kind {
	bad := finding.New
	if f.Old {
		bad = finding.Weakened
	}
	waits := same && here.asked && now.asked && len(now.sets) > 0
	urgent := same && here.asked && now.asked && len(now.sets) == 0 && e == finding.Explicit // then it may be so, too: TestNewWaysByTheirDefinition holds when
	switch {
	case now.holds && f.Old:
		return []finding.Kind{finding.Dropped, finding.Kept, finding.Repaired}
	case now.holds && !own.holds && !here.holds:
		return []finding.Kind{finding.Repaired}
	case now.holds:
		return []finding.Kind{finding.Kept}
	case own.holds && f.Old && waits: // given up, unless head promises as much
		return []finding.Kind{finding.RestsAsBefore, finding.Weakened}[map[bool]int{true: 0, false: 1}[f.Implied != ""]:][:1]
	}
	if waits {
		bad = finding.RestsAsBefore
	}
	switch {
	case (own.holds || here.holds) && urgent:
		return []finding.Kind{bad, finding.RestsAsBefore}
	case own.holds || here.holds:
		return []finding.Kind{bad}
	case urgent:
		return []finding.Kind{finding.Standing, bad, finding.RestsAsBefore}
	case !waits && e == finding.Symbolic: // there no ways are compared
		bad = finding.Undecided
	}
	return []finding.Kind{finding.Standing, bad}
}

// agrees reports whether an amendment that renames was read so.
func (p *restingPair) agrees(name string) bool {
	for _, party := range testkit.PartyNames {
		now, ok := p.names.Head(diff.Party, party)
		carol := party == "c" && strings.Contains(p.head.text, "party \"carol\"")
		if !ok || (now != party) != carol {
			return false
		}
	}
	for _, n := range p.base.Spec.Norms {
		now, ok := p.names.Head(diff.NormElement(n.Kind), n.Name)
		if mentions(p.base, name, n.Name) && (!ok || strings.TrimLeft(now, "r") != strings.TrimLeft(n.Name, "r")) {
			return false
		}
	}
	return true
}

// mentions reports whether a promise is about a norm.
func mentions(v *restingVersion, name, norm string) bool {
	return slices.ContainsFunc(v.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == name && strings.Contains(r.Formula.Text, norm+".") })
}

// text writes sets in head's names: of base, if there are names.
func (a naiveAnswer) text(names *diff.Names) string {
	if !a.asked {
		return ""
	}
	head := func(name string, elements ...diff.Element) string {
		for _, e := range elements {
			if names != nil {
				if now, ok := names.Head(e, name); ok {
					return now
				}
			}
		}
		return name
	}
	renamed := func(sets [][]string, elements ...diff.Element) [][]string {
		var all [][]string
		for _, set := range sets {
			var list []string
			for _, name := range set {
				now := head(name, elements...)
				if bearer, is := a.bearers[name]; is {
					now += " of " + head(bearer, diff.Party)
				}
				list = append(list, now)
			}
			all = append(all, list)
		}
		return all
	}
	return setsText(renamed(a.sets, diff.Party), renamed(a.norms, diff.Obligation, diff.Prohibition), a.noRuns)
}

// restedText writes what the engine says, likewise.
func restedText(r *finding.Rests) string {
	if r == nil {
		return ""
	}
	var norms [][]string
	for _, set := range r.Norms {
		var list []string
		for _, n := range set {
			list = append(list, n.Norm+" of "+n.Bearer)
		}
		norms = append(norms, list)
	}
	text := setsText(r.Sets, norms, r.NoRuns) + r.Unknown
	if r.More {
		text += " more"
	}
	return text
}

// setsText writes sets of members and of norms in an order of its own.
func setsText(sets, norms [][]string, noRuns bool) string {
	var all []string
	for i, list := range [][][]string{sets, norms} {
		for _, set := range list {
			all = append(all, fmt.Sprint(i, slices.Sorted(slices.Values(set))))
		}
	}
	slices.Sort(all)
	if noRuns {
		all = append(all, "for want of runs")
	}
	return "on " + strings.Join(all, " ")
}
