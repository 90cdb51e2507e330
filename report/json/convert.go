package json

import (
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

func toContract(r *finding.Result) contract {
	return contract{
		Path: r.Path, Name: r.Name, Title: r.Title, Digest: r.Digest,
		Model:        toModel(r.Model),
		Requirements: words.Mapped(r.Requirements, toRequirement),
		Diagnostics:  words.Mapped(words.Listed(r), toDiagnostic),
		Proposals:    words.Mapped(r.Proposals, toProposal),
		Cached:       r.Cached,
	}
}

func toProposal(p finding.Proposal) proposal {
	return proposal{Name: p.Name, Title: p.Title, Formula: p.Formula, Assuming: words.Mapped(p.Assuming, same), Verdict: p.Verdict.String()}
}

func toModel(m finding.Model) model {
	return model{
		Places: m.Places, Transitions: m.Transitions,
		States: decimal(m.States), Arcs: decimal(m.Arcs), DeadEnds: decimal(m.DeadEnds),
		Firing: m.Firing, Engine: m.Engine, Incomplete: m.Incomplete,
		Stats: optional(m.Stats, func(s finding.Stats) stats { return stats(s) }), Unchecked: m.Unchecked,
	}
}

func toRequirement(r finding.Requirement) requirement {
	return requirement{
		Name: r.Name, Title: r.Title, Clause: r.Clause, Formula: r.Formula, Notation: r.Notation, Pattern: r.Pattern, Says: r.Says,
		Verdict: r.Verdict.String(), Engine: string(r.Engine), Reason: r.Reason,
		Vacuous: len(r.Vacuous) > 0,
		Vacuity: words.Mapped(r.Vacuous, func(v finding.Vacuity) vacuity { return vacuity(v) }),
		Source:  source{r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column},
		Trace:   toTrace(r.Trace),

		Assuming: words.Mapped(r.Assuming, same), RestsOn: restsOnly(r), Run: r.Run, Waiver: optional(r.Waiver, toWaiver),
		Waits: [][]string{}, Timely: r.Timely, NoRuns: r.NoRuns, Empty: r.Empty, Rests: optional(r.Rests, toRests),
		Scenario: optional(r.Scenario, toScenario),
	}
}

func toScenario(s finding.Scenario) scenario {
	return scenario{
		Steps: words.Mapped(s.Steps, same), Expect: s.Expect, Whose: s.Whose, Then: s.Then,
		Stops: s.Stops, Lacks: words.Mapped(s.Lacks, toPartyState), OneWay: s.OneWay, There: words.Mapped(s.There, toPartyState), Of: s.Of,
	}
}

// restsOnly returns the parties on whom a requirement says that it may rest, or nil if it does not say.
func restsOnly(r finding.Requirement) *[]string {
	if !r.Resting {
		return nil
	}
	names := words.Mapped(r.RestsOn, same)
	return &names
}

func toRests(r finding.Rests) rests {
	return rests{
		Sets: words.Mapped(r.Sets, func(names []string) []string { return words.Mapped(names, same) }), More: r.More,
		Norms: words.Mapped(r.Norms, func(set []finding.KeptNorm) []keptNorm {
			return words.Mapped(set, toKept)
		}),
		NoRuns: r.NoRuns, Ideal: r.Ideal, Unknown: r.Unknown,
	}
}

func toWaiver(w finding.Waiver) waiver {
	return waiver{
		Reason: w.Reason, Approver: w.Approver, Expires: w.Expires, Run: w.Run, State: w.State.String(),
		Source: source{w.Source.Filename, w.Source.Start.Line, w.Source.Start.Column},
	}
}

func toTrace(t *finding.Trace) *trace {
	if t == nil {
		return nil
	}
	return &trace{
		Claim: t.Claim, DeadEnd: t.DeadEnd, Stops: t.Stops,
		Prefix: words.Mapped(t.Prefix, toFiring), Loop: words.Mapped(t.Loop, toFiring),
		End: words.Mapped(t.End, toPartyState), Ends: toEnds(t.Ends), Then: words.Mapped(t.Then, toTrace),
	}
}

func toEnds(e *finding.Ends) *ends {
	if e == nil {
		return nil
	}
	return &ends{Side: sideWord(e.Side), Before: words.Mapped(e.Before, toPartyState), Now: words.Mapped(e.Now, toPartyState), Both: words.Mapped(e.Both, toPartyState)}
}

func toPartyState(s finding.PartyState) partyState {
	return partyState{Party: s.Party, Places: words.Mapped(s.Places, same)}
}

func toFiring(f finding.Firing) firing {
	return firing{
		Step: f.Step, Event: f.Event, Title: f.Title, Clause: f.Clause,
		Parties: words.Mapped(f.Parties, same), Transitions: words.Mapped(f.Transitions, same),
		Changed: words.Mapped(f.Changed, toChange), Leads: f.Leads,
	}
}

func toChange(c finding.Change) change {
	return change{Party: c.Party, Before: words.Mapped(c.Before, same), After: words.Mapped(c.After, same)}
}

func toDiagnostic(d finding.Diagnostic) diagnostic {
	return diagnostic{
		Code: string(d.Code), Severity: string(d.Class), Message: d.Message, Detail: d.Detail, Subject: d.Subject,
		File: d.Source.Filename, Line: d.Source.Start.Line, Column: d.Source.Start.Column,
		Accepted: d.Accepted, Run: d.Run, Follows: d.Follows, Trace: toTrace(d.Trace),
	}
}

func toContractReview(c finding.ContractReview) contractReview {
	return contractReview{
		Path: c.Path, Name: c.Name, Title: c.Title, Status: c.Status.String(),
		Findings: words.Mapped(c.Findings, toFinding), Outside: c.Outside, Acceptances: words.Mapped(c.Acceptances, toAcceptance),
		Base: optional(c.Base, func(r finding.Result) contract { return toContract(&r) }),
		Head: optional(c.Head, func(r finding.Result) contract { return toContract(&r) }),

		Reworded:   words.Mapped(c.Reworded, toTextChange),
		Defaults:   words.Mapped(c.Defaults, func(d finding.Default) unused { return unused(d) }),
		Difference: optional(c.Difference, toDifference),
		Cached:     c.Cached,
	}
}

func toAcceptance(a finding.Acceptance) acceptance {
	return acceptance{Kind: a.Kind.String(), Contract: a.Contract, Name: a.Name, Reason: a.Reason, Approver: a.Approver, Source: source{a.Source.Filename, a.Source.Start.Line, a.Source.Start.Column}, InBase: a.InBase, Run: a.Run, Needed: a.Needed,
		State: a.State.String(), Counts: a.Counts(), By: words.Mapped(a.By, same), Needs: words.Mapped(a.Needs, same), Commit: a.Commit, Why: a.Why}
}

// wasOf returns base's verdict on the wording of a promise that the amendment rewords, and "" for any other.
func wasOf(f finding.Finding) string {
	if !f.Reworded {
		return ""
	}
	return f.Was.String()
}

func toKept(n finding.KeptNorm) keptNorm { return keptNorm(n) }

func toLeaning(l finding.Leaning) leaning {
	return leaning{words.Mapped(l.Norms, toKept), toTrace(l.Run)}
}

func toFinding(f finding.Finding) reviewFinding {
	return reviewFinding{
		Kind: f.Kind.String(), Name: f.Name,
		Head: optional(f.Head, toRequirement), Base: optional(f.Base, toRequirement),
		Check: optional(f.Check, toDiagnostic), Promise: f.Promise, Implied: f.Implied, Rested: optional(f.Rested, toRests), Unbound: f.Unbound, Breach: f.Breach, Leans: optional(f.Leans, toLeaning), Reworded: f.Reworded, Was: wasOf(f), Way: optional(f.Way, func(w finding.Way) way { return way(w) }), Refusal: optional(f.Refusal, toRefusal), Lost: words.Mapped(f.Lost, same),
		Blame: optional(f.Blame, toBlame), Repairs: words.Mapped(f.Repairs, toRepair),
	}
}
