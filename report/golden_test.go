package report

import (
	"bytes"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

var update = flag.Bool("update", false, "write the goldens in testdata anew")

// TestGoldens tells each sample in every way and compares with testdata/SAMPLE.txtar.
func TestGoldens(t *testing.T) {
	for name, results := range map[string][]*finding.Result{
		"sound": {sound()}, "flawed": {flawed()}, "ill-formed": {illFormed()}, "together": {together()},
		"nothing": nil, "several": {sound(), together()},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, map[string]string{
				"text-80": textOf(t, results, 80), "text-120": textOf(t, results, 120),
				"markdown": markdown.Results(results), "json": asJSON(t, results),
			})
		})
	}
}

func TestReviewGoldens(t *testing.T) {
	for name, r := range map[string]*finding.Review{
		"amendment": amendment(), "amendment-harmless": harmless(), "amendment-same": unaltered(), "amendment-ill-formed": broken(),
		"difference": withdrawing(), "difference-same": rewordedOnly(), "difference-otherwise": choosing(), "difference-unknown": outgrown(), "difference-owed": released(),
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, map[string]string{
				"text-80": textReview(t, r, 80), "text-120": textReview(t, r, 120),
				"markdown": markdown.Review(r), "json": reviewAsJSON(t, r),
			})
		})
	}
}

// TestHostileGolden shows what a stranger's text comes to.
func TestHostileGolden(t *testing.T) {
	r := hostile()
	r.Requirements, r.Diagnostics = r.Requirements[:2], r.Diagnostics[3:]
	golden(t, "hostile", map[string]string{"text-80": textOf(t, []*finding.Result{r}, 80), "markdown": markdown.Results([]*finding.Result{r})})
}

func TestGraphGolden(t *testing.T) {
	golden(t, "graph", map[string]string{"mermaid": draw.Mermaid(sampleGraph()), "dot": draw.DOT(sampleGraph()), "svg": draw.SVGFragment(sampleGraph(), "p")})
}

func sampleGraph() draw.Graph {
	return draw.Graph{Title: "Sale of goods", Nodes: []draw.GraphNode{
		{ID: "S0", Label: "not ready", Cluster: "seller", Marked: true}, {ID: "P0", Label: "idle", Cluster: "purchaser", Shape: draw.Circle},
		{ID: "RFG", Label: "request for goods", Shape: draw.Box}, {ID: "S1", Label: "withdrawn", Cluster: "seller", Change: draw.Appeared},
		{ID: "bill", Label: "bill of lading", Shape: draw.Square, Change: draw.Gone},
	}, Edges: []draw.GraphEdge{{From: "S0", To: "RFG"}, {From: "P0", To: "RFG", Label: "tests"},
		{From: "S0", To: "S1", Label: "withdraw", Change: draw.Appeared}, {From: "RFG", To: "bill", Change: draw.Gone}}}
}

// harmless is an amendment nobody objects to; an accepted check and a repaired promise are in it.
func harmless() *finding.Review {
	accepted := stuck("the sale may be left open; both have agreed")
	reworded := discharge(finding.Holds)
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: flawed(), Head: sound(), Findings: []finding.Finding{
			{Kind: finding.Kept, Name: "goods-only-when-requested", Head: point(kept()), Base: point(kept())},
			{Kind: finding.Repaired, Name: "discharge", Head: point(discharge(finding.Holds)), Base: point(discharge(finding.Violated))},
			{Kind: finding.Dropped, Name: "discharge-as-before", Head: &reworded, Base: &reworded},
			{Kind: finding.New, Name: "dead-end", Check: &accepted},
		}}}}
}

func unaltered() *finding.Review {
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{
		{Path: "contracts/sale", Name: "sale", Status: finding.Same}, {Path: "contracts/lease", Name: "lease", Status: finding.Same}}}
}

// inWords changes a title alone.
func inWords() *finding.Review {
	r := unaltered()
	r.Contracts[0].Reworded = []diff.Change{{Element: diff.Obligation, Action: diff.Rewired, Name: "refund", Terms: []diff.Term{{Word: "title", Was: "refund the price", Now: "refund half the price"}}}}
	return r
}

func broken() *finding.Review {
	head := illFormed()
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: []finding.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: finding.Changed, Base: sound(), Head: head, Findings: []finding.Finding{
			{Kind: finding.Meaningless, Name: "discharge", Head: &head.Requirements[0], Base: point(discharge(finding.Holds))},
		}}}}
}

func golden(t *testing.T, name string, phases map[string]string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txtar")
	var got txtar.Archive
	for _, phase := range slices.Sorted(maps.Keys(phases)) {
		got.Files = append(got.Files, txtar.File{Name: phase, Data: []byte(phases[phase])})
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(&got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := txtar.Parse(raw)
	if len(want.Files) != len(got.Files) {
		t.Fatalf("%s has %d phases, want %d", file, len(want.Files), len(got.Files))
	}
	for i, f := range got.Files {
		if !bytes.Equal(f.Data, want.Files[i].Data) {
			t.Errorf("%s: %s is now\n%s\nand was\n%s", file, f.Name, f.Data, want.Files[i].Data)
		}
	}
}

func textOf(t *testing.T, results []*finding.Result, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Results(&b, results, text.Style{Width: width}); err != nil {
		t.Fatal(err)
	}
	sameInColor(t, b.String(), func(s text.Style) string {
		var c bytes.Buffer
		_ = text.Results(&c, results, s)
		return c.String()
	}, width)
	return b.String()
}

func textReview(t *testing.T, r *finding.Review, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := text.Review(&b, r, text.Style{Width: width}); err != nil {
		t.Fatal(err)
	}
	sameInColor(t, b.String(), func(s text.Style) string {
		var c bytes.Buffer
		_ = text.Review(&c, r, s)
		return c.String()
	}, width)
	return b.String()
}

var ansi = regexp.MustCompile("\x1b\\[[0-9]*m")

// sameInColor holds that colour adds nothing but colour.
func sameInColor(t *testing.T, plain string, told func(text.Style) string, width int) {
	t.Helper()
	colored := told(text.Style{Width: width, Color: true})
	if colored == plain && plain != "" {
		t.Error("there is no colour")
	}
	if got := ansi.ReplaceAllString(colored, ""); got != plain {
		t.Errorf("in colour it reads\n%s\nnot\n%s", got, plain)
	}
}

func asJSON(t *testing.T, results []*finding.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.WriteResults(&b, results, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func reviewAsJSON(t *testing.T, r *finding.Review) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.WriteReview(&b, r, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
