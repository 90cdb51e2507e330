package compare

import (
	"context"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// occurrences sorts a failed check of head. Of a norm that recurs, each version reports the first occurrence that fails. So where base fails the
// check, too, for whichever, they are compared one by one: the findings are of the first that fails on head and, if base had that, of the
// first that fails in a new way.
func (s *Sorting) occurrences(ctx context.Context, now *finding.Diagnostic) (list []finding.Finding) {
	was := s.formerSubject(now)
	if was == "" || s.whole(now.Subject) == now.Subject {
		return []finding.Finding{s.check(ctx, now, was)}
	}
	fails := [2][]finding.Diagnostic{s.clashes(ctx, s.Base), s.clashes(ctx, s.Head)}
	if fails[0] == nil || fails[1] == nil {
		return []finding.Finding{s.check(ctx, now, was)}
	}
	onBase := map[string]string{}
	for _, n := range s.Amended.Base.Spec.Norms {
		subject := n.Kind.String() + "." + n.Name
		onBase[s.Amended.Subject(&finding.Diagnostic{Subject: subject})] = subject
	}
	failing := func(side int, subject string) int {
		return slices.IndexFunc(fails[side], func(d finding.Diagnostic) bool {
			return d.Code == now.Code && d.Subject == subject && d.Accepted == ""
		})
	}
	last := "" // an occurrence that base lacks is compared with the last one that it has
	for _, n := range s.Draft.Spec.Norms {
		subject := n.Kind.String() + "." + n.Name
		if s.whole(subject) != s.whole(now.Subject) {
			continue
		}
		if own, both := onBase[subject]; both {
			last = own
		}
		i, was := failing(1, subject), last
		if i < 0 {
			continue
		}
		if failing(0, was) < 0 {
			was = ""
		}
		d := &fails[1][i]
		if subject == now.Subject {
			d = now
		}
		f := s.check(ctx, d, was)
		if list == nil || f.Kind == finding.New {
			list = append(list, f)
		}
		if f.Kind == finding.New {
			break
		}
	}
	return list
}

// clashes returns the findings of verify's Clashes, accepted or not. It returns nil if there is no state model, or a limit is met.
func (s *Sorting) clashes(ctx context.Context, c *verify.Listed) []finding.Diagnostic {
	if c == nil {
		return nil
	}
	list, err := c.Clashes(ctx)
	if err != nil {
		return nil
	}
	r := &finding.Result{Diagnostics: list, Model: finding.Model{Incomplete: "only some checks were made"}}
	explain.Accept(c.Checked.Draft, r)
	return r.Diagnostics
}

// whole returns the subject of a norm without the number of its occurrence or its round of a phase.
func (s *Sorting) whole(subject string) string {
	kind, name, _ := strings.Cut(compile.WithoutIndex(subject), ".")
	return kind + "." + s.Draft.Spec.WithoutRound(name)
}

// formerSubject returns the subject of the same diagnostic on base, in base's names, else of one about another occurrence of the same norm. It
// is empty if base has none, or accepts it.
func (s *Sorting) formerSubject(now *finding.Diagnostic) (subject string) {
	if s.Review.Base == nil {
		return ""
	}
	for _, was := range s.Review.Base.Diagnostics {
		if was.Code != now.Code || was.Accepted != "" {
			continue
		}
		switch named := s.Amended.Subject(&was); {
		case named == now.Subject:
			return was.Subject
		case s.whole(named) == s.whole(now.Subject):
			subject = was.Subject
		}
	}
	return subject
}
