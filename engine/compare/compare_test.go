package compare

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestStatus: what is well-formed is the same by its meaning; what is not, by its files and what is said of them.
func TestStatus(t *testing.T) {
	meaning := func(digest, text string) *compile.Draft {
		return &compile.Draft{Digest: digest, Source: &load.Source{Files: map[string][]byte{"a.contract.hcl": []byte(text)}}}
	}
	refused := func(text, summary, detail string) *compile.Draft {
		d := meaning("", text)
		d.Source.Diagnostics = hcl.Diagnostics{{Summary: summary, Detail: detail}}
		return d
	}
	for _, c := range []struct {
		name       string
		base, head *compile.Draft
		want       finding.Status
	}{
		{"new", nil, meaning("1", "a"), finding.Added},
		{"gone", meaning("1", "a"), nil, finding.Removed},
		{"the same text", meaning("1", "a"), meaning("1", "a"), finding.Same},
		{"another text", meaning("1", "a"), meaning("1", "b"), finding.Same},
		{"another meaning", meaning("1", "a"), meaning("2", "a"), finding.Changed},
		{"ill-formed", refused("a", "s", "d"), refused("a", "s", "d"), finding.Same},
		{"ill-formed now", meaning("1", "a"), refused("a", "s", "d"), finding.Changed},
		{"ill-formed, in another text", refused("a", "s", "d"), refused("b", "s", "d"), finding.Changed},
		{"ill-formed otherwise", refused("a", "s", "d"), refused("a", "r", "d"), finding.Changed},
		{"ill-formed in another file", refused("a", "s", "d"), refused("a", "s", "e"), finding.Changed},
	} {
		if got := Status(c.base, c.head); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestDefaults: a review lists the defaults that differ where a value is given from outside, in order of the variables.
func TestDefaults(t *testing.T) {
	of := func(overridden map[string]string) *compile.Draft {
		return &compile.Draft{Source: &load.Source{Overridden: overridden}}
	}
	base := of(map[string]string{"same": "1", "z": "1", "b": "1", "gone": "1", "unset": "", "a": "1"})
	head := of(map[string]string{"same": "1", "z": "2", "b": "2", "new": "1", "empty": "", "a": ""})
	var got []string
	for _, d := range defaults(base, head) {
		got = append(got, fmt.Sprintf("%s %q %q", d.Variable, d.Was, d.Now))
	}
	if said, want := strings.Join(got, ", "), `a "1" "", b "1" "2", gone "1" "", new "" "1", z "1" "2"`; said != want {
		t.Errorf("%s, want %s", said, want)
	}
	if list := append(defaults(nil, head), defaults(base, nil)...); len(list) > 0 {
		t.Errorf("of one version alone: %+v", list)
	}
	given := testkit.DraftOf(t, "contract \"c\" { title = \"Sale\" }\nparty \"a\" {}\nevent \"e\" { by = a }\n")
	given.Source.Overridden = map[string]string{"v": "1"}
	review, _ := Compared(t.Context(), testkit.DraftOf(t, "contract \"b\" { title = \"Loan\" }\nparty \"a\" {}\nevent \"e\" { by = a }\n"), given, finding.Budget{Jobs: 1})
	if len(review.Defaults) != 1 || review.Name != "c" || review.Title != "Sale" {
		t.Errorf("defaults %+v, name %q, title %q", review.Defaults, review.Name, review.Title)
	}
}

// TestUnusedCalendar: a calendar that no duration needs is a change of words where nothing else changes. What else the block says has a meaning.
func TestUnusedCalendar(t *testing.T) {
	text := func(says, title string) *compile.Draft {
		return testkit.DraftOf(t, "contract \"c\" {\n  "+says+"\n}\nparty \"a\" { title = \""+title+"\" }\nevent \"e\" { by = a }\n")
	}
	for _, c := range []struct {
		says, title string
		status      finding.Status
		want        string
	}{
		{"calendar = { month = \"30 days\" }", "A", finding.Same, "c"},
		{"calendar = { month = \"30 days\" }", "B", finding.Same, "a c"},
		{"start = \"2026-01-01\"", "B", finding.Changed, "a"},
		{"", "A", finding.Same, ""},
	} {
		review, _ := Compared(t.Context(), text("", "A"), text(c.says, c.title), finding.Budget{Jobs: 1})
		var names []string
		for _, change := range review.Reworded {
			names = append(names, change.Name)
		}
		if got := strings.Join(names, " "); review.Status != c.status || got != c.want {
			t.Errorf("%s, titled %s: %s, in other words %q, want %s, %q", c.says, c.title, review.Status, got, c.status, c.want)
		}
	}
}

// TestComparedInOneTick: versions that count time in different units are compared in one.
func TestComparedInOneTick(t *testing.T) {
	timed := func(calendar, within string) *compile.Draft {
		return testkit.DraftOf(t, "contract \"c\" { calendar = { month = \""+calendar+"\" } }\nparty \"s\" {}\nevent \"e\" { by = s }\nobligation \"o\" {\n  bearer = s\n  fulfil = e\n  within = \""+within+"\"\n}\n")
	}
	review, _ := Compared(t.Context(), timed("7 days", "2 months"), timed("7 days", "14 days"), finding.Budget{Jobs: 1, Owed: true})
	if len(review.Findings) > 0 || review.Difference == nil || !review.Difference.All.Same() {
		t.Errorf("%+v", review)
	}
}

// TestWhatIsComparedOfModels: states that differ in what one version alone has are counted as one, and where states are not listed the comparison says why.
func TestWhatIsComparedOfModels(t *testing.T) {
	base, head := testkit.DraftOf(t, losing("a.done", "", "x")), testkit.DraftOf(t, losing("a.done", testkit.Light, "x"))
	review, _ := Compared(t.Context(), base, head, finding.Budget{Jobs: 1})
	if !review.Difference.States.Merged {
		t.Errorf("%+v", review.Difference.States)
	}
	review, _ = Compared(t.Context(), base, head, finding.Budget{Jobs: 1, Engine: finding.Explicit, States: 2})
	if got := review.Difference.All.Reason; !strings.Contains(got, review.Base.Model.Incomplete) || review.Base.Model.Incomplete == "" {
		t.Errorf("%q, want %q", got, review.Base.Model.Incomplete)
	}
}
