package blame

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/edit"
)

// Limits on the texts in between of one contract, besides the budget of each. They are counted, so the same contract is tried in the same
// way on every machine, unless time runs out.
const (
	maxTexts  = 600        // texts read, and as many in which the run that is shown is followed
	maxModels = 200        // state models built
	maxWork   = 20_000_000 // states and arcs of these models; as many again for remedies
	batch     = 8          // texts tried concurrently
)

// A Trial checks which violations the texts between two drafts have.
type Trial struct {
	Base, Head *compile.Draft
	listed     *verify.Listed // base with explicit states; nil: it has none
	baseKey    func() string  // the key of base's model
	Diff       *edit.Difference
	Apply      func(made []bool) edit.Text // returns the text in which some changes are made, or nil
	was        func(hcl.Range) hcl.Range   // maps headers of the compared text to base's; nil: identity
	Questions  []Question
	Budget     finding.Budget
	drawn      *finding.Stats // texts are checked on decision diagrams, as costly as these; nil: on listed states
	largest    int            // most states that are listed: far larger models say little about either draft
	usual      int            // expected states and arcs of a model, or as much work

	texts, models, work int                  // spent
	followed            int                  // texts in which a run was followed
	Tried               map[string][]Outcome // outcomes, by set
	Known               map[string][]Outcome // outcomes, by the meaning of the text

	sharedResults
}

// A set marks the changes that are made.
type set []bool

func (s set) key() string {
	out := make([]byte, len(s))
	for i, made := range s {
		if made {
			out[i] = 1
		}
	}
	return string(out)
}

// includes reports whether a set has all changes of another. The nil set has none.
func (s set) includes(other set) bool {
	for i, made := range other {
		if made && (s == nil || !s[i]) {
			return false
		}
	}
	return true
}

// An attempt is one text in between.
type attempt struct {
	set     set
	draft   *compile.Draft // nil unless a state model is needed
	digest  string         // of its meaning, without the contract's name; empty: none
	answers []Outcome
	work    int // states and arcs
}

// ask answers question q for the texts of several sets of changes. It stops after the first batch with an outcome for which until is true;
// outcomes of later batches are unknown.
func (t *Trial) ask(ctx context.Context, q int, sets []set, until func(Outcome) bool) []Outcome {
	out := make([]Outcome, len(sets))
	for from := 0; from < len(sets); from += batch {
		to := min(from+batch, len(sets))
		t.try(ctx, sets[from:to])
		stop := false
		for i := from; i < to; i++ {
			if answers := t.Tried[sets[i].key()]; answers != nil {
				out[i] = answers[q]
			}
			stop = stop || until(out[i])
		}
		if stop {
			break
		}
	}
	return out
}

// one answers question q for a single text.
func (t *Trial) one(ctx context.Context, q int, s set) Outcome {
	return t.ask(ctx, q, []set{s}, func(Outcome) bool { return false })[0]
}

// try answers all questions for the sets that are not answered yet, within the limits.
func (t *Trial) try(ctx context.Context, sets []set) {
	var list []*attempt
	for _, s := range sets {
		if t.Tried[s.key()] == nil && t.texts < maxTexts && ctx.Err() == nil {
			t.texts++
			list = append(list, &attempt{set: s})
		}
	}
	t.each(list, func(a *attempt) { t.read(ctx, a) })
	first := map[string]*attempt{}
	var build []*attempt
	for _, a := range list {
		switch {
		case a.answers != nil:
		case t.Known[a.digest] != nil:
			a.answers = t.Known[a.digest]
		case first[a.digest] == nil && t.models < maxModels && t.work+len(build)*t.usual < maxWork:
			t.models++
			first[a.digest] = a
			build = append(build, a)
		}
	}
	t.each(build, func(a *attempt) { t.build(ctx, a) })
	for _, a := range list {
		t.keep(a, first[a.digest])
	}
}

