package report

import (
	"bytes"
	"html"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gfmtext "github.com/yuin/goldmark/text"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// nasty is what a stranger may try.
var nasty = []string{
	"@octocat", "@org/team", "see #12 and GH-12 and gh-7", "octo/repo#5", "0123456789abcdef0123456789abcdef01234567",
	"https://evil.example/x?y=z", "www.evil.example", "_www.evil.example", "~www.evil.example", "(www.evil.example", "_GH-12", "mailto:a@b.example", "a@b.example", "javascript:alert(1)", "ftp://x",
	"<script>alert(1)</script>", "<!-- x", "-->", "<details>", "</details>", "<img src=x onerror=y>", "&lt;b&gt;", "&#64;octocat",
	"`code`", "``", "```", "````\n```", "~~~", "``` ` ``", "a`", "`", `\`, "\\`", "\\\\`x", "a|b", `a\|b`, "|---|", "||",
	"![x](https://e.example/x.png)", "[x](https://e.example)", "[x][y]", "[x]: https://e.example", "[^1]", "- [ ] task",
	"# heading", "> quote", "- item", "+ item", "* item", "1. item", "1) item", "---", "===", "***", "___", "-", "=", "1.", "+",
	"**bold**", "_it_", "__b__", "~~gone~~", "$x$", "$$x$$", "$`x`$", ":tada:", "a\nb", "a\r\nb", "\n\n# x", "a\u2028b", "\ta",
	"\x1b[31mred\x1b[0m", "\x1b]8;;https://e.example\x07x", "\x07", "\x00", "a\bb", "\x7f", "\u009b31m", "\xff\xfe", "\u202eevil\u202c",
	"\u2066x\u2069", "\u200f", "\ufeff", "\u200b", "e\u0301", "z" + strings.Repeat("\u0301", 50), "👩‍👩‍👧", "🇩🇪", "\U000e0041", "日本語", "שלום", "::error::x", "::add-mask::x", "##[error]x", ":::error:::x",
	"end", "End", "direction TB", "x; y", "participant x as y", "Note over p0: x", "style a fill:#f00", "classDef x", "%%{init: {}}%%",
	`"];n9["x`, "subgraph x", "click n0 href", "p0->>p1: x", "loop x", "par x", "and x", "#59;", "#quot;", "}}", "{{x}}", "A-->B",
	strings.Repeat("long ", 1000), strings.Repeat("x", 5000), strings.Repeat("`", 300), strings.Repeat("[", 3000), "x`|`y", `\x|`,
}

// foreign is a result in which every text is s.
func foreign(s string) *finding.Result {
	source := hcl.Range{Filename: s, Start: hcl.Pos{Line: 1, Column: 1}, End: hcl.Pos{Line: 1, Column: 3}}
	list := []string{s, s}
	f := func(step int) finding.Firing {
		return finding.Firing{Step: step, Event: s, Title: s + "!", Clause: s, Parties: list, Transitions: list, Changed: []finding.Change{{Party: s, Before: list, After: list}}}
	}
	carried := f(2)
	carried.Event, carried.Title = "", ""
	end := []finding.PartyState{{Party: s, Places: list}}
	trace := &finding.Trace{Claim: s, Prefix: []finding.Firing{f(1), carried, carried}, End: end,
		Then: []*finding.Trace{{After: 2, Claim: s, Prefix: []finding.Firing{f(3)}, Loop: []finding.Firing{f(4)}, End: end}, {After: 2, Claim: s, DeadEnd: true, End: end}, {After: 2, Claim: s, Stops: true, End: end}}}
	req := func(v finding.Verdict) finding.Requirement {
		return finding.Requirement{Name: s, Title: s, Clause: s, Formula: s, Notation: "ctl", Says: s, Pattern: "response", Verdict: v, Source: source, Trace: trace,
			Assuming: list, Rests: &finding.Rests{Sets: [][]string{list}, More: true}, Run: s, Waiver: &finding.Waiver{Reason: s, Approver: s, Expires: s, Run: s, State: finding.OtherRun}}
	}
	hollow, unknown, broken := req(finding.Holds), req(finding.Unknown), req(finding.IllFormed)
	hollow.Rests = &finding.Rests{Norms: [][]finding.KeptNorm{{{Norm: s, Bearer: s}}}}
	unknown.Rests = &finding.Rests{Unknown: s}
	hollow.Vacuous = []finding.Vacuity{{Subformula: s, Never: true}, {Subformula: s}}
	unknown.Reason, broken.Reason = s, s
	diagnostic := func(c codes.Class, accepted string) finding.Diagnostic {
		return finding.Diagnostic{Code: codes.Code(s), Class: c, Message: s, Detail: s, Subject: s, Source: source, Snippet: s, Trace: trace, Accepted: accepted}
	}
	return &finding.Result{Proposals: []finding.Proposal{{Name: s, Title: s, Formula: s, Assuming: list, Verdict: finding.Violated}}, Path: s + "/", Name: s, Title: s + "!", Digest: s,
		Model:        finding.Model{Places: 1, Transitions: 2, Arcs: big.NewInt(1), Incomplete: s, Firing: "all"},
		Requirements: []finding.Requirement{req(finding.Violated), hollow, unknown, broken},
		Diagnostics:  []finding.Diagnostic{diagnostic(codes.Error, ""), diagnostic(codes.Violation, ""), diagnostic(codes.Warning, ""), diagnostic(codes.Violation, s)},
	}
}

func hostile() *finding.Result { return foreign("@x `|\n</details> \x1b[31m \u202e ") }

func foreignReview(s string) *finding.Review {
	r := foreign(s)
	accepted, violated, waived, lapsed := r.Diagnostics[3], r.Requirements[0], r.Requirements[0], r.Requirements[0]
	waived.Waiver = &finding.Waiver{Reason: s, Approver: s, Expires: s, Run: s, State: finding.InForce}
	lapsed.Waiver = &finding.Waiver{Reason: s, Approver: s, Expires: s, Run: s, State: finding.Expired}
	return &finding.Review{Base: s, Head: s, Contracts: []finding.ContractReview{
		{Name: s, Status: finding.Same},
		{Path: s + "/", Name: s, Title: s + "!", Status: finding.Changed, Base: &finding.Result{}, Head: r, Findings: []finding.Finding{
			{Kind: finding.New, Name: s, Head: &violated, Refusal: &finding.Refusal{Step: 1, Instead: []string{s, s}}, Blame: foreignGuilt(s), Repairs: foreignRepairs(s)},
			{Kind: finding.Weakened, Name: s, Head: &violated, Base: &violated},
			{Kind: finding.New, Name: s, Check: &r.Diagnostics[1], Refusal: &finding.Refusal{Step: 2, Again: true}, Blame: &finding.Blame{Reason: s}, Repairs: foreignRepairs(s)}, {Kind: finding.New, Name: s, Check: &accepted},
			{Kind: finding.Kept, Name: s, Head: &r.Requirements[1]}, {Kind: finding.Undecided, Name: s, Head: &r.Requirements[2]},
			{Kind: finding.Meaningless, Name: s, Head: &r.Requirements[3]}, {Kind: finding.WaiverExpired, Name: s, Head: &lapsed}, {Kind: finding.Waived, Name: s, Head: &waived}, {Kind: finding.Standing, Name: s, Head: &violated, Base: &violated},
		}, Difference: foreignDifference(s)},
	}}
}

func foreignGuilt(s string) *finding.Blame {
	block := func(action string) finding.Block {
		return finding.Block{Name: s, Action: action, Terms: []string{s, s}, Source: hcl.Range{Filename: s, Start: hcl.Pos{Line: 1}}, Was: hcl.Range{Filename: s, Start: hcl.Pos{Line: 2}}}
	}
	first := &finding.FirstRun{Run: s, Trace: &finding.Trace{Prefix: []finding.Firing{{Step: 1, Event: s, Title: s, Parties: []string{s}, Transitions: []string{s}}}}}
	return &finding.Blame{Blocks: []finding.Block{block("added"), block("removed"), block("changed")}, First: first}
}

// foreignRepairs have a patch whatever s is; of s itself there is one only if it can be shown as it is.
func foreignRepairs(s string) []finding.Repair {
	at := hcl.Range{Filename: s, Start: hcl.Pos{Line: 1, Column: 1}}
	return []finding.Repair{
		{What: s, Edits: []finding.Edit{{Range: at, Old: "x\n", New: "y\n"}, {Range: at, Old: "", New: "z\n"}}},
		{What: s, Edits: []finding.Edit{{Range: at, Old: s + "x", New: ""}}},
	}
}

// patching is a finding whose repair is of lines of s.
func patching(s string) finding.Finding {
	old, fresh := s+"x\n"+s+"\n", s+"y\n```\n~~~\n"
	return finding.Finding{Kind: finding.New, Name: "x", Head: point(discharge(finding.Violated)),
		Repairs: []finding.Repair{{What: "x", Edits: []finding.Edit{{Range: lines("f", 1, 3), Old: old, New: fresh}}}}}
}

func foreignDifference(s string) *finding.Difference {
	end := []finding.PartyState{{Party: s, Places: []string{s, s}}}
	f := finding.Firing{Step: 1, Event: s, Title: s + "!", Clause: s, Parties: []string{s}, Transitions: []string{s}}
	told := []finding.Sequence{{Run: []finding.Firing{f, f}, Refused: s, Instead: []string{s, s}}, {Run: []finding.Firing{f}, Refused: s}}
	view := finding.Behaviour{Observed: []string{s, s}, Relation: delta.Both, Possible: told, Impossible: told,
		Choice: &finding.Choice{Run: []finding.Firing{f}, Next: []string{s}, Others: [][]string{{s, s}, nil}}}
	unknown := finding.Behaviour{Relation: delta.Unknown, Reason: s}
	change := func(a diff.Action) diff.Change {
		return diff.Change{Action: a, Element: diff.Transition, Name: s, Was: s, Terms: []diff.Term{{Word: s, Was: s, Now: s}, {Word: s, Was: s}, {Word: s, Now: s}}, Fingerprint: s}
	}
	situations, clauses := []finding.Situation{{Run: []finding.Firing{f}, End: end}}, []finding.Clause{{Name: s, Title: s + "!", Clause: s}}
	out := &finding.Exposed{States: 1, Of: 2, From: []string{s, s}, To: []string{s}}
	return &finding.Difference{
		Changes:  []diff.Change{change(diff.Added), change(diff.Added), change(diff.Removed), change(diff.Renamed), change(diff.Rewired)},
		All:      view,
		Views:    []finding.View{{Party: s, Behaviour: view}, {Party: s, Behaviour: unknown}, {Party: s, Behaviour: finding.Behaviour{Relation: delta.Same}}, {Party: s, In: diff.InHead}},
		States:   finding.States{Appeared: 1, NewDead: 2, LostDead: 1, AppearedShown: situations, NewDeadEnds: situations, LostDeadEnds: situations, Died: clauses, Alive: clauses},
		Exposure: []finding.Exposure{{Party: s, Base: out}, {Party: s, Base: out, Head: out}},
		Picture:  foreignPicture(s),
	}
}

func foreignPicture(s string) *finding.Picture {
	words := []finding.PartyState{{Party: s, Places: []string{s, s}}, {Party: s}}
	return &finding.Picture{
		States: []finding.PictureState{{Words: words, Start: true}, {Words: words, In: diff.InHead}, {Words: words, In: diff.InBase}},
		Arcs:   []finding.PictureArc{{From: 0, To: 1, Label: s, In: diff.InHead}, {From: 0, To: 1, Label: s, In: diff.InHead}, {From: 0, To: 2, Label: s, In: diff.InBase}},
	}
}

// empty reports whether nothing of s would be shown; an element without a text looks different.
func empty(s string) bool { return escape.Visible(s, escape.NameLength) == "" }

func TestTerminalTextHasNoControls(t *testing.T) {
	for _, s := range nasty {
		checkTerminal(t, s)
	}
	rapid.Check(t, func(t *rapid.T) { checkTerminal(t, rapid.StringN(0, 12, -1).Draw(t, "s")) })
}

type failer interface {
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

func checkTerminal(t failer, s string) {
	var b bytes.Buffer
	for _, style := range []text.Style{{}, {Width: 40}} {
		_ = text.Results(&b, []*finding.Result{foreign(s)}, style)
		_ = text.Review(&b, foreignReview(s), style)
		_ = text.Negotiation(&b, foreignNegotiation(s), style)
	}
	for _, r := range b.String() {
		if r == '\n' || r == '\u200c' || r == '\u200d' {
			continue
		}
		if !unicode.IsPrint(r) {
			t.Fatalf("%q puts %U on the terminal", s, r)
		}
	}
	for l := range strings.Lines(b.String()) {
		l = strings.TrimSpace(l)
		if strings.Contains(l, "##[") || strings.HasPrefix(l, "::") && strings.Contains(l[2:], "::") {
			t.Fatalf("%q makes a workflow command: %s", s, l)
		}
	}
}

var markdownParser = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()

// skeleton lists what a Markdown text consists of but for its letters: every node's kind, with the tags of HTML.
func skeleton(source string) []string {
	var all []string
	raw := []byte(source)
	_ = ast.Walk(markdownParser.Parse(gfmtext.NewReader(raw)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering || n.Kind() == ast.KindText || n.Kind() == ast.KindString {
			return ast.WalkContinue, nil
		}
		kind := n.Kind().String()
		if n.Kind() == ast.KindHTMLBlock {
			kind += strings.Join(markup.FindAllString(string(n.Lines().Value(raw)), -1), "")
		}
		all = append(all, kind)
		return ast.WalkContinue, nil
	})
	return all
}

// prose collects the text outside of code, where GitHub looks for mentions and references.
func prose(source string) string {
	var b strings.Builder
	raw := []byte(source)
	_ = ast.Walk(markdownParser.Parse(gfmtext.NewReader(raw)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if n.Kind() == ast.KindCodeSpan || n.Kind() == ast.KindFencedCodeBlock {
			return ast.WalkSkipChildren, nil
		}
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(raw))
		}
		if n.Kind() == ast.KindHTMLBlock && entering {
			b.WriteString(html.UnescapeString(markup.ReplaceAllString(codeElement.ReplaceAllString(string(n.Lines().Value(raw)), ""), "")))
		}
		if n.Type() == ast.TypeBlock {
			b.WriteString("\n")
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// codeElement matches code in HTML, where GitHub looks for no references.
var codeElement = regexp.MustCompile(`<code>[^<]*</code>`)

var reference = regexp.MustCompile(`(?i)@\w|#\d|\bgh-\d|:\w|www\.|\b[0-9a-f]{7,40}\b|\$[^\x{200b}]`)

// checkMarkdown holds that a stranger's text changes the letters of an output, never its structure.
func checkMarkdown(t failer, s string, told func(s string) string) {
	if empty(s) || empty(strings.Trim(s, "\n")) {
		return
	}
	got, want := told(s), told("plain")
	if len(got) > markdown.CommentLimit || !utf8.ValidString(got) {
		t.Fatalf("%q gives %d bytes", s, len(got))
	}
	if strings.Contains(got, "Left out, because") {
		return // with so much text parts are gone, and the structure with them
	}
	if a, b := skeleton(got), skeleton(want); !slices.Equal(a, b) {
		t.Fatalf("%q changes the structure from\n%q to\n%q in\n%s", s, b, a, got)
	}
	if found := reference.FindString(unescape(prose(got))); found != "" {
		t.Fatalf("%q leaves %q to be linked", s, found)
	}
}

// unescape drops Markdown's backslashes, as a reader of the parsed text does.
func unescape(s string) string {
	return regexp.MustCompile(`\\([[:punct:]])`).ReplaceAllString(s, "$1")
}

var tellings = map[string]func(s string) string{
	"check":   func(s string) string { return markdown.Results([]*finding.Result{foreign(s)}) },
	"review":  func(s string) string { return markdown.Review(foreignReview(s)) },
	"compare": func(s string) string { return markdown.Negotiation(foreignNegotiation(s)) },
	"table": func(s string) string {
		r := foreignReview(s)
		r.Contracts[1].Difference.Picture.Extent = finding.ChangesOnly
		return markdown.Review(r)
	},
	"finding": func(s string) string {
		return markdown.Finding(foreignReview(s).Contracts[1].Findings[0], markdown.CommentLimit, "")
	},
}

func TestMarkdownKeepsItsStructure(t *testing.T) {
	for name, told := range tellings {
		t.Run(name, func(t *testing.T) {
			for _, s := range nasty {
				checkMarkdown(t, s, told)
			}
		})
	}
	for _, r := range "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" { // each beside those that mean something
		for _, q := range "!#$&*-<[\\]_`|~ " {
			checkMarkdown(t, string(r)+string(q), tellings["finding"])
		}
	}
}

// TestPatchesKeepTheirFence: a line that is shown as it is ends no fence.
func TestPatchesKeepTheirFence(t *testing.T) {
	shown := 0
	for _, s := range nasty {
		if !words.Exact(s) || strings.Contains(s, "\n") {
			continue
		}
		shown++
		got := markdown.Finding(patching(s), markdown.CommentLimit, "")
		if a, b := skeleton(got), skeleton(markdown.Finding(patching("plain"), markdown.CommentLimit, "")); !slices.Equal(a, b) || !strings.Contains(got, "\n-"+s+"x\n") {
			t.Errorf("%q changes the structure, or is not shown, in\n%s", s, got)
		}
	}
	if shown < 50 {
		t.Errorf("only %d texts are shown", shown)
	}
}

func TestMarkdownKeepsItsStructureOnRandomText(t *testing.T) {
	alphabet := []rune("ab1 `|\\<>[]()*_#@!&;:$~-+=.\n\t/'\"{}^\u200b\u202e")
	rapid.Check(t, func(t *rapid.T) {
		checkMarkdown(t, rapid.StringOfN(rapid.SampledFrom(alphabet), 1, 12, -1).Draw(t, "s"), tellings["review"])
	})
}

func FuzzMarkdown(f *testing.F) {
	for _, s := range nasty[:10] {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		checkMarkdown(t, s, tellings["review"])
		checkTerminal(t, s)
		checkMermaid(t, s)
	})
}

var (
	message = regexp.MustCompile(`^(participant p\d+ as|p\d+(->>?)p\d+: \d+\.|loop over and over for ever$|end$|par at the same time$|and$|rect rgba\(255, 80, 80, 0\.25\)$|Note over p0(,p\d+)?: (nothing can happen any more|not possible here before the amendment|not over and over possible before the amendment|no longer possible here#58;)|sequenceDiagram$) ?`)
	safe    = regexp.MustCompile(`^([A-Za-z0-9 _.,]|#\d+;)*$`)
	shape   = regexp.MustCompile(`^(flowchart (LR|TB)|direction LR|end|subgraph c\d+\["X"\]|n\d+(\(\["X"\]\)|\("X"\)|\(\("X"\)\)|\["X"\]|\[\["X"\]\]|\{\{"X"\}\})|n\d+ (-->|==>|-\.->)(\|"X"\|)? n\d+|class(Def)? .*|linkStyle [\d,]+ stroke:#[0-9a-f]{6},[a-z0-9:, -]*)$`)
	quoted  = regexp.MustCompile(`"([^"]*)"`)
)

func checkMermaid(t failer, s string) {
	d := draw.SequenceDiagram(foreign(s).Requirements[0].Trace, &finding.Refusal{Step: 2, Instead: []string{s}}) +
		draw.SequenceDiagram(foreign(s).Requirements[0].Trace, nil, "no longer possible here:", s, s)
	for l := range strings.Lines(d) {
		l = strings.TrimSpace(l)
		lead := message.FindString(l)
		l = strings.ReplaceAll(l, "<br/>", "") // ours: a stranger's < is an entity
		if lead == "" || !safe.MatchString(l[len(lead):]) || escape.Keywords.MatchString(l[len(lead):]) {
			t.Fatalf("%q makes the line %q", s, l)
		}
	}
	for l := range strings.Lines(draw.Mermaid(foreignGraph(s)) + draw.Mermaid(draw.Difference(s, foreignPicture(s)))) {
		l = strings.TrimSpace(l)
		for _, q := range quoted.FindAllStringSubmatch(l, -1) {
			for text := range strings.SplitSeq(q[1], "<br/>") { // ours: a stranger's < is an entity
				if !safe.MatchString(text) || escape.Keywords.MatchString(text) {
					t.Fatalf("%q makes the label %q", s, q[1])
				}
			}
		}
		if l = quoted.ReplaceAllString(l, `"X"`); !shape.MatchString(l) {
			t.Fatalf("%q makes the line %q", s, l)
		}
	}
}

func foreignGraph(s string) draw.Graph {
	return draw.Graph{Title: s, Nodes: []draw.GraphNode{{ID: s, Label: s, Cluster: s, Marked: true}, {ID: s + "4", Label: s, More: []string{s, s}}, {ID: s + "2", Label: s, More: []string{s, s}, Shape: draw.Circle, Change: draw.Gone},
		{ID: s + "3", Label: s, Shape: draw.Square, Cluster: s}}, Heads: map[string]string{s: s},
		Edges: []draw.GraphEdge{{From: s, To: s + "2", Label: s, More: []string{s}, Change: draw.Appeared}}}
}

func TestMermaidKeepsItsStructure(t *testing.T) {
	for _, s := range nasty {
		checkMermaid(t, s)
	}
	rapid.Check(t, func(t *rapid.T) { checkMermaid(t, rapid.String().Draw(t, "s")) })
}

func TestDOTQuotes(t *testing.T) {
	for _, s := range nasty {
		inside := false
		out := draw.DOT(foreignGraph(s)) + draw.DOT(draw.Difference(s, foreignPicture(s)))
		for i := 0; i < len(out); i++ {
			switch {
			case inside && out[i] == '\\':
				i++
			case out[i] == '"':
				inside = !inside
			case !inside && !strings.ContainsRune(" \n", rune(out[i])) && !regexp.MustCompile(`[A-Za-z0-9_\[\]{}=>#-]`).MatchString(out[i:i+1]):
				t.Errorf("%q puts %q outside of a string", s, out[i])
			}
		}
		if inside {
			t.Errorf("%q leaves a string open", s)
		}
	}
}

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", "  a\n": "a", "a\nb": "a⏎b", "\x1b[1m": `\x1b[1m`, "\u202e": `\u202e`, "\U000e0041": `\U000e0041`, "\xff": `\xff`,
		"👩‍👧": "👩‍👧", "a\u00a0b": "a b", "\u0085": "", "123456789012": "1234567890…", "e\u0301": "e\u0301",
	} {
		if got := escape.Visible(in, 10); got != want {
			t.Errorf("visible(%q) = %q, want %q", in, got, want)
		}
	}
}
