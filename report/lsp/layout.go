package lsp

import "github.com/redlinehq/redline/hclspec/format"

// formatting returns the canonical layout as one edit, or no edit if the text already has it or cannot be parsed.
func (c *cursor) formatting() (any, error) {
	src := c.doc.text.src
	out, _ := format.File([]byte(src), c.doc.uri)
	if string(out) == src {
		return []textEdit{}, nil
	}
	from, to := 0, len(src) // the part that differs; outside of it the editor keeps the cursor
	for from < min(len(out), to) && out[from] == src[from] {
		from++
	}
	rest := len(out)
	for to > from && rest > from && out[rest-1] == src[to-1] {
		to, rest = to-1, rest-1
	}
	from, to, rest = whole(src, from, to, rest)
	return []textEdit{{c.doc.text.span(from, to), string(out[from:rest])}}, nil
}

// whole widens an edit to whole lines, so that it splits no character and no line end.
func whole(src string, from, to, rest int) (int, int, int) {
	for from > 0 && src[from-1] != '\n' {
		from--
	}
	for to > 0 && to < len(src) && src[to-1] != '\n' {
		to, rest = to+1, rest+1
	}
	return from, to, rest
}
