package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/delta"
)

// The words of a negotiation, in every medium. The two redlines are A and B, as the command has them.

// origin says where a side was read from.
func origin(o engine.Origin, in medium) string {
	kind := "revision"
	if o.Directory {
		kind = "directory"
	}
	return in.code(o.Name) + " (" + kind + ")"
}

func redlines(n *engine.Negotiation, in medium) string {
	return "A is " + origin(n.A, in) + ", B is " + origin(n.B, in) + "; both are redlines of " + origin(n.Base, in) + "."
}

// doing says what a redline does to the contract.
func doing(side string, c *engine.ContractReview) string {
	return side + map[engine.Status]string{
		engine.Same: " leaves it as it is", engine.Changed: " changes it", engine.Added: " adds it", engine.Removed: " removes it",
	}[c.Status]
}

func doings(c *engine.ContractNegotiation) string {
	return doing("A", c.A) + ", " + doing("B", c.B) + "."
}

// untouched reports whether neither redline changes a contract's meaning, and there is nothing to say of it.
func untouched(c *engine.ContractNegotiation) bool {
	return c.A.Status == engine.Same && c.B.Status == engine.Same && len(c.A.Findings)+len(c.B.Findings) == 0
}

// answer is a cell of the table.
func answer(a *engine.Answer) string {
	switch {
	case !a.Given:
		return "—"
	case a.Requirement.Waived():
		return waivedSign + " waived"
	case ofNorms(a.Check) && a.Verdict == engine.Violated:
		return sign(a.Verdict) + map[bool]string{true: " drops", false: " changes"}[a.Check.Code == "norm-dropped"]
	case a.Check != nil && a.Verdict == engine.Violated:
		return sign(a.Verdict) + " fails"
	case a.Check != nil && a.Verdict == engine.Holds && !a.Promised:
		return sign(a.Verdict) + " (passes)"
	case a.Check != nil && a.Verdict == engine.Holds:
		return sign(a.Verdict) + " passes"
	case !a.Promised:
		return sign(a.Verdict) + " (" + a.Verdict.String() + ")"
	}
	return sign(a.Verdict) + " " + a.Verdict.String()
}

// inBrackets explains the brackets of a table, if it has any.
func inBrackets(all []engine.Promise) string {
	for i := range all {
		for _, a := range []*engine.Answer{&all[i].A, &all[i].B, &all[i].Merge} {
			if a.Given && !a.Promised && a.Check == nil {
				return "In brackets: no longer promised there, or in other words; what stands there is said of the wording of the base."
			}
		}
	}
	return ""
}

// cells are the answers of base, A, B and both together.
func cells(c *engine.ContractNegotiation, p *engine.Promise) [4]string {
	both := answer(&p.Merge)
	if c.Merge == nil {
		both = "?"
	}
	return [4]string{answer(&p.Base), answer(&p.A), answer(&p.B), both}
}

// promiseText is what a row is about.
func promiseText(p *engine.Promise, in medium) string {
	if p.Check != nil {
		return in.prose(p.Check.Message)
	}
	return promise(p.Requirement, in)
}

