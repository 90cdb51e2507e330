package report

import (
	"bytes"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	gmhtml "github.com/yuin/goldmark/renderer/html"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/markdown"
)

// TestCommentsAsSeen makes pictures of what people see on a pull request, for somebody to look at.
func TestCommentsAsSeen(t *testing.T) {
	b := browserFor(t)
	to := os.Getenv("REDLINE_PICTURES")
	if to == "" {
		t.Skip("REDLINE_PICTURES is not set: nobody wants to look")
	}
	for name, markdown := range comments(t) {
		t.Run(name, func(t *testing.T) {
			height := 1400
			if strings.HasPrefix(name, "inline") {
				height = 900
			}
			b.screenshot(t, asSeen(t, b, markdown, false), filepath.Join(to, name+".png"), 900, height)
			b.screenshot(t, asSeen(t, b, markdown, true), filepath.Join(to, name+"-unfolded.png"), 900, 3*height)
			b.screenshot(t, styled(asSeen(t, b, markdown, false), narrowStylesheet), filepath.Join(to, name+"-narrow.png"), 500, 2*height)
			b.screenshot(t, strings.Replace(styled(asSeen(t, b, markdown, false), darkStylesheet), "startOnLoad: true", "startOnLoad: true, theme: 'dark'", 1), filepath.Join(to, name+"-dark.png"), 900, height)
		})
	}
}

// comments are what a review says of amendments of every kind.
func comments(t *testing.T) map[string]string {
	t.Helper()
	sale := exampleFiles(t, "sale")
	broken := changedFile(t, sale, "sale/seller.contract.hcl", "  transition \"end\" {", withdrawal2)
	weak := changedFile(t, broken, "sale/sale.contract.hcl", "(seller.GAV -> A[seller.GAV U purchaser.P3])", "(seller.GAV -> EF purchaser.P3)")
	harmless := changedFile(t, sale, "sale/purchaser.contract.hcl", "  transition \"take\" {", "  transition \"wait\" {\n    title = \"the purchaser waits\"\n    from  = P3\n    to    = P3\n  }\n\n  transition \"take\" {")
	worded := changedFile(t, sale, "sale/seller.contract.hcl", "goods available", "goods to be had")
	text := changedFile(t, sale, "sale/seller.contract.hcl", "from  = S1\n", "from  = S9\n")
	all := map[string]*finding.Review{
		"new-violation": reviewOf(t, sale, broken), "repair": reviewOf(t, broken, sale), "weakened": reviewOf(t, sale, weak),
		"clean": reviewOf(t, sale, harmless), "no-change": reviewOf(t, sale, worded), "ill-formed": reviewOf(t, sale, text),
		"letter-of-credit": amended(t, "mistake-payment-first"), "meat-sale": amended(t, "amendment-interest"),
		"ten-in-three": manyBroken(t, 3, 4), "eighty-in-forty": manyBroken(t, 40, 2),
	}
	first := exampleFiles(t, examples.First.Example)
	amendedFirst := first
	for _, e := range examples.First.Edits {
		amendedFirst = changedFile(t, amendedFirst, examples.First.Example+"/"+e.File, e.Old, e.New)
	}
	all["first"] = reviewOf(t, first, amendedFirst)
	told := map[string]string{"sample": markdown.Review(amendment()), "hostile": markdown.Review(foreignReview("@x `|\n</details> \x1b[31m \u202e "))}
	for name, r := range all {
		told[name] = markdown.Review(r)
		if name != "new-violation" && name != "weakened" {
			continue
		}
		for _, f := range r.Contracts[0].Findings {
			if f.Kind == finding.New || f.Kind == finding.Weakened {
				told["inline-"+name+"-"+f.Name] = markdown.Finding(f, markdown.CommentLimit, "")
			}
		}
	}
	return told
}

const withdrawal2 = `  transition "withdraw" {
    title = "the seller withdraws the goods"
    from  = S2
    to    = S0
    set   = { GAV = false }
  }

  transition "end" {`

