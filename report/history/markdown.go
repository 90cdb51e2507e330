package history

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/redlinehq/redline/report/escape"
)

// Markdown writes a history as Markdown for GitHub, with the answer if a is not nil.
func Markdown(ctx context.Context, to io.Writer, h *History, a *Answer) error {
	w := bufio.NewWriter(to)
	title := "Recorded drafts"
	if h.contract != "" {
		title += " of " + escape.MarkdownText(h.contract)
	}
	in := style{escape.MarkdownText, escape.MarkdownCode}
	if a != nil {
		title = a.question(in)
	}
	fmt.Fprintf(w, "# %s\n\n", title)
	switch {
	case a != nil:
		for _, s := range a.sentences(in) {
			fmt.Fprintf(w, "%s\n\n", s)
		}
	case h.drafts > 0:
		if err := markdownTable(w, h); err != nil {
			return err
		}
		if err := h.each(ctx, func(t *draftEntry) error { return markdownOf(w, t, h) }); err != nil {
			return err
		}
	}
	if a == nil {
		fmt.Fprintf(w, "%s.\n", h.total())
	}
	for _, n := range h.notices {
		fmt.Fprintf(w, "\n> %s\n", escape.MarkdownText(n))
	}
	return w.Flush()
}

func markdownTable(w io.Writer, h *History) error {
	more, rule := "", ""
	if h.several {
		more, rule = " contract |", "---|"
	}
	fmt.Fprintf(w, "| when | commit | author | result | what changed | signature |%s\n|---|---|---|---|---|---|%s\n", more, rule)
	for e, err := range h.entries() {
		if err != nil {
			return err
		}
		if h.several {
			more = " " + escape.MarkdownText(e.path) + " |"
		}
		fmt.Fprintf(w, "| %s | `%s` | %s | %s | %s | %s |%s\n", e.when.Format(dayForm), short(e.commit), escape.MarkdownText(e.author), e.result, e.changed(),
			e.signedWords(), more)
	}
	_, err := fmt.Fprintln(w)
	return err
}

func markdownOf(w io.Writer, t *draftEntry, h *History) error {
	d := t.draft
	fmt.Fprintf(w, "## %s `%s` %s\n\n", t.when.Format(dayForm), short(d.Commit.ID), escape.MarkdownText(d.Commit.Subject))
	fmt.Fprintf(w, "%s, in %s: %s.\n\n", escape.MarkdownText(d.Commit.Author), escape.MarkdownText(d.Path), t.summary(escape.MarkdownText))
	lines := t.lines(h.filter)
	for _, l := range lines {
		name := ""
		if l.name != "" {
			name = " " + escape.MarkdownCode(l.name)
		}
		fmt.Fprintf(w, "- %s%s: %s\n", l.about, name, escape.MarkdownText(l.says))
	}
	if len(lines) > 0 {
		fmt.Fprintln(w)
	}
	if p := t.placeWords(); p != "" {
		fmt.Fprintf(w, "%s\n\n", p)
	}
	_, err := fmt.Fprintf(w, "Record: `%s`\n\n", t.Ref)
	return err
}
