package compare

import (
	"cmp"
	"context"
	"reflect"
	"slices"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// rested compares the parties that a requirement rests on on head with base's answer to the same wording, and returns the finding with what
// differs. If both rest on the same parties, a violation that occurs only while one of them waits is none that the amendment brings: on the
// runs on which they act, head keeps the promise as base does. If no acting alone keeps it on either, urgent says how head violates it on the runs on which nobody
// puts anything off: a violation in no new way there occurs only while somebody waits. If a limit leaves open on whom a promise rests, the violation counts, and
// the review says that this is not known. What a waiver of base names stays as it is, and so do requirements that declare
// whom they may rest on.
func (s *Sorting) rested(q *finding.Requirement, f finding.Finding, urgent func() *finding.Way) finding.Finding {
	if q == nil || !known(q.Rests) || !known(f.Head.Rests) {
		return f
	}
	was := in(q.Rests, s.Amended.Names)
	if was.More || f.Head.Rests.More { // the sets left out may differ
		return f
	}
	if !reflect.DeepEqual(was, in(f.Head.Rests, nil)) {
		f.Rested = was
		return f
	}
	if (f.Kind == finding.New || f.Kind == finding.Weakened || f.Kind == finding.Undecided) && !f.Base.Named() && !f.Head.Resting && (len(was.Sets) > 0 || urgent().Old()) {
		f.Kind, f.Way = finding.RestsAsBefore, nil
	}
	return f
}

// urgent returns how head violates a promise on the runs on which nobody puts anything off: on which each event that from some point on is always possible happens.
func (s *Sorting) urgent(ctx context.Context, onHead, onBase *hclspec.Requirement) *finding.Way {
	f, why := s.followed()
	if f == nil {
		return &finding.Way{Unknown: why}
	}
	a, _ := f.Promise(onHead, onBase) // on whom it rests is known of both, so it can be asked
	a.onHead, a.onBase = verify.Urgent(s.Head.Checked.Draft, onHead.Formula.Ideal), verify.Urgent(s.Base.Checked.Draft, onBase.Formula.Ideal)
	w, _ := f.way(ctx, a, nil, s.Budget)
	return w
}

// unbound adds to a promise that rests on others than before which of them no obligation of head binds, if head has obligations at all.
func (s *Sorting) unbound(f finding.Finding) finding.Finding {
	owes := func(p *hclspec.Party) bool {
		return slices.ContainsFunc(s.Draft.Spec.Norms, func(n *hclspec.Norm) bool { return n.Kind == hclspec.Obligation && (p == nil || n.Borne(p)) })
	}
	if f.Rested == nil || !owes(nil) {
		return f
	}
	before, now := slices.Concat(f.Rested.Sets...), slices.Concat(f.Head.Rests.Sets...)
	for _, p := range s.Draft.Spec.Parties {
		if p.Made == "" && !owes(p) && slices.Contains(now, p.Name) && !slices.Contains(before, p.Name) {
			f.Unbound = append(f.Unbound, p.Name)
		}
	}
	return f
}

// known reports whether the sets are known.
func known(r *finding.Rests) bool { return r != nil && r.Unknown == "" }

// in returns r in head's names and in their order. It keeps the names if names is nil.
func in(r *finding.Rests, names *diff.Names) *finding.Rests {
	head := func(e diff.Element, name string) string {
		if names != nil {
			if now, ok := names.Head(e, name); ok {
				return now
			}
		}
		return name
	}
	renamed := &finding.Rests{More: r.More, NoRuns: r.NoRuns, Ideal: r.Ideal}
	for _, set := range r.Sets {
		members := []string{}
		for _, name := range set {
			members = append(members, head(diff.Party, name))
		}
		slices.SortFunc(members, timeLast)
		renamed.Sets = append(renamed.Sets, members)
	}
	for _, set := range r.Norms {
		var kept []finding.KeptNorm
		for _, n := range set {
			name := n.Norm
			for _, e := range []diff.Element{diff.Obligation, diff.Prohibition} {
				name = head(e, name)
			}
			kept = append(kept, finding.KeptNorm{Norm: name, Bearer: hclspec.RenameKeeper(n.Bearer, func(p string) string { return head(diff.Party, p) })})
		}
		slices.SortFunc(kept, func(a, b finding.KeptNorm) int { return hclspec.Natural(a.Norm, b.Norm) })
		renamed.Norms = append(renamed.Norms, kept)
	}
	inOrder(renamed.Sets, timeLast)
	inOrder(renamed.Norms, func(a, b finding.KeptNorm) int { return hclspec.Natural(a.Norm, b.Norm) })
	return renamed
}

// timeLast compares names in the order of Rests: time comes last.
func timeLast(a, b string) int {
	return cmp.Or(verify.ZeroOrOne(a == "time")-verify.ZeroOrOne(b == "time"), hclspec.Natural(a, b))
}

// inOrder sorts sets, the smallest first.
func inOrder[T any](sets [][]T, compare func(a, b T) int) {
	slices.SortFunc(sets, func(a, b []T) int { return cmp.Or(cmp.Compare(len(a), len(b)), slices.CompareFunc(a, b, compare)) })
}
