package review

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// A Plan has everything that a run posts without a token. The same findings give the same Plan.
type Plan struct {
	Status      finding.ExitStatus // the verdict; it does not depend on the rest
	Failed      bool               // there is no verdict, because of an error outside the contracts
	Summary     string             // Markdown
	Log         string             // plain text for the job's log
	Annotations []Annotation       // all of them, most important first
	counts      reviewCounts
}

// A severity is the level with which GitHub shows an annotation.
type severity uint8

const (
	Notice severity = iota
	Warning
	Error
)

func (l severity) String() string { return [...]string{"notice", "warning", "error"}[l] }

// An Annotation is a remark at a place of the source, or about the run when File is empty.
type Annotation struct {
	Level          severity
	title, message string // plain text
	File           string // from the repository's top, slash-separated
	line, column   int    // from 1; 0: the file as a whole
	endLine        int
	endColumn      int // exclusive, as in hcl.Range
}

// reviewCounts has the numbers that a workflow can use.
type reviewCounts struct {
	contracts, changed                 int // looked at; changed in meaning, added or removed
	illFormed                          int // errors of head, and requirements without meaning
	new, weakened, standing, undecided int // requirements and built-in checks
	repaired                           int
	waived, expired                    int // violations that a waiver accepts; that an expired waiver accepted
	withdrawn, retired                 int // promises of base that head does not make; those of them given up with an acceptance
	unapproved                         int // acceptances that do not count
}

// DraftReview plans the output of a review. On selects what the gate objects to.
func DraftReview(r *finding.Review, on finding.FailOn) Plan {
	var log bytes.Buffer
	_ = text.Review(&log, r, text.Style{Width: logWidth}) // a buffer returns no errors
	var all []ranked
	for i := range r.Contracts {
		all = append(all, ofContract(&r.Contracts[i], on)...)
	}
	for _, a := range r.Unplaced {
		if a.Blocking() {
			all = append(all, note(weakened, "Not approved: "+escape.TerminalText(a.Kind.String()+" "+a.Name), words.AcceptanceText(a), a.Source))
		}
	}
	return Plan{Status: r.Gate(on), Summary: markdown.ReviewWithin(r, summaryBytes, "The log of this step shows it whole."+pageOf(r)), Log: log.String(), Annotations: sorted(all, len(r.Contracts)+r.Unchanged), counts: countReview(r)}
}

// DraftCheck plans the output of a check, which has no base. With FailNever the gate objects to ill-formed input only, as in a review.
func DraftCheck(results []*finding.Result, on finding.FailOn) Plan {
	var log bytes.Buffer
	_ = text.Results(&log, results, text.Style{Width: logWidth}) // a buffer returns no errors
	var all []ranked
	for _, r := range results {
		all = append(all, ofResult(r)...)
	}
	status := finding.StatusOf(results)
	if on == finding.FailNever && status != finding.BadInput {
		status = finding.Clean
	}
	return Plan{Status: status, Summary: markdown.Results(results), Log: log.String(), Annotations: sorted(all, len(results)), counts: countCheck(results)}
}

// DraftFailure plans the output if err prevented a verdict.
func DraftFailure(err error) Plan {
	says := escape.TerminalText(err.Error())
	return Plan{
		Status:      finding.BadInput,
		Failed:      true,
		Summary:     "## ! redline: could not run\n\n" + escape.MarkdownText(err.Error()) + "\n",
		Log:         "redline: " + says,
		Annotations: []Annotation{{Level: Error, title: "redline could not run", message: says}},
	}
}

// With adds a notice, which must be free of foreign text. An empty one adds nothing.
func (p Plan) With(notice string) Plan {
	if notice != "" {
		p.Annotations = append(p.Annotations, Annotation{Level: Notice, message: notice})
		p.Summary += "\n" + notice + "\n"
	}
	return p
}

const (
	logWidth = 100
	// summaryBytes leaves room for notices.
	summaryBytes = summaryLimit - 64<<10
)

// sorted puts the most important first and keeps the contracts' order otherwise.
func sorted(all []ranked, contracts int) []Annotation {
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var list []Annotation
	for _, r := range all {
		list = append(list, r.Annotation)
	}
	if contracts == 0 {
		list = append(list, Annotation{Level: Warning, title: "No contract",
			message: "There is no *.contract.hcl file in this repository, so nothing was checked."})
	}
	return list
}
