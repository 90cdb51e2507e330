package review

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// mostRemarks is the maximum number of open remarks on a pull request. The summary names the others.
const mostRemarks = 30

// DraftComments plans what to change on a pull request so that it shows the report, each text once. It has no side effects: the same
// arguments give the same plan, and after the plan is carried out the next plan is empty.
//
// A run whose commit is no longer the head of the pull request posts nothing: the run of the new head does. It only removes duplicates that
// two simultaneous runs have made.
func DraftComments(t *PullReport, there There) conversation {
	switch {
	case there.Me == "":
		return conversation{because: "it is not known as whom comments would be written: GitHub does not say it of this token, and several apps have written such comments here"}
	case there.Pull.State != "open":
		return conversation{because: "the pull request is closed"}
	case there.Pull.Head.SHA != t.Commit:
		return conversation{because: "the pull request has moved on since this run began, and its next run tells it", Summary: collapse(there), remove: doubled(there)}
	}
	c := conversation{remove: doubled(there)}
	if overtaken(t, there) {
		c.because, c.Summary = "a later run has told this head of the pull request", collapse(there)
		return c
	}
	left := &unremarked{}
	if t.Review != nil {
		c.Create, c.change = remarks(t, there, left)
	}
	c.Summary = sticky(t, there, *left)
	return c
}

// unremarked has the findings without a remark at a line: those over the limit, and those whose lines the pull request does not touch.
type unremarked struct{ over, nowhere []*matter }

