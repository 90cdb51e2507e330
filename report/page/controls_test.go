package page_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/redlinehq/redline/engine/conform"
)

// said is what the live region says.
const said = ".said"

// TestEveryControl uses each control of a page as a reader does, by pointer and by keyboard, and hears no complaint.
func TestEveryControl(t *testing.T) {
	b := open(t, reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)), "")
	b.run(chromedp.EmulateViewport(1280, 900))
	b.skipLink()
	b.filters()
	b.player()
	b.simulator()
	b.sharing()
	b.pictures()
	b.dock()
	b.quiet()
}

func (b *tab) want(what, got, want string) {
	b.Helper()
	if !strings.Contains(got, want) {
		b.Errorf("%s: %q, want %q in it", what, got, want)
	}
}

func (b *tab) count(selector string) (n int) {
	b.Helper()
	quoted, _ := json.Marshal(selector)
	b.eval("document.querySelectorAll("+string(quoted)+").length", &n)
	return n
}

func (b *tab) focused() string {
	b.Helper()
	var s string
	b.eval("document.activeElement.id + ' ' + document.activeElement.className + ' ' + document.activeElement.textContent.slice(0, 60)", &s)
	return s
}

func (b *tab) skipLink() {
	b.Helper()
	b.run(chromedp.KeyEvent(kb.Tab))
	b.want("the first thing that has the focus", b.focused(), "skip")
	var outline string
	b.eval("getComputedStyle(document.activeElement).outlineStyle", &outline)
	b.want("the focus's outline", outline, "solid")
	b.run(chromedp.KeyEvent(kb.Enter))
	b.want("where the skip link leads", b.focused(), "verdicts")
}

// shownRows counts the rows that a reader sees.
func (b *tab) shownRows() int { return b.count("table.verdicts tbody tr:not([hidden])") }

func (b *tab) filters() {
	b.Helper()
	all := b.shownRows()
	b.click(`.filters [value="holds"]`)
	if n := b.shownRows(); n == 0 || n >= all {
		b.Errorf("%d of %d rows without what holds", n, all)
	}
	b.want("what is shown", b.text(".filters .shown"), fmt.Sprintf("of %d shown", all))
	b.click(`.filters [value="holds"]`)
	b.run(chromedp.SendKeys(`.filters [type=search]`, "withdraw only while", chromedp.ByQuery))
	if n := b.shownRows(); n != 1 {
		b.Errorf("%d rows have both words", n)
	}
	b.click(`.filters [type=reset]`)
	b.run(chromedp.Poll(fmt.Sprintf(`document.querySelectorAll("table.verdicts tbody tr:not([hidden])").length === %d`, all), nil))
	for _, summary := range []string{".primer summary", "tr .told summary", "tr details:not(.told) summary", ".change details summary"} {
		b.click(summary)
		b.click(summary)
	}
}

func (b *tab) player() {
	b.Helper()
	b.click("tr:nth-child(1) button.show")
	b.want("the button that steps has the focus", b.focused(), "Next")
	b.want("at the start", b.text(said), "At the start. 4 steps follow.")
	if n := b.count(".picture .fired"); n != 0 {
		b.Errorf("%d elements have fired at the start", n)
	}
	b.click(".play .on")
	b.want("a step on", b.text(said), "Step 1 of 4: the purchaser gets ready")
	b.want("who moved", b.text(".standing .changed"), "goods requested")
	b.want("the clause", b.text(".clause"), `transition "ready"`)
	b.want("its place", b.text(".clause"), "purchaser.contract.hcl:9")
	for _, picture := range []string{"party", "composed", "states"} {
		if b.count(".picture."+picture+" .fired") == 0 || b.count(".picture."+picture+" .on") == 0 {
			b.Errorf("the step is not seen in the picture %s", picture)
		}
	}
	b.run(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	b.want("three arrows on", b.text(said), "Step 4 of 4: the seller withdraws the goods")
	b.want("what base says of it", b.text(".clause .beyond"), "Not possible here before the amendment")
	b.want("what it shows", b.text(said), "has ended before")
	b.run(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft))
	b.want("one back", b.text(said), "Step 3 of 4")
	b.run(chromedp.KeyEvent(kb.Home))
	b.want("Home", b.text(said), "At the start")
	b.run(chromedp.KeyEvent(kb.End))
	b.want("End", b.text(said), "Step 4 of 4")
	for _, step := range [][2]string{{".play .first", "At the start"}, {".play .last", "Step 4 of 4"}, {".play .back", "Step 3 of 4"}, {".play .steps li:nth-child(3) button", "Step 2 of 4"}} {
		b.click(step[0])
		b.want(step[0], b.text(said), step[1])
	}
	b.run(chromedp.SetValue(".play select", "1", chromedp.ByQuery), chromedp.Evaluate(`document.querySelector(".play select").dispatchEvent(new Event("change"))`, nil))
	b.want("another run", b.text(said), "At the start")
	b.click(".play .on")
	b.click(".play .take-over")
	b.want("go on by hand", b.text(said), "Step 1: ")
}

