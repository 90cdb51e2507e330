package report

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/redlinehq/redline/engine"
)

// version numbers the form of the JSON. It grows when a field goes or changes its meaning; fields
// may be added without.
const version = 1

// JSON writes what was found as one JSON document, described by schema/check-v1.1.schema.json. Tool is
// redline's own version. Lists are never null. An error is w's.
func JSON(w io.Writer, results []*engine.Result, tool string) error {
	return encode(w, jsonCheck{Version: version, Tool: named(tool), Contracts: mapped(results, toContract)})
}

// JSONReview writes a review as one JSON document, described by schema/review-v1.1.schema.json.
func JSONReview(w io.Writer, r *engine.Review, tool string) error {
	return encode(w, jsonReview{
		Version: version, Tool: named(tool), Base: r.Base, Head: r.Head,
		Contracts: mapped(r.Contracts, toContractReview), Unplaced: mapped(r.Unplaced, toAcceptance),
	})
}

func encode(w io.Writer, v any) error {
	raw, err := json.MarshalIndent(v, "", "  ") // escapes <, > and &, so the document may stand inside HTML
	if err != nil {
		panic(err) // strings, numbers and lists only
	}
	_, err = io.WriteString(w, ascii(raw)+"\n")
	return err
}

// ascii escapes the characters that a terminal would obey or hide. They occur in strings only.
func ascii(raw []byte) string {
	var b strings.Builder
	for _, r := range string(raw) {
		switch {
		case r == '\n' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

func named(tool string) jsonTool { return jsonTool{Name: "redline", Version: tool} }

type jsonCheck struct {
	Version   int            `json:"version"`
	Tool      jsonTool       `json:"tool"`
	Contracts []jsonContract `json:"contracts"`
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonContract struct {
	Path         string            `json:"path"`
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Digest       string            `json:"digest"`
	Model        jsonModel         `json:"model"`
	Requirements []jsonRequirement `json:"requirements"`
	Diagnostics  []jsonDiagnostic  `json:"diagnostics"`
	Proposals    []jsonProposal    `json:"proposals"`
	Cached       bool              `json:"cached,omitempty"`
}

type jsonProposal struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Formula  string   `json:"formula"`
	Assuming []string `json:"assuming"`
	Verdict  string   `json:"verdict"`
}

type jsonModel struct {
	Places      int        `json:"places"`
	Transitions int        `json:"transitions"`
	States      *string    `json:"states"`
	Arcs        *string    `json:"arcs"`
	DeadEnds    *string    `json:"deadEnds"`
	Firing      string     `json:"firing"`
	Engine      string     `json:"engine"`
	Incomplete  string     `json:"incomplete"`
	Stats       *jsonStats `json:"stats"`
}

type jsonStats struct {
	Variables  int    `json:"variables"`
	Values     int    `json:"values"`
	Nodes      int    `json:"nodes"`
	Peak       int    `json:"peak"`
	Lookups    uint64 `json:"lookups"`
	Hits       uint64 `json:"hits"`
	Iterations int    `json:"iterations"`
}

type jsonRequirement struct {
	Name     string        `json:"name"`
	Title    string        `json:"title"`
	Clause   string        `json:"clause"`
	Formula  string        `json:"formula"`
	Notation string        `json:"notation"`
	Pattern  string        `json:"pattern"`
	Says     string        `json:"says"`
	Verdict  string        `json:"verdict"`
	Engine   string        `json:"engine"`
	Reason   string        `json:"reason"`
	Vacuous  bool          `json:"vacuous"`
	Vacuity  []jsonVacuity `json:"vacuity"`
	Source   jsonSource    `json:"source"`
	Trace    *jsonTrace    `json:"trace"`
	Assuming []string      `json:"assuming"`
	RestsOn  *[]string     `json:"restsOn"`
	Run      string        `json:"run"`
	Waiver   *jsonWaiver   `json:"waiver"`
	Weakly   bool          `json:"holdsWeakly"` // always false, and Waits empty: what they said, rests says
	Waits    [][]string    `json:"waits"`
	Timely   bool          `json:"holdsInTime"`
	NoRuns   bool          `json:"noRuns"`
	Rests    *jsonRests    `json:"rests"`
}

type jsonRests struct {
	Sets    [][]string       `json:"sets"`
	More    bool             `json:"more"`
	Norms   [][]jsonKeptNorm `json:"norms"`
	NoRuns  bool             `json:"noRuns"`
	Unknown string           `json:"unknown"`
}

type jsonKeptNorm struct {
	Norm   string `json:"norm"`
	Bearer string `json:"bearer"`
}

type jsonWaiver struct {
	Reason   string     `json:"reason"`
	Approver string     `json:"approver"`
	Expires  string     `json:"expires"`
	Run      string     `json:"run"`
	State    string     `json:"state"`
	Source   jsonSource `json:"source"`
}

type jsonVacuity struct {
	Subformula  string `json:"subformula"`
	Replacement bool   `json:"replacement"`
	Never       bool   `json:"never"`
	Always      bool   `json:"always"`
	Because     string `json:"because"`
	Value       bool   `json:"because_value"`
	In          string `json:"in"`
	Nth         int    `json:"nth"`
	Spare       bool   `json:"spare"`
}

type jsonSource struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type jsonTrace struct {
	Claim   string           `json:"claim"`
	Prefix  []jsonFiring     `json:"prefix"`
	Loop    []jsonFiring     `json:"loop"`
	DeadEnd bool             `json:"deadEnd"`
	Stops   bool             `json:"stops"`
	End     []jsonPartyState `json:"end"`
	Then    []*jsonTrace     `json:"then"`
}

type jsonFiring struct {
	Step        int          `json:"step"`
	Event       string       `json:"event"`
	Title       string       `json:"title"`
	Clause      string       `json:"clause"`
	Parties     []string     `json:"parties"`
	Transitions []string     `json:"transitions"`
	Changed     []jsonChange `json:"changed"`
}

type jsonChange struct {
	Party  string   `json:"party"`
	Before []string `json:"before"`
	After  []string `json:"after"`
}

type jsonPartyState struct {
	Party  string   `json:"party"`
	Places []string `json:"places"`
}

type jsonDiagnostic struct {
	Code     string     `json:"code"`
	Severity string     `json:"severity"`
	Message  string     `json:"message"`
	Detail   string     `json:"detail"`
	Subject  string     `json:"subject"`
	File     string     `json:"file"`
	Line     int        `json:"line"`
	Column   int        `json:"column"`
	Accepted string     `json:"accepted"`
	Run      string     `json:"run"`
	Trace    *jsonTrace `json:"trace"`
}

type jsonReview struct {
	Version   int                  `json:"version"`
	Tool      jsonTool             `json:"tool"`
	Base      string               `json:"base"`
	Head      string               `json:"head"`
	Contracts []jsonContractReview `json:"contracts"`
	Unplaced  []jsonAcceptance     `json:"unplaced,omitempty"`
}

type jsonContractReview struct {
	Path        string           `json:"path"`
	Name        string           `json:"name"`
	Title       string           `json:"title"`
	Status      string           `json:"status"`
	Findings    []jsonFinding    `json:"findings"`
	Outside     string           `json:"outside,omitempty"`
	Acceptances []jsonAcceptance `json:"acceptances,omitempty"`
	Base        *jsonContract    `json:"base"`
	Head        *jsonContract    `json:"head"`

	Difference *jsonDifference `json:"difference"`
	Cached     bool            `json:"cached,omitempty"`
}

type jsonAcceptance struct {
	Kind     string     `json:"kind"`
	Contract string     `json:"contract"`
	Name     string     `json:"name"`
	Reason   string     `json:"reason"`
	Approver string     `json:"approver,omitempty"`
	Source   jsonSource `json:"source"`
	Needed   bool       `json:"needed"`
	State    string     `json:"state"`
	Counts   bool       `json:"counts"`
	By       []string   `json:"by"`
	Needs    []string   `json:"needs"`
	Commit   string     `json:"commit,omitempty"`
	Why      string     `json:"why,omitempty"`
}

type jsonFinding struct {
	Kind  string           `json:"kind"`
	Name  string           `json:"name"`
	Head  *jsonRequirement `json:"head"`
	Base  *jsonRequirement `json:"base"`
	Check *jsonDiagnostic  `json:"check"`

	Promise string     `json:"promise,omitempty"`
	Implied string     `json:"implied,omitempty"`
	Rested  *jsonRests `json:"rested"`

	Way     *jsonWay     `json:"way"`
	Refusal *jsonRefusal `json:"refusal"`
	Lost    []string     `json:"lost"`
	Guilt   *jsonGuilt   `json:"guilt"`
	Repairs []jsonRepair `json:"repairs"`
}

type jsonWay struct {
	New     bool   `json:"new"`
	Step    int    `json:"step"`
	Unshown bool   `json:"unshown"`
	Unknown string `json:"unknown"`
}

// mapped applies f to each element; the result is never nil.
func mapped[A, B any](all []A, f func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = f(a)
	}
	return out
}

// optional applies f to what a points to, if it points to anything.
func optional[A, B any](a *A, f func(A) B) *B {
	if a == nil {
		return nil
	}
	b := f(*a)
	return &b
}

func same(s string) string { return s }

func decimal(n *big.Int) *string {
	if n == nil {
		return nil
	}
	s := n.String()
	return &s
}
