package hclspec

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// A Requirement is a temporal formula that the contract must satisfy in its initial state.
type Requirement struct {
	Prose
	Name     string
	Formula  *Formula
	Assuming []*Progress // parties assumed not to wait for ever; none: any may
	RestsOn  *Resting    // the only parties that may have to act for it to be kept; nil: not given
	Waiver   *Waiver     // nil: its violation is not accepted
	Range    hcl.Range
}

// Notation selects the grammar of a formula. It is always explicit, never guessed.
type Notation uint8

const (
	CTL    Notation = iota // standard: AG EF p, A[p U q]
	Table1                 // the paper's Table 1: G(F p), p AU q
)

func (n Notation) String() string {
	if n == Table1 {
		return "table1"
	}
	return "ctl"
}

// An Accept is a remark that the drafter accepts, with the reason.
type Accept struct {
	Code   string
	On     string // "party.element" or "event.NAME"; empty: the whole contract
	Reason string
	Run    string // sha256:... of what it accepts, as a review prints it; of several, separated by a space; empty: whatever the check finds
	Range  hcl.Range
}

// A Retire gives up a promise, with the reason. The contract need not make the promise any more.
type Retire struct {
	Name   string // of the requirement, as it was
	Digest string // "sha256:..." of what it promised
	Reason string
	Range  hcl.Range
}

// A Progress is the assumption that each of some parties acts in the end, as long as it can.
type Progress struct {
	Name    string   // as written in the source: purchaser means every purchaser[i]
	Parties []*Party // at least one
	Range   hcl.Range
}

// A Resting lists the only parties that may have to act for a requirement to be kept, however long all others wait.
type Resting struct {
	On    []*Progress // none: no party
	Range hcl.Range
}

// A Waiver accepts the violation of a requirement by the counterexamples of Run.
type Waiver struct {
	Reason, Approver string
	Expires          string // the last day it is in force, as 2027-03-31; empty: it does not expire
	Run              string // sha256:... of the counterexample it accepts; of several, separated by a space
	Range            hcl.Range
}

// IsDay reports whether a text is a day of the calendar, as 2027-03-31. Such texts sort as days do.
func IsDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// Forms of a day: as contracts have it, and with the day first, as in 31.12.2026.
var (
	dayForm  = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	dayFirst = regexp.MustCompile(`^(\d\d?)\.(\d\d?)\.(\d{4})$`)
)

// LooksLikeDay reports whether a text has the form of a day, whether or not there is such a day.
func LooksLikeDay(text string) bool { return dayForm.MatchString(text) }

// AsDay returns a text that has the form of a day, or has the day first, as a contract has it; "" for any other.
func AsDay(text string) string {
	if m := dayFirst.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s-%02s-%02s", m[3], m[2], m[1])
	} else if LooksLikeDay(text) {
		return text
	}
	return ""
}

// NotDay says of a text that is no day what is wrong with it: its form, or that there is no such day.
func NotDay(text string) string {
	if LooksLikeDay(text) {
		return fmt.Sprintf("There is no %s in the calendar.", text)
	}
	if day := AsDay(text); day != "" {
		return fmt.Sprintf("Write %q.", day)
	}
	return "Write year, month and day as in \"2027-03-31\"."
}

// placeholders are the texts that templates of acceptances have, or had, in place of a reason or an approver.
var placeholders = []string{"why this is acceptable", "who approves it", "why it is given up"}

// IsPlaceholder reports whether a reason or an approver is still the text of a template.
func IsPlaceholder(text string) bool {
	bare := strings.ToLower(strings.Trim(strings.Join(strings.Fields(text), " "), ".…# "))
	return slices.Contains(placeholders, bare)
}
