package space_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"pgregory.net/rapid"
)

func TestReachCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := anyNet(t)
		want := naively(n, petri.One)
		if want.contact != nil {
			return
		}
		x, err := space.Reach(context.Background(), n, space.Limits{})
		if errors.Is(err, space.ErrNotSymbolic) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if x.Count().Int64() != int64(len(want.marks)) {
			t.Fatalf("%v markings, expected %d: %+v", x.Count(), len(want.marks), n)
		}
	})
}

func TestTry(t *testing.T) {
	for _, n := range []*petri.Net{seq(5), seq(10), seq(20), seq(50), par(50), seq(200), par(200), par(700)} {
		at := time.Now()
		x, err := space.Reach(context.Background(), n, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(n.Name, time.Since(at), x.Stats(), len(x.Count().String()))
	}
}
