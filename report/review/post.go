package review

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"

	"github.com/sethvargo/go-githubactions"
)

const (
	// summaryLimit is the maximum size of a step's job summary in bytes (docs.github.com, "Workflow commands for GitHub Actions", step
	// isolation and limits).
	summaryLimit = 1 << 20
	// mostEach is the number of annotations of each level that GitHub shows for a step. Older runners kept no more either (actions/runner,
	// ExecutionContext.cs, _maxIssueCount).
	mostEach = 10
)

// Post passes the plan to GitHub's runner, through w (its log) and the files named in the environment. The summary comes first, since it
// says the most. A part that fails is skipped. The error has all failures and should not change the exit status.
func Post(w io.Writer, getenv func(string) string, p Plan) error {
	gh := githubactions.New(githubactions.WithWriter(w), githubactions.WithGetenv(getenv))
	return errors.Join(
		try("the job summary", func() { gh.AddStepSummary(bounded(p.Summary, summaryLimit-1)) }), // and a line end
		Say(w, p.Log),
		try("the annotations", func() { annotate(gh, p.Annotations) }),
		try("the outputs", func() { output(gh, p) }),
	)
}

// try calls write and returns the error that it panics with, which is how go-githubactions reports a failed write. Other panics pass.
func try(what string, write func()) (err error) {
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case runtime.Error:
			panic(failed)
		case error:
			err = fmt.Errorf("writing %s: %w", what, failed)
		default:
			panic(failed)
		}
	}()
	write()
	return nil
}

// bounded shortens a summary to limit bytes. It cuts at the first contract: a later cut could leave a fence or a fold open.
func bounded(summary string, limit int) string {
	if len(summary) <= limit {
		return summary
	}
	const cut = "\n\n> Left out, because GitHub takes no longer summary: every contract. The log of this step shows them.\n"
	top, _, _ := strings.Cut(summary, "\n### ")
	if len(top)+len(cut) > limit {
		top = "## redline"
	}
	return top + cut
}

// Say writes text to the log, in which the runner looks for no commands. Only the random token ends the quotation (docs.github.com, "Stopping and
// starting workflow commands").
func Say(w io.Writer, text string) error {
	token := rand.Text()
	_, err := fmt.Fprintf(w, "::stop-commands::%s\n%s\n::%s::\n", token, text, token)
	if err != nil {
		return fmt.Errorf("writing the log: %w", err)
	}
	return nil
}

// annotate issues the first annotations of each level, and counts the rest.
func annotate(gh *githubactions.Action, all []Annotation) {
	var shown, left [3]int // by Level
	for _, a := range all {
		if shown[a.Level] == mostEach {
			left[a.Level]++
			continue
		}
		shown[a.Level]++
		gh.IssueCommand(a.command())
	}
	if left[Error]+left[Warning] > 0 {
		gh.IssueCommand(&githubactions.Command{Name: Notice.String(), Message: fmt.Sprintf(
			"GitHub shows %d annotations of a kind. %d more errors and %d more warnings are in the job summary and in the log of this step.",
			mostEach, left[Error], left[Warning])})
	}
}

// command returns the workflow command for an annotation.
func (a Annotation) command() *githubactions.Command {
	properties := githubactions.CommandProperties{}
	set := func(name, value string) {
		if value != "" && value != "0" {
			properties[name] = value
		}
	}
	set("title", a.title)
	set("file", a.File)
	set("line", strconv.Itoa(a.line))
	set("endLine", strconv.Itoa(a.endLine))
	if a.line == a.endLine { // GitHub accepts columns on a single line only (REST, check runs, annotations)
		set("col", strconv.Itoa(a.column))
		set("endColumn", strconv.Itoa(a.endColumn))
	}
	return &githubactions.Command{Name: a.Level.String(), Message: a.message, Properties: properties}
}

// output sets the step's outputs. SetOutput ends a value at a fixed line, so a value that contains this line could set another output.
// Therefore the values are numbers and fixed words only.
func output(gh *githubactions.Action, p Plan) {
	if p.Failed { // so nothing was counted
		gh.SetOutput("status", "failed")
		return
	}
	gh.SetOutput("status", [...]string{"clean", "violations", "ill-formed", "unknown"}[p.Status])
	for _, n := range p.counts.named() {
		gh.SetOutput(n.name, strconv.Itoa(n.count))
	}
}

// A namedCount is a count with the name of its output.
type namedCount struct {
	name  string
	count int
}

// named lists the counts with the names of their outputs.
func (n reviewCounts) named() []namedCount {
	return []namedCount{
		{"contracts", n.contracts}, {"changed", n.changed}, {"ill-formed", n.illFormed}, {"new", n.new}, {"weakened", n.weakened},
		{"standing", n.standing}, {"undecided", n.undecided}, {"repaired", n.repaired},
		{"waived", n.waived}, {"waiver-expired", n.expired}, {"withdrawn", n.withdrawn}, {"retired", n.retired}, {"unapproved", n.unapproved},
	}
}
