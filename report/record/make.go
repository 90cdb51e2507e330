package record

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"unicode/utf8"

	"github.com/redlinehq/redline/engine"
)

// A Made is what was found out about a draft, and what of the run belongs into its record.
type Made struct {
	Result *engine.Result
	Files  []Subject
	Commit Commit
	Tool   string
	Terms  Terms
}

// Statement states it. What depends on when it is recorded is left empty.
func (m Made) Statement() (*Statement, error) {
	r := m.Result
	d := Draft{Format: Format, Path: r.Path, Name: clean(r.Name), Title: clean(r.Title), Model: r.Digest, Text: TextDigest(m.Files), Commit: m.Commit,
		Tool: m.Tool, Terms: m.Terms, Size: sizeOf(r.Model), Requirements: []Requirement{}, Checks: []Check{}}
	for i := range r.Requirements {
		d.Requirements = append(d.Requirements, requirementOf(&r.Requirements[i], r.Model.Engine))
	}
	for i := range r.Diagnostics {
		g := &r.Diagnostics[i]
		d.Checks = append(d.Checks, Check{string(g.Code), string(g.Class), clean(g.Subject), clean(g.Message), clean(g.Accepted)})
	}
	s := &Statement{Type: StatementType, PredicateType: PredicateType, Predicate: outcome(&d), Subject: m.Files}
	if d.Model != "" {
		s.Subject = append(s.Subject[:len(s.Subject):len(s.Subject)], Subject{modelPrefix + d.Path, Digest{strings.TrimPrefix(d.Model, "sha256:")}})
	}
	s.Predicate.Draft, s.Predicate.Configuration = d, configuration(&d)
	if err := lawfulBut(s); err != nil {
		return nil, fmt.Errorf("contract %s can't be recorded: %w", r.Path, err)
	}
	return s, nil
}

// lawfulBut is lawful of a statement whose When is still to come.
func lawfulBut(s *Statement) error {
	whole := *s
	whole.Predicate.Draft.When.Attested = "2000-01-01T00:00:00Z"
	return whole.lawful()
}

// configuration is what in-toto wants to be told of the run; the draft says all of it, and more.
func configuration(d *Draft) []Resource {
	list := []Resource{{Name: "redline", URI: "pkg:golang/github.com/redlinehq/redline@" + d.Tool}}
	for _, one := range [][2]string{{"settings", d.Terms.Settings}, {"values", d.Terms.Values}} {
		if one[1] != "" {
			list = append(list, Resource{Name: one[0], Digest: &Digest{strings.TrimPrefix(one[1], "sha256:")}})
		}
	}
	return list
}

func sizeOf(m engine.Model) Size {
	return Size{Places: m.Places, Transitions: m.Transitions, States: count(m.States), Arcs: count(m.Arcs), DeadEnds: count(m.DeadEnds),
		Firing: m.Firing, Engine: m.Engine, Incomplete: clean(m.Incomplete)}
}

func count(n *big.Int) string {
	if n == nil {
		return ""
	}
	return n.String()
}

func requirementOf(q *engine.Requirement, engineUsed string) Requirement {
	out := Requirement{Name: q.Name, Title: clean(q.Title), Clause: clean(q.Clause), Formula: clean(q.Formula), Notation: q.Notation, Assuming: cleanAll(q.Assuming),
		Verdict: q.Verdict.String(), Method: string(q.Engine), Reason: clean(q.Reason), Vacuous: len(q.Vacuous) > 0, Run: q.Run}
	if q.Resting {
		names := cleanAll(q.RestsOn)
		out.RestsOn = &names
	}
	if out.Method == "" && (q.Verdict == engine.Holds || q.Verdict == engine.Violated) {
		out.Method = engineUsed
	}
	if w := q.Waiver; w != nil {
		out.Waiver = &Waiver{clean(w.Approver), clean(w.Reason), w.Expires, w.Run, w.State.String()}
	}
	return out
}

// clean makes text that JSON can hold: what is not UTF-8 is replaced.
func clean(s string) string { return strings.ToValidUTF8(s, string(utf8.RuneError)) }

func cleanAll(all []string) []string {
	list := make([]string, 0, len(all))
	for _, s := range all {
		list = append(list, clean(s))
	}
	return list
}

// maxSubject is how many characters of a commit's first line are kept.
const maxSubject = 200

// commit reads what a record says of a commit.
func (r Repository) commits(ctx context.Context, ids []string) (map[string]Commit, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	const format = "--format=%H%x00%an%x00%aI%x00%cI%x00%s"
	out, err := run(ctx, r.local(ctx, "log", "--no-walk=unsorted", "--stdin", "--encoding=UTF-8", "--no-show-signature", "--no-notes", "--no-patch", format),
		[]byte(strings.Join(ids, "\n")+"\n"))
	if err != nil {
		return nil, err
	}
	found := map[string]Commit{}
	for one := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(one, "\n"), "\x00", 5)
		if len(fields) != 5 {
			return nil, fmt.Errorf("git log printed %.80q", one)
		}
		subject := []rune(clean(fields[4]))
		found[fields[0]] = Commit{fields[0], clean(fields[1]), fields[2], fields[3], string(subject[:min(len(subject), maxSubject)])}
	}
	return found, nil
}
