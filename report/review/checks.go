package review

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/github"
	"github.com/redlinehq/redline/report/markdown"
)

const (
	checkName = "redline"
	// mostAnnotated is how many annotations a check run gets, most important first: ten calls.
	mostAnnotated = 500
	// mostStatuses is the number of commit statuses that a run sets. One more sums up all other contracts.
	mostStatuses = 20
	titleLength  = 255 // of an annotation, in characters (docs.github.com, REST, "Check runs")
)

// Checks describes the optional outputs at a commit: a check run and commit statuses. They are set on the pull request's head, not on the
// merge commit, since GitHub shows them there. The gate is the job's exit status, not these.
type Checks struct {
	Commit       string
	Run          Run
	Plan         Plan
	Review       *finding.Review // nil: there is none
	On           finding.FailOn
	Merged, Head fs.FS // as in a PullReport; nil: the commit is what was reviewed

	CheckRun, Status bool // which of them are wanted
}

// PublishChecks makes the check run and sets the statuses, if they are wanted. The errors are for the log and do not change the exit
// status.
func PublishChecks(ctx context.Context, hub *github.Client, c *Checks) []error {
	var failed []error
	if c.CheckRun {
		if err := publishCheckRun(ctx, hub, draftCheckRun(c)); err != nil {
			failed = append(failed, unable("the check run could not be made", "checks: write", err))
		}
	}
	if c.Status {
		for _, s := range draftStatuses(c) {
			if err := hub.SetStatus(ctx, c.Commit, s.context, s.state, s.description, c.Run.url); err != nil {
				failed = append(failed, unable("the commit statuses could not be set", "statuses: write", err))
				break // the others would fail, too
			}
		}
	}
	return failed
}

