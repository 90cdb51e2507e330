package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/report/escape"
)

// FailsGate reports whether a gate that fails on new findings objects to f.
func FailsGate(f finding.Finding) bool { return f.Objection(finding.FailNew) == finding.Violations }

// Explained reports whether a finding is shown with its evidence: it is new or weakened and not accepted, or somebody has yet to approve its waiver, and
// needs to see what it waives.
func Explained(f finding.Finding) bool {
	switch f.Kind {
	case finding.New, finding.WaiverExpired, finding.Weakened:
		return !Waived(f)
	case finding.Waived:
		return FailsGate(f)
	}
	return false
}

// settled describes the state of the acceptance that a finding depends on. It returns "" if base has it already or there is none.
func settled(a *finding.Acceptance, in Medium) string {
	if a == nil {
		return ""
	}
	switch a.State {
	case finding.ByBase:
		return ""
	case finding.ByApproval:
		return "Approved by " + Enumerated(a.By, in) + onCommit(a, in) + "."
	case finding.ByAmendment:
		return Joined(" ", whose(a)+", and the settings take the amendment's word (acceptance).", in.Prose(a.Why))
	case finding.Idle:
		if a.Stood {
			return "The amendment brings this acceptance, of what was broken before, too; it counts once base has it."
		}
		return "The amendment brings this acceptance; nothing rests on it."
	case finding.Refused, finding.Unreadable:
		return Joined(" ", whose(a)+", and "+pending(a, in), toName(a, in))
	}
	if a.InBase {
		return Joined(" ", whose(a)+": "+pending(a, in), toName(a, in))
	}
	return whose(a) + ", which does not count by itself: " + pending(a, in)
}

// whose begins a sentence: the amendment alone has an acceptance that base's do not cover, or base has the same, and what for.
func whose(a *finding.Acceptance) string {
	switch {
	case !a.InBase:
		return "The amendment accepts this itself"
	case a.Kind == finding.AcceptWaiver:
		return "Base has this waiver too, but of a promise that reads otherwise there"
	case a.Run != "":
		return "Base has this accept too, but it covers only what failed there, and this is new"
	}
	return "Base has this accept too, but that it covers all that fails now is not proved"
}

// toName says how an accept can name the run that base's does not cover. It returns "" if there is nothing to name.
func toName(a *finding.Acceptance, in Medium) string {
	if a.Run == "" {
		return ""
	}
	return "To accept this and nothing else, name its run: run = " + in.Code(`"`+a.Run+`"`) + "."
}

// pending describes in a part of a sentence, and the sentences after it, what an acceptance lacks that does not count.
func pending(a *finding.Acceptance, in Medium) string {
	switch {
	case a.State == finding.Refused:
		return Joined(" ", "changes were asked for.", in.Prose(a.Why), diag.Capital(lacking(a, in))+".")
	case a.State == finding.Unreadable:
		return Joined(" ", "who approved it could not be read.", in.Prose(a.Why), diag.Capital(lacking(a, in))+".")
	case baseOnly(a):
		return lacking(a, in) + "."
	}
	return Joined(" ", "not yet approved,", lacking(a, in)+".", in.Prose(a.Why))
}

// baseOnly reports whether no approval is enough for an acceptance, and its Why says what is.
func baseOnly(a *finding.Acceptance) bool {
	return a.State == finding.Pending && len(a.Needs) == 0 && a.Commit == "" && a.Why != ""
}

// lacking describes whose approval an acceptance needs, and on which commit.
func lacking(a *finding.Acceptance, in Medium) string {
	if baseOnly(a) {
		return in.Prose(strings.ToLower(a.Why[:1]) + strings.TrimSuffix(a.Why[1:], "."))
	}
	switch len(a.Needs) {
	case 0:
		return "needs the approval of a person who may write to the repository and had no hand in the amendment" + onCommit(a, in)
	case 1:
		return "needs " + in.Prose(a.Needs[0]) + onCommit(a, in)
	}
	return "needs one of " + Enumerated(a.Needs, in) + onCommit(a, in)
}

// onCommit returns the commit that an acceptance is bound to, shortened, or "" if there is none.
func onCommit(a *finding.Acceptance, in Medium) string {
	if a.Commit == "" {
		return ""
	}
	return " on commit " + in.Prose(fmt.Sprintf("%.7s", a.Commit))
}

