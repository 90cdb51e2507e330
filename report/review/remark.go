package review

import (
	"regexp"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

const (
	// commentBytes is the maximum size of a text on the pull request. GitHub accepts 65,536 characters.
	commentBytes = markdown.CommentLimit - 1
	// remarkBytes is the maximum size of a new remark. Thirty are sent in one request.
	remarkBytes = 20_000

	remarkWhole = "The summary comment says which run has it whole."
	offer       = "\n**To mend it**, checked in full: " // before a suggestion
	footnote    = "\n<sub>redline says this once. It will say here when the violation is gone.</sub>\n"
)

// remarkText returns the text of a remark on a finding. As long as the finding stays the same, so does the text.
func remarkText(m remarkMarker, f *finding.Finding, suggestion string) string {
	lead := ""
	if m.state == "back" {
		lead = "**This has come back**, as of " + commitLink(m.at) + ".\n\n"
	}
	tail, said := footnote, *f
	if suggestion != "" { // it replaces the list of repairs
		what := words.Joined(" ", escape.MarkdownText(f.Repairs[0].What), diag.Capital(words.WithFullStop(words.Remains(f.Repairs[0], 1))))
		tail = offer + what + "\n\n" + suggestion + footnote
		said.Repairs = nil
	}
	room := remarkBytes - len(m.String()) - len(lead) - len(tail)
	if room < remarkBytes/2 { // a suggestion this long is not shown
		return remarkText(m, f, "")
	}
	return m.String() + lead + markdown.Finding(said, room, remarkWhole) + tail
}

// closedText returns the text of a remark whose finding is gone. It keeps the old text in a fold.
func closedText(id, was, head string, why fate) string {
	said := map[fate]string{
		repaired:  "✓ **Repaired**",
		excused:   "– **Accepted**, by a waiver or by the drafter",
		withdrawn: "✓ **No longer brought about by this pull request**",
	}[why]
	was, _, _ = strings.Cut(normal(was), normal(footnote))
	if at := strings.LastIndex(was, offer); at >= 0 { // the suggestion no longer fits
		was = was[:at]
	}
	was = normal(was)
	subject := "."
	if found := about.FindStringSubmatch(was); found != nil {
		subject = ": " + found[1]
	}
	text := remarkMarker{id, "closed", head}.String() + said + ", as of " + commitLink(head) + subject +
		"\n\n<details><summary>What was remarked</summary>\n\n"
	const end = "\n\n</details>\n"
	if len(text)+len(was)+len(end) > commentBytes { // it has been edited by hand
		was = "It has become too long to be shown here."
	}
	return text + was + end
}

// about matches the subject in a remark's text.
var about = regexp.MustCompile(`(?m)^✗ \*\*[a-z ]+\*\*: (.*)$`)

// commitLink returns a commit id, which GitHub turns into a link.
func commitLink(id string) string {
	if commitID.MatchString(id) {
		return id
	}
	return escape.MarkdownCode(id)
}
