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

// What one contract's texts in between may cost, besides the budget that each of them has. The same
// contract is tried in the same way on every machine, unless time runs out.
const (
	maxTexts  = 600        // texts that are read
	maxModels = 200        // state models that are built
	maxWork   = 20_000_000 // states and arcs that are found in them; as many again in checking remedies
	batch     = 8          // texts that are tried side by side
)

// A trial asks the texts between two drafts which violations they have.
type Trial struct {
	Base, Head *compile.Draft
	listed     *verify.Listed // base with its states; nil: they were not looked at one by one
	baseKey    func() string  // of the model of base's states
	Diff       *edit.Difference
	Apply      func(made []bool) edit.Text // the text in which some changes are made; nil: there is none
	was        func(hcl.Range) hcl.Range   // where base has a header of the text that is compared; nil: there
	Questions  []Question
	Budget     finding.Budget
	largest    int // states that a model may have: what grows far beyond both drafts says little of them
	usual      int // states and arcs that a model has, about

	texts, models, work int                  // spent
	Tried               map[string][]Outcome // by set
	Known               map[string][]Outcome // by what a text means: what means the same has the same answers

	sharing
}

// A set is which changes are made.
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

// An attempt is one text in between.
type attempt struct {
	set     set
	draft   *compile.Draft // nil unless a state model is needed
	digest  string         // of what it means, but for the contract's name; empty: nothing
	answers []Outcome
	work    int // states and arcs
}

// ask puts question q to the texts in which those sets of changes are made. It stops after the first
// batch of which until is true of one; what was not asked is untold.
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

// one asks a single text.
func (t *Trial) one(ctx context.Context, q int, s set) Outcome {
	return t.ask(ctx, q, []set{s}, func(Outcome) bool { return false })[0]
}

// try answers all questions for sets that are not answered yet.
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

// keep remembers the answers of an attempt, or those of its like.
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

func (t *Trial) each(list []*attempt, do func(*attempt)) {
	var group errgroup.Group
	group.SetLimit(max(t.Budget.Jobs, 1))
	for _, a := range list {
		group.Go(func() error { do(a); return nil })
	}
	_ = group.Wait() // none fails
}

// read makes the text and what it means.
func (t *Trial) read(ctx context.Context, a *attempt) {
	a.digest = verify.Memoized(ctx, t.commons, t.key("read", a.set.key()), func() string {
		a.draft = t.Head.Redraft(t.Apply(a.set))
		return Means(a.draft)
	})
	if a.digest == "" {
		a.answers = slices.Repeat([]Outcome{meaningless}, len(t.Questions))
	}
}

// atMost bounds the states of one model further.
func (t *Trial) atMost(states int) int {
	if states == 0 {
		return t.largest
	}
	return min(states, t.largest)
}

// explore returns the states of a text, if they are not too many; those of base where it composes to the same net.
func (t *Trial) explore(ctx context.Context, d *compile.Draft, r *finding.Result) *space.Graph {
	b := t.Budget
	b.States = t.atMost(b.States)
	if t.listed != nil && d.Failure == "" && t.listed.Graph.Len() <= b.States && verify.ModelKey(d.Net, d.Rule) == t.baseKey() {
		return t.listed.Graph
	}
	g, _ := verify.ExploreFor(ctx, d, b, r)
	return g
}

// build makes the state model and asks it.
func (t *Trial) build(ctx context.Context, a *attempt) {
	type built struct {
		answers []Outcome
		work    int
	}
	found := verify.Memoized(ctx, t.commons, t.asking(a.digest), func() built {
		if a.draft == nil {
			a.draft = t.Head.Redraft(t.Apply(a.set))
		}
		t.model(ctx, a)
		return built{a.answers, a.work}
	})
	a.answers, a.work = found.answers, found.work
}

func (t *Trial) model(ctx context.Context, a *attempt) {
	var texts []*hclspec.Formula
	questions := make([]Question, len(t.Questions))
	for i, q := range t.Questions {
		questions[i] = q.in(a.draft)
		texts = append(texts, questions[i].texts()...)
	}
	d, b := a.draft.RecallingTexts(texts), t.Budget
	r := verify.Result(d)
	g := t.explore(ctx, d, r)
	a.answers = make([]Outcome, len(t.Questions))
	if g == nil {
		if len(r.Diagnostics) > 0 { // a contact
			a.answers = slices.Repeat([]Outcome{meaningless}, len(t.Questions))
		}
		return
	}
	a.work = g.Len() + g.Arcs()
	c := verify.Listing(d, g, b.Memory)
	for i, q := range questions {
		a.answers[i] = q.ask(ctx, c, b)
	}
}
