package json

import (
	"io"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// WriteNegotiation writes a negotiation as one JSON document, described by schema/compare-v1.1.schema.json. Tool is redline's own version.
// An error comes from w.
func WriteNegotiation(w io.Writer, n *finding.Negotiation, tool string) error {
	return Encode(w, Negotiation{
		Version: version, Tool: named(tool), Base: toOrigin(n.Base), A: toOrigin(n.A), B: toOrigin(n.B),
		Contracts: words.Mapped(n.Contracts, toContractNegotiation),
	})
}

// A Negotiation is the document of WriteNegotiation.
type Negotiation struct {
	Version   int                   `json:"version"`
	Tool      Tool                  `json:"tool"`
	Base      Origin                `json:"base"`
	A         Origin                `json:"a"`
	B         Origin                `json:"b"`
	Contracts []ContractNegotiation `json:"contracts"`
}

// An Origin is where a version was read from.
type Origin struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

// A ContractNegotiation compares two redlines of one contract.
type ContractNegotiation struct {
	Path      string          `json:"path"`
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Promises  []Promise       `json:"promises"`
	Broken    []Joint         `json:"broken"`
	Conflicts []Conflict      `json:"conflicts"`
	Unmerged  string          `json:"unmerged"`
	Sequences []JointSequence `json:"sequences"`
	A         ContractReview  `json:"a"`
	B         ContractReview  `json:"b"`
	Merge     *ContractReview `json:"both"`
}

// A Promise is a requirement or check with the answers of all versions.
type Promise struct {
	Name    string        `json:"name"`
	Promise *Requirement  `json:"requirement"`
	Check   *Diagnostic   `json:"check"`
	Base    Answer        `json:"base"`
	A       Answer        `json:"a"`
	B       Answer        `json:"b"`
	Merge   Answer        `json:"both"`
	Effect  PromiseEffect `json:"effect"`
}

// A PromiseEffect has the effects of each redline, and of both together, on a promise.
type PromiseEffect struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Merge string `json:"both"`
}

// An Answer is the verdict of one version on a promise.
type Answer struct {
	Given    bool   `json:"given"`
	Promised bool   `json:"promised"`
	Verdict  string `json:"verdict"`
	Waived   bool   `json:"waived"`
	Vacuous  bool   `json:"vacuous"`
	Reason   string `json:"reason"`
}

// A Joint is a violation that only both redlines together cause.
type Joint struct {
	Promise  int      `json:"promise"`
	Finding  Finding  `json:"finding"`
	Undoes   string   `json:"undoes"`
	BlameA   *Blame   `json:"guiltA"`
	BlameB   *Blame   `json:"guiltB"`
	RefusalA *Refusal `json:"refusalA"`
	RefusalB *Refusal `json:"refusalB"`
}

// A Conflict is a pair of changes that exclude each other.
type Conflict struct {
	A     Block  `json:"a"`
	B     Block  `json:"b"`
	Was   string `json:"was"`
	SaysA string `json:"saysA"`
	SaysB string `json:"saysB"`
	Prose bool   `json:"prose"`
}

// A JointSequence is a sequence that a redline makes possible or impossible.
type JointSequence struct {
	Sequence Sequence `json:"sequence"`
	Lost     bool     `json:"lost"`
	A        string   `json:"a"`
	B        string   `json:"b"`
	Merge    string   `json:"both"`
}

func toOrigin(o finding.Origin) Origin {
	return Origin{o.Name, map[bool]string{false: "revision", true: "directory"}[o.Directory]}
}

func toContractNegotiation(c finding.ContractNegotiation) ContractNegotiation {
	return ContractNegotiation{
		Path: c.Path, Name: c.Name, Title: c.Title,
		Promises: words.Mapped(c.Promises, toPromise), Broken: words.Mapped(c.Broken, toJoint), Conflicts: words.Mapped(c.Conflicts, toConflict),
		Unmerged: c.Unmerged, Sequences: words.Mapped(c.Runs, toJointSequence),
		A: toContractReview(*c.A), B: toContractReview(*c.B), Merge: optional(c.Merge, toContractReview),
	}
}

func toPromise(p finding.Promise) Promise {
	return Promise{
		Name: p.Name, Promise: optional(p.Requirement, toRequirement), Check: optional(p.Check, toDiagnostic),
		Base: toAnswer(p.Base), A: toAnswer(p.A), B: toAnswer(p.B), Merge: toAnswer(p.Merge),
		Effect: PromiseEffect{p.Effect(&p.A).String(), p.Effect(&p.B).String(), p.Effect(&p.Merge).String()},
	}
}

// toAnswer converts an answer. It has a verdict only if one was given.
func toAnswer(a finding.Answer) Answer {
	out := Answer{Given: a.Given, Promised: a.Promised, Waived: a.Requirement.Waived()}
	if a.Given {
		out.Verdict = a.Verdict.String()
	}
	if q := a.Requirement; q != nil {
		out.Vacuous, out.Reason = len(q.Vacuous) > 0, q.Reason
	}
	return out
}

func toJoint(j finding.Joint) Joint {
	return Joint{
		Promise: j.Promise, Finding: toFinding(*j.Finding), Undoes: j.Undoes.String(),
		BlameA: optional(j.BlameA, toBlame), BlameB: optional(j.BlameB, toBlame),
		RefusalA: optional(j.RefusalA, toRefusal), RefusalB: optional(j.RefusalB, toRefusal),
	}
}

func toConflict(c finding.Conflict) Conflict {
	return Conflict{A: toBlock(c.A), B: toBlock(c.B), Was: c.Was, SaysA: c.SaysA, SaysB: c.SaysB, Prose: c.Prose}
}

func toBlock(b finding.Block) Block {
	return Block{Name: b.Name, Action: b.Action, Terms: words.Mapped(b.Terms, same), Source: toRange(b.Source), Was: toRange(b.Was)}
}

func toJointSequence(c finding.JointRun) JointSequence {
	return JointSequence{Sequence: toSequence(c.Sequence), Lost: c.Lost, A: c.A.String(), B: c.B.String(), Merge: c.Merge.String()}
}
