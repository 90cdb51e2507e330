package lsp

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// FuzzServer sends whatever comes as messages: the server neither panics nor hangs, and leaves when
// its input ends.
func FuzzServer(f *testing.F) {
	hello := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`
	open := `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///a/b.contract.hcl","text":"party \"p\" {"}}}`
	for _, seed := range []string{hello, open, `{"jsonrpc":"2.0","id":2,"method":"textDocument/formatting","params":{"textDocument":{"uri":"file:///a/b.contract.hcl"}}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a/b.contract.hcl"},"contentChanges":[{"range":{"start":{"line":0,"character":3}},"text":"é"}]}}`,
		`{"jsonrpc":"2.0","id":3,"method":"shutdown"}`, `{"method":"exit"}`, `[]`, `{"id":-1,"method":""}`, `null`} {
		f.Add([]byte(message(hello)+message(seed)), "")
	}
	f.Add([]byte("Content-Length: 99999999999999999999\r\n\r\n"), "")
	f.Fuzz(func(t *testing.T, raw []byte, body string) {
		if bytes.Contains(raw, []byte("file")) && bytes.Contains(raw, []byte("older")) { // no folder of this machine
			return
		}
		in := io.MultiReader(strings.NewReader(message(hello)), strings.NewReader(message(open)), strings.NewReader(message(body)), bytes.NewReader(raw))
		var out bytes.Buffer
		_ = quick.Serve(context.Background(), io.NopCloser(in), &out)
		if strings.Contains(out.String(), "a defect of redline") {
			t.Errorf("%s", out.String())
		}
	})
}

// FuzzSpot asks for everything at every kind of place: no text makes the reader of tokens fail, and no
// edit leaves a document that positions do not fit.
func FuzzSpot(f *testing.F) {
	f.Add("party \"p\" {\n  transition \"t\" {\n    from = ", 5, 9)
	f.Add("requirement \"r\" { ctl = \"AG (all p in purchaser: p.x -> ${local.", 70, 3)
	f.Add("a = <<-E\r\n é𝒳 ${{[(\n", 12, 1)
	f.Fuzz(func(t *testing.T, src string, at, n int) {
		if len(src) > 10_000 {
			return
		}
		doc := newBuffer(strings.ToValidUTF8(src, "?"))
		at = min(max(at, 0), len(doc.src))
		for at > 0 && at < len(doc.src) && !utf8.RuneStart(doc.src[at]) {
			at--
		}
		p := doc.position(at)
		if back := doc.offset(p); back > at {
			t.Fatalf("%d is %v is %d in %q", at, p, back, doc.src)
		}
		k := key{folder: &folder{path: "/f", tree: fstest.MapFS{}}, dir: "d"}
		d := &document{"file:///f/d/a.contract.hcl", 1, doc.change(contentChange{&span{p, position{p.Line, p.Character + n}}, "x"})}
		e := newEdition(k, nil, map[string]*document{"d/a.contract.hcl": d}, nil)
		c := &cursor{edition: e, doc: d, name: "d/a.contract.hcl", at: min(at, len(d.text.src))}
		for name, ask := range questions {
			if _, err := ask(c); err != nil {
				t.Fatal(fmt.Errorf("%s: %w", name, err))
			}
		}
	})
}
