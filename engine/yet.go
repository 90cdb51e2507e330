package engine

import (
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// Words for an implication that fails: what is so, and what does not follow.

// given says what is so. That p is not, and can be in the next step, is how a drafter says that p comes about.
func (t *teller) given(f *ctl.Formula) string {
	if f.Op == ctl.And && f.Right.Op == ctl.EX && f.Left.Op == ctl.Not && ctl.Equal(f.Left.Left, f.Right.Left) {
		f = f.Right
	}
	if f.Op == ctl.EX {
		return t.say(f.Left) + " can come next"
	}
	return t.say(f)
}

// yet says what does not hold in a marking, in words that follow "and yet".
func (t *teller) yet(f *ctl.Formula, m petri.Marking) string {
	switch f.Op {
	case ctl.Not:
		return t.say(f.Left)
	case ctl.And:
		if part := t.missing(f, m); part != nil {
			return t.yet(part, m)
		}
		if list := flat(f, ctl.And); plain(list) {
			return "not all of " + t.listed(list, " and ")
		}
	case ctl.Or:
		if list := flat(f, ctl.Or); plain(list) {
			return "neither " + t.listed(list, " nor ")
		}
	case ctl.EF:
		return t.lost(f.Left)
	case ctl.AF:
		return t.say(f.Left) + " need not come"
	case ctl.EX:
		return "no next step leads to " + t.say(f.Left)
	}
	if f.Right != nil && f.Temporal() {
		return "not (" + t.say(f) + ")" // as it is written
	}
	return "not " + t.say(f)
}

// missing is the conjunct that alone does not hold in a marking; nil where there are several, or it is not clear.
func (t *teller) missing(f *ctl.Formula, m petri.Marking) *ctl.Formula {
	left, ok := t.isSo(f.Left, m)
	right, also := t.isSo(f.Right, m)
	switch {
	case !ok || !also || left == right:
		return nil
	case left:
		return f.Right
	}
	return f.Left
}

// isSo says whether a formula holds in a marking, if that is all that it speaks of.
func (t *teller) isSo(f *ctl.Formula, m petri.Marking) (so, known bool) {
	switch {
	case f.Op == ctl.True || f.Op == ctl.False:
		return f.Op == ctl.True, true
	case f.Means != nil:
		return t.isSo(f.Means, m)
	case f.Op == ctl.Atom:
		return m.Has(f.Place), f.Call == nil && f.Compare == nil
	case f.Op == ctl.Not:
		so, known = t.isSo(f.Left, m)
		return !so, known
	case f.Op != ctl.And && f.Op != ctl.Or:
		return false, false
	}
	left, ok := t.isSo(f.Left, m)
	right, also := t.isSo(f.Right, m)
	if f.Op == ctl.And {
		return left && right, ok && also
	}
	return left || right, ok && also
}

// flat are what a chain of conjunctions or disjunctions is made of.
func flat(f *ctl.Formula, op ctl.Op) []*ctl.Formula {
	if f.Op != op {
		return []*ctl.Formula{f}
	}
	return append(flat(f.Left, op), flat(f.Right, op)...)
}

// plain says whether all are what a sentence can list.
func plain(list []*ctl.Formula) bool {
	for _, f := range list {
		if f.Op != ctl.Atom || f.Call != nil {
			return false
		}
	}
	return true
}

func (t *teller) listed(list []*ctl.Formula, between string) string {
	var words []string
	for _, f := range list {
		words = append(words, t.say(f))
	}
	return strings.Join(words, between)
}