func (b *tab) simulator() {
	b.Helper()
	b.click(".try .again")
	b.want("from the start", b.text(said), "At the start. 2 things can happen now.")
	b.click(".try .can li:nth-child(1) button")
	b.want("one step", b.text(said), "Step 1: the purchaser gets ready")
	if n := b.count(".picture.party .can"); n == 0 {
		b.Error("no picture shows what can happen")
	}
	b.click(".try .undo")
	b.want("undone", b.text(said), "At the start")
	b.run(chromedp.SetValue(".try .seed", "7", chromedp.ByQuery))
	taken := func() string { return b.text(".try .taken") }
	b.click(".try .random-many")
	first := taken()
	b.want("ten steps", b.text(said), "Step 10: ")
	b.click(".try .again")
	for range 10 {
		b.click(".try .random")
	}
	if taken() != first {
		b.Errorf("one seed takes %q, and then %q", first, taken())
	}
	b.run(chromedp.Focus("[role=tab]:nth-child(2)", chromedp.ByQuery), chromedp.KeyEvent(kb.ArrowLeft))
	b.want("an arrow turns to the other tab", b.focused(), "Watch a run")
	b.run(chromedp.KeyEvent(kb.ArrowRight))
	b.want("and back", b.focused(), "Try it yourself")
}

func (b *tab) sharing() {
	b.Helper()
	b.click(".try .again")
	b.click(".try .random-many")
	b.click(".try .share summary")
	var text, link, at string
	b.run(chromedp.Value(".try .text", &text, chromedp.ByQuery), chromedp.Value(".try .link", &link, chromedp.ByQuery))
	if lines := strings.Split(strings.TrimSpace(text), "\n"); len(lines) != 10 || !strings.HasPrefix(lines[0], `{`) || !strings.Contains(lines[0], `"transition":"`) {
		b.Errorf("the run as text is %q", text)
	}
	b.click(".try .copy")
	b.click(".try .copy-link")
	b.run(chromedp.Poll(`document.querySelector(".shared").textContent !== ""`, nil))
	b.click(".try .again")
	b.run(chromedp.SetValue(".try .text", text, chromedp.ByQuery))
	b.click(".try .load")
	b.want("taken from text", b.text(".try .shared"), "Taken: 10 steps.")
	for _, wrong := range [][2]string{{"nonsense", "Line 1 is not JSON."}, {`{"transition":"nobody.nothing"}`, "The contract does not allow line 1 there."}, {`[]`, "Line 1 names no event or transition."}, {strings.Repeat(" ", 1<<20+1), "longer than 1 MiB"}} {
		b.run(chromedp.Evaluate(fmt.Sprintf("document.querySelector('.try .text').value = %q", wrong[0]), nil))
		b.click(".try .load")
		b.want("a wrong text", b.text(".try .shared"), wrong[1])
	}
	b.click(".try .again")
	b.run(chromedp.Evaluate(fmt.Sprintf("location.hash = %q", link[strings.Index(link, "#"):]), nil), chromedp.Poll(`document.querySelectorAll(".taken li").length === 10`, nil))
	b.run(chromedp.Evaluate("location.hash = '#run=%%%'", nil), chromedp.Poll(`document.querySelector(".said").textContent.includes("was not taken")`, nil), chromedp.Location(&at))
}

