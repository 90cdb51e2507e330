package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/report/page"
)

// parts takes a page apart as a browser does.
type parts struct {
	all     []*html.Node
	style   []string
	scripts map[string][]string // by type
}

func parse(t testing.TB, text []byte) parts {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	p := parts{scripts: map[string][]string{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		p.all = append(p.all, n)
		switch n.Data {
		case "style":
			p.style = append(p.style, wordsOf(n))
		case "script":
			p.scripts[attribute(n, "type")] = append(p.scripts[attribute(n, "type")], wordsOf(n))
		}
	}
	return p
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func wordsOf(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// TestPageLetsNothingIn: the policy forbids all but the one style and the one script that are in the page, and nothing in it would need more.
func TestPageLetsNothingIn(t *testing.T) {
	p := parse(t, reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)))
	sum := func(s string) string {
		d := sha256.Sum256([]byte(s))
		return "'sha256-" + base64.StdEncoding.EncodeToString(d[:]) + "'"
	}
	if len(p.style) != 1 || len(p.scripts[""]) != 1 || len(p.scripts) != 2 || len(p.scripts["application/json"]) != 1 {
		t.Fatalf("%d styles, scripts of %d kinds", len(p.style), len(p.scripts))
	}
	want := "default-src 'none'; style-src " + sum(p.style[0]) + "; script-src " + sum(p.scripts[""][0]) + "; img-src data:; base-uri 'none'; form-action 'none'"
	got := ""
	for _, n := range p.all {
		if attribute(n, "http-equiv") == "Content-Security-Policy" {
			got = attribute(n, "content")
		}
	}
	if got != want {
		t.Errorf("the policy is\n%s, want\n%s", got, want)
	}
	harmless(t, p)
}

// harmless wants no element and no attribute that runs, fetches or leads anywhere.
func harmless(t *testing.T, p parts) {
	t.Helper()
	for _, n := range p.all {
		switch n.Data {
		case "script", "style", "meta":
		case "link", "iframe", "object", "embed", "img", "base", "foreignobject", "use", "image", "audio", "video", "source":
			t.Errorf("there is an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "action" || a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				t.Errorf("%s has %s=%q", n.Data, a.Key, a.Val)
			}
		}
	}
}

// vicious are texts that would like to be more than text.
var vicious = []string{
	`<script>alert(1)</script>`, `</script><script>alert(2)</script>`, `<img src=x onerror=alert(3)>`, `" onmouseover="alert(4)`, `' autofocus onfocus='alert(5)`,
	`javascript:alert(6)`, `]]><x>`, `<!--`, `--><!--<script>`, `</title><script>alert(7)</script>`, `</svg><script>alert(8)</script>`, `</style><script>`,
	"\u202egnorw si siht", "\u2028\u2029\u0000\u001b[31m", `{{.Policy}}`, "${alert(9)}", "`+alert(10)+`", `</textarea></select><b>`, "\\u003cscript\\u003e", strings.Repeat("long ", 210_000),
}

// hostile is a contract that says a text wherever it can.
func hostile(text string) fstest.MapFS {
	raw := new(bytes.Buffer)
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			fmt.Fprintf(raw, `\%c`, r)
		case r < ' ' || r > '~':
			fmt.Fprintf(raw, `\u%04x`, r)
		default:
			raw.WriteRune(r)
		}
	}
	s := `"` + strings.ReplaceAll(strings.ReplaceAll(raw.String(), "${", "$${"), "%{", "%%{") + `"`
	return fstest.MapFS{"c.contract.hcl": {Data: []byte(strings.ReplaceAll(`contract "c" {
  title = TEXT
  description = TEXT
}
party "a" {
  title = TEXT
  state "s0" { title = TEXT }
  state "s1" { title = TEXT }
  flag "F" { title = TEXT }
  transition "go" {
    title  = TEXT
    clause = TEXT
    from   = s0
    to     = s1
  }
}
party "b" {
  title = TEXT
  place "p" {
    title  = TEXT
    marked = true
  }
  place "q" { title = TEXT }
  transition "get" {
    title   = TEXT
    clause  = TEXT
    consume = [p]
    produce = [q]
  }
}
event "e" {
  title  = TEXT
  clause = TEXT
  sync = {
    a = go
    b = get
  }
}
requirement "r" {
  title  = TEXT
  clause = TEXT
  ctl    = "AG a.s0"
}
`, "TEXT", s))}}
}

// TestHostileTextStaysText: whatever a contract says, the page has the elements it has when the contract says something else.
func TestHostileTextStaysText(t *testing.T) {
	shape := func(p parts) string {
		var b strings.Builder
		for _, n := range p.all {
			if n.Data != "tspan" { // lines of labels, of which long texts have more
				b.WriteString(n.Data + " ")
			}
		}
		return b.String()
	}
	plain := shape(parse(t, checked(t, draft(t, hostile("a title"), nil))))
	for i, text := range vicious {
		if testing.Short() && i%4 != 0 {
			continue
		}
		d := draft(t, hostile(text), nil)
		if refused := strings.ContainsAny(text, "\u202e\u0000") || len(text) > 1<<20; refused != (d.Spec == nil) {
			t.Errorf("%.40q: %v", text, d.Source.Diagnostics)
		}
		written := checked(t, d) // which tells of what was refused, too
		p := parse(t, written)
		harmless(t, p)
		if d.Spec != nil && shape(p) != plain {
			t.Errorf("%.40q makes another page", text)
		}
		if len(written) > 1<<20 {
			t.Errorf("%.40q: a page of %d bytes", text, len(written))
		}
		if bytes.ContainsAny(written, "\u202e\u2028\u0000\u001b") {
			t.Errorf("%.40q gets in as it is", text)
		}
		for _, board := range p.scripts["application/json"] {
			if !json.Valid([]byte(board)) {
				t.Errorf("%.40q breaks the data", text)
			}
		}
	}
}

