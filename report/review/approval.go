package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// Circumstances has the data from GitHub that decide who has approved a commit.
type Circumstances struct {
	Head    string // the commit that has to be approved
	Author  string // of the pull request
	Reviews []github.Review
	Commits []github.Commit

	Writes map[string]bool       // may write to the repository, by login in lower case
	Teams  map[Membership]Member // of the accounts that have reviewed
}

// A Membership is an account and a team (@organisation/team), both in lower case.
type Membership struct{ Team, Login string }

// A Member says whether an account is a member of a team, if that is known.
type Member uint8

const (
	UnknownMember Member = iota
	NoMember
	IsMember
)

// A Named lists who may approve changes of one file.
type Named struct {
	File   string
	Anyone bool     // every account with write access: no approvers are configured
	Who    []string // @login, @organisation/team, or the address of a code owner
}

// Approval returns whether the acceptance of these files is approved, by whom, and otherwise why not. One approval is enough. It counts if
// it comes from a person with write access who did not contribute to the pull request, if their latest review other than a comment approves
// the head, and if base names them for each of the files.
func (c *Circumstances) Approval(files []Named) finding.Approval {
	a := finding.Approval{Commit: c.Head}
	a.Needs, a.Why = needs(files)
	var unreadable, refused, others []string
	for _, r := range c.Latest() {
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

// Latest returns each account's latest review other than a comment, if it approves or asks for changes. They are sorted by login.
func (c *Circumstances) Latest() []github.Review {
	latest := map[string]github.Review{}
	for _, r := range c.Reviews {
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
func (c *Circumstances) countable(r github.Review, files []Named) (countable, string) {
	who := "@" + r.Author
	switch {
	case !r.Person:
		return doesNot, who + " is a bot."
	case r.State == approved && r.Commit != c.Head:
		return doesNot, fmt.Sprintf("%s approved commit %.7s, and the head is another now.", who, r.Commit)
	case strings.EqualFold(r.Author, c.Author):
		return doesNot, who + " has opened the pull request."
	case !c.Writes[strings.ToLower(r.Author)]:
		return doesNot, who + " may not write to the repository."
	}
	unknown := ""
	for _, commit := range c.Commits {
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
func (c *Circumstances) named(login string, f Named) (countable, string) {
	if f.Anyone {
		return counts, ""
	}
	unknown := ""
	for _, who := range f.Who {
		name, account := strings.CutPrefix(who, "@")
		switch {
		case !account:
			unknown = fmt.Sprintf("@%s has approved, and CODEOWNERS names an address for %s, %s: whose account that is, GitHub does not say. Name the login in its place.", login, f.File, who)
		case strings.EqualFold(name, login):
			return counts, ""
		case strings.Contains(name, "/"):
			switch c.Teams[Membership{strings.ToLower(who), strings.ToLower(login)}] {
			case IsMember:
				return counts, ""
			case UnknownMember:
				unknown = fmt.Sprintf("@%s has approved, and the token may not read whether @%s is in %s: it needs 'Members: read' of the organisation, which a job's token never has. "+
					"Give the input token one of an app, or name logins.", login, login, who)
			}
		}
	}
	if unknown != "" {
		return unclear, unknown
	}
	return doesNot, fmt.Sprintf("@%s is not among those who may approve for %s.", login, f.File)
}

// needs returns who may approve all of the files. If no name fits all, it returns a sentence that explains why.
func needs(files []Named) (who []string, why string) {
	limited := slices.DeleteFunc(slices.Clone(files), func(f Named) bool { return f.Anyone })
	for i, f := range limited {
		if len(f.Who) == 0 {
			return nil, fmt.Sprintf("Base names nobody for %s: name somebody in its settings (approvers) or in CODEOWNERS.", f.File)
		}
		if i == 0 {
			who = slices.Clone(f.Who)
		}
		who = slices.DeleteFunc(who, func(w string) bool {
			return !slices.ContainsFunc(f.Who, func(o string) bool { return strings.EqualFold(o, w) })
		})
	}
	if len(limited) > 0 && len(who) == 0 {
		return nil, fmt.Sprintf("It takes somebody who may approve both for %s (%s) and for %s (%s).",
			limited[0].File, strings.Join(limited[0].Who, ", "), limited[1].File, strings.Join(limited[1].Who, ", "))
	}
	slices.Sort(who)
	return slices.Compact(who), why
}
