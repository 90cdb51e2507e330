package engine

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/load"
)

// sizedPair is the amendment of a contract with so many combinations of states.
func sizedPair(path string, states int, amended bool) Pair {
	in := func(more string) *compile.Draft {
		text := fmt.Sprintf("contract %q {}\nparty \"p\" {\n", path)
		for i := range states {
			text += fmt.Sprintf("  state \"s%d\" {}\n", i)
		}
		text += "  transition \"go\" {\n    from = s0\n    to = s0\n  }\n" + more + "}\n"
		return compile.Compile(load.Text(map[string][]byte{path + "/a.contract.hcl": []byte(text)}, path, nil), path, nil)
	}
	if !amended {
		d := in("")
		return Pair{d, d}
	}
	return Pair{in(""), in("  state \"more\" {}\n")}
}

func TestShards(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var pairs []Pair
		for i := range rapid.IntRange(0, 12).Draw(t, "contracts") {
			pairs = append(pairs, sizedPair(fmt.Sprintf("c%02d", i), rapid.IntRange(1, 5).Draw(t, "states"), rapid.Bool().Draw(t, "amended")))
		}
		most := rapid.IntRange(1, 8).Draw(t, "most")
		shards, parts := Shards(pairs, most)
		if again, n := Shards(pairs, most); n != parts || !slices.Equal(again, shards) {
			t.Fatalf("%v, and then %v", shards, again)
		}
		works := worksOf(pairs)
		if parts != max(1, min(most, len(works))) {
			t.Fatalf("%d parts of %d works and at most %d", parts, len(works), most)
		}
		load := make([]uint64, parts+1)
		for _, w := range works {
			for _, i := range w.pairs {
				if shards[i] != shards[w.pairs[0]] {
					t.Fatal("contracts that are changed alike are in several shards")
				}
			}
			load[shards[w.pairs[0]]] += w.weight
		}
		var all uint64
		for _, l := range load {
			all += l
		}
		for _, l := range load[1:] { // no better than a share, no worse than a share and one work
			if len(works) > 0 && (l == 0 || l > all/uint64(parts)+works[0].weight) {
				t.Fatalf("loads %v of %d", load[1:], all)
			}
		}
	})
}

// TestShardsAreReviewedAsTheWholeIs: whatever the shards, each contract's review is the same.
func TestShardsAreReviewedAsTheWholeIs(t *testing.T) {
	ctx, b := context.Background(), finding.Budget{Jobs: 1}
	pairs := []Pair{sharedPair("first"), sharedPair("second"), sizedPair("third", 3, true), sizedPair("fourth", 3, false)}
	whole := ComparePairs(ctx, pairs, b)
	for i, p := range pairs {
		if alone := ComparePairs(ctx, []Pair{p}, b); !reflect.DeepEqual(alone[0], whole[i]) {
			t.Errorf("%s alone: %+v", p.Path(), alone)
		}
	}
}

func TestTheLargestContractStandsAlone(t *testing.T) {
	pairs := []Pair{sizedPair("a", 2, true), sizedPair("b", 2_000, true), sizedPair("c", 3, true), sizedPair("d", 4, true), sizedPair("e", 4, false)}
	if shards, parts := Shards(pairs, 2); parts != 2 || !slices.Equal(shards, []int{2, 1, 2, 2, 1}) {
		t.Errorf("%v of %d", shards, parts)
	}
}

func TestInterruptedReviewsAreKnownAsSuch(t *testing.T) {
	p := sharedPair("first")
	whole := blame.Compare(context.Background(), p.Base, p.Head, finding.Budget{Jobs: 1})
	hurried := blame.Compare(context.Background(), p.Base, p.Head, finding.Budget{Jobs: 1, Time: 1})
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	cancelled := blame.Compare(gone, p.Base, p.Head, finding.Budget{Jobs: 1})
	if whole.Interrupted() || !hurried.Interrupted() || !cancelled.Interrupted() {
		t.Error(whole.Interrupted(), hurried.Interrupted(), cancelled.Interrupted())
	}
	if r := verify.Check(context.Background(), p.Head, finding.Budget{Jobs: 1, Time: 1}); !r.Interrupted() {
		t.Error("a check that ran out of time says nothing of it")
	}
}
