package page_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestPagesAsSeen leaves pictures of every example, wide and narrow, light and dark, with the player in mid-run, for people to look at.
func TestPagesAsSeen(t *testing.T) {
	dir := os.Getenv("REDLINE_PICTURES")
	if dir == "" {
		t.Skip("REDLINE_PICTURES is not set: nobody looks")
	}
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			picture(t, dir, strings.ReplaceAll(name, "/", "-"), checked(t, draft(t, example(t, name), nil)))
		})
	}
	t.Run("review-withdraw", func(t *testing.T) {
		picture(t, dir, "review-withdraw", reviewed(t, draft(t, example(t, "sale"), nil), draft(t, withdrawn(t), nil)))
	})
}

func picture(t *testing.T, dir, name string, html []byte) {
	b := open(t, html, "")
	var steps int
	b.eval(`document.querySelectorAll(".play select").length`, &steps)
	if steps > 0 {
		b.eval(`(() => { const s = [...redline.stages.values()][0]; s.turn(0); for (let i = 0; i < 4; i++) s.player.on(); return 1 })()`, &steps)
	} else {
		b.eval(`(() => { const s = [...redline.stages.values()][0]; s.turn(1); s.simulator.chance(3); return 1 })()`, &steps)
	}
	for _, w := range []int64{1400, 390} {
		for _, dark := range []bool{false, true} {
			b.dark(dark)
			b.run(chromedp.EmulateViewport(w, 900))
			var shot []byte
			b.run(chromedp.FullScreenshot(&shot, 100))
			file := filepath.Join(dir, name+map[int64]string{1400: "-wide", 390: "-narrow"}[w]+map[bool]string{true: "-dark"}[dark]+".png")
			if err := os.WriteFile(file, shot, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.run(emulation.SetEmulatedMedia().WithMedia("print"), chromedp.EmulateViewport(800, 900))
	var shot []byte
	b.run(chromedp.Evaluate(`dispatchEvent(new Event("beforeprint"))`, nil), chromedp.FullScreenshot(&shot, 100))
	if err := os.WriteFile(filepath.Join(dir, name+"-print.png"), shot, 0o600); err != nil {
		t.Fatal(err)
	}
	b.quiet()
}
