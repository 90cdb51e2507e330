package engine_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// TestExamplesOfTheLanguageCheck: what the language page shows with a party of its own, and not as a mistake, passes the check as a contract.
func TestExamplesOfTheLanguageCheck(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../hclspec/README.md")
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for _, e := range regexp.MustCompile("(?ms)^```hcl\n(.*?)^```$").FindAllStringSubmatch(string(page), -1) {
		text := e[1]
		if !strings.Contains(text, "\nparty ") && !strings.HasPrefix(text, "party ") {
			continue
		}
		if !regexp.MustCompile(`(?m)^contract `).MatchString(text) {
			text += "contract \"c\" {}\n"
		}
		whole++
		var failed []string
		r := resultOf(t, text)
		for _, d := range r.Diagnostics {
			if d.Accepted == "" && (d.Class == codes.Error || d.Class == codes.Violation) {
				failed = append(failed, string(d.Code))
			}
		}
		for _, q := range r.Requirements {
			if q.Verdict != finding.Holds {
				failed = append(failed, q.Name)
			}
		}
		if len(failed) > 0 {
			t.Errorf("%v fails:\n%s", failed, text)
		}
	}
	if whole < 50 {
		t.Errorf("%d examples are whole contracts", whole)
	}
}
