package report

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/markdown"
)

// picturedFile has the Markdown of the comment that README's pictures show, as far as it is not folded away.
const picturedFile = "testdata/pictured.md"

// TestPictureInReadme: README's pictures show the comment on the first amendment, as it is now. With -update, where there is a browser, it makes them
// anew: look at them.
func TestPictureInReadme(t *testing.T) {
	before := exampleFiles(t, examples.First.Example)
	after := before
	for _, e := range examples.First.Edits {
		after = changedFile(t, after, examples.First.Example+"/"+e.File, e.Old, e.New)
	}
	comment := markdown.Review(reviewOf(t, before, after))
	if *update {
		b := browserFor(t)
		for name, scheme := range map[string]string{"review.png": "", "review-dark.png": darkStylesheet} {
			b.portray(t, asSeen(t, b, comment, false), scheme, filepath.Join("../.github", name))
		}
		if err := os.WriteFile(picturedFile, []byte(withoutFolds(comment)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	shown, err := os.ReadFile(picturedFile)
	if err != nil {
		t.Fatal(err)
	}
	if comment = withoutFolds(comment); string(shown) != comment {
		t.Errorf("README's pictures are stale: REDLINE_MERMAID=mermaid.min.js go test ./report -run PictureInReadme -update makes them anew (browser_test.go says where the script is from)\n%s", comment)
	}
	for _, name := range []string{"review.png", "review-dark.png"} {
		raw, err := os.ReadFile(filepath.Join("../.github", name))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := png.Decode(bytes.NewReader(raw)); err != nil || len(raw) > 150<<10 {
			t.Errorf("%s: %d bytes, %v", name, len(raw), err)
		}
	}
}

// withoutFolds returns Markdown without what is folded away, but with the lines that unfold it.
func withoutFolds(comment string) string {
	const begins, ends, unfolds = "<details>", "</details>", "</summary>"
	var seen strings.Builder
	for {
		before, fold, found := strings.Cut(comment, begins)
		seen.WriteString(before)
		if !found {
			return seen.String()
		}
		summary, rest, _ := strings.Cut(fold, unfolds)
		seen.WriteString(summary)
		for depth := 1; depth > 0; {
			end := strings.Index(rest, ends)
			if begin := strings.Index(rest, begins); begin >= 0 && begin < end {
				depth, rest = depth+1, rest[begin+len(begins):]
				continue
			}
			depth, rest = depth-1, rest[end+len(ends):]
		}
		comment = rest
	}
}

// darkStylesheet has the colours of GitHub's dark scheme.
const darkStylesheet = `body { background: #0d1117; color: #f0f6fc; } .box { border-color: #3d444d; } .head { background: #151b23; border-color: #3d444d; color: #9198a1; }
h2 { border-color: #3d444db3; } code { background: #656c7633; } pre { background: #151b23; } th, td { border-color: #3d444d; } tr:nth-child(2n) { background: #151b23; }
blockquote { border-color: #3d444d; color: #9198a1; } a { color: #4493f8; }`

// portray makes a small picture of a comment, without what is empty around it.
func (b browser) portray(t *testing.T, page, scheme, name string) {
	t.Helper()
	if scheme != "" {
		page = strings.Replace(page, "</style>", scheme+"</style>", 1)
		page = strings.Replace(page, "startOnLoad: true", "startOnLoad: true, theme: 'dark'", 1)
	}
	whole := filepath.Join(t.TempDir(), "whole.png")
	b.screenshot(t, page, whole, 832, 2600, "--force-device-scale-factor=2")
	raw, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	var small bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&small, fewColours(img, inked(img))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, small.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// inked returns the part of a picture that is not of the colour of its first pixel.
func inked(img image.Image) image.Rectangle {
	var part image.Rectangle
	all := img.Bounds()
	for y := all.Min.Y; y < all.Max.Y; y++ {
		for x := all.Min.X; x < all.Max.X; x++ {
			if img.At(x, y) != img.At(all.Min.X, all.Min.Y) {
				part = part.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return part
}

// fewColours returns a part of a picture with the 128 colours that it has most of; any other becomes the nearest of those.
func fewColours(img image.Image, part image.Rectangle) image.Image {
	count := map[color.Color]int{}
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			count[img.At(x, y)]++
		}
	}
	var colours color.Palette
	for c := range count {
		colours = append(colours, c)
	}
	slices.SortFunc(colours, func(a, b color.Color) int { return count[b] - count[a] })
	few := image.NewPaletted(image.Rect(0, 0, part.Dx(), part.Dy()), colours[:min(len(colours), 128)])
	for y := range part.Dy() {
		for x := range part.Dx() {
			few.Set(x, y, img.At(part.Min.X+x, part.Min.Y+y))
		}
	}
	return few
}