// keep records the answers of an attempt, or those of an attempt with the same meaning.
func (t *Trial) keep(a, like *attempt) {
	if a.answers == nil && like != nil {
		a.answers = like.answers
	}
	if a.answers == nil {
		a.answers = make([]Outcome, len(t.Questions))
	} else if a.digest != "" {
		t.Known[a.digest] = a.answers
	}
	t.Tried[a.set.key()] = a.answers
	t.work += a.work
	t.reads(a)
}

// each calls do for each attempt, with at most Budget.Jobs calls at once.
func (t *Trial) each(list []*attempt, do func(*attempt)) {
	var group errgroup.Group
	group.SetLimit(max(t.Budget.Jobs, 1))
	for _, a := range list {
		group.Go(func() error { do(a); return nil })
	}
	_ = group.Wait() // none fails
}

// read sets the digest of an attempt's text.
func (t *Trial) read(ctx context.Context, a *attempt) {
	a.digest = verify.Memoized(ctx, t.memo, t.key("read", a.set.key()), func() string {
		a.draft = t.redraft(t.Apply(a.set))
		return Means(a.draft)
	})
	if a.digest == "" {
		a.answers = slices.Repeat([]Outcome{meaningless}, len(t.Questions))
	}
}

// redraft compiles a text, with head's ticks if those are shorter: a question counts in head's.
func (t *Trial) redraft(text edit.Text) *compile.Draft {
	d, _ := compile.SameTick(t.Head.Redraft(text), t.Head)
	return d
}

// draw returns the decision diagrams of a draft, or nil if it has none that are about as large as those of the versions.
func (t *Trial) draw(ctx context.Context, d *compile.Draft, r *finding.Result) *verify.Drawn {
	return verify.DrawLike(ctx, d, t.Budget, t.drawn, r)
}

// atMost returns the limit on states of one model, given the budget's.
func (t *Trial) atMost(states int) int {
	if states == 0 {
		return t.largest
	}
	return min(states, t.largest)
}

// explore returns the explicit states of a draft, or nil if they are too many. It returns base's states if the nets are the same.
func (t *Trial) explore(ctx context.Context, d *compile.Draft, r *finding.Result) *space.Graph {
	b := t.Budget
	b.States = t.atMost(b.States)
	if t.listed != nil && d.Failure == "" && t.listed.Graph.Len() <= b.States && verify.ModelKey(d.Net, d.Rule) == t.baseKey() {
		return t.listed.Graph
	}
	g, _ := verify.ExploreFor(ctx, d, b, r)
	return g
}

// build answers all questions for an attempt, from the memo or by building the state model.
func (t *Trial) build(ctx context.Context, a *attempt) {
	type built struct {
		answers []Outcome
		work    int
	}
	found := verify.Memoized(ctx, t.memo, t.asking(a.digest), func() built {
		if a.draft == nil {
			a.draft = t.redraft(t.Apply(a.set))
		}
		t.model(ctx, a)
		return built{a.answers, a.work}
	})
	a.answers, a.work = found.answers, found.work
}

// model builds the state model of an attempt and answers all questions on it.
func (t *Trial) model(ctx context.Context, a *attempt) {
	var texts []*hclspec.Formula
	questions := make([]Question, len(t.Questions))
	for i, q := range t.Questions {
		questions[i] = q.in(a.draft)
		texts = append(texts, questions[i].texts()...)
	}
	d, b := a.draft.RecallingTexts(texts), t.Budget
	r := verify.StaticResult(d)
	var ask func(Question) Outcome
	if t.drawn != nil {
		a.work = t.usual
		if x := t.draw(ctx, d, r); x != nil {
			ask = func(q Question) Outcome { return answer(ctx, x, q, b, nil) }
		}
	} else if g := t.explore(ctx, d, r); g != nil {
		a.work = g.Len() + g.Arcs()
		c := verify.Listing(d, g, b.Memory)
		ask = func(q Question) Outcome { return q.ask(ctx, c, b) }
	}
	a.answers = make([]Outcome, len(t.Questions))
	for i, q := range questions {
		switch {
		case ask != nil:
			a.answers[i] = ask(q)
		case len(r.Diagnostics) > 0: // a contact
			a.answers[i] = meaningless
		}
	}
}
