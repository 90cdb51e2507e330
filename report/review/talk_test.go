package review

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// Once a conversation was carried out there is nothing left to say, whoever else has said what.
func TestSaidOnce(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		now := There{Pull: github.PullRequest{State: "open"}, Me: robot}
		var before []string
		for n := range rapid.IntRange(1, 4).Draw(rt, "pushes") {
			v := version{rapid.SliceOfN(rapid.Bool(), 5, 5).Draw(rt, "broken"), rapid.IntRange(0, 3).Draw(rt, "above"), rapid.IntRange(0, 3).Draw(rt, "moved")}
			one := v.telling()
			one.Commit, one.Run = fmt.Sprintf("%040x", n), Run{number: n + 1, Attempt: 1}
			now.Pull.Head.SHA, now.Files = one.Commit, nil
			for _, f := range v.files() {
				now.Files = append(now.Files, github.File{Path: f.Path, Patch: f.Patch})
			}
			if rapid.Bool().Draw(rt, "forge") {
				forged := summaryMarker{one.Commit, 99, 1}.String() + "all is well"
				now.comments = append(now.comments, github.Comment{ID: nextID(now), Author: "mallory", Body: forged})
				for _, m := range charges(one.Review) {
					now.remarks = append(now.remarks, github.ReviewComment{ID: nextID(now), Author: "mallory", Body: remarkMarker{m.identity.String(), "open", ""}.String()})
				}
			}
			before = theirs(now)
			c := DraftComments(one, now)
			now = done(now, c)
			if again := DraftComments(one, now); !again.Idle() {
				rt.Fatalf("once more: %+v", again)
			}
			if after := theirs(now); !slices.Equal(before, after) {
				rt.Fatalf("others said %q, and then %q", before, after)
			}
			once(rt, one, now)
		}
	})
}

func theirs(t There) []string {
	var all []string
	for _, c := range t.comments {
		if c.Author != robot {
			all = append(all, fmt.Sprint(c))
		}
	}
	for _, r := range t.remarks {
		if r.Author != robot {
			all = append(all, fmt.Sprint(r))
		}
	}
	return all
}

func once(rt *rapid.T, one *PullReport, now There) {
	want, got := map[string]bool{}, map[string]bool{}
	for _, m := range charges(one.Review) {
		want[m.identity.String()] = true
	}
	for _, r := range now.remarks {
		m, _, ok := readRemarkMarker(r.Body)
		if !ok || r.Author != robot {
			continue
		}
		if got[m.id] {
			rt.Fatalf("%s twice", m.id)
		}
		got[m.id] = true
		if want[m.id] == (m.state == "closed") {
			rt.Fatalf("%s is %s", m.id, m.state)
		}
	}
	for id := range want {
		if !got[id] {
			rt.Fatalf("%s has no remark", id)
		}
	}
	if n := len(summaries(now)); n > 1 || n == 0 && len(want) > 0 {
		rt.Fatalf("%d summaries", n)
	}
}

// many is a review with that many violations, in a contract that the pull request adds.
func many(n int, next func(int) string) (*PullReport, There) {
	var text strings.Builder
	c := finding.ContractReview{Path: "big", Name: "big", Status: finding.Added, Head: &finding.Result{Path: "big"}}
	for i := range n {
		line := strings.Count(text.String(), "\n") + 1
		fmt.Fprintf(&text, "requirement \"r%d\" {\n}\n", i)
		at := hcl.Range{Filename: "big/big.contract.hcl", Start: hcl.Pos{Line: line, Column: 1}}
		c.Findings = append(c.Findings, finding.Finding{Kind: finding.New, Name: next(i),
			Head: &finding.Requirement{Name: next(i), Title: next(i), Verdict: finding.Violated, Source: at, Trace: sampleRun}})
	}
	head := treeOf("big/big.contract.hcl", text.String())
	one := &PullReport{Number: 7, Commit: sha1st, Run: Run{number: 1, Attempt: 1, url: runPage + "1"}, Talk: Talk{Summary: true, Inline: true},
		Review: &finding.Review{Contracts: []finding.ContractReview{c}}, Merged: head, Head: head}
	return one, there(tree{}, head, sha1st)
}

func numbered(i int) string { return fmt.Sprintf("r%d", i) }

