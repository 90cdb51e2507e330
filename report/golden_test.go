package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine"
)

var update = flag.Bool("update", false, "write the goldens in testdata anew")

// TestGoldens tells each sample in every way and compares with testdata/SAMPLE.txtar.
func TestGoldens(t *testing.T) {
	for name, results := range map[string][]*engine.Result{
		"sound": {sound()}, "flawed": {flawed()}, "ill-formed": {illFormed()}, "together": {together()},
		"nothing": nil, "several": {sound(), together()},
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, map[string]string{
				"text-80": textOf(t, results, 80), "text-120": textOf(t, results, 120),
				"markdown": Markdown(results), "json": asJSON(t, results),
			})
		})
	}
}

func TestReviewGoldens(t *testing.T) {
	for name, r := range map[string]*engine.Review{
		"amendment": amendment(), "amendment-harmless": harmless(), "amendment-same": unaltered(), "amendment-ill-formed": broken(),
		"difference": withdrawing(), "difference-same": rewordedOnly(), "difference-otherwise": choosing(), "difference-unknown": outgrown(), "difference-owed": released(),
	} {
		t.Run(name, func(t *testing.T) {
			golden(t, name, map[string]string{
				"text-80": textReview(t, r, 80), "text-120": textReview(t, r, 120),
				"markdown": MarkdownReview(r), "json": reviewAsJSON(t, r),
			})
		})
	}
}

// TestHostileGolden shows what a stranger's text comes to.
func TestHostileGolden(t *testing.T) {
	r := hostile()
	r.Requirements, r.Diagnostics = r.Requirements[:2], r.Diagnostics[3:]
	golden(t, "hostile", map[string]string{"text-80": textOf(t, []*engine.Result{r}, 80), "markdown": Markdown([]*engine.Result{r})})
}

func TestGraphGolden(t *testing.T) {
	golden(t, "graph", map[string]string{"mermaid": Mermaid(sampleGraph()), "dot": DOT(sampleGraph()), "svg": SVGFragment(sampleGraph(), "p")})
}

func sampleGraph() Graph {
	return Graph{Title: "Sale of goods", Nodes: []GraphNode{
		{ID: "S0", Label: "not ready", Cluster: "seller", Marked: true}, {ID: "P0", Label: "idle", Cluster: "purchaser", Shape: Circle},
		{ID: "RFG", Label: "request for goods", Shape: Box}, {ID: "S1", Label: "withdrawn", Cluster: "seller", Change: Appeared},
		{ID: "bill", Label: "bill of lading", Shape: Square, Change: Gone},
	}, Edges: []GraphEdge{{From: "S0", To: "RFG"}, {From: "P0", To: "RFG", Label: "tests"},
		{From: "S0", To: "S1", Label: "withdraw", Change: Appeared}, {From: "RFG", To: "bill", Change: Gone}}}
}

// harmless is an amendment nobody objects to; an accepted check and a repaired promise are in it.
func harmless() *engine.Review {
	accepted := stuck("the sale may be left open; both have agreed")
	reworded := discharge(engine.Holds)
	return &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: engine.Changed, Base: flawed(), Head: sound(), Findings: []engine.Finding{
			{Kind: engine.Kept, Name: "goods-only-when-requested", Head: point(kept()), Base: point(kept())},
			{Kind: engine.Repaired, Name: "discharge", Head: point(discharge(engine.Holds)), Base: point(discharge(engine.Violated))},
			{Kind: engine.Dropped, Name: "discharge-as-before", Head: &reworded, Base: &reworded},
			{Kind: engine.New, Name: "dead-end", Check: &accepted},
		}}}}
}

func unaltered() *engine.Review {
	return &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{
		{Path: "contracts/sale", Name: "sale", Status: engine.Same}, {Path: "contracts/lease", Name: "lease", Status: engine.Same}}}
}

func broken() *engine.Review {
	head := illFormed()
	return &engine.Review{Base: "main", Head: "HEAD", Contracts: []engine.ContractReview{
		{Path: "contracts/sale", Name: "sale", Title: "Sale of goods", Status: engine.Changed, Base: sound(), Head: head, Findings: []engine.Finding{
			{Kind: engine.Meaningless, Name: "discharge", Head: &head.Requirements[0], Base: point(discharge(engine.Holds))},
		}}}}
}

func golden(t *testing.T, name string, phases map[string]string) {
	t.Helper()
	file := filepath.Join("testdata", name+".txtar")
	var got txtar.Archive
	for _, phase := range sorted(keys(phases)) {
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

func keys(m map[string]string) []string {
	var all []string
	for k := range m {
		all = append(all, k)
	}
	return all
}

func textOf(t *testing.T, results []*engine.Result, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := Text(&b, results, Style{Width: width}); err != nil {
		t.Fatal(err)
	}
	sameInColor(t, b.String(), func(s Style) string {
		var c bytes.Buffer
		_ = Text(&c, results, s)
		return c.String()
	}, width)
	return b.String()
}

func textReview(t *testing.T, r *engine.Review, width int) string {
	t.Helper()
	var b bytes.Buffer
	if err := TextReview(&b, r, Style{Width: width}); err != nil {
		t.Fatal(err)
	}
	sameInColor(t, b.String(), func(s Style) string {
		var c bytes.Buffer
		_ = TextReview(&c, r, s)
		return c.String()
	}, width)
	return b.String()
}

var ansi = regexp.MustCompile("\x1b\\[[0-9]*m")

// sameInColor holds that colour adds nothing but colour.
func sameInColor(t *testing.T, plain string, told func(Style) string, width int) {
	t.Helper()
	colored := told(Style{Width: width, Color: true})
	if colored == plain && plain != "" {
		t.Error("there is no colour")
	}
	if got := ansi.ReplaceAllString(colored, ""); got != plain {
		t.Errorf("in colour it reads\n%s\nnot\n%s", got, plain)
	}
}

func asJSON(t *testing.T, results []*engine.Result) string {
	t.Helper()
	var b bytes.Buffer
	if err := JSON(&b, results, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func reviewAsJSON(t *testing.T, r *engine.Review) string {
	t.Helper()
	var b bytes.Buffer
	if err := JSONReview(&b, r, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