// unable adds to an error which permission is missing, if it is one.
func unable(what, permission string, err error) error {
	if errors.As(err, new(github.Forbidden)) {
		return fmt.Errorf("%s (%w): the job's token needs 'permissions: %s'. The verdict is the job's own", what, err, permission)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// publishCheckRun makes a check run at most once. After a request of unknown outcome it looks whether the run exists.
func publishCheckRun(ctx context.Context, hub *github.Client, r github.CheckRun) error {
	var err error
	for range mostTries {
		var there []github.CheckRun
		if there, err = hub.CheckRuns(ctx, r.Head, r.Name); err != nil {
			return err
		}
		own := slices.IndexFunc(there, func(o github.CheckRun) bool { return o.External == r.External })
		if own >= 0 {
			return hub.UpdateCheckRun(ctx, there[own].ID, r)
		}
		if _, err = hub.CreateCheckRun(ctx, r); !errors.As(err, new(github.Uncertain)) {
			return err
		}
		if waited, no := hub.Pause(ctx, settle); no != nil {
			return no
		} else if !waited {
			return err // an immediate look would show nothing
		}
	}
	return err
}

// draftCheckRun returns a check run with the text of the job summary and the annotations. An unknown verdict fails: GitHub lets a required
// check pass if it is neutral.
func draftCheckRun(c *Checks) github.CheckRun {
	r := github.CheckRun{Name: checkName, Head: c.Commit, External: fmt.Sprintf("run %d.%d", c.Run.id, c.Run.Attempt), Conclusion: "failure", Summary: bounded(c.Plan.Summary, commentBytes)}
	if c.Plan.Status == finding.Clean {
		r.Conclusion = "success"
	}
	if c.Review != nil {
		r.Summary = markdown.ReviewWithin(c.Review, commentBytes, (&PullReport{Run: c.Run, Review: c.Review}).whole())
	}
	r.Title = headline(r.Summary)
	where := anchorsOf(c.Merged, c.Head, nil)
	for _, a := range c.Plan.Annotations {
		if a.File == "" || !fs.ValidPath(a.File) {
			continue // it is in the summary
		}
		if len(r.Annotations) == mostAnnotated {
			r.Text = fmt.Sprintf("Only the first %d annotations are shown. The job's log has all of them.", mostAnnotated)
			break
		}
		r.Annotations = append(r.Annotations, annotationOf(a, where))
	}
	return r
}

// headline returns the first line of a summary, without its marks.
func headline(summary string) string {
	line, _, _ := strings.Cut(summary, "\n")
	return strings.TrimSpace(strings.TrimLeft(line, "# "))
}

// annotationOf converts an annotation to the lines of the commit. If the line is not known, it uses the first line of the file and mentions
// that.
func annotationOf(a Annotation, where anchors) github.Annotation {
	line, height, message := max(a.line, 1), max(a.endLine-a.line, 0), a.message
	if where.merged != nil && a.line > 0 {
		at := hcl.Range{Filename: a.File, Start: hcl.Pos{Line: a.line, Column: max(a.column, 1)}}
		now, ok := where.inHead(at)
		if line = now; !ok {
			line, height, message = 1, 0, fmt.Sprintf("%s\n(line %d of the merge with the base)", message, a.line)
		}
	}
	level := [...]string{Notice: "notice", Warning: "warning", Error: "failure"}[a.Level]
	return github.Annotation{Path: a.File, StartLine: line, EndLine: line + height, Level: level, Title: cutTo(a.title, titleLength), Message: message}
}

// cutTo cuts a text to most characters, the last of them "…".
func cutTo(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// A status is the commit status of one contract.
type status struct{ context, state, description string }

// draftStatuses returns a status for each contract that the amendment affects, worst first. Beyond mostStatuses, one more sums up the rest.
func draftStatuses(c *Checks) []status {
	if c.Review == nil {
		return []status{{checkName, "error", "redline could not run"}}
	}
	var all []judged
	for i := range c.Review.Contracts {
		one := c.Review.Contracts[i : i+1]
		gate := (&finding.Review{Contracts: one}).Gate(c.On)
		if one[0].Status != finding.Same || gate != finding.Clean {
			all = append(all, judged{&one[0], gate})
		}
	}
	slices.SortStableFunc(all, func(a, b judged) int { return badness(b.gate) - badness(a.gate) })
	var list []status
	taken := map[string]bool{}
	for _, j := range all[:min(len(all), mostStatuses)] {
		name := contextOf(j.Path)
		if taken[name] {
			name += "-" + hashed("contract", j.Path)[:8]
		}
		taken[name] = true
		list = append(list, status{name, stateOf(j.gate), describe(j.ContractReview)})
	}
	if rest := all[len(list):]; len(rest) > 0 {
		list = append(list, status{checkName + ": all others", stateOf(rest[0].gate), fmt.Sprintf("%d more contracts; the job's summary names them", len(rest))})
	}
	return list
}

// A judged is the review of a contract with the gate's exit status for it.
type judged struct {
	*finding.ContractReview
	gate finding.ExitStatus
}

// badness ranks exit statuses, worst last.
func badness(s finding.ExitStatus) int {
	return map[finding.ExitStatus]int{finding.OutOfLimit: 1, finding.Violations: 2, finding.BadInput: 3}[s]
}

// stateOf returns the state of a commit status. There is no neutral state, and an unknown verdict is no success.
func stateOf(s finding.ExitStatus) string {
	switch s {
	case finding.Clean:
		return "success"
	case finding.Violations:
		return "failure"
	}
	return "error"
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9._/-]+`)

// contextOf returns the name of a contract's status: its directory, in plain characters.
func contextOf(path string) string {
	return cutTo(checkName+"/"+strings.Trim(unusual.ReplaceAllString(path, "-"), "-/"), 100)
}

// describe returns the counts of a contract's findings in one line, without foreign text.
func describe(c *finding.ContractReview) string {
	counts := countReview(&finding.Review{Contracts: []finding.ContractReview{*c}})
	var said []string
	for _, n := range counts.named() {
		if n.count > 0 && n.name != "contracts" && n.name != "changed" {
			said = append(said, fmt.Sprintf("%d %s", n.count, n.name))
		}
	}
	if len(said) == 0 {
		return c.Status.String() + ", nothing to object to"
	}
	return strings.Join(said, ", ")
}
