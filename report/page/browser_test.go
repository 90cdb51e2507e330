package page_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// What is seen in a real browser. These tests run where an environment variable is set, as .ci/run does:
//
//	REDLINE_AXE       the file axe.min.js of the npm package axe-core, version 4.11.0
//	REDLINE_CHROMIUM  the browser; empty: the chromium on PATH
//	REDLINE_PICTURES  a directory for TestPagesAsSeen to leave pictures of pages in; empty: it makes none

// One browser serves all tests; each has a tab of its own.
var chromium = sync.OnceValues(func() (context.Context, error) {
	name := os.Getenv("REDLINE_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("disable-quic", true))
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator)
	return ctx, chromedp.Run(ctx)
})

func TestMain(m *testing.M) {
	status := m.Run()
	if os.Getenv("REDLINE_AXE") != "" {
		if ctx, err := chromium(); err == nil {
			_ = chromedp.Cancel(ctx)
		}
	}
	os.Exit(status)
}

// A tab shows a page, and remembers what went wrong in it.
type tab struct {
	testing.TB
	ctx      context.Context
	mu       sync.Mutex
	troubles []string
}

// open opens a page from a file, as people do, with what follows # in its address.
func open(t testing.TB, html []byte, fragment string) *tab {
	t.Helper()
	if os.Getenv("REDLINE_AXE") == "" {
		t.Skip("REDLINE_AXE is not set: no page is opened in a browser")
	}
	browser, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(file, html, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(stop)
	b := &tab{TB: t, ctx: ctx}
	chromedp.ListenTarget(ctx, b.hear)
	b.run(log.Enable(), runtime.Enable(), chromedp.EmulateViewport(1280, 900), chromedp.Navigate("file://"+filepath.ToSlash(file)+fragment))
	return b
}

// hear notes what the console says, exceptions, and what the content security policy refused.
func (b *tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		b.troubles = append(b.troubles, "console: "+string(e.Type))
	case *runtime.EventExceptionThrown:
		b.troubles = append(b.troubles, "exception: "+e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		b.troubles = append(b.troubles, string(e.Entry.Source)+": "+e.Entry.Text)
	}
}

// quiet fails the test if anything went wrong.
func (b *tab) quiet() {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, trouble := range b.troubles {
		b.Error(trouble)
	}
}

func (b *tab) run(actions ...chromedp.Action) {
	b.Helper()
	if err := chromedp.Run(b.ctx, actions...); err != nil {
		b.Fatal(err)
	}
}

// eval is what an expression comes to in the page.
func (b *tab) eval(expression string, to any) {
	b.Helper()
	b.run(chromedp.Evaluate(expression, to))
}

// text is what an element says.
func (b *tab) text(selector string) string {
	b.Helper()
	quoted, _ := json.Marshal(selector)
	var s string
	b.eval("document.querySelector("+string(quoted)+").textContent", &s)
	return strings.TrimSpace(s)
}

// click presses a control as a reader does, once it is in view.
func (b *tab) click(selector string) {
	b.Helper()
	b.run(chromedp.ScrollIntoView(selector, chromedp.ByQuery), chromedp.Click(selector, chromedp.ByQuery, chromedp.NodeVisible))
}

func (b *tab) dark(on bool) {
	b.Helper()
	scheme := map[bool]string{false: "light", true: "dark"}[on]
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
}

// awaited has an expression's promise waited for.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }
