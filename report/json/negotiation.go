package json

import (
	"io"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// WriteNegotiation writes a negotiation as one JSON document, described by schema/compare-v1.1.schema.json. Tool is redline's own version.
// An error comes from w.
func WriteNegotiation(w io.Writer, n *finding.Negotiation, tool string) error {
	return Encode(w, negotiation{
		Version: version, Tool: named(tool), Base: toOrigin(n.Base), A: toOrigin(n.A), B: toOrigin(n.B),
		Contracts: words.Mapped(n.Contracts, toContractNegotiation),
	})
}

// A negotiation is the document of WriteNegotiation.
type negotiation struct {
	Version   int                   `json:"version"`
	Tool      program               `json:"tool"`
	Base      origin                `json:"base"`
	A         origin                `json:"a"`
	B         origin                `json:"b"`
	Contracts []contractNegotiation `json:"contracts"`
}

// An origin is where a version was read from.
type origin struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// A contractNegotiation compares two redlines of one contract.
type contractNegotiation struct {
	Path      string          `json:"path"`
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Promises  []promise       `json:"promises"`
	Broken    []joint         `json:"broken"`
	Conflicts []conflict      `json:"conflicts"`
	Unmerged  string          `json:"unmerged"`
	Sequences []jointSequence `json:"sequences"`
	A         contractReview  `json:"a"`
	B         contractReview  `json:"b"`
	Merge     *contractReview `json:"both"`
}

// A promise is a requirement or check with the answers of all versions.
type promise struct {
	Name    string        `json:"name"`
	Promise *requirement  `json:"requirement"`
	Check   *diagnostic   `json:"check"`
	Base    answer        `json:"base"`
	A       answer        `json:"a"`
	B       answer        `json:"b"`
	Merge   answer        `json:"both"`
	Effect  promiseEffect `json:"effect"`
}

// A promiseEffect has the effects of each redline, and of both together, on a promise.
type promiseEffect struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Merge string `json:"both"`
}

// An answer is the verdict of one version on a promise.
type answer struct {
	Given    bool   `json:"given"`
	Promised bool   `json:"promised"`
	Verdict  string `json:"verdict"`
	Waived   bool   `json:"waived"`
	Vacuous  bool   `json:"vacuous"`
	Reason   string `json:"reason"`
}

// A joint is a violation that only both redlines together cause.
type joint struct {
	Promise  int           `json:"promise"`
	Finding  reviewFinding `json:"finding"`
	Undoes   string        `json:"undoes"`
	BlameA   *blame        `json:"guiltA"`
	BlameB   *blame        `json:"guiltB"`
	RefusalA *refusal      `json:"refusalA"`
	RefusalB *refusal      `json:"refusalB"`
}

// A conflict is a pair of changes that exclude each other.
type conflict struct {
	A     block  `json:"a"`
	B     block  `json:"b"`
	Was   string `json:"was"`
	SaysA string `json:"saysA"`
	SaysB string `json:"saysB"`
	Prose bool   `json:"prose"`
}

// A jointSequence is a sequence that a redline makes possible or impossible.
type jointSequence struct {
	Sequence sequence `json:"sequence"`
	Lost     bool     `json:"lost"`
	A        string   `json:"a"`
	B        string   `json:"b"`
	Merge    string   `json:"both"`
}

func toOrigin(o finding.Origin) origin {
	return origin{o.Name, map[bool]string{false: "revision", true: "directory"}[o.Directory]}
}

func toContractNegotiation(c finding.ContractNegotiation) contractNegotiation {
	return contractNegotiation{
		Path: c.Path, Name: c.Name, Title: c.Title,
		Promises: words.Mapped(c.Promises, toPromise), Broken: words.Mapped(c.Broken, toJoint), Conflicts: words.Mapped(c.Conflicts, toConflict),
		Unmerged: c.Unmerged, Sequences: words.Mapped(c.Runs, toJointSequence),
		A: toContractReview(*c.A), B: toContractReview(*c.B), Merge: optional(c.Merge, toContractReview),
	}
}

func toPromise(p finding.Promise) promise {
	return promise{
		Name: p.Name, Promise: optional(p.Requirement, toRequirement), Check: optional(p.Check, toDiagnostic),
		Base: toAnswer(p.Base), A: toAnswer(p.A), B: toAnswer(p.B), Merge: toAnswer(p.Merge),
		Effect: promiseEffect{p.Effect(&p.A).String(), p.Effect(&p.B).String(), p.Effect(&p.Merge).String()},
	}
}

// toAnswer converts an answer. It has a verdict only if one was given.
func toAnswer(a finding.Answer) answer {
	out := answer{Given: a.Given, Promised: a.Promised, Waived: a.Requirement.Waived()}
	if a.Given {
		out.Verdict = a.Verdict.String()
	}
	if q := a.Requirement; q != nil {
		out.Vacuous, out.Reason = len(q.Vacuous) > 0, q.Reason
	}
	return out
}

func toJoint(j finding.Joint) joint {
	return joint{
		Promise: j.Promise, Finding: toFinding(*j.Finding), Undoes: j.Undoes.String(),
		BlameA: optional(j.BlameA, toBlame), BlameB: optional(j.BlameB, toBlame),
		RefusalA: optional(j.RefusalA, toRefusal), RefusalB: optional(j.RefusalB, toRefusal),
	}
}

func toConflict(c finding.Conflict) conflict {
	return conflict{A: toBlock(c.A), B: toBlock(c.B), Was: c.Was, SaysA: c.SaysA, SaysB: c.SaysB, Prose: c.Prose}
}

func toBlock(b finding.Block) block {
	return block{Name: b.Name, Title: b.Title, Clause: b.Clause, Action: b.Action, Terms: words.Mapped(b.Terms, same), Source: toRange(b.Source), Was: toRange(b.Was)}
}

func toJointSequence(c finding.JointRun) jointSequence {
	return jointSequence{Sequence: toSequence(c.Sequence), Lost: c.Lost, A: c.A.String(), B: c.B.String(), Merge: c.Merge.String()}
}
