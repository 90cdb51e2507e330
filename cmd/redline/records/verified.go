package records

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// WriteVerified writes the report of a verification as text.
func WriteVerified(w io.Writer, r *store.Report) error {
	var b strings.Builder
	for _, d := range r.Drafts {
		if d.Card == nil {
			continue
		}
		fmt.Fprintf(&b, "%s: recorded (%s, %s)", escape.TerminalText(d.Path), strings.ToLower(d.Card.Result), signedWords(d.Card))
		if !d.On {
			fmt.Fprintf(&b, " at commit %.12s, which is not on this branch", d.Card.Commit)
		}
		fmt.Fprintf(&b, "\n  %s\n", d.Card.Ref)
	}
	for _, p := range r.Problems {
		about := escape.TerminalText(p.Path)
		if p.Ref != "" {
			about = strings.TrimSpace(about + " " + p.Ref)
		}
		fmt.Fprintf(&b, "%s: %s\n  %s\n", p.Kind, about, escape.TerminalText(p.What))
	}
	for _, n := range r.Notices {
		fmt.Fprintf(&b, "%s\n", escape.TerminalText(n))
	}
	fmt.Fprintf(&b, "%s, %s.\n", counted(r.Records, "record"), problemsOf(r))
	_, err := io.WriteString(w, b.String())
	return err
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func problemsOf(r *store.Report) string {
	if len(r.Problems) == 0 {
		return "all in order"
	}
	return counted(len(r.Problems), "problem")
}

func signedWords(c *store.Card) string {
	if c.Signed == record.Accepted {
		return "signed by " + c.By
	}
	return c.Signed.String()
}

// WriteVerifiedJSON writes the report of a verification as JSON. Lists are never null.
func WriteVerifiedJSON(w io.Writer, r *store.Report) error {
	type draft struct {
		Path     string `json:"path"`
		Record   string `json:"record"`
		Commit   string `json:"commit"`
		OnBranch bool   `json:"onBranch"`
		Result   string `json:"result"`
		Signed   string `json:"signed"`
		By       string `json:"by"`
	}
	type problem struct {
		Kind   string `json:"kind"`
		Path   string `json:"path"`
		Commit string `json:"commit"`
		Record string `json:"record"`
		What   string `json:"what"`
	}
	out := struct {
		Version  int       `json:"version"`
		Commit   string    `json:"commit"`
		Records  int       `json:"records"`
		Signed   int       `json:"signed"`
		Entries  int       `json:"entries"` // of the log
		Drafts   []draft   `json:"drafts"`
		Problems []problem `json:"problems"`
		Notices  []string  `json:"notices"`
	}{1, r.Commit, r.Records, r.Accepted, r.Entries, []draft{}, []problem{}, append([]string{}, r.Notices...)}
	for _, d := range r.Drafts {
		one := draft{Path: d.Path, OnBranch: d.On}
		if c := d.Card; c != nil {
			one.Record, one.Commit, one.Result, one.Signed, one.By = c.Ref, c.Commit, c.Result, c.Signed.String(), c.By
		}
		out.Drafts = append(out.Drafts, one)
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, problem{p.Kind.String(), p.Path, p.Commit, p.Ref, p.What})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
