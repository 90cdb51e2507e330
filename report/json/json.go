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
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/words"
)

// version is the version of the JSON documents. It grows when a field is removed or changes its meaning. Fields may be added without.
const version = 1

// WriteResults writes the results of a check as one JSON document, described by schema/check-v1.1.schema.json. Tool is redline's own
// version. Lists are never null. An error comes from w.
func WriteResults(w io.Writer, results []*finding.Result, tool string) error {
	return Encode(w, check{Version: version, Tool: named(tool), Contracts: words.Mapped(results, toContract)})
}

// WriteReview writes a review as one JSON document, described by schema/review-v1.1.schema.json. It writes one contract after the other, so the
// document is never in memory as a whole. An error comes from w.
func WriteReview(w io.Writer, r *finding.Review, tool string) error {
	around := encoded("", review{
		Version: version, Tool: named(tool), Base: r.Base, Head: r.Head,
		Unchanged: r.Unchanged, Contracts: []contractReview{}, Unplaced: words.Mapped(r.Unplaced, toAcceptance),
	})
	const list = `"contracts": [` // in a string, a backslash comes before each quotation mark
	at := strings.Index(around, list) + len(list)
	before, end := around[:at], ""
	for _, c := range r.Contracts {
		if _, err := io.WriteString(w, before+"\n    "+encoded("    ", toContractReview(c))); err != nil {
			return err
		}
		before, end = ",", "\n  "
	}
	if len(r.Contracts) > 0 {
		before = ""
	}
	_, err := io.WriteString(w, before+end+around[at:]+"\n")
	return err
}

// Encode writes v as indented JSON in which every character is printable. It panics if v has no JSON encoding. An error comes from w.
func Encode(w io.Writer, v any) error {
	_, err := io.WriteString(w, encoded("", v)+"\n")
	return err
}

// encoded returns v as Encode writes it, with further lines indented by a prefix.
func encoded(prefix string, v any) string {
	raw, err := json.MarshalIndent(v, prefix, "  ") // escapes <, > and &, so the document may be put into HTML
	if err != nil {
		panic(err) // strings, numbers and lists only
	}
	return ascii(raw)
}

// ascii escapes the characters that are not printable. They occur in strings only.
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

func named(tool string) program { return program{Name: "redline", Version: tool} }

// A check is the document of WriteResults.
type check struct {
	Version   int        `json:"version"`
	Tool      program    `json:"tool"`
	Contracts []contract `json:"contracts"`
}

// A program names the program that wrote a document.
type program struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// A contract has the results for one contract.
type contract struct {
	Path         string        `json:"path"`
	Name         string        `json:"name"`
	Title        string        `json:"title"`
	Digest       string        `json:"digest"`
	Model        model         `json:"model"`
	Requirements []requirement `json:"requirements"`
	Diagnostics  []diagnostic  `json:"diagnostics"`
	Proposals    []proposal    `json:"proposals"`
	Cached       bool          `json:"cached,omitempty"`
}

// A proposal is a suggested requirement.
type proposal struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Formula  string   `json:"formula"`
	Assuming []string `json:"assuming"`
	Verdict  string   `json:"verdict"`
}

// A model has the size of a state model.
type model struct {
	Places      int     `json:"places"`
	Transitions int     `json:"transitions"`
	States      *string `json:"states"`
	Arcs        *string `json:"arcs"`
	DeadEnds    *string `json:"deadEnds"`
	Firing      string  `json:"firing"`
	Engine      string  `json:"engine"`
	Incomplete  string  `json:"incomplete"`
	Stats       *stats  `json:"stats"`

	Unchecked []codes.Code `json:"unchecked,omitempty"`
}

// A stats has the work that a state model took.
type stats struct {
	Variables  int    `json:"variables"`
	Values     int    `json:"values"`
	Nodes      int    `json:"nodes"`
	Peak       int    `json:"peak"`
	Lookups    uint64 `json:"lookups"`
	Hits       uint64 `json:"hits"`
	Iterations int    `json:"iterations"`
}

// A requirement has the verdict on a requirement.
type requirement struct {
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
	Vacuity  []vacuity  `json:"vacuity"`
	Source   source     `json:"source"`
	Trace    *trace     `json:"trace"`
	Assuming []string   `json:"assuming"`
	RestsOn  *[]string  `json:"restsOn"`
	Run      string     `json:"run"`
	Waiver   *waiver    `json:"waiver"`
	Weakly   bool       `json:"holdsWeakly"` // always false, and Waits always empty: replaced by Rests
	Waits    [][]string `json:"waits"`
	Timely   bool       `json:"holdsInTime"`
	NoRuns   bool       `json:"noRuns"`
	Empty    bool       `json:"empty,omitempty"`
	Rests    *rests     `json:"rests"`
	Scenario *scenario  `json:"scenario,omitempty"`
}

// A scenario is what a scenario claims of its steps, and where they stop.
type scenario struct {
	Steps  []string     `json:"steps"`
	Expect string       `json:"expect"`
	Whose  string       `json:"whose"`
	Then   string       `json:"then"`
	Stops  int          `json:"stops"`
	Lacks  []partyState `json:"lacks"`
	OneWay bool         `json:"oneWay,omitempty"`
	There  []partyState `json:"there"`
	Of     []string     `json:"breachOf,omitempty"`
}

// A rests has the parties or norms on whom a promise rests.
type rests struct {
	Sets    [][]string   `json:"sets"`
	More    bool         `json:"more"`
	Norms   [][]keptNorm `json:"norms"`
	NoRuns  bool         `json:"noRuns"`
	Ideal   bool         `json:"ideal,omitempty"`
	Unknown string       `json:"unknown"`
}

