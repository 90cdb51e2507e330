package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/text"
)

// TestManyWarningsOfACode: the first are written in full, and the others in a line each; errors are always written in full.
func TestManyWarningsOfACode(t *testing.T) {
	for class, want := range map[codes.Class]int{codes.Warning: 3, codes.Error: 8} {
		r := &finding.Result{Path: "c", Name: "c"}
		for i := range 8 {
			r.Diagnostics = append(r.Diagnostics, finding.Diagnostic{Class: class, Code: "state-never-reached", Message: fmt.Sprintf("S%d never comes about.", i)})
		}
		var b strings.Builder
		if err := text.Results(&b, []*finding.Result{r}, text.Style{Width: 100}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "more: redline explain"); got != want {
			t.Errorf("%d of them in full, want %d:\n%s", got, want, b.String())
		}
		for i := range 8 {
			if !strings.Contains(b.String(), fmt.Sprintf("S%d never comes about", i)) {
				t.Errorf("S%d is not there:\n%s", i, b.String())
			}
		}
		if class == codes.Warning && !strings.Contains(b.String(), "warning[state-never-reached]: 5 more like the above:") {
			t.Error(b.String())
		}
	}
}

// TestLongLeads: a text beside a long lead goes under it, and its words stay whole.
func TestLongLeads(t *testing.T) {
	name := strings.Repeat("n", 60)
	var b strings.Builder
	if err := text.Results(&b, []*finding.Result{{Path: "p", Name: name, Title: strings.Repeat("t", 70)}}, text.Style{Width: 100}); err != nil {
		t.Fatal(err)
	}
	if want := name + "\n    — " + strings.Repeat("t", 70) + " (p)\n"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("%s", b.String())
	}
}
