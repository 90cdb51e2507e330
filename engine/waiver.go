package engine

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
)

// WaiverState says what a waiver comes to, given its requirement's verdict and the day.
type WaiverState uint8

const (
	Unjudged WaiverState = iota // the requirement has no verdict
	InForce                     // the violation is accepted
	Expired                     // its last day is over
	Undated                     // it has a last day, and the caller did not say what day it is: it does not count
	OtherRun                    // the requirement is violated by another run than the one accepted
	Needless                    // the requirement holds
)

func (s WaiverState) String() string {
	return [...]string{"unjudged", "in force", "expired", "undated", "other run", "needless"}[s]
}

// A Waiver is what somebody has accepted about a requirement.
type Waiver struct {
	Reason, Approver string
	Expires          string // the last day it is in force, as 2027-03-31; empty: it does not expire
	Run              string // the fingerprint of the counterexample it accepts; of several, separated by a space
	State            WaiverState
	Source           hcl.Range
}

// Waived reports whether the requirement is violated and a waiver in force accepts that.
func (q *Requirement) Waived() bool {
	return q != nil && q.Verdict == Violated && q.Waiver != nil && q.Waiver.State == InForce
}

// A Date is a day of the calendar, as 2027-03-31; empty when nobody said which.
type Date string

// Set reads a day, so that Date is the value of a flag.
func (d *Date) Set(text string) error {
	if !hclspec.IsDay(text) {
		return fmt.Errorf("%q is no day: write YYYY-MM-DD", text)
	}
	*d = Date(text)
	return nil
}

func (d *Date) String() string { return string(*d) }

// Type names the value in a command's help.
func (d *Date) Type() string { return "day" }

func waiverOf(w *hclspec.Waiver) *Waiver {
	if w == nil {
		return nil
	}
	return &Waiver{Reason: w.Reason, Approver: w.Approver, Expires: w.Expires, Run: w.Run, Source: w.Range}
}

// judge says what the waiver comes to once its requirement is decided.
func (q *Requirement) judge(today Date) {
	w := q.Waiver
	switch {
	case w == nil:
	case q.Verdict == Holds:
		w.State = Needless
	case q.Verdict != Violated:
		w.State = Unjudged
	case !slices.Contains(strings.Fields(w.Run), q.Run):
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

// needless warns of waivers of what holds.
func (d *Draft) needless(r *Result) {
	for _, q := range r.Requirements {
		if q.Waiver != nil && q.Waiver.State == Needless {
			r.Diagnostics = append(r.Diagnostics, d.finding("waiver-needless", "requirement."+q.Name, q.Waiver.Source,
				fmt.Sprintf("Requirement %q holds, so its waiver accepts nothing.", q.Name),
				"Remove the waiver, so that it can't hide a later violation."))
		}
	}
}

// fingerprint is the SHA-256 of a counterexample: what it refutes, and the run by what happens in
// which order. Neither prose nor places of the source nor the names of states are in it but where
// the formula names them, so it changes only when another run, or another promise, is at stake.
func (d *Draft) fingerprint(promise string, t *Trace) string {
	var b strings.Builder
	fmt.Fprintf(&b, "redline run 1\n%s\n", promise)
	d.writeRun(&b, t)
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(b.String())))
}

func (d *Draft) writeRun(b *strings.Builder, t *Trace) {
	d.writeFirings(b, t.Prefix)
	if len(t.Loop) > 0 {
		b.WriteString("loop\n")
		d.writeFirings(b, t.Loop)
	}
	if t.DeadEnd {
		b.WriteString("dead end\n")
	}
	if t.Stops {
		b.WriteString("stops\n")
	}
	for _, next := range t.Then {
		b.WriteString("then\n")
		d.writeRun(b, next)
		b.WriteString("end\n")
	}
}

// writeFirings writes a line for each firing; those of one step after the first are marked so.
func (d *Draft) writeFirings(b *strings.Builder, run []Firing) {
	for i, f := range run {
		with := ""
		if i > 0 && run[i-1].Step == f.Step {
			with = "with "
		}
		fmt.Fprintf(b, "%s%q %q\n", with, f.Event, d.own(f))
	}
}

// own are the transitions of a firing that the drafter wrote, all where there is none: what was made
// only keeps account, and may come and go with other clauses.
func (d *Draft) own(f Firing) []string {
	var list []string
	for i, t := range f.Transitions {
		if !d.made(f.Parties[i]) {
			list = append(list, t)
		}
	}
	if list == nil {
		return f.Transitions
	}
	return list
}

func (d *Draft) made(party string) bool {
	i := slices.IndexFunc(d.parties, func(p *hclspec.Party) bool { return p.Name == party })
	return i >= 0 && d.parties[i].Made != ""
}
