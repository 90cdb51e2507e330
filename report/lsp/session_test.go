package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/redlinehq/redline/hclspec/examples"
)

const (
	main_   = "small/small.contract.hcl"
	parties = "small/parties.contract.hcl"
)

func TestDiagnosticsFollowUnsavedText(t *testing.T) {
	c := start(t)
	text := c.read(parties)
	c.open(parties, text)
	c.untilClean(parties)

	c.edit(parties, strings.Replace(text, "to      = done", "to      = dome", 1))
	d := c.untilCode(parties, "unknown-name")
	if d.Severity != severityError || !strings.Contains(d.Message, `"done"`) || d.Range.Start != (position{16, 14}) || d.Range.End != (position{16, 18}) {
		t.Errorf("got %s", render([]diagnostic{d}))
	}

	c.edit(parties, strings.Replace(text, `"hand-over"`, `"hand-out"`, 1))
	c.untilCode(main_, "event-missing-label") // in a file that is not open

	c.edit(parties, strings.Replace(text, "from  = waits\n    to    = has", "from  = waits\n    to    = waits", 1))
	d = c.untilCode(main_, "violated")
	if !strings.Contains(d.Message, "violated: goods-come — The goods come (clause 9)") || !strings.Contains(d.Message, "the goods change hands") {
		t.Errorf("got %s", render([]diagnostic{d}))
	}

	c.edit(parties, strings.Replace(text, "flag", "flog", 1))
	c.untilCode(parties, "unknown-block")
	c.edit(parties, text)
	c.untilClean(parties)
	c.untilClean(main_)

	c.edit(parties, "party")
	c.untilCode(parties, "syntax")
	c.close(parties) // what is on disk counts again
	c.untilClean(parties)
	if c.read(parties) != text {
		t.Error("the server has written a file")
	}
}

func TestFormulasAreWrongAtOnce(t *testing.T) {
	c := dial(t, Server{Budget: quick.Budget, Pause: 1 << 40}) // never checks
	c.initialize()
	text := c.read(main_)
	c.open(main_, strings.Replace(text, "AF buyer.has", "AF buyer.hat &&", 1))
	c.untilCode(main_, "formula-syntax")
	c.edit(main_, strings.Replace(text, "AF buyer.has", "AF buyer.hat", 1))
	d := c.untilCode(main_, "unknown-name")
	if got := newText(c.docText(text, "AF buyer.has", "AF buyer.hat")); got.src[got.offset(d.Range.Start):got.offset(d.Range.End)] != "buyer.hat" {
		t.Errorf("got %s", render([]diagnostic{d}))
	}
	c.edit(main_, text)
	c.untilClean(main_)
}

func (c *client) docText(text, old, new string) string { return strings.Replace(text, old, new, 1) }

func TestChangesByRange(t *testing.T) {
	c := start(t)
	text := c.read(parties)
	c.open(parties, text)
	c.untilClean(parties)
	from := strings.Index(text, "= done") + 2
	at := newText(text).span(from, from+4)
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(parties), Version: 2}, []contentChange{
		{Range: &at, Text: "é𝒳"}, {Range: &span{position{at.Start.Line, at.Start.Character + 1}, position{at.Start.Line, at.Start.Character + 3}}, Text: "!"},
	}})
	d := c.untilCode(parties, "syntax")
	if d.Range.Start.Line != at.Start.Line {
		t.Errorf("got %s", render([]diagnostic{d}))
	}
}