// rows are the promises in the order in which they are told: what only both break, what anybody moves,
// the others.
func rows(c *engine.ContractNegotiation) []*engine.Promise {
	var list []*engine.Promise
	joint := map[*engine.Promise]bool{}
	for _, j := range c.Broken {
		joint[&c.Promises[j.Promise]] = true
	}
	for i := range c.Promises {
		list = append(list, &c.Promises[i])
	}
	rank := func(p *engine.Promise) int {
		switch {
		case joint[p]:
			return 0
		case p.Effect(&p.A) != engine.NoEffect || p.Effect(&p.B) != engine.NoEffect || p.Effect(&p.Merge) != engine.NoEffect:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(p, q *engine.Promise) int { return cmp.Compare(rank(p), rank(q)) })
	return list
}

// effectOrder is the order in which effects are told, bad ones first.
var effectOrder = []engine.Effect{engine.Breaks, engine.Unkept, engine.Unsettled, engine.GivesUp, engine.Accepts, engine.StillRests, engine.Wins}

func effectWord(e engine.Effect, p *engine.Promise) string {
	if e == engine.Breaks && ofNorms(p.Check) {
		return normWord
	}
	return map[engine.Effect]string{
		engine.Breaks: "breaks", engine.Unkept: "promises and breaks", engine.Unsettled: "leaves undecided", engine.GivesUp: "gives up",
		engine.Accepts: "breaks, by a waiver", engine.StillRests: "leaves to the same actors", engine.Wins: "wins",
	}[e]
}

// effectVerdict is the verdict whose sign and colour an effect carries.
func effectVerdict(e engine.Effect) engine.Verdict {
	switch e {
	case engine.Breaks, engine.Unkept:
		return engine.Violated
	case engine.Wins:
		return engine.Holds
	}
	return engine.Unknown
}

// effectSign stands before an effect.
func effectSign(e engine.Effect) string {
	switch e {
	case engine.GivesUp:
		return "−"
	case engine.Accepts, engine.StillRests:
		return waivedSign
	}
	return sign(effectVerdict(e))
}

// A doneTo is an effect on a promise, and which changes of the redline bring it about.
type doneTo struct {
	effect engine.Effect
	p      *engine.Promise
	guilt  *engine.Guilt
}

// effects lists what a redline does to the promises.
func effectsOf(c *engine.ContractNegotiation, review *engine.ContractReview, of func(p *engine.Promise) *engine.Answer) []doneTo {
	var list []doneTo
	for i := range c.Promises {
		p := &c.Promises[i]
		a := of(p)
		e := p.Effect(a)
		if e == engine.NoEffect {
			continue
		}
		d := doneTo{effect: e, p: p}
		for k := range review.Findings {
			if f := &review.Findings[k]; f.Head == a.Requirement && f.Check == a.Check {
				d.guilt = f.Guilt
			}
		}
		list = append(list, d)
	}
	slices.SortStableFunc(list, func(a, b doneTo) int {
		return cmp.Compare(slices.Index(effectOrder, a.effect), slices.Index(effectOrder, b.effect))
	})
	return list
}

func ofA(p *engine.Promise) *engine.Answer { return &p.A }
func ofB(p *engine.Promise) *engine.Answer { return &p.B }

// jointly says how a violation comes of both.
func jointly(j *engine.Joint) string {
	if j.Finding.OfNorms() {
		return "A alone does not change this, and neither does B; both together do."
	}
	switch j.Undoes {
	case engine.SideA:
		return "A repairs this; with B it is broken again."
	case engine.SideB:
		return "B repairs this; with A it is broken again."
	}
	return "A alone does not break this, and neither does B; both together do."
}

// partOf says which changes of a redline have a part in a violation.
func partOf(side string, g *engine.Guilt, in medium) string {
	if g == nil {
		return ""
	}
	if len(g.Blocks) == 0 {
		return sentence("not known: " + in.prose(g.Reason))
	}
	said := mapped(g.Blocks[:min(len(g.Blocks), mostNames)], func(b engine.Block) string { return block(&b, in) })
	if more := len(g.Blocks) - mostNames; more > 0 {
		said = append(said, several(more, "other change"))
	}
	return joined(" ", sentence(strings.Join(said, "; and ")), sentence(in.prose(g.Reason)))
}

// clash is one side of a conflict.
func clash(b *engine.Block, says string, in medium) string {
	if says == "" {
		return block(b, in)
	}
	short := *b
	short.Terms = nil // they stand in what it says
	return block(&short, in) + ": " + in.code(oneLineOf(says))
}

// oneLineOf is a text without its line ends.
func oneLineOf(s string) string { return strings.Join(strings.Fields(s), " ") }

// unmerged says why there is nothing to say of both together.
func unmerged(c *engine.ContractNegotiation, in medium) string {
	switch {
	case c.Merge != nil:
		return ""
	case c.Unmerged != "":
		return sentence("There is no text of both together, and so no verdict on it: " + in.prose(c.Unmerged))
	}
	return "A and B are in conflict: there is no text of both together, and so no verdict on it."
}

// refusedAlone says which step of the run each redline alone refuses.
func refusedAlone(j *engine.Joint, in medium) []string {
	var lines []string
	for _, side := range []struct {
		name    string
		refusal *engine.Refusal
	}{{"A", j.RefusalA}, {"B", j.RefusalB}} {
		r := side.refusal
		if r == nil {
			continue
		}
		lead := fmt.Sprintf("With %s alone step %d is not possible there", side.name, r.Step)
		if r.Again {
			lead = fmt.Sprintf("With %s alone step %d is possible there, but not over and over; then", side.name, r.Step)
		}
		lines = append(lines, refusedThere(lead, "nothing is", r.Instead, in))
	}
	return lines
}

// traceOf is the run that shows a violation; nil: there is none.
func traceOf(f *engine.Finding) *engine.Trace {
	if f.Check != nil {
		return f.Check.Trace
	}
	return f.Head.Trace
}

// sideErrors are the errors of a side, or of both together.
type sideErrors struct {
	lead   string
	errors []engine.Diagnostic
}

func negotiationErrors(c *engine.ContractNegotiation) []sideErrors {
	list := []sideErrors{{"A is ill-formed:", headErrors(c.A)}, {"B is ill-formed:", headErrors(c.B)}}
	if c.Merge != nil && c.Merge != c.A && c.Merge != c.B {
		list = append(list, sideErrors{"Both together are ill-formed (places are those in the text of both):", headErrors(c.Merge)})
	}
	return slices.DeleteFunc(list, func(e sideErrors) bool { return len(e.errors) == 0 })
}

// leadOf says whose a sequence is, and what becomes of it with both.
func leadOf(c *engine.Course) string {
	was, is := engine.Impossible, engine.Possible
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

// mostCourses is how many sequences are told of each kind.
const mostCourses = 2

// courseLeads groups sequences by what is said of them, in order.
func courseLeads(all []engine.Course) (leads []string, of map[string][]engine.Course) {
	of = map[string][]engine.Course{}
	for i := range all {
		lead := leadOf(&all[i])
		if of[lead] == nil {
			leads = append(leads, lead)
		}
		of[lead] = append(of[lead], all[i])
	}
	return leads, of
}

// behaviours says in a line each how what can happen changes, and which norms stand otherwise.
func behaviours(c *engine.ContractNegotiation, in medium) []string {
	var list []string
	for _, side := range []struct {
		name   string
		review *engine.ContractReview
	}{{"A", c.A}, {"B", c.B}, {"Both", c.Merge}} {
		if r := side.review; r != nil && r.Difference != nil {
			all := &r.Difference.All
			lead := map[bool]string{true: ": ", false: "; owed otherwise: "}[all.Relation == delta.Same]
			list = append(list, side.name+": "+sentence(joined(lead, inShort(all), owedInShort(all.Owed, in))))
		}
	}
	return list
}

// An outcome counts what a negotiation comes to.
type outcome struct {
	conflicts, unmerged, joint, undone, errors int
	breaks                                     [2]int   // A, B
	norms                                      [2]int   // that it drops or changes, and the gate objects to
	owes                                       []string // of A, B and both together, what changes what is owed
	wins, givesUp                              [2]int
	withdrawn, pending                         [2]int // promises given up, and acceptances, that do not count
	contracts                                  int
	gate                                       engine.ExitStatus
}

func outcomeOf(n *engine.Negotiation) outcome {
	o := outcome{gate: n.Gate(engine.FailNew)}
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
			if j.Undoes == engine.Neither {
				o.joint++
			} else {
				o.undone++
			}
		}
		for k := range c.Promises {
			p := &c.Promises[k]
			for side, a := range []*engine.Answer{&p.A, &p.B} {
				switch e := p.Effect(a); e {
				case engine.Breaks, engine.Unkept:
					if ofNorms(p.Check) {
						o.norms[side]++
						continue
					}
					o.breaks[side]++
				case engine.Wins:
					o.wins[side]++
				case engine.GivesUp:
					o.givesUp[side]++
				}
			}
		}
		for _, r := range []*engine.ContractReview{c.A, c.B, c.Merge} {
			if r != nil {
				o.errors += len(headErrors(r))
			}
		}
		o.owing(c)
		for side, r := range []*engine.ContractReview{c.A, c.B} {
			n := settlementOf(&engine.Review{Contracts: []engine.ContractReview{*r}})
			o.withdrawn[side] += n.withdrawn
			o.pending[side] += n.pending
		}
	}
	return o
}

// owing notes who changes what is owed under a contract; both together only where neither does alone.
func (o *outcome) owing(c *engine.ContractNegotiation) {
	var who []string
	for _, side := range []struct {
		name   string
		review *engine.ContractReview
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

func (o outcome) verdict() engine.Verdict {
	return map[engine.ExitStatus]engine.Verdict{engine.Clean: engine.Holds, engine.Violations: engine.Violated, engine.BadInput: engine.IllFormed}[o.gate]
}

// String says in one line what the negotiation comes to.
func (o outcome) String() string {
	if o.contracts == 0 {
		return "there is no contract"
	}
	broken := func(n int, who string) string {
		if n == 0 {
			return ""
		}
		return several(n, "promise") + " " + who
	}
	said := joined("; ",
		someOf(o.conflicts, "conflict"), some(o.unmerged, "without a text of both"), someOf(o.errors, "error"),
		broken(o.joint, "broken only by both together"), broken(o.undone, "repaired by one and broken again with the other"),
		broken(o.breaks[0], "broken by A"), broken(o.breaks[1], "broken by B"),
		suffixed(someOf(o.norms[0], "change"), " of what is owed, made by A"), suffixed(someOf(o.norms[1], "change"), " of what is owed, made by B"),
		broken(o.withdrawn[0], "withdrawn by A"), broken(o.withdrawn[1], "withdrawn by B"),
		pendingOf(o.pending[0], "A"), pendingOf(o.pending[1], "B"))
	switch {
	case said != "":
		return said
	case o.gate == engine.OutOfLimit:
		return "not decided: a limit was reached"
	case o.gate != engine.Clean:
		return "there is something to object to"
	case len(o.owes) > 0:
		slices.Sort(o.owes)
		return "no promise is newly broken, but what is owed changes: by " + strings.Join(o.owes, ", by ")
	}
	return "nothing to object to in A, in B, or in both together"
}

// pendingOf counts what a redline accepts for itself, as far as something rests on it and it does not count.
func pendingOf(n int, side string) string {
	if n == 0 {
		return ""
	}
	return several(n, "acceptance") + " of " + side + map[bool]string{true: " that is not base's", false: " that are not base's"}[n == 1]
}

// rest says what each wins and gives up.
func (o outcome) rest() string {
	side := func(i int, name string) string {
		said := joined(", ", some(o.wins[i], "won"), some(o.givesUp[i], "given up"))
		if said == "" {
			return ""
		}
		return name + ": " + said
	}
	return joined("; ", side(0, "A"), side(1, "B"), several(o.contracts, "contract")+" looked at")
}