// ours returns redline's own remarks with their markers, oldest first. Replies are left out.
func ours(there There) []ownRemark {
	var all []ownRemark
	for i := range there.remarks {
		r := &there.remarks[i]
		if m, text, ok := readRemarkMarker(r.Body); ok && r.Author == there.Me && r.InReplyTo == 0 {
			all = append(all, ownRemark{m, text, r})
		}
	}
	slices.SortFunc(all, func(a, b ownRemark) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// likelyMe returns the account that a token writes as, if GitHub does not say: the one app whose comments begin with redline's markers. If
// there is none, it is that of a job's token. If there are several, it returns "".
func (t There) likelyMe() string {
	found := map[string]bool{}
	for _, c := range t.comments {
		if _, ok := readSummaryMarker(c.Body); ok {
			found[c.Author] = true
		}
	}
	for _, r := range t.remarks {
		if _, _, ok := readRemarkMarker(r.Body); ok && r.InReplyTo == 0 {
			found[r.Author] = true
		}
	}
	maps.DeleteFunc(found, func(name string, _ bool) bool { return !strings.HasSuffix(name, "[bot]") })
	switch apps := slices.Collect(maps.Keys(found)); len(apps) {
	case 0:
		return github.ActionsBot
	case 1:
		return apps[0]
	}
	return ""
}

// An ownRemark is a remark of redline with its marker and the text below that.
type ownRemark struct {
	remarkMarker
	text string
	*github.ReviewComment
}

// first removes duplicates from redline's remarks. It keeps the oldest of each.
func first(all []ownRemark) []ownRemark {
	seen := map[string]bool{}
	return slices.DeleteFunc(slices.Clone(all), func(r ownRemark) bool {
		again := seen[r.id]
		seen[r.id] = true
		return again
	})
}

// doubled returns the remarks that repeat an older one.
func doubled(there There) []duplicate {
	answered := map[int64]bool{}
	for _, r := range there.remarks {
		answered[r.InReplyTo] = true
	}
	oldest := map[string]int64{}
	var all []duplicate
	for _, r := range ours(there) {
		if of, again := oldest[r.id]; again {
			all = append(all, duplicate{r.ID, of, r.Node, answered[r.ID]})
			continue
		}
		oldest[r.id] = r.ID
	}
	return all
}

// remarks plans new remarks at lines, and changes of the existing ones.
func remarks(t *PullReport, there There, left *unremarked) (create []remarkPlan, change []change) {
	docket, where := docketOf(t), anchorsOf(t.Merged, t.Head, there.Files)
	open, has := 0, map[string]bool{}
	for _, r := range first(ours(there)) {
		has[r.id] = true
		fate := docket.fate(r.id)
		if fate == caused || fate == unsettled && r.state != "closed" {
			open++
		}
		if c, ok := changeOf(t, r, fate, docket.matters[r.id], where); ok {
			change = append(change, c)
		}
	}
	for _, m := range charges(t.Review) {
		if id := m.identity.String(); there.made[id] && !has[id] {
			open++
		} else if !has[id] && t.Talk.Inline {
			if open >= mostRemarks {
				left.over = append(left.over, m)
				continue
			}
			at := where.anchors(m.finding, promised(m), t.Talk.Suggestions)
			if n := there.refused[id]; n < len(at) {
				create = append(create, newRemark(id, m.finding, at[n]))
				open++
			} else {
				left.nowhere = append(left.nowhere, m)
			}
		}
	}
	return create, change
}

// charges returns the findings that need a remark, most important first.
func charges(r *finding.Review) []*matter {
	var all []*matter
	for i := range r.Contracts {
		for _, m := range matters(&r.Contracts[i]) {
			if m.fate == caused {
				all = append(all, &m)
			}
		}
	}
	weight := func(m *matter) int {
		rank, _ := rankOf(*m.finding, finding.FailNew)
		return rank
	}
	slices.SortStableFunc(all, func(a, b *matter) int { return cmp.Compare(weight(a), weight(b)) })
	return all
}

// newRemark plans a remark at an anchor.
func newRemark(id string, f *finding.Finding, at anchor) remarkPlan {
	c := github.NewComment{Path: at.path, Line: at.last, Body: remarkText(remarkMarker{id: id, state: "open"}, f, at.suggestion)}
	if at.first != at.last {
		c.StartLine = at.first
	}
	return remarkPlan{id, c}
}

// changeOf plans the change of an existing remark. It reports false if there is none.
func changeOf(t *PullReport, r ownRemark, is fate, m *matter, where anchors) (change, bool) {
	c := change{id: r.ID, thread: r.Thread}
	switch {
	case is == unsettled, is != caused && r.state == "closed":
		return c, false
	case is != caused:
		c.body, c.resolve = closedText(r.id, r.text, t.Commit, is), !r.Resolved
		return c, true
	case r.state == "closed":
		c.body, c.reopen = remarkText(remarkMarker{r.id, "back", t.Commit}, m.finding, ""), r.Resolved
		return c, true
	}
	c.body = remarkText(r.remarkMarker, m.finding, stillThere(t, r, m, where))
	return c, !alike(c.body, r.Body)
}

// stillThere returns the suggestion of a remark whose place is still right, or "". A remark cannot be moved.
func stillThere(t *PullReport, r ownRemark, m *matter, where anchors) string {
	if !t.Talk.Suggestions || r.Outdated {
		return ""
	}
	for _, at := range where.suggested(m.finding.Repairs) {
		if begun := remarkText(r.remarkMarker, m.finding, at.suggestion); at.path == r.Path && at.last == r.Line && alike(begun, r.Body) {
			return at.suggestion
		}
	}
	return ""
}

// sticky plans the summary comment. It plans none until there is something to say.
func sticky(t *PullReport, there There, left unremarked) summaryPlan {
	all := summaries(there)
	if len(all) == 0 && !(t.Talk.Summary && t.Worth()) {
		return summaryPlan{}
	}
	s := summaryPlan{Body: summaryText(t, left)}
	if len(all) == 0 {
		return s
	}
	s.id = all[0].ID
	if alike(s.Body, all[0].Body) {
		s.Body = ""
	}
	for _, other := range all[1:] {
		s.remove = append(s.remove, other.ID)
	}
	return s
}

// Worth reports whether a first summary comment is worthwhile: the meaning of a contract changes, or something needs an answer.
func (t *PullReport) Worth() bool {
	if t.Review == nil {
		return false
	}
	changes := slices.ContainsFunc(t.Review.Contracts, func(c finding.ContractReview) bool { return c.Status != finding.Same || len(c.Defaults) > 0 })
	return changes || t.Review.Gate(t.On) != finding.Clean || len(charges(t.Review)) > 0
}

// marker returns the marker of this run.
func (t *PullReport) marker() summaryMarker {
	return summaryMarker{t.Commit, t.Run.number, t.Run.Attempt}
}

// overtaken reports whether a later run has posted already.
func overtaken(t *PullReport, there There) bool {
	best := newest(summaries(there), there.Pull.Head.SHA)
	return best != nil && best.summaryMarker.after(t.marker(), there.Pull.Head.SHA)
}

// An ownSummary is a summary comment of redline with its marker.
type ownSummary struct {
	summaryMarker
	*github.Comment
}

// summaries returns redline's own summary comments, oldest first.
func summaries(there There) []ownSummary {
	var all []ownSummary
	for i := range there.comments {
		c := &there.comments[i]
		if m, ok := readSummaryMarker(c.Body); ok && c.Author == there.Me {
			all = append(all, ownSummary{m, c})
		}
	}
	slices.SortFunc(all, func(a, b ownSummary) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// newest returns the summary of the latest run, the last of several, or nil.
func newest(all []ownSummary, head string) *ownSummary {
	var best *ownSummary
	for i := range all {
		if best == nil || !best.summaryMarker.after(all[i].summaryMarker, head) {
			best = &all[i]
		}
	}
	return best
}

// collapse plans to keep the oldest of several summaries, with the text of the newest. Every run keeps the same one, so two runs at once do
// not remove each other's.
func collapse(there There) summaryPlan {
	all := summaries(there)
	if len(all) < 2 {
		return summaryPlan{}
	}
	s := summaryPlan{id: all[0].ID}
	if best := newest(all, there.Pull.Head.SHA); best.ID != s.id && !alike(best.Body, all[0].Body) {
		s.Body = best.Body
	}
	for _, other := range all[1:] {
		s.remove = append(s.remove, other.ID)
	}
	return s
}
