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

// Contracts of one meaning share results. Where an amendment changes many contracts in the same way, the expensive results are computed
// once: state models, labellings, comparisons of models, and which intermediate texts have a violation. All of these are numbers of states,
// transitions, places and changes. Each contract renders them in its own words, and replays every run on its own net, so no text of one
// contract appears in another's report.

// Memoized returns the cached result for a key, or computes and caches it. Concurrent calls with one key compute it once. It does not cache
// results if the context has ended. A nil memo caches nothing.
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

// ModelKey returns a digest of everything that a state model depends on except its budget.
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

// A labelling is a checker of one state model under one progress assumption, with a memo of its results. It is not safe for concurrent use.
type labelling[S any] struct {
	memo    *compile.Memo
	of      string // the model and the assumption
	start   func() *ctl.Checker[S]
	checker *ctl.Checker[S] // nil until it is needed
}

// own returns the checker, and makes it on first use.
func (l *labelling[S]) own() *ctl.Checker[S] {
	if l.checker == nil {
		l.checker = l.start()
	}
	return l.checker
}

// key returns the memo key of one kind of result for a formula.
func (l *labelling[S]) key(what string, f *ctl.Formula) func() string {
	return func() string { return what + l.of + FormulaKey(f) }
}

// FormulaKey returns a digest of a formula, by places and names, without its position in the text.
func FormulaKey(f *ctl.Formula) string {
	h := sha256.New()
	writeForm(h, f)
	return string(h.Sum(nil))
}

// writeForm writes a formula for FormulaKey.
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
	if f.Sum != nil {
		fmt.Fprintf(w, " sum %q", f.Sum.String())
	}
	for _, part := range []*ctl.Formula{f.Means, f.Left, f.Right} {
		writeForm(w, part)
	}
	fmt.Fprint(w, ")")
}

// These are the cached results of a labelling.
type (
	held struct { // whether it holds
		holds bool
		err   error
	}
	satisfied[S any] struct { // the states where it holds
		set S
		err error
	}
	explained struct { // the run that explains why
		evidence *ctl.Evidence
		err      error
	}
	vacuous struct { // the parts of it that make no difference
		found []ctl.Vacuity
		err   error
	}
)

// Holds is ctl.Checker.Holds with a memo.
func (l *labelling[S]) Holds(ctx context.Context, f *ctl.Formula) (bool, error) {
	a := Memoized(ctx, l.memo, l.key("holds", f), func() held {
		holds, err := l.own().Holds(ctx, f)
		return held{holds, err}
	})
	return a.holds, a.err
}

// Sat is ctl.Checker.Sat with a memo. The result must not be modified.
func (l *labelling[S]) Sat(ctx context.Context, f *ctl.Formula) (S, error) {
	a := Memoized(ctx, l.memo, l.key("sat", f), func() satisfied[S] {
		set, err := l.own().Sat(ctx, f)
		return satisfied[S]{set, err}
	})
	return a.set, a.err
}

// explain is ctl.Checker.Explain with a memo.
func (l *labelling[S]) explain(ctx context.Context, f *ctl.Formula, step func(from, to petri.Marking) []int) (*ctl.Evidence, error) {
	a := Memoized(ctx, l.memo, l.key("explain", f), func() explained {
		evidence, err := l.own().Explain(ctx, f, step)
		return explained{evidence, err}
	})
	return a.evidence, a.err
}

// vacuous is ctl.Checker.Vacuous with a memo.
func (l *labelling[S]) vacuous(ctx context.Context, f *ctl.Formula) ([]ctl.Vacuity, error) {
	a := Memoized(ctx, l.memo, l.key(fmt.Sprint("vacuous, pattern ", ctl.Patterned(f)), f), func() vacuous {
		found, err := l.own().Vacuous(ctx, f)
		return vacuous{found, err}
	})
	return a.found, a.err
}

// Key returns the memo key of a result about this state model and more.
func (c *Checked[S]) Key(what string, more ...any) func() string {
	return func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s of %d", what, c.Model.id())
		for _, m := range more {
			fmt.Fprintf(&b, " %v", m)
		}
		return b.String()
	}
}
