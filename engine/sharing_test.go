package engine

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/load"
)

const (
	sharedBase = `
contract "NAME" {}
party "p" {
  state "A" { title = "WORD" }
  state "B" {}
  state "C" {}
  transition "go" {
    from = A
    to   = B
  }
}
requirement "never" {
  ctl = "AG !p.C"
}
`
	sharedGuilty   = "  transition \"slip\" {\n    from = B\n    to   = C\n  }\n"
	sharedHarmless = "  transition \"back\" {\n    from = B\n    to   = A\n  }\n"
)

// sharedPair is an amendment of two blocks, one of which breaks the promise.
func sharedPair(name string) Pair {
	in := func(more string) *compile.Draft {
		text := strings.NewReplacer("NAME", name, "WORD", name, "}\nrequirement", more+"}\nrequirement").Replace(sharedBase)
		return compile.Compile(load.Text(map[string][]byte{name + ".contract.hcl": []byte(text)}, name, nil), name, nil)
	}
	return Pair{in(""), in(sharedGuilty + sharedHarmless)}
}

// TestNothingWrongIsShared: where the texts of another contract were found to mean something else than this one's do,
// nothing of that is told, and this contract is reviewed as if there were no other.
func TestNothingWrongIsShared(t *testing.T) {
	ctx, b := context.Background(), finding.Budget{Jobs: 1}
	first, second := sharedPair("first"), sharedPair("second")
	alone := blame.Compare(ctx, second.Base, second.Head, b)
	if g := alone.Findings[0].Blame; g == nil || len(g.Blocks) != 1 || g.Blocks[0].Name != `party "p" / transition "slip"` {
		t.Fatalf("%+v", g)
	}
	for _, what := range []string{"", "read ", "remedy "} {
		c := compile.NewMemo()
		shared := first.sharing(c)
		blame.Compare(ctx, shared.Base, shared.Head, b)
		var keys []string
		for _, key := range slices.Sorted(maps.Keys(c.Results)) {
			if what != "" && strings.HasPrefix(key, what) {
				keys = append(keys, key)
			}
		}
		if what != "" && len(keys) < 2 {
			t.Fatalf("%d texts were %s", len(keys), what)
		}
		for i, key := range keys { // every text is said to mean what another one does
			if next := c.Results[keys[(i+1)%len(keys)]]; i < len(keys)-1 {
				c.Results[key].Value, next.Value = next.Value, c.Results[key].Value
			}
		}
		shared = second.sharing(c)
		if got := blame.Compare(ctx, shared.Base, shared.Head, b); !reflect.DeepEqual(got, alone) {
			t.Errorf("%q: %+v instead of %+v", what, got.Findings[0].Blame, alone.Findings[0].Blame)
		}
	}
}
