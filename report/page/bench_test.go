package page_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// rings is a contract of parties that go round independently, each with so many states.
func rings(states ...int) fstest.MapFS {
	var b strings.Builder
	b.WriteString("contract \"rings\" {}\n")
	for i, n := range states {
		fmt.Fprintf(&b, "party \"p%d\" {\n", i)
		for s := range n {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for s := range n {
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to   = s%d\n  }\n", s, s, (s+1)%n)
		}
		b.WriteString("}\n")
	}
	b.WriteString("requirement \"never-far\" { ctl = \"AG !(p0.s3 && p1.s3 && p2.s3)\" }\n")
	return fstest.MapFS{"c.contract.hcl": {Data: []byte(b.String())}}
}

// BenchmarkLargePages makes and opens a page of 5,120 states, and one of a net with 300 places. The first should open in under two
// seconds, and the second should be drawn in under three.
func BenchmarkLargePages(b *testing.B) {
	for _, size := range []struct {
		name   string
		states []int
	}{{"5120-states", []int{8, 8, 8, 10}}, {"300-places", []int{60, 60, 60, 60, 60}}, {"1728-states", []int{12, 12, 12}}} {
		d := draft(b, rings(size.states...), nil)
		r := verify.Check(b.Context(), d, finding.Budget{States: 20_000, Jobs: 2})
		var html []byte
		b.Run(size.name+"/made", func(b *testing.B) {
			for b.Loop() {
				html = written(b, d, r)
			}
			b.ReportMetric(float64(len(html))/(1<<20), "MiB")
		})
		b.Run(size.name+"/opened", func(b *testing.B) {
			for b.Loop() {
				opened(b, html)
			}
		})
	}
}

// TestLargePagesCanBePlayed: a run is seen in a state model of 5,120 states, which is collapsed, and in a net of 300 places.
func TestLargePagesCanBePlayed(t *testing.T) {
	for _, states := range [][]int{{8, 8, 8, 10}, {60, 60, 60, 60, 60}} {
		d := draft(t, rings(states...), nil)
		b := open(t, written(t, d, verify.Check(t.Context(), d, finding.Budget{States: 20_000, Jobs: 2})), "")
		b.turnOn()
		b.quiet()
	}
}

func (b *tab) turnOn() {
	b.Helper()
	for _, summary := range []string{".picture.states > summary", ".picture.composed > summary"} {
		var closed bool
		b.eval(fmt.Sprintf("!document.querySelector(%q).parentElement.open", summary), &closed)
		if closed {
			b.click(summary)
		}
	}
	if b.count("button.show") > 0 {
		b.click("button.show")
		for range 3 {
			b.click(".play .on")
		}
		b.want("a run is played", b.text(said), "Step 3 of")
		if n, drawn := b.count(".picture.states .live .node.on"), b.count(".picture.states .live"); n != drawn {
			b.Errorf("%d states are shown in %d pictures", n, drawn)
		}
	} else {
		b.click(".try .random-many")
		b.want("steps are taken", b.text(said), "Step 10")
	}
	if n := b.count(".picture.composed .live .node.on"); n == 0 {
		b.Error("nothing is marked in the net")
	}
}

// opened waits until a page is read and its scripts have run.
func opened(b *testing.B, html []byte) {
	b.Helper()
	from := time.Now()
	t := open(b, html, "")
	var ready bool
	for !ready {
		t.run(chromedp.Evaluate(`document.readyState === "complete" && !!window.redline`, &ready))
	}
	b.ReportMetric(float64(time.Since(from).Milliseconds()), "ms/open")
}
