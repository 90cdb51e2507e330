package compare

import (
	"context"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
)

// Of a norm that recurs, each version reports the first occurrence that fails a check, and verify.Answers has all of them. They are compared one by
// one, so that none hides behind another: neither where a failure stood before nor where it is accepted.

// occurrences sorts a failed check of head. Where base fails the check for whichever occurrence of the norm, the findings are of the first that fails on
// head and, if base had that, of the first that fails in a new way, or maybe does.
func (s *Sorting) occurrences(ctx context.Context, now *finding.Diagnostic) (list []finding.Finding) {
	if !s.recurs(now.Subject) || !fails(s.Asked.Clashes, now.Code, now.Subject) {
		return []finding.Finding{s.check(ctx, now, s.formerSubject(now))}
	}
	for i := range s.Asked.Clashes {
		d := &s.Asked.Clashes[i]
		if d.Accepted != "" || s.whole(d.Subject) != s.whole(now.Subject) { // the kind of norm says which check it is
			continue
		}
		if d.Subject == now.Subject {
			d = now
		}
		was := s.former(d.Subject)
		if !fails(s.Before.Clashes, d.Code, was) {
			was = ""
		}
		f := s.check(ctx, d, was)
		if list == nil || f.Kind != finding.Standing && f.Kind != list[len(list)-1].Kind {
			list = append(list, f)
		}
		if f.Kind == finding.New {
			break
		}
	}
	return list
}

// fails reports whether a check is among those that failed for a subject, and is not accepted.
func fails(all []finding.Diagnostic, code codes.Code, subject string) bool {
	return slices.ContainsFunc(all, func(d finding.Diagnostic) bool { return d.Code == code && d.Subject == subject && d.Accepted == "" })
}

// still reports whether head fails a check, accepted or not, for a subject, or for any occurrence of it.
func (s *Sorting) still(code codes.Code, subject string) bool {
	return slices.ContainsFunc(slices.Concat(s.Asked.Clashes, s.Review.Head.Diagnostics), func(d finding.Diagnostic) bool {
		return d.Code == code && (d.Subject == subject || s.whole(d.Subject) == subject)
	})
}

// former returns the occurrence of base, in base's names, with which one of head is compared: that with its number or, if base lacks that, the last before
// it. It returns "" if there is none.
func (s *Sorting) former(subject string) (was string) {
	if s.Amended == nil {
		return ""
	}
	onBase := map[string]string{}
	for _, n := range s.Amended.Base.Spec.Norms {
		own := n.Kind.String() + "." + n.Name
		onBase[s.Amended.Subject(&finding.Diagnostic{Subject: own})] = own
	}
	for _, n := range s.Draft.Spec.Norms {
		one := n.Kind.String() + "." + n.Name
		if own, both := onBase[one]; both && s.whole(one) == s.whole(subject) {
			was = own
		}
		if one == subject {
			return was
		}
	}
	return ""
}

// acceptedChecks returns the failed checks that head accepts, with those of occurrences that it does not report apart.
func (s *Sorting) acceptedChecks() (all []finding.Diagnostic) {
	for _, d := range slices.Concat(s.Review.Head.Diagnostics, s.Asked.Clashes) {
		if d.Class == codes.Violation && d.Accepted != "" && !slices.ContainsFunc(all, func(o finding.Diagnostic) bool { return o.Code == d.Code && o.Subject == d.Subject }) {
			all = append(all, d)
		}
	}
	return all
}

// recurs reports whether a subject is an occurrence of a norm, or a norm in a round of a phase.
func (s *Sorting) recurs(subject string) bool { return s.whole(subject) != subject }

// whole returns the subject of a norm without the number of its occurrence or its round of a phase, and any other as it is.
func (s *Sorting) whole(subject string) string {
	kind, name, _ := strings.Cut(compile.WithoutIndex(subject), ".")
	if !construct.IsNorm(kind) {
		return subject
	}
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
