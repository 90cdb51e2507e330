package report

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/hclspec/codes"
)

// open reports whether a gate that goes by what is new objects to a finding.
func open(f engine.Finding) bool { return f.Objection(engine.FailNew) == engine.Violations }

// settled says what became of the acceptance that a finding rests on; empty: base has it, or there is none to speak of.
func settled(a *engine.Acceptance, in medium) string {
	if a == nil {
		return ""
	}
	switch a.State {
	case engine.ByBase:
		return ""
	case engine.ByApproval:
		return "Approved by " + listed(a.By, in) + onCommit(a, in) + "."
	case engine.ByAmendment:
		return joined(" ", "The amendment accepts this itself, and the settings take its word (acceptance).", in.prose(a.Why))
	case engine.Idle:
		return "The amendment brings this acceptance; nothing rests on it."
	case engine.Refused:
		return joined(" ", "The amendment accepts this itself, and changes were asked for.", in.prose(a.Why), capital(lacking(a, in))+".")
	case engine.Unreadable:
		return joined(" ", "The amendment accepts this itself, and who approved it could not be read.", in.prose(a.Why), capital(lacking(a, in))+".")
	}
	return joined(" ", "The amendment accepts this itself, which does not count by itself: not yet approved,", lacking(a, in)+".", in.prose(a.Why))
}

// lacking says whose approval an acceptance needs, and on which commit.
func lacking(a *engine.Acceptance, in medium) string {
	switch len(a.Needs) {
	case 0:
		return "needs the approval of a person who may write to the repository and had no hand in the amendment" + onCommit(a, in)
	case 1:
		return "needs " + in.prose(a.Needs[0]) + onCommit(a, in)
	}
	return "needs one of " + plainList(a.Needs, in) + onCommit(a, in)
}

func plainList(names []string, in medium) string {
	return strings.Join(mapped(names, in.prose), ", ")
}

func onCommit(a *engine.Acceptance, in medium) string {
	if a.Commit == "" {
		return ""
	}
	return " on commit " + in.prose(fmt.Sprintf("%.7s", a.Commit))
}

// brings says of an acceptance of no finding what it is: accept of dead-end: reason.
func brings(a engine.Acceptance, in medium) string {
	what := map[engine.AcceptanceKind]string{
		engine.AcceptWaiver: "waives a violation of ", engine.AcceptFinding: "accepts the failed check ", engine.AcceptRetire: "gives up ", engine.AcceptConfirm: "confirms ",
	}[a.Kind]
	if !a.Needed {
		what = map[engine.AcceptanceKind]string{
			engine.AcceptWaiver: "brings a waiver, which nothing rests on yet, of ", engine.AcceptFinding: "brings an accept, which nothing rests on yet, of ",
			engine.AcceptRetire: "brings a retire, which nothing rests on yet, of ", engine.AcceptConfirm: "confirms ",
		}[a.Kind]
	}
	return "The amendment " + what + in.code(a.Name) + ". Reason given: " + sentence(in.prose(a.Reason))
}

// unlinkedText says all of one.
func unlinkedText(a engine.Acceptance, in medium) string {
	return joined(" ", brings(a, in), settled(&a, in))
}

// unapproved counts the acceptances that a gate objects for want of, and says in one clause what they need: that of all of them, if it is one.
func unapproved(r *engine.Review) (n int, needs string) {
	same := true
	for _, a := range r.Brought() {
		if !a.Open() {
			continue
		}
		says := lacking(&a, terminal)
		if n++; n == 1 {
			needs = says
		}
		same = same && says == needs
	}
	if !same {
		needs = "needs approvals, which are named below"
	}
	return n, needs
}

// retireBlock is what a drafter can commit to have a promise given up: beside the contract, or where that is gone in the settings. It has no valid
// reason until somebody writes one.
func retireBlock(f engine.Finding, contract string) []string {
	lines := []string{`retire "` + visible(f.Promised(), nameLength) + `" {`}
	if contract != "" {
		lines = append(lines, `  contract = "`+visible(contract, nameLength)+`"`)
	}
	lines = append(lines, `  digest   = "`+f.Promise+`"`, `  reason   = "" # why it is given up`, "}")
	if contract == "" {
		lines[1], lines[2] = strings.Replace(lines[1], "  digest   =", "  digest =", 1), strings.Replace(lines[2], "  reason   =", "  reason =", 1)
	}
	return lines
}

// retirable reports whether a promise that is given up can be retired by a new block.
func retirable(f engine.Finding) bool { return f.GivenUp() && f.Promise != "" && f.Acceptance() == nil }

