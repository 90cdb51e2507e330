package report

import (
	"fmt"
	"strings"
)

// CommentLimit is how many bytes, and so how many characters by any count, a Markdown text has at
// most. GitHub refuses comments above 65,536 characters and check-run texts above 65,535; the room
// left over is for markers.
const CommentLimit = 60_000

// A part of a Markdown text. What names it for the reader who finds it left out; a part without a
// name is left out last.
type part struct{ what, text string }

// fit joins parts in order. When they are too long, named parts go first, from the end, then the
// others; a last line says what is missing and where it is whole.
func fit(parts []part, limit int, whole string) string {
	const line = 400 // room for that last line
	total := 0
	for _, p := range parts {
		total += len(p.text)
	}
	gone := make([]bool, len(parts))
	var cut []string
	for _, named := range []bool{true, false} {
		for i := len(parts) - 1; i >= 0 && total > limit-line; i-- {
			if (parts[i].what != "") == named && !gone[i] {
				gone[i] = true
				total -= len(parts[i].text)
				cut = append(cut, parts[i].what)
			}
		}
	}
	var b strings.Builder
	for i, p := range parts {
		if !gone[i] {
			b.WriteString(p.text)
		}
	}
	b.WriteString(missing(cut, whole))
	return b.String()
}

// missing says what was cut.
func missing(cut []string, whole string) string {
	if len(cut) == 0 {
		return ""
	}
	counts := map[string]int{}
	for _, c := range cut {
		counts[c]++
	}
	var said []string
	for _, kind := range []string{run, picture, diagnosis, table, repair, change} {
		said = append(said, someOf(counts[kind], kind))
	}
	said = append(said, someOf(counts[""], "other part"))
	return fmt.Sprintf("\n> Left out, because GitHub takes no longer text: %s. %s\n", joined(", ", said...), whole)
}

// Kinds of parts that may be left out.
const (
	run       = "run"
	picture   = "diagram"
	diagnosis = "message"
	table     = "table"
	repair    = "repair"
	change    = "difference"
)
