// Package githubtest is a GitHub for tests: one repository, its pull requests, and the rules by which
// GitHub takes and refuses what a review posts.
//
//	hub.go          a Hub, what a test does to it, its clock
//	state.go        pull requests, comments, reviews, check runs, statuses, as a test sees them
//	serve.go        one request, from the address to the answer
//	description.go  GitHub's own description of its API; what does not fit it is a Problem
//	tokens.go       who may do what
//	limits.go       the limits of rates, on the Hub's clock
//	faults.go       what goes wrong, by a schedule
//	stale.go        lists that are behind, or have rows twice
//	rest.go, pulls.go, comments.go, reviews.go, checks.go   the operations
//	diff.go         which lines are part of a diff, and where they go at a push
//	people.go       who may write, teams, who made commits, reviews, runs of workflows
//	graphql.go, query.go   the part of GraphQL that REST lacks
//
// A Hub looks at no clock, and draws no number that its seed does not give: the same requests meet the same answers. It
// is an http.Handler, so it serves a test in its process and, through a listener, a workflow that act
// runs. It answers below / as api.github.com does and below /api/v3 and /api/graphql as an Enterprise server.
//
// What it refuses beyond the description was seen of GitHub: words and statuses are cited where they are.
package githubtest
