package format

import "github.com/hashicorp/hcl/v2/hclsyntax"

// spread returns the lines with the blank lines between them that the layout asks for.
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

// gap says whether a blank line stands between a line and those below it; had says whether the
// source has one.
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

// commented returns the line that the comments at the head of lines are right above, or nil.
func commented(lines []line) *line {
	for i := range lines {
		if lines[i].place != remark {
			return &lines[i]
		}
	}
	return nil
}

// apart says whether the layout itself separates two neighbours in a body.
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
