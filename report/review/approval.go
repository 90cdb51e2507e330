package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// circumstances has the data from GitHub that decide who has approved a commit.
type circumstances struct {
	head    string // the commit that has to be approved
	author  string // of the pull request
	reviews []github.Review
	commits []github.Commit

	writes map[string]bool       // may write to the repository, by login in lower case
	teams  map[membership]member // of the accounts that have reviewed
}

// A membership is an account and a team (@organisation/team), both in lower case.
type membership struct{ team, login string }

// A member says whether an account is a member of a team, if that is known.
type member uint8

const (
	unknownMember member = iota
	noMember
	isMember
)

// A fileApprovers lists who may approve changes of one file.
type fileApprovers struct {
	file   string
	anyone bool     // every account with write access: no approvers are configured
	who    []string // @login, @organisation/team, or the address of a code owner
}

// approval returns whether the acceptance of these files is approved, by whom, and otherwise why not. One approval is enough. It counts if
// it comes from a person with write access who did not contribute to the pull request, if their latest review other than a comment approves
// the head, and if base names them for each of the files.
func (c *circumstances) approval(files []fileApprovers) finding.Approval {
	a := finding.Approval{Commit: c.head}
	a.Needs, a.Why = needs(files)
	var unreadable, refused, others []string
	for _, r := range c.latest() {
		standing, why := c.countable(r, files)
		switch {
		case standing == counts && r.State == approved:
			a.By = append(a.By, "@"+r.Author)
		case standing == counts:
			refused = append(refused, "@"+r.Author+" has asked for changes.")
		case standing == unclear && r.State == approved:
			unreadable = append(unreadable, why)
		case r.State == approved:
			others = append(others, why)
		}
	}
	switch {
	case len(a.By) > 0:
		a.State, a.Why = finding.ByApproval, ""
	case len(unreadable) > 0:
		a.State, a.Why = finding.Unreadable, sentences(unreadable)
	case len(refused) > 0:
		a.State, a.Why = finding.Refused, sentences(refused)
	default:
		a.State, a.Why = finding.Pending, sentences(append(others, a.Why))
	}
	return a
}

const (
	approved         = "APPROVED"
	changesRequested = "CHANGES_REQUESTED"
	mostSentences    = 5
)

// sentences joins the first sentences, and counts the rest.
func sentences(all []string) string {
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	if n := len(all) - mostSentences; n > 0 {
		all = append(all[:mostSentences:mostSentences], fmt.Sprintf("%d more approvals do not count.", n))
	}
	return strings.Join(all, " ")
}

// latest returns each account's latest review other than a comment, if it approves or asks for changes. They are sorted by login.
func (c *circumstances) latest() []github.Review {
	latest := map[string]github.Review{}
	for _, r := range c.reviews {
		key := strings.ToLower(r.Author)
		if was, ok := latest[key]; r.State != "COMMENTED" && r.State != "PENDING" && key != "" && (!ok || r.ID > was.ID) {
			latest[key] = r
		}
	}
	var all []github.Review
	for _, r := range latest {
		if r.State == approved || r.State == changesRequested {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b github.Review) int {
		return strings.Compare(strings.ToLower(a.Author), strings.ToLower(b.Author))
	})
	return all
}

// A countable says whether a review counts.
type countable uint8

const (
	doesNot countable = iota
	unclear
	counts
)

// countable returns whether a review counts, and a sentence if it does not.
func (c *circumstances) countable(r github.Review, files []fileApprovers) (countable, string) {
	who := "@" + r.Author
	switch {
	case !r.Person:
		return doesNot, who + " is a bot."
	case r.State == approved && r.Commit != c.head:
		return doesNot, fmt.Sprintf("%s approved commit %.7s, and the head is another now.", who, r.Commit)
	case strings.EqualFold(r.Author, c.author):
		return doesNot, who + " has opened the pull request."
	case !c.writes[strings.ToLower(r.Author)]:
		return doesNot, who + " may not write to the repository."
	}
	unknown := ""
	for _, commit := range c.commits {
		for _, h := range commit.Hands {
			if strings.EqualFold(h.Login, r.Author) {
				return doesNot, fmt.Sprintf("%s has had a hand in commit %.7s.", who, commit.SHA)
			}
			if h.Login == "" && unknown == "" {
				unknown = fmt.Sprintf("%s has approved, and commit %.7s names %s, which is no account's address on GitHub, so it is not known whether that is %s. "+
					"Have that address added to an account, or make the commit with another.", who, commit.SHA, quoted(h), who)
			}
		}
	}
	for _, f := range files {
		if is, why := c.named(r.Author, f); is == doesNot {
			return doesNot, why
		} else if is == unclear && unknown == "" {
			unknown = why
		}
	}
	if unknown != "" {
		return unclear, unknown
	}
	return counts, ""
}

// quoted returns a contributor's name and address in quotation marks.
func quoted(h github.Hand) string {
	return fmt.Sprintf("%.80q", strings.TrimSpace(h.Name+" <"+h.Email+">"))
}

// named returns whether base names an account for a file, and a sentence if it does not or that is unclear.
func (c *circumstances) named(login string, f fileApprovers) (countable, string) {
	if f.anyone {
		return counts, ""
	}
	unknown := ""
	for _, who := range f.who {
		name, account := strings.CutPrefix(who, "@")
		switch {
		case !account:
			unknown = fmt.Sprintf("@%s has approved, and CODEOWNERS names an address for %s, %s: whose account that is, GitHub does not say. Name the login in its place.", login, f.file, who)
		case strings.EqualFold(name, login):
			return counts, ""
		case strings.Contains(name, "/"):
			switch c.teams[membership{strings.ToLower(who), strings.ToLower(login)}] {
			case isMember:
				return counts, ""
			case unknownMember:
				unknown = fmt.Sprintf("@%s has approved, and the token may not read whether @%s is in %s: it needs 'Members: read' of the organisation, which a job's token never has. "+
					"Give the input token one of an app, or name logins.", login, login, who)
			}
		}
	}
	if unknown != "" {
		return unclear, unknown
	}
	return doesNot, fmt.Sprintf("@%s is not among those who may approve for %s.", login, f.file)
}

// needs returns who may approve all of the files. If no name fits all, it returns a sentence that explains why.
func needs(files []fileApprovers) (who []string, why string) {
	limited := slices.DeleteFunc(slices.Clone(files), func(f fileApprovers) bool { return f.anyone })
	for i, f := range limited {
		if len(f.who) == 0 {
			return nil, fmt.Sprintf("Base names nobody for %s: name somebody in its settings (approvers) or in CODEOWNERS.", f.file)
		}
		if i == 0 {
			who = slices.Clone(f.who)
		}
		who = slices.DeleteFunc(who, func(w string) bool {
			return !slices.ContainsFunc(f.who, func(o string) bool { return strings.EqualFold(o, w) })
		})
	}
	if len(limited) > 0 && len(who) == 0 {
		return nil, fmt.Sprintf("It takes somebody who may approve both for %s (%s) and for %s (%s).",
			limited[0].file, strings.Join(limited[0].who, ", "), limited[1].file, strings.Join(limited[1].who, ", "))
	}
	slices.Sort(who)
	return slices.Compact(who), why
}
