package report

import (
	"io"

	"github.com/redlinehq/redline/engine/conform"
)

// JSONReplay writes what a log was found to be as one JSON document, described by schema/replay-v1.1.schema.json. An error is w's.
func JSONReplay(w io.Writer, a *conform.Answer, tool string) error {
	spec := a.Draft.Spec
	return encode(w, jsonReplay{
		Version: version, Tool: named(tool), Path: a.Draft.Path, Name: spec.Name, Title: spec.Title,
		Conforms: a.Deviation == nil, Lines: a.Lines, Ignored: mapped(a.Ignored, same), Deviation: optional(a.Deviation, toDeviation),
		Possible: a.Possible, State: mapped(a.Standing, toPartyState), Final: a.Final.String(),
		Dues: mapped(a.Dues, toDue), Broken: mapped(brokenBy(a), toBroken), Next: mapped(a.Next, toOption), More: a.More,
	})
}

type jsonReplay struct {
	Version   int              `json:"version"`
	Tool      jsonTool         `json:"tool"`
	Path      string           `json:"path"`
	Name      string           `json:"name"`
	Title     string           `json:"title"`
	Conforms  bool             `json:"conforms"`
	Lines     int              `json:"lines"`
	Ignored   []string         `json:"ignored"`
	Deviation *jsonDeviation   `json:"deviation"`
	Possible  int              `json:"possible"`
	State     []jsonPartyState `json:"state"`
	Final     string           `json:"final"`
	Dues      []jsonDue        `json:"dues"`
	Broken    []jsonBroken     `json:"broken"`
	Next      []jsonOption     `json:"next"`
	More      bool             `json:"more"`
}

type jsonDeviation struct {
	Kind    string           `json:"kind"`
	Line    jsonLine         `json:"line"`
	Nearest string           `json:"nearest"`
	Parties []string         `json:"parties"`
	Lacks   []jsonPartyState `json:"lacks"`
}

type jsonLine struct {
	Number     int      `json:"number"`
	Event      string   `json:"event"`
	Transition string   `json:"transition"`
	Step       string   `json:"step"`
	Time       string   `json:"time"`
	Parties    []string `json:"parties"`
}

type jsonDue struct {
	Kind         string    `json:"kind"`
	Name         string    `json:"name"`
	Title        string    `json:"title"`
	Clause       string    `json:"clause"`
	Bearer       string    `json:"bearer"`
	Counterparty string    `json:"counterparty"`
	Stands       string    `json:"stands"`
	Breached     bool      `json:"breached"`
	Possible     bool      `json:"possible"`
	Within       int       `json:"within"`
	Left         int       `json:"left"`
	Since        *jsonLine `json:"since"`
	Passed       bool      `json:"passed"`
}

type jsonBroken struct {
	Name   string    `json:"name"`
	Title  string    `json:"title"`
	Clause string    `json:"clause"`
	Since  *jsonLine `json:"since"`
	Passed bool      `json:"passed"`
}

type jsonOption struct {
	Name        string   `json:"name"`
	Event       bool     `json:"event"`
	Title       string   `json:"title"`
	Clause      string   `json:"clause"`
	Parties     []string `json:"parties"`
	Transitions []string `json:"transitions"`
}

func toDeviation(d conform.Deviation) jsonDeviation {
	return jsonDeviation{
		Kind: d.Kind.String(), Line: toLine(d.Line), Nearest: d.Nearest,
		Parties: mapped(d.Parties, same), Lacks: mapped(d.Lacks, toPartyState),
	}
}

func toLine(l conform.Line) jsonLine {
	return jsonLine{l.Number, l.Event, l.Transition, l.Step, l.Time, mapped(l.Parties, same)}
}

func toDue(d conform.Due) jsonDue {
	counterparty := ""
	if d.Norm.Counterparty != nil {
		counterparty = d.Norm.Counterparty.Name
	}
	return jsonDue{
		Kind: d.Norm.Kind.String(), Name: d.Norm.Name, Title: d.Norm.Title, Clause: d.Norm.Clause,
		Bearer: d.Norm.Bearer.Name, Counterparty: counterparty, Stands: d.Stands, Breached: d.Breached,
		Possible: d.Possible, Within: d.Within, Left: d.Left, Since: optional(d.Since, toLine), Passed: d.Passed,
	}
}

func toOption(o conform.Option) jsonOption {
	return jsonOption{o.Name, o.Event, o.Title, o.Clause, mapped(o.Parties, same), mapped(o.Transitions, same)}
}

func toBroken(b brokenPromise) jsonBroken {
	j := jsonBroken{Name: b.of.Name, Title: b.of.Title, Clause: b.of.Clause}
	if b.by != nil {
		j.Since, j.Passed = optional(b.by.Line, toLine), b.by.Passed
	}
	return j
}
