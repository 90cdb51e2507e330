package dd_test

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/dd"
)

// A model is variables of up to three values, chains of local steps and any other steps, and the same as plain pairs of tuples.
type model struct {
	sizes  []int
	chains [][]dd.Local
	others [][2]int // pairs of tuples
}

func anyModel(t *rapid.T) model {
	m := model{sizes: rapid.SliceOfN(rapid.IntRange(1, 3), 1, 4).Draw(t, "sizes")}
	for range rapid.IntRange(0, 5).Draw(t, "chains") {
		var chain []dd.Local
		for level, size := range m.sizes {
			if rapid.Bool().Draw(t, "touched") {
				value := rapid.IntRange(0, size-1)
				var pairs []dd.Pair
				for range rapid.IntRange(0, 3).Draw(t, "pairs") {
					pairs = append(pairs, dd.Pair{From: uint16(value.Draw(t, "from")), To: uint16(value.Draw(t, "to"))})
				}
				chain = append(chain, dd.Local{Level: level + 1, Pairs: pairs})
			}
		}
		if len(chain) > 0 {
			m.chains = append(m.chains, chain)
		}
	}
	tuple := rapid.IntRange(0, m.count()-1)
	for range rapid.IntRange(0, 8).Draw(t, "others") {
		m.others = append(m.others, [2]int{tuple.Draw(t, "from"), tuple.Draw(t, "to")})
	}
	return m
}

// branch is the relation of the pairs of tuples, from a level downwards.
func (m model) branch(all *dd.Relations, level int, steps [][2]int) dd.Relation {
	if level == 0 {
		return dd.Identity
	}
	below := map[dd.Pair][][2]int{}
	var pairs []dd.Pair
	for _, s := range steps {
		p := dd.Pair{From: uint16(m.values(s[0])[level-1]), To: uint16(m.values(s[1])[level-1])}
		if below[p] == nil {
			pairs = append(pairs, p)
		}
		below[p] = append(below[p], s)
	}
	slices.SortFunc(pairs, func(a, b dd.Pair) int { return cmp.Or(int(a.From)-int(b.From), int(a.To)-int(b.To)) })
	var nexts []dd.Relation
	for _, p := range pairs {
		nexts = append(nexts, m.branch(all, level-1, below[p]))
	}
	return all.Branch(level, pairs, nexts)
}

// count is the number of tuples; values gives that of a number.
func (m model) count() int {
	n := 1
	for _, s := range m.sizes {
		n *= s
	}
	return n
}

func (m model) values(i int) []int {
	v := make([]int, len(m.sizes))
	for k, s := range m.sizes {
		v[k], i = i%s, i/s
	}
	return v
}

// steps reports whether some chain leads from tuple a to tuple b.
func (m model) steps(a, b int) bool {
	from, to := m.values(a), m.values(b)
	for _, chain := range m.chains {
		if leads(chain, from, to) {
			return true
		}
	}
	return slices.Contains(m.others, [2]int{a, b})
}

func leads(chain []dd.Local, from, to []int) bool {
	touched := map[int]bool{}
	for _, l := range chain {
		touched[l.Level-1] = true
		some := false
		for _, p := range l.Pairs {
			some = some || int(p.From) == from[l.Level-1] && int(p.To) == to[l.Level-1]
		}
		if !some {
			return false
		}
	}
	for i := range from {
		if !touched[i] && from[i] != to[i] {
			return false
		}
	}
	return true
}

