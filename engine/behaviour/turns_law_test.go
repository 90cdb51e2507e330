package behaviour_test

import (
	"context"
	"fmt"
	"maps"
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

// TestTurnsAgainstNaive: which norms turn by steps that the other version refuses is what the definition taken at its word says, one by one; what is found on diagrams is
// among them, and is all of what changes the norm where the same is owed.
func TestTurnsAgainstNaive(t *testing.T) {
	draws.SkipForRaces(t)
	pairs := 100
	if draws.All() {
		pairs = 2_000
	}
	r := rand.New(rand.NewPCG(20, 5))
	some, lost, ends, hidden, onDiagrams := 0, 0, 0, 0, 0
	for n := 0; n < pairs; {
		base, head := drawTurning(r)
		if i, from := r.IntN(len(base.Steps)), r.IntN(2); r.IntN(3) > 0 { // a step that one version alone can take at first
			base.Steps[i][0], head.Steps[i][0] = from, 1-from
		}
		x, y := testkit.DraftOf(t, base.Text()), testkit.DraftOf(t, head.Text())
		law := newTurnLaw(x, y, strings.Contains(base.Text()+head.Text(), "within") || strings.Contains(base.Text()+head.Text(), "lasts"))
		if law == nil {
			continue
		}
		n++
		want := map[string]bool{}
		for side := range 2 {
			law.turns(side, false, want)
		}
		plain := len(want)
		law.turns(1, true, want)
		listed := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Owed: true}).Difference
		vast := blame.Compare(context.Background(), x, y, finding.Budget{Jobs: 1, Owed: true, Engine: finding.Symbolic}).Difference
		if listed == nil {
			continue
		}
		if got := turnsOf(listed); listed.Unturned != "" || !maps.Equal(got, want) {
			t.Fatalf("%v %s, naively %v\nbase\n%s\nhead\n%s", sorted(got), listed.Unturned, sorted(want), base.Text(), head.Text())
		}
		got := turnsOf(vast)
		for turn := range want {
			if !got[turn] && vast.Unturned == "" && vast.All.Owed.Relation == delta.Same && !strings.Contains(turn, fmt.Sprint(" ", finding.TurnUsed, " ")) {
				t.Fatalf("on diagrams %v, naively %v\nbase\n%s\nhead\n%s", sorted(got), sorted(want), base.Text(), head.Text())
			}
		}
		for turn := range got {
			if onDiagrams++; !want[turn] {
				t.Fatalf("on diagrams %v, naively %v\nbase\n%s\nhead\n%s", sorted(got), sorted(want), base.Text(), head.Text())
			}
		}
		if len(want) > 0 {
			some++
		}
		for turn := range want {
			if strings.HasPrefix(turn, fmt.Sprint(diff.InBase)) {
				lost++
			}
			if strings.Contains(turn, fmt.Sprint(" ", finding.TurnEnds, " ")) {
				ends++
			}
		}
		hidden += len(want) - plain
	}
	t.Logf("%d of %d pairs, %d of base, %d ends, %d by hidden steps, %d on diagrams", some, pairs, lost, ends, hidden, onDiagrams)
	if some < pairs/4 || lost < pairs/10 || ends < pairs/15 || hidden == 0 || onDiagrams < pairs/4 {
		t.Error("the pairs are poor")
	}
}

// drawTurning draws a contract with norms and an amendment of it: of one that suspends, passes on, extends or ends, or with an event that one version alone has.
func drawTurning(r *rand.Rand) (base, head testkit.OwingContract) {
	base = testkit.DrawOwing(r)
	switch r.IntN(5) {
	case 0:
		base = base.Suspending(r)
	case 1:
		base = base.Assigning(r)
	case 2:
		base = base.Extending(r)
	case 3:
		base = base.Ending(r)
	}
	for i := range base.Steps {
		if r.IntN(4) > 0 {
			base.Steps[i] = [3]int{0, r.IntN(2)}
		}
	}
	head = base.Amended(r)
	if r.IntN(3) == 0 {
		base, head = base.Unseen(r)
		head.Steps = slices.Clone(base.Steps)
	}
	return base, head
}

func sorted(all map[string]bool) []string { return slices.Sorted(maps.Keys(all)) }

// turnsOf returns what was found, without runs.
func turnsOf(d *finding.Difference) map[string]bool {
	all := map[string]bool{}
	for _, t := range d.Turns {
		if t.Side == diff.InHead || t.How != finding.TurnEnds { // that a norm ends in fewer cases is no objection
			all[fmt.Sprint(t.Side, " ", t.How, " ", t.Norm, " ", t.Event)] = true
		}
	}
	return all
}

// A turnLaw has both versions as who sees all does, and their norms by their names on head.
type turnLaw struct {
	models [2]*testkit.LabelledModel
	norms  [2]map[string]*hclspec.Norm
	has    [2]map[string]bool // transitions, by name
}

