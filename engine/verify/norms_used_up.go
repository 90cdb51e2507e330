package verify

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/hclspec"
)

// usedUp returns those of the states in which an obligation is owed and can't be fulfilled in which the reason is that what fulfils it has happened
// already and happens only once; and a sentence that says so and what mends it. If there are none it returns all of the states and "".
func (n *normChecks[S]) usedUp(ctx context.Context, norm *hclspec.Norm, lost S) (S, string, error) {
	if norm.Needs == nil {
		return n.allHappened(ctx, norm, lost, norm.Acts, nil)
	}
	for i, act := range norm.Acts {
		yet := &ctl.Formula{Op: ctl.Not, Left: at(n.Checked.Draft, norm, norm.Needs[i])}
		if set, why, err := n.allHappened(ctx, norm, lost, []*hclspec.Event{act}, []*ctl.Formula{yet}); err != nil || why != "" {
			return set, why, err
		}
	}
	return lost, "", nil
}

// allHappened does the same for some acts, in states that also satisfy some formulas.
func (n *normChecks[S]) allHappened(ctx context.Context, norm *hclspec.Norm, lost S, acts []*hclspec.Event, so []*ctl.Formula) (S, string, error) {
	var names []string
	for _, act := range acts {
		p, once := n.PlaceOf[act.Name+"!.after"]
		if !once {
			return lost, "", nil
		}
		so, names = append(so, n.Marked(p)), append(names, fmt.Sprintf("%q", act.Name))
	}
	happened, err := n.checker.Sat(ctx, compile.Join(ctl.And, so))
	if err != nil {
		return lost, "", err
	}
	x := n.Model.sets()
	happened = x.Intersect(lost, happened)
	if x.Err() != nil || n.none(happened) {
		return lost, "", x.Err()
	}
	again, err := n.beginsAgain(ctx, norm)
	if err != nil {
		return lost, "", err
	}
	called := strings.Join(names, " and ")
	why, them := called+" has happened already, and happens only once.", "it"
	if len(acts) > 1 {
		why, them = called+" have happened already, and happen only once.", "them"
	}
	if len(norm.Starts) == 0 || norm.Nth > 0 || again { // it may have happened while it was owed
		return happened, fmt.Sprintf("%s Let %s happen again, with repeats = true.", why, them), nil
	}
	only := fmt.Sprintf("only_while = %s.%s", norm.Written(), norm.On().Name)
	if slices.ContainsFunc(acts, func(e *hclspec.Event) bool { return len(e.Needs) > 0 }) {
		only = fmt.Sprintf("%s.%s in only_while as well", norm.Written(), norm.On().Name)
	}
	return happened, fmt.Sprintf("%s Keep %s from happening before it is owed, with %s, or let %[2]s happen again, with repeats = true.", why, them, only), nil
}

// beginsAgain reports whether what brings an obligation about can happen once it has been fulfilled.
func (n *normChecks[S]) beginsAgain(ctx context.Context, norm *hclspec.Norm) (bool, error) {
	done, err := n.checker.Sat(ctx, at(n.Checked.Draft, norm, norm.Net.PlaceNamed(norm.Kind.Construct().Done)))
	if err != nil {
		return false, err
	}
	s, err := n.sweep(ctx)
	if err != nil {
		return false, err
	}
	return !n.none(n.Model.sets().Intersect(done, s.starts[norm])), n.Model.sets().Err()
}