// toAccept is what a drafter can commit to have a finding accepted, after a line that says where; none where nothing accepts it.
func toAccept(f *engine.Finding, gone string) []string {
	switch {
	case retirable(*f):
		return append([]string{whereRetired(gone)}, retireBlock(*f, gone)...)
	case f.Check != nil && acceptable(f.Check):
		return append([]string{whereAccepted}, acceptBlock(f.Check)...)
	case f.Check == nil && f.Head != nil && waivable(f.Head):
		return append([]string{whereWaived}, waiverBlock(f.Head)...)
	}
	return nil
}

// Where the texts go that accept a failed check, and a violation.
const (
	whereAccepted = "To accept this, and nothing else, commit beside the contract, and have it approved:"
	whereWaived   = "To accept this violation, and no other, have a waiver approved in the requirement:"
)

// whereRetired says where the block goes.
func whereRetired(contract string) string {
	if contract == "" {
		return "To give this promise up, and no other, commit beside the contract, and have it approved:"
	}
	return "To give this promise up, and no other, commit in .github/redline.hcl, and have it approved:"
}

// contractGone is the path by which settings name a contract that head has no more; empty: head has it.
func contractGone(c *engine.ContractReview) string {
	if c.Head == nil {
		return c.Path
	}
	return ""
}

// withdrawn says what became of a promise that head does not make.
func withdrawn(f engine.Finding, in medium) string {
	kept := "The contract kept it before."
	if f.Base != nil && f.Base.Verdict == engine.Unknown {
		kept = "Whether the contract kept it before is unknown."
	}
	says := "The amendment does not make this promise any more. " + kept
	switch {
	case f.Head == nil:
	case f.Head.Verdict == engine.Holds:
		says += " It still keeps the old wording, and nothing would notice if it no longer did."
	case f.Head.Verdict == engine.Unknown:
		says += " Whether it still would is unknown: " + sentence(reason(f.Head, in))
	}
	return says
}

// givenUpBy says who has given a promise up.
func givenUpBy(a *engine.Acceptance, in medium) string {
	if a == nil {
		return ""
	}
	by := ""
	if a.State == engine.ByBase {
		by = "Base has given it up already."
	}
	return joined(" ", by, "Reason given:", sentence(in.prose(a.Reason)), settled(a, in))
}

// A settlement counts findings by whether what accepts them counts.
type settlement struct {
	withdrawn           int    // promises, and nothing accepts it
	unwaived, unretired int    // promises waived and given up by acceptances that do not count
	excused             int    // promises newly broken, by waivers that count
	retired             int    // given up, and that is accepted
	pending             int    // acceptances that do not count
	needs               string // what these need; empty: nothing
}

func settlementOf(r *engine.Review) settlement {
	var n settlement
	for i := range r.Contracts {
		c := &r.Contracts[i]
		for _, f := range c.Findings {
			switch {
			case f.Kind == engine.Waived && open(f):
				n.unwaived++
			case f.Kind == engine.Waived && newlyBroken(&f):
				n.excused++
			case f.GivenUp() && open(f) && f.Acceptance() != nil:
				n.unretired++
			case f.Kind == engine.Dropped && open(f):
				n.withdrawn++
			case f.GivenUp() && !open(f):
				n.retired++
			}
		}
	}
	n.pending, n.needs = unapproved(r)
	return n
}

// newlyBroken reports whether base did not break what is violated now, or not in this way.
func newlyBroken(f *engine.Finding) bool {
	return f.Base == nil || f.Base.Verdict != engine.Violated || f.Way != nil && f.Way.New
}

// AcceptanceText says in plain text what an acceptance of no finding is, and whether it counts.
func AcceptanceText(a engine.Acceptance) string { return unlinkedText(a, terminal) }

// FindingText says in plain text what an amendment did to a promise.
func FindingText(f engine.Finding) string { return meaning(f, terminal) }

// acceptable reports whether a failed check can be accepted by what it found.
func acceptable(d *engine.Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Run != ""
}

// acceptBlock is what a drafter can commit to have what a check found accepted, and nothing else. It has no valid reason until somebody writes one.
func acceptBlock(d *engine.Diagnostic) []string {
	lines := []string{`accept "` + visible(string(d.Code), nameLength) + `" {`}
	if d.Subject != "" {
		lines = append(lines, "  on     = "+visible(d.Subject, nameLength))
	}
	return append(lines, `  reason = "" # why this is acceptable`, `  run    = "`+visible(d.Run, nameLength)+`"`, "}")
}

// acceptPart shows it.
func acceptPart(d *engine.Diagnostic) part {
	return part{run, fold(strings.TrimSuffix(whereAccepted, ":"), fenced(acceptBlock(d)...))}
}

// runLead introduces the run of a diagnostic.
func runLead(d *engine.Diagnostic) string {
	if ofNorms(d) {
		return "A run after which it differs"
	}
	return "A run that leads there"
}
