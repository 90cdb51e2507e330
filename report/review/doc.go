// Package review tells GitHub what a review found.
//
//	event.go   what made the workflow run, as far as it decides what is compared and where it is told
//	base.go    the two commits to compare
//	draft.go   pure: what was found -> a Plan of all that is to be said without a token
//	annotate.go, words.go   a finding as an annotation, in a few plain words, at the line to blame
//	counts.go  the numbers that a workflow can decide on
//	post.go    carries a Plan out: job summary, log, annotations, outputs
//	output.go  what else a step has to say: another output, a line of the log, a notice
//
// None of that needs a token, so it works for pull requests from forks and in merge queues too. With a token that may
// write, a pull request is told, exactly once:
//
//	telling.go   what a run has to tell, what is there already, and a Conversation: what is to be done
//	identity.go  by which a finding is known again, and what has become of it
//	marker.go    the hidden line that our texts begin with
//	hunks.go, anchor.go   where a remark can stand: lines of head's file that the diff shows
//	remark.go, summary.go   the texts
//	converse.go  pure: a Telling and what is there -> a Conversation
//	publish.go   looks, does what is planned, and looks again until nothing is left to do
//	checks.go    for who asks: a check run with annotations, and a commit status for each contract
//
// A workflow calls, in this order:
//
//	event, err := ReadEvent(os.Getenv)            // event.PullRequest(), event.WorkflowRun(), event.Run
//	commits, err := event.Range(ctx, ".")
//	plan := DraftReview(r, on)                    // or DraftCheck, DraftFailure
//	err := Post(out, os.Getenv, plan)             // job summary, log, annotations, outputs
//	errs := Publish(ctx, hub, &Telling{...})      // each for a line of the log
//	errs := PublishChecks(ctx, hub, &Checks{...}) // likewise
//	os.Exit(plan.Status)                          // whatever became of the rest
//
// What can't be said is reported and skipped: the verdict is the Plan's Status and nothing else. The job summary comes
// first, then the summary comment, then remarks at lines; where one of them fails, the ones before it have all of it.
//
// Every string in a Plan, a summary and a remark has passed package report's functions for text from strangers; the post
// escapes what workflow commands need besides.
package review
