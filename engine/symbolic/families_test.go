package symbolic_test

import (
	"context"
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/engine/internal/families"
	"github.com/redlinehq/redline/engine/internal/testnets"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/symbolic"
)

func reach(t testing.TB, n *petri.Net) *symbolic.Model {
	t.Helper()
	x, err := symbolic.Reach(context.Background(), n, space.Limits{Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func holds(t testing.TB, x *symbolic.Model, f *ctl.Formula) bool {
	t.Helper()
	h, err := ctl.New[dd.Node](x.Sets(context.Background())).Holds(context.Background(), f)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// power is base^n.
func power(base, n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(n)), nil)
}

func times(a *big.Int, b int) *big.Int { return new(big.Int).Mul(a, big.NewInt(int64(b))) }

// states says how many markings a net of a family has, where that is known.
func states(family string, n int) *big.Int {
	switch family {
	case "seq":
		return times(power(2, n), 2+n)
	case "par":
		return power(6, n)
	case "bar":
		return times(power(2, n), 4)
	}
	known := map[string]int64{"phil-5": 82, "phil-10": 6726, "philok-5": 70, "philok-10": 5741, "slot-5": 53856}
	if count, ok := known[fmt.Sprint(family, "-", n)]; ok {
		return big.NewInt(count)
	}
	return nil
}

// verdicts of home, safe and resp.
var verdicts = map[string][3]bool{
	"seq": {true, true, true}, "par": {true, true, false}, "bar": {true, true, true},
	"phil": {false, true, false}, "philok": {true, true, false}, "slot": {true, true, true},
}

func TestFamiliesByDiagrams(t *testing.T) {
	for _, name := range families.Names() {
		for _, n := range []int{2, 5, 10} {
			f := families.New(name, n)
			if err := f.Net.Sane(); err != nil {
				t.Fatal(err)
			}
			x := reach(t, f.Net)
			if want := states(name, n); want != nil && x.Count().Cmp(want) != 0 {
				t.Errorf("%s has %v states, expected %v", f.Net.Name, x.Count(), want)
			}
			if n != 5 {
				continue
			}
			if have := [3]bool{holds(t, x, f.Home), holds(t, x, f.Safe), holds(t, x, f.Resp)}; have != verdicts[name] {
				t.Errorf("%s: home, safe, resp are %v, expected %v", f.Net.Name, have, verdicts[name])
			}
			g := testnets.Explore(t, f.Net, petri.One)
			if x.Count().Int64() != int64(g.Len()) {
				t.Errorf("%s has %v states, %d one by one", f.Net.Name, x.Count(), g.Len())
			}
		}
	}
}

// purchasers are the paper's n (section 2.4): see sale.
func TestPurchasers(t *testing.T) {
	x := reach(t, testnets.Sale(100))
	if want := new(big.Int).Add(power(3, 101), big.NewInt(1)); x.Count().Cmp(want) != 0 {
		t.Errorf("%v states, expected %v", x.Count(), want)
	}
}

// TestManyPlacesInASum: a sum over thousands of places is one question.
func TestManyPlacesInASum(t *testing.T) {
	f := families.New("par", 300)
	x := reach(t, f.Net)
	s := x.Sets(context.Background())
	var half []ctl.Weight
	for p := range f.Net.Places {
		half = append(half, ctl.Weight{Place: p, By: 1 - 2*(p%2)})
	}
	low, high := ctl.AtMost(half, 0), ctl.AtMost(half, -1)
	if a, b := s.Count(low.Sum), s.Count(high.Sum); x.CountOf(a).Cmp(x.CountOf(b)) <= 0 || x.CountOf(a).Cmp(x.Count()) >= 0 {
		t.Errorf("%v and %v states", x.CountOf(a), x.CountOf(b))
	}
}

// TestSymbolicEnds: a deadline ends the reachable markings, and operations that are given no context. The bound is generous, since
// machines are shared: it tells whether they end, not how soon.
func TestSymbolicEnds(t *testing.T) {
	n := families.New("slot", 150).Net
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := symbolic.Reach(ctx, n, space.Limits{}); err == nil {
		t.Skip("this machine is too fast")
	}
	if late := time.Since(start); late > 2*time.Second {
		t.Errorf("%v late", late)
	} else {
		t.Logf("ended after %v", late)
	}
	x := reach(t, families.New("par", 20).Net)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	err := func() (err error) {
		defer halt.Caught(&err)
		s := x.Sets(ended)
		s.Minus(s.All(), s.Initial())
		return nil
	}()
	if err == nil {
		t.Error("an operation without a context goes on for ever")
	}
}

// BenchmarkFamilies answers each question anew, the state model included; safe as well.
func BenchmarkFamilies(b *testing.B) {
	for _, name := range families.Names() {
		for _, n := range map[string][]int{"seq": {200, 1000}, "par": {200, 1000}, "bar": {200, 1000}, "phil": {200}, "philok": {200}, "slot": {20, 50, 100}}[name] {
			f := families.New(name, n)
			b.Run(f.Net.Name+"/count", func(b *testing.B) {
				for b.Loop() {
					reach(b, f.Net).Count()
				}
			})
			for i, question := range []string{"home", "safe", "resp"} {
				b.Run(f.Net.Name+"/"+question, func(b *testing.B) {
					for b.Loop() {
						holds(b, reach(b, f.Net), []*ctl.Formula{f.Home, f.Safe, f.Resp}[i])
					}
				})
			}
		}
	}
}

func BenchmarkPurchasers(b *testing.B) {
	for b.Loop() {
		reach(b, testnets.Sale(100)).Count()
	}
}
