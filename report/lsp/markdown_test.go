package lsp

import "testing"

func TestMarkdown(t *testing.T) {
	for in, want := range map[string]string{
		"pays [order] (clause 3.1), GAV_T":   "pays [order] (clause 3.1), GAV_T",
		"AT&T, a < b, #3, @all":              "AT&T, a &lt; b, #3, @all",
		"&lt; is &#60; &c.":                  "&amp;lt; is &amp;#60; &c.",
		"*bold* `code` _so_ __so__ ~~gone~~": "\\*bold\\* \\`code\\` \\_so\\_ \\_\\_so\\_\\_ \\~\\~gone\\~\\~",
		`\[x]`:                               `\\[x]`,
		"[here](https://example.com)":        `\[here](https://example.com)`,
		"[1]: https://example.com":           `\[1]: https://example.com`,
		"![x][y]":                            `!\[x]\[y]`,
		"1. first":                           `1\. first`,
		"# big":                              `\# big`,
		"- item":                             `\- item`,
		"<img src=x>":                        "&lt;img src=x>",
		"two\nlines":                         "two⏎lines",
		"":                                   "",
	} {
		if got := markdown(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}