func exampleFiles(t *testing.T, name string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	entries, err := examples.FS.ReadDir(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := fs.ReadFile(examples.FS, name+"/"+e.Name())
		if err != nil {
			t.Fatal(err)
		}
		files[name+"/"+e.Name()] = &fstest.MapFile{Data: text}
	}
	return files
}

func changedFile(t *testing.T, files fstest.MapFS, name, old, text string) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for n, f := range files {
		out[n] = f
	}
	if strings.Count(string(out[name].Data), old) < 1 {
		t.Fatalf("%q is not in %s", old, name)
	}
	out[name] = &fstest.MapFile{Data: []byte(strings.Replace(string(out[name].Data), old, text, 1))}
	return out
}

var mermaidBlock = regexp.MustCompile(`(?s)<pre><code class="language-mermaid">(.*?)</code></pre>`)

// asSeen is Markdown as GitHub shows it in a comment, nearly.
func asSeen(t *testing.T, b browser, markdown string, unfold bool) string {
	t.Helper()
	var body bytes.Buffer
	github := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(gmhtml.WithUnsafe()))
	if err := github.Convert([]byte(markdown), &body); err != nil {
		t.Fatal(err)
	}
	text := mermaidBlock.ReplaceAllString(body.String(), `<pre class="mermaid">$1</pre>`)
	if unfold {
		text = strings.ReplaceAll(text, "<details>", "<details open>")
	}
	return "<!doctype html><meta charset=\"utf-8\"><style>" + stylesheet + "</style><div class=\"box\"><div class=\"head\"><b>github-actions</b> bot commented</div><div class=\"body\">" +
		text + "</div></div><script src=\"file://" + html.EscapeString(filepath.ToSlash(b.mermaid)) + "\"></script><script>mermaid.initialize({startOnLoad: true, securityLevel: 'strict'})</script>"
}

// stylesheet has GitHub's measures and colours, as far as they decide what can be read at a glance.
const stylesheet = `body { font: 14px/1.5 -apple-system, "Segoe UI", "Noto Sans", Helvetica, Arial, sans-serif; color: #1f2328; margin: 16px; }
.box { border: 1px solid #d1d9e0; border-radius: 6px; width: 800px; }
.head { background: #f6f8fa; padding: 8px 16px; border-bottom: 1px solid #d1d9e0; color: #59636e; }
.body { padding: 16px; overflow-wrap: break-word; }
h2 { font-size: 1.5em; margin: 0 0 16px; padding-bottom: .3em; border-bottom: 1px solid #d1d9e0b3; } h3 { font-size: 1.25em; } h4 { font-size: 1em; }
h3, h4 { margin: 24px 0 16px; line-height: 1.25; } p, ul, ol, table, pre, details, blockquote { margin: 0 0 16px; }
code { background: #818b981f; border-radius: 6px; padding: .2em .4em; font: 85% ui-monospace, "DejaVu Sans Mono", monospace; }
pre { background: #f6f8fa; padding: 16px; border-radius: 6px; overflow: auto; line-height: 1.45; } pre code { background: none; padding: 0; }
pre.mermaid { background: none; text-align: center; }
table { border-collapse: collapse; display: block; width: max-content; max-width: 100%; overflow: auto; } th, td { border: 1px solid #d1d9e0; padding: 6px 13px; } tr:nth-child(2n) { background: #f6f8fa; }
ol, ul { padding-left: 2em; } summary { cursor: pointer; } blockquote { border-left: .25em solid #d1d9e0; padding: 0 1em; color: #59636e; }`

// narrowStylesheet has the width of a comment on a telephone of 390 pixels.
const narrowStylesheet = `.box { width: 358px; }`

// styled adds a stylesheet to a page.
func styled(page, sheet string) string { return strings.Replace(page, "</style>", sheet+"</style>", 1) }
