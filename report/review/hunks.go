package review

import (
	"regexp"
	"strconv"
	"strings"
)

// A hunk is the lines of head's file that a pull request's diff shows in one piece. Comments can stand there and
// nowhere else.
type hunk struct {
	first, last int // of head's file; last is before first where nothing is left
	gone        []goneLine
}

// A goneLine is one that only base's file has.
type goneLine struct {
	line   int // of base's file
	text   string
	before int // the line of head's file that now stands there
}

var hunkHeader = regexp.MustCompile(`^@@ -([0-9]{1,9})(?:,[0-9]{1,9})? \+([0-9]{1,9})(?:,[0-9]{1,9})? @@`)

// hunksOf reads a patch as GitHub gives it for a file. It counts lines rather than believe headers.
func hunksOf(patch string) []hunk {
	var all []hunk
	was, now := 0, 0
	for line := range strings.Lines(patch) {
		line = strings.TrimSuffix(line, "\n")
		if found := hunkHeader.FindStringSubmatch(line); found != nil {
			was, _ = strconv.Atoi(found[1])
			now, _ = strconv.Atoi(found[2])
			all = append(all, hunk{first: now, last: now - 1})
			continue
		}
		if len(all) == 0 || line == "" {
			continue
		}
		h := &all[len(all)-1]
		switch line[0] {
		case ' ':
			h.last, was, now = now, was+1, now+1
		case '+':
			h.last, now = now, now+1
		case '-':
			h.gone = append(h.gone, goneLine{was, line[1:], now})
			was++
		}
	}
	return all
}

// holding returns the hunk in which these lines of head's file stand, all of them.
func holding(all []hunk, first, last int) (hunk, bool) {
	for _, h := range all {
		if h.first <= first && first <= last && last <= h.last {
			return h, true
		}
	}
	return hunk{}, false
}

// whereGone finds where a line of base's file was taken out, one that contains this text: the line of head's file
// that is nearest.
func whereGone(all []hunk, line int, text string) (int, bool) {
	for _, h := range all {
		for _, g := range h.gone {
			if g.line == line && strings.Contains(g.text, text) && h.first <= h.last {
				return max(h.first, min(g.before, h.last)), true
			}
		}
	}
	return 0, false
}
