package engine

import (
	"context"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/sync/errgroup"

	"github.com/redlinehq/redline/engine/space"
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
type trial struct {
	base, head *Draft
	listed     *listed       // base with its states; nil: they were not looked at one by one
	baseKey    func() string // of the model of base's states
	diff       *edit.Difference
	apply      func(made []bool) edit.Text // the text in which some changes are made; nil: there is none
	was        func(hcl.Range) hcl.Range   // where base has a header of the text that is compared; nil: there
	questions  []question
	budget     Budget
	largest    int // states that a model may have: what grows far beyond both drafts says little of them
	usual      int // states and arcs that a model has, about

	texts, models, work int                  // spent
	tried               map[string][]outcome // by set
	known               map[string][]outcome // by what a text means: what means the same has the same answers

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
	draft   *Draft // nil unless a state model is needed
	digest  string // of what it means, but for the contract's name; empty: nothing
	answers []outcome
	work    int // states and arcs
}

// ask puts question q to the texts in which those sets of changes are made. It stops after the first
// batch of which until is true of one; what was not asked is untold.
func (t *trial) ask(ctx context.Context, q int, sets []set, until func(outcome) bool) []outcome {
	out := make([]outcome, len(sets))
	for from := 0; from < len(sets); from += batch {
		to := min(from+batch, len(sets))
		t.try(ctx, sets[from:to])
		stop := false
		for i := from; i < to; i++ {
			if answers := t.tried[sets[i].key()]; answers != nil {
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
func (t *trial) one(ctx context.Context, q int, s set) outcome {
	return t.ask(ctx, q, []set{s}, func(outcome) bool { return false })[0]
}

// try answers all questions for sets that are not answered yet.
func (t *trial) try(ctx context.Context, sets []set) {
	var list []*attempt
	for _, s := range sets {
		if t.tried[s.key()] == nil && t.texts < maxTexts && ctx.Err() == nil {
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
		case t.known[a.digest] != nil:
			a.answers = t.known[a.digest]
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
func (t *trial) keep(a, like *attempt) {
	if a.answers == nil && like != nil {
		a.answers = like.answers
	}
	if a.answers == nil {
		a.answers = make([]outcome, len(t.questions))
	} else if a.digest != "" {
		t.known[a.digest] = a.answers
	}
	t.tried[a.set.key()] = a.answers
	t.work += a.work
	t.reads(a)
}

func (t *trial) each(list []*attempt, do func(*attempt)) {
	var group errgroup.Group
	group.SetLimit(max(t.budget.Jobs, 1))
	for _, a := range list {
		group.Go(func() error { do(a); return nil })
	}
	_ = group.Wait() // none fails
}

// read makes the text and what it means.
func (t *trial) read(ctx context.Context, a *attempt) {
	a.digest = recall(ctx, t.commons, t.key("read", a.set.key()), func() string {
		a.draft = t.head.redraft(t.apply(a.set))
		return a.draft.means()
	})
	if a.digest == "" {
		a.answers = slices.Repeat([]outcome{meaningless}, len(t.questions))
	}
}

// atMost bounds the states of one model further.
func (t *trial) atMost(states int) int {
	if states == 0 {
		return t.largest
	}
	return min(states, t.largest)
}

// explore returns the states of a text, if they are not too many; those of base where it composes to the same net.
func (t *trial) explore(ctx context.Context, d *Draft, r *Result) *space.Graph {
	b := t.budget
	b.States = t.atMost(b.States)
	if t.listed != nil && d.unbuilt == "" && t.listed.graph.Len() <= b.States && modelKey(d.Net, d.Rule) == t.baseKey() {
		return t.listed.graph
	}
	g, _ := d.explore(ctx, b, r)
	return g
}

// build makes the state model and asks it.
func (t *trial) build(ctx context.Context, a *attempt) {
	type built struct {
		answers []outcome
		work    int
	}
	found := recall(ctx, t.commons, t.asking(a.digest), func() built {
		if a.draft == nil {
			a.draft = t.head.redraft(t.apply(a.set))
		}
		t.model(ctx, a)
		return built{a.answers, a.work}
	})
	a.answers, a.work = found.answers, found.work
}

func (t *trial) model(ctx context.Context, a *attempt) {
	var texts []*hclspec.Formula
	questions := make([]question, len(t.questions))
	for i, q := range t.questions {
		questions[i] = q.in(a.draft)
		texts = append(texts, questions[i].texts()...)
	}
	d, b := a.draft.recallingTexts(texts), t.budget
	r := d.result()
	g := t.explore(ctx, d, r)
	a.answers = make([]outcome, len(t.questions))
	if g == nil {
		if len(r.Diagnostics) > 0 { // a contact
			a.answers = slices.Repeat([]outcome{meaningless}, len(t.questions))
		}
		return
	}
	a.work = g.Len() + g.Arcs()
	c := listing(d, g, b.Memory)
	for i, q := range questions {
		a.answers[i] = q.ask(ctx, c, b)
	}
}