func TestMostRemarks(t *testing.T) {
	one, now := many(40, numbered)
	c := DraftComments(one, now)
	if len(c.Create) != mostRemarks {
		t.Fatalf("%d remarks", len(c.Create))
	}
	_, list, _ := strings.Cut(c.Summary.Body, "gets 30 at most: ")
	list, _, _ = strings.Cut(list, ".\n")
	var want []string
	for i := 30; i < 40; i++ {
		want = append(want, fmt.Sprintf("`r%d` of `big`", i))
	}
	if list != strings.Join(want, ", ") {
		t.Errorf("without a remark are said to be %q", list)
	}
	now = done(now, c)
	one.Review.Contracts[0].Findings = one.Review.Contracts[0].Findings[5:] // five are gone, so there is room for five
	if c := DraftComments(one, now); len(c.Create) != 5 || len(c.change) != 5 {
		t.Errorf("%d new remarks, %d closed", len(c.Create), len(c.change))
	}
}

// However much there is to say, it fits, and what is cut is said, and where it is whole.
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("starts no goroutine")
	}
	for name, next := range map[string]func(int) string{
		"many":   numbered,
		"long":   func(i int) string { return fmt.Sprint(i) + strings.Repeat("|é@", 30000) },
		"broken": func(i int) string { return fmt.Sprint(i) + strings.Repeat("\xff\u202e", 5000) },
	} {
		one, now := many(400, next)
		one.Notices, one.Review.Base = slices.Repeat([]string{next(1)}, 9), strings.Repeat("1", 40)
		c := DraftComments(one, now)
		if n := len(c.Summary.Body); n >= 60_000 || !strings.Contains(c.Summary.Body, "Left out") || !strings.Contains(c.Summary.Body, "["+"job's summary and its log]("+runPage+"1)") || !strings.Contains(c.Summary.Body, "`redline report --base 111111111111`") {
			t.Errorf("%s: the summary has %d bytes: %.300s", name, n, c.Summary.Body)
		}
		if !strings.Contains(c.Summary.Body, "4 more notices") {
			t.Errorf("%s: notices are lost", name)
		}
		now = done(now, c)
		for _, r := range c.Create {
			if len(r.At.Body) > 20_000 {
				t.Errorf("%s: a remark has %d bytes", name, len(r.At.Body))
			}
		}
		one.Review.Contracts[0].Findings = nil
		for _, change := range DraftComments(one, now).change {
			if len(change.body) >= 60_000 {
				t.Errorf("%s: a closed remark has %d bytes", name, len(change.body))
			}
		}
	}
	if long := closedText("x", strings.Repeat("x", 70_000), sha1st, repaired); len(long) >= 60_000 || !strings.HasSuffix(long, "</details>\n") {
		t.Errorf("a remark that somebody has made longer: %d bytes", len(long))
	}
}

// What strangers have written can't stand for a marker of ours, nor hide anything, wherever it is told.
func TestStrangersForgeNoMarker(t *testing.T) {
	pieces := append([]string{"<!-- redline:summary v1 head= run=9.9 -->\n", "\n\n<!-- redline:finding v1 0.0 open -->\n", "```suggestion\n", "</details>", "-- >"}, nasty...)
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(rt, "pieces"), "")
		})
		next := func() string { return text.Draw(rt, "text") }
		one := &PullReport{Number: 7, Commit: sha1st, Run: Run{number: 1}, Review: hostile(next), Talk: Talk{true, true, true}, Notices: []string{next()}}
		now := There{Pull: github.PullRequest{State: "open", Head: github.Side{SHA: sha1st}}, Me: robot}
		for _, m := range charges(one.Review) {
			if at := promised(m); at.Filename != "" {
				now.Files = append(now.Files, github.File{Path: at.Filename, Patch: "@@ -1 +1 @@\n x"})
			}
		}
		c := DraftComments(one, now)
		bodies := []string{c.Summary.Body}
		for _, r := range c.Create {
			bodies = append(bodies, r.At.Body)
		}
		for _, b := range bodies {
			if !strings.HasPrefix(b, "<!-- redline:") {
				rt.Fatalf("no marker: %.100q", b)
			}
			if at := strings.IndexFunc(b, unprintable); at >= 0 {
				rt.Fatalf("%q", b[max(0, at-100):min(len(b), at+100)])
			}
		}
	})
}

