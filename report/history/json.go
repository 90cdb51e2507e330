package history

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/redlinehq/redline/report/record"
)

// JSON writes a history as one JSON document, with the answer in place of the drafts if a is not nil. tool is this program's version.
func JSON(ctx context.Context, to io.Writer, h *History, a *Answer, tool string) error {
	w := bufio.NewWriter(to)
	head := jsonHistory{Version: 1, Tool: jsonTool{"redline", tool}, Commit: h.commit, Contract: h.contract, Notices: append([]string{}, h.notices...), Answer: answerOf(a), Drafts: []jsonDraft{}}
	raw := encoded(head, "")
	begin := bytes.LastIndex(raw, []byte("[]")) // the drafts come last
	_, _ = w.Write(raw[:begin+1])               // a bufio.Writer keeps its first error
	if a != nil {
		h = &History{} // an answer comes without drafts
	}
	comma := ""
	err := h.each(ctx, func(t *draftEntry) error {
		_, err := fmt.Fprintf(w, "%s\n    %s", comma, encoded(draftOf(t), "    "))
		comma = ","
		return err
	})
	if err != nil {
		return err
	}
	if comma != "" {
		fmt.Fprint(w, "\n  ")
	}
	fmt.Fprintf(w, "%s\n", raw[begin+1:])
	return w.Flush()
}

// encoded returns JSON in ASCII, so that neither a terminal nor a page obeys anything in it.
func encoded(v any, prefix string) []byte {
	raw, err := json.MarshalIndent(v, prefix, "  ")
	if err != nil {
		panic(err) // only strings, numbers and lists
	}
	return record.ASCII(raw)
}

type jsonTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type jsonHistory struct {
	Version  int         `json:"version"`
	Tool     jsonTool    `json:"tool"`
	Commit   string      `json:"commit"`
	Contract string      `json:"contract"`
	Notices  []string    `json:"notices"`
	Answer   *jsonAnswer `json:"answer"`
	Drafts   []jsonDraft `json:"drafts"`
}

type jsonAnswer struct {
	Requirement string      `json:"requirement"`
	Question    string      `json:"question"`
	Says        []string    `json:"says"`
	Definite    bool        `json:"told"`
	Now         *jsonPoint  `json:"now"`
	Turned      *jsonPoint  `json:"turned"`
	Before      *jsonPoint  `json:"before"`
	Repaired    *jsonPoint  `json:"mended"`
	Unsettled   []jsonPoint `json:"unsettled"`
	Checked     int         `json:"checked"`
	Unchecked   int         `json:"unchecked"`
}

type jsonPoint struct {
	Commit    string `json:"commit"`
	Committed string `json:"committed"`
	Author    string `json:"author"`
	Verdict   string `json:"verdict"`
	Why       string `json:"why"`
	Record    string `json:"record"`
	Checked   bool   `json:"checked"`
}

type jsonDraft struct {
	Record       string            `json:"record"`
	Path         string            `json:"path"`
	Name         string            `json:"name"`
	Title        string            `json:"title"`
	Commit       record.Commit     `json:"commit"`
	Place        string            `json:"place"`
	Tool         string            `json:"tool"`
	Result       string            `json:"result"`
	Signature    jsonSignature     `json:"signature"`
	Attested     string            `json:"attested"`
	Previous     string            `json:"previous"`
	Change       *record.Change    `json:"change"`
	Requirements []jsonRequirement `json:"requirements"`
}

type jsonSignature struct {
	State  string `json:"state"`
	By     string `json:"by"`
	Counts bool   `json:"counts"`
}

type jsonRequirement struct {
	Name    string         `json:"name"`
	Title   string         `json:"title"`
	Verdict string         `json:"verdict"`
	Waiver  *record.Waiver `json:"waiver"`
}

func draftOf(t *draftEntry) jsonDraft {
	d := t.draft
	j := jsonDraft{Record: t.Ref, Path: d.Path, Name: d.Name, Title: d.Title, Commit: d.Commit, Place: t.place.String(), Tool: d.Tool, Result: t.result,
		Signature: jsonSignature{t.Signed.String(), t.By, t.counts}, Attested: d.When.Attested, Change: changeOf(d.When.Change), Requirements: []jsonRequirement{}}
	if p := d.When.Previous; p != nil {
		j.Previous = p.Record
	}
	for i := range d.Requirements {
		q := &d.Requirements[i]
		j.Requirements = append(j.Requirements, jsonRequirement{q.Name, q.Title, shownVerdict(q), q.Waiver})
	}
	return j
}

// changeOf returns a copy of a change whose lists are never null.
func changeOf(c *record.Change) *record.Change {
	if c == nil {
		return nil
	}
	return &record.Change{Relation: c.Relation, Reason: c.Reason, Text: append([]string{}, c.Text...), Possible: append([]string{}, c.Possible...),
		Impossible: append([]string{}, c.Impossible...), Verdicts: append([]record.VerdictChange{}, c.Verdicts...)}
}

func answerOf(a *Answer) *jsonAnswer {
	if a == nil {
		return nil
	}
	j := &jsonAnswer{Requirement: a.requirement, Question: "broke", Says: a.sentences(style{asIs, asIs}), Definite: a.Definite(), Now: pointJSON(a.now), Turned: pointJSON(a.turned), Before: pointJSON(a.before),
		Repaired: pointJSON(a.repaired), Unsettled: []jsonPoint{}, Checked: a.checked, Unchecked: a.unchecked}
	if a.holds {
		j.Question = "holds"
	}
	for _, p := range a.unsettled {
		j.Unsettled = append(j.Unsettled, *pointJSON(p))
	}
	return j
}

func pointJSON(p *point) *jsonPoint {
	if p == nil {
		return nil
	}
	return &jsonPoint{p.commit, p.committed, p.author, p.verdict, p.why, p.record, p.checked}
}
