package mcc

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/dd"
	"github.com/redlinehq/redline/engine/implications"
	"github.com/redlinehq/redline/engine/local"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/structure"
	"github.com/redlinehq/redline/engine/symbolic"
)

// An examiner answers questions about one net, by its structure if possible. Otherwise it runs methods side by side: decision diagrams, explicit
// states and, for formulas, a search on the fly. The first answer counts and ends the other methods.
type examiner struct {
	net       *petri.Net
	limits    Limits
	out       io.Writer
	structure *structure.Net
	symbolic  *symbolic.Model // nil: not built yet, or impossible
	explicit  *space.Graph    // likewise
	lost      [2]error        // why either model cannot be built, in any attempt
	took      *took           // the statistics of the last formula before any state was explored; nil: not wanted
}

// techniques lists the methods under the contest's names. All methods that run side by side are listed, since the first one depends on the
// machine, and one net must give the same bytes everywhere. Answers by the structure list only topological, and answers by reducing the net to
// nothing also reductions.
const (
	topological = "TOPOLOGICAL"
	reductions  = "STRUCTURAL_REDUCTION"
	techniques  = topological + " " + reductions + " DECISION_DIAGRAMS EXPLICIT"
	searching   = techniques + " STUBBORN_SETS" // and on the fly
)

// errTime is the reason why a question is unknown after the time limit.
var errTime = errors.New("the time limit ran out")

func (e *examiner) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if e.limits.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, e.limits.Time, errTime)
}

// reach builds the symbolic state model, once. It builds it anew if formulas have filled half of its memory.
func (e *examiner) reach(ctx context.Context) (*symbolic.Model, error) {
	if e.symbolic != nil && (e.limits.Bytes == 0 || e.symbolic.Bytes() < e.share()/2) {
		return e.symbolic, nil
	}
	if e.lost[0] != nil {
		return nil, e.lost[0]
	}
	e.symbolic = nil // frees memory before the next one is built
	x, err := symbolic.Reach(ctx, e.net, space.Limits{Bytes: e.share()})
	if err != nil {
		var limit *dd.LimitError
		if errors.As(err, &limit) || errors.Is(err, symbolic.ErrNotSymbolic) {
			e.lost[0] = err
		}
		return nil, err
	}
	e.symbolic = x
	return x, nil
}

// explore builds the explicit state model, once.
func (e *examiner) explore(ctx context.Context) (*space.Graph, error) {
	if e.explicit != nil || e.lost[1] != nil {
		return e.explicit, e.lost[1]
	}
	g, err := space.Explore(ctx, e.net, petri.One, space.Limits{Bytes: e.share()})
	var limit *space.LimitError
	if errors.As(err, &limit) {
		e.lost[1] = err
	}
	e.explicit = g
	return g, err
}

// share returns the memory of either state model. The search on the fly has the rest.
func (e *examiner) share() int64 { return e.fifths(2) }

// fifths returns n fifths of the memory; 0 is no limit.
func (e *examiner) fifths(n int64) int64 { return max(min(1, e.limits.Bytes), e.limits.Bytes/5*n) }

// An answer is the result of one method.
type answer[T any] struct {
	value T
	err   error
}

// race runs some methods and returns the first result without an error. If there is none, it returns the error of the first method.
func race[T any](ctx context.Context, methods ...func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make([]answer[T], len(methods))
	ended := make(chan int, len(methods))
	for i, method := range methods {
		go func() {
			value, err := method(ctx)
			results[i] = answer[T]{value, err}
			ended <- i
		}()
	}
	won := -1
	for range methods { // all must end, since the next question uses the same models
		if i := <-ended; won < 0 && results[i].err == nil {
			won = i
			cancel()
		}
	}
	return results[max(won, 0)].value, results[max(won, 0)].err
}

func (e *examiner) oneSafe(ctx context.Context) (bool, error) {
	ctx, cancel := e.timed(ctx)
	defer cancel()
	if safe, err := e.structure.OneSafe(ctx); safe || err != nil {
		return safe, err
	}
	if safe, err := implications.OneSafe(ctx, e.net); safe || err != nil && !errors.Is(err, implications.ErrTooLarge) {
		return safe, err
	}
	safe, err := race(ctx, func(ctx context.Context) (bool, error) {
		x, err := e.reach(ctx)
		if err != nil {
			return false, err
		}
		t, _, err := x.Contact(ctx)
		return t < 0, err
	}, func(ctx context.Context) (bool, error) {
		_, err := e.explore(ctx)
		var contact *space.ContactError
		if errors.As(err, &contact) {
			return false, nil
		}
		return true, err
	})
	return safe, err
}