func (m model) set(t *rapid.T, f *dd.Forest, has []bool) dd.Node {
	n := dd.Empty
	for i, h := range has {
		if h {
			one, err := f.Tuple(m.values(i))
			if err == nil {
				n, err = f.Union(ctx, n, one)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	return n
}

// fix iterates a law to its fixpoint.
func fix(c []bool, law func(i int, c []bool) bool) []bool {
	for range c {
		for i := range c {
			c[i] = law(i, c)
		}
	}
	return c
}

// TestRelationsAgreeWithDefinitions: images, closures within a constraint and the greatest part that stays, by
// definition on tuples.
func TestRelationsAgreeWithDefinitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		f, size := dd.New(m.sizes, dd.Limits{}), m.count()
		var there, back []dd.Relation
		for _, chain := range m.chains {
			var turned []dd.Local
			for _, l := range chain {
				var pairs []dd.Pair
				for _, p := range l.Pairs {
					pairs = append(pairs, dd.Pair{From: p.To, To: p.From})
				}
				turned = append(turned, dd.Local{Level: l.Level, Pairs: pairs})
			}
			there, back = append(there, f.Chain(chain)), append(back, f.Chain(turned))
		}
		other := m.branch(&f.Relations, len(m.sizes), m.others)
		m.restricted(t, &f.Relations, other)
		after, before := f.System(append(there, other)), f.System(append(back, f.Inverse(other)))
		subset := rapid.SliceOfN(rapid.Bool(), size, size)
		a, c := subset.Draw(t, "a"), subset.Draw(t, "c")
		A, C := m.set(t, f, a), m.set(t, f, c)
		some := func(has func(k int) bool) bool {
			for k := range size {
				if has(k) {
					return true
				}
			}
			return false
		}
		each := func(law func(i int) bool) []bool {
			x := make([]bool, size)
			for i := range x {
				x[i] = law(i)
			}
			return x
		}
		copied := func(x []bool) []bool { return append([]bool(nil), x...) }
		must := func(n dd.Node, err error) dd.Node {
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		for _, law := range []struct {
			name string
			have dd.Node
			want []bool
		}{
			{"Image", must(f.Image(ctx, after, A, C)), each(func(i int) bool {
				return c[i] && some(func(k int) bool { return a[k] && m.steps(k, i) })
			})},
			{"Image back", must(f.Image(ctx, before, A, C)), each(func(i int) bool {
				return c[i] && some(func(k int) bool { return a[k] && m.steps(i, k) })
			})},
			{"Reach", must(f.Reach(ctx, after, A)), fix(copied(a), func(i int, x []bool) bool {
				return x[i] || some(func(k int) bool { return x[k] && m.steps(k, i) })
			})},
			{"ReachWithin", must(f.ReachWithin(ctx, before, A, C)), fix(copied(a), func(i int, x []bool) bool {
				return x[i] || c[i] && some(func(k int) bool { return x[k] && m.steps(i, k) })
			})},
			{"Stay", must(stay(f, before, A, size)), fix(copied(a), func(i int, x []bool) bool {
				return x[i] && some(func(k int) bool { return x[k] && m.steps(i, k) })
			})},
			{"Stay by turns", must(stay(f, before, A, 1)), fix(copied(a), func(i int, x []bool) bool {
				return x[i] && some(func(k int) bool { return x[k] && m.steps(i, k) })
			})},
		} {
			if want := m.set(t, f, law.want); law.have != want {
				t.Fatalf("%s has %v tuples, expected %v", law.name, f.Count(law.have), f.Count(want))
			}
		}
	})
}

// TestOccurrences: of how many tuples of a set functions lead somewhere, added up, and of each relation whether it leads anywhere, by definition.
func TestOccurrences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyModel(t)
		f, size := dd.New(m.sizes, dd.Limits{}), m.count()
		a := rapid.SliceOfN(rapid.Bool(), size, size).Draw(t, "a")
		var of []dd.Relation
		var models []model
		var functional []bool
		add := func(function bool, r dd.Relation, chains [][]dd.Local, others [][2]int) {
			of, models, functional = append(of, r), append(models, model{m.sizes, chains, others}), append(functional, function)
		}
		add(true, dd.Identity, [][]dd.Local{nil}, nil)
		add(true, dd.Nothing, nil, nil)
		for _, chain := range m.chains {
			add(false, f.Chain(chain), [][]dd.Local{chain}, nil)
			var function []dd.Local // the first successor of each value
			for _, l := range chain {
				first := slices.CompactFunc(slices.SortedStableFunc(slices.Values(l.Pairs), func(p, q dd.Pair) int { return int(p.From) - int(q.From) }), func(p, q dd.Pair) bool { return p.From == q.From })
				function = append(function, dd.Local{Level: l.Level, Pairs: first})
			}
			for range rapid.IntRange(1, 2).Draw(t, "times") {
				add(true, f.Chain(function), [][]dd.Local{function}, nil)
			}
		}
		first := slices.CompactFunc(slices.SortedStableFunc(slices.Values(m.others), func(s, u [2]int) int { return s[0] - u[0] }), func(s, u [2]int) bool { return s[0] == u[0] })
		for i, others := range [][][2]int{m.others, first} {
			add(i == 1, m.branch(&f.Relations, len(m.sizes), others), nil, others)
		}
		leads := func(k, from int) bool {
			for to := range size {
				if models[k].steps(from, to) {
					return true
				}
			}
			return false
		}
		A := m.set(t, f, a)
		have, err := f.Leading(ctx, of, A)
		if err != nil {
			t.Fatal(err)
		}
		var functions []dd.Relation
		want := int64(0)
		for k, r := range of {
			tuples := int64(0)
			for i := range size {
				if a[i] && leads(k, i) {
					tuples++
				}
			}
			if have[k] != (tuples > 0) {
				t.Fatalf("relation %d leads somewhere: %v, from %d tuples", k, have[k], tuples)
			}
			if functional[k] {
				functions, want = append(functions, r), want+tuples
			}
		}
		if n, err := f.Occurrences(ctx, functions, A); err != nil || n.Int64() != want {
			t.Fatalf("%v lead somewhere %v times, expected %d, %v", functions, n, want, err)
		}
	})
}

