package verify

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"strings"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// What contracts of one meaning have in common. Where an amendment changes many contracts in the same way, what takes
// long is done for the first of them: state models, what formulas come to on them, how two models
// compare, which texts in between have a violation. All of that is numbers: of states, transitions, places and
// changes. Each contract finds its own words for them, with its own text, so that nothing of one is
// ever told of another; and each executes every run again, on its own net.

// Memoized finds something out, unless that has been done. What a context ended is not kept.
func Memoized[T any](ctx context.Context, c *compile.Memo, key func() string, find func() T) T {
	if c == nil {
		return find()
	}
	a := c.At(key())
	a.Mu.Lock()
	defer a.Mu.Unlock()
	if a.Known {
		return a.Value.(T)
	}
	value := find()
	if ctx.Err() == nil {
		a.Known, a.Value = true, value
	}
	return value
}

// ModelKey is all that a state model depends on, but for its budget.
func ModelKey(n *petri.Net, rule petri.Rule) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %d\n", rule, n.Initial)
	for _, p := range n.Places {
		fmt.Fprintf(h, "place %q %q\n", p.Net, p.Name)
	}
	for _, t := range n.Transitions {
		fmt.Fprintf(h, "transition %d %d %d %d %v %t\n", t.In, t.Out, t.Read, t.Marks, t.Moves, t.Moving)
	}
	return string(h.Sum(nil))
}

// A labelling says what formulas come to on one state model, under one assumption of progress. It may be used
// by one goroutine at a time.
type labelling[S any] struct {
	commons *compile.Memo
	of      string // the model and the assumption
	start   func() *ctl.Checker[S]
	checker *ctl.Checker[S] // nil until something is to be found out
}

func (l *labelling[S]) own() *ctl.Checker[S] {
	if l.checker == nil {
		l.checker = l.start()
	}
	return l.checker
}

func (l *labelling[S]) key(what string, f *ctl.Formula) func() string {
	return func() string { return what + l.of + FormulaKey(f) }
}

// FormulaKey returns all that a formula says, by place and by name, but not its position in the text.
func FormulaKey(f *ctl.Formula) string {
	h := sha256.New()
	writeForm(h, f)
	return string(h.Sum(nil))
}

func writeForm(w io.Writer, f *ctl.Formula) {
	if f == nil {
		fmt.Fprint(w, "-")
		return
	}
	fmt.Fprintf(w, "(%d %q %d %q", f.Op, f.Name, f.Place, f.Range.Name)
	if f.Call != nil {
		fmt.Fprintf(w, " call %q", f.Call.String())
	}
	if f.Compare != nil {
		fmt.Fprintf(w, " compare %q", f.Compare.String())
	}
	for _, part := range []*ctl.Formula{f.Means, f.Left, f.Right} {
		writeForm(w, part)
	}
	fmt.Fprint(w, ")")
}

// Answers of a labelling.
type (
	held struct { // whether a formula holds
		holds bool
		err   error
	}
	satisfied[S any] struct { // the states where it does
		set S
		err error
	}
	explained struct { // why
		evidence *ctl.Evidence
		err      error
	}
	vacuous struct { // what of it makes no difference
		found []ctl.Vacuity
		err   error
	}
)

// Holds is ctl.Checker's, and so are the others.
func (l *labelling[S]) Holds(ctx context.Context, f *ctl.Formula) (bool, error) {
	a := Memoized(ctx, l.commons, l.key("holds", f), func() held {
		holds, err := l.own().Holds(ctx, f)
		return held{holds, err}
	})
	return a.holds, a.err
}

// Sat's states are not to be written to.
func (l *labelling[S]) Sat(ctx context.Context, f *ctl.Formula) (S, error) {
	a := Memoized(ctx, l.commons, l.key("sat", f), func() satisfied[S] {
		set, err := l.own().Sat(ctx, f)
		return satisfied[S]{set, err}
	})
	return a.set, a.err
}

func (l *labelling[S]) Explain(ctx context.Context, f *ctl.Formula, step func(from, to petri.Marking) []int) (*ctl.Evidence, error) {
	a := Memoized(ctx, l.commons, l.key("explain", f), func() explained {
		evidence, err := l.own().Explain(ctx, f, step)
		return explained{evidence, err}
	})
	return a.evidence, a.err
}

func (l *labelling[S]) Vacuous(ctx context.Context, f *ctl.Formula) ([]ctl.Vacuity, error) {
	a := Memoized(ctx, l.commons, l.key(fmt.Sprint("vacuous, pattern ", ctl.Patterned(f)), f), func() vacuous {
		found, err := l.own().Vacuous(ctx, f)
		return vacuous{found, err}
	})
	return a.found, a.err
}

// Key is of something about a state model, which the commons hold, and of whatever else it depends on.
func (c *Checked[S]) Key(what string, more ...any) func() string {
	return func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s of %s", what, c.Model.id())
		for _, m := range more {
			fmt.Fprintf(&b, " %v", m)
		}
		return b.String()
	}
}
