package lsp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/redlinehq/redline/hclspec/examples"
)

const (
	deal    = "small/small.contract.hcl"
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
	c.untilCode(deal, "event-missing-label") // in a file that is not open

	c.edit(parties, strings.Replace(text, "from  = waits\n    to    = has", "from  = waits\n    to    = waits", 1))
	d = c.untilCode(deal, "violated")
	if !strings.Contains(d.Message, "violated: goods-come — The goods come (clause 9)") || !strings.Contains(d.Message, "the goods change hands") {
		t.Errorf("got %s", render([]diagnostic{d}))
	}

	c.edit(parties, strings.Replace(text, "flag", "flog", 1))
	c.untilCode(parties, "unknown-block")
	c.edit(parties, text)
	c.untilClean(parties)
	c.untilClean(deal)

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
	text := c.read(deal)
	c.open(deal, strings.Replace(text, "AF buyer.has", "AF buyer.hat &&", 1))
	c.untilCode(deal, "formula-syntax")
	c.edit(deal, strings.Replace(text, "AF buyer.has", "AF buyer.hat", 1))
	d := c.untilCode(deal, "unknown-name")
	if got := newBuffer(strings.Replace(text, "AF buyer.has", "AF buyer.hat", 1)); got.src[got.offset(d.Range.Start):got.offset(d.Range.End)] != "buyer.hat" {
		t.Errorf("got %s", render([]diagnostic{d}))
	}
	c.edit(deal, text)
	c.untilClean(deal)
}

func TestChangesByRange(t *testing.T) {
	c := start(t)
	text := c.read(parties)
	c.open(parties, text)
	c.untilClean(parties)
	from := strings.Index(text, "= done") + 2
	at := newBuffer(text).span(from, from+4)
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(parties), Version: 2}, []contentChange{
		{Range: &at, Text: "é𝒳"}, {Range: &span{position{at.Start.Line, at.Start.Character + 1}, position{at.Start.Line, at.Start.Character + 3}}, Text: "!"},
	}})
	d := c.untilCode(parties, "syntax")
	if d.Range.Start.Line != at.Start.Line {
		t.Errorf("got %s", render([]diagnostic{d}))
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
	c.open(deal, c.read(deal))
	c.untilClean(deal)
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
	c.open(deal, c.read(deal))
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
		c.open(deal, c.read(deal))
		for method := range questions {
			var p documentParams
			p.TextDocument.URI, p.Position = c.uri(deal), at
			c.call(method, p, nil)
		}
		c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(deal)}, []contentChange{{Range: &span{at, position{-at.Line, 5}}, Text: "x"}}})
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
	c.open(deal, c.read(deal))
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

// TestCancelRequest: a question that is cancelled is answered all the same, once.
func TestCancelRequest(t *testing.T) {
	c := start(t)
	c.open(deal, c.read(deal))
	for i := range 20 {
		id := jsonrpc2.ID{Num: uint64(1000 + i)}
		at := documentParams{TextDocument: textDocument{URI: c.uri(deal)}}
		waiter, err := c.conn.DispatchCall(context.Background(), "textDocument/documentSymbol", at, jsonrpc2.PickID(id))
		if err != nil {
			t.Fatal(err)
		}
		c.notify("$/cancelRequest", map[string]any{"id": id})
		c.notify("$/cancelRequest", map[string]any{"id": "never asked"})
		ctx, stop := context.WithTimeout(context.Background(), deadline)
		err = waiter.Wait(ctx, nil)
		stop()
		var answer *jsonrpc2.Error
		if err != nil && !(errors.As(err, &answer) && answer.Code == codeCancelled) {
			t.Errorf("got %v", err)
		}
	}
}

// TestChangeEndsCheck: of many changes, only the last is told in the end.
func TestChangeEndsCheck(t *testing.T) {
	c := start(t)
	text := c.read(deal)
	c.open(deal, text)
	for i := range 50 {
		c.edit(deal, strings.Replace(text, "AF buyer.has", fmt.Sprintf("AF buyer.h%d", i), 1))
	}
	c.edit(deal, strings.Replace(text, "AF buyer.has", "AG buyer.has", 1))
	p := c.until(deal, "the last", func(p publishDiagnosticsParams) bool {
		return p.Version != nil && *p.Version == c.next && len(p.Diagnostics) > 0
	})
	if len(p.Diagnostics) != 1 || p.Diagnostics[0].Code != "violated" {
		t.Error(render(p.Diagnostics))
	}
}

// TestChangeEndsLongCheck: a check without limits, of a contract with 2^40 states, ends with the next change.
func TestChangeEndsLongCheck(t *testing.T) {
	c := dial(t, Server{})
	c.initialize()
	var b strings.Builder
	b.WriteString("contract \"long\" {}\nparty \"p\" {\n")
	for i := range 40 {
		fmt.Fprintf(&b, "  flag \"f%d\" {}\n  transition \"t%d\" { set = { f%d = true } }\n", i, i, i)
	}
	name := "long/long.contract.hcl"
	c.open(name, b.String()+"}\n")
	time.Sleep(50 * time.Millisecond) // so that it is under way; any other moment must do, too
	c.edit(name, "contract \"long\" {}\nparty \"p\" {\n  place \"never\" {}\n}\n")
	c.untilCode(name, "state-never-reached")
}