// TestRefusedStepIsTold: in words, too, the page says which step base refuses.
func TestRefusedStepIsTold(t *testing.T) {
	told := 0
	for _, n := range parse(t, reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil))).all {
		if attribute(n, "class") == "does beyond" && strings.Contains(wordsOf(n), "Not possible here before the amendment") {
			told++
		}
	}
	if told != 2 {
		t.Errorf("%d steps are told to be refused by base", told)
	}
}

// TestSamePageAgain: the same contract gives the same bytes.
func TestSamePageAgain(t *testing.T) {
	again := func() []byte { return reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)) }
	if !bytes.Equal(again(), again()) {
		t.Error("the page differs from one time to the next")
	}
}

// TestIllFormedContractHasAPage: what is wrong is told, and nothing is drawn.
func TestIllFormedContractHasAPage(t *testing.T) {
	written := checked(t, draft(t, fstest.MapFS{"c.contract.hcl": {Data: []byte("contract \"c\" {}\nparty \"a\" {\n  stat \"s\" {}\n}\n")}}, nil))
	if p := parse(t, written); len(p.scripts["application/json"]) != 0 {
		t.Error("there is something to play with")
	}
	if !bytes.Contains(written, []byte("the text has errors")) {
		t.Errorf("nobody is told why:\n%s", written)
	}
}

// TestTooLargeIsSaid: what is not drawn says what draws it.
func TestTooLargeIsSaid(t *testing.T) {
	var b strings.Builder
	b.WriteString("contract \"c\" {}\n")
	for i := range 60 {
		fmt.Fprintf(&b, "party \"p%d\" {\n  state \"a\" {}\n  state \"b\" {}\n  transition \"t\" {\n    from = a\n    to = b\n  }\n}\n", i)
	}
	written := string(checked(t, draft(t, fstest.MapFS{"c.contract.hcl": {Data: []byte(b.String())}}, nil)))
	for _, want := range []string{"20 more", "redline graph --of NAME draws one", "Not drawn: "} {
		if !strings.Contains(written, want) {
			t.Errorf("%q is not said", want)
		}
	}
}

// TestCancelledPage: a page that is no longer wanted is not made.
func TestCancelledPage(t *testing.T) {
	d := draft(t, example(t, "sale"), nil)
	r := verify.Check(t.Context(), d, budget)
	ctx, cancel := cancelled(t)
	defer cancel()
	if err := page.Checked(ctx, io.Discard, []*compile.Draft{d}, []*finding.Result{r}, page.About{Version: "test"}); !errors.Is(err, errStop) {
		t.Errorf("%v", err)
	}
}

// hclBlock is how a requirement begins.
var hclBlock = regexp.MustCompile(`(?m)^requirement "`)

// TestEachPromiseInThreeForms: in words, as a pattern where it is one, as a formula; with its text and its place.
func TestEachPromiseInThreeForms(t *testing.T) {
	p := parse(t, checked(t, draft(t, example(t, "sale", [3]string{"sale.contract.hcl", `ctl   = "AG EF (seller.S0 && purchaser.P0)"`, `never = "seller.S3 && purchaser.P0"`}), nil)))
	said := map[string]int{}
	for _, n := range p.all {
		switch n.Data {
		case "dt":
			said[wordsOf(n)]++
		case "pre":
			if hclBlock.MatchString(wordsOf(n)) {
				said["text"]++
			}
		}
	}
	if said["In words"] == 0 || said["In words"] != said["As a formula"] || said["In words"] != said["Where"] || said["As a pattern"] == 0 || said["text"] == 0 {
		t.Errorf("%v", said)
	}
}

// TestSharedRunsNameWhatFires: the names a page shares a run by are those that replay knows, however many take part.
func TestSharedRunsNameWhatFires(t *testing.T) {
	d := draft(t, example(t, "purchasers", [3]string{"purchasers.contract.hcl", "default     = 2", "default     = 60"}), nil)
	text := string(written(t, d, &finding.Result{Path: d.Path, Name: d.Spec.Name}))
	longest := 0
	for i := range d.Net.Transitions {
		name := explain.TransitionName(d, i)
		longest = max(longest, len(name))
		if quoted, _ := json.Marshal(name); !strings.Contains(text, `"name":`+string(quoted)) {
			t.Errorf("%s is not in the page", name)
		}
	}
	if longest < 1_000 {
		t.Errorf("no name is longer than %d bytes", longest)
	}
}
