package github

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	gh "github.com/google/go-github/v60/github"
)

// A Review is a review of a pull request in its present state. A dismissed one keeps its ID.
type Review struct {
	ID     int64
	Author string // empty: the account was deleted
	Person bool   // not a bot
	State  string // APPROVED, CHANGES_REQUESTED, COMMENTED, DISMISSED or PENDING
	Commit string // the commit that was reviewed; empty: it no longer exists
}

// Reviews returns a pull request's reviews, oldest first.
func (c *Client) Reviews(ctx context.Context, n int) ([]Review, error) {
	return pages(ctx, "reviews", (*gh.PullRequestReview).GetID, reviewOf, func(o gh.ListOptions) ([]*gh.PullRequestReview, *gh.Response, error) {
		return c.rest.PullRequests.ListReviews(ctx, c.owner, c.name, n, &o)
	})
}

// Review returns one review. A list of them may be older.
func (c *Client) Review(ctx context.Context, n int, id int64) (Review, error) {
	found, _, err := c.rest.PullRequests.GetReview(ctx, c.owner, c.name, n, id)
	return reviewOf(found), plain(ctx, err)
}

func reviewOf(r *gh.PullRequestReview) Review {
	return Review{r.GetID(), r.GetUser().GetLogin(), r.GetUser().GetType() == "User", r.GetState(), r.GetCommitID()}
}

// MayWrite reports whether an account may write to the repository. Any token may ask this.
func (c *Client) MayWrite(ctx context.Context, login string) (bool, error) {
	level, _, err := c.rest.Repositories.GetPermissionLevel(ctx, c.owner, c.name, login)
	if errors.As(err, new(NotFound)) { // there is no such account, or the repository does not know it
		return false, nil
	}
	return level.GetPermission() == "admin" || level.GetPermission() == "write", plain(ctx, err)
}

// InTeam reports whether an account is in an organisation's team. It returns an error if the token may not ask, as for a job's token.
func (c *Client) InTeam(ctx context.Context, organisation, team, login string) (bool, error) {
	found, _, err := c.rest.Teams.GetTeamMembershipBySlug(ctx, organisation, team, login)
	if errors.As(err, new(NotFound)) { // not a member, or the token may not ask: whether it can see the team decides
		_, _, err = c.rest.Teams.GetTeamBySlug(ctx, organisation, team)
		return false, plain(ctx, err)
	}
	return err == nil && found.GetState() == "active", plain(ctx, err)
}

// authorship has the people who made a pull request.
type authorship struct {
	Head    string // the head at the time of the request
	Author  string // of the pull request; empty: the account was deleted
	Commits []Commit
}

// A Commit is a commit of a pull request, with everyone it names: its author, its committer and its co-authors.
type Commit struct {
	SHA   string
	Hands []Hand
}

// A Hand is a person as a commit names them.
type Hand struct {
	Login       string // empty: GitHub has no account with this address
	Name, Email string
}

// mostHands bounds the authors of one commit that are read.
const mostHands = 100

const listCommits = `query($owner:String!,$name:String!,$number:Int!,$after:String){
repository(owner:$owner,name:$name){pullRequest(number:$number){headRefOid author{login} commits(first:100,after:$after){
totalCount pageInfo{hasNextPage endCursor} nodes{commit{oid message committer{name email user{login}}
authors(first:100){totalCount nodes{name email user{login}}}}}}}}}`

type actor struct {
	Name, Email string
	User        *struct{ Login string }
}

type commitsData struct {
	Repository struct {
		PullRequest struct {
			HeadRefOid string
			Author     *struct{ Login string }
			Commits    struct {
				TotalCount int
				PageInfo   struct {
					HasNextPage bool
					EndCursor   string
				}
				Nodes []struct {
					Commit struct {
						Oid, Message string
						Committer    actor
						Authors      struct {
							TotalCount int
							Nodes      []actor
						}
					}
				}
			}
		}
	}
}

// authorship returns the people who made a pull request and all of its commits. It uses GraphQL, which finds the accounts of co-authors; REST
// lists at most 250 commits. It returns an error if it cannot get all commits, or if the head changes meanwhile.
func (c *Client) Authorship(ctx context.Context, n int) (authorship, error) {
	var made authorship
	variables, seen := map[string]any{"owner": c.owner, "name": c.name, "number": n}, map[string]bool{}
	for range mostPages {
		var data commitsData
		if err := c.ask(ctx, "commits", listCommits, variables, &data); err != nil {
			return made, err
		}
		p := data.Repository.PullRequest
		if made.Head != "" && made.Head != p.HeadRefOid {
			return made, errors.New("listing commits: the pull request was pushed to meanwhile")
		}
		if made.Head = p.HeadRefOid; p.Author != nil {
			made.Author = p.Author.Login
		}
		for _, node := range p.Commits.Nodes {
			if o := node.Commit; !seen[o.Oid] {
				if o.Authors.TotalCount != len(o.Authors.Nodes) {
					return made, fmt.Errorf("listing commits: %.7s has %d authors, more than the %d that are read", o.Oid, o.Authors.TotalCount, mostHands)
				}
				seen[o.Oid] = true
				made.Commits = append(made.Commits, Commit{o.Oid, hands(o.Message, append(o.Authors.Nodes, o.Committer))})
			}
		}
		if !p.Commits.PageInfo.HasNextPage {
			if p.Commits.TotalCount != len(seen) || !seen[made.Head] {
				return made, fmt.Errorf("listing commits: GitHub gives %d of %d", len(seen), p.Commits.TotalCount)
			}
			return made, nil
		}
		variables["after"] = p.Commits.PageInfo.EndCursor
	}
	return made, fmt.Errorf("listing commits: there are more than %d", mostPages*perPage)
}

// trailer matches any line of a message, since people write trailers where GitHub does not read them.
var trailer = regexp.MustCompile(`(?im)^[ \t]*co-authored-by:[ \t]*(.*?)[ \t]*<([^<>\n]*)>`)

// hands returns everyone whom a commit names, each address once.
func hands(message string, actors []actor) []Hand {
	for _, found := range trailer.FindAllStringSubmatch(message, -1) {
		actors = append(actors, actor{Name: found[1], Email: strings.TrimSpace(found[2])})
	}
	var all []Hand
	seen := map[string]bool{}
	for _, a := range actors {
		h := Hand{Name: a.Name, Email: a.Email}
		if h.Login = loginOf(a.Email); a.User != nil {
			h.Login = a.User.Login
		}
		if key := strings.ToLower(a.Email); !seen[key] { // GitHub's data on an address come before the trailer
			seen[key] = true
			all = append(all, h)
		}
	}
	return all
}

// noReply matches the address that GitHub gives to an account (docs.github.com, "Setting your commit email address"); a bot has no other.
var noReply = regexp.MustCompile(`(?i)^(?:[0-9]+\+)?([a-z0-9-]+(?:\[bot\])?)@users\.noreply\.`)

// webFlow is the account of commits that GitHub makes on its pages.
const webFlow = "web-flow"

func loginOf(email string) string {
	if strings.EqualFold(email, "noreply@github.com") {
		return webFlow
	}
	if found := noReply.FindStringSubmatch(email); found != nil {
		return found[1]
	}
	return ""
}
