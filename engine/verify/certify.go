package verify

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/certificate"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Certified is the certificate of a verdict, or the reason why there is none.
type Certified struct {
	Requirement string // name; empty for the certificate that the net is one-safe
	Data        []byte // nil: none
	Reason      string
}

// oneSafe is the formula of the certificate without a requirement's name. Nothing can be shown of all states if one of them ends in
// contact. So a certificate of AG true shows that none does.
var oneSafe = &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.True}}

// certificateLimits bound both writing and reading certificates. They allow some minutes' work.
var certificateLimits = checker.Limits{Nodes: 30_000_000, Visits: 50_000_000}

// Certify makes a certificate for each verdict of a result, which must be of this draft, in order. The first one certifies that no place is
// ever marked twice. Each certificate is checked before it is returned; all of them together have the time of the budget. Certify returns nil if
// there is no verdict.
func Certify(ctx context.Context, d *compile.Draft, b finding.Budget, r *finding.Result) []Certified {
	if d.Spec == nil || d.Failure != "" || !slices.ContainsFunc(r.Requirements, decided) {
		return nil
	}
	ctx, cancel := b.Within(ctx)
	defer cancel()
	list := []Certified{{}}
	verdicts := []certificate.Verdict{verdict(d, "", oneSafe.CTL(), oneSafe, true)}
	for i, req := range r.Requirements {
		if !decided(req) {
			continue
		}
		v := verdict(d, req.Name, d.Promise(d.Spec.Requirements[i]), d.Formulas[i], req.Verdict == finding.Holds)
		on, _ := Fair(d, compile.TermsDecided(&req))
		v.Acts = on.Acts
		verdicts, list = append(verdicts, v), append(list, Certified{Requirement: req.Name})
	}
	prove, jobs := provers(ctx, d, b, r)
	var group errgroup.Group
	group.SetLimit(jobs)
	for i, v := range verdicts {
		group.Go(func() error {
			if v.Requirement != "" {
				list[i].Reason = uncertified(d.MustRequirement(v.Requirement))
			}
			if list[i].Reason == "" {
				list[i].Data, list[i].Reason = certified(ctx, b, v, prove)
			}
			return nil
		})
	}
	_ = group.Wait() // each has its own reason
	return list
}

// uncertified returns the reason why no certificate can show a requirement, or "".
func uncertified(r *hclspec.Requirement) string {
	switch {
	case r.RestsOn != nil:
		return "the requirement says on whom it may rest, which no certificate shows"
	case r.Formula.Scenario != nil:
		return "it is a scenario, which is decided by firing its steps: redline simulate can do that again"
	}
	return ""
}

// decided reports whether a requirement has a verdict.
func decided(r finding.Requirement) bool {
	return r.Verdict == finding.Holds || r.Verdict == finding.Violated
}

// verdict returns the statement that a certificate has to prove.
func verdict(d *compile.Draft, name, text string, f *ctl.Formula, holds bool) certificate.Verdict {
	return certificate.Verdict{Problem: checker.Problem{Net: d.Net, Rule: d.Rule}, Contract: d.Digest,
		Requirement: name, Text: text, Formula: f, Holds: holds}
}

// certified makes one certificate and checks it. It returns the data if the checker accepts it, else the reason.
func certified(ctx context.Context, b finding.Budget, v certificate.Verdict, prove prover) (data []byte, reason string) {
	ctx, cancel := b.Within(ctx)
	defer cancel()
	c, err := prove(ctx, v)
	if err == nil {
		err = checker.Check(ctx, c, v.Problem, v.Formula, certificateLimits)
	}
	var refused *checker.Refusal
	switch {
	case errors.As(err, &refused):
		return nil, fmt.Sprintf("what was to prove it was refused, which is a defect of redline: %s", refused)
	case err != nil:
		return nil, unproved(b, err)
	}
	if data = checker.Encode(c); len(data) > checker.MaxBytes {
		return nil, fmt.Sprintf("it would have %s bytes", compile.ShortNumber(big.NewInt(int64(len(data)))))
	}
	return data, ""
}

// VerifyCertificate checks a certificate against this draft, which must have been read anew. It returns nil if the certificate is accepted
// and a *checker.Refusal if it proves nothing. Any other error means that checking was not finished.
func VerifyCertificate(ctx context.Context, d *compile.Draft, c *checker.Certificate) error {
	switch {
	case d.Spec == nil || d.Failure != "":
		return &checker.Refusal{Why: "the contract is ill-formed"}
	case c.Contract != d.Digest:
		return &checker.Refusal{Why: fmt.Sprintf("it is about a contract with the digest %s, and this one has %s", c.Contract, d.Digest)}
	}
	p := checker.Problem{Net: d.Net, Rule: d.Rule}
	if c.Requirement == "" {
		if c.Formula != oneSafe.CTL() || !c.Holds {
			return &checker.Refusal{Why: "it names no requirement"}
		}
		return checker.Check(ctx, c, p, oneSafe, certificateLimits)
	}
	i := slices.IndexFunc(d.Spec.Requirements, func(r *hclspec.Requirement) bool { return r.Name == c.Requirement })
	switch {
	case i < 0:
		return &checker.Refusal{Why: fmt.Sprintf("the contract has no requirement %q", c.Requirement)}
	case d.Formulas[i] == nil:
		return &checker.Refusal{Why: fmt.Sprintf("the formula of requirement %q is ill-formed", c.Requirement)}
	}
	if meant := d.Promise(d.Spec.Requirements[i]); c.Formula != meant {
		return &checker.Refusal{Why: fmt.Sprintf("it is of the formula %s, and requirement %q says %s", c.Formula, c.Requirement, meant)}
	}
	of := compile.TermsOf(d.Spec.Requirements[i])
	if why := uncertified(d.Spec.Requirements[i]); why != "" {
		return &checker.Refusal{Why: why}
	}
	on, ok := Fair(d, of)
	if p.Acts = on.Acts; !ok {
		return &checker.Refusal{Why: "who is assumed to make progress is unknown"}
	}
	return checker.Check(ctx, c, p, d.Formulas[i], certificateLimits)
}
