// Package github is the part of GitHub's API that reviews need: pull requests, comments, reviews and approvals, threads, check runs, commit
// statuses, and runs of workflows.
//
// A request may fail at any moment, and no action must be doubled. After a failure of the server or the connection, a request is repeated if
// that is harmless. A request that would create a second comment is not repeated: it ends as Uncertain, and the
// caller has to look whether it was carried out. A request refused for a rate limit was not carried out. So it is always
// repeated, after the wait that GitHub asks for. All waits together are bounded. Other failures are errors that callers can
// distinguish, such as Forbidden.
//
// GraphQL is used where REST has no request: the token's account, threads, resolving, minimizing.
//
// Text in errors may come from the server. It is short, without control characters and without the token, but it is foreign.
// The token is sent only to the addresses of the API.
package github