// brings describes an acceptance that no finding depends on, with its reason.
func brings(a finding.Acceptance, in Medium) string {
	brings, waives, accepts := "brings", "waives", "accepts"
	if a.InBase {
		brings, waives, accepts = "keeps", "still waives", "still accepts"
	}
	what := map[finding.AcceptanceKind]string{
		finding.AcceptWaiver: waives + " a violation of ", finding.AcceptFinding: accepts + " the failed check ", finding.AcceptRetire: "gives up ", finding.AcceptConfirm: "confirms ",
	}[a.Kind]
	if word := map[finding.AcceptanceKind]string{finding.AcceptWaiver: "a waiver", finding.AcceptFinding: "an accept", finding.AcceptRetire: "a retire"}[a.Kind]; word != "" && !a.Needed && !a.Stood {
		what = brings + " " + word + ", which nothing rests on, of "
	}
	return "The amendment " + what + in.Code(a.Name) + ". Reason given: " + WithFullStop(in.Prose(a.Reason))
}

// UnlinkedText describes an acceptance that no finding depends on, and its state.
func UnlinkedText(a finding.Acceptance, in Medium) string {
	if a.Kind == finding.AcceptSetting {
		return loosens(a, in)
	}
	if a.State == finding.Idle && !a.Stood {
		return brings(a, in)
	}
	return Joined(" ", brings(a, in), settled(&a, in))
}

// loosens describes a setting that makes later reviews less strict, and whether that is approved.
func loosens(a finding.Acceptance, in Medium) string {
	says := "The amendment changes how later ones are judged: " + in.Code(a.Name) + " " + in.Prose(a.Reason) + "."
	switch a.State {
	case finding.ByApproval:
		return says + " Approved by " + Enumerated(a.By, in) + onCommit(&a, in) + "."
	case finding.ByAmendment:
		return says + " By base's settings that takes no approval (acceptance)."
	case finding.ByBase, finding.Idle:
		return says + " This review still goes by base's settings."
	case finding.Refused:
		says += " Changes were asked for."
	case finding.Unreadable:
		says += " Who approved it could not be read."
	default:
		says += " Not yet approved."
	}
	return Joined(" ", says, in.Prose(a.Why), "It "+lacking(&a, in)+".")
}

