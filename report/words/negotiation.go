package words

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
)

// The sentences of a negotiation, for every medium. The two redlines are called A and B, as in the command.

// Origin describes where a side was read from: its name, and whether that is a revision or a directory.
func Origin(o finding.Origin, in Medium) string {
	kind := "revision"
	if o.Directory {
		kind = "directory"
	}
	return in.Code(o.Name) + " (" + kind + ")"
}

// Redlines names the two redlines and their base.
func Redlines(n *finding.Negotiation, in Medium) string {
	return "A is " + Origin(n.A, in) + ", B is " + Origin(n.B, in) + "; both are redlines of " + Origin(n.Base, in) + "."
}

// doing describes what a redline does to the contract.
func doing(side string, c *finding.ContractReview) string {
	return side + map[finding.Status]string{
		finding.Same: " leaves it as it is", finding.Changed: " changes it", finding.Added: " adds it", finding.Removed: " removes it",
	}[c.Status]
}

// Doings describes what both redlines do to a contract.
func Doings(c *finding.ContractNegotiation) string {
	return doing("A", c.A) + ", " + doing("B", c.B) + "."
}

// Untouched reports whether neither redline changes the meaning of a contract or has findings.
func Untouched(c *finding.ContractNegotiation) bool {
	return c.A.Status == finding.Same && c.B.Status == finding.Same && len(c.A.Findings)+len(c.B.Findings) == 0
}

// Answer returns the text of a table cell: the verdict of one side on a promise.
func Answer(a *finding.Answer) string {
	switch {
	case !a.Given:
		return "—"
	case a.Requirement.Waived():
		return WaivedSign + " waived"
	case OfNorms(a.Check) && a.Verdict == finding.Violated:
		return Sign(a.Verdict) + map[bool]string{true: " drops", false: " changes"}[a.Check.Code == "norm-dropped"]
	case a.Check != nil && a.Verdict == finding.Violated:
		return Sign(a.Verdict) + " fails"
	case a.Check != nil && a.Verdict == finding.Holds && !a.Promised:
		return Sign(a.Verdict) + " (passes)"
	case a.Check != nil && a.Verdict == finding.Holds:
		return Sign(a.Verdict) + " passes"
	case !a.Promised:
		return Sign(a.Verdict) + " (" + a.Verdict.String() + ")"
	}
	return Sign(a.Verdict) + " " + a.Verdict.String()
}

// InBrackets returns the note that explains brackets in a table, or "" if it has none.
func InBrackets(all []finding.Promise) string {
	for i := range all {
		for _, a := range []*finding.Answer{&all[i].A, &all[i].B, &all[i].Merge} {
			if a.Given && !a.Promised && a.Check == nil {
				return "In brackets: no longer promised there, or in other words; what stands there is said of the wording of the base."
			}
		}
	}
	return ""
}

// Cells returns the verdicts of base, A, B and both together on a promise.
func Cells(c *finding.ContractNegotiation, p *finding.Promise) [4]string {
	both := Answer(&p.Merge)
	if c.Merge == nil {
		both = "?"
	}
	return [4]string{Answer(&p.Base), Answer(&p.A), Answer(&p.B), both}
}

// PromiseText returns the text of a row: the promise, or the message of a check.
func PromiseText(p *finding.Promise, in Medium) string {
	if p.Check != nil {
		return in.Prose(p.Check.Message)
	}
	return Promise(p.Requirement, in)
}

