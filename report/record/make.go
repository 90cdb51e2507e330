package record

import (
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/redlinehq/redline/engine/finding"
)

// A Made has the result of checking a draft, and what else of the run belongs in its record.
type Made struct {
	Result *finding.Result
	Files  []Subject
	Commit Commit
	Tool   string
	Terms  Terms
}

// Statement returns the statement of the result, validated. It leaves When empty, which depends on when it is recorded.
func (m Made) Statement() (*Statement, error) {
	r := m.Result
	d := Draft{Format: format, Path: r.Path, Name: Clean(r.Name), Title: Clean(r.Title), Model: r.Digest, Text: textDigest(m.Files), Commit: m.Commit,
		Tool: m.Tool, Terms: m.Terms, Size: sizeOf(r.Model), Requirements: []Requirement{}, Checks: []check{}}
	for i := range r.Requirements {
		d.Requirements = append(d.Requirements, requirementOf(&r.Requirements[i], r.Model.Engine))
	}
	for i := range r.Diagnostics {
		g := &r.Diagnostics[i]
		d.Checks = append(d.Checks, check{string(g.Code), string(g.Class), Clean(g.Subject), Clean(g.Message), Clean(g.Accepted)})
	}
	s := &Statement{Type: statementType, PredicateType: predicateType, Predicate: Outcome(&d), Subject: m.Files}
	if d.Model != "" {
		s.Subject = append(s.Subject[:len(s.Subject):len(s.Subject)], Subject{modelPrefix + d.Path, Digest{strings.TrimPrefix(d.Model, "sha256:")}})
	}
	s.Predicate.Draft, s.Predicate.Configuration = d, configuration(&d)
	if err := validateBut(s); err != nil {
		return nil, fmt.Errorf("contract %s can't be recorded: %w", r.Path, err)
	}
	return s, nil
}

// validateBut validates a statement whose When is not filled in yet.
func validateBut(s *Statement) error {
	whole := *s
	whole.Predicate.Draft.When.Attested = "2000-01-01T00:00:00Z"
	return whole.Validate()
}

// configuration returns what in-toto records of a run's configuration. The draft has the same data and more.
func configuration(d *Draft) []resource {
	list := []resource{{Name: "redline", URI: "pkg:golang/github.com/redlinehq/redline@" + d.Tool}}
	for _, one := range [][2]string{{"settings", d.Terms.Settings}, {"values", d.Terms.Values}} {
		if one[1] != "" {
			list = append(list, resource{Name: one[0], Digest: &Digest{strings.TrimPrefix(one[1], "sha256:")}})
		}
	}
	return list
}

func sizeOf(m finding.Model) size {
	return size{Places: m.Places, Transitions: m.Transitions, States: count(m.States), Arcs: count(m.Arcs), DeadEnds: count(m.DeadEnds),
		Firing: m.Firing, Engine: m.Engine, Incomplete: Clean(m.Incomplete)}
}

func count(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

func requirementOf(q *finding.Requirement, engineUsed string) Requirement {
	out := Requirement{Name: q.Name, Title: Clean(q.Title), Clause: Clean(q.Clause), Formula: Clean(q.Formula), Notation: q.Notation, Assuming: cleanAll(q.Assuming),
		Verdict: q.Verdict.String(), Method: string(q.Engine), Reason: Clean(q.Reason), Vacuous: len(q.Vacuous) > 0, Run: q.Run}
	if q.Resting {
		names := cleanAll(q.RestsOn)
		out.RestsOn = &names
	}
	if out.Method == "" && (q.Verdict == finding.Holds || q.Verdict == finding.Violated) {
		out.Method = engineUsed
	}
	if w := q.Waiver; w != nil {
		out.Waiver = &Waiver{Clean(w.Approver), Clean(w.Reason), w.Expires, w.Run, w.State.String()}
	}
	return out
}

// Clean returns s with invalid UTF-8 replaced, so that JSON can hold it.
func Clean(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

func cleanAll(all []string) []string {
	list := make([]string, 0, len(all))
	for _, s := range all {
		list = append(list, Clean(s))
	}
	return list
}

// MaxSubject limits how many characters of a commit's subject are kept.
const MaxSubject = 200
