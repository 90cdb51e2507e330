package json

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/words"
)

// version numbers the form of the JSON. It grows when a field goes or changes its meaning; fields
// may be added without.
const version = 1

// WriteResults writes what was found as one JSON document, described by schema/check-v1.1.schema.json. Tool is
// redline's own version. Lists are never null. An error is w's.
func WriteResults(w io.Writer, results []*finding.Result, tool string) error {
	return Encode(w, Check{Version: version, Tool: named(tool), Contracts: words.Mapped(results, toContract)})
}

// WriteReview writes a review as one JSON document, described by schema/review-v1.1.schema.json.
func WriteReview(w io.Writer, r *finding.Review, tool string) error {
	return Encode(w, Review{
		Version: version, Tool: named(tool), Base: r.Base, Head: r.Head,
		Contracts: words.Mapped(r.Contracts, toContractReview), Unplaced: words.Mapped(r.Unplaced, toAcceptance),
	})
}

func Encode(w io.Writer, v any) error {
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

func named(tool string) Tool { return Tool{Name: "redline", Version: tool} }

type Check struct {
	Version   int        `json:"version"`
	Tool      Tool       `json:"tool"`
	Contracts []Contract `json:"contracts"`
}

type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type Contract struct {
	Path         string        `json:"path"`
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	Digest       string        `json:"digest"`
	Model        Model         `json:"model"`
	Requirements []Requirement `json:"requirements"`
	Diagnostics  []Diagnostic  `json:"diagnostics"`
	Proposals    []Proposal    `json:"proposals"`
	Cached       bool          `json:"cached,omitempty"`
}

type Proposal struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Formula  string   `json:"formula"`
	Assuming []string `json:"assuming"`
	Verdict  string   `json:"verdict"`
}

type Model struct {
	Places      int     `json:"places"`
	Transitions int     `json:"transitions"`
	States      *string `json:"states"`
	Arcs        *string `json:"arcs"`
	DeadEnds    *string `json:"deadEnds"`
	Firing      string  `json:"firing"`
	Engine      string  `json:"engine"`
	Incomplete  string  `json:"incomplete"`
	Stats       *Stats  `json:"stats"`
}

type Stats struct {
	Variables  int    `json:"variables"`
	Values     int    `json:"values"`
	Nodes      int    `json:"nodes"`
	Peak       int    `json:"peak"`
	Lookups    uint64 `json:"lookups"`
	Hits       uint64 `json:"hits"`
	Iterations int    `json:"iterations"`
}

type Requirement struct {
	Name     string     `json:"name"`
	Title    string     `json:"title"`
	Clause   string     `json:"clause"`
	Formula  string     `json:"formula"`
	Notation string     `json:"notation"`
	Pattern  string     `json:"pattern"`
	Says     string     `json:"says"`
	Verdict  string     `json:"verdict"`
	Engine   string     `json:"engine"`
	Reason   string     `json:"reason"`
	Vacuous  bool       `json:"vacuous"`
	Vacuity  []Vacuity  `json:"vacuity"`
	Source   Source     `json:"source"`
	Trace    *Trace     `json:"trace"`
	Assuming []string   `json:"assuming"`
	RestsOn  *[]string  `json:"restsOn"`
	Run      string     `json:"run"`
	Waiver   *Waiver    `json:"waiver"`
	Weakly   bool       `json:"holdsWeakly"` // always false, and Waits empty: what they said, rests says
	Waits    [][]string `json:"waits"`
	Timely   bool       `json:"holdsInTime"`
	NoRuns   bool       `json:"noRuns"`
	Rests    *Rests     `json:"rests"`
}

type Rests struct {
	Sets    [][]string   `json:"sets"`
	More    bool         `json:"more"`
	Norms   [][]KeptNorm `json:"norms"`
	NoRuns  bool         `json:"noRuns"`
	Unknown string       `json:"unknown"`
}

type KeptNorm struct {
	Norm   string `json:"norm"`
	Bearer string `json:"bearer"`
}

type Waiver struct {
	Reason   string `json:"reason"`
	Approver string `json:"approver"`
	Expires  string `json:"expires"`
	Run      string `json:"run"`
	State    string `json:"state"`
	Source   Source `json:"source"`
}

type Vacuity struct {
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

type Source struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

type Trace struct {
	Claim   string       `json:"claim"`
	Prefix  []Firing     `json:"prefix"`
	Loop    []Firing     `json:"loop"`
	DeadEnd bool         `json:"deadEnd"`
	Stops   bool         `json:"stops"`
	End     []PartyState `json:"end"`
	Then    []*Trace     `json:"then"`
}

type Firing struct {
	Step        int      `json:"step"`
	Event       string   `json:"event"`
	Title       string   `json:"title"`
	Clause      string   `json:"clause"`
	Parties     []string `json:"parties"`
	Transitions []string `json:"transitions"`
	Changed     []Change `json:"changed"`
}

type Change struct {
	Party  string   `json:"party"`
	Before []string `json:"before"`
	After  []string `json:"after"`
}

type PartyState struct {
	Party  string   `json:"party"`
	Places []string `json:"places"`
}

type Diagnostic struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Detail   string `json:"detail"`
	Subject  string `json:"subject"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Accepted string `json:"accepted"`
	Run      string `json:"run"`
	Trace    *Trace `json:"trace"`
}

type Review struct {
	Version   int              `json:"version"`
	Tool      Tool             `json:"tool"`
	Base      string           `json:"base"`
	Head      string           `json:"head"`
	Contracts []ContractReview `json:"contracts"`
	Unplaced  []Acceptance     `json:"unplaced,omitempty"`
}

type ContractReview struct {
	Path        string       `json:"path"`
	Name        string       `json:"name"`
	Title       string       `json:"title"`
	Status      string       `json:"status"`
	Findings    []Finding    `json:"findings"`
	Outside     string       `json:"outside,omitempty"`
	Acceptances []Acceptance `json:"acceptances,omitempty"`
	Base        *Contract    `json:"base"`
	Head        *Contract    `json:"head"`

	Difference *Difference `json:"difference"`
	Cached     bool        `json:"cached,omitempty"`
}

type Acceptance struct {
	Kind     string   `json:"kind"`
	Contract string   `json:"contract"`
	Name     string   `json:"name"`
	Reason   string   `json:"reason"`
	Approver string   `json:"approver,omitempty"`
	Source   Source   `json:"source"`
	Needed   bool     `json:"needed"`
	State    string   `json:"state"`
	Counts   bool     `json:"counts"`
	By       []string `json:"by"`
	Needs    []string `json:"needs"`
	Commit   string   `json:"commit,omitempty"`
	Why      string   `json:"why,omitempty"`
}

type Finding struct {
	Kind  string       `json:"kind"`
	Name  string       `json:"name"`
	Head  *Requirement `json:"head"`
	Base  *Requirement `json:"base"`
	Check *Diagnostic  `json:"check"`

	Promise string `json:"promise,omitempty"`
	Implied string `json:"implied,omitempty"`
	Rested  *Rests `json:"rested"`

	Way     *Way     `json:"way"`
	Refusal *Refusal `json:"refusal"`
	Lost    []string `json:"lost"`
	Guilt   *Guilt   `json:"guilt"`
	Repairs []Repair `json:"repairs"`
}

type Way struct {
	New     bool   `json:"new"`
	Step    int    `json:"step"`
	Unshown bool   `json:"unshown"`
	Unknown string `json:"unknown"`
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