func TestHover(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(main_)
	c.open(parties, text)
	c.open(main_, formulas)
	c.untilClean(main_)
	c.edit(main_, strings.Replace(formulas, "AF buyer.has", "AG !buyer.has", 1)) // so that a result is there
	formulas = strings.Replace(formulas, "AF buyer.has", "AG !buyer.has", 1)
	c.untilCode(main_, "violated")
	for _, h := range []struct {
		name, text, needle string
		offset             int
		want               []string
	}{
		{parties, text, "= done", 3, []string{"**state** `seller.done`", "— done", "Nothing is left to do.", "Clause 3", "Can be reached."}},
		{parties, text, `"lost"`, 2, []string{"**state** `seller.lost`", "never reached"}},
		{parties, text, "{ PAID", 3, []string{"**flag** `seller.PAID`", "paid"}},
		{parties, text, "[goods", 2, []string{"**place** `seller.goods`", "Can be marked."}},
		{main_, formulas, "buyer  =", 2, []string{"**party** `buyer`", "Buyer"}},
		{main_, formulas, "hand-over", 2, []string{"**transition** `seller.hand-over`", "the seller hands over", "Can happen."}},
		{main_, formulas, "receive", 2, []string{"**transition** `buyer.get`"}},
		{main_, formulas, `"delivery"`, 2, []string{"**event** `delivery`", "the goods change hands", "Clause 2.1"}},
		{main_, formulas, "!buyer.has", 8, []string{"**state** `buyer.has`", "has the goods"}},
		{main_, formulas, "seller.PAID", 1, []string{"**party** `seller`"}},
		{main_, formulas, "local.both", 8, []string{"**local** `both`"}},
		{main_, formulas, `"goods-come"`, 2, []string{"**requirement** `goods-come`", "`AG !buyer.has`", "violated", "A run that shows it"}},
		{main_, formulas, `"paid-with-goods"`, 2, []string{"holds"}},
		{main_, formulas, `"state-never-reached"`, 2, []string{"**accept**"}},
		{main_, formulas, "seller.lost", 9, []string{"**state** `seller.lost`"}},
	} {
		var got *hover
		c.call("textDocument/hover", c.on(h.name, h.text, h.needle, h.offset), &got)
		if got == nil {
			t.Errorf("%s: nothing", h.needle)
			continue
		}
		for _, want := range h.want {
			if !strings.Contains(got.Contents.Value, want) {
				t.Errorf("%s: got %q, want %q in it", h.needle, got.Contents.Value, want)
			}
		}
	}
	var none *hover
	c.call("textDocument/hover", c.on(parties, text, "Nothing is", 2), &none)
	if none != nil {
		t.Errorf("prose means nothing; got %+v", none)
	}
}

// lines shows locations as file:line, both counted as people do.
func (c *client) lines(all []location) string {
	var list []string
	for _, l := range all {
		list = append(list, fmt.Sprintf("%s:%d", filepath.Base(strings.TrimPrefix(l.URI, c.uri(""))), l.Range.Start.Line+1))
	}
	return strings.Join(list, " ")
}

func TestDefinitionAndReferences(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(main_)
	c.open(parties, text)
	c.open(main_, formulas)
	for _, d := range []struct {
		name, text, needle string
		offset             int
		definition, uses   string
	}{
		{parties, text, "from    = open", 11, "parties.contract.hcl:4", "parties.contract.hcl:4 parties.contract.hcl:16"},
		{parties, text, "= done", 2, "parties.contract.hcl:5", "parties.contract.hcl:5 parties.contract.hcl:17 small.contract.hcl:3 small.contract.hcl:7"},
		{main_, formulas, "buyer  =", 0, "parties.contract.hcl:23", "parties.contract.hcl:23 small.contract.hcl:7 small.contract.hcl:15 small.contract.hcl:22"},
		{main_, formulas, "receive", 7, "parties.contract.hcl:28", "parties.contract.hcl:28 small.contract.hcl:15"},
		{main_, formulas, "seller.PAID", 8, "parties.contract.hcl:11", "parties.contract.hcl:11 parties.contract.hcl:18 small.contract.hcl:27"},
		{main_, formulas, "local.both", 8, "small.contract.hcl:7", "small.contract.hcl:7 small.contract.hcl:27"},
		{main_, formulas, "seller.lost", 8, "parties.contract.hcl:10", "parties.contract.hcl:10 small.contract.hcl:31"},
		{main_, formulas, "reason", 2, "", ""},
	} {
		at := c.on(d.name, d.text, d.needle, d.offset)
		at.Context.IncludeDeclaration = true
		var def, refs []location
		c.call("textDocument/definition", at, &def)
		c.call("textDocument/references", at, &refs)
		if got := c.lines(def); got != d.definition {
			t.Errorf("%s is defined at %q, want %q", d.needle, got, d.definition)
		}
		if got := c.lines(refs); got != d.uses {
			t.Errorf("%s is used at %q, want %q", d.needle, got, d.uses)
		}
	}
}

