package markdown

import (
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/words"
)

// acceptPart returns, in a fold, the block that accepts a failed check.
func acceptPart(d *finding.Diagnostic) part {
	return part{run, fold(strings.TrimSuffix(words.WhereAccepted, ":"), escape.FencedLines(words.AcceptBlock(d)...))}
}

// guiltPart returns the changes that cause a violation.
func guiltPart(f *finding.Finding) []part {
	by := words.BroughtAbout(f, words.Markdown)
	if by == "" {
		return nil
	}
	return []part{{"", "\n" + by + "\n"}}
}

// repairParts returns the repairs of a violation, with the patches in folds.
func repairParts(all []finding.Repair) []part {
	var parts []part
	for i, r := range all[:min(len(all), words.MostRepairs)] {
		text := "\n" + [...]string{"**To mend it**: ", "**Or**: "}[min(i, 1)] + words.WithFullStop(escape.MarkdownText(r.What)) + [...]string{" Checked in full.", ""}[min(i, 1)] + "\n"
		if all, ok := words.Hunks(r.Edits); ok {
			text += fold("The text to apply", escape.FencedAs("diff", words.Patch(all)...))
		} else {
			text += "\n" + words.NoPatch + "\n"
		}
		parts = append(parts, part{repair, text})
	}
	return parts
}
