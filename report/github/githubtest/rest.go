package githubtest

import "net/http"

// operations are those of REST that a Hub knows, below "repo" for those of its repository. What a permission is
// called, and which of them an operation needs: docs.github.com, "Permissions required for GitHub Apps".
func operations() []operation {
	return []operation{
		{"GET", "user", "", false, (*Hub).whoAmI},
		{"GET", "repo", "", false, (*Hub).repository},
		{"GET", "repo/pulls", "pull-requests: read", false, (*Hub).listPulls},
		{"GET", "repo/pulls/#", "pull-requests: read", false, (*Hub).getPull},
		{"GET", "repo/pulls/#/files", "pull-requests: read", false, (*Hub).listFiles},
		{"GET", "repo/commits/*/pulls", "pull-requests: read", false, (*Hub).pullsOf},
		{"GET", "repo/issues/#/comments", "issues|pull-requests: read", false, (*Hub).listComments},
		{"POST", "repo/issues/#/comments", "issues|pull-requests: write", true, (*Hub).createComment},
		{"GET", "repo/issues/comments/#", "issues|pull-requests: read", false, (*Hub).getComment},
		{"PATCH", "repo/issues/comments/#", "issues|pull-requests: write", false, (*Hub).editComment},
		{"DELETE", "repo/issues/comments/#", "issues|pull-requests: write", false, (*Hub).deleteComment},
		{"GET", "repo/pulls/#/comments", "pull-requests: read", false, (*Hub).listInline},
		{"POST", "repo/pulls/#/comments", "pull-requests: write", true, (*Hub).createInline},
		{"GET", "repo/pulls/comments/#", "pull-requests: read", false, (*Hub).getInline},
		{"PATCH", "repo/pulls/comments/#", "pull-requests: write", false, (*Hub).editInline},
		{"DELETE", "repo/pulls/comments/#", "pull-requests: write", false, (*Hub).deleteInline},
		{"GET", "repo/pulls/#/reviews", "pull-requests: read", false, (*Hub).listReviews},
		{"POST", "repo/pulls/#/reviews", "pull-requests: write", true, (*Hub).createReview},
		{"GET", "repo/pulls/#/reviews/#", "pull-requests: read", false, (*Hub).getReview},
		{"GET", "repo/collaborators/*/permission", "", false, (*Hub).getPermission},
		{"GET", "orgs/*/teams/*", "", false, (*Hub).getTeam},
		{"GET", "orgs/*/teams/*/memberships/*", "", false, (*Hub).getMembership},
		{"GET", "repo/git/ref/heads/*", "contents: read", false, (*Hub).getBranch},
		{"GET", "repo/actions/workflows/*/runs", "actions: read", false, (*Hub).listRuns},
		{"GET", "repo/actions/runs/#", "actions: read", false, (*Hub).getRun},
		{"POST", "repo/actions/runs/#/rerun", "actions: write", false, (*Hub).rerun},
		{"POST", "repo/check-runs", "checks: write", true, (*Hub).createCheck},
		{"GET", "repo/check-runs/#", "checks: read", false, (*Hub).getCheck},
		{"PATCH", "repo/check-runs/#", "checks: write", false, (*Hub).updateCheck},
		{"GET", "repo/check-runs/#/annotations", "checks: read", false, (*Hub).listAnnotations},
		{"GET", "repo/commits/*/check-runs", "checks: read", false, (*Hub).listChecks},
		{"POST", "repo/statuses/*", "statuses: write", true, (*Hub).createStatus},
		{"GET", "repo/commits/*/statuses", "statuses: read", false, (*Hub).listStatuses},
	}
}

func ok(body any) reply      { return reply{status: http.StatusOK, body: body} }
func created(body any) reply { return reply{status: http.StatusCreated, body: body} }

func (h *Hub) whoAmI(c *call) reply {
	if c.by.app { // actions/create-github-app-token issue 258
		return forbidden
	}
	return ok(user(c.by.Login))
}

func (h *Hub) repository(*call) reply {
	return ok(object{"full_name": h.Repository, "private": h.Private, "default_branch": "main"})
}

// user returns an account as REST shows it; a bot's name ends in [bot], and a deleted account is null.
func user(login string) any {
	if login == "" {
		return nil
	}
	kind := "User"
	if login[len(login)-1] == ']' {
		kind = "Bot"
	}
	return object{"login": login, "type": kind}
}

// invalid returns a validation error of GitHub.
func invalid(resource, field, code, message string) reply {
	return fail(http.StatusUnprocessableEntity, "Validation Failed", object{"resource": resource, "field": field, "code": code, "message": message})
}
