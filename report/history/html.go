package history

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"io"

	"github.com/redlinehq/redline/report/escape"
)

// pageHead begins a page that loads nothing and runs nothing, even if an attack gets through the escaping.
const pageHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%[1]s</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; color: #1f2328; background: #fff }
table { border-collapse: collapse; width: 100%% }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #d1d9e0; overflow-wrap: anywhere }
article { margin: 1.5rem 0; padding-left: 1rem; border-left: 4px solid #d1d9e0; overflow-wrap: anywhere }
article.failed { border-color: #cf222e } article.warned { border-color: #9a6700 } article.passed { border-color: #1a7f37 }
td.failed { color: #cf222e } td.warned { color: #9a6700 } td.passed { color: #1a7f37 }
h2 { font-size: 1rem; margin: 0 } p, ul { margin: .25rem 0 } code { font-size: .85em } .small { font-size: .75rem; color: #59636e }
</style>
</head>
<body>
<h1>%[1]s</h1>
`

// legend explains the words of a table.
const legend = `<p class="small">Passed: every requirement holds. Warned: something is unknown, waived or remarked on. Failed: something is violated or ill-formed. ` +
	`A verdict is that of redline at the time; <code>redline verify</code> tells whether records fit the repository.</p>
`

// escaped makes untrusted text safe in a page.
func escaped(s string) string { return html.EscapeString(escape.TerminalText(s)) }

// HTML writes a history as a self-contained page, with the answer if a is not nil.
func HTML(ctx context.Context, to io.Writer, h *History, a *Answer) error {
	w := bufio.NewWriter(to)
	title := "Recorded drafts"
	if h.contract != "" {
		title += " of " + escaped(h.contract)
	}
	in := style{escaped, func(s string) string { return "<code>" + escaped(s) + "</code>" }}
	if a != nil {
		title = a.question(style{escaped, escaped})
	}
	fmt.Fprintf(w, pageHead, title)
	switch {
	case a != nil:
		for _, s := range a.sentences(in) {
			fmt.Fprintf(w, "<p>%s</p>\n", s)
		}
	case h.drafts > 0:
		if err := htmlTable(w, h); err != nil {
			return err
		}
		if err := h.each(ctx, func(t *draftEntry) error { return htmlOf(w, t, h) }); err != nil {
			return err
		}
	}
	if a == nil {
		fmt.Fprintf(w, "<p>%s.</p>\n%s", h.total(), legend)
	}
	for _, n := range h.notices {
		fmt.Fprintf(w, "<p><strong>Note:</strong> %s</p>\n", escaped(n))
	}
	fmt.Fprint(w, "</body>\n</html>\n")
	return w.Flush()
}

func htmlTable(w io.Writer, h *History) error {
	more := ""
	if h.several {
		more = "<th>contract</th>"
	}
	fmt.Fprintf(w, "<table>\n<thead><tr><th>when</th><th>commit</th><th>author</th><th>result</th><th>what changed</th><th>signature</th>%s</tr></thead>\n<tbody>\n", more)
	for e, err := range h.entries() {
		if err != nil {
			return err
		}
		if h.several {
			more = "<td>" + escaped(e.path) + "</td>"
		}
		fmt.Fprintf(w, "<tr><td>%s</td><td><a href=\"#%s\"><code>%s</code></a></td><td>%s</td><td class=\"%s\">%s</td><td>%s</td><td>%s</td>%s</tr>\n", e.when.Format(dayForm),
			e.Object, short(e.commit), escaped(e.author), e.result, e.result, e.changed(), e.signedWords(), more)
	}
	_, err := fmt.Fprint(w, "</tbody>\n</table>\n")
	return err
}

func htmlOf(w io.Writer, t *draftEntry, h *History) error {
	d := t.draft
	fmt.Fprintf(w, "<article id=\"%s\" class=\"%s\">\n<h2>%s <code>%s</code> %s</h2>\n", t.Object, t.result, t.at(), short(d.Commit.ID), escaped(d.Commit.Subject))
	fmt.Fprintf(w, "<p>%s, in %s: %s.</p>\n", escaped(d.Commit.Author), escaped(d.Path), t.summary(escaped))
	lines := t.lines(h.filter)
	if len(lines) > 0 {
		fmt.Fprint(w, "<ul>\n")
		for _, l := range lines {
			name := ""
			if l.name != "" {
				name = " <code>" + escaped(l.name) + "</code>"
			}
			fmt.Fprintf(w, "<li>%s%s: %s</li>\n", l.about, name, escaped(l.says))
		}
		fmt.Fprint(w, "</ul>\n")
	}
	if p := t.placeWords(); p != "" {
		fmt.Fprintf(w, "<p>%s</p>\n", p)
	}
	_, err := fmt.Fprintf(w, "<p class=\"small\">Record: <code>%s</code></p>\n</article>\n", t.Ref)
	return err
}
