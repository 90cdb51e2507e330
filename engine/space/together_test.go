package space_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"pgregory.net/rapid"
)

// crowd is some parties, two of which do something together, up to 216 times as many states beside
// them, and now and then a net with contacts.
func crowd(t *rapid.T) *petri.Net {
	nets := make([]*petri.Net, rapid.IntRange(2, 4).Draw(t, "crowd"), 8)
	for i := range nets {
		nets[i] = party(t, i)
	}
	nets = append(nets, par(rapid.IntRange(1, 3).Draw(t, "par")))
	if rapid.IntRange(0, 3).Draw(t, "wild") == 0 {
		nets = append(nets, wildNet(t, 5))
	}
	return petri.Compose(nets, []petri.Event{{Name: "a", Sync: []petri.Sync{{Net: 0, Label: "a"}, {Net: 1, Label: "a"}}}})
}

// TestTogether: the state model, or the error, does not depend on the number of goroutines.
func TestTogether(t *testing.T) {
	helped := 0
	rapid.Check(t, func(t *rapid.T) {
		n, r := crowd(t), anyRule(t)
		lim := space.Limits{States: rapid.IntRange(200, 3000).Draw(t, "states")}
		if rapid.Bool().Draw(t, "memory") {
			lim.Bytes = rapid.Int64Range(1, 100_000).Draw(t, "bytes")
		}
		want, err := space.Explore(context.Background(), n, r, lim)
		lim.Jobs = rapid.IntRange(2, 5).Draw(t, "jobs")
		most := rapid.SampledFrom([]int{8, 50, 1000}).Draw(t, "most")
		g, count, have := space.ExploreSoon(context.Background(), n, r, lim, most)
		if !reflect.DeepEqual(have, err) {
			t.Fatalf("have %v, expected %v", have, err)
		}
		if err == nil {
			same(t, g, want)
		}
		helped += count
	})
	if helped == 0 {
		t.Error("nothing was expanded together")
	}
}

func same(t interface{ Fatalf(string, ...any) }, g, want *space.Graph) {
	if g.Len() != want.Len() || g.Arcs() != want.Arcs() || g.DeadEnds() != want.DeadEnds() || g.Bytes() != want.Bytes() {
		t.Fatalf("%d states, %d arcs, %d dead ends, %d bytes, expected %d, %d, %d, %d", g.Len(), g.Arcs(), g.DeadEnds(),
			g.Bytes(), want.Len(), want.Arcs(), want.DeadEnds(), want.Bytes())
	}
	for s := range g.Len() {
		m := g.Marking(s)
		if !slices.Equal(m, want.Marking(s)) {
			t.Fatalf("state %d is %v, expected %v", s, m, want.Marking(s))
		}
		if !slices.Equal(g.Succ(s), want.Succ(s)) {
			t.Fatalf("state %d leads to %v, expected %v", s, g.Succ(s), want.Succ(s))
		}
		if found, ok := g.Find(m); !ok || found != s {
			t.Fatalf("Find(%v) = %d, %v, expected %d", m, found, ok, s)
		}
	}
}

// TestTogetherUsually: as above, on the scale on which it is used.
func TestTogetherUsually(t *testing.T) {
	nets := []*petri.Net{seq(11), par(6)}
	if file := filepath.Join(ibm, "B3.s00000275__s00002417.pnml"); testing.Short() {
		t.Log("short: without the business process")
	} else if _, err := os.Stat(file); err != nil {
		t.Log("the IBM library is not here")
	} else {
		nets = append(nets, readPNML(t, file))
	}
	for _, n := range nets {
		want := explore(t, n, petri.One)
		for _, jobs := range []int{2, 3} {
			t.Run(fmt.Sprint(n.Name, "/", jobs), func(t *testing.T) {
				g, err := space.Explore(context.Background(), n, petri.One, space.Limits{Jobs: jobs})
				if err != nil {
					t.Fatal(err)
				}
				same(t, g, want)
			})
		}
	}
}

// TestTogetherWithinMemory: what a batch takes is given back before the graph is refused any.
func TestTogetherWithinMemory(t *testing.T) {
	n, full := seq(9), explore(t, seq(9), petri.One)
	for limit := 3 * full.Bytes() / 4; limit < 2*full.Bytes(); limit += limit / 16 {
		lim := space.Limits{Bytes: limit}
		_, want := space.Explore(context.Background(), n, petri.One, lim)
		lim.Jobs = 2
		g, helped, err := space.ExploreSoon(context.Background(), n, petri.One, lim, 1000)
		if !reflect.DeepEqual(err, want) {
			t.Errorf("limit %d: have %v, expected %v", limit, err, want)
		}
		if err == nil && g.Bytes() != full.Bytes() || helped == 0 {
			t.Errorf("limit %d: %d states expanded together", limit, helped)
		}
	}
}

// A fuse is a context that is cancelled when it is looked at for the left-th time.
type fuse struct {
	context.Context
	left   atomic.Int32
	cancel context.CancelCauseFunc
}

var errEnough = errors.New("enough")

func (f *fuse) Err() error {
	if f.left.Add(-1) == 0 {
		f.cancel(errEnough)
	}
	return f.Context.Err()
}

func TestTogetherCancelled(t *testing.T) {
	for left := int32(1); left < 200; left += 7 {
		ctx, cancel := context.WithCancelCause(context.Background())
		f := &fuse{Context: ctx, cancel: cancel}
		f.left.Store(left)
		_, _, err := space.ExploreSoon(f, seq(12), petri.One, space.Limits{Jobs: 3}, 1000)
		if !errors.Is(err, errEnough) {
			t.Errorf("after %d looks: %v", left, err)
		}
	}
}
