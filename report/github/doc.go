// Package github is GitHub's API as far as a review needs it.
//
//	client.go     a Client, and how its two addresses are found
//	send.go       one request: tries, waits, bounds, whose token goes where
//	said.go      what the server said, fit to be shown, and the error that it comes to
//	limits.go     what GitHub says of its rate limits, and how long is waited
//	errors.go     why GitHub did not do it, so that callers can decide
//	pulls.go      pull requests and the files they change
//	comments.go   comments on a pull request's conversation
//	reviews.go    review comments, at lines
//	approvals.go  reviews, who may write, teams, who made a pull request
//	runs.go       runs of workflows, and repeating them
//	graphql.go    what only GraphQL has: whose token it is, threads, resolving, minimizing
//	undo.go       taking back what was written or resolved
//	pause.go      waiting for what may yet appear
//	checks.go     check runs and commit statuses
//
// A request that changes nothing when it is made twice is repeated after a failure of the server or
// the line. One that would make a second comment is not: it ends as Uncertain, and only the caller
// knows how to look whether it was carried out. What GitHub turned away for a rate limit was not carried out,
// so everything is repeated then, after the wait GitHub asks for.
//
// Text in errors may come from the server: it is short, has no control characters and never the
// token, but it is a stranger's all the same.
package github
