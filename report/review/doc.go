// Package review posts on GitHub what a review found. It has two halves, and each is divided into a pure plan and the code that carries it
// out.
//
// The first half needs no token, so it works for pull requests from forks and in merge queues. ReadEvent reads what made the workflow run,
// and Event.Range finds the two commits to compare. DraftReview turns findings into a Plan: exit status, job summary, log, annotations at
// the lines to blame, and numbers that a workflow can use. Post carries the Plan out.
//
// The second half needs a token that may write. A PullReport is what a run has to post. DraftComments compares it with what is on the pull
// request already and returns a conversation: what to create, change, resolve and remove. Publish reads the pull request, does what is
// planned, and reads again until nothing is left to do. So a request of unknown fate and another run that posts at the same time are both
// seen, and each text is posted exactly once. A finding is recognised by its contract and requirement, our own texts by a hidden marker
// line at their beginning, and a remark is put at a line of head that the diff shows. PublishChecks adds a check run and commit statuses
// where a repository asks for them.
//
// A workflow calls, in this order:
//
//	event, err := ReadEvent(os.Getenv)            // event.PullRequest(), event.WorkflowRun(), event.Run
//	commits, err := event.Range(ctx, ".")
//	plan := DraftReview(r, on)                    // or DraftCheck, DraftFailure
//	err := Post(out, os.Getenv, plan)             // job summary, log, annotations, outputs
//	errs := Publish(ctx, hub, &PullReport{...})      // each for a line of the log
//	errs := PublishChecks(ctx, hub, &Checks{...}) // likewise
//	os.Exit(plan.Status)                          // whatever became of the rest
//
// What cannot be posted is reported and skipped: the verdict is the Plan's Status and nothing else. The job summary comes first, then the
// summary comment, then remarks at lines; where one of them fails, the ones before it are complete.
//
// Every string in a Plan, a summary and a remark has passed package escape; Post escapes what workflow commands need besides.
package review