func TestCompletion(t *testing.T) {
	c := start(t)
	text, formulas := c.read(parties), c.read(main_)
	put := func(text, old, new string) string {
		t.Helper()
		if !strings.Contains(text, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(text, old, new, 1)
	}
	for _, k := range []struct {
		what, name, marked string
		want, not          []string
	}{
		{"a state", parties, put(text, "to      = done", "to      = |"), []string{"open", "done", "lost"}, []string{"goods", "PAID", "waits"}},
		{"a state half written", parties, put(text, "to      = done", "to      = do|"), []string{"done"}, []string{"waits"}},
		{"a flag", parties, put(text, "{ PAID = true }", "{ | }"), []string{"PAID"}, []string{"open"}},
		{"a flag that is not closed", parties, put(text, "{ PAID = true }", "{ |"), []string{"PAID"}, []string{"open"}},
		{"a flag's value", parties, put(text, "PAID = true", "PAID = |"), []string{"true", "false"}, []string{"PAID"}},
		{"a place", parties, put(text, "[goods]", "[|"), []string{"goods"}, []string{"open"}},
		{"an attribute", parties, put(text, "    from    = open\n", "    |\n"), []string{"from", "read", "title"}, []string{"state"}},
		{"a block", parties, put(text, "  state \"lost\" {}\n", "  st|\n"), []string{"state", "flag", "transition", "title"}, []string{"from"}},
		{"a block outside", main_, formulas + "\nreq|", []string{"requirement", "party", "event"}, []string{"state"}},
		{"a party", main_, put(formulas, "    buyer  = receive\n", "    |\n"), []string{"buyer", "seller"}, []string{"delivery"}},
		{"a label", main_, put(formulas, "buyer  = receive", "buyer  = |"), []string{"receive"}, []string{"get", "hand-over"}},
		{"a party in a formula", main_, put(formulas, "AF buyer.has", "AF |"), []string{"buyer", "seller", "delivery"}, []string{"has", "goods-come"}},
		{"an atom", main_, put(formulas, "AF buyer.has", "AF buyer.|"), []string{"waits", "has"}, []string{"get", "open"}},
		{"an atom half written", main_, put(formulas, "AF buyer.has", "A[!seller.P|"), []string{"PAID"}, []string{"hand-over", "waits"}},
		{"a local in a formula", main_, put(formulas, "${local.both}", "${local.|}"), []string{"both"}, []string{"seller"}},
		{"a code", main_, put(formulas, "accept \"state-never-reached\"", "accept \"|\""), []string{"dead-end", "state-never-reached"}, []string{"syntax"}},
		{"what is accepted", main_, put(formulas, "on     = seller.lost", "on     = |"), []string{"seller", "event", "requirement"}, []string{"lost"}},
		{"what of it", main_, put(formulas, "on     = seller.lost", "on     = seller.|"), []string{"lost", "hand-over"}, []string{"waits"}},
		{"an event that is accepted", main_, put(formulas, "on     = seller.lost", "on     = event.|"), []string{"delivery"}, []string{"seller"}},
		{"a firing rule", main_, put(formulas, "  final =", "  firing = |\n  final ="), []string{"one", "all"}, nil},
		{"prose", main_, put(formulas, "has delivered", "has |"), nil, []string{"seller", "both"}},
		{"a comment", main_, put(formulas, "locals", "# |\nlocals"), nil, []string{"party", "seller"}},
	} {
		var items []completionItem
		c.call("textDocument/completion", c.at(k.name, k.marked), &items)
		var names []string
		for _, i := range items {
			names = append(names, i.Label)
		}
		for _, w := range k.want {
			if !slices.Contains(names, w) {
				t.Errorf("%s: no %q in %v", k.what, w, names)
			}
		}
		for _, n := range k.not {
			if slices.Contains(names, n) {
				t.Errorf("%s: %q in %v", k.what, n, names)
			}
		}
		c.open(k.name, strings.Replace(k.marked, "|", "", 1))
		c.open(parties, text)
		c.open(main_, formulas)
	}
}

func TestFormatting(t *testing.T) {
	c := start(t)
	text := c.read(parties)
	for _, messy := range []string{
		strings.Replace(text, "    from    = open", " from=open", 1),
		"\n\n" + text, text + "\n\n", strings.ReplaceAll(text, "\n", "\r\n"),
		strings.Replace(text, "Seller", "Séller 𝒳", 1) + "net \"n\" {\n}", strings.TrimSpace(text),
	} {
		c.open(parties, messy)
		var edits []textEdit
		c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &edits)
		got := newText(messy)
		for _, e := range edits {
			got = got.change(contentChange{&e.Range, e.NewText})
		}
		var again []textEdit
		c.open(parties, got.src)
		c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &again)
		if len(edits) != 1 || len(again) != 0 {
			t.Errorf("%q: %d edits, then %d, to %q", messy[:20], len(edits), len(again), got.src)
		}
	}
	c.open(parties, "party {")
	var edits []textEdit
	c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &edits)
	if len(edits) != 0 {
		t.Errorf("what cannot be parsed stays as it is; got %v", edits)
	}
}

