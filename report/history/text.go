package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/redlinehq/redline/report/escape"
)

// Text writes a history for a terminal: the answer if a is not nil, otherwise a table and a timeline.
func Text(ctx context.Context, to io.Writer, h *History, a *Answer) error {
	w := bufio.NewWriter(to)
	if a != nil {
		for _, s := range a.sentences(style{escape.TerminalText, escape.TerminalText}) {
			fmt.Fprintln(w, s)
		}
		notices(w, h)
		return w.Flush()
	}
	if h.drafts > 0 {
		if err := h.table(w); err != nil {
			return err
		}
		if err := h.each(ctx, func(t *draftEntry) error { return textOf(w, t, h) }); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%s.\n", h.total())
	notices(w, h)
	return w.Flush()
}

func notices(w io.Writer, h *History) {
	for _, n := range h.notices {
		fmt.Fprintln(w, "Note: "+escape.TerminalText(n))
	}
}

func (h *History) total() string {
	if h.drafts == 0 {
		return "No recorded draft to tell"
	}
	return fmt.Sprintf("%s, %s to %s", counted(h.drafts, "recorded draft", "recorded drafts"), h.first.Format(dayForm), h.last.Format(dayForm))
}

// table writes one line for each draft.
func (h *History) table(w io.Writer) error {
	heads := []string{"when", "commit", "author", "result", "what changed", "signature"}
	if h.several {
		heads = append(heads, "contract")
	}
	widths := make([]int, len(heads))
	widen := func(row []string) {
		for i, c := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	widen(heads)
	for e, err := range h.entries() {
		if err != nil {
			return err
		}
		widen(h.cells(e))
	}
	put := func(row []string) {
		var b strings.Builder
		for i, c := range row {
			b.WriteString(c)
			b.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c)+2))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
	put(heads)
	for e, err := range h.entries() {
		if err != nil {
			return err
		}
		put(h.cells(e))
	}
	return nil
}

func (h *History) cells(e *entry) []string {
	row := []string{e.when.Format(dayForm), short(e.commit), escape.TerminalText(e.author), e.result, e.changed(), e.signedWords()}
	if h.several {
		row = append(row, escape.TerminalText(e.path))
	}
	return row
}

// textOf writes a draft on the timeline.
func textOf(w io.Writer, t *draftEntry, h *History) error {
	d := t.draft
	fmt.Fprintf(w, "\n%s  %s  %s\n", t.at(), short(d.Commit.ID), escape.TerminalText(d.Commit.Author))
	if d.Commit.Subject != "" {
		fmt.Fprintf(w, "  %s\n", escape.TerminalText(d.Commit.Subject))
	}
	fmt.Fprintf(w, "  %s: %s\n", escape.TerminalText(d.Path), t.summary(escape.TerminalText))
	for _, l := range t.lines(h.filter) {
		about := l.about
		if l.name != "" {
			about += " " + escape.TerminalText(l.name)
		}
		fmt.Fprintf(w, "    %s: %s\n", about, escape.TerminalText(l.says))
	}
	if p := t.placeWords(); p != "" {
		fmt.Fprintf(w, "  %s\n", p)
	}
	_, err := fmt.Fprintf(w, "  %s\n", t.Ref)
	return err
}
