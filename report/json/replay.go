package json

import (
	"io"

	"github.com/redlinehq/redline/engine/conform"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/report/text"
	"github.com/redlinehq/redline/report/words"
)

// WriteReplay writes the result of replaying a log as one JSON document, described by schema/replay-v1.1.schema.json. An error comes from
// w.
func WriteReplay(w io.Writer, a *conform.Answer, tool string) error {
	spec := a.Draft.Spec
	return Encode(w, jsonReplay{
		Version: version, Tool: named(tool), Path: a.Draft.Path, Name: spec.Name, Title: spec.Title,
		Conforms: a.Deviation == nil, Lines: a.Lines, Ignored: words.Mapped(a.Ignored, same), Deviation: optional(a.Deviation, toDeviation),
		Possible: a.Possible, State: words.Mapped(a.States, toPartyState), Final: a.Final.String(),
		Dues: words.Mapped(a.Dues, toDue), Broken: words.Mapped(text.BrokenPromises(a), toBroken), Next: words.Mapped(a.Next, toOption), More: a.More,
	})
}

type jsonReplay struct {
	Version   int            `json:"version"`
	Tool      program        `json:"tool"`
	Path      string         `json:"path"`
	Name      string         `json:"name"`
	Title     string         `json:"title"`
	Conforms  bool           `json:"conforms"`
	Lines     int            `json:"lines"`
	Ignored   []string       `json:"ignored"`
	Deviation *jsonDeviation `json:"deviation"`
	Possible  int            `json:"possible"`
	State     []partyState   `json:"state"`
	Final     string         `json:"final"`
	Dues      []jsonDue      `json:"dues"`
	Broken    []jsonBroken   `json:"broken"`
	Next      []jsonOption   `json:"next"`
	More      bool           `json:"more"`
}

type jsonDeviation struct {
	Kind    string       `json:"kind"`
	Line    jsonLine     `json:"line"`
	Nearest string       `json:"nearest"`
	Parties []string     `json:"parties"`
	Lacks   []partyState `json:"lacks"`
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
	State        string    `json:"stands"`
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
		Parties: words.Mapped(d.Parties, same), Lacks: words.Mapped(d.Lacks, toPartyState),
	}
}

func toLine(l conform.Line) jsonLine {
	return jsonLine{l.Number, l.Event, l.Transition, l.Step, l.Time, words.Mapped(l.Parties, same)}
}

func toDue(d conform.Due) jsonDue {
	name := func(p *hclspec.Party) string { return p.Name }
	return jsonDue{
		Kind: d.Norm.Kind.String(), Name: d.Norm.Name, Title: d.Norm.Title, Clause: d.Norm.Clause,
		Bearer: hclspec.Named(d.By, name), Counterparty: hclspec.Named(d.To, name), State: d.State, Breached: d.Breached,
		Possible: d.Possible, Within: d.Within, Left: d.Left, Since: optional(d.Since, toLine), Passed: d.Passed,
	}
}

func toOption(o conform.Option) jsonOption {
	return jsonOption{o.Name, o.Event, o.Title, o.Clause, words.Mapped(o.Parties, same), words.Mapped(o.Transitions, same)}
}

func toBroken(b text.BrokenPromise) jsonBroken {
	j := jsonBroken{Name: b.Of.Name, Title: b.Of.Title, Clause: b.Of.Clause}
	if b.By != nil {
		j.Since, j.Passed = optional(b.By.Line, toLine), b.By.Passed
	}
	return j
}
