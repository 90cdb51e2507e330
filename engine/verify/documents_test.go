package verify_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/load"
)

// A handed is a random document: who has it at first, which event moves it from whom to whom, and what events and an obligation ask of it.
type handed struct {
	holder  string
	moves   map[string]map[string]string // event: from: to
	asks    map[string]string            // by event
	require string
}

const nobody = "nobody"

var (
	holders = []string{nobody, "a", "b"}
	events  = []string{"e0", "e1", "e2"}
)

func drawHanded(t *rapid.T) handed {
	d := handed{rapid.SampledFrom(holders).Draw(t, "holder"), map[string]map[string]string{}, map[string]string{}, ""}
	for _, e := range events {
		for _, from := range holders {
			to := rapid.SampledFrom(holders).Draw(t, "to")
			if rapid.Bool().Draw(t, "moves") && to != from {
				if d.moves[e] == nil {
					d.moves[e] = map[string]string{}
				}
				d.moves[e][from] = to
			}
		}
	}
	for _, e := range events {
		if rapid.Bool().Draw(t, "asks") {
			d.asks[e] = d.condition(t)
		}
	}
	d.require = d.condition(t)
	return d
}

// condition draws a condition on holders that the document can come to.
func (d handed) condition(t *rapid.T) string {
	can := []string{d.holder}
	for _, moves := range d.moves {
		for from, to := range moves {
			can = append(can, from, to)
		}
	}
	slices.Sort(can)
	can = slices.Compact(can)
	held := func() string {
		not := ""
		if len(can) > 1 && rapid.Bool().Draw(t, "not") {
			not = "!"
		}
		return not + "paper." + rapid.SampledFrom(can).Draw(t, "who")
	}
	if rapid.Bool().Draw(t, "any") {
		return "any(" + held() + ", " + held() + ")"
	}
	return held()
}

const handing = `
contract "c" { firing = %s }
party "a" {
  state "A0" {}
  state "A1" {}
  transition "t0" {
    from = A0
    to   = A1
  }
  transition "t1" {
    from = A1
    to   = A0
  }
  transition "t2" {
    from  = A1
    to    = A1
    label = t1
  }
}
party "b" {
  state "B0" {}
  state "B1" {}
  transition "t0" {
    from = B0
    to   = B1
  }
  transition "t1" {
    from = B1
    to   = B0
  }
}
%s
requirement "r0" {
  ctl = "AG (paper.a -> AF paper.b)"
}
requirement "r1" {
  ctl = "EF (paper.b && a.A0)"
}
requirement "r2" {
  ctl = "AG EF paper.nobody"
}
requirement "r3" {
  ctl = "AG (o.owed -> AF !paper.a)"
}
`

var syncs = map[string]string{"e0": "a = t0", "e1": "b = t0", "e2": "a = t1, b = t1"}

func (d handed) sugar(firing string) string {
	var b strings.Builder
	for _, e := range events {
		fmt.Fprintf(&b, "event %q {\n  sync = { %s }\n%s}\n", e, syncs[e], d.guard(e))
	}
	b.WriteString(d.obligation())
	b.WriteString("document \"paper\" {\n")
	if d.holder != nobody {
		fmt.Fprintf(&b, "  holder = %s\n", d.holder)
	}
	b.WriteString("  moves = {\n")
	for _, e := range events {
		if len(d.moves[e]) > 0 {
			fmt.Fprintf(&b, "    %s = [%s]\n", e, strings.Join(ends(d.moves[e]), ", "))
		}
	}
	b.WriteString("  }\n}\n")
	return fmt.Sprintf(handing, firing, b.String())
}

func ends(moves map[string]string) []string {
	var list []string
	for _, from := range holders {
		to, ok := moves[from]
		if !ok {
			continue
		}
		parts := []string{"from = " + from, "to = " + to}
		parts = slices.DeleteFunc(parts, func(s string) bool { return strings.HasSuffix(s, nobody) })
		list = append(list, "{ "+strings.Join(parts, ", ")+" }")
	}
	return list
}

// guard writes what an event asks of the document.
func (d handed) guard(event string) string {
	if d.asks[event] == "" {
		return ""
	}
	return "  only_while = " + d.asks[event] + "\n"
}

// obligation writes an obligation that asks for the document when it arises.
func (d handed) obligation() string {
	return fmt.Sprintf("obligation \"o\" {\n  bearer  = a\n  when    = e0\n  require = %s\n  fulfil  = e2\n}\n", d.require)
}

// byHand writes the document as a party that takes part in the events that move it, with a state for each holder.
func (d handed) byHand(firing string) string {
	var b strings.Builder
	for _, e := range events {
		also := ""
		if len(d.moves[e]) > 0 {
			also = ", paper = " + e
		}
		fmt.Fprintf(&b, "event %q {\n  sync = { %s%s }\n%s}\n", e, syncs[e], also, d.guard(e))
	}
	b.WriteString(d.obligation())
	fmt.Fprintf(&b, "party \"paper\" {\n  state %q {}\n", d.holder)
	for _, h := range holders {
		if h != d.holder {
			fmt.Fprintf(&b, "  state %q {}\n", h)
		}
	}
	for _, e := range events {
		for from, to := range d.moves[e] {
			fmt.Fprintf(&b, "  transition \"%s-%s\" {\n    label = %s\n    from = %s\n    to = %s\n  }\n", e, from, e, from, to)
		}
	}
	b.WriteString("}\n")
	return fmt.Sprintf(handing, firing, b.String())
}