// Rows returns the promises in the order of a table: those that only both redlines together break, those that a redline affects, and the
// others.
func Rows(c *finding.ContractNegotiation) []*finding.Promise {
	var list []*finding.Promise
	joint := map[*finding.Promise]bool{}
	for _, j := range c.Broken {
		joint[&c.Promises[j.Promise]] = true
	}
	for i := range c.Promises {
		list = append(list, &c.Promises[i])
	}
	rank := func(p *finding.Promise) int {
		switch {
		case joint[p]:
			return 0
		case p.Effect(&p.A) != finding.NoEffect || p.Effect(&p.B) != finding.NoEffect || p.Effect(&p.Merge) != finding.NoEffect:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(p, q *finding.Promise) int { return cmp.Compare(rank(p), rank(q)) })
	return list
}

// effectOrder lists the effects in the order of a report, bad ones first.
var effectOrder = []finding.Effect{finding.Breaks, finding.Unkept, finding.Unsettled, finding.GivesUp, finding.Accepts, finding.StillRests, finding.Wins}

// EffectWord returns the verb for an effect on a promise.
func EffectWord(e finding.Effect, p *finding.Promise) string {
	if e == finding.Breaks && OfNorms(p.Check) {
		return normWord
	}
	return map[finding.Effect]string{
		finding.Breaks: "breaks", finding.Unkept: "promises and breaks", finding.Unsettled: "leaves undecided", finding.GivesUp: "gives up",
		finding.Accepts: "breaks, by a waiver", finding.StillRests: "leaves to the same actors", finding.Wins: "wins",
	}[e]
}

// EffectVerdict returns the verdict whose sign and colour an effect carries.
func EffectVerdict(e finding.Effect) finding.Verdict {
	switch e {
	case finding.Breaks, finding.Unkept:
		return finding.Violated
	case finding.Wins:
		return finding.Holds
	}
	return finding.Unknown
}

// EffectSign returns the sign that precedes an effect.
func EffectSign(e finding.Effect) string {
	switch e {
	case finding.GivesUp:
		return "−"
	case finding.Accepts, finding.StillRests:
		return WaivedSign
	}
	return Sign(EffectVerdict(e))
}

// A DoneTo is an effect on a promise, with the changes of the redline that cause it.
type DoneTo struct {
	Effect finding.Effect
	P      *finding.Promise
	Blame  *finding.Blame
}

// EffectsOf lists the effects of a redline on the promises, bad ones first. The function of selects the redline's answer.
func EffectsOf(c *finding.ContractNegotiation, review *finding.ContractReview, of func(p *finding.Promise) *finding.Answer) []DoneTo {
	var list []DoneTo
	for i := range c.Promises {
		p := &c.Promises[i]
		a := of(p)
		e := p.Effect(a)
		if e == finding.NoEffect {
			continue
		}
		d := DoneTo{Effect: e, P: p}
		for k := range review.Findings {
			if f := &review.Findings[k]; f.Finds(a.Requirement) && f.Check == a.Check {
				d.Blame = f.Blame
			}
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b DoneTo) int {
		return cmp.Compare(slices.Index(effectOrder, a.Effect), slices.Index(effectOrder, b.Effect))
	})
	return list
}

// OfA returns A's answer on a promise.
func OfA(p *finding.Promise) *finding.Answer { return &p.A }

// OfB returns B's answer on a promise.
func OfB(p *finding.Promise) *finding.Answer { return &p.B }

// Jointly explains how both redlines together cause a violation.
func Jointly(j *finding.Joint) string {
	if j.Finding.OfNorms() {
		return "A alone does not change this, and neither does B; both together do."
	}
	switch j.Undoes {
	case finding.SideA:
		return "A repairs this; with B it is broken again."
	case finding.SideB:
		return "B repairs this; with A it is broken again."
	}
	return "A alone does not break this, and neither does B; both together do."
}

// PartOf names the changes of a redline that contribute to a violation.
func PartOf(side string, g *finding.Blame, in Medium) string {
	if g == nil {
		return ""
	}
	if len(g.Blocks) == 0 {
		return WithFullStop("not known: " + in.Prose(g.Reason))
	}
	said := Mapped(g.Blocks[:min(len(g.Blocks), MostNames)], func(b finding.Block) string { return block(&b, in) })
	if more := len(g.Blocks) - MostNames; more > 0 {
		said = append(said, Several(more, "other change"))
	}
	more := map[bool]string{true: "The run that shows it takes steps that need other changes of " + side + " as well."}[g.More]
	return Joined(" ", WithFullStop(strings.Join(said, "; and ")), more, WithFullStop(in.Prose(g.Reason)))
}

// Clash describes one side of a conflict.
func Clash(b *finding.Block, says string, in Medium) string {
	if says == "" {
		return block(b, in)
	}
	short := *b
	short.Terms = nil // the text below contains them
	return block(&short, in) + ": " + in.Code(OneLineOf(says))
}

// OneLineOf joins the lines of a text, with single blanks between words.
func OneLineOf(s string) string { return strings.Join(strings.Fields(s), " ") }

// Unmerged explains why there is no verdict on both redlines together. It returns "" if there is one.
func Unmerged(c *finding.ContractNegotiation, in Medium) string {
	switch {
	case c.Merge != nil:
		return ""
	case c.Unmerged != "":
		return WithFullStop("There is no text of both together, and so no verdict on it: " + in.Prose(c.Unmerged))
	}
	return "A and B are in conflict: there is no text of both together, and so no verdict on it."
}

// RefusedAlone describes which step of the run each redline alone refuses.
func RefusedAlone(j *finding.Joint, in Medium) []string {
	var lines []string
	for _, side := range []struct {
		name    string
		refusal *finding.Refusal
	}{{"A", j.RefusalA}, {"B", j.RefusalB}} {
		r := side.refusal
		if r == nil {
			continue
		}
		lead, nothing := fmt.Sprintf("With %s alone step %d is not possible there", side.name, r.Step), "nothing is"
		if r.Again {
			lead, nothing = fmt.Sprintf("With %s alone step %d is possible there, but not over and over", side.name, r.Step), "then nothing is"
		}
		lines = append(lines, refusedThere(lead, nothing, r.Instead, in))
	}
	return lines
}

// TraceOf returns the run that shows a violation, or nil if there is none.
func TraceOf(f *finding.Finding) *finding.Trace {
	if f.Check != nil {
		return f.Check.Trace
	}
	return f.Head.Trace
}

// A sideErrors has the errors of a side, or of both together.
type sideErrors struct {
	Lead   string
	Errors []finding.Diagnostic
}

// NegotiationErrors returns the errors of each side that has any, and those of both together.
func NegotiationErrors(c *finding.ContractNegotiation) []sideErrors {
	list := []sideErrors{{"A is ill-formed:", HeadErrors(c.A)}, {"B is ill-formed:", HeadErrors(c.B)}}
	if c.Merge != nil && c.Merge != c.A && c.Merge != c.B {
		list = append(list, sideErrors{"Both together are ill-formed (places are those in the text of both):", HeadErrors(c.Merge)})
	}
	return slices.DeleteFunc(list, func(e sideErrors) bool { return len(e.Errors) == 0 })
}

// leadOf describes which redline makes a sequence possible or impossible, and whether both together do.
func leadOf(c *finding.JointRun) string {
	was, is := finding.Impossible, finding.Possible
	verb, gone := "makes possible", "no longer is"
	if c.Lost {
		was, is = is, was
		verb, gone = "takes away", "is there again"
	}
	var who string
	switch {
	case c.A == was && c.B == was:
		return map[bool]string{false: "Possible only with both together:", true: "Taken away only by both together:"}[c.Lost]
	case c.A == is && c.B == is:
		who = "Each of A and B " + verb
	case c.A == is:
		who = "A " + verb
	default:
		who = "B " + verb
	}
	switch c.Merge {
	case is:
		return who + ":"
	case was:
		return who + ", and with both together it " + gone + ":"
	}
	return who + " (with both together: not known):"
}

// MaxSequences is the number of sequences of each kind that are shown.
const MaxSequences = 2

// SequenceLeads groups sequences by their lead. It returns the leads in order of first appearance.
func SequenceLeads(all []finding.JointRun) (leads []string, of map[string][]finding.JointRun) {
	of = map[string][]finding.JointRun{}
	for i := range all {
		lead := leadOf(&all[i])
		if of[lead] == nil {
			leads = append(leads, lead)
		}
		of[lead] = append(of[lead], all[i])
	}
	return leads, of
}

// Behaviours describes, in a line for each redline and for both together, how behaviour changes and which norms differ.
func Behaviours(c *finding.ContractNegotiation, in Medium) []string {
	var list []string
	for _, side := range []struct {
		name   string
		review *finding.ContractReview
	}{{"A", c.A}, {"B", c.B}, {"Both", c.Merge}} {
		if r := side.review; r != nil && r.Difference != nil {
			all := &r.Difference.All
			lead := map[bool]string{true: ": ", false: "; owed otherwise: "}[all.Relation == delta.Same]
			list = append(list, side.name+": "+WithFullStop(Joined(lead, DifferenceInShort(r.Difference), owedInShort(all.Owed, in))))
		}
	}
	return list
}

// An outcome counts the results of a negotiation.
type outcome struct {
	conflicts, unmerged, joint, undone, errors int
	breaks                                     [2]int   // promises broken by A and by B
	norms                                      [2]int   // norms dropped or changed by A and by B, which the gate objects to
	owes                                       []string // which of A, B and both together change what is owed
	wins, givesUp                              [2]int
	withdrawn, pending                         [2]int // promises withdrawn, and acceptances that do not count
	contracts                                  int
	gate                                       finding.ExitStatus
}

// OutcomeOf counts the results of a negotiation.
func OutcomeOf(n *finding.Negotiation) outcome {
	o := outcome{gate: n.Gate(n.On)}
	for i := range n.Contracts {
		c := &n.Contracts[i]
		o.contracts++
		for _, k := range c.Conflicts {
			o.conflicts += map[bool]int{false: 1}[k.Prose]
		}
		if c.Unmerged != "" {
			o.unmerged++
		}
		for _, j := range c.Broken {
			if j.Undoes == finding.Neither {
				o.joint++
			} else {
				o.undone++
			}
		}
		for k := range c.Promises {
			p := &c.Promises[k]
			for side, a := range []*finding.Answer{&p.A, &p.B} {
				switch e := p.Effect(a); e {
				case finding.Breaks, finding.Unkept:
					if OfNorms(p.Check) {
						o.norms[side]++
						continue
					}
					o.breaks[side]++
				case finding.Wins:
					o.wins[side]++
				case finding.GivesUp:
					o.givesUp[side]++
				}
			}
		}
		for _, r := range []*finding.ContractReview{c.A, c.B, c.Merge} {
			if r != nil {
				o.errors += len(HeadErrors(r))
			}
		}
		o.owing(c)
		for side, r := range []*finding.ContractReview{c.A, c.B} {
			n := settlementOf(&finding.Review{Contracts: []finding.ContractReview{*r}})
			o.withdrawn[side] += n.withdrawn
			o.pending[side] += n.Pending
		}
	}
	return o
}

// owing records who changes what is owed under a contract. It names both together only if neither does so alone.
func (o *outcome) owing(c *finding.ContractNegotiation) {
	var who []string
	for _, side := range []struct {
		name   string
		review *finding.ContractReview
	}{{"A", c.A}, {"B", c.B}, {"both together", c.Merge}} {
		if side.review == nil || side.review == c.Merge && who != nil {
			continue
		}
		if differs, _ := owedOtherwise(side.review); differs {
			who = append(who, side.name)
		}
	}
	for _, name := range who {
		if !slices.Contains(o.owes, name) {
			o.owes = append(o.owes, name)
		}
	}
}

// Verdict returns the verdict that corresponds to the exit status of the gate.
func (o outcome) Verdict() finding.Verdict {
	return map[finding.ExitStatus]finding.Verdict{finding.Clean: finding.Holds, finding.Violations: finding.Violated, finding.BadInput: finding.IllFormed}[o.gate]
}

// String summarizes the objections to the redlines in one line, or says that there are none.
func (o outcome) String() string {
	if o.contracts == 0 {
		return "there is no contract"
	}
	broken := func(n int, who string) string { return suffixed(SomeOf(n, "promise"), " "+who) }
	said := Joined("; ",
		SomeOf(o.conflicts, "conflict"), some(o.unmerged, "without a text of both"), SomeOf(o.errors, "error"),
		broken(o.joint, "broken only by both together"), broken(o.undone, "repaired by one and broken again with the other"),
		broken(o.breaks[0], "broken by A"), broken(o.breaks[1], "broken by B"),
		suffixed(SomeOf(o.norms[0], "change"), " of what is owed, made by A"), suffixed(SomeOf(o.norms[1], "change"), " of what is owed, made by B"),
		broken(o.withdrawn[0], "withdrawn by A"), broken(o.withdrawn[1], "withdrawn by B"),
		pendingOf(o.pending[0], "A"), pendingOf(o.pending[1], "B"))
	switch {
	case said != "":
		return said
	case o.gate == finding.OutOfLimit:
		return "not decided: a limit was reached"
	case o.gate != finding.Clean:
		return "there is something to object to"
	case len(o.owes) > 0:
		slices.Sort(o.owes)
		return "no promise is newly broken, but what is owed changes: by " + strings.Join(o.owes, ", by ")
	}
	return "nothing to object to in A, in B, or in both together"
}

// pendingOf counts the acceptances of a redline that findings depend on and that do not count.
func pendingOf(n int, side string) string {
	return suffixed(SomeOf(n, "acceptance"), " of "+side+map[bool]string{true: " that is not base's", false: " that are not base's"}[n == 1])
}

// Rest counts the promises that each redline wins and gives up, and the contracts.
func (o outcome) Rest() string {
	side := func(i int, name string) string {
		said := Joined(", ", some(o.wins[i], "won"), some(o.givesUp[i], "given up"))
		if said == "" {
			return ""
		}
		return name + ": " + said
	}
	return Joined("; ", side(0, "A"), side(1, "B"), Several(o.contracts, "contract")+" looked at")
}
