package hclspec

import (
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
)

// A Requirement is a temporal formula the contract must satisfy in its initial state.
type Requirement struct {
	Prose
	Name     string
	Formula  *Formula
	Assuming []*Progress // who is assumed not to wait for ever; none: anybody may
	RestsOn  *Resting    // who alone may have to act for it to be kept; nil: that is not said
	Waiver   *Waiver     // nil: its violation is accepted by nobody
	Range    hcl.Range
}

// Notation says how a formula is to be read; nothing guesses it.
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

// An Accept is a remark the drafter has seen and accepts, with the reason.
type Accept struct {
	Code   string
	On     string // "party.element" or "event.NAME"; empty: the whole contract
	Reason string
	Run    string // sha256:... of what it accepts, as a review prints it; of several, separated by a space; empty: whatever the check finds
	Range  hcl.Range
}

// A Retire says that a promise is given up, with the reason. The contract need not make the promise any more.
type Retire struct {
	Name   string // of the requirement, as it was
	Digest string // "sha256:..." of what it promised
	Reason string
	Range  hcl.Range
}

// A Progress is the assumption that each of some parties, as long as it can act, does act in the end.
type Progress struct {
	Name    string   // as the source says it: purchaser stands for every purchaser[i]
	Parties []*Party // at least one
	Range   hcl.Range
}

// A Resting says who alone may have to act for a requirement to be kept, however long everybody else waits.
type Resting struct {
	On    []*Progress // none: nobody
	Range hcl.Range
}

// A Waiver accepts that a requirement is violated, in the ways that Run says.
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

// placeholders are the texts that templates of acceptances have, or had, where something has to be written.
var placeholders = []string{"why this is acceptable", "who approves it", "why it is given up"}

// IsPlaceholder reports whether a reason or an approver is what a template has in its place.
func IsPlaceholder(text string) bool {
	bare := strings.ToLower(strings.Trim(strings.Join(strings.Fields(text), " "), ".…# "))
	return slices.Contains(placeholders, bare)
}
