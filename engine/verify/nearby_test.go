package verify

import (
	"io/fs"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestSmallerNetSaysTheSame: what is decided on a smaller net is what all states say, of each promise of the examples and of
// simple ones about each of their places; and what does not hold comes with a run that replays.
func TestSmallerNetSaysTheSame(t *testing.T) {
	decided, shown := 0, 0
	for _, name := range []string{"sale", "letter-of-credit", "meat-sale", "purchasers", "nets/figure-3"} {
		d := exampleDraft(t, name)
		graph, err := space.Explore(t.Context(), d.Net, petri.One, space.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		all := ctl.New[space.Set](graph.Sets())
		for _, f := range questionsTo(d) {
			want, err := all.Holds(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			got := reducedNet{}.decide(t.Context(), &question{Draft: d, formula: f, simple: f})
			if got.engine == "" {
				continue
			}
			decided++
			if got.holds != want {
				t.Errorf("%s: %s holds on a smaller net: %t", name, f.CTL(), got.holds)
			}
			if got.holds {
				continue
			}
			shown++
			if err := explain.Replay(d.Net, d.Rule, explain.Runs{}, got.evidence); err != nil {
				t.Errorf("%s: %s: %v", name, f.CTL(), err)
			}
		}
	}
	if decided < 100 || shown < 20 {
		t.Errorf("%d decided, %d shown: too few to tell", decided, shown)
	}
}

// questionsTo are the promises of a draft, and for each of its places that it never is, is ever again, and comes.
func questionsTo(d *compile.Draft) (list []*ctl.Formula) {
	for i, f := range d.Formulas {
		if f != nil && len(d.Spec.Requirements[i].Assuming) == 0 {
			list = append(list, f)
		}
	}
	op := func(o ctl.Op, f *ctl.Formula) *ctl.Formula { return &ctl.Formula{Op: o, Left: f} }
	for p := range d.Net.Places {
		at := &ctl.Formula{Op: ctl.Atom, Place: p}
		list = append(list, op(ctl.AG, op(ctl.Not, at)), op(ctl.AG, op(ctl.EF, at)), op(ctl.AF, at))
	}
	return list
}

func exampleDraft(t *testing.T, name string) *compile.Draft {
	t.Helper()
	dir, err := fs.Sub(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	src, err := load.Dir(dir, ".", ".", nil)
	if err != nil {
		t.Fatal(err)
	}
	one := petri.One
	return compile.Compile(src, ".", &one)
}