func (b *tab) pictures() {
	b.Helper()
	width := func() (w float64) {
		b.eval(`document.querySelector(".picture.party .live svg").getBoundingClientRect().width`, &w)
		return w
	}
	was := width()
	b.click(".picture.party .larger")
	if now := width(); now <= was {
		b.Errorf("larger: %v after %v", now, was)
	}
	b.click(".picture.party .smaller")
	b.click(".picture.party .smaller")
	if now := width(); now >= was {
		b.Errorf("smaller: %v after %v", now, was)
	}
	b.click(".picture.party .whole")
	b.click(".picture.party > summary")
	b.click(".picture.party > summary")
	if n := b.count(".picture .live .appeared"); n == 0 {
		b.Error("what is new has no colour")
	}
	if n := b.count(".picture.party.both figure"); n != 2 {
		b.Errorf("%d pictures of the seller stand beside each other", n)
	}
}

// dock is for narrow screens.
func (b *tab) dock() {
	b.Helper()
	b.run(chromedp.EmulateViewport(420, 800))
	b.click("[role=tab]:nth-child(1)")
	b.click(".play .first")
	b.click(".dock-on")
	b.want("the dock's step", b.text(said), "Step 1 of")
	b.click(".dock-back")
	b.want("the dock's step back", b.text(said), "At the start")
	var over bool
	b.eval("document.documentElement.scrollWidth > document.documentElement.clientWidth", &over)
	if over {
		b.Error("a narrow page scrolls sideways")
	}
	b.run(chromedp.EmulateViewport(1280, 900))
}

// TestLassoGoesRound: a run with a loop can be stepped for ever, and back.
func TestLassoGoesRound(t *testing.T) {
	d := draft(t, example(t, "sale", [3]string{"sale.contract.hcl", `ctl   = "AG EF (seller.S0 && purchaser.P0)"`, `ctl   = "AF (seller.S3 && purchaser.P0)"`}), nil)
	b := open(t, checked(t, d), "")
	b.click("tr:nth-child(1) button.show")
	if b.count(".steps .loop button") == 0 {
		t.Fatal("the loop is not marked")
	}
	b.run(chromedp.KeyEvent(kb.End))
	b.want("the end", b.text(said), "From here it begins again with step")
	b.run(chromedp.KeyEvent(kb.ArrowRight))
	b.want("once more", b.text(said), "round 2")
	b.run(chromedp.KeyEvent(kb.ArrowLeft))
	b.want("and back", b.text(said), "From here it begins again")
	b.quiet()
}

// TestLinkedRun: a page that is opened with a run in its address begins with it; and redline replay finds that it conforms.
func TestLinkedRun(t *testing.T) {
	d := draft(t, example(t, "sale"), nil)
	html := checked(t, d)
	first := open(t, html, "")
	first.click("[role=tab]:nth-child(2)")
	first.click(".try .random-many")
	var link string
	first.run(chromedp.Value(".try .link", &link, chromedp.ByQuery))
	b := open(t, html, link[strings.Index(link, "#"):])
	if n := b.count(".taken li"); n != 10 {
		t.Errorf("%d steps came with the link", n)
	}
	log, err := conform.ReadLink(link)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := conform.Replay(t.Context(), d, log, nil, conform.DefaultLimits())
	if err != nil || answer.Deviation != nil || len(log.Lines) != 10 {
		t.Errorf("%v, %+v", err, answer)
	}
	b.quiet()
}

