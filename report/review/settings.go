package review

import (
	"bytes"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
)

// DraftSettings plans the output if settings are ill-formed, so that nothing was reviewed. Says is a sentence free of foreign text. Here
// reports that the settings are those of the files at hand, so annotations can have lines.
func DraftSettings(says string, found []finding.Diagnostic, here bool) Plan {
	var log bytes.Buffer
	_ = text.Diagnostics(&log, found, text.Style{Width: logWidth}) // a buffer returns no errors
	p := Plan{
		Status:  finding.BadInput,
		Failed:  true,
		Summary: "## ! redline: could not run\n\n" + says + "\n" + markdown.Diagnostics(found),
		Log:     "redline: " + says + "\n\n" + log.String(),
	}
	for _, a := range ofClass(found, codes.Error, illFormed) {
		if !here {
			a.Annotation = Annotation{Level: Error, title: a.title, message: a.message}
		}
		p.Annotations = append(p.Annotations, a.Annotation)
	}
	return p
}