// ask answers questions one by one.
func (e *examiner) ask(ctx context.Context, all []question) error {
	open := false
	for _, q := range all {
		holds, by, err := e.decide(ctx, q.Formula)
		if told := e.took.write(q.ID, e.out); told != nil {
			return told
		}
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil:
			open = true
			if _, err := fmt.Fprintf(e.out, "# %s: %v\n", q.ID, err); err != nil {
				return err
			}
			continue
		}
		if err := e.formula(q.ID, holds, by); err != nil {
			return err
		}
	}
	if open {
		return e.line("CANNOT_COMPUTE")
	}
	return nil
}

// decide reports whether a formula holds, and which techniques decided it.
func (e *examiner) decide(ctx context.Context, f *ctl.Formula) (holds bool, by string, err error) {
	ctx, cancel := e.timed(ctx)
	defer cancel()
	e.took.begin(e.structure)
	f, err = e.structure.Simplify(ctx, f)
	e.took.settled(e.structure)
	if err != nil || f.Op == ctl.True || f.Op == ctl.False {
		return err == nil && f.Op == ctl.True, topological, err
	}
	if e, f, err = e.smaller(ctx, f); err != nil || f.Op == ctl.True || f.Op == ctl.False {
		return err == nil && f.Op == ctl.True, topological + " " + reductions, err
	}
	if f, err = e.parts(ctx, f); err != nil || f.Op == ctl.True || f.Op == ctl.False {
		return err == nil && f.Op == ctl.True, searching, err
	}
	holds, err = e.search(ctx, f)
	return holds, searching, err
}

// search decides a formula by all methods that explore states.
func (e *examiner) search(ctx context.Context, f *ctl.Formula) (bool, error) {
	return race(ctx, func(ctx context.Context) (bool, error) {
		x, err := e.reach(ctx)
		if err != nil {
			return false, err
		}
		return newEarly[dd.Node](x.Sets(ctx)).holds(ctx, f)
	}, func(ctx context.Context) (bool, error) {
		g, err := e.explore(ctx)
		if err != nil {
			return false, err
		}
		return newEarly[space.Set](g.Sets()).holds(ctx, f)
	}, func(ctx context.Context) (bool, error) {
		return local.Holds(ctx, e.net, petri.One, f, space.Limits{Bytes: e.fifths(1)})
	})
}

func (e *examiner) count(ctx context.Context) error {
	timed, cancel := e.timed(ctx)
	defer cancel()
	n, err := race(timed, func(ctx context.Context) (string, error) {
		x, err := e.reach(ctx)
		if err != nil {
			return "", err
		}
		n, err := x.Cardinality(ctx, x.Sets(ctx).All())
		if err != nil {
			return "", err
		}
		return n.String(), nil
	}, func(ctx context.Context) (string, error) {
		g, err := e.explore(ctx)
		if err != nil {
			return "", err
		}
		return fmt.Sprint(g.Len()), nil
	})
	if err != nil {
		return e.cannot(ctx, err, "StateSpace")
	}
	return e.line(fmt.Sprintf("STATE_SPACE STATES %s TECHNIQUES %s", n, techniques))
}

// stable answers whether some place is marked in all reachable markings, or in none.
func (e *examiner) stable(ctx context.Context) error {
	any := make([]*ctl.Formula, 0, 2*len(e.net.Places))
	for p := range e.net.Places {
		atom := &ctl.Formula{Op: ctl.Atom, Place: p, Name: e.net.Places[p].Name}
		any = append(any, &ctl.Formula{Op: ctl.AG, Left: atom}, &ctl.Formula{Op: ctl.AG, Left: &ctl.Formula{Op: ctl.Not, Left: atom}})
	}
	return e.ask(ctx, []question{{"StableMarking", joined(ctl.Or, any, ctl.False)}})
}

func (e *examiner) formula(id string, holds bool, by string) error {
	verdict := "FALSE"
	if holds {
		verdict = "TRUE"
	}
	return e.line(fmt.Sprintf("FORMULA %s %s TECHNIQUES %s", id, verdict, by))
}

// cannot writes that a limit left a question unknown. It returns an error if the context has ended.
func (e *examiner) cannot(ctx context.Context, why error, id string) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := e.line(fmt.Sprintf("# %s: %v", id, why)); err != nil {
		return err
	}
	return e.line("CANNOT_COMPUTE")
}

func (e *examiner) line(s string) error {
	_, err := fmt.Fprintln(e.out, s)
	return err
}
