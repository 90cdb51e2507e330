package behaviour

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
)

// everyNorm has norms of each kind, one of which is suspended, one passed on, and one due before an event.
const everyNorm = `contract "c" { ends = [stop] }
party "ann" {}
party "bob" {}
party "cid" {}
event "goods" { by = ann }
event "papers" { by = ann }
event "order" { by = bob }
event "rain" { by = ann }
event "sun" { by = ann }
event "talk" { by = bob }
event "sale" { by = [ann, cid] }
event "waiver" { by = bob }
event "stop" { by = bob }
obligation "deliver" {
  bearer       = ann
  counterparty = bob
  when         = order
  fulfil       = all(papers, goods)
  within       = 2
}
obligation "inform" {
  bearer = bob
  fulfil = talk
  before = { sale = 2 }
}
prohibition "hush" {
  bearer       = bob
  counterparty = [bob, cid]
  of           = talk
  from         = order
}
permission "sell" {
  bearer = cid
  of     = [sale, goods]
}
power "assign" {
  bearer   = ann
  exercise = sale
  assigns  = deliver
  to       = cid
}
power "wait" {
  bearer   = ann
  exercise = rain
  suspends = deliver
  resumes  = sun
}
power "waive" {
  bearer   = bob
  exercise = waiver
  lifts    = deliver
}
`

func observedNorms(t *testing.T, base, head string) *Observables {
	t.Helper()
	return ObservablesOf(testkit.DraftOf(t, base), testkit.DraftOf(t, head), compile.Naming{})
}

// TestNormsAsObserved: who gains by a norm, who sees it, what acts on it and begins it, how long it binds, and what it can come to.
func TestNormsAsObserved(t *testing.T) {
	x := observedNorms(t, everyNorm, everyNorm)
	var got []string
	for _, n := range x.norms {
		s := n.of[0]
		var over []string
		for _, a := range s.over {
			over = append(over, a.name)
		}
		got = append(got, fmt.Sprintf("%s %s: for %v, favours %q, seen by %v, acts %v, all %t, begins %v, ticks %d and %d, over %v, %d tenures, suspended %t, breached %t, fulfilled %t",
			s.kind, n.name, s.gain, s.favours, s.who, s.acts, s.allActs, s.begins, len(s.left), len(s.kept), over, len(s.tenures), s.suspended >= 0, s.breached >= 0, s.fulfilled >= 0))
	}
	want := `power assign: for [ann], favours "", seen by [0], acts [sale], all false, begins [], ticks 0 and 0, over [exercised expired], 1 tenures, suspended false, breached false, fulfilled false
contract contract: for [], favours "", seen by [0 1 2], acts [], all false, begins [], ticks 0 and 0, over [], 1 tenures, suspended false, breached false, fulfilled false
obligation deliver: for [bob], favours "", seen by [0 1 2], acts [goods papers], all true, begins [order], ticks 2 and 2, over [fulfilled breached lifted], 2 tenures, suspended true, breached true, fulfilled true
prohibition hush: for [bob cid], favours "", seen by [1 2], acts [talk], all false, begins [order], ticks 0 and 0, over [breached expired], 1 tenures, suspended false, breached true, fulfilled false
obligation inform: for [], favours "", seen by [1], acts [talk], all false, begins [], ticks 0 and 0, over [fulfilled breached lifted], 1 tenures, suspended false, breached true, fulfilled true
permission sell: for [cid], favours "", seen by [2], acts [goods sale], all false, begins [], ticks 0 and 0, over [expired], 1 tenures, suspended false, breached false, fulfilled false
power wait: for [ann], favours "", seen by [0], acts [rain], all false, begins [], ticks 0 and 0, over [exercised expired], 1 tenures, suspended false, breached false, fulfilled false
power waive: for [bob], favours "ann", seen by [1], acts [waiver], all false, begins [], ticks 0 and 0, over [exercised expired], 1 tenures, suspended false, breached false, fulfilled false`
	if said := strings.Join(got, "\n"); said != want {
		t.Errorf("%s", said)
	}
}

// TestStatesOfNormsHaveCodes: in the places that show a state of a norm, it has the code of that state; without its ticks, that of its fate.
func TestStatesOfNormsHaveCodes(t *testing.T) {
	x := observedNorms(t, everyNorm, everyNorm)
	of := x.postures(0)
	for i, n := range x.norms {
		s, codes := n.of[0], map[int]bool{}
		fates := s.fates(s.lives())
		for _, l := range s.lives() {
			m := petri.Marking(slices.Sorted(slices.Values(l.all)))
			if got := int(of.of(m)[i]); got != l.code || codes[got] {
				t.Errorf("%s %+v: %d, want %d", n.name, l.NormState, got, l.code)
			}
			codes[l.code] = true
			at := slices.IndexFunc(fates, func(f life) bool { return f.NormState == withoutTicks(l.NormState) })
			if at < 0 || fates[at].code != int(fateCode(int16(l.code))) || slices.ContainsFunc(fates[at].all, func(p int) bool { return !m.Has(p) || slices.Contains(s.left, p) || slices.Contains(s.kept, p) }) {
				t.Errorf("%s %+v: no fate of %+v", n.name, l.NormState, fates)
			}
			if at := slices.IndexFunc(fates[at+1:], func(f life) bool { return f.NormState == withoutTicks(l.NormState) }); at >= 0 {
				t.Errorf("%s %+v: two fates", n.name, l.NormState)
			}
			if come, idle := s.idle(m); idle {
				t.Errorf("%s %+v: it has come to %q", n.name, l.NormState, come)
			}
		}
		for _, a := range append(slices.Clone(s.over), after{-1, ""}) {
			var m petri.Marking
			if a.place >= 0 {
				m = append(m, a.place)
			}
			for _, by := range s.tenures[1:] {
				m = append(m, by.while...)
			}
			slices.Sort(m)
			come, idle := s.idle(m)
			if binds := a.place >= 0 && a.place == s.breached; idle == binds || !binds && (come != a.name || of.of(m)[i] != 0) {
				t.Errorf("%s: it is %q, idle %t, with the code %d, want %q", n.name, come, idle, of.of(m)[i], a.name)
			}
		}
	}
}

