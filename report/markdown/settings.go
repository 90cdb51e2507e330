package markdown

import (
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// Diagnostics writes the errors of a file that is not a contract as GitHub Markdown.
func Diagnostics(all []finding.Diagnostic) string {
	var b strings.Builder
	for _, d := range all[:min(len(all), words.MostRows)] {
		b.WriteString(diagnosticBlock(d))
	}
	if more := words.AndMore(len(all)-words.MostRows, "message"); more != "" {
		b.WriteString("\n" + more + "\n")
	}
	return b.String()
}
