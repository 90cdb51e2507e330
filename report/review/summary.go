package review

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
)

// mostListed is the maximum size in bytes of the list of findings without a remark. The report above it has all of them.
const mostListed = 8000

// summaryText returns the text of the summary comment.
func summaryText(t *PullReport, left unremarked) string {
	marker, foot := t.marker().String(), footOf(t, left)
	room := commentBytes - len(marker) - len(foot)
	if t.Review == nil {
		return marker + bounded(t.Failure, room) + foot
	}
	return marker + markdown.ReviewWithin(t.Review, room, t.whole()) + foot
}

// whole returns sentences on where the complete text is, and how to make a page of it.
func (t *PullReport) whole() string {
	at := "The job's summary and its log"
	if t.Run.url != "" {
		at = "The [job's summary and its log](" + t.Run.url + ")"
	}
	if t.Page {
		return at + " show it whole." // and the signature says where the page is
	}
	return at + " show it whole." + pageOf(t.Review)
}

// pageOf returns a sentence on the command that makes a page of a review, for a clone in which its head is checked out.
func pageOf(r *finding.Review) string {
	if r == nil || r.Base == "" {
		return ""
	}
	base := r.Base
	if len(base) == 40 && strings.Trim(base, "0123456789abcdef") == "" { // a commit
		base = base[:12]
	}
	return " With the branch checked out, " + escape.MarkdownCode("redline report --base "+base) + " makes a page to look it through."
}

// footOf returns the text below the report: findings without a remark, notices and the signature.
func footOf(t *PullReport, left unremarked) string {
	var b strings.Builder
	b.WriteString(roll("No remark at a line, because a pull request gets "+fmt.Sprint(mostRemarks)+" at most", left.over))
	b.WriteString(roll("No remark at a line, because the pull request does not touch the lines they are about", left.nowhere))
	for i, n := range t.Notices {
		if i == mostNotices {
			fmt.Fprintf(&b, "\n> %d more notices are in the log.\n", len(t.Notices)-i)
			break
		}
		b.WriteString("\n> " + escape.MarkdownText(n) + "\n")
	}
	b.WriteString("\n---\n\n" + strings.Join(signature(t), " ") + "\n")
	if t.Checkpoint != "" {
		b.WriteString("\n<details><summary>Checkpoint of the records</summary>\n\n" + CheckpointText(t.Checkpoint) + "\n</details>\n")
	}
	return b.String()
}

// CheckpointText returns the Markdown of a checkpoint of the log of records, with a sentence on what it is for. A checkpoint has no foreign text.
func CheckpointText(checkpoint string) string {
	return "What the log of records has now. Saved to a file, this text lets `redline verify --checkpoint FILE` tell later whether any of it was taken away:\n\n```\n" + checkpoint + "```\n"
}

const mostNotices = 5

// signature returns sentences on the gate's decision, the commit, and the run.
func signature(t *PullReport) []string {
	var all []string
	if t.Review != nil {
		all = append(all, gateText(t))
	}
	by := "the job"
	if t.Run.url != "" {
		by = fmt.Sprintf("[run %d](%s)", t.Run.number, t.Run.url)
	}
	of := commitLink(t.Commit)
	if t.Relayed {
		return append(all, fmt.Sprintf("This is what the pull request's own run reported (%s, commit %s). It comes from a fork and was not computed again.", by, of))
	}
	all = append(all, fmt.Sprintf("Commit %s, %s.", of, by))
	if t.Review != nil {
		all = append(all, "[What the words mean]("+whatWordsMean+").")
	}
	if t.Page && t.Run.url != "" { // the id of an artifact is known only once this is written
		all = append(all, "To look it through with pictures, and play its runs: `redline.html` in the [artifacts of the run]("+t.Run.url+"#artifacts).")
	}
	return all
}

// whatWordsMean is the address of the table of verdicts on the page for counsel.
const whatWordsMean = "https://github.com/redlinehq/redline/blob/main/.github/docs/counsel.md#what-a-verdict-means"

// gateText returns a sentence on the gate's decision.
func gateText(t *PullReport) string {
	switch t.Review.Gate(t.On) {
	case finding.BadInput:
		return "**The check fails**: a contract is ill-formed."
	case finding.OutOfLimit:
		return "**The check fails**: not everything could be decided within the limits."
	case finding.Violations:
		return "**The check fails** until what is newly broken is settled."
	}
	if t.On == finding.FailNever {
		return "The check passes, since it is set to object to ill-formed contracts only."
	}
	return "The check passes."
}

// roll lists findings after lead, as many as there is room for.
func roll(lead string, all []*matter) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s: ", lead)
	for i, m := range all {
		name := escape.MarkdownCode(m.finding.Name) + " of " + escape.MarkdownCode(m.contract.Path)
		if b.Len()+len(name) > mostListed {
			fmt.Fprintf(&b, " and %d more", len(all)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String() + ".\n"
}