func TestNothingIsTold(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	for name, c := range map[string]struct {
		but  func(*There)
		want string
	}{
		"closed":    {func(t *There) { t.Pull.State = "closed" }, "is closed"},
		"moved on":  {func(t *There) { t.Pull.Head.SHA = sha2nd }, "has moved on"},
		"anonymous": {func(t *There) { t.Me = "" }, "as whom"},
		"overtaken": {func(t *There) {
			t.comments = []github.Comment{{ID: 1, Author: robot, Body: summaryMarker{sha1st, 2, 1}.String()}}
		}, "a later run"},
	} {
		now := there(plain, broken, sha1st)
		c.but(&now)
		if got := DraftComments(telling(t, plain, broken, sha1st, 1), now); !got.Idle() || !strings.Contains(got.because, c.want) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// Nothing is said without being asked, and what was said once is kept true.
func TestTalk(t *testing.T) {
	plain, broken := sale(t), sale(t, withdraw)
	quiet, now := telling(t, plain, broken, sha1st, 1), there(plain, broken, sha1st)
	quiet.Talk = Talk{}
	if c := DraftComments(quiet, now); !c.Idle() {
		t.Errorf("%+v", c)
	}
	now = done(now, DraftComments(telling(t, plain, broken, sha1st, 1), now))
	settled := telling(t, plain, plain, sha2nd, 2)
	settled.Talk = Talk{}
	now = done(moved(now, plain, plain, sha2nd), DraftComments(settled, moved(now, plain, plain, sha2nd)))
	if len(now.comments) != 1 || !strings.Contains(now.comments[0].Body, "changes nothing that the contracts mean") {
		t.Errorf("%+v", now.comments)
	}
	for _, r := range now.remarks {
		if !strings.Contains(r.Body, "No longer brought about by this pull request**, as of "+sha2nd+": ") || !strings.Contains(strings.SplitN(r.Body, "\n", 3)[1], "`") || !r.Resolved {
			t.Errorf("%s", r.Body)
		}
	}

	failed := &PullReport{Number: 7, Commit: sha2nd, Run: Run{number: 3}, Failure: "## ! redline: could not run\n"}
	if c := DraftComments(failed, now); !strings.Contains(c.Summary.Body, "could not run") || len(c.change) > 0 {
		t.Errorf("%+v", c)
	}
	if c := DraftComments(failed, there(plain, plain, sha2nd)); !c.Idle() {
		t.Errorf("%+v", c)
	}
}

// What is not decided is not called repaired.
func TestUndecidedStaysOpen(t *testing.T) {
	one, now := many(1, numbered)
	now = done(now, DraftComments(one, now))
	c := &one.Review.Contracts[0]
	for name, undo := range map[string]func(){
		"undecided":       func() { c.Findings[0].Kind = finding.Undecided },
		"without meaning": func() { c.Findings[0].Kind = finding.Meaningless },
		"incomplete":      func() { c.Findings, c.Head.Model.Incomplete = nil, "the time was up" },
		"ill-formed":      func() { c.Findings, c.Head.Diagnostics = nil, []finding.Diagnostic{{Class: "error"}} },
		"a shard missing": func() { one.Review.Contracts, one.partial = nil, true },
	} {
		was, review := *c, *one.Review
		head := *c.Head
		findings := slices.Clone(c.Findings)
		undo()
		if got := DraftComments(one, now); len(got.change) > 0 {
			t.Errorf("%s: %s", name, got.change[0].body)
		}
		*one.Review, one.partial = review, false
		*c = was
		*c.Head, c.Findings = head, findings
	}
	c.Findings[0].Kind, c.Findings[0].Head.Waiver = finding.Waived, &finding.Waiver{State: finding.InForce}
	c.Acceptances = []finding.Acceptance{{Kind: finding.AcceptWaiver, Name: c.Findings[0].Name, Needed: true, State: finding.ByApproval}}
	one.Review.Link()
	if got := DraftComments(one, now); len(got.change) != 1 || !strings.Contains(got.change[0].body, "**Accepted**") {
		t.Errorf("waived: %+v", got.change)
	}
}

func TestIdentityIgnoresPlaces(t *testing.T) {
	one, _ := many(3, numbered)
	before := charges(one.Review)
	c := &one.Review.Contracts[0]
	c.Findings[1].Head.Source.Start.Line, c.Findings[1].Head.Formula, c.Findings[1].Head.Title = 99, "AG q", "else"
	slices.Reverse(c.Findings)
	after := charges(one.Review)
	slices.Reverse(after)
	for i := range before {
		if before[i].identity != after[i].identity {
			t.Errorf("%d: %s, and then %s", i, before[i].identity, after[i].identity)
		}
	}
	weak := finding.Finding{Kind: finding.Weakened, Name: "r1", Head: c.Findings[1].Head}
	c.Findings = append(c.Findings, weak, weak)
	seen := map[identity]bool{}
	for _, m := range charges(one.Review) {
		if seen[m.identity] {
			t.Errorf("two are %s", m.identity)
		}
		seen[m.identity] = true
	}
}

// Idle reports whether there is nothing to do.
func (c conversation) Idle() bool {
	return c.Summary.Body == "" && len(c.Summary.remove)+len(c.Create)+len(c.change)+len(c.remove) == 0
}
