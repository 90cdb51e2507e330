package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
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
			JSONReview(&b[0], r, "v1"), TextReview(&b[1], r, Style{}), JSON(&b[2], []*engine.Result{alone}, "v1"), Text(&b[3], []*engine.Result{alone}, Style{}),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		if cached {
			validate(t, schemaOf(t, "review-v1.1.schema.json"), b[0].Bytes())
			validate(t, schemaOf(t, "check-v1.1.schema.json"), b[2].Bytes())
		}
		return []string{b[0].String(), b[1].String(), b[2].String(), b[3].String(), MarkdownReview(r), Markdown([]*engine.Result{alone})}
	}
	without := func(s string) string {
		s = strings.Join(strings.Fields(s), " ")
		return strings.NewReplacer(" "+cachedNote(true), "", `, "cached": true`, "").Replace(s)
	}
	fresh, cached := told(false), told(true)
	for i := range fresh {
		if fresh[i] == cached[i] || without(cached[i]) != without(fresh[i]) {
			t.Errorf("%s\n\n%s", fresh[i], cached[i])
		}
	}
}
