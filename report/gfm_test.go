package report

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/redlinehq/redline/report/escape"
)

// titlesAsLinks are texts in which a renderer of GitHub Markdown may see a link, and all others that could format anything: each
// address after each character after which an address may begin (https://github.github.com/gfm/#autolinks-extension-), and before others.
func titlesAsLinks() []string {
	var all []string
	for _, s := range nasty {
		if !empty(s) {
			all = append(all, s)
		}
	}
	for _, address := range []string{"www.evil.example", "WWW.evil.example", "http://evil.example", "https://evil.example/x_y", "ftp://evil.example", "a@b.example", "mailto:a@b.example", "xmpp:a@b.example/x", "GH-12", "#12", "@octocat"} {
		for _, before := range []string{"", " ", "_", "*", "~", "(", "[", "<", "__", "**", "~~", "\\", "`", "|", "/", "x", "é", "\u200b", "\u200d", "&", ":", "-", "\"", "'", "!", "1. ", "- "} {
			for _, after := range []string{"", "_", "*", ")", "]", "~", " x", "|", "."} {
				all = append(all, before+address+after)
			}
		}
	}
	return all
}

// markup finds what is no text in a page: ours is a paragraph and nothing else.
var markup = regexp.MustCompile(`<[^>]*>`)

// paragraphs holds that each of some texts is one paragraph of plain text in a page.
func paragraphs(t *testing.T, texts []string, page string) {
	t.Helper()
	got := strings.Split(strings.TrimSpace(page), "\n")
	if len(got) != len(texts) {
		t.Fatalf("%d lines of %d texts", len(got), len(texts))
	}
	for i, line := range got {
		inner, ok := strings.CutPrefix(line, "<p>")
		inner, closed := strings.CutSuffix(inner, "</p>")
		if found := markup.FindString(inner); !ok || !closed || found != "" {
			t.Errorf("%q becomes %s (%s)", texts[i], line, escape.MarkdownText(texts[i]))
		}
	}
}

// TestTitlesAreNoLinks holds MarkdownText against a renderer of GitHub Markdown, links included.
func TestTitlesAreNoLinks(t *testing.T) {
	texts := titlesAsLinks()
	var page bytes.Buffer
	render := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))
	for _, s := range texts {
		if found := reference.FindString(unescape(escape.MarkdownText(s))); found != "" { // GitHub's renderer sees more than this one
			t.Errorf("%q leaves %q to be linked", s, found)
		}
		if err := render.Convert([]byte(escape.MarkdownText(s)), &page); err != nil {
			t.Fatal(err)
		}
	}
	paragraphs(t, texts, page.String())
}

// TestTitlesInGitHubsRenderer does that with cmark-gfm, from which GitHub's own is made (https://github.com/github/cmark-gfm), wherever it is installed.
func TestTitlesInGitHubsRenderer(t *testing.T) {
	renderer, err := exec.LookPath("cmark-gfm")
	if err != nil {
		t.Skip("needs cmark-gfm (a package of Debian)")
	}
	texts := titlesAsLinks()
	var source strings.Builder
	for _, s := range texts {
		source.WriteString(escape.MarkdownText(s) + "\n\n")
	}
	cmd := exec.Command(renderer, "--extension", "autolink", "--extension", "table", "--extension", "strikethrough", "--extension", "tasklist", "--extension", "footnotes", "--unsafe")
	cmd.Stdin, cmd.Stderr = strings.NewReader(source.String()), os.Stderr
	page, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	paragraphs(t, texts, string(page))
}
