package page_test

import (
	"bytes"
	"flag"
	"fmt"
	"html"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/page"
	"github.com/redlinehq/redline/report/text"
)

var update = flag.Bool("update", false, "write the goldens in testdata anew")

// amendments are what is done to an example, file by file: what stood there, and what stands there instead.
var amendments = map[string][][3]string{
	"sale": {{"seller.contract.hcl", `  transition "end" {`, "  transition \"withdraw\" {\n    title = \"the seller withdraws the goods\"\n    from  = S2\n    to    = S0\n    set   = { GAV = false }\n  }\n  transition \"end\" {"}},
	"letter-of-credit": {
		{"seller.contract.hcl", "consume = [dispatch_cert, title]\n    produce = [awaiting_pay]", "consume = [paid0, title]\n    produce = [paid]"},
		{"seller.contract.hcl", "consume = [awaiting_pay]\n    produce = [paid]", "consume = [dispatch_cert]\n    produce = [paid0]"},
		{"seller.contract.hcl", "place \"awaiting_pay\" {\n    title   = \"awaiting payment\"\n    exposed = true\n  }", `place "paid0" { title = "paid, documents still to come" }`},
		{"bank.contract.hcl", "consume = [open]", "consume = [open2]"},
		{"bank.contract.hcl", "consume = [docs]\n    produce = [out_of_pocket]", "consume = [open]\n    produce = [out_of_pocket, open2]"},
		{"bank.contract.hcl", `  place "docs"`, "  place \"open2\" { title = \"documents still to come\" }\n  place \"docs\""},
	},
	"car-sale":   {{"terms.contract.hcl", "  until         = delivery\n", "  until         = payment\n"}, {"terms.contract.hcl", "  within       = \"1 week\"\n", "  within       = \"2 weeks\"\n"}},
	"gas-supply": {{"norms.contract.hcl", "[deliver, deliver-late]", "[deliver]"}},
	"meat-sale":  {{"norms.contract.hcl", "  fulfil        = [payment, late-payment]\n  within        = 2\n  ends_contract = true\n", "  fulfil       = [payment, late-payment]\n  within       = 2\n"}},
	"purchasers": {{"purchaser.contract.hcl", `transition "take" {`, "transition \"cancel\" {\n    title = \"purchaser ${count.index + 1} cancels the request\"\n    from  = P1\n    to    = P0\n  }\n\n  transition \"take\" {"}},
}

// TestTextMarkdownAndPageSayTheSame: verdicts, names, sizes, waivers and runs of every example, and of an amendment to it, are taken out of
// each of the three, and are one golden.
func TestTextMarkdownAndPageSayTheSame(t *testing.T) {
	for _, name := range []string{"sale", "car-sale", "sale-in-two-phases", "purchasers", "letter-of-credit", "gas-supply", "meat-sale", "nets/figure-3", "nets/figure-6-and-7", "nets/figure-10"} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && name != "sale" && name != "letter-of-credit" {
				t.Skip("two examples are enough to look for races")
			}
			base := draft(t, example(t, name), nil)
			files := example(t, name, amendments[name]...)
			head := draft(t, files, nil)
			said := "As it is:\n" + checkedFacts(t, base)
			if amendments[name] != nil {
				said += "Amended:\n" + checkedFacts(t, head) + "Reviewed:\n" + reviewedFacts(t, base, head)
				said += "Waived:\n" + checkedFacts(t, draft(t, waived(t, files, head), nil))
			}
			golden(t, strings.ReplaceAll(name, "/", "-"), said)
		})
	}
}

// waived has every violation of a draft accepted.
func waived(t *testing.T, files fstest.MapFS, d *compile.Draft) fstest.MapFS {
	t.Helper()
	r := verify.Check(t.Context(), d, budget)
	for _, q := range r.Requirements {
		if q.Verdict != finding.Violated {
			continue
		}
		for name, f := range files {
			lead := "requirement \"" + q.Name + "\" {\n"
			block := lead + fmt.Sprintf("  waiver {\n    reason   = \"known of %s\"\n    approver = \"counsel\"\n    run      = %q\n  }\n", q.Name, q.Run)
			files[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(f.Data), lead, block, 1))}
		}
	}
	return files
}

