package rests

import (
	"context"
	"slices"
)

// maxTried bounds how many sets are tried one by one.
const maxTried = 64

// A Trial says whether a set keeps a promise. If not it names, by a counterexample that is fair to the set, the sets of variables of which
// every set that keeps the promise contains one; nil: no run shows why it is not kept. Idle says that a set keeps it only because no run is left.
type Trial func(ctx context.Context, set []int) (kept, idle bool, instead [][]int, err error)

// Search returns what Functions.Least does of the function that says which sets keep a promise, by trying sets: at most so many are
// returned, and more also where too many had to be tried. The set of all is tried first: where that will not do, none does.
func Search(ctx context.Context, all []int, most int, try Trial) (sets [][]int, more bool, err error) {
	kept, _, _, err := try(ctx, all)
	if err != nil || !kept {
		return nil, false, err
	}
	f := NewFunctions()
	left := True
	for range maxTried {
		set, ok := f.Smallest(left)
		if !ok || f.Err() != nil {
			return sets, false, f.Err()
		}
		kept, idle, instead, err := try(ctx, set)
		switch {
		case err != nil:
			return nil, false, err
		case kept && !idle && len(sets) == most:
			return sets, true, nil
		case kept:
			if !idle {
				sets = append(sets, set)
			}
			left = f.Without(left, f.All(set))
		default:
			some := False
			if instead == nil {
				instead = beside(set, all)
			}
			for _, s := range instead {
				some = f.Or(some, f.All(s))
			}
			left = f.And(left, some)
		}
	}
	if sets == nil {
		return nil, false, ErrTooMany
	}
	return sets, true, nil
}

// beside lists the variables that are not in a set, each alone: one of them is in every larger set that keeps what this one does not.
func beside(set, all []int) [][]int {
	var list [][]int
	for _, v := range all {
		if !slices.Contains(set, v) {
			list = append(list, []int{v})
		}
	}
	return list
}