func TestSymbols(t *testing.T) {
	c := start(t)
	c.open(parties, c.read(parties))
	var got []documentSymbol
	c.call("textDocument/documentSymbol", documentParams{TextDocument: textDocument{URI: c.uri(parties)}}, &got)
	if len(got) != 2 || got[0].Name != "seller" || got[0].Detail != "party: Seller" || len(got[0].Children) != 6 || got[1].Children[2].Name != "get" {
		t.Errorf("got %+v", got)
	}
	if r := got[0].Children[1].Range; r.Start.Line != 4 || r.End.Line != 8 {
		t.Errorf("a symbol is its whole block; got %v", r)
	}
}

func TestEveryExample(t *testing.T) {
	c := start(t)
	err := fs.WalkDir(examples.FS, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			c.open(name, c.read(name))
			c.until(name, "an answer", func(p publishDiagnosticsParams) bool {
				return !slices.ContainsFunc(p.Diagnostics, func(d diagnostic) bool { return d.Severity == severityError })
			})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFilesOnDisk(t *testing.T) {
	c := start(t)
	c.open(main_, c.read(main_))
	c.untilClean(main_)
	text := c.read(parties)
	write := func(content string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(c.root, parties), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": c.uri(parties), "type": 2}}})
	}
	write(strings.Replace(text, "= done", "= gone", 1))
	c.untilCode(parties, "unknown-name")
	write(text)
	c.untilClean(parties)
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.asked, "client/registerCapability") {
		t.Errorf("the server asks to be told of changes on disk; it asked %v", c.asked)
	}
}

func TestNothingOutsideIsRead(t *testing.T) {
	c := start(t)
	outside := filepath.Join(t.TempDir(), "secret.contract.hcl")
	if err := os.WriteFile(outside, []byte("party \"secret\" {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(c.root, "small", "link.contract.hcl")); err != nil {
		t.Skip("no symbolic links here")
	}
	c.open(main_, c.read(main_))
	c.untilCode(parties, "not-a-regular-file") // shown in the first file, for the link has no text
	for _, uri := range []string{"file://" + filepath.ToSlash(outside), c.uri("../x/secret.contract.hcl"), c.uri("%2e%2e/secret.contract.hcl"),
		"http://example.com/a.contract.hcl", "file://host/a.contract.hcl", "::", "file:///%00.contract.hcl"} {
		c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: uri, Text: "party   \"x\" {\n}\n"}})
		var items []completionItem
		c.call("textDocument/completion", documentParams{TextDocument: textDocument{URI: uri}}, &items)
		if len(items) != 0 {
			t.Errorf("%s: %v", uri, items)
		}
	}
	var edits []textEdit
	c.call("textDocument/formatting", documentParams{TextDocument: textDocument{URI: "file://" + filepath.ToSlash(outside)}}, &edits)
	if len(edits) != 1 {
		t.Error("a text from outside is laid out all the same")
	}
}

