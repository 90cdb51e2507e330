package naive

import "github.com/redlinehq/redline/engine/ctl"

// Fairness says of each of some actors where it can act, and along which arcs it does. On a fair
// path, an actor that from some point on can always act, acts again and again.
type Fairness struct {
	Actors int
	Can    func(actor, state int) bool
	Acts   func(actor, state, arc int) bool // arc counts Succ[state]
	Stops  bool                             // a path may also stop for good in any state: fair where no actor can act
}

// FairSat is Sat on the fair maximal paths. Paths that end in a dead end are all fair.
//
// It looks for fair paths with the closure of the arcs: a fair endless path in a set goes to some
// state, and from there round all the states in the set that lead back to it.
func FairSat(g Graph, fair Fairness, f *ctl.Formula) []bool {
	if f.Means != nil {
		return FairSat(g, fair, f.Means)
	}
	var left, right []bool
	if f.Left != nil {
		left = FairSat(g, fair, f.Left)
	}
	if f.Right != nil {
		right = FairSat(g, fair, f.Right)
	}
	n := len(g.Succ)
	switch f.Op {
	case ctl.EG:
		return fairPath(g, fair, left)
	case ctl.AF:
		return negate(fairPath(g, fair, negate(left)))
	case ctl.EW:
		ends, goes := temporal(g, ctl.EU, left, right), fairPath(g, fair, left)
		for s := range n {
			ends[s] = ends[s] || goes[s]
		}
		return ends
	case ctl.AU:
		weak, never := temporal(g, ctl.AW, left, right), fairPath(g, fair, negate(right))
		for s := range n {
			weak[s] = weak[s] && !never[s]
		}
		return weak
	case ctl.EX, ctl.AX, ctl.EF, ctl.AG, ctl.EU, ctl.AW:
		return temporal(g, f.Op, left, right)
	}
	sat := make([]bool, n)
	for s := range sat {
		sat[s] = local(g, f, s, left, right)
	}
	return sat
}

// fairPath is the states from which a fair path stays in the set.
func fairPath(g Graph, fair Fairness, in []bool) []bool {
	leads := closure(g, in)
	good := make([]bool, len(in))
	for s := range in {
		if in[s] && (fair.ends(g, s) || leads[s][s] && fairRound(g, fair, leads, s)) {
			good[s] = true
		}
	}
	sat := make([]bool, len(in))
	for s := range in {
		sat[s] = good[s]
		for t := range in {
			sat[s] = sat[s] || leads[s][t] && good[t]
		}
	}
	return sat
}

// ends reports whether a path that ends in a state is fair.
func (fair Fairness) ends(g Graph, s int) bool {
	if !fair.Stops {
		return len(g.Succ[s]) == 0
	}
	for k := range fair.Actors {
		if fair.Can(k, s) {
			return false
		}
	}
	return true
}

// FairPath returns the states from which a fair path stays in a set.
func FairPath(g Graph, fair Fairness, in []bool) []bool { return fairPath(g, fair, in) }

// fairRound goes round all the states that s leads to and that lead back.
func fairRound(g Graph, fair Fairness, leads [][]bool, s int) bool {
	for k := range fair.Actors {
		well := false
		for t := range leads {
			if !leads[s][t] || !leads[t][s] {
				continue
			}
			well = well || !fair.Can(k, t)
			for i, u := range g.Succ[t] {
				well = well || leads[s][u] && leads[u][s] && fair.Acts(k, t, i)
			}
		}
		if !well {
			return false
		}
	}
	return true
}

// closure says which states lead to which by one arc or more within the set (S. Warshall, 1962, A
// theorem on Boolean matrices).
func closure(g Graph, in []bool) [][]bool {
	leads := make([][]bool, len(in))
	for s := range in {
		leads[s] = make([]bool, len(in))
		for _, t := range g.Succ[s] {
			leads[s][t] = in[s] && in[t]
		}
	}
	for via := range in {
		for s := range in {
			for t := range in {
				leads[s][t] = leads[s][t] || leads[s][via] && leads[via][t]
			}
		}
	}
	return leads
}

func negate(a []bool) []bool {
	not := make([]bool, len(a))
	for i, v := range a {
		not[i] = !v
	}
	return not
}