// unapproved counts the acceptances that lack an approval that the gate requires. It returns as needs what they require, if all require the
// same.
func unapproved(r *finding.Review) (n int, needs string) {
	same := true
	for _, a := range r.Brought() {
		if !a.Blocking() {
			continue
		}
		says := lacking(&a, Terminal)
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

// retireBlock returns the lines of a block that a drafter can commit to give a promise up. The block goes beside the contract, or into the
// settings if the contract is gone. It is refused until its reason is filled in.
func retireBlock(f finding.Finding, contract string) []string {
	lines := []string{`retire "` + escape.Visible(f.RetireName(), escape.NameLength) + `" {`}
	if contract != "" {
		lines = append(lines, `  contract = "`+escape.Visible(contract, escape.NameLength)+`"`)
	}
	lines = append(lines, `  digest   = "`+f.Promise+`"`, `  reason   = "" # why it is given up`, "}")
	if contract == "" {
		lines[1], lines[2] = strings.Replace(lines[1], "  digest   =", "  digest =", 1), strings.Replace(lines[2], "  reason   =", "  reason =", 1)
	}
	return lines
}

// Retirable reports whether a promise that is given up can be retired by a new block.
func Retirable(f finding.Finding) bool {
	return f.GivenUp() && f.Promise != "" && f.Acceptance() == nil
}

// An Offer is a block that a drafter can commit to have a finding accepted. The zero Offer is none.
type Offer struct {
	What  string   // the start of a sentence: what the block accepts
	Where string   // its end: where the block goes
	Then  string   // what has to follow, if Where does not say it
	Block []string // lines, to be copied
}

// Lead returns the sentence that introduces the block.
func (o Offer) Lead() string { return o.What + ", " + o.Where + o.Then + ":" }

// ToAccept returns the block that accepts a finding. Gone is the contract's path if head no longer has it.
func ToAccept(f *finding.Finding, gone string, in Medium) Offer {
	then := map[finding.AcceptanceRule]string{finding.AcceptApproved: ", and have it approved", finding.AcceptBase: ", and merge that before this amendment"}[f.Rule()]
	besides := "commit in a file of the contract (" + in.Code("*.contract.hcl") + "), outside every block"
	switch {
	case Retirable(*f):
		if gone != "" {
			besides = "commit in " + in.Code(".github/redline.hcl")
		}
		return Offer{"To give this promise up, and no other", besides, then, retireBlock(*f, gone)}
	case f.Check != nil && acceptable(f.Check):
		return Offer{"To accept this, and nothing else", besides, then, acceptBlock(f.Check)}
	case f.Check == nil && f.Head != nil && Waivable(f.Head):
		at := in.Code(Place(f.Head.Source.Filename, f.Head.Source.Start.Line, f.Head.Source.Start.Column))
		name := cmp.Or(strings.TrimSpace(lastName(f.Head.Name)), f.Head.Name) // of a phase, as its template has it
		block := blockWord(f.Head) + " " + in.Code(name) + " (" + at + ")"
		if w := f.Head.Waiver; w != nil {
			runs := append(strings.Fields(escape.Visible(w.Run, len(w.Run))), fingerprints(f)...)
			return Offer{toWaive(f), "put this in place of " + in.Code("run") + " in the waiver of " + block, then, []string{`run = "` + strings.Join(runs, " ") + `"`}}
		}
		return Offer{toWaive(f), "put this into the braces of " + block, then, waiverBlock(f)}
	}
	return Offer{}
}

// toWaive returns the start of a sentence: what a waiver of a violation accepts.
func toWaive(f *finding.Finding) string {
	switch {
	case f.Head.Scenario != nil:
		return "To accept that this scenario fails at this point, however that comes about"
	case f.Head.Waiver != nil:
		return "To accept this violation, too"
	case f.Blame != nil && f.Blame.First != nil:
		return "To accept this violation by both runs, and by no other"
	}
	return "To accept this violation, and no other"
}

// blockWord returns the word for the block of a requirement: a scenario is one, too.
func blockWord(r *finding.Requirement) string {
	if r.Scenario != nil {
		return "scenario"
	}
	return "requirement"
}

// ContractGone returns the path of a contract that head no longer has, and "" if head has it.
func ContractGone(c *finding.ContractReview) string {
	if c.Head == nil {
		return c.Path
	}
	return ""
}

// withdrawn describes the state of a promise that head no longer makes.
func withdrawn(f finding.Finding, in Medium) string {
	kept := "The contract kept it before."
	if f.OfNorms() {
		kept = "" // a norm may be breached
	}
	final := f.Check != nil && !f.OfNorms()
	if f.Base != nil && f.Base.Verdict == finding.Unknown || final && f.Was == finding.Unknown {
		kept = "Whether the contract kept it before is unknown."
	}
	if f.Base.Named() {
		kept = "The contract broke it before, in a way that a waiver named: a waiver accepts that way, and not that the promise is given up."
	}
	if final && f.Was == finding.Violated {
		kept = "The contract broke it before, as an accept allowed: that accepts what failed, and not that the promise is given up."
	}
	says := Joined(" ", "The amendment does not make this promise any more.", kept)
	switch {
	case f.Emptied():
		return Joined(" ", "The amendment empties this promise.", kept, Hollows(f, in))
	case f.Head == nil:
	case f.Head.Verdict == finding.Violated:
		says += " It does not keep the old wording now either."
	case f.Head.Verdict == finding.Holds:
		says += " It still keeps the old wording, but no promise that it makes is known to imply it."
	case f.Head.Verdict == finding.Unknown:
		says += " " + WithFullStop(Joined(": ", "Whether it still would is unknown", in.Prose(f.Head.Reason)))
	}
	return says
}

// givenUpBy describes the acceptance of a promise that is given up: whether base has it already, its reason and its state.
func givenUpBy(a *finding.Acceptance, in Medium) string {
	if a == nil {
		return ""
	}
	by := ""
	if a.State == finding.ByBase {
		by = "Base has given it up already."
	}
	return Joined(" ", by, "Reason given:", WithFullStop(in.Prose(a.Reason)), settled(a, in))
}

// A settlement counts findings by the state of their acceptances.
type settlement struct {
	withdrawn, emptied  int    // promises withdrawn without any acceptance; those of them that head only empties
	unwaived, unretired int    // promises waived or given up by acceptances that do not count
	rewaived            int    // of the unwaived: those that base breaks in the same way
	excused             int    // promises newly broken, by waivers that count
	retired             int    // promises given up with an acceptance that counts
	Pending             int    // acceptances that do not count
	baseToo             bool   // base has some of the pending ones, too
	needs               string // what the pending ones require; empty: there are none
	unapprovable        bool   // all of the pending ones are such that no approval is enough
	loosened, unloosed  int    // settings that make later reviews less strict; those of them among the pending
}

// settlementOf counts the findings and acceptances of a review.
func settlementOf(r *finding.Review) settlement {
	var n settlement
	for i := range r.Contracts {
		c := &r.Contracts[i]
		for _, f := range c.Findings {
			switch {
			case f.Kind == finding.Waived && FailsGate(f):
				n.unwaived++
				n.rewaived += count(!f.Novel() && f.Base != nil && f.Base.Verdict == finding.Violated)
			case f.Kind == finding.Waived && f.Novel():
				n.excused++
			case f.GivenUp() && FailsGate(f) && f.Acceptance() != nil:
				n.unretired++
			case f.Kind == finding.Dropped && FailsGate(f):
				n.withdrawn++
				n.emptied += count(f.Emptied())
			case f.GivenUp() && !FailsGate(f):
				n.retired++
			}
		}
	}
	for _, a := range r.Unplaced {
		if a.Kind == finding.AcceptSetting {
			n.loosened++
			n.unloosed += map[bool]int{true: 1}[a.Blocking()]
		}
	}
	n.Pending, n.needs = unapproved(r)
	n.baseToo = slices.ContainsFunc(r.Brought(), func(a finding.Acceptance) bool { return a.Blocking() && a.InBase })
	n.unapprovable = n.Pending > 0 && !slices.ContainsFunc(r.Brought(), func(a finding.Acceptance) bool { return a.Blocking() && !baseOnly(&a) })
	return n
}

// AcceptanceText describes, for a terminal, an acceptance that no finding depends on, and its state.
func AcceptanceText(a finding.Acceptance) string { return UnlinkedText(a, Terminal) }

// acceptable reports whether a failed check can be accepted by the fingerprint of its run.
func acceptable(d *finding.Diagnostic) bool {
	return d.Class == codes.Violation && d.Accepted == "" && d.Run != ""
}

// acceptBlock returns the lines of a block that accepts this failed check and nothing else. It is refused until its reason is filled in.
func acceptBlock(d *finding.Diagnostic) []string {
	lines := []string{`accept "` + escape.Visible(string(d.Code), escape.NameLength) + `" {`}
	if d.Subject != "" {
		lines = append(lines, "  on     = "+escape.Visible(d.Subject, escape.NameLength))
	}
	return append(lines, `  reason = "" # why this is acceptable`, `  run    = "`+escape.Visible(d.Run, escape.NameLength)+`"`, "}")
}

// RunLead returns the line that introduces the run of a diagnostic.
func RunLead(d *finding.Diagnostic) string {
	switch {
	case d.Trace != nil && d.Trace.Ends != nil && d.Trace.Ends.Refused && d.Trace.Ends.Side == diff.InBase:
		return "A run whose last step can't happen any more"
	case d.Trace != nil && d.Trace.Ends != nil && d.Trace.Ends.Refused:
		return "A run whose last step could not happen before"
	case OfNorms(d) && d.Trace != nil && d.Trace.Ends != nil && d.Trace.Ends.Alone:
		return "A run after which it differs"
	case OfNorms(d):
		return "A run of both versions after which it differs"
	}
	return "A run that leads there"
}

// AsOf returns which version the steps of a run show, if versions are compared after it, else "".
func AsOf(t *finding.Trace) string {
	switch {
	case t.Ends == nil || len(t.Prefix) == 0:
		return ""
	case t.Ends.Side == diff.InBase:
		return ", as it was before"
	}
	return ", as it is now"
}