// Writing a document as a party by hand gives the same state model and the same verdicts, also of what asks who has it.
func TestDocumentsByHand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d, firing := drawHanded(t), rapid.SampledFrom([]string{"one", "all"}).Draw(t, "firing")
		sugar, hand := d.sugar(firing), d.byHand(firing)
		got, a := outcome(t, sugar)
		want, b := outcome(t, hand)
		if got != want {
			t.Fatalf("%s\nby hand %s\n%s\n%s", got, want, sugar, hand)
		}
		if !testkit.Bisimilar(t, a, b) {
			t.Fatalf("not bisimilar\n%s\n%s", sugar, hand)
		}
	})
}

const copied = `
contract "c" {}
document "title" { title = "certificate of title" }
party "seller" {
  place "title" {
    document = title
    marked   = true
  }
  transition "hand-over" { %s = [title] }
}
party "bank" {
  place "vault" { marked = true }
  place "title" { document = title }
  transition "take" {
    consume = [vault]
    produce = [title]
  }
}
event "presentation" {
  sync = {
    seller = hand-over
    bank   = take
  }
}
requirement "held" {
  ctl = "AG !title.nobody"
}
requirement "comes-to-the-bank" {
  ctl = "AF (title.bank && !title.seller)"
}
%s`

func TestDocumentHeldTwice(t *testing.T) {
	load := func(arc, more string) *finding.Result {
		return testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: fmt.Appendf(nil, copied, arc, more)}}, petri.One)
	}
	if r := load("consume", ""); testkit.Fails(r) != "" || len(r.Diagnostics) > 0 {
		t.Errorf("%s; %+v", testkit.Fails(r), r.Diagnostics)
	}
	r := load("read", "")
	if testkit.Fails(r) != "comes-to-the-bank violated" || len(r.Diagnostics) != 1 {
		t.Fatalf("%s; %+v", testkit.Fails(r), r.Diagnostics)
	}
	d := r.Diagnostics[0]
	if d.Code != "document-held-twice" || d.Subject != "document.title" || d.Class != "violation" || len(d.Trace.Prefix) != 1 {
		t.Errorf("%+v", d)
	}
	if want := "Event \"presentation\" gives bank the document, but seller.hand-over keeps it. Write consume = [title]."; d.Detail != want || !strings.HasPrefix(strings.TrimSpace(d.Snippet), "transition \"hand-over\" { read") {
		t.Errorf("%s\n%s", d.Detail, d.Snippet)
	}
	if finding.StatusOf([]*finding.Result{r}) != finding.Violations {
		t.Error("no violation")
	}
	r = load("read", "accept \"document-held-twice\" {\n  on     = document.title\n  reason = \"the bank has a copy\"\n}\n")
	if r.Diagnostics[0].Accepted == "" {
		t.Errorf("not accepted: %+v", r.Diagnostics)
	}
}

// TestDocumentAdded: a transition that holds no document yet produces one, and that is where the message points.
func TestDocumentAdded(t *testing.T) {
	const twice = `contract "c" {}
document "title" {}
party "seller" {
  place "title" {
    document = title
    marked   = true
  }
}
party "bank" {
  place "vault" { marked = true }
  place "title" { document = title }
  transition "copy" {
    consume = [vault]
    produce = [title]
  }
}
`
	r := testkit.Check(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(twice)}}, petri.One)
	d := r.Diagnostics[slices.IndexFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Code == "document-held-twice" })]
	if d.Detail != "bank.copy gives bank the document while it is held elsewhere." || d.Source.Start.Line != 12 || len(r.Proposals) > 0 {
		t.Errorf("%q at %v; %v", d.Detail, d.Source, r.Proposals)
	}
}

// What an amendment does to the one original is sorted like a requirement.
func TestDocumentHeldTwiceInReview(t *testing.T) {
	compile := func(arc string) *compile.Draft {
		return testkit.Draft(t, fstest.MapFS{"c.contract.hcl": {Data: fmt.Appendf(nil, copied, arc, "")}}, petri.One)
	}
	for _, c := range []struct {
		base, head string
		want       finding.Kind
	}{{"consume", "read", finding.New}, {"read", "consume", finding.Repaired}} {
		review := blame.Compare(context.Background(), compile(c.base), compile(c.head), finding.Budget{Jobs: 1})
		i := slices.IndexFunc(review.Findings, func(f finding.Finding) bool { return f.Name == "document-held-twice" })
		if i < 0 || review.Findings[i].Kind != c.want {
			t.Errorf("%s to %s: %+v", c.base, c.head, review.Findings)
		}
	}
}

// Which places hold a document is part of what a contract means; its title is not.
func TestDigestSeesDocuments(t *testing.T) {
	digest := func(text string) string {
		src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
		if err != nil || src.Contract == nil {
			t.Fatal(err, src.Diagnostics)
		}
		return compile.Compile(src, "x", nil).Digest
	}
	text := fmt.Sprintf(copied, "read", "")
	other := strings.Replace(text, "  place \"title\" { document = title }", "  place \"title\" {}", 1)
	if text == other || digest(text) == digest(other) {
		t.Error("a place that holds no document any more means the same")
	}
	if digest(text) != digest(strings.Replace(text, "certificate", "deed", 1)) {
		t.Error("a document's title changes the meaning")
	}
}
