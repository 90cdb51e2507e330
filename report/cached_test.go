package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/json"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// TestWhatIsCachedSaysSo: in every form, and nothing else of a report differs.
func TestWhatIsCachedSaysSo(t *testing.T) {
	told := func(cached bool) []string {
		r, alone := amendment(), sound()
		for i := range r.Contracts {
			r.Contracts[i].Cached = cached
		}
		alone.Cached = cached
		var b [4]bytes.Buffer
		for _, err := range []error{
			json.WriteReview(&b[0], r, "v1"), text.Review(&b[1], r, text.Style{}), json.WriteResults(&b[2], []*finding.Result{alone}, "v1"), text.Results(&b[3], []*finding.Result{alone}, text.Style{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if cached {
			validate(t, schemaOf(t, "review-v1.1.schema.json"), b[0].Bytes())
			validate(t, schemaOf(t, "check-v1.1.schema.json"), b[2].Bytes())
		}
		return []string{b[0].String(), b[1].String(), b[2].String(), b[3].String(), markdown.Review(r), markdown.Results([]*finding.Result{alone})}
	}
	without := func(s string) string {
		s = strings.Join(strings.Fields(s), " ")
		return strings.NewReplacer(" "+words.CachedNote(true), "", `, "cached": true`, "").Replace(s)
	}
	fresh, cached := told(false), told(true)
	for i := range fresh {
		if fresh[i] == cached[i] || without(cached[i]) != without(fresh[i]) {
			t.Errorf("%s\n\n%s", fresh[i], cached[i])
		}
	}
}
