package report

import "github.com/redlinehq/redline/engine"

func toContract(r *engine.Result) jsonContract {
	return jsonContract{
		Path: r.Path, Name: r.Name, Title: r.Title, Digest: r.Digest,
		Model:        toModel(r.Model),
		Requirements: mapped(r.Requirements, toRequirement),
		Diagnostics:  mapped(Listed(r), toDiagnostic),
		Proposals:    mapped(r.Proposals, toProposal),
		Cached:       r.Cached,
	}
}

func toProposal(p engine.Proposal) jsonProposal {
	return jsonProposal{Name: p.Name, Title: p.Title, Formula: p.Formula, Assuming: mapped(p.Assuming, same), Verdict: p.Verdict.String()}
}

func toModel(m engine.Model) jsonModel {
	return jsonModel{
		Places: m.Places, Transitions: m.Transitions,
		States: decimal(m.States), Arcs: decimal(m.Arcs), DeadEnds: decimal(m.DeadEnds),
		Firing: m.Firing, Engine: m.Engine, Incomplete: m.Incomplete,
		Stats: optional(m.Stats, func(s engine.Stats) jsonStats { return jsonStats(s) }),
	}
}

func toRequirement(r engine.Requirement) jsonRequirement {
	return jsonRequirement{
		Name: r.Name, Title: r.Title, Clause: r.Clause, Formula: r.Formula, Notation: r.Notation, Pattern: r.Pattern, Says: r.Says,
		Verdict: r.Verdict.String(), Engine: string(r.Engine), Reason: r.Reason,
		Vacuous: len(r.Vacuous) > 0,
		Vacuity: mapped(r.Vacuous, func(v engine.Vacuity) jsonVacuity { return jsonVacuity(v) }),
		Source:  jsonSource{r.Source.Filename, r.Source.Start.Line, r.Source.Start.Column},
		Trace:   toTrace(r.Trace),

		Assuming: mapped(r.Assuming, same), RestsOn: restsOnly(r), Run: r.Run, Waiver: optional(r.Waiver, toWaiver),
		Waits: [][]string{}, Timely: r.Timely, NoRuns: r.NoRuns, Rests: optional(r.Rests, toRests),
	}
}

// restsOnly are those on whom a requirement says that it may rest; nil: it says nothing of it.
func restsOnly(r engine.Requirement) *[]string {
	if !r.Resting {
		return nil
	}
	names := mapped(r.RestsOn, same)
	return &names
}

func toRests(r engine.Rests) jsonRests {
	return jsonRests{
		Sets: mapped(r.Sets, func(names []string) []string { return mapped(names, same) }), More: r.More,
		Norms: mapped(r.Norms, func(set []engine.KeptNorm) []jsonKeptNorm {
			return mapped(set, func(n engine.KeptNorm) jsonKeptNorm { return jsonKeptNorm(n) })
		}),
		NoRuns: r.NoRuns, Unknown: r.Unknown,
	}
}

func toWaiver(w engine.Waiver) jsonWaiver {
	return jsonWaiver{
		Reason: w.Reason, Approver: w.Approver, Expires: w.Expires, Run: w.Run, State: w.State.String(),
		Source: jsonSource{w.Source.Filename, w.Source.Start.Line, w.Source.Start.Column},
	}
}

func toTrace(t *engine.Trace) *jsonTrace {
	if t == nil {
		return nil
	}
	return &jsonTrace{
		Claim: t.Claim, DeadEnd: t.DeadEnd, Stops: t.Stops,
		Prefix: mapped(t.Prefix, toFiring), Loop: mapped(t.Loop, toFiring),
		End: mapped(t.End, toPartyState), Then: mapped(t.Then, toTrace),
	}
}

func toPartyState(s engine.PartyState) jsonPartyState {
	return jsonPartyState{Party: s.Party, Places: mapped(s.Places, same)}
}

func toFiring(f engine.Firing) jsonFiring {
	return jsonFiring{
		Step: f.Step, Event: f.Event, Title: f.Title, Clause: f.Clause,
		Parties: mapped(f.Parties, same), Transitions: mapped(f.Transitions, same),
		Changed: mapped(f.Changed, func(c engine.Change) jsonChange {
			return jsonChange{Party: c.Party, Before: mapped(c.Before, same), After: mapped(c.After, same)}
		}),
	}
}

func toDiagnostic(d engine.Diagnostic) jsonDiagnostic {
	return jsonDiagnostic{
		Code: string(d.Code), Severity: string(d.Class), Message: d.Message, Detail: d.Detail, Subject: d.Subject,
		File: d.Source.Filename, Line: d.Source.Start.Line, Column: d.Source.Start.Column,
		Accepted: d.Accepted, Run: d.Run, Trace: toTrace(d.Trace),
	}
}

func toContractReview(c engine.ContractReview) jsonContractReview {
	return jsonContractReview{
		Path: c.Path, Name: c.Name, Title: c.Title, Status: c.Status.String(),
		Findings: mapped(c.Findings, toFinding), Outside: c.Outside, Acceptances: mapped(c.Acceptances, toAcceptance),
		Base: optional(c.Base, func(r engine.Result) jsonContract { return toContract(&r) }),
		Head: optional(c.Head, func(r engine.Result) jsonContract { return toContract(&r) }),

		Difference: optional(c.Difference, toDifference),
		Cached:     c.Cached,
	}
}

func toAcceptance(a engine.Acceptance) jsonAcceptance {
	return jsonAcceptance{Kind: a.Kind.String(), Contract: a.Contract, Name: a.Name, Reason: a.Reason, Approver: a.Approver, Source: jsonSource{a.Source.Filename, a.Source.Start.Line, a.Source.Start.Column}, Needed: a.Needed,
		State: a.State.String(), Counts: a.Counts(), By: mapped(a.By, same), Needs: mapped(a.Needs, same), Commit: a.Commit, Why: a.Why}
}

func toFinding(f engine.Finding) jsonFinding {
	return jsonFinding{
		Kind: f.Kind.String(), Name: f.Name,
		Head: optional(f.Head, toRequirement), Base: optional(f.Base, toRequirement),
		Check: optional(f.Check, toDiagnostic), Promise: f.Promise, Implied: f.Implied, Rested: optional(f.Rested, toRests), Way: optional(f.Way, func(w engine.Way) jsonWay { return jsonWay(w) }), Refusal: optional(f.Refusal, toRefusal), Lost: mapped(f.Lost, same),
		Guilt: optional(f.Guilt, toGuilt), Repairs: mapped(f.Repairs, toRepair),
	}
}
