package record

// A Statement is the content of a record: an in-toto Statement v1 (https://in-toto.io/Statement/v1) with the predicate test-result v0.1
// (https://in-toto.io/attestation/test-result/v0.1), which has fields of our own. README.md describes these. Lists are never null; absent
// fields are written as empty ones.
type Statement struct {
	Type          string    `json:"_type"`
	Subject       []Subject `json:"subject"` // the contract's files in order of their names, then the composed model, where there is one
	PredicateType string    `json:"predicateType"`
	Predicate     predicate `json:"predicate"`
}

// A Subject is a file or model that a statement is about.
type Subject struct {
	Name   string `json:"name"` // a file's path in the repository; "model:" and the contract's directory
	Digest Digest `json:"digest"`
}

// A Digest is a SHA-256 in hexadecimal digits, as in-toto writes it.
type Digest struct {
	SHA256 string `json:"sha256"`
}

// A predicate is a test result with redline's own fields.
type predicate struct {
	Result        string     `json:"result"`        // PASSED, WARNED, FAILED
	Configuration []resource `json:"configuration"` // the program, and the settings where there are any
	PassedTests   []string   `json:"passedTests"`   // names of requirements
	WarnedTests   []string   `json:"warnedTests"`   // names of those that are unknown, or violated and waived
	FailedTests   []string   `json:"failedTests"`   // and codes of built-in checks, with their subjects
	Draft         Draft      `json:"redline"`
}

// A resource is a program or an input of the test run.
type resource struct {
	Name   string  `json:"name"`
	URI    string  `json:"uri,omitempty"`
	Digest *Digest `json:"digest,omitempty"`
}

// A Draft is one version of a contract, verified. All but When is in the name of the record (Statement.Run).
type Draft struct {
	Format       int           `json:"format"` // of these fields
	Path         string        `json:"path"`   // the contract's directory in the repository; "." is its top
	Name         string        `json:"name"`   // as the contract names itself; empty when it is ill-formed
	Title        string        `json:"title"`
	Model        string        `json:"model"` // "sha256:...", engine.Draft.Digest; empty when it is ill-formed
	Text         string        `json:"text"`  // "sha256:..." of names and contents of its files (textDigest)
	Commit       Commit        `json:"commit"`
	Tool         string        `json:"tool"` // redline's version
	Terms        Terms         `json:"terms"`
	Size         size          `json:"size"`
	Requirements []Requirement `json:"requirements"` // in source order
	Checks       []check       `json:"checks"`       // built-in checks that object, and what is wrong with the text
	When         When          `json:"when"`
}

// A Commit is the one whose tree the draft was read from.
type Commit struct {
	ID        string `json:"id"`
	Author    string `json:"author"`    // the name
	Authored  string `json:"authored"`  // RFC 3339, with the author's offset
	Committed string `json:"committed"` // RFC 3339
	Subject   string `json:"subject"`   // the first line of its message, at most 200 characters of it
}

// Terms are what verdicts depend on besides the text and the program.
type Terms struct {
	States   int    `json:"states"` // limits, as in engine.Budget; 0: none
	Memory   int64  `json:"memory"` // bytes
	Time     int64  `json:"time"`   // nanoseconds
	Engine   string `json:"engine"` // the method that was asked for; empty: what answers
	Firing   string `json:"firing"` // one, all: instead of the contract's own rule; empty: its own
	Today    string `json:"today"`  // the day waivers are judged on; empty: not given
	Values   string `json:"values"` // "sha256:..." of what variables were given; empty: nothing
	Settings string `json:"settings"`
}

// size is how large the composed net and its state model are. Counts of states are decimal numbers of any length; empty: the
// state model was not completed, and Incomplete says why.
type size struct {
	Places      int    `json:"places"`
	Transitions int    `json:"transitions"`
	States      string `json:"states"`
	Arcs        string `json:"arcs"`
	DeadEnds    string `json:"deadEnds"`
	Firing      string `json:"firing"`
	Engine      string `json:"engine"`
	Incomplete  string `json:"incomplete"`
}

// A Requirement is a requirement of the contract with its verdict.
type Requirement struct {
	Name     string    `json:"name"`
	Title    string    `json:"title"`
	Clause   string    `json:"clause"`
	Formula  string    `json:"formula"`
	Notation string    `json:"notation"`
	Assuming []string  `json:"assuming"`
	RestsOn  *[]string `json:"restsOn,omitempty"` // the only parties it may rest on; nil: not stated
	Verdict  string    `json:"verdict"`           // holds, violated, unknown, ill-formed
	Method   string    `json:"method"`            // what decided it: explicit, symbolic, local, structure
	Reason   string    `json:"reason"`            // why unknown or ill-formed
	Vacuous  bool      `json:"vacuous"`           // it holds, and some part of it makes no difference
	Run      string    `json:"run"`               // of a violated one: "sha256:...", the fingerprint of its counterexample
	Waiver   *Waiver   `json:"waiver"`
}

// A Waiver is a recorded acceptance of a violation.
type Waiver struct {
	Approver string `json:"approver"`
	Reason   string `json:"reason"`
	Expires  string `json:"expires"` // the last day; empty: it does not expire
	Run      string `json:"run"`     // the fingerprint of the run it accepts
	State    string `json:"state"`   // engine.WaiverState in words
}

// A check is a built-in check that objects.
type check struct {
	Code     string `json:"code"`
	Class    string `json:"class"`   // error, violation, warning
	Subject  string `json:"subject"` // party.element, event.NAME, requirement.NAME; empty: the whole contract
	Message  string `json:"message"`
	Accepted string `json:"accepted"` // the reason it was accepted for; empty: it was not
}

// When has the fields that depend on when a draft was recorded, and not on the draft.
type When struct {
	Attested string    `json:"attested"`      // RFC 3339, UTC: as the machine that recorded it, or who ran it, said
	Previous *Previous `json:"previous"`      // the record before it on the branch; null: it is the first one
	Change   *Change   `json:"change"`        // against the previous one; null where there is none, or one of both has no meaning
	Log      *LogHead  `json:"log,omitempty"` // nil: no log was known where it was made
}

// LogHead identifies the last entry of the repository's log when a record was made.
type LogHead struct {
	Size  int    `json:"size"`  // the number of entries
	Entry string `json:"entry"` // "sha256:..." of the last one
}

// Previous identifies the record before this one.
type Previous struct {
	Record string `json:"record"` // its ref
	Digest string `json:"digest"` // "sha256:..." of its statement
	Commit string `json:"commit"` // of the draft it records
	Path   string `json:"path"`   // the contract's directory then; differs if it was renamed
}

// A Change describes what differs from the draft of the previous record, in words.
type Change struct {
	Relation   string          `json:"relation"`   // of what can happen: same, more, less, more and less, otherwise, unknown (delta.Relation); owed, moved (package store)
	Reason     string          `json:"reason"`     // why it is unknown
	Text       []string        `json:"text"`       // what of the text's meaning: "rewired event delivery"
	Possible   []string        `json:"possible"`   // sequences of events that have become possible: shortest ones, whose last step was refused before
	Impossible []string        `json:"impossible"` // likewise, that no longer are
	Verdicts   []VerdictChange `json:"verdicts"`   // requirements whose verdict changed, added and removed ones included
}

// A VerdictChange is a requirement's verdict before and now, or "waived"; empty: the requirement did not exist, or no longer does.
type VerdictChange struct {
	Name string `json:"name"`
	Was  string `json:"was"`
	Now  string `json:"now"`
}
