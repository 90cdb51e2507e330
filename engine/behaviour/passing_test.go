package behaviour_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
)

const disputed = `contract "c" {}
party "buyer" {
  state "content" {}
  state "disputing" { since = dispute }
}
party "platform" {}
event "deposit" { by = buyer }
event "dispute" {
  by     = buyer
  within = { deposit = 2 }
}
event "ruling" { by = platform }
event "refund" {
  after      = { deposit = 2 }
  only_while = buyer.content
}
obligation "rule" {
  bearer       = platform
  counterparty = buyer
  when         = dispute
  fulfil       = ruling
  within       = 2
}
`

// What happens by itself comes before time passes: a version that has to take it has no run on which time passes instead, so nothing is compared
// after one.
func TestTimeWaitsForWhatIsDue(t *testing.T) {
	refunded := strings.Replace(disputed, "  only_while = buyer.content\n", "", 1)
	for _, c := range [][2]string{{disputed, refunded}, {refunded, disputed}} {
		d := difference(t, c[0], c[1], finding.Budget{})
		waits := [2][]finding.Sequence{d.All.Possible, d.All.Impossible}[map[bool]int{true: 1}[c[0] == disputed]]
		if !slices.ContainsFunc(waits, func(s finding.Sequence) bool {
			return s.Refused == "time passes" && slices.Equal(s.Instead, []string{"refund"})
		}) {
			t.Errorf("no run ends with time that passes before the refund: %s", saying(d.All))
		}
		if len(d.All.Owed.Norms) > 0 {
			t.Errorf("%+v", d.All.Owed.Norms)
		}
	}
}

// Where all that can happen happens at once, time passes only with a clock that runs: no step is padded with time, and none is lost to it.
func TestNoTimeIsPaddedWhereAllHappens(t *testing.T) {
	const text = `contract "c" { firing = one }
party "a" {}
party "b" {}
event "go" { by = a }
event "reply" {
  by         = b
  only_while = answer.owed
}
event "no" {
  by         = b
  only_while = answer.owed
}
obligation "answer" {
  bearer = b
  when   = go
  fulfil = reply
  within = 2
}
`
	all := strings.Replace(text, "one", "all", 1)
	later := strings.Replace(all, "only_while = answer.owed\n}\nobligation", "only_while = answer.fulfilled\n}\nobligation", 1)
	if d := difference(t, text, all, finding.Budget{}); d.All.Relation != delta.Same || d.All.Owed.Relation != delta.Same {
		t.Errorf("no two steps meet, and it says %s", saying(d.All))
	}
	if got, want := saying(difference(t, all, later, finding.Budget{}).All), "more and less\n+go reply no\n-go no"; got != want {
		t.Errorf("it says %s; want %s", got, want)
	}
}