func TestMalformedMessages(t *testing.T) {
	c := start(t)
	for _, bad := range []string{
		"garbage\r\n", strings.Repeat("x", 100_000) + "\n", "Content-Length: -5\r\n\r\n", "Content-Length: many\r\n\r\n", "Content-Length: 2\r\n\r\n{]",
		"Content-Length: 4\r\n\r\nnull", "Content-Length: 2\r\n\r\n[]", "Content-Length: 2\r\n\r\n{}",
		message(`{"jsonrpc":"2.0","id":{},"method":"x"}`), message(`{"jsonrpc":"2.0","id":99,"method":"textDocument/hover","params":[1,2]}`),
		message(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":7}}`),
		message(`{"jsonrpc":"2.0","method":"$/cancelRequest"}`), message(`{"jsonrpc":"2.0","id":5,"result":null}`),
		"Content-Length: " + fmt.Sprint(maxMessage+1) + "\r\n\r\n" + strings.Repeat(" ", maxMessage+1),
	} {
		if _, err := io.WriteString(c.raw, bad); err != nil {
			t.Fatal(err)
		}
	}
	for _, at := range []position{{-1, -1}, {1 << 40, 1 << 40}, {3, -7}} {
		c.open(main_, c.read(main_))
		for method := range questions {
			var p documentParams
			p.TextDocument.URI, p.Position = c.uri(main_), at
			c.call(method, p, nil)
		}
		c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(main_)}, []contentChange{{Range: &span{at, position{-at.Line, 5}}, Text: "x"}}})
	}
	err := c.try("no/such", nil, nil)
	var answer *jsonrpc2.Error
	if !errors.As(err, &answer) || answer.Code != jsonrpc2.CodeMethodNotFound {
		t.Errorf("got %v", err)
	}
}

func message(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

func TestOrderOfSession(t *testing.T) {
	c := dial(t, quick)
	var answer *jsonrpc2.Error
	if err := c.try("textDocument/hover", documentParams{}, nil); !errors.As(err, &answer) || answer.Code != codeNotInitialized {
		t.Errorf("before initialize: %v", err)
	}
	c.initialize()
	if err := c.try("initialize", initializeParams{}, nil); !errors.As(err, &answer) || answer.Code != jsonrpc2.CodeInvalidRequest {
		t.Errorf("a second initialize: %v", err)
	}
	c.open(main_, c.read(main_))
	c.call("shutdown", nil, nil)
	if err := c.try("textDocument/hover", documentParams{}, nil); !errors.As(err, &answer) || answer.Code != jsonrpc2.CodeInvalidRequest {
		t.Errorf("after shutdown: %v", err)
	}
	c.notify("exit", nil)
	if err := <-c.done; err != nil {
		t.Error(err)
	}
	c.done <- nil

	c = dial(t, quick)
	c.notify("exit", nil)
	if err := <-c.done; !errors.Is(err, errNoShutdown) {
		t.Error(err)
	}
	c.done <- nil
}

func TestCancel(t *testing.T) {
	c := start(t)
	if err := func() error { return (&session{}).cancel(json.RawMessage(`{"id":"x"}`)) }(); err != nil {
		t.Error(err)
	}
	// A change cancels the check of the text before it: of many changes, only the last is told in the end.
	text := c.read(main_)
	c.open(main_, text)
	for i := range 50 {
		c.edit(main_, strings.Replace(text, "AF buyer.has", fmt.Sprintf("AF buyer.h%d", i), 1))
	}
	c.edit(main_, strings.Replace(text, "AF buyer.has", "AG buyer.has", 1))
	c.untilCode(main_, "violated")
	p := c.until(main_, "the last", func(publishDiagnosticsParams) bool { return true })
	if len(p.Diagnostics) != 1 || p.Version == nil || *p.Version != c.next {
		t.Errorf("version %v of %d: %s", p.Version, c.next, render(p.Diagnostics))
	}
}
