package report

import (
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/rivo/uniseg"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

func TestFigure(t *testing.T) {
	big3 := new(big.Int).Exp(big.NewInt(3), big.NewInt(200), nil)
	for want, n := range map[string]*big.Int{
		"0": big.NewInt(0), "999": big.NewInt(999), "1,000": big.NewInt(1000), "123,456,789": big.NewInt(123456789),
		"about 2.6 × 10^95": big3,
	} {
		if got := words.Figure(n); got != want {
			t.Errorf("figure(%s) = %q, want %q", n, got, want)
		}
	}
}

func TestVacuityIsSaidInWords(t *testing.T) {
	for want, v := range map[string]finding.Vacuity{
		"Holds, but p is never true: q makes no difference.":                                                   {Subformula: "q", Because: "p"},
		"Holds, but p is always true: q in p || q makes no difference and may be left out if the rest stays.":  {Subformula: "q", Because: "p", Value: true, Spare: true, In: "p || q"},
		"Holds without p, too: that part is not needed and may be left out if the rest stays.":                 {Subformula: "p", Spare: true},
		"Holds without p, which is never true: that part is not needed and may be left out if the rest stays.": {Subformula: "p", Spare: true, Never: true},
		"Holds whatever p is: that part makes no difference.":                                                  {Subformula: "p"},
		"Holds whatever p is, and it is always true: that part makes no difference.":                           {Subformula: "p", Replacement: true, Always: true},
	} {
		if got := words.Vacuities([]finding.Vacuity{v}, words.Terminal)[0]; got != want {
			t.Errorf("%+v: %q, want %q", v, got, want)
		}
	}
}

// TestWrap: no line is wider than asked, and no word is lost.
func TestWrap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab 日é👩—"))).Draw(t, "s")
		width := rapid.IntRange(2, 20).Draw(t, "width")
		lines := text.Wrap(s, width)
		for _, l := range lines {
			if uniseg.StringWidth(l) > width {
				t.Fatalf("%q is wider than %d", l, width)
			}
		}
		squeeze := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if squeeze(strings.Join(lines, " ")) != squeeze(s) {
			t.Fatalf("%q became %q", s, lines)
		}
	})
}

func TestExcerpt(t *testing.T) {
	long := strings.Repeat("x ", 300)
	for name, c := range map[string]struct {
		line       string
		start, end int
		room       int
		text, mark string
	}{
		"plain":      {"  a = bcd", 7, 10, 80, "a = bcd", "bcd"},
		"tabs":       {"\t\ta = bcd", 7, 10, 80, "a = bcd", "bcd"},
		"wide":       {`t = "日本" x`, 10, 11, 80, `t = "日本" x`, "x"},
		"past end":   {"abc", 9, 12, 80, "abc", " "},
		"far out":    {long + "HERE" + long, 601, 605, 40, "…x x x x x x HEREx x x x x x x x x x x …", "HERE"},
		"whole line": {"abc", 1, 4, 0, "abc", "abc"},
	} {
		at := hcl.Range{Start: hcl.Pos{Line: 1, Column: c.start}, End: hcl.Pos{Line: 1, Column: c.end}}
		text, from, to := text.Excerpt(c.line, at, c.room)
		if text != c.text {
			t.Errorf("%s: shows %q, want %q", name, text, c.text)
		}
		if w := uniseg.StringWidth(text); c.room > 0 && w > c.room {
			t.Errorf("%s: %d columns wide", name, w)
		}
		before, rest := columns(text, from)
		if mark, _ := columns(rest, to-from); uniseg.StringWidth(before) != min(from, uniseg.StringWidth(text)) || mark != strings.TrimSpace(c.mark) {
			t.Errorf("%s: marks %q, want %q", name, mark, c.mark)
		}
	}
}

// columns cuts s after w columns.
func columns(s string, w int) (head, tail string) {
	end, used, state := 0, 0, -1
	for rest := s; rest != "" && used < w; {
		cluster, after, width, next := uniseg.FirstGraphemeClusterInString(rest, state)
		rest, used, state, end = after, used+width, next, end+len(cluster)
	}
	return s[:end], s[end:]
}

func TestMarkdownStaysWithinItsLimit(t *testing.T) {
	for name, got := range map[string]string{
		"many contracts": markdown.Results(many(100, flawed)),
		"long runs":      markdown.Results([]*finding.Result{long(30, 200)}),
		"many findings":  markdown.Review(&finding.Review{Contracts: []finding.ContractReview{{Name: "sale", Status: finding.Changed, Head: sound(), Findings: findings(150)}}}),
		"many reviewed":  markdown.Review(&finding.Review{Contracts: reviewed(50)}),
	} {
		if len(got) > markdown.CommentLimit {
			t.Errorf("%s: %d bytes", name, len(got))
		}
		if len(got) < markdown.CommentLimit/2 {
			t.Errorf("%s: only %d bytes, where more was to say", name, len(got))
		}
		if !strings.Contains(got, "Left out, because GitHub takes no longer text") || !strings.Contains(got, "shows it whole") {
			t.Errorf("%s: does not say what is missing:\n%s", name, got[len(got)-300:])
		}
		if strings.Count(got, "<details") != strings.Count(got, "</details>") || strings.Count(got, "```")%2 != 0 {
			t.Errorf("%s: something is left open", name)
		}
	}
}

