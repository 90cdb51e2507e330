// Package githubtest is a fake GitHub for tests: one repository, its pull requests, and the rules by which GitHub accepts and rejects
// what a review posts.
//
// A Hub validates every request, and each of its own responses, against GitHub's published description of its API. A mismatch fails the
// test. Where the Hub rejects more than the description does, GitHub was seen to do so: a comment there cites the message and the status.
//
// It also fails as GitHub does: lists are stale or repeat rows, rate limits run out, requests are carried out and their responses lost,
// tokens lack permissions. Faults follow a schedule. A Hub reads no clock, and its random numbers come from a seed, so the same requests
// get the same responses.
//
// A Hub is an http.Handler. It serves a test in its process and, through a listener, a workflow that act runs. Below / it responds as
// api.github.com does, and below /api/v3 and /api/graphql as an Enterprise server.
package githubtest
