package finding

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// WaiverState is the effect of a waiver, given its requirement's verdict and the day.
type WaiverState uint8

const (
	Unjudged WaiverState = iota // the requirement has no verdict
	InForce                     // the violation is accepted
	Expired                     // its last day is over
	Undated                     // it has a last day, and the day is not known: it does not count
	OtherRun                    // the requirement is violated by another run than the one accepted
	Needless                    // the requirement holds
)

func (s WaiverState) String() string {
	return [...]string{"unjudged", "in force", "expired", "undated", "other run", "needless"}[s]
}

// A Waiver accepts the violation of a requirement.
type Waiver struct {
	Reason, Approver string
	Expires          string // the last day it is in force, as 2027-03-31; empty: it does not expire
	Run              string // the fingerprints of the counterexamples it accepts, separated by spaces
	State            WaiverState
	Source           hcl.Range
}

// Waived reports whether the requirement is violated and a waiver in force accepts that.
func (q *Requirement) Waived() bool {
	return q != nil && q.Verdict == Violated && q.Waiver != nil && q.Waiver.State == InForce
}

// Named reports whether the requirement is violated by a run that its waiver names, whether the waiver counts that day or not.
func (q *Requirement) Named() bool {
	return q != nil && q.Verdict == Violated && q.Waiver != nil &&
		(q.Waiver.State == InForce || q.Waiver.State == Expired || q.Waiver.State == Undated)
}

// TakesWaiver reports whether an amendment takes a waiver away: that of base names the run by which base violates the promise, that of head
// does not name this run.
func (q *Requirement) TakesWaiver(base *Requirement) bool {
	return base.Named() && (q.Waiver == nil || !q.Waiver.names(base.Run))
}

func (w *Waiver) names(run string) bool { return slices.Contains(strings.Fields(w.Run), run) }

// A Date is a day of the calendar, as 2027-03-31; empty if it is not known.
type Date string

// Set parses a day, so that Date can be the value of a flag. It fails on anything but YYYY-MM-DD.
func (d *Date) Set(text string) error {
	if !hclspec.IsDay(text) {
		return fmt.Errorf("%q is no day. %s", text, hclspec.NotDay(text))
	}
	*d = Date(text)
	return nil
}

func (d *Date) String() string { return string(*d) }

// Type returns the name of the value in a command's help.
func (d *Date) Type() string { return "day" }

// WaiverOf returns the waiver of a specification as data, not judged yet; nil for nil.
func WaiverOf(w *hclspec.Waiver) *Waiver {
	if w == nil {
		return nil
	}
	return &Waiver{Reason: w.Reason, Approver: w.Approver, Expires: w.Expires, Run: w.Run, Source: w.Range}
}

// Judge sets the state of the requirement's waiver, once the requirement is decided.
func (q *Requirement) Judge(today Date) {
	w := q.Waiver
	switch {
	case w == nil:
	case q.Verdict == Holds:
		w.State = Needless
	case q.Verdict != Violated:
		w.State = Unjudged
	case !w.names(q.Run):
		w.State = OtherRun
	case w.Expires == "":
		w.State = InForce
	case today == "":
		w.State = Undated
	case string(today) > w.Expires: // days of this form sort as texts
		w.State = Expired
	default:
		w.State = InForce
	}
}
