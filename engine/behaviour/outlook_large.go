package behaviour

import (
	"context"
	"errors"
	"slices"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/product"
)

// foresee sets after which steps of head norms can't turn any more as they still can on base.
func (w *vast) foresee(ctx context.Context, d *finding.Difference) {
	b := d.Full()
	if !w.Budget.Owed || b.Owed == nil || b.Owed.Relation == delta.Same {
		return
	}
	freer, kept := w.comparable(d)
	list := w.prospects()
	var asked []product.Prospect
	for _, of := range list {
		asked = append(asked, w.asked(of))
	}
	action := func(t int) Observation {
		if t < 0 {
			return Observation{w.idle}
		}
		return Observation{w.All[w.Of[1][t]].Action}
	}
	given := func(i, t int) bool { return w.giveUp(list[i].norm, []int{t}, freer[w.Actions[action(t)[0]].Name]) }
	found, err := w.Lost(ctx, w.observer(kept, stepsAlone), w.Of, asked, w.overAt(), given, w.bounds(1, 1))
	for _, loss := range found {
		of := list[loss.Prospect]
		run, failed := w.followers(w.observer(kept, stepsAlone))[1].walk(loss.Run)
		if failed == nil {
			failed = w.confirmLoss(of, kept, run)
		}
		if failed != nil {
			d.Unforeseen = failed.Error()
			return
		}
		d.Gone = append(d.Gone, w.loss(of, run, action(loss.Run[len(loss.Run)-1])))
	}
	if err != nil {
		d.Unforeseen = w.vastReason(err)
	}
	slices.SortStableFunc(d.Gone, func(a, b finding.Turn) int { return a.Compare(&b) })
}

// confirmLoss replays a run by the definitions of package petri. What can still come about after it is looked at as far as there are few enough states.
func (w *vast) confirmLoss(of prospect, o Observer, run walk) error {
	then, err := w.alongside(of, o, run)
	if err == nil {
		err = w.comesNoMore(of, then, run, maxConfirming)
	}
	if errors.Is(err, errTooFar) {
		return nil
	}
	return err
}

// asked returns a prospect in terms of places and transitions.
func (x *vast) asked(of prospect) (p product.Prospect) {
	p.Begins = of.how == finding.TurnBegins
	for side, s := range x.norms[of.norm].of {
		p.Live[side] = []int{s.on}
		if s.suspended >= 0 {
			p.Live[side] = append(p.Live[side], s.suspended)
		}
		if s.allActs && !p.Begins {
			p.After[side] = slices.Clone(p.Live[side])
			if s.breached >= 0 {
				p.After[side] = append(p.After[side], s.breached)
			}
		}
		for t, sight := range x.Of[side] {
			a := x.Actions[x.All[sight].Action]
			if p.Begins || a.Kind == EventAction && slices.Contains(s.acts, a.Name) {
				p.By[side] = append(p.By[side], t)
			}
		}
	}
	return p
}

// overAt returns the places that are marked once the contract is over.
func (x *vast) overAt() product.Over {
	over := product.Over{-1, -1}
	for _, n := range x.norms {
		for side, s := range n.of {
			if s != nil && n.isEnd() {
				over[side] = s.on
			}
		}
	}
	return over
}
