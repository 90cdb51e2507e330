package report

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// remembering asks of the past of two events, one of which happens again and again.
const remembering = `contract "lamp" {}
party "owner" {
  state "dark" {}
  state "bright" {}
  transition "on" {
    from = dark
    to   = bright
  }
  transition "off" {
    from = bright
    to   = dark
  }
}
event "on" { sync = { owner = on } }
event "off" { sync = { owner = off } }
requirement "first-on" { ctl = "before(on, off)" }
requirement "once-bright" { ctl = "AG (owner.bright -> happened(on))" }
`

// TestCountsAgree: of every example, and of a contract whose formulas ask of the past, the picture of the state model has as many nodes and arcs as plain, Markdown and JSON say, and as many
// nodes without an arc.
func TestCountsAgree(t *testing.T) {
	asking, err := load.Dir(fstest.MapFS{"x.contract.hcl": {Data: []byte(remembering)}}, ".", "lamp", nil)
	if err != nil {
		t.Fatal(err)
	}
	sources := []*load.Source{asking}
	dirs, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		src, err := load.Dir(examples.FS, dir, dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, src)
	}
	for i, src := range sources {
		d := compile.Compile(src, src.Contract.Name, nil)
		r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
		model, err := verify.Explore(context.Background(), d, finding.Budget{})
		if err != nil {
			t.Fatal(err)
		}
		g := draw.States(d, model)
		leaves := map[string]bool{}
		for _, e := range g.Edges {
			leaves[e.From] = true
		}
		drawn := fmt.Sprintf("%d states, %d steps, %d dead ends", len(g.Nodes), len(g.Edges), len(g.Nodes)-len(leaves))
		if have := fmt.Sprintf("%v states, %v steps, %v dead ends", r.Model.States, r.Model.Arcs, r.Model.DeadEnds); have != drawn {
			t.Errorf("%s: %s; drawn: %s", r.Name, have, drawn)
		}
		if i == 0 && drawn != "2 states, 2 steps, 0 dead ends" {
			t.Errorf("%s: %s, and there are 2", r.Name, drawn)
		}
		said := words.Size(r.Model)
		all := []*finding.Result{r}
		var plain strings.Builder
		if err := text.Results(&plain, all, text.Style{}); err != nil {
			t.Fatal(err)
		}
		for format, told := range map[string]string{"text": plain.String(), "Markdown": markdown.Results(all)} {
			if !strings.Contains(told, said) {
				t.Errorf("%s: %s does not say %s", r.Name, format, said)
			}
		}
		var b strings.Builder
		if err := json.WriteResults(&b, all, "redline"); err != nil {
			t.Fatal(err)
		}
		for field, n := range map[string]fmt.Stringer{"states": r.Model.States, "arcs": r.Model.Arcs, "deadEnds": r.Model.DeadEnds} {
			if !strings.Contains(b.String(), fmt.Sprintf("%q: %q", field, n.String())) {
				t.Errorf("%s: JSON has not %v %s", r.Name, n, field)
			}
		}
	}
}
