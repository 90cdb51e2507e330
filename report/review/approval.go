package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
)

// Circumstances are what decides who has approved a commit: plain data, as GitHub had it.
type Circumstances struct {
	Head    string // the commit that has to be approved
	Author  string // of the pull request
	Reviews []github.Review
	Commits []github.Commit

	Writes map[string]bool       // may write to the repository, by login in lower case
	Teams  map[Membership]Member // of those who have reviewed
}

// A Membership is of an account in a team, as @organisation/team, both in lower case.
type Membership struct{ Team, Login string }

// A Member is one, is none, or is not known to be one.
type Member uint8

const (
	UnknownMember Member = iota
	NoMember
	IsMember
)

// Named are those who may approve what concerns one file.
type Named struct {
	File   string
	Anyone bool     // who may write: nothing says who may approve
	Who    []string // @login, @organisation/team, or the address of a code owner
}

// Approval decides whether a person has approved who may: no bot, with write access, who had no hand in the pull request, whose latest review
// other than a comment approves the head, and whom base names for each of the files. One such person is enough.
func (c *Circumstances) Approval(files []Named) finding.Approval {
	a := finding.Approval{Commit: c.Head}
	a.Needs, a.Why = needs(files)
	var unreadable, refused, others []string
	for _, r := range c.Latest() {
		standing, why := c.standing(r, files)
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

// sentences joins the first few.
func sentences(all []string) string {
	all = slices.DeleteFunc(all, func(s string) bool { return s == "" })
	if n := len(all) - mostSentences; n > 0 {
		all = append(all[:mostSentences:mostSentences], fmt.Sprintf("%d more approvals do not count.", n))
	}
	return strings.Join(all, " ")
}

// Latest returns each account's latest review other than a comment, where it approves or asks for changes, by login.
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

type countable uint8

const (
	doesNot countable = iota
	unclear
	counts
)

// standing says whether a review counts, and why not.
func (c *Circumstances) standing(r github.Review, files []Named) (countable, string) {
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

func quoted(h github.Hand) string {
	return fmt.Sprintf("%.80q", strings.TrimSpace(h.Name+" <"+h.Email+">"))
}

// named says whether base names an account for a file.
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

// needs returns who may approve for all of the files, as far as it can be said by names; else why not.
func needs(files []Named) (who []string, why string) {
	limited := slices.DeleteFunc(slices.Clone(files), func(f Named) bool { return f.Anyone })
	for i, f := range limited {
		if len(f.Who) == 0 {
			return nil, fmt.Sprintf("Base names nobody for %s: name somebody in its settings (approvers) or in CODEOWNERS.", f.File)
		}
		if i == 0 {
			who = slices.Clone(f.Who)
			continue
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
