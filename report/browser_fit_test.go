package report

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/draw"
)

// fitPage says of each picture what overlaps, as this browser's fonts are. What is measured are the boxes of texts; lines are
// looked at every 6 pixels.
const fitPage = `<pre></pre><script>
const box = e => e.getBoundingClientRect(), found = [];
for (const div of document.querySelectorAll("div")) {
  const svg = div.firstElementChild, say = s => found.push(div.title + ": " + s);
  svg.style.maxWidth = "none";
  const texts = [...svg.querySelectorAll("text")].map(t => [t, box(t)]);
  const nodes = [...svg.querySelectorAll(".node")].map(n => [n, box(n.querySelector("rect, circle, path"))]);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 2 && b.top < a.bottom - 2;
  for (const [n, c] of nodes) {
    const b = box(n.querySelector("text"));
    if (!n.matches(".place, .document") && (b.left < c.left + 2 || b.right > c.right - 2 || b.top < c.top || b.bottom > c.bottom)) say("a text is out of " + n.dataset.node);
  }
  texts.forEach(([t, b], i) => {
    for (const [u, c] of texts.slice(0, i)) if (meet(b, c)) say(t.textContent + " covers " + u.textContent);
    for (const [n, c] of nodes) if (!n.contains(t) && meet(b, c)) say(t.textContent + " covers " + n.dataset.node);
    const all = box(svg);
    if (b.left < all.left || b.right > all.right) say(t.textContent + " is cut off");
  });
  for (const line of svg.querySelectorAll(".line")) {
    const to = line.getScreenCTM(), over = new Set();
    for (let at = 0; at <= line.getTotalLength(); at += 6) {
      const p = line.getPointAtLength(at).matrixTransform(to);
      for (const [t, b] of texts) if (p.x > b.left + 1 && p.x < b.right - 1 && p.y > b.top + 2 && p.y < b.bottom - 2 && !t.matches(".head")) over.add(t.textContent);
    }
    for (const text of over) say("a line passes over " + text);
  }
}
document.querySelector("pre").textContent = "FOUND" + found.join("\n") + "END";
</script>`

// TestPicturesFit has every view of every example laid out by a browser, with the fonts that it has.
func TestPicturesFit(t *testing.T) {
	b := browserFor(t)
	var page strings.Builder
	page.WriteString(`<!doctype html><meta charset="utf-8"><body>`)
	n := 0
	add := func(what string, g draw.Graph) {
		n++
		fmt.Fprintf(&page, `<div title="%s">%s</div>`, html.EscapeString(what), draw.SVG(g))
	}
	for _, d := range drafts(t, examples.FS) {
		for _, p := range d.Spec.Parties {
			add(d.Path+", "+p.Name, draw.Party(d, p))
			if !compile.IsWatcher(p) {
				add(d.Path+", net of "+p.Name, draw.Net(d, p))
			}
		}
		add(d.Path+", composed", draw.Composed(d))
		if model, err := verify.Explore(t.Context(), d, finding.Budget{States: 60}); err == nil {
			add(d.Path+", states", draw.States(d, model))
		}
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page.String()+fitPage), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := b.command(t.Context(), t, "--dump-dom", "file://"+filepath.ToSlash(file)).Output()
	if err != nil {
		t.Fatal(err)
	}
	_, said, ran := strings.Cut(string(out), "<pre>FOUND")
	said, _, ended := strings.Cut(said, "END</pre>")
	if !ran || !ended {
		t.Fatalf("the browser did not come to an end:\n%.2000s", out)
	}
	if said != "" {
		t.Errorf("of %d pictures:\n%s", n, said)
	}
	t.Logf("%d pictures", n)
}
