package format

import "github.com/hashicorp/hcl/v2/hclsyntax"

// spread returns the lines with the blank lines that the layout requires between them.
func spread(lines []line) []line {
	var out []line
	var above *line // the last line that is not blank
	blanks := false // since then
	for i := range lines {
		l := &lines[i]
		if l.place == blank {
			blanks = true
			continue
		}
		if above != nil && gap(above, lines[i:], blanks) {
			out = append(out, line{tokens: newline(), place: blank})
		}
		out = append(out, *l)
		above, blanks = l, false
	}
	return out
}

func newline() hclsyntax.Tokens {
	return hclsyntax.Tokens{{Type: hclsyntax.TokenNewline, Bytes: []byte("\n")}}
}

// gap reports whether a blank line belongs between a line and those below it; had is set if the source has one.
func gap(above *line, below []line, had bool) bool {
	next := &below[0]
	switch {
	case opens(above.last()) || closes(next.first()):
		return false
	case above.place == inside && next.place == inside, above.place == remark:
		return had
	case next.place == remark:
		return had || apart(above, commented(below))
	}
	return had || apart(above, next)
}

// commented returns the line right below the comments at the head of lines; nil if there is none.
func commented(lines []line) *line {
	for i := range lines {
		if lines[i].place != remark {
			return &lines[i]
		}
	}
	return nil
}

// apart reports whether the layout itself separates two neighbours in a body.
func apart(above, below *line) bool {
	switch {
	case below == nil:
		return false
	case above.place == closing:
		return below.place != closing && below.place != blank
	case below.place == opening:
		return true
	}
	return above.place == oneLine && below.place == oneLine && above.typ != below.typ
}