// Of very many contracts those that come first keep their tables and are explained, and the last are left out whole.
func TestCutKeepsTheFirst(t *testing.T) {
	got := markdown.Review(&finding.Review{Contracts: reviewed(1500)})
	heads, tables, pictures := strings.Count(got, "\n### "), strings.Count(got, "\n| promise |"), strings.Count(got, "```mermaid")
	if heads < 20 || tables < heads-1 || pictures == 0 || len(got) > markdown.CommentLimit {
		t.Errorf("%d contracts, %d tables, %d pictures in %d bytes", heads, tables, pictures, len(got))
	}
	_, last, _ := strings.Cut(got, "Left out, because GitHub takes no longer text: ")
	if !strings.Contains(last, "tables") || !strings.Contains(last, "runs") {
		t.Errorf("what is missing: %s", last)
	}
}

func many(n int, f func() *finding.Result) []*finding.Result {
	all := make([]*finding.Result, n)
	for i := range all {
		all[i] = f()
	}
	return all
}

// long has n violated requirements, each with a run of so many steps.
func long(n, length int) *finding.Result {
	r := sound()
	r.Requirements = nil
	for i := range n {
		q := discharge(finding.Violated)
		q.Name, q.Trace = fmt.Sprintf("discharge-%d", i), runOf(length)
		r.Requirements = append(r.Requirements, q)
	}
	return r
}

func runOf(length int) *finding.Trace {
	t := &finding.Trace{Claim: "false"}
	for i := range length {
		t.Prefix = append(t.Prefix, request(i+1))
	}
	return t
}

func findings(n int) []finding.Finding {
	var all []finding.Finding
	for range n {
		all = append(all, finding.Finding{Kind: finding.New, Name: "discharge", Head: point(discharge(finding.Violated)), Base: point(discharge(finding.Holds))})
	}
	return all
}

func reviewed(n int) []finding.ContractReview {
	var all []finding.ContractReview
	for i := range n {
		for _, c := range amendment().Contracts {
			c.Name += fmt.Sprint("-", i)
			for k := range c.Findings {
				c.Findings[k].Name += fmt.Sprint("-", i) // else they are alike
			}
			all = append(all, c)
		}
	}
	return all
}

func TestLongRunsAreNotDrawn(t *testing.T) {
	if got := draw.SequenceDiagram(runOf(draw.MaxMessages), nil); strings.Count(got, "p0->p1") != draw.MaxMessages {
		t.Errorf("a run of %d firings is drawn as\n%s", draw.MaxMessages, got)
	}
	if got := draw.SequenceDiagram(runOf(draw.MaxMessages+1), nil); got != "" {
		t.Errorf("a longer run is drawn as\n%s", got)
	}
	if got := markdown.Results([]*finding.Result{long(1, 500)}); !strings.Contains(got, "too long to draw: 500 firings") || !strings.Contains(got, "400 steps more") {
		t.Errorf("Markdown hides what it leaves out:\n%s", got)
	}
}

func TestTextTellsAllOfALongRun(t *testing.T) {
	if got := textOf(t, []*finding.Result{long(1, 500)}, 80); !strings.Contains(got, "\n        500. request for goods") {
		t.Error("the last step is missing")
	}
}

func TestLargeGraphsAreNotDrawn(t *testing.T) {
	g := draw.Graph{Nodes: []draw.GraphNode{{ID: "a"}, {ID: "b"}}}
	for range draw.MaxEdges {
		g.Edges = append(g.Edges, draw.GraphEdge{From: "a", To: "b"})
	}
	if draw.Mermaid(g) == "" {
		t.Errorf("%d edges are not drawn", draw.MaxEdges)
	}
	g.Edges = append(g.Edges, draw.GraphEdge{From: "a", To: "b"})
	if draw.Mermaid(g) != "" {
		t.Errorf("%d edges are drawn", len(g.Edges))
	}
}

// TestSame: the same results tell the same, whatever the order of maps.
func TestSame(t *testing.T) {
	want := markdown.Review(amendment())
	for range 20 {
		if got := markdown.Review(amendment()); got != want {
			t.Fatalf("once\n%s\nand then\n%s", want, got)
		}
	}
}
