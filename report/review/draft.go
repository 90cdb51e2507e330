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

// A Plan is all that a run has to tell GitHub. The same findings give the same Plan.
type Plan struct {
	Status      finding.ExitStatus // the verdict, whatever becomes of the rest
	Failed      bool               // there is no verdict: the world failed
	Summary     string             // Markdown
	Log         string             // for a person who reads the log
	Annotations []Annotation       // all of them, most important first
	Counts      Counts
}

// Level says how GitHub shows an annotation.
type Level uint8

const (
	Notice Level = iota
	Warning
	Error
)

func (l Level) String() string { return [...]string{"notice", "warning", "error"}[l] }

// An Annotation is a remark at a place of the source, or about the run when File is empty.
type Annotation struct {
	Level          Level
	Title, Message string // plain text
	File           string // from the repository's top, slash-separated
	Line, Column   int    // from 1; 0: the file as a whole
	EndLine        int
	EndColumn      int // exclusive, as in hcl.Range
}

// Counts are what a workflow can decide on.
type Counts struct {
	Contracts, Changed                 int // looked at; changed in meaning, added or removed
	IllFormed                          int // errors of head, and requirements without meaning
	New, Weakened, Standing, Undecided int // requirements and built-in checks
	Repaired                           int
	Waived, Expired                    int // violations that a waiver accepts; that an expired one did
	Withdrawn, Retired                 int // promises of base that head does not make; those of which that is accepted
	Unapproved                         int // acceptances that do not count
}

// DraftReview plans what to say of an amendment, where on says what the gate objects to.
func DraftReview(r *finding.Review, on finding.FailOn) Plan {
	var log bytes.Buffer
	_ = text.Review(&log, r, text.Style{Width: logWidth}) // a buffer takes everything
	var all []ranked
	for i := range r.Contracts {
		all = append(all, ofContract(&r.Contracts[i], on)...)
	}
	for _, a := range r.Unplaced {
		if a.Open() {
			all = append(all, note(weakened, "Not approved: "+escape.TerminalText(a.Kind.String()+" "+a.Name), words.AcceptanceText(a), a.Source))
		}
	}
	return Plan{Status: r.Gate(on), Summary: markdown.ReviewWithin(r, summaryRoom, "The log of this step shows it whole."), Log: log.String(), Annotations: sorted(all, len(r.Contracts)), Counts: countReview(r)}
}

// DraftCheck plans what to say of contracts by themselves, where there is no base. With FailNever
// only ill-formed input is an objection, as in a review.
func DraftCheck(results []*finding.Result, on finding.FailOn) Plan {
	var log bytes.Buffer
	_ = text.Results(&log, results, text.Style{Width: logWidth}) // a buffer takes everything
	var all []ranked
	for _, r := range results {
		all = append(all, ofResult(r)...)
	}
	status := finding.StatusOf(results)
	if on == finding.FailNever && status != finding.BadInput {
		status = finding.Clean
	}
	return Plan{Status: status, Summary: markdown.Results(results), Log: log.String(), Annotations: sorted(all, len(results)), Counts: countCheck(results)}
}

// DraftFailure plans what to say when there is no verdict because the world failed.
func DraftFailure(err error) Plan {
	says := escape.TerminalText(err.Error())
	return Plan{
		Status:      finding.BadInput,
		Failed:      true,
		Summary:     "## ! redline: could not run\n\n" + escape.MarkdownText(err.Error()) + "\n",
		Log:         "redline: " + says,
		Annotations: []Annotation{{Level: Error, Title: "redline could not run", Message: says}},
	}
}

// With adds a notice for the reader, in words of our own; an empty one adds nothing.
func (p Plan) With(notice string) Plan {
	if notice != "" {
		p.Annotations = append(p.Annotations, Annotation{Level: Notice, Message: notice})
		p.Summary += "\n" + notice + "\n"
	}
	return p
}

const (
	logWidth = 100
	// summaryRoom leaves room for notices.
	summaryRoom = SummaryLimit - 64<<10
)

// sorted puts the most important first and keeps the contracts' order otherwise.
func sorted(all []ranked, contracts int) []Annotation {
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	var list []Annotation
	for _, r := range all {
		list = append(list, r.Annotation)
	}
	if contracts == 0 {
		list = append(list, Annotation{Level: Warning, Title: "No contract",
			Message: "There is no *.contract.hcl file in this repository, so nothing was checked."})
	}
	return list
}