// TestGlancesAtANorm: who has a part in it on that side sees its states, who has one on the other side alone sees that it is absent, and nobody else looks.
func TestGlancesAtANorm(t *testing.T) {
	const duty = "contract \"c\" {}\nparty \"ann\" {}\nparty \"bob\" {}\nparty \"cid\" {}\nevent \"goods\" { by = ann }\nevent \"order\" { by = bob }\nobligation \"o\" {\n  bearer = ann\n  counterparty = bob\n  fulfil = goods\n  when = order\n}\n"
	for _, c := range []struct{ head, want string }{
		{duty, "base: [0 1] see nothing, [0 1] see owed, [0 1] see breached; head: [0 1] see nothing, [0 1] see owed, [0 1] see breached"},
		{strings.Replace(duty, "counterparty = bob", "counterparty = cid", 1), "base: [0 1 2] see nothing, [0 1] see owed, [2] see nothing but for [0 1], [0 1] see breached, [2] see nothing but for [0 1]; head: [0 1 2] see nothing, [0 2] see owed, [1] see nothing but for [0 2], [0 2] see breached, [1] see nothing but for [0 2]"},
		{duty[:strings.Index(duty, "obligation")], "base: [0 1] see nothing, [0 1] see owed, [0 1] see breached; head: [0 1] see nothing"},
	} {
		x := observedNorms(t, duty, c.head)
		var sides []string
		for side, name := range []string{"base", "head"} {
			var list []string
			for _, g := range x.glances[side] {
				s := x.All[g.sight]
				one := fmt.Sprint(s.Who, " see ", cmp.Or(x.terms[s.term].State, "nothing"))
				if s.not != nil {
					one += fmt.Sprint(" but for ", s.not)
				}
				list = append(list, one)
			}
			sides = append(sides, name+": "+strings.Join(list, ", "))
		}
		if got := strings.Join(sides, "; "); got != c.want {
			t.Errorf("%s\nwant %s", got, c.want)
		}
	}
}

// TestSpecialSights: each is listed once, after those of transitions, and told apart by what it is of, who sees it and who does not.
func TestSpecialSights(t *testing.T) {
	x := &Observables{All: make([]Sight, 3), plain: 3}
	for i, s := range []Sight{{Action: shiftAction}, {Action: passAction}, {Action: shiftAction, term: 1}, {Action: shiftAction, Who: []int{1}}, {Action: shiftAction, Who: []int{1}, not: []int{2}}} {
		for range 2 {
			if got := x.special(s); got != 3+i {
				t.Errorf("%+v is number %d", s, got)
			}
		}
	}
	if len(x.All) != 8 {
		t.Errorf("%d sights", len(x.All))
	}
}

// TestTheEndIsNoNorm: an obligation of one version may be called as the end of the contract is in the other, and is another thing.
func TestTheEndIsNoNorm(t *testing.T) {
	x := observedNorms(t, strings.NewReplacer(" ends = [stop] ", "", "\"deliver\"", "\"contract\"", "= deliver\n", "= contract\n").Replace(everyNorm), everyNorm)
	var named []string
	for _, n := range x.norms {
		for _, d := range []finding.NormDifference{{Norm: "contract", Kind: "obligation"}, {Norm: "contract", Kind: finding.EndOfContract}, {Norm: "hush", Kind: "prohibition"}} {
			if n.is(d) {
				named = append(named, fmt.Sprintf("%s %s: %t, %t", d.Kind, d.Norm, n.of[0] != nil, n.of[1] != nil))
			}
		}
	}
	slices.Sort(named)
	other := strings.NewReplacer("prohibition \"hush\"", "permission \"hush\"").Replace(everyNorm)
	if was, now := len(x.norms), len(observedNorms(t, everyNorm, other).norms); was != now+1 { // of x two are called contract
		t.Errorf("%d norms, %d where one is of another kind", was, now)
	}
	if want := []string{"contract contract: false, true", "obligation contract: true, false", "prohibition hush: true, true"}; !slices.Equal(named, want) {
		t.Errorf("%q", named)
	}
}
