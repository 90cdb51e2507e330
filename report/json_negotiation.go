package report

import (
	"io"

	"github.com/redlinehq/redline/engine"
)

// JSONNegotiation writes a negotiation as one JSON document, described by schema/compare-v1.1.schema.json.
// Tool is redline's own version. An error is w's.
func JSONNegotiation(w io.Writer, n *engine.Negotiation, tool string) error {
	return encode(w, jsonNegotiation{
		Version: version, Tool: named(tool), Base: toOrigin(n.Base), A: toOrigin(n.A), B: toOrigin(n.B),
		Contracts: mapped(n.Contracts, toContractNegotiation),
	})
}

type jsonNegotiation struct {
	Version   int                       `json:"version"`
	Tool      jsonTool                  `json:"tool"`
	Base      jsonOrigin                `json:"base"`
	A         jsonOrigin                `json:"a"`
	B         jsonOrigin                `json:"b"`
	Contracts []jsonContractNegotiation `json:"contracts"`
}

type jsonOrigin struct {
	Name string `json:"name"`
	Kind string `json:"kind"`
}

type jsonContractNegotiation struct {
	Path      string              `json:"path"`
	Name      string              `json:"name"`
	Title     string              `json:"title"`
	Promises  []jsonPromise       `json:"promises"`
	Broken    []jsonJoint         `json:"broken"`
	Conflicts []jsonConflict      `json:"conflicts"`
	Unmerged  string              `json:"unmerged"`
	Courses   []jsonCourse        `json:"sequences"`
	A         jsonContractReview  `json:"a"`
	B         jsonContractReview  `json:"b"`
	Merge     *jsonContractReview `json:"both"`
}

type jsonPromise struct {
	Name    string            `json:"name"`
	Promise *jsonRequirement  `json:"requirement"`
	Check   *jsonDiagnostic   `json:"check"`
	Base    jsonAnswer        `json:"base"`
	A       jsonAnswer        `json:"a"`
	B       jsonAnswer        `json:"b"`
	Merge   jsonAnswer        `json:"both"`
	Effect  jsonPromiseEffect `json:"effect"`
}

type jsonPromiseEffect struct {
	A     string `json:"a"`
	B     string `json:"b"`
	Merge string `json:"both"`
}

type jsonAnswer struct {
	Given    bool   `json:"given"`
	Promised bool   `json:"promised"`
	Verdict  string `json:"verdict"`
	Waived   bool   `json:"waived"`
	Vacuous  bool   `json:"vacuous"`
	Reason   string `json:"reason"`
}

type jsonJoint struct {
	Promise  int          `json:"promise"`
	Finding  jsonFinding  `json:"finding"`
	Undoes   string       `json:"undoes"`
	GuiltA   *jsonGuilt   `json:"guiltA"`
	GuiltB   *jsonGuilt   `json:"guiltB"`
	RefusalA *jsonRefusal `json:"refusalA"`
	RefusalB *jsonRefusal `json:"refusalB"`
}

type jsonConflict struct {
	A     jsonBlock `json:"a"`
	B     jsonBlock `json:"b"`
	Was   string    `json:"was"`
	SaysA string    `json:"saysA"`
	SaysB string    `json:"saysB"`
	Prose bool      `json:"prose"`
}

type jsonCourse struct {
	Sequence jsonSequence `json:"sequence"`
	Lost     bool         `json:"lost"`
	A        string       `json:"a"`
	B        string       `json:"b"`
	Merge    string       `json:"both"`
}

func toOrigin(o engine.Origin) jsonOrigin {
	return jsonOrigin{o.Name, map[bool]string{false: "revision", true: "directory"}[o.Directory]}
}

func toContractNegotiation(c engine.ContractNegotiation) jsonContractNegotiation {
	return jsonContractNegotiation{
		Path: c.Path, Name: c.Name, Title: c.Title,
		Promises: mapped(c.Promises, toPromise), Broken: mapped(c.Broken, toJoint), Conflicts: mapped(c.Conflicts, toConflict),
		Unmerged: c.Unmerged, Courses: mapped(c.Courses, toCourse),
		A: toContractReview(*c.A), B: toContractReview(*c.B), Merge: optional(c.Merge, toContractReview),
	}
}

func toPromise(p engine.Promise) jsonPromise {
	return jsonPromise{
		Name: p.Name, Promise: optional(p.Requirement, toRequirement), Check: optional(p.Check, toDiagnostic),
		Base: toAnswer(p.Base), A: toAnswer(p.A), B: toAnswer(p.B), Merge: toAnswer(p.Merge),
		Effect: jsonPromiseEffect{p.Effect(&p.A).String(), p.Effect(&p.B).String(), p.Effect(&p.Merge).String()},
	}
}

// toAnswer has a verdict only where one was given.
func toAnswer(a engine.Answer) jsonAnswer {
	out := jsonAnswer{Given: a.Given, Promised: a.Promised, Waived: a.Requirement.Waived()}
	if a.Given {
		out.Verdict = a.Verdict.String()
	}
	if q := a.Requirement; q != nil {
		out.Vacuous, out.Reason = len(q.Vacuous) > 0, q.Reason
	}
	return out
}

func toJoint(j engine.Joint) jsonJoint {
	return jsonJoint{
		Promise: j.Promise, Finding: toFinding(*j.Finding), Undoes: j.Undoes.String(),
		GuiltA: optional(j.GuiltA, toGuilt), GuiltB: optional(j.GuiltB, toGuilt),
		RefusalA: optional(j.RefusalA, toRefusal), RefusalB: optional(j.RefusalB, toRefusal),
	}
}

func toConflict(c engine.Conflict) jsonConflict {
	return jsonConflict{A: toBlock(c.A), B: toBlock(c.B), Was: c.Was, SaysA: c.SaysA, SaysB: c.SaysB, Prose: c.Prose}
}

func toBlock(b engine.Block) jsonBlock {
	return jsonBlock{Name: b.Name, Action: b.Action, Terms: mapped(b.Terms, same), Source: toRange(b.Source), Was: toRange(b.Was)}
}

func toCourse(c engine.Course) jsonCourse {
	return jsonCourse{Sequence: toSequence(c.Sequence), Lost: c.Lost, A: c.A.String(), B: c.B.String(), Merge: c.Merge.String()}
}
