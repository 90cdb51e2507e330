package escape_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/report/escape"
)

// TestRemarksAreWhole: a remark on a norm to which an amendment does many things is not cut: what it says last may be the worst.
func TestRemarksAreWhole(t *testing.T) {
	remark := strings.TrimSpace(strings.Repeat("The amendment lets it be used in more cases: by “acceleration”. ", 16))
	for _, got := range []string{escape.TerminalText(remark), escape.MarkdownText(remark), escape.HTMLText(remark)} {
		if strings.Contains(got, "…") {
			t.Errorf("%s", got)
		}
	}
}