// newTurnLaw returns nil if a version has too many states.
func newTurnLaw(base, head *compile.Draft, times bool) *turnLaw {
	_, names := diff.Changes(base.Spec, head.Spec)
	l := &turnLaw{}
	for side, d := range []*compile.Draft{base, head} {
		l.models[side], l.norms[side] = testkit.LabelledOf(d, "", times, 24, nil), map[string]*hclspec.Norm{}
		if l.models[side] == nil {
			return nil
		}
		l.has[side] = map[string]bool{}
		for _, t := range d.Net.Transitions {
			l.has[side][t.Name] = true
		}
		for _, n := range d.Spec.Norms {
			name := n.Name
			if now, kept := names.Head(diff.NormElement(n.Kind), name); side == 0 && kept {
				name = now
			} else if side == 0 {
				name = "gone " + name
			}
			l.norms[side][name] = n
		}
	}
	testkit.RenamedNorms(l.models[0], names, base.Spec.Norms)
	return l
}

// turns adds the turns of one side, by the definition: after each sequence of steps that both have, the steps that the other side can't take. If hide is set, steps that one
// side alone has are left out of sequences.
func (l *turnLaw) turns(side int, hide bool, into map[string]bool) {
	own, other := l.models[side], l.models[1-side]
	unseen := func(name string) bool { return hide && name != "tick" && l.has[0][name] != l.has[1][name] }
	after := func(states []int, name string) (to []int) {
		for _, s := range states {
			for _, a := range other.Arcs[s] {
				if a.Name == name {
					to = append(to, a.To)
				}
			}
		}
		for i := 0; i < len(to); i++ {
			for _, a := range other.Arcs[to[i]] {
				if unseen(a.Name) && !slices.Contains(to, a.To) {
					to = append(to, a.To)
				}
			}
		}
		slices.Sort(to)
		return slices.Compact(to)
	}
	type pair struct {
		own    int
		others []int
	}
	start := []int{0}
	for i := 0; i < len(start); i++ {
		for _, a := range other.Arcs[start[i]] {
			if unseen(a.Name) && !slices.Contains(start, a.To) {
				start = append(start, a.To)
			}
		}
	}
	slices.Sort(start)
	queue, met := []pair{{0, start}}, map[string]bool{}
	for ; len(queue) > 0; queue = queue[1:] {
		p := queue[0]
		if key := fmt.Sprint(p); met[key] {
			continue
		} else {
			met[key] = true
		}
		for _, a := range own.Arcs[p.own] {
			if unseen(a.Name) {
				queue = append(queue, pair{a.To, p.others})
			} else if to := after(p.others, a.Name); len(to) > 0 {
				queue = append(queue, pair{a.To, to})
			} else if !l.over(side, p.own, p.others) {
				l.turn(side, hide, a.Name, p.own, a.To, p.others, into)
			}
		}
	}
}

// over reports whether the contract has ended on the other side alone.
func (l *turnLaw) over(side, own int, others []int) bool {
	ended := func(side, s int) bool { return l.models[side].Labels[s]["contract"] != "" }
	return !ended(side, own) && !slices.ContainsFunc(others, func(s int) bool { return !ended(1-side, s) })
}

// turn adds how an event turns norms between two states.
func (l *turnLaw) turn(side int, hide bool, event string, from, to int, others []int, into map[string]bool) {
	live := func(side, s int, norm string) bool {
		stands := l.models[side].Labels[s][norm]
		return stands != "" && !strings.Contains(stands, "breached")
	}
	named := func(events []*hclspec.Event) bool {
		return slices.ContainsFunc(events, func(e *hclspec.Event) bool { return e.Name == event })
	}
	for norm, n := range l.norms[side] {
		if l.norms[1-side][norm] == nil || l.norms[1-side][norm].Kind != n.Kind {
			continue
		}
		was, is := l.models[side].Labels[from][norm], l.models[side].Labels[to][norm]
		uses := (n.Kind == hclspec.Power || n.Kind == hclspec.Permission) && named(n.Acts)
		add := func(how finding.TurnKind) {
			if !hide || how == finding.TurnEnds {
				into[fmt.Sprint([]diff.Side{diff.InBase, diff.InHead}[side], " ", how, " ", norm, " ", event)] = true
			}
		}
		suspended := func(stands string) bool { return strings.Contains(stands, "suspended") }
		if !live(side, from, norm) && live(side, to, norm) && slices.ContainsFunc(n.Starts, func(s hclspec.Start) bool { return s.Event.Name == event }) {
			add(finding.TurnBegins)
		}
		switch owed := slices.ContainsFunc(others, func(s int) bool { return live(1-side, s, norm) }); {
		case !live(side, from, norm):
		case suspended(was) && live(side, to, norm) && !suspended(is):
			add(finding.TurnResumes)
		case uses:
			add(finding.TurnUsed)
		case side == 1 && owed && (is == "" || !strings.Contains(is, "breached") && (suspended(is) != suspended(was) || testkit.Fate(was) != testkit.Fate(is) || ticksIn(is) > ticksIn(was))):
			add(finding.TurnEnds)
		}
	}
}

// ticksIn returns how many ticks a norm has left.
func ticksIn(stands string) (n int) {
	if i := strings.LastIndex(stands, ", "); i >= 0 && testkit.Fate(stands) != stands {
		_, _ = fmt.Sscanf(stands[i+2:], "%d", &n)
	}
	return n
}