func golden(t *testing.T, name, said string) {
	t.Helper()
	file := filepath.Join("testdata", "facts", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(said), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if said != string(want) {
		t.Errorf("%s says otherwise now:\n%s", file, said)
	}
}

func checkedFacts(t *testing.T, d *compile.Draft) string {
	t.Helper()
	results := []*finding.Result{verify.Check(t.Context(), d, budget)}
	var plain, web bytes.Buffer
	if err := text.Results(&plain, results, text.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := page.Checked(t.Context(), &web, []*compile.Draft{d}, results, page.About{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return agreed(t, textFacts(plain.String()), markdownFacts(markdown.Results(results)), pageFacts(t, web.Bytes()))
}

func reviewedFacts(t *testing.T, base, head *compile.Draft) string {
	t.Helper()
	pairs := []engine.Pair{{Base: base, Head: head}}
	r := &finding.Review{Base: "main", Head: "amendment", Contracts: engine.ComparePairs(t.Context(), pairs, budget)}
	var plain, web bytes.Buffer
	if err := text.Review(&plain, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	if err := page.Reviewed(t.Context(), &web, r, pairs, page.About{Version: "test"}); err != nil {
		t.Fatal(err)
	}
	return agreed(t, textFacts(plain.String()), markdownFacts(markdown.Review(r)), pageFacts(t, web.Bytes()))
}

func agreed(t *testing.T, text, markdown, web string) string {
	t.Helper()
	if markdown != text {
		t.Errorf("Markdown says\n%s\nand text\n%s", markdown, text)
	}
	if web != text {
		t.Errorf("the page says\n%s\nand text\n%s", web, text)
	}
	return text
}

// Facts are told in one form, whoever tells them.
type facts struct {
	sizes, verdicts, waivers []string
	kept                     int
	runs                     map[string][]string
}

func (f *facts) String() string {
	var b strings.Builder
	for _, s := range f.sizes {
		fmt.Fprintf(&b, "  size: %s\n", s)
	}
	slices.Sort(f.verdicts)
	for _, v := range f.verdicts {
		fmt.Fprintf(&b, "  %s\n", v)
	}
	if f.kept > 0 {
		fmt.Fprintf(&b, "  kept: %d\n", f.kept)
	}
	slices.Sort(f.waivers)
	for _, w := range f.waivers {
		fmt.Fprintf(&b, "  waiver: %s\n", w)
	}
	for _, name := range slices.Sorted(maps.Keys(f.runs)) {
		fmt.Fprintf(&b, "  run of %s:\n    %s\n", name, strings.Join(f.runs[name], "\n    "))
	}
	return b.String()
}

var (
	sizes        = regexp.MustCompile(`(?:[\d,]+|no) states?, (?:[\d,]+|no) steps?, (?:[\d,]+|no) dead ends?`)
	acceptance   = regexp.MustCompile(`Accepted by a waiver [^<|\n]*?It names as approver: [^.|<]*\.`)
	textEntry    = regexp.MustCompile(`^  (?:[✓✗?!–]) (holds|violated|waived|unknown|ill-formed|broken|fails|still fails|weakened|mended|still broken|now vacuous|other actors|same actors|old wording) +(\S+)`)
	textCheck    = regexp.MustCompile(`^  (failed check|error|warning)\[([^\]]+)\]: `)
	textStep     = regexp.MustCompile(`^ +(\d+)\. (.*)$`)
	textAccepted = regexp.MustCompile(`^  ((?:newly )?accepted): .*\[([^\]]+)\] Reason given: `)
	textChange   = regexp.MustCompile(`(?s)\n  What changes\n.*?(\n  warning\[|\z)`)
	textKept     = regexp.MustCompile(`^  ✓ (\d+) promises? kept`)
)

// textFacts takes the facts out of what is told at a terminal.
func textFacts(said string) string {
	f := &facts{runs: map[string][]string{}, sizes: sizes.FindAllString(said, -1), waivers: acceptance.FindAllString(said, -1)}
	said = textChange.ReplaceAllString(said, "$1")
	at := ""
	for line := range strings.Lines(said) {
		line = strings.TrimRight(line, "\n")
		if m := textEntry.FindStringSubmatch(line); m != nil {
			at, f.verdicts = m[2], append(f.verdicts, m[1]+": "+m[2])
		} else if m := textCheck.FindStringSubmatch(line); m != nil {
			at, f.verdicts = m[2], append(f.verdicts, m[1]+": "+m[2])
		} else if m := textAccepted.FindStringSubmatch(line); m != nil {
			f.verdicts = append(f.verdicts, m[1]+": "+m[2])
		} else if m := textStep.FindStringSubmatch(line); m != nil {
			f.runs[at] = append(f.runs[at], m[1]+". "+m[2])
		} else if m := textKept.FindStringSubmatch(line); m != nil {
			fmt.Sscan(m[1], &f.kept)
		}
	}
	return f.String()
}

var (
	mdAccepted = regexp.MustCompile("(?m)^- ((?:newly )?accepted): `([^`]+)`")
	mdChange   = regexp.MustCompile(`(?s)<details><summary><b>What can happen</b>.*?(<details><summary>\d+ remark|\z)`)
	mdEntry    = regexp.MustCompile("(?m)^\\| [✓✗?!–] ([a-z -]+?) \\| (?:[^|]* — )?`([^`|]+)` \\|")
	mdFinding  = regexp.MustCompile("(?m)^\\| (?:[^|]*? — )?`([^`|]+)`(?:<br>[^|]*)? \\| [^|]+ \\| \\*{0,2}([a-z -]+?)\\*{0,2}(?:<br>cause \\d+)? \\|")
	mdCheck    = regexp.MustCompile("(?m)^(?:- )?\\*\\*(Failed check|Error|Warning)\\*\\* `([^`]+)`")
	mdPart     = regexp.MustCompile(`(?m)^(?:CHECK |<details(?: open)?><summary><code>)`)
	mdName     = regexp.MustCompile("^([^<`]+)")
	mdStep     = regexp.MustCompile(`(?m)^(\d+)\. (.*?)(?: — .*)?$`)
	mdKept     = regexp.MustCompile(`(\d+) kept[;,.]`)
	mdCode     = regexp.MustCompile("`([^`]*)`")
	mdBack     = regexp.MustCompile(`\\([!-/:-@\[-` + "`" + `{-~])`)
)

// unmarked is Markdown as a reader sees it.
func unmarked(s string) string {
	s = mdCode.ReplaceAllString(strings.ReplaceAll(s, "\u200b", ""), "[$1]")
	return html.UnescapeString(mdBack.ReplaceAllString(s, "$1"))
}

// markdownFacts takes them out of what is told on GitHub.
func markdownFacts(said string) string {
	f := &facts{runs: map[string][]string{}, sizes: sizes.FindAllString(said, -1)}
	for _, w := range acceptance.FindAllString(said, -1) {
		f.waivers = append(f.waivers, unmarked(w))
	}
	said = mdChange.ReplaceAllString(said, "$1")
	for _, m := range mdEntry.FindAllStringSubmatch(said, -1) {
		f.verdicts = append(f.verdicts, m[1]+": "+m[2])
	}
	for _, m := range mdFinding.FindAllStringSubmatch(said, -1) {
		f.verdicts = append(f.verdicts, m[2]+": "+m[1])
	}
	for _, m := range mdCheck.FindAllStringSubmatch(said, -1) {
		if !slices.Contains(f.verdicts, "fails: "+m[2]) {
			f.verdicts = append(f.verdicts, strings.ToLower(m[1])+": "+m[2])
		}
	}
	for _, m := range mdAccepted.FindAllStringSubmatch(said, -1) {
		f.verdicts = append(f.verdicts, m[1]+": "+m[2])
	}
	if m := mdKept.FindStringSubmatch(said); m != nil {
		fmt.Sscan(m[1], &f.kept)
	}
	for _, part := range mdPart.Split(mdCheck.ReplaceAllString(said, "CHECK $2<"), -1) {
		name := ""
		if m := mdName.FindStringSubmatch(part); m != nil {
			name = m[1]
		}
		for _, m := range mdStep.FindAllStringSubmatch(part, -1) {
			f.runs[name] = append(f.runs[name], unmarked(m[1]+". "+m[2]))
		}
	}
	return f.String()
}

// pageFacts takes them out of a page, as a browser reads it.
func pageFacts(t *testing.T, written []byte) string {
	t.Helper()
	f := &facts{runs: map[string][]string{}}
	name, word, verdictRow := "", "", false
	for _, n := range parse(t, written).all {
		class := attribute(n, "class")
		switch {
		case class == "size":
			f.sizes = append(f.sizes, sizes.FindAllString(wordsOf(n), -1)...)
		case n.Data == "tr":
			verdictRow = false
		case strings.HasPrefix(class, "verdict "):
			word = strings.TrimSpace(strings.TrimLeft(wordsOf(n), "✓✗?!– "))
		case n.Data == "code" && class == "name":
			name, verdictRow = wordsOf(n), true
			if word == "kept" {
				f.kept++
			} else {
				f.verdicts = append(f.verdicts, word+": "+name)
			}
		case n.Data == "p" && class == "note":
			f.waivers = append(f.waivers, acceptance.FindAllString(wordsOf(n), -1)...)
		case n.Data == "li" && attribute(n, "value") != "" && verdictRow && word != "holds" && word != "waived" && word != "kept":
			f.runs[name] = append(f.runs[name], attribute(n, "value")+". "+n.FirstChild.Data)
		}
	}
	return f.String()
}

// TestOneWordForAVerdict: a check says that requirements hold or are violated, and not that promises are kept or broken, in text, Markdown and on a page. The
// titles of these examples have no such word.
func TestOneWordForAVerdict(t *testing.T) {
	otherWords := regexp.MustCompile(`(?i)\b(kept|broken|promises?d?)\b`)
	for _, name := range []string{"sale", "purchasers", "letter-of-credit"} {
		d := draft(t, example(t, name), nil)
		results := []*finding.Result{verify.Check(t.Context(), d, budget)}
		var plain, web bytes.Buffer
		if err := text.Results(&plain, results, text.Style{}); err != nil {
			t.Fatal(err)
		}
		if err := page.Checked(t.Context(), &web, []*compile.Draft{d}, results, page.About{Version: "test"}); err != nil {
			t.Fatal(err)
		}
		shown := ""
		for _, n := range parse(t, web.Bytes()).all {
			if n.Data == "main" {
				shown = wordsOf(n)
			}
		}
		for _, said := range []string{plain.String(), markdown.Results(results), shown} {
			if at := otherWords.FindStringIndex(said); at != nil {
				t.Errorf("%s: %s", name, said[max(0, at[0]-60):min(len(said), at[1]+60)])
			}
		}
	}
}
