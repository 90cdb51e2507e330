package verify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

func absent(p petri.Place) petri.Place { return petri.Place{Net: p.Net, Name: "not " + p.Name} }

// Norms written out give the same state model, arc by arc.
func TestPlainNorms(t *testing.T) {
	draws.Only(t, 50)
	rapid.Check(t, func(t *rapid.T) {
		text := testkit.DrawParties(t) + testkit.DrawNorms(t, rapid.IntRange(0, 1).Draw(t, "within"))
		text += "requirement \"r\" { ctl = \"happened(e0) || happened(e1)\" }\n"
		plainAlike(t, testkit.DraftOf(t, text).Net)
	})
}

// So does what events change beside a party's own transitions: its state and its counter.
func TestPlainFollowing(t *testing.T) {
	plainAlike(t, testkit.DraftOf(t, `contract "c" {}
party "seller" {
  state "making" {}
  state "sent" {}
  state "paid" { since = payment }
  counter "late" {
    to      = 2
    changes = { any(reminder, deliver.breached) = late + 1 }
  }
  transition "send" {
    from = making
    to   = sent
  }
  transition "forgive" {
    require = late > 0
    set     = { late = late - 1 }
  }
}
party "buyer" {}
event "delivery" { sync = { seller = send } }
event "payment" { by = buyer }
event "reminder" {
  by         = buyer
  repeats    = true
  only_while = [seller.making, seller.late < 1]
}
obligation "deliver" {
  bearer = seller
  fulfil = delivery
  within = 2
}
`).Net)
}

func TestPlainExamples(t *testing.T) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := load.Dir(examples.FS, name, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := compile.Compile(src, name, nil)
		plain := plainAlike(t, d.Net)
		t.Logf("%s: %d transitions, written out %d", name, len(d.Net.Transitions), len(plain.Transitions))
	}
}

func plainAlike(t interface {
	Helper()
	Fatalf(string, ...any)
}, n *petri.Net) *petri.Net {
	t.Helper()
	a, err := space.Explore(context.Background(), n, petri.One, space.Limits{})
	if err != nil {
		t.Fatalf("%v", err)
	}
	plain, err := n.Plain(absent, 5_000, nil)
	var many *petri.TooManyError
	if err == nil {
		alike(t, n, a, plain)
	} else if !errors.As(err, &many) {
		t.Fatalf("%v", err)
	}
	plain, err = n.Plain(absent, 5_000, func(yield func(petri.Marking) bool) {
		for s := range a.Len() {
			if !yield(a.Marking(s)) {
				return
			}
		}
	})
	if err != nil {
		t.Fatalf("%v", err)
	}
	alike(t, n, a, plain)
	return plain
}

// alike wants a net written out to have the state model of the net.
func alike(t interface {
	Helper()
	Fatalf(string, ...any)
}, n *petri.Net, a *space.Graph, plain *petri.Net) {
	t.Helper()
	if err := plain.Sane(); err != nil {
		t.Fatalf("%v", err)
	}
	if slices.ContainsFunc(plain.Transitions, func(t petri.Transition) bool { return len(t.Moves)+len(t.Marks) > 0 || t.Moving }) {
		t.Fatalf("something is left to be written out")
	}
	b, err := space.Explore(context.Background(), plain, petri.One, space.Limits{})
	if err != nil {
		t.Fatalf("written out: %v", err)
	}
	if a.Len() != b.Len() || a.Arcs() != b.Arcs() || a.DeadEnds() != b.DeadEnds() {
		t.Fatalf("%d states, %d arcs, %d dead ends; written out %d, %d, %d", a.Len(), a.Arcs(), a.DeadEnds(), b.Len(), b.Arcs(), b.DeadEnds())
	}
	for s := range min(b.Len(), 60) {
		m := b.Marking(s)
		short := m[:lowerThan(m, len(n.Places))]
		if want, have := firings(n, short, len(n.Places)), firings(plain, m, len(n.Places)); !slices.Equal(want, have) {
			t.Fatalf("from %v: %v; written out %v", short, want, have)
		}
	}
}

func lowerThan(m petri.Marking, places int) int {
	i, _ := slices.BinarySearch(m, places)
	return i
}

// firings are what a marking leads to and by what, as far as the first places say.
func firings(n *petri.Net, m petri.Marking, places int) []string {
	var list []string
	for t := range n.Transitions {
		if n.Fireable(m, t) {
			after, contact := n.Fire(m, []int{t})
			list = append(list, fmt.Sprint(n.Transitions[t].Name, n.Transitions[t].Parts, after[:lowerThan(after, places)], contact))
		}
	}
	slices.Sort(list)
	return list
}
