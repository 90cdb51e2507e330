// Package github is GitHub's API as far as a review needs it: pull requests, comments, reviews and approvals, threads, check runs, commit
// statuses, and runs of workflows.
//
// The idea is that a request may fail at any moment without doubling anything. A request that changes nothing when it is made twice is
// repeated after a failure of the server or the line. One that would make a second comment is not: it ends as Uncertain, and only the
// caller knows how to look whether it was carried out. What GitHub refused because of a rate limit was not carried out, so everything is
// repeated then, after the wait that GitHub asks for. All waits together are bounded. Other failures are errors by which callers can
// decide, such as Forbidden.
//
// GraphQL is used for what REST lacks: whose token it is, threads, resolving, minimizing.
//
// Text in errors may come from the server: it is short, has no control characters and never the token, but it is a stranger's all the same.
// A token goes to the addresses of the API and nowhere else.
package github
