package review

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// alices is a pull request of alice's, with a commit of hers and of dave's, that bob, who may, has approved.
func alices() *circumstances {
	return &circumstances{
		head: sha1st, author: "alice", reviews: []github.Review{{ID: 1, Author: "Bob", Person: true, State: approved, Commit: sha1st}},
		commits: []github.Commit{{SHA: sha1st, Hands: []github.Hand{{Login: "alice"}, {Login: "dave"}, {Login: "web-flow"}}}},
		writes:  map[string]bool{"alice": true, "bob": true, "carol": true, "dave": true, "eve": true, "robot[bot]": true},
		teams:   map[membership]member{{"@acme/legal", "bob"}: isMember, {"@acme/legal", "carol"}: noMember},
	}
}

func by(id int64, who, state, commit string) github.Review {
	return github.Review{ID: id, Author: who, Person: !strings.HasSuffix(who, "[bot]"), State: state, Commit: commit}
}

func TestApproval(t *testing.T) {
	const file = "sale/sale.contract.hcl"
	anyone := []fileApprovers{{file: file, anyone: true}}
	of := func(who ...string) fileApprovers { return fileApprovers{file: file, who: who} }
	for name, c := range map[string]struct {
		but   func(*circumstances)
		files []fileApprovers
		want  finding.AcceptanceState
		by    string // with blanks between
		needs string
		why   string
	}{
		"approved":                 {want: finding.ByApproval, by: "@Bob"},
		"nobody has reviewed":      {but: func(c *circumstances) { c.reviews = nil }},
		"commented afterwards":     {but: func(c *circumstances) { c.add("Bob", "COMMENTED", sha1st) }, want: finding.ByApproval, by: "@Bob"},
		"commented on an older":    {but: func(c *circumstances) { c.add("bob", "COMMENTED", sha2nd) }, want: finding.ByApproval, by: "@Bob"},
		"dismissed":                {but: func(c *circumstances) { c.reviews[0].State = "DISMISSED" }},
		"dismissed afterwards":     {but: func(c *circumstances) { c.add("bob", "DISMISSED", sha1st) }},
		"pushed since":             {but: func(c *circumstances) { c.head = sha2nd }, why: "@Bob approved commit 1111111, and the head is another now."},
		"not submitted afterwards": {but: func(c *circumstances) { c.add("bob", "PENDING", sha1st) }, want: finding.ByApproval, by: "@Bob"},
		"asked for changes, pushed since": {but: func(c *circumstances) { c.reviews = []github.Review{by(1, "Bob", changesRequested, sha2nd)} }, want: finding.Refused,
			why: "@Bob has asked for changes."},
		"asked for changes afterwards":  {but: func(c *circumstances) { c.add("bob", changesRequested, sha1st) }, want: finding.Refused, why: "@bob has asked for changes."},
		"asked for changes before":      {but: func(c *circumstances) { c.reviews = append(c.reviews, by(0, "bob", changesRequested, sha1st)) }, want: finding.ByApproval, by: "@Bob"},
		"another asks for changes":      {but: func(c *circumstances) { c.add("carol", changesRequested, sha1st) }, want: finding.ByApproval, by: "@Bob"},
		"a stranger asks for changes":   {but: func(c *circumstances) { c.reviews = []github.Review{by(1, "mallory", changesRequested, sha1st)} }},
		"two":                           {but: func(c *circumstances) { c.add("carol", approved, sha1st) }, want: finding.ByApproval, by: "@Bob @carol"},
		"the author":                    {but: func(c *circumstances) { c.reviews[0].Author = "ALICE" }, why: "@ALICE has opened the pull request."},
		"an author of a commit":         {but: func(c *circumstances) { c.reviews[0].Author = "Dave" }, why: "@Dave has had a hand in commit 1111111."},
		"a bot":                         {but: func(c *circumstances) { c.reviews[0] = by(1, "robot[bot]", approved, sha1st) }, why: "@robot[bot] is a bot."},
		"a stranger":                    {but: func(c *circumstances) { c.reviews[0].Author = "mallory" }, why: "@mallory may not write to the repository."},
		"a deleted account":             {but: func(c *circumstances) { c.reviews[0].Author = "" }},
		"not submitted":                 {but: func(c *circumstances) { c.reviews[0].State = "PENDING" }},
		"a deleted author":              {but: func(c *circumstances) { c.author = "" }, want: finding.ByApproval, by: "@Bob"},
		"a commit of nobody's":          {but: unknownHand, want: finding.Unreadable, why: `names "Bob <b@home>", which is no account's address`},
		"a commit of nobody's, and not": {but: func(c *circumstances) { unknownHand(c); c.reviews = nil }},

		"named":                      {files: []fileApprovers{of("@acme/other", "@BOB")}, want: finding.ByApproval, by: "@Bob", needs: "@BOB @acme/other"},
		"not named":                  {files: []fileApprovers{of("@carol")}, needs: "@carol", why: "@Bob is not among those who may approve for " + file},
		"in the team":                {files: []fileApprovers{of("@Acme/Legal")}, want: finding.ByApproval, by: "@Bob", needs: "@Acme/Legal"},
		"not in the team":            {but: func(c *circumstances) { c.reviews[0].Author = "carol" }, files: []fileApprovers{of("@acme/legal")}, needs: "@acme/legal", why: "not among those"},
		"a team that can't be read":  {files: []fileApprovers{of("@acme/secret")}, want: finding.Unreadable, needs: "@acme/secret", why: "'Members: read' of the organisation"},
		"unreadable, and refused":    {but: func(c *circumstances) { c.reviews[0].State = changesRequested }, files: []fileApprovers{of("@acme/secret")}, needs: "@acme/secret"},
		"unreadable, and a stranger": {but: func(c *circumstances) { c.reviews[0].Author = "mallory" }, files: []fileApprovers{of("@acme/secret")}, needs: "@acme/secret", why: "may not write"},
		"an address":                 {files: []fileApprovers{of("bob@acme.example")}, want: finding.Unreadable, needs: "bob@acme.example", why: "Name the login in its place"},
		"an address, and the login":  {files: []fileApprovers{of("bob@acme.example", "@bob")}, want: finding.ByApproval, by: "@Bob", needs: "@bob bob@acme.example"},
		"nobody is named":            {files: []fileApprovers{of()}, why: "Base names nobody for " + file},
		"moved, named for both":      {files: []fileApprovers{of("@bob", "@carol"), {file: "b", who: []string{"@bob"}}}, want: finding.ByApproval, by: "@Bob", needs: "@bob"},
		"moved, named for one":       {files: []fileApprovers{of("@bob"), {file: "b", who: []string{"@carol"}}}, why: "both for " + file + " (@bob) and for b (@carol)"},
		"moved, anyone for one":      {files: []fileApprovers{{file: "b", anyone: true}, of("@bob")}, want: finding.ByApproval, by: "@Bob", needs: "@bob"},
	} {
		t.Run(name, func(t *testing.T) {
			now := alices()
			if c.but != nil {
				c.but(now)
			}
			if c.files == nil {
				c.files = anyone
			}
			got := now.approval(c.files)
			if got.State != c.want || strings.Join(got.By, " ") != c.by || strings.Join(got.Needs, " ") != c.needs || got.Commit != now.head {
				t.Errorf("%+v", got)
			}
			if !strings.Contains(got.Why, c.why) || c.why == "" && got.Why != "" {
				t.Errorf("why: %q", got.Why)
			}
		})
	}
}

// TestApprovalReasons: the reasons are in the order of the logins. The first five are listed, and the others counted.
func TestApprovalReasons(t *testing.T) {
	for n, more := range map[int]string{1: "", 5: "", 6: " 1 more approvals do not count.", 9: " 4 more approvals do not count."} {
		c := alices()
		c.reviews = nil
		var reasons []string
		for i := range n {
			c.add(fmt.Sprintf("%c-stranger", "iHgFedCba"[9-n+i]), approved, sha1st)
			if who := "@" + c.reviews[i].Author; i >= n-5 {
				reasons = append([]string{who + " may not write to the repository."}, reasons...)
			}
		}
		if got, want := c.approval([]fileApprovers{{file: "a", anyone: true}}).Why, strings.Join(reasons, " ")+more; got != want {
			t.Errorf("%d approvals:\n%s\nwant\n%s", n, got, want)
		}
	}
}

func (c *circumstances) add(who, state, commit string) {
	c.reviews = append(c.reviews, by(int64(len(c.reviews)+1), who, state, commit))
}

func unknownHand(c *circumstances) {
	c.commits = append(c.commits, github.Commit{SHA: sha2nd, Hands: []github.Hand{{Name: "Bob", Email: "b@home"}}})
}