// restricted checks what Restrict keeps of a relation: the steps without a certain pair of values at a level.
func (m model) restricted(t *rapid.T, all *dd.Relations, r dd.Relation) {
	at := rapid.IntRange(1, len(m.sizes)).Draw(t, "level")
	value := rapid.IntRange(0, m.sizes[at-1]-1)
	without := dd.Pair{From: uint16(value.Draw(t, "from")), To: uint16(value.Draw(t, "to"))}
	kept := slices.DeleteFunc(slices.Clone(m.others), func(s [2]int) bool {
		return m.values(s[0])[at-1] == int(without.From) && m.values(s[1])[at-1] == int(without.To)
	})
	have := all.Restrict(r, func(level int, p dd.Pair) bool { return level != at || p != without })
	if want := m.branch(all, len(m.sizes), kept); have != want {
		t.Fatalf("%v without %v at level %d is relation %d, expected %d", m.others, without, at, have, want)
	}
	all.Visit(have, func(level int, p dd.Pair) {
		if level == at && p == without {
			t.Fatalf("%v at level %d is left", p, level)
		}
	})
}

// stay takes so many rounds at a time, until it is done.
func stay(f *dd.Forest, before *dd.System, a dd.Node, rounds int) (dd.Node, error) {
	for {
		x, done, err := f.TrimDead(ctx, before, a, rounds)
		if done || err != nil {
			return x, err
		}
		if x == a {
			return dd.Empty, errors.New("nothing was taken, and yet it is not done")
		}
		a = x
	}
}

// counter is a forest in which one relation counts n variables of two values up, and the next number's
// relation leads on: 2^n tuples one after the other.
func counter(n int) (*dd.Forest, *dd.System, dd.Node) {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = 2
	}
	f := dd.New(sizes, dd.Limits{Bytes: 1 << 30})
	var all []dd.Relation
	for i := range n {
		var chain []dd.Local
		for k := range i {
			chain = append(chain, dd.Local{Level: k + 1, Pairs: []dd.Pair{{From: 1, To: 0}}})
		}
		all = append(all, f.Chain(append(chain, dd.Local{Level: i + 1, Pairs: []dd.Pair{{From: 0, To: 1}}})))
	}
	zero, err := f.Tuple(make([]int, n))
	if err != nil {
		panic(err)
	}
	return f, f.System(all), zero
}

func TestReachCountsUp(t *testing.T) {
	f, s, zero := counter(60)
	all, err := f.Reach(ctx, s, zero)
	if err != nil || f.Count(all).BitLen() != 61 {
		t.Errorf("%v tuples, %v", f.Count(all), err)
	}
}

func TestLimitOfBytes(t *testing.T) {
	f := dd.New(make2(40), dd.Limits{Bytes: 4 << 20})
	n := dd.Empty
	var limit *dd.LimitError
	for i := 0; ; i++ {
		values := make([]int, 40)
		for k := range values {
			values[k] = i * 2654435761 >> (k % 31) & 1
		}
		one, err := f.Tuple(values)
		if err == nil {
			n, err = f.Union(ctx, n, one)
		}
		if err != nil {
			if !errors.As(err, &limit) || f.Bytes() > 4<<20*11/10 {
				t.Errorf("%v with %d bytes", err, f.Bytes())
			}
			return
		}
		if i > 1<<20 {
			t.Fatal("no limit was met")
		}
	}
}

func make2(n int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = 2
	}
	return sizes
}

func TestCancelled(t *testing.T) {
	f, s, zero := counter(10)
	cause := errors.New("enough")
	stopped, cancel := context.WithCancelCause(ctx)
	cancel(cause)
	if _, err := f.Reach(stopped, s, zero); !errors.Is(err, cause) {
		t.Error(err)
	}
	if all, err := f.Reach(ctx, s, zero); err != nil || f.Count(all).Int64() != 1024 {
		t.Error("a cancelled forest is of no more use", err)
	}
}

// TestImageOfJointRelations: the cost of an image grows with the relations, not with their square, if each depends on a variable at the top and one far below.
func TestImageOfJointRelations(t *testing.T) {
	work := func(n int) int64 {
		f := dd.New(make2(n+1), dd.Limits{})
		var relations []dd.Relation
		stays := []dd.Pair{{From: 1, To: 1}}
		for level := 1; level <= n; level++ {
			relations = append(relations, f.Chain([]dd.Local{{Level: level, Pairs: stays}, {Level: n + 1, Pairs: stays}}))
		}
		everything := must(t)(f.Every(t.Context()))
		before := f.Worked()
		must(t)(f.Image(t.Context(), f.System(relations), everything, everything))
		return f.Worked() - before
	}
	if few, many := work(100), work(400); many > 6*few {
		t.Errorf("%d steps for 100 relations, %d for 400", few, many)
	}
}
