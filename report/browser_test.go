package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is seen in a real browser. These tests run where an environment variable is set, as .ci/run does:
//
//	REDLINE_MERMAID   the file dist/mermaid.min.js of the npm package mermaid, version 11
//	REDLINE_CHROMIUM  the browser; empty: the chromium on PATH
//	REDLINE_PICTURES  a directory for TestCommentsAsSeen to leave pictures of comments in; empty: it makes none
//
// The script comes out of its package alone:
//
//	npm pack --silent mermaid@11.17.2 && tar -xzf mermaid-11.17.2.tgz package/dist/mermaid.min.js

// A browser is chromium with mermaid.
type browser struct{ chromium, mermaid string }

func browserFor(t *testing.T) browser {
	t.Helper()
	mermaid := os.Getenv("REDLINE_MERMAID")
	if mermaid == "" {
		t.Skip("REDLINE_MERMAID is not set: nothing is drawn in a browser")
	}
	name := os.Getenv("REDLINE_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	chromium, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	return browser{chromium, mermaid}
}

// command is the browser without a window and without a network of its own. The sandbox needs rights that a
// container does not give.
func (b browser) command(ctx context.Context, t *testing.T, args ...string) *exec.Cmd {
	always := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-dev-shm-usage",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--user-data-dir=" + t.TempDir()}
	cmd := exec.CommandContext(ctx, b.chromium, append(always, args...)...)
	cmd.WaitDelay = 5 * time.Second
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // it ends its own processes then
	return cmd
}

// A drawing is what mermaid made of a text.
type drawing struct {
	Error string   // empty: it was drawn
	Text  string   // what the picture shows, without blanks
	Tags  []string // the names of its elements, sorted, each once
}

// drawPage draws with the settings that GitHub uses as far as it has told (securityLevel strict, mermaid's own limits).
const drawPage = `<!doctype html><meta charset="utf-8"><body><script src="/mermaid.js"></script><script>
(async () => {
  mermaid.initialize({startOnLoad: false, securityLevel: "strict", maxTextSize: 50000, maxEdges: 500});
  const drawn = [];
  for (const [i, text] of (await (await fetch("/texts")).json()).entries()) {
    try {
      const {svg} = await mermaid.render("d" + i, text);
      document.body.innerHTML = svg;
      const all = document.body.querySelectorAll("svg *");
      const words = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      let said = "";
      while (words.nextNode()) if (!words.currentNode.parentElement.closest("style")) said += words.currentNode.data;
      drawn.push({Error: "", Text: said.replace(/\s/g, ""), Tags: [...new Set([...all].map(e => e.tagName.toLowerCase()))].sort()});
    } catch (e) { drawn.push({Error: String(e && e.message || e) || "failed", Text: "", Tags: []}); }
  }
  await fetch("/drawn", {method: "POST", body: JSON.stringify(drawn)});
})();
</script>`

// draw has the browser draw texts, one after the other.
func (b browser) draw(t *testing.T, texts []string) []drawing {
	t.Helper()
	drawn := make(chan []drawing, 1)
	serve := http.NewServeMux()
	serve.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, drawPage) })
	serve.HandleFunc("GET /mermaid.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, b.mermaid) })
	serve.HandleFunc("GET /texts", func(w http.ResponseWriter, _ *http.Request) { _ = json.NewEncoder(w).Encode(texts) })
	serve.HandleFunc("POST /drawn", func(_ http.ResponseWriter, r *http.Request) {
		var all []drawing
		if err := json.NewDecoder(r.Body).Decode(&all); err != nil {
			t.Error(err)
		}
		drawn <- all
	})
	server := httptest.NewServer(serve)
	defer server.Close()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- b.command(ctx, t, "--remote-debugging-port=0", server.URL).Run() }()
	select {
	case all := <-drawn:
		stop()
		<-ended
		if len(all) != len(texts) {
			t.Fatalf("%d drawings of %d texts", len(all), len(texts))
		}
		return all
	case err := <-ended:
		t.Fatal(errors.Join(errors.New("the browser ended before it had drawn"), err))
	}
	return nil
}

// screenshot makes a picture of a page. More are further arguments of the browser.
func (b browser) screenshot(t *testing.T, page, picture string, width, height int, more ...string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, []byte(page), 0o600); err != nil {
		t.Fatal(err)
	}
	more = append(more, "--screenshot="+picture, fmt.Sprintf("--window-size=%d,%d", width, height),
		"--virtual-time-budget=20000", "--allow-file-access-from-files", "file://"+filepath.ToSlash(file))
	cmd := b.command(t.Context(), t, more...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// blocks are the texts of a Markdown's Mermaid blocks.
func blocks(markdown string) []string {
	var all []string
	for rest := markdown; ; {
		_, after, found := strings.Cut(rest, "\n```mermaid\n")
		if !found {
			return all
		}
		block, behind, _ := strings.Cut(after, "\n```\n")
		all, rest = append(all, block+"\n"), behind
	}
}