// TestHostilePageRunsNothing: in a browser, too, a contract's text stays text.
func TestHostilePageRunsNothing(t *testing.T) {
	for _, text := range vicious[:len(vicious)-1] {
		if strings.ContainsAny(text, "\u202e\u0000") {
			continue
		}
		b := open(t, checked(t, draft(t, hostile(text), nil)), "")
		b.click("button.show")
		b.click(".play .on")
		b.click("[role=tab]:nth-child(2)")
		b.click(".try .random")
		b.want("the page lives", b.text(said), "can happen")
		b.quiet()
	}
}

// TestAccessible asks axe-core, which finds what WCAG 2.2 A and AA forbid as far as a program can.
func TestAccessible(t *testing.T) {
	pages := map[string][]byte{
		"review":  reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)),
		"example": checked(t, draft(t, example(t, "meat-sale"), nil)),
		"lasso":   checked(t, draft(t, example(t, "sale", [3]string{"sale.contract.hcl", `ctl   = "AG EF (seller.S0 && purchaser.P0)"`, `ctl   = "AF (seller.S3 && purchaser.P0)"`}), nil)),
	}
	for _, name := range []string{"review", "example", "lasso"} {
		b := open(t, pages[name], "")
		axe, err := os.ReadFile(os.Getenv("REDLINE_AXE"))
		if err != nil {
			t.Fatal(err)
		}
		b.run(chromedp.Evaluate(string(axe), nil))
		for _, dark := range []bool{false, true} {
			b.dark(dark)
			for _, tab := range []int{0, 1} {
				if name != "review" && dark != (tab == 1) {
					continue // each picture of a page takes axe a while
				}
				b.eval(fmt.Sprintf(`(() => { for (const d of document.querySelectorAll("details")) d.open = true; const s = [...redline.stages.values()][0]; s.turn(%d); if (%[1]d === 1) s.simulator.chance(2); else if (s.player.select) { s.player.on(); s.player.on(); } return 1 })()`, tab), new(int))
				b.axe(fmt.Sprintf("%s, dark %t, tab %d", name, dark, tab))
			}
		}
		b.quiet()
	}
}

func (b *tab) axe(what string) {
	b.Helper()
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML, FailureSummary string }
	}
	b.run(chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.slice(0, 3).map(n => ({HTML: n.html.slice(0, 300), FailureSummary: n.failureSummary}))})))`,
		&found, awaited))
	for _, f := range found {
		if f.Impact == "serious" || f.Impact == "critical" {
			b.Errorf("%s: %s (%s): %s %+v", what, f.ID, f.Impact, f.Help, f.Nodes)
		} else {
			b.Logf("%s: %s (%s): %s %+v", what, f.ID, f.Impact, f.Help, f.Nodes)
		}
	}
}

// TestPicturesOpenWhole: whatever the window, no picture is cut at its right or at its bottom until a reader makes it larger. Where that leaves half its size, it
// is no taller than the window.
func TestPicturesOpenWhole(t *testing.T) {
	b := open(t, checked(t, draft(t, example(t, "gas-supply"), nil)), "")
	for _, width := range []int64{1400, 390} {
		b.run(chromedp.EmulateViewport(width, 900))
		var cut []string
		b.eval(`[...document.querySelectorAll(".canvas")].filter(c => {
			const svg = c.querySelector("svg"), r = svg.getBoundingClientRect();
			return c.clientWidth > 0 && (c.scrollWidth > c.clientWidth + 1 || c.scrollHeight > c.clientHeight + 1 || r.height > Math.max(innerHeight, svg.viewBox.baseVal.height / 2));
		}).map(c => c.getAttribute("aria-label"))`, &cut)
		if len(cut) > 0 {
			t.Errorf("%d pixels: cut, or taller than the window: %q", width, cut)
		}
	}
	b.click(".picture.composed .larger")
	b.click(".picture.composed .larger")
	var scrolls bool
	b.eval(`(c => c.scrollWidth > c.clientWidth)(document.querySelector(".picture.composed .live"))`, &scrolls)
	if !scrolls {
		t.Error("what is made larger than the page can't be scrolled")
	}
	b.quiet()
}
