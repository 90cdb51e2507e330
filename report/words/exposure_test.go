package words_test

import (
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// TestStuckAfter: a step after which an exposure can't end any more is not said to end it, unless it is said that it does so elsewhere.
func TestStuckAfter(t *testing.T) {
	e := finding.Exposure{Base: &finding.Exposed{States: 1, Of: 4, To: []string{"payment"}, Stuck: []string{"storm"}}, Head: &finding.Exposed{States: 2, Of: 4, To: []string{"payment", "cancellation"}}}
	for _, c := range []struct {
		stuck []string
		want  string
	}{
		{nil, "it may stay so for ever"},
		{[]string{"insolvency"}, "it may stay so for ever, as after “insolvency”"},
		{[]string{"cancellation"}, "it may stay so for ever, in some situations after “cancellation”, which ends it in others"},
		{[]string{"cancellation", "insolvency"}, "it may stay so for ever, as after “insolvency”, or in some situations after “cancellation”, which ends it in others"},
	} {
		e.Head.Stuck = c.stuck
		if _, now := words.HowLong(&e, words.Terminal); now != c.want {
			t.Errorf("%v: %s, expected %s", c.stuck, now, c.want)
		}
	}
}
