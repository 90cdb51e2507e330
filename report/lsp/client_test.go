package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
)

// A client is an editor with a script: it talks to a server in this process, over pipes.
type client struct {
	t    *testing.T
	root string
	conn *jsonrpc2.Conn
	raw  io.Writer // straight into the server's input
	done chan error

	mu    sync.Mutex
	shown map[string]publishDiagnosticsParams // by file name
	news  chan struct{}                       // something was shown, or logged
	log   []string
	asked []string // what the server asked of the client
	next  int      // version
}

// deadline is how long a client waits for what must come.
const deadline = time.Minute // a busy machine under the race detector needs more than ten seconds

func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch req.Method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnosticsParams
		if err := json.Unmarshal(*req.Params, &p); err != nil {
			c.t.Error(err)
		}
		c.shown[strings.TrimPrefix(p.URI, c.uri(""))] = p
	case "window/logMessage":
		var p logMessageParams
		_ = json.Unmarshal(*req.Params, &p)
		c.log = append(c.log, p.Message)
	default:
		c.asked = append(c.asked, req.Method)
		if !req.Notif {
			go func() { _ = conn.Reply(ctx, req.ID, nil) }() // or both sides might wait for the other to read
		}
	}
	select {
	case c.news <- struct{}{}:
	default:
	}
}

func (c *client) uri(name string) string {
	return "file://" + filepath.ToSlash(c.root) + "/" + name
}

// workspace is a directory with the examples and the small contract.
func workspace(t *testing.T) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	small, err := txtar.ParseFile("testdata/small.txtar")
	if err != nil {
		t.Fatal(err)
	}
	files, err := txtar.FS(small)
	if err != nil {
		t.Fatal(err)
	}
	for _, fsys := range []fs.FS{examples.FS, files} {
		if err := os.CopyFS(root, fsys); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// dial starts a server and a client, without saying anything yet.
func dial(t *testing.T, s Server) *client {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{t: t, root: workspace(t), raw: fromClient, done: make(chan error, 1),
		shown: map[string]publishDiagnosticsParams{}, news: make(chan struct{}, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := s.Serve(ctx, toServer, fromServer)
		_ = fromServer.Close()
		c.done <- err
	}()
	c.conn = jsonrpc2.NewConn(ctx, newWire(toClient, fromClient, func() error { return fromClient.Close() }), c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	t.Cleanup(func() {
		_ = c.conn.Close()
		cancel()
		select {
		case <-c.done:
		case <-time.After(deadline):
			t.Error("the server does not end")
		}
	})
	return c
}

// quick is a server that does not wait.
var quick = Server{Version: "test", Budget: finding.Budget{States: 100_000, Jobs: 1}}

// start is a client whose editor has the examples open as its folder.
func start(t *testing.T) *client {
	t.Helper()
	c := dial(t, quick)
	c.initialize()
	return c
}

func (c *client) initialize() {
	var p initializeParams
	p.WorkspaceFolders = []workspaceFolder{{strings.TrimSuffix(c.uri(""), "/")}}
	p.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration = true
	var r initializeResult
	c.call("initialize", p, &r)
	if !r.Capabilities.HoverProvider || r.ServerInfo.Name != "redline" || r.Capabilities.TextDocumentSync.Change != changeIncremental {
		c.t.Errorf("abilities: %+v", r)
	}
	c.notify("initialized", struct{}{})
}

func (c *client) call(method string, params, result any) {
	c.t.Helper()
	if err := c.try(method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *client) try(method string, params, result any) error {
	ctx, cancel := context.WithTimeout(context.Background(), deadline)
	defer cancel()
	return c.conn.Call(ctx, method, params, result)
}

func (c *client) notify(method string, params any) {
	c.t.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) read(name string) string {
	c.t.Helper()
	b, err := os.ReadFile(filepath.Join(c.root, name))
	if err != nil {
		c.t.Fatal(err)
	}
	return string(b)
}

func (c *client) open(name, text string) {
	c.t.Helper()
	c.next++
	c.notify("textDocument/didOpen", map[string]any{"textDocument": textDocument{URI: c.uri(name), Version: c.next, Text: text}})
}

// edit replaces the whole text of a file.
func (c *client) edit(name, text string) {
	c.t.Helper()
	c.next++
	c.notify("textDocument/didChange", didChangeParams{textDocument{URI: c.uri(name), Version: c.next}, []contentChange{{Text: text}}})
}

func (c *client) close(name string) {
	c.t.Helper()
	c.notify("textDocument/didClose", documentParams{TextDocument: textDocument{URI: c.uri(name)}})
}

// at is a question about the place in text that | marks; the text is opened or changed to be it.
func (c *client) at(name, marked string) documentParams {
	c.t.Helper()
	at := strings.Index(marked, "|")
	if at < 0 {
		c.t.Fatalf("no | in %s", marked)
	}
	text := marked[:at] + marked[at+1:]
	c.open(name, text)
	return c.point(name, text, at)
}

func (c *client) point(name, text string, at int) documentParams {
	var p documentParams
	p.TextDocument.URI, p.Position = c.uri(name), newBuffer(text).position(at)
	return p
}

// on is a question about the first place where needle stands in an open text, offset bytes into it.
func (c *client) on(name, text, needle string, offset int) documentParams {
	c.t.Helper()
	at := strings.Index(text, needle)
	if at < 0 {
		c.t.Fatalf("%s does not contain %q", name, needle)
	}
	return c.point(name, text, at+offset)
}

// until waits until what is shown of a file is as wanted.
func (c *client) until(name, what string, wanted func(publishDiagnosticsParams) bool) publishDiagnosticsParams {
	c.t.Helper()
	timeout := time.After(deadline)
	for {
		c.mu.Lock()
		p, ok := c.shown[name]
		c.mu.Unlock()
		if ok && wanted(p) {
			return p
		}
		select {
		case <-c.news:
		case <-timeout:
			c.mu.Lock()
			defer c.mu.Unlock()
			c.t.Fatalf("%s never shows %s; it shows %s; log %q", name, what, render(c.shown[name].Diagnostics), c.log)
		}
	}
}

// untilCode waits for a diagnostic.
func (c *client) untilCode(name, code string) diagnostic {
	c.t.Helper()
	var found diagnostic
	c.until(name, code, func(p publishDiagnosticsParams) bool {
		for _, d := range p.Diagnostics {
			if d.Code == code {
				found = d
				return true
			}
		}
		return false
	})
	return found
}

func (c *client) untilClean(name string) {
	c.t.Helper()
	c.until(name, "nothing", func(p publishDiagnosticsParams) bool { return len(p.Diagnostics) == 0 })
}

func render(all []diagnostic) string {
	var b strings.Builder
	for _, d := range all {
		fmt.Fprintf(&b, "\n%d:%d-%d:%d %d %s %s", d.Range.Start.Line, d.Range.Start.Character, d.Range.End.Line, d.Range.End.Character, d.Severity, d.Code, d.Message)
	}
	return b.String()
}
