package review

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Every text we write on a pull request begins with a marker, a line that nobody sees. Anybody can write
// one, so it counts only in what we have written ourselves, and only at the very beginning.

// A summaryMarker says which run wrote a summary, and of what.
type summaryMarker struct {
	head            string // the pull request's head
	number, attempt int    // of the run
}

var summaryLine = regexp.MustCompile(`^<!-- redline:summary v1 head=([0-9a-f]*) run=([0-9]{1,19})\.([0-9]{1,19}) -->(?:\r?\n|$)`)

func (m summaryMarker) String() string {
	return fmt.Sprintf("<!-- redline:summary v1 head=%s run=%d.%d -->\n", m.head, m.number, m.attempt)
}

func readSummaryMarker(body string) (summaryMarker, bool) {
	found := summaryLine.FindStringSubmatch(body)
	if found == nil {
		return summaryMarker{}, false
	}
	number, _ := strconv.Atoi(found[2]) // what is beyond all numbers is the largest
	attempt, _ := strconv.Atoi(found[3])
	return summaryMarker{found[1], number, attempt}, true
}

// after reports whether m says something newer than o, now that the pull request's head is this commit. What is about
// that head comes before what is not; else the later run does, and then its later attempt.
func (m summaryMarker) after(o summaryMarker, head string) bool {
	switch {
	case (m.head == head) != (o.head == head):
		return m.head == head
	case m.number != o.number:
		return m.number > o.number
	}
	return m.attempt > o.attempt
}

// A remarkMarker says which finding a remark is about and what has become of it.
type remarkMarker struct {
	id    string // an identity
	state string // open; closed; back: open again
	at    string // the head at which it was closed, or came back; empty of one that is open
}

var remarkLine = regexp.MustCompile(`^<!-- redline:finding v1 ([0-9a-f]{24}\.[0-9a-f]{24}) (open|closed|back)(?: at=([0-9a-f]*))? -->(?:\r?\n|$)`)

func (m remarkMarker) String() string {
	at := ""
	if m.state != "open" {
		at = " at=" + m.at
	}
	return fmt.Sprintf("<!-- redline:finding v1 %s %s%s -->\n", m.id, m.state, at)
}

// readRemarkMarker also gives the text below the marker.
func readRemarkMarker(body string) (m remarkMarker, text string, ok bool) {
	found := remarkLine.FindStringSubmatch(body)
	if found == nil {
		return m, "", false
	}
	return remarkMarker{found[1], found[2], found[3]}, body[len(found[0]):], true
}

// alike compares two texts as GitHub may have stored them.
func alike(a, b string) bool { return normal(a) == normal(b) }

func normal(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }
