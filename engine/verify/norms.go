package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/halt"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
)

// The built-in checks of norms. A norm binds while its place on (owed, in force, given, held) is marked.

// normChecks runs the checks of norms on one state model. They share labels and the sweep.
type normChecks[S any] struct {
	*Checked[S]
	checker *labelling[S]
	pass    *sweep[S] // nil until something needs it
	found   []finding.Diagnostic
	how     map[string]*Fulfilment // see Answers.Fulfilment
	each    bool                   // report every occurrence of a norm, not the first alone
}

// norms checks obligations, prohibitions, permissions and powers, and returns the findings and how obligations can be fulfilled, by their subjects.
// Errors end it.
func (c *Checked[S]) norms(ctx context.Context, seen survey) ([]finding.Diagnostic, map[string]*Fulfilment) {
	if len(c.Spec.Norms) == 0 {
		return nil, nil
	}
	n := &normChecks[S]{Checked: c, checker: c.unbounded(), how: c.fulfilments(seen)}
	for _, norm := range c.Spec.Norms {
		n.check(ctx, norm)
	}
	n.idealRun(ctx)
	return n.found, n.how
}

// Clashes returns the findings of norms that bind while what they are about is forbidden. It has one for each occurrence of a norm for which that
// is so, and each round of a phase. norms has one for all of them.
func (c *Checked[S]) Clashes(ctx context.Context) (_ []finding.Diagnostic, err error) {
	defer halt.Caught(&err)
	n := &normChecks[S]{Checked: c, checker: c.unbounded(), each: true}
	for _, norm := range c.Spec.Norms {
		n.forbidden(ctx, norm)
	}
	return n.found, nil
}

// EachClash returns the findings of Clashes, accepted or not, if a result has some. They say of which occurrences a finding is, where that names one.
func (c *Checked[S]) EachClash(ctx context.Context, r *finding.Result) ([]finding.Diagnostic, error) {
	if !slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool {
		return d.Code == "obliged-and-forbidden" || d.Code == "permitted-and-forbidden"
	}) {
		return nil, nil
	}
	list, err := c.Clashes(ctx)
	each := &finding.Result{Diagnostics: list, Model: finding.Model{Incomplete: "only some checks were made"}}
	explain.Accept(c.Draft, each)
	return each.Diagnostics, err
}

// check runs all checks of one norm. If the norm never arises, that is the only finding.
func (n *normChecks[S]) check(ctx context.Context, norm *hclspec.Norm) {
	if n.neverArises(ctx, norm) {
		return
	}
	for _, check := range []func(context.Context, *hclspec.Norm){n.forbidden, n.unable, n.unanswered, n.notAgain, n.unusable} {
		check(ctx, norm)
	}
}

// sat returns the states that satisfy a formula.
func (n *normChecks[S]) sat(ctx context.Context, f *ctl.Formula) S {
	return halt.Must(n.checker.Sat(ctx, f))
}

// neverArises warns of a norm that never binds, and reports whether it never does.
func (n *normChecks[S]) neverArises(ctx context.Context, norm *hclspec.Norm) bool {
	if !n.none(n.sat(ctx, binds(n.Checked.Draft, norm))) {
		return false
	}
	why := "What brings it about never happens."
	if !n.none(n.sweep(ctx).starts[norm]) {
		why = "What brings it about happens only when it can't begin: after the contract has ended, or as it ends."
	}
	n.add("norm-never-arises", norm, fmt.Sprintf("The %s never arises.", norm.Called()), why, nil)
	return true
}

// forbidden finds states in which every act that fulfils an obligation is forbidden to its bearer, every act that is permitted, or every act that
// exercises a power.
func (n *normChecks[S]) forbidden(ctx context.Context, norm *hclspec.Norm) {
	if norm.Kind == hclspec.Prohibition {
		return
	}
	for _, bearers := range norm.Bearers {
		n.forbiddenTo(ctx, norm, bearers)
	}
}

// forbiddenTo finds them while some parties bear the norm: to all of these each act is forbidden.
func (n *normChecks[S]) forbiddenTo(ctx context.Context, norm *hclspec.Norm, bearers hclspec.Tenure) {
	bad, by := clash(n.Checked.Draft, norm, bearers)
	code, message, detail := codes.Code("obliged-and-forbidden"), "%s is obliged to do what it is forbidden: %s against %s.", ""
	switch norm.Kind {
	case hclspec.Permission:
		code, message = "permitted-and-forbidden", "%s is permitted what it is forbidden: %s against %s."
	case hclspec.Power:
		code, message, detail = "power-forbidden", "%s has a power that it is forbidden to use: %s against %s.", "There it can be exercised only by a breach."
	}
	n.report(ctx, code, norm, bad,
		fmt.Sprintf(message, n.who("The ", bearers), "“"+named(norm.Prose, norm.Name)+"”", strings.Join(by, ", ")), detail)
}

// who returns what parties are called in a sentence: the seller, or the seller and the guarantor.
func (n *normChecks[S]) who(article string, by hclspec.Tenure) string {
	return hclspec.Named(by.Parties, func(p *hclspec.Party) string {
		if p != by.Parties[0] {
			return n.Who("the ", p)
		}
		return n.Who(article, p)
	})
}

// Clash returns the formula for states in which a norm binds, and each of its acts is forbidden to all who bear it.
func Clash(d *compile.Draft, norm *hclspec.Norm) *ctl.Formula {
	var any []*ctl.Formula
	for _, bearers := range norm.Bearers {
		bad, _ := clash(d, norm, bearers)
		any = append(any, bad)
	}
	return compile.Join(ctl.Or, any)
}

// clash returns the formula for states in which some parties bear a norm that binds, and each of its acts is forbidden to all of them; and the titles
// of the prohibitions. Where it takes all acts, one that has yet to happen is enough.
func clash(d *compile.Draft, norm *hclspec.Norm, bearers hclspec.Tenure) (bad *ctl.Formula, by []string) {
	var all []*ctl.Formula
	for i, act := range norm.Acts {
		var each []*ctl.Formula
		for _, bearer := range bearers.Parties {
			var some []*ctl.Formula
			for _, p := range d.Spec.Norms {
				if p.Kind == hclspec.Prohibition && p.Borne(bearer) && slices.Contains(p.Acts, act) {
					some = append(some, at(d, p, p.On()))
					by = append(by, "“"+named(p.Prose, p.Name)+"”")
				}
			}
			each = append(each, compile.Join(ctl.Or, some))
		}
		forbidden := compile.Join(ctl.And, each)
		if norm.Needs != nil {
			yet := &ctl.Formula{Op: ctl.Not, Left: at(d, norm, norm.Needs[i])}
			forbidden = compile.Join(ctl.And, []*ctl.Formula{yet, forbidden})
		}
		all = append(all, forbidden)
	}
	acts := compile.Join(ctl.And, all)
	if norm.Needs != nil {
		acts = compile.Join(ctl.Or, all)
	}
	return compile.Join(ctl.And, append([]*ctl.Formula{at(d, norm, norm.On()), acts}, d.During(bearers)...)), slices.Compact(by)
}

// named returns a title, or the name if there is none.
func named(p hclspec.Prose, name string) string {
	if p.Title != "" {
		return p.Title
	}
	return name
}

// unanswered finds breaches without a consequence.
func (n *normChecks[S]) unanswered(ctx context.Context, norm *hclspec.Norm) {
	if !norm.Breachable || norm.Answered {
		return
	}
	message := fmt.Sprintf("When the %s is breached, nothing follows.", norm.Called())
	if lapses := n.lapses(norm); len(lapses) > 0 {
		message = fmt.Sprintf("When the %s is breached, %s can't happen any more, and nothing else follows.", norm.Called(), strings.Join(lapses, " and "))
	}
	n.report(ctx, "breach-without-consequence", norm, at(n.Checked.Draft, norm, norm.Breached()), message,
		"Name a reparation, let the breach end the contract, or let something begin when = "+norm.Written()+".breached.")
}

// lapses returns the names of the events that can happen only in states of a norm that its breach ends: while it is in force, say, or unless it is breached.
func (n *normChecks[S]) lapses(norm *hclspec.Norm) (all []string) {
	elsewhere := func(a hclspec.Alternative) bool {
		return len(a.Places) != 1 || a.Places[0] == norm.Breached() || !slices.Contains(norm.Net.Places, a.Places[0])
	}
	for _, e := range n.Spec.Events {
		if slices.ContainsFunc(e.Needs, func(need hclspec.Need) bool {
			return slices.Contains(need.Places(), norm.On()) && !slices.ContainsFunc(need, elsewhere)
		}) {
			all = append(all, fmt.Sprintf("%q", e.Name))
		}
	}
	return all
}

// notAgain warns of a norm whose start can happen again after its breach, which is permanent, or after the last of its occurrences.
func (n *normChecks[S]) notAgain(ctx context.Context, norm *hclspec.Norm) {
	if norm.AtMost {
		n.noRoom(ctx, norm)
		return
	}
	if len(norm.Starts) == 0 || norm.Times == 0 && !norm.Breachable || norm.Nth < norm.Times {
		return
	}
	over := []*hclspec.Place{norm.Breached()}
	message := fmt.Sprintf("Once it has been breached, the %s does not arise again, and yet what brings it about can still happen.", norm.Called())
	detail := "What is breached stays so. Where each time counts for itself, give it times = 12, and each is an obligation of its own."
	if norm.Kind != hclspec.Obligation {
		detail = "What is breached stays so. If the first breach settles the matter, accept this, or let the breach end the contract."
	}
	if norm.Times > 0 {
		over = append(norm.Binding(), norm.Net.PlaceNamed(norm.Kind.Construct().Done), norm.Breached())
		message = fmt.Sprintf("The %s has arisen, which is the last, and yet what brings it about can still happen.", norm.Called())
		detail = "Nothing is owed for that. Give it more times, or let something keep the event from happening."
	}
	var all []*ctl.Formula
	for _, p := range over {
		all = append(all, at(n.Checked.Draft, norm, p))
	}
	past := n.sat(ctx, compile.Join(ctl.Or, all))
	if n.none(past) {
		return
	}
	if end, ok := n.PlaceOf["contract.in_force"]; ok && !norm.Survives { // after the contract has ended it does not begin
		past = n.Model.sets().Intersect(past, n.sat(ctx, n.Marked(end)))
	}
	n.reportSome(ctx, norm, n.Model.sets().Intersect(past, n.sweep(ctx).starts[norm]), message, detail)
}

// noRoom warns of an obligation of which something can bring one more about while as many as there is room for are owed or were breached.
func (n *normChecks[S]) noRoom(ctx context.Context, norm *hclspec.Norm) {
	if norm.Nth < norm.Times {
		return
	}
	var all []*ctl.Formula
	for _, o := range n.Spec.Norms {
		if o.Of == norm.Of && o.AtMost {
			all = append(all, compile.Join(ctl.Or, []*ctl.Formula{binds(n.Checked.Draft, o), at(n.Checked.Draft, o, o.Breached())}))
		}
	}
	if end, ok := n.PlaceOf["contract.in_force"]; ok && !norm.Survives {
		all = append(all, n.Marked(end))
	}
	full := n.sat(ctx, compile.Join(ctl.And, all))
	if n.none(full) {
		return
	}
	n.reportSome(ctx, norm, n.Model.sets().Intersect(full, n.sweep(ctx).missed[norm]),
		fmt.Sprintf("There is room for %d of obligation %q at once, and what brings another about can happen while all are owed or were breached.", norm.Times, norm.Of),
		"Nothing is owed for that. Raise at_most, or let something keep the event from happening.")
}

// unusable warns of a power or permission that can never be used while it is held.
func (n *normChecks[S]) unusable(ctx context.Context, norm *hclspec.Norm) {
	if norm.Kind != hclspec.Power && norm.Kind != hclspec.Permission {
		return
	}
	type use struct {
		usable bool
		err    error
	}
	found := Memoized(ctx, n.Memo, n.Key("use", n.Unnamed, norm.Name), func() (u use) {
		defer halt.Caught(&u.err)
		s := n.sweep(ctx)
		on := n.sat(ctx, at(n.Checked.Draft, norm, norm.On()))
		u.usable = !n.none(n.Model.sets().Intersect(on, s.enabled[norm]))
		return u
	})
	if halt.Must(found, found.err); !found.usable {
		n.add("power-never-usable", norm, fmt.Sprintf("The %s can never be used.", norm.Called()),
			"In no state in which "+n.who("the ", norm.Bearers[0])+" "+verb(norm.Bearers[0], "has", "have")+" it can its event happen.", nil)
	}
}

// sweep returns the sweep of all norms, and makes it on first use.
func (n *normChecks[S]) sweep(ctx context.Context) *sweep[S] {
	if n.pass == nil {
		n.pass = n.sweepNorms(ctx)
	}
	return n.pass
}

// nothingDue returns the formulas that no event is due that happens by itself. It goes first, so what can be done is seen once it has happened.
func (n *normChecks[S]) nothingDue() (all []*ctl.Formula) {
	at := n.PlacesAt()
	for _, e := range n.Urgent() {
		all = append(all, n.Marked(at[e.Due.Not]))
	}
	return all
}

// verb returns the verb for one party, or for several.
func verb(by hclspec.Tenure, one, several string) string {
	if len(by.Parties) > 1 {
		return several
	}
	return one
}

// takesPartIn reports whether one of some parties takes part in one of the events of a norm.
func takesPartIn(d *compile.Draft, norm *hclspec.Norm, by hclspec.Tenure) bool {
	return slices.ContainsFunc(norm.Acts, func(e *hclspec.Event) bool { return partakes(d, e, by) })
}

// none reports whether a set has no state.
func (n *normChecks[S]) none(set S) bool {
	x := n.Model.sets()
	return x.Equal(set, x.Minus(set, set))
}

// reportSome warns that what brings a norm about comes to nothing, in the nearest state of a set, unless that is empty.
func (n *normChecks[S]) reportSome(ctx context.Context, norm *hclspec.Norm, set S, message, detail string) {
	if !n.none(set) && !n.reported("norm-never-again", norm) {
		n.report(ctx, "norm-never-again", norm, n.here(n.Model.nearest(ctx, set)), message, detail)
	}
}

// idealRun warns if every run has a breach.
func (n *normChecks[S]) idealRun(ctx context.Context) {
	if !halt.Must(n.checker.Holds(ctx, n.IdealRun())) {
		n.found = append(n.found, explain.NewDiagnostic(n.Checked.Draft, "no-ideal-run", "", n.Spec.Range, "Every run has a breach, unless it stops where something can still happen.",
			"No run without a breach goes on until nothing more can happen, or for ever, so whatever is required of ideal runs says nothing."))
	}
}

// report adds a finding on the nearest state that satisfies bad, with a run to it, or nothing if there is none.
func (n *normChecks[S]) report(ctx context.Context, code codes.Code, norm *hclspec.Norm, bad *ctl.Formula, message, detail string) {
	if n.reported(code, norm) {
		return
	}
	never := &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: bad}}
	if halt.Must(n.checker.Holds(ctx, never)) {
		return
	}
	trace := halt.Must(n.show(ctx, n.checker, explain.Runs{}, never, hclspec.CTL.String()))
	if trace == nil { // the initial state itself
		trace = &finding.Trace{End: explain.PartiesAt(n.Checked.Draft, n.Net.Initial)}
	}
	trace.Claim = ""
	n.add(code, norm, message, detail, trace)
}

// reported reports whether another occurrence of a norm, or the norm in another round of its phase, has a finding already: one is enough, unless
// what is accepted is that one alone.
func (n *normChecks[S]) reported(code codes.Code, norm *hclspec.Norm) bool {
	round := n.Spec.WithoutRound(norm.Written())
	return !n.each && (norm.Nth > 0 || round != norm.Name) && slices.ContainsFunc(n.found, func(d finding.Diagnostic) bool {
		kind, name, _ := strings.Cut(compile.WithoutIndex(d.Subject), ".")
		return d.Code == code && kind == norm.Kind.String() && n.Spec.WithoutRound(name) == round && !n.alone(&d, kind+"."+norm.Name)
	})
}

// alone reports whether an accept of a finding leaves the same of another subject out.
func (n *normChecks[S]) alone(d *finding.Diagnostic, other string) bool {
	return slices.ContainsFunc(n.Spec.Accepts, func(a *hclspec.Accept) bool {
		return a.Code == string(d.Code) && (a.On == "" || compile.Covers(a.On, d.Subject)) && (a.Run != "" || a.On != "" && !compile.Covers(a.On, other))
	})
}

// add appends a finding on a norm.
func (n *normChecks[S]) add(code codes.Code, norm *hclspec.Norm, message, detail string, trace *finding.Trace) {
	if n.reported(code, norm) {
		return
	}
	diag := explain.NewDiagnostic(n.Checked.Draft, code, norm.Kind.String()+"."+norm.Name, norm.Range, message, detail)
	diag.Trace = trace
	n.found = append(n.found, diag)
}

// binds returns the formula that a norm binds, suspended or not.
func binds(d *compile.Draft, norm *hclspec.Norm) *ctl.Formula {
	var any []*ctl.Formula
	for _, p := range norm.Binding() {
		any = append(any, at(d, norm, p))
	}
	return compile.Join(ctl.Or, any)
}

// at returns the atom for a place of a norm.
func at(d *compile.Draft, norm *hclspec.Norm, p *hclspec.Place) *ctl.Formula {
	return d.Marked(d.PlaceOf[norm.Name+"."+p.Name])
}
