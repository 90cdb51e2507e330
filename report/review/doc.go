// Package review tells GitHub what a review found.
//
//	event.go   what made the workflow run, as far as it decides what is compared
//	base.go    the two commits to compare; the only place where redline reaches the network
//	draft.go   pure: what was found -> a Plan of all that is to be said
//	annotate.go, words.go   a finding as an annotation, in a few plain words, at the line to blame
//	counts.go  the numbers that a workflow can decide on
//	post.go    carries a Plan out: job summary, log, annotations, outputs
//
// None of it needs a token, so it works for pull requests from forks and in merge queues too. What
// can't be said is reported and skipped: the verdict is the Plan's Status and nothing else.
//
// Still to come here: what needs a token. The draft will also look at the hunks and at the comments
// that are there already; the post will keep one summary comment on the pull request and put each
// new violation once at its line, through GitHub's API.
//
// Every string in a Plan has passed package report's functions for text from strangers; the post
// escapes what workflow commands need besides.
package review
