package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// TestPagesAsSeen opens pages from a disk, on wide light screens and narrow dark ones: axe-core has nothing serious to say, the browser
// refuses nothing, and no page is wider than the screen. It runs where REDLINE_AXE is the file axe.min.js of the npm package axe-core,
// version 4.11.0, and REDLINE_CHROMIUM the browser (empty: the chromium on PATH), as in .ci/run.
func TestPagesAsSeen(t *testing.T) {
	axe, err := os.ReadFile(os.Getenv("REDLINE_AXE"))
	if err != nil {
		t.Skip("REDLINE_AXE is no file: no page is opened in a browser")
	}
	dir := t.TempDir()
	if err := run(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	ctx := browser(t)
	chromedp.ListenTarget(ctx, func(event any) {
		if e, ok := event.(*log.EventEntryAdded); ok {
			t.Error(e.Entry.Text)
		}
	})
	wide, narrow := screen{1280, "light"}, screen{390, "dark"}
	for name, screens := range map[string][]screen{"index.html": {wide}, "tutorial.html": {wide, narrow}, "counsel.html": {narrow},
		"language/requirement.html": {narrow}, "commands/index.html": {wide}, galleryURL: {narrow}, searchURL: {wide, narrow}, codesURL: {narrow}, "codes/unknown-name.html": {wide}, "replay.html": {wide, narrow}, "gallery/cancel.html": {wide, narrow}} {
		for _, screen := range screens {
			var broad int
			var found []struct{ ID, Impact, HTML string }
			err := chromedp.Run(ctx, log.Enable(), emulation.SetDeviceMetricsOverride(screen.width, 900, 1, false),
				emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: screen.scheme}}),
				chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, name))), chromedp.Evaluate(string(axe)+";0", nil),
				chromedp.Evaluate("document.documentElement.scrollWidth - innerWidth", &broad),
				chromedp.Evaluate(`axe.run().then(r => r.violations.map(v => ({ID: v.id, Impact: v.impact, HTML: v.nodes[0].html.slice(0, 300)})))`, &found,
					func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
			if err != nil {
				t.Fatal(name, err)
			}
			if broad > 0 {
				t.Errorf("%s is %d wider than a screen of %d", name, broad, screen.width)
			}
			for _, f := range found {
				if f.Impact == "serious" || f.Impact == "critical" {
					t.Errorf("%s, %s: %+v", name, screen.scheme, f)
				}
			}
		}
	}
}

// TestSearch types a word, and reads what is found.
func TestSearch(t *testing.T) {
	if os.Getenv("REDLINE_AXE") == "" {
		t.Skip("REDLINE_AXE is no file: no page is opened in a browser")
	}
	dir := t.TempDir()
	if err := run(os.DirFS("../.."), dir); err != nil {
		t.Fatal(err)
	}
	var found []string
	const hits = `[...document.querySelectorAll("#hits a")].map(a => a.getAttribute("href"))`
	err := chromedp.Run(browser(t), chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, searchURL))),
		chromedp.Evaluate(`document.activeElement.value = "Waiver expires"; document.activeElement.dispatchEvent(new Event("input"))`, nil), chromedp.Evaluate(hits, &found))
	if err != nil || len(found) == 0 || !slices.Contains(found, "language/requirement.html#waiver") {
		t.Errorf("found %s: %v", found, err)
	}
	err = chromedp.Run(browser(t), chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, searchURL))+"#xyzzy%20waiver"), chromedp.Evaluate(hits, &found))
	if err != nil || len(found) != 0 {
		t.Errorf("found %s: %v", found, err)
	}
}

type screen struct {
	width  int64
	scheme string
}

func browser(t *testing.T) context.Context {
	t.Helper()
	name := os.Getenv("REDLINE_CHROMIUM")
	if name == "" {
		name = "chromium"
	}
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Flag("disable-quic", true))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}
