package review

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Every text that redline writes on a pull request begins with a marker, an invisible line. Anyone can write a marker, so it counts only in
// redline's own texts, and only at their very beginning.

// A summaryMarker has the run that wrote a summary, and the commit it is about.
type summaryMarker struct {
	head            string // the pull request's head
	number, attempt int    // of the run
}

var summaryLine = regexp.MustCompile(`^<!-- redline:summary v1 head=([0-9a-f]*) run=([0-9]{1,19})\.([0-9]{1,19}) -->(?:\r?\n|$)`)

func (m summaryMarker) String() string {
	return fmt.Sprintf("<!-- redline:summary v1 head=%s run=%d.%d -->\n", m.head, m.number, m.attempt)
}

// readSummaryMarker reads the marker of a summary. It reports false if there is none.
func readSummaryMarker(body string) (summaryMarker, bool) {
	found := summaryLine.FindStringSubmatch(body)
	if found == nil {
		return summaryMarker{}, false
	}
	number, _ := strconv.Atoi(found[2]) // a number out of range becomes the largest
	attempt, _ := strconv.Atoi(found[3])
	return summaryMarker{found[1], number, attempt}, true
}

// after reports whether m is newer than o, given the present head of the pull request. A summary of that head is newer than any other.
// Otherwise the greater run number decides, and then the greater attempt.
func (m summaryMarker) after(o summaryMarker, head string) bool {
	switch {
	case (m.head == head) != (o.head == head):
		return m.head == head
	case m.number != o.number:
		return m.number > o.number
	}
	return m.attempt > o.attempt
}

// A remarkMarker has the finding that a remark is about, and its state.
type remarkMarker struct {
	id    string // an identity
	state string // open; closed; back: open again
	at    string // the head at which it was closed or reopened; empty: it is open
}

var remarkLine = regexp.MustCompile(`^<!-- redline:finding v1 ([0-9a-f]{24}\.[0-9a-f]{24}) (open|closed|back)(?: at=([0-9a-f]*))? -->(?:\r?\n|$)`)

func (m remarkMarker) String() string {
	at := ""
	if m.state != "open" {
		at = " at=" + m.at
	}
	return fmt.Sprintf("<!-- redline:finding v1 %s %s%s -->\n", m.id, m.state, at)
}

// readRemarkMarker reads the marker of a remark, and the text below it. It reports false if there is none.
func readRemarkMarker(body string) (m remarkMarker, text string, ok bool) {
	found := remarkLine.FindStringSubmatch(body)
	if found == nil {
		return m, "", false
	}
	return remarkMarker{found[1], found[2], found[3]}, body[len(found[0]):], true
}

// alike reports whether two texts are the same, apart from changes that GitHub may make when it stores them.
func alike(a, b string) bool { return normal(a) == normal(b) }

// normal returns a text with Unix line ends and without blanks at both ends.
func normal(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
