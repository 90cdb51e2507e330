package smv

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/ctl"
)

// formula translates one; doc.go says why it means the same.
func (w *writer) formula(f *ctl.Formula) string {
	if f.Means != nil {
		return w.formula(f.Means)
	}
	if f.Op == ctl.ForAll || f.Op == ctl.ForSome {
		panic(errNoMeaning) // Expand has written it out
	}
	var p, q string
	if f.Left != nil {
		p = w.formula(f.Left)
	}
	if f.Right != nil {
		q = w.formula(f.Right)
	}
	switch f.Op {
	case ctl.True, ctl.False:
		return truth(f.Op == ctl.True)
	case ctl.Atom:
		if f.Sum != nil {
			return w.sum(f.Sum)
		}
		return w.places[f.Place]
	case ctl.Not:
		return "!" + p
	case ctl.And, ctl.Or, ctl.Implies, ctl.Iff:
		return "(" + p + " " + [...]string{"&", "|", "->", "<->"}[f.Op-ctl.And] + " " + q + ")"
	case ctl.EX:
		return "(!dead & EX " + p + ")"
	case ctl.AX:
		return "(dead | AX " + p + ")"
	case ctl.EF, ctl.AF, ctl.EG, ctl.AG:
		return "(" + [...]string{"EF", "AF", "EG", "AG"}[f.Op-ctl.EF] + " " + p + ")"
	case ctl.EU:
		return "E [ " + p + " U " + q + " ]"
	case ctl.AU:
		return "A [ " + p + " U " + q + " ]"
	case ctl.EW:
		return "E [ " + p + " U (" + q + " | (EG " + p + ")) ]"
	case ctl.AW:
		return "!E [ !" + q + " U (!" + p + " & !" + q + ") ]"
	}
	panic(fmt.Sprintf("smv: operator %d", f.Op))
}

// sum says that weights of marked places add up to no more than a number. Negative weights stand on the other side.
func (w *writer) sum(s *ctl.Sum) string {
	least, most := w.weighed(s.Weights, 1), append(w.weighed(s.Weights, -1), fmt.Sprint(max(s.Most, 0)))
	if s.Most < 0 {
		least = append(least, fmt.Sprint(-s.Most))
	}
	if len(least) == 0 {
		least = []string{"0"}
	}
	return "((" + strings.Join(least, " + ") + ") <= (" + strings.Join(most, " + ") + "))"
}

// weighed are the places of one sign, those of one weight together.
func (w *writer) weighed(all []ctl.Weight, sign int) []string {
	by := map[int][]string{}
	var weights []int
	for _, v := range all {
		if n := v.By * sign; n > 0 {
			if by[n] == nil {
				weights = append(weights, n)
			}
			by[n] = append(by[n], w.places[v.Place])
		}
	}
	slices.Sort(weights)
	var parts []string
	for _, n := range weights {
		part := "count(" + strings.Join(by[n], ", ") + ")"
		if n != 1 {
			part = fmt.Sprintf("%d * %s", n, part)
		}
		parts = append(parts, part)
	}
	return parts
}

// size counts the operators of a translation, up to a limit: W says one side twice.
func size(f *ctl.Formula, limit int) int {
	switch {
	case f == nil:
		return 0
	case f.Means != nil:
		return size(f.Means, limit)
	case f.Sum != nil:
		return len(f.Sum.Weights) + 1
	}
	p, q := size(f.Left, limit), size(f.Right, limit)
	switch f.Op {
	case ctl.EW:
		p *= 2
	case ctl.AW:
		q *= 2
	}
	return min(p+q+4, limit+1)
}
