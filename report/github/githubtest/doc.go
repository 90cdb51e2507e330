// Package githubtest is a GitHub for tests: one repository, its pull requests, and the rules by which GitHub accepts and refuses what a
// review posts.
//
// A fake is worth as much as its faithfulness, so a Hub checks every request, and each of its own answers, against GitHub's own description
// of its API. What does not fit is a problem, and fails the test. What the Hub refuses beyond the description was seen of GitHub: words and
// statuses are cited in place.
//
// It also fails as GitHub does: lists lag behind or have rows twice, rate limits end, requests are carried out and their answers lost,
// tokens lack rights. Faults follow a schedule. A Hub looks at no clock and draws no number that its seed does not give, so the same
// requests meet the same answers.
//
// A Hub is an http.Handler, so it serves a test in its process and, through a listener, a workflow that act runs. It answers below / as
// api.github.com does and below /api/v3 and /api/graphql as an Enterprise server.
package githubtest