// A leaning has norms that have to be kept, and a run on which only they are not.
type leaning struct {
	Norms []keptNorm `json:"norms"`
	Trace *trace     `json:"trace"`
}

// A keptNorm is a norm that its bearer keeps.
type keptNorm struct {
	Norm   string `json:"norm"`
	Bearer string `json:"bearer"`
}

// A waiver accepts a violation.
type waiver struct {
	Reason   string `json:"reason"`
	Approver string `json:"approver"`
	Expires  string `json:"expires"`
	Run      string `json:"run"`
	State    string `json:"state"`
	Source   source `json:"source"`
}

// A vacuity is a part of a requirement that makes no difference.
type vacuity struct {
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

// A source is a place in a file.
type source struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// A trace is a run that explains a verdict.
type trace struct {
	Claim   string       `json:"claim"`
	Prefix  []firing     `json:"prefix"`
	Loop    []firing     `json:"loop"`
	DeadEnd bool         `json:"deadEnd"`
	Stops   bool         `json:"stops"`
	End     []partyState `json:"end"`
	Ends    *ends        `json:"ends,omitempty"`
	Then    []*trace     `json:"then"`
}

// ends has the states of both versions after a run that both have.
type ends struct {
	Side   string       `json:"side"`
	Before []partyState `json:"before"`
	Now    []partyState `json:"now"`
	Both   []partyState `json:"both"`
}

// A firing is one transition or event of a run.
type firing struct {
	Step        int      `json:"step"`
	Event       string   `json:"event"`
	Title       string   `json:"title"`
	Clause      string   `json:"clause"`
	Parties     []string `json:"parties"`
	Transitions []string `json:"transitions"`
	Changed     []change `json:"changed"`
	Leads       string   `json:"leads,omitempty"`
}

// A change is what a firing changes for one party.
type change struct {
	Party  string   `json:"party"`
	Before []string `json:"before"`
	After  []string `json:"after"`
}

// A partyState has the places that a party is in.
type partyState struct {
	Party  string   `json:"party"`
	Places []string `json:"places"`
}

// A diagnostic is a message about a contract.
type diagnostic struct {
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
	Follows  string `json:"follows,omitempty"`
	Trace    *trace `json:"trace"`
}

// A review is the document of WriteReview.
type review struct {
	Version   int              `json:"version"`
	Tool      program          `json:"tool"`
	Base      string           `json:"base"`
	Head      string           `json:"head"`
	Unchanged int              `json:"unchanged"`
	Contracts []contractReview `json:"contracts"`
	Unplaced  []acceptance     `json:"unplaced,omitempty"`
}

// A contractReview is the review of one contract.
type contractReview struct {
	Path        string          `json:"path"`
	Name        string          `json:"name"`
	Title       string          `json:"title"`
	Status      string          `json:"status"`
	Findings    []reviewFinding `json:"findings"`
	Outside     string          `json:"outside,omitempty"`
	Acceptances []acceptance    `json:"acceptances,omitempty"`
	Base        *contract       `json:"base"`
	Head        *contract       `json:"head"`

	Reworded   []textChange `json:"reworded,omitempty"`
	Defaults   []unused     `json:"defaults,omitempty"`
	Difference *difference  `json:"difference"`
	Cached     bool         `json:"cached,omitempty"`
}

// An unused default is one of a variable whose value is given from outside.
type unused struct {
	Variable string `json:"variable"`
	Was      string `json:"was"`
	Now      string `json:"now"`
	From     string `json:"from"`
}

// An acceptance is an acceptance that the amendment or base has.
type acceptance struct {
	Kind     string   `json:"kind"`
	Contract string   `json:"contract"`
	Name     string   `json:"name"`
	Reason   string   `json:"reason"`
	Approver string   `json:"approver,omitempty"`
	Source   source   `json:"source"`
	InBase   bool     `json:"inBase,omitempty"`
	Run      string   `json:"run,omitempty"`
	Needed   bool     `json:"needed"`
	State    string   `json:"state"`
	Counts   bool     `json:"counts"`
	By       []string `json:"by"`
	Needs    []string `json:"needs"`
	Commit   string   `json:"commit,omitempty"`
	Why      string   `json:"why,omitempty"`
}

// A reviewFinding is what an amendment did to one requirement or check.
type reviewFinding struct {
	Kind  string       `json:"kind"`
	Name  string       `json:"name"`
	Head  *requirement `json:"head"`
	Base  *requirement `json:"base"`
	Check *diagnostic  `json:"check"`

	Promise string   `json:"promise,omitempty"`
	Implied string   `json:"implied,omitempty"`
	Rested  *rests   `json:"rested"`
	Unbound []string `json:"unbound,omitempty"`
	Breach  []string `json:"breachBefore,omitempty"`
	Leans   *leaning `json:"leans,omitempty"`

	Reworded bool   `json:"reworded"`
	Was      string `json:"was,omitempty"`

	Way     *way     `json:"way"`
	Refusal *refusal `json:"refusal"`
	Lost    []string `json:"lost"`
	Blame   *blame   `json:"guilt"`
	Repairs []repair `json:"repairs"`
}

// A way compares the ways in which both versions violate a requirement.
type way struct {
	New     bool   `json:"new"`
	Step    int    `json:"step"`
	Lacks   int    `json:"lacks,omitempty"`
	Unshown bool   `json:"unshown"`
	Unknown string `json:"unknown"`
}

// optional applies f to what a points to. It returns nil for nil.
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
