package blame

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/edit"
)

// This file finds the changes by which an amendment breaks a promise: delta debugging (A. Zeller, R. Hildebrandt 2002, Simplifying and
// isolating failure-inducing input) over the blocks of the text.

// A cause is a block that the amendment changes, with its changes.
type cause struct {
	changes []int // indices in the difference
	rank    int
}

// blame sets Blame and Repairs of each new violation. It uses the memo that contracts of one meaning share, and repeats the search without
// it if the memo turns out not to fit these texts.
func blame(ctx context.Context, c *finding.ContractReview, base, head *compile.Draft, was *verify.Listed, b finding.Budget) {
	b.Enter("looking for causes and repairs")
	b.Phase = nil // its checks are part of this one
	common := (*compile.Memo)(nil)
	if head != nil {
		common = head.Memo
	}
	if !blamed(ctx, c, base, head, was, b, common) {
		blamed(ctx, c, base, head, was, b, nil)
	}
}

// blamed is blame with a given memo, which may be nil. It returns false if a text of this contract does not mean what the memo says.
func blamed(ctx context.Context, c *finding.ContractReview, base, head *compile.Draft, was *verify.Listed, b finding.Budget, common *compile.Memo) bool {
	var violations []*finding.Finding
	for i := range c.Findings {
		if f := &c.Findings[i]; base != nil && f.Novel() && !f.OfNorms() {
			violations = append(violations, f)
		}
	}
	if len(violations) == 0 {
		return true
	}
	t, reason := newTrial(base, head, was, violations, b)
	if t == nil {
		for _, f := range violations {
			f.Blame = &finding.Blame{Reason: reason}
		}
		return true
	}
	ctx, cancel := b.Within(ctx)
	defer cancel()
	t.SetSizes(c.Base, c.Head)
	t.share(common)
	all, m := t.Candidates(), t.repairer(c)
	for q, f := range violations {
		s := &Search{Trial: t, Q: q, All: all, Finding: f}
		f.Repairs = nil
		if f.Blame = s.Blame(ctx); len(f.Blame.Blocks) > 0 && t.usual < maxWork {
			s.alone(ctx)
			f.Repairs = m.repairs(ctx, s)
		}
	}
	return !t.astray
}

// SetSizes sets how texts in between are checked and the expected and the greatest size of their models, from the results of the versions. If one of these has decision
// diagrams, texts are checked on diagrams, unless a question asks for ways: those need listed states.
func (t *Trial) SetSizes(of ...*finding.Result) {
	states, drawn := 0, (*finding.Stats)(nil)
	for _, r := range of {
		states, t.usual = max(states, statesOf(r)), max(t.usual, workOf(r))
		if s := r.Model.Stats; s != nil && (drawn == nil || s.Lookups > drawn.Lookups) {
			drawn = s
		}
	}
	t.largest = 4*states + 10_000
	if drawn == nil || slices.ContainsFunc(t.Questions, func(q Question) bool { return q.was != nil || q.Waived }) {
		return
	}
	if t.usual >= maxWork {
		t.largest = 0
	}
	t.drawn, t.usual = drawn, leastDrawn+int(min(maxWork, drawn.Lookups/lookupsPerArc))
}

// The work on decision diagrams, as states and arcs: what making small ones takes, and how many lookups take as long as listing an arc.
const (
	leastDrawn    = 50_000
	lookupsPerArc = 4
)

// statesOf returns the number of states, at most maxWork unless more are stored.
func statesOf(r *finding.Result) int {
	return max(verify.CapInt(r.Model.States, maxWork), r.Model.Stored)
}

// workOf returns the number of states and arcs of a state model, each at most maxWork.
func workOf(r *finding.Result) int { return statesOf(r) + verify.CapInt(r.Model.Arcs, maxWork) }

// newTrial returns a trial of the texts between two drafts. It returns nil and a reason if there are none.
func newTrial(base, head *compile.Draft, was *verify.Listed, violations []*finding.Finding, b finding.Budget) (*Trial, string) {
	switch {
	case base.Spec == nil:
		return nil, "the draft before the amendment is ill-formed"
	case base.Text() == nil || head.Text() == nil:
		return nil, "the drafts have no text"
	}
	text, at := compare.Renamed(base, head)
	diff, err := edit.Compare(text, head.Text())
	if err != nil {
		return nil, err.Error()
	}
	t := &Trial{Base: base, Head: head, Diff: diff, was: at, listed: was, Apply: diff.Apply, Budget: b, Tried: map[string][]Outcome{}, Known: map[string][]Outcome{}}
	for _, f := range violations {
		t.Questions = append(t.Questions, Ask(f, base, head, was))
	}
	t.baseKey = sync.OnceValue(func() string { return verify.ModelKey(was.Net, was.Rule) })
	t.Known[head.Unnamed] = slices.Repeat([]Outcome{Present}, len(t.Questions))
	return t, ""
}

// Prose has the attributes that do not affect the meaning of a contract.
var Prose = []string{"title", "description", "clause", "reason", "error_message"}

// Candidates returns the changed blocks, in the order of rankOf. Changes of prose are left out.
func (t *Trial) Candidates() []cause {
	type block struct {
		name string
		at   [2]int
		file [2]string
	}
	var list []cause
	at := map[block]int{}
	for i, c := range t.Diff.Changes {
		if c.Attribute != "" && c.Type() != "locals" && slices.Contains(Prose, c.Attribute) {
			continue
		}
		key := block{c.Block(), [2]int{c.Base.Start.Byte, c.Head.Start.Byte}, [2]string{c.Base.Filename, c.Head.Filename}}
		if c.Action == edit.Added && c.Attribute == "" || c.Action == edit.Removed && c.Attribute == "" {
			key.name += " " + c.Action.String()
		}
		k, seen := at[key]
		if !seen {
			k, at[key] = len(list), len(list)
			list = append(list, cause{rank: rankOf(c.Type())})
		}
		list[k].changes = append(list[k].changes, i)
	}
	slices.SortStableFunc(list, func(a, b cause) int { return cmp.Compare(a.rank, b.rank) })
	return list
}

// rankOf returns the rank of a block type: transitions, events and norms before the states and places they act on, requirements last.
func rankOf(blockType string) int {
	if construct.IsNorm(blockType) {
		return 0
	}
	switch blockType {
	case "transition", "event":
		return 0
	case "state", "place", "flag", "counter":
		return 2
	case "requirement", "scenario", "waiver", "accept", "retire":
		return 3
	}
	return 1
}

// A Search looks for the smallest set of causes of one violation.
type Search struct {
	*Trial
	Q       int
	All     []cause
	Finding *finding.Finding
	unsure  bool // the outcome of some set is unknown
	made    set  // the changes that are to blame
}

// Blame returns the smallest set of blocks of the amendment that reproduces the violation, or the reason why there is none. The set may not
// be the smallest if the limits on texts and models are reached. It builds state models of texts in between.
func (s *Search) Blame(ctx context.Context) *finding.Blame {
	if s.usual >= maxWork {
		return &finding.Blame{Reason: tooManyStates}
	}
	if s.one(ctx, s.Q, s.set(nil)) == Present {
		return s.promised()
	}
	every := make([]int, len(s.All))
	for i := range every {
		every[i] = i
	}
	switch s.one(ctx, s.Q, s.set(every)) {
	case Present:
	case unknown:
		return &finding.Blame{Reason: s.ended(ctx)}
	default:
		s.confirmSet(s.set(every))
		return &finding.Blame{Reason: "the changes that bring it about are none of a single block"}
	}
	return s.smallest(ctx, every)
}

// ended returns the reason why a search stopped early.
func (s *Search) ended(ctx context.Context) string {
	switch {
	case ctx.Err() != nil:
		return s.Budget.Reason(context.Cause(ctx))
	case s.usual > 0 && s.affordable() == 0:
		return tooManyStates
	}
	return "there are too many changes to try"
}

const tooManyStates = "the state models are too large to try them one by one"

// affordable returns how many more state models of the usual size may be built.
func (t *Trial) affordable() int { return max(0, (maxWork-t.work)/max(1, t.usual)) }

// set returns the changes of some causes.
func (s *Search) set(some []int) set {
	made := make(set, len(s.Diff.Changes))
	for _, k := range some {
		for _, i := range s.All[k].changes {
			made[i] = true
		}
	}
	return made
}

// fewSets is the most sets of one size that are tried one after another at first. If the set found may not be the smallest, later as many
// are tried as there are texts left.
const fewSets = 130

// smallest finds the fewest causes. It tries sets of one cause, of two, and so on while they are few, and else halves (ddmin). Halves come
// first if one model for each change would be too much work.
func (s *Search) smallest(ctx context.Context, every []int) *finding.Blame {
	size := 1
	for ; size < len(every) && (size == 1 || s.count(size) <= fewSets) && s.count(size) <= min(s.left(), s.affordable()/2); size++ {
		if found := s.first(ctx, s.ofSize(size)); found != nil {
			return s.report(ctx, found.made, s.sure(size))
		}
	}
	found, whole := s.halves(ctx, every)
	made := s.finer(ctx, s.set(found))
	if !whole {
		g := s.report(ctx, made, false)
		g.Reason = s.ended(ctx)
		return g
	}
	blocks := len(s.among(made))
	for ; size < blocks && s.count(size) <= min(s.left(), s.affordable()); size++ {
		if fewer := s.first(ctx, s.ofSize(size)); fewer != nil {
			return s.report(ctx, fewer.made, s.sure(size))
		}
	}
	return s.report(ctx, made, size >= blocks && s.sure(blocks))
}

// sure reports whether all sets of fewer blocks than size have been tried, with a known outcome.
func (s *Search) sure(size int) bool {
	coarse := slices.ContainsFunc(s.All, func(c cause) bool { return len(c.changes) > maxVaried })
	return !s.unsure && (size == 1 || !coarse)
}

// left returns how many more texts may be read.
func (s *Search) left() int { return maxTexts - s.texts }

// A candidate is a set of causes, with all or some of their changes.
type candidate struct {
	some []int
	made set
}

// variants returns the ways to apply a cause: all of its changes and, if it has at most maxVaried, every other combination.
func (c cause) variants() [][]int {
	list := [][]int{c.changes}
	n := len(c.changes)
	if n > maxVaried {
		return list
	}
	for chosen := 1; chosen < 1<<n-1; chosen++ {
		var some []int
		for i, change := range c.changes {
			if chosen>>i&1 != 0 {
				some = append(some, change)
			}
		}
		list = append(list, some)
	}
	return list
}

// maxVaried is the most changes of one block that are tried in all combinations.
const maxVaried = 3

// count returns the number of candidates of a size, at most maxTexts+1.
func (s *Search) count(size int) int {
	by := make([]int, size+1) // by size, of the causes so far
	by[0] = 1
	for _, c := range s.All {
		n := 1
		if len(c.changes) <= maxVaried {
			n = 1<<len(c.changes) - 1
		}
		for k := size; k > 0; k-- {
			by[k] = min(by[k]+n*by[k-1], maxTexts+1)
		}
	}
	return by[size]
}

// ofSize returns the candidates of a size, in the order of the causes.
func (s *Search) ofSize(size int) []candidate {
	var list []candidate
	var choose func(from int, some []int, made set)
	choose = func(from int, some []int, made set) {
		if len(some) == size {
			list = append(list, candidate{slices.Clone(some), slices.Clone(made)})
			return
		}
		for k := from; k <= len(s.All)-size+len(some); k++ {
			for _, changes := range s.All[k].variants() {
				put(made, changes, true)
				choose(k+1, append(some, k), made)
				put(made, changes, false)
			}
		}
	}
	choose(0, nil, s.set(nil))
	return list
}

// put sets the value of some changes in a set.
func put(made set, changes []int, value bool) {
	for _, i := range changes {
		made[i] = value
	}
}

// whole returns candidates of causes with all of their changes.
func (s *Search) whole(lists [][]int) []candidate {
	list := make([]candidate, len(lists))
	for i, some := range lists {
		list[i] = candidate{some, s.set(some)}
	}
	return list
}

// first returns the first candidate that has the violation, or nil. It sets unsure if an outcome is unknown.
func (s *Search) first(ctx context.Context, list []candidate) *candidate {
	sets := make([]set, len(list))
	for i, c := range list {
		sets[i] = c.made
	}
	for i, o := range s.ask(ctx, s.Q, sets, func(o Outcome) bool { return o == Present }) {
		if o == Present {
			return &list[i]
		}
		s.unsure = s.unsure || o == unknown
	}
	return nil
}

// halves removes parts, smaller and smaller ones, from a set that has the violation, as long as the rest has it (ddmin of Zeller and
// Hildebrandt). whole reports that no more can be left out.
func (s *Search) halves(ctx context.Context, some []int) (found []int, whole bool) {
	for parts := 2; len(some) > 1; {
		lists := split(some, parts)
		unsure := s.unsure
		s.unsure = false
		if found := s.first(ctx, s.whole(lists)); found != nil {
			some, parts, s.unsure = found.some, 2, unsure
			continue
		}
		if parts > 2 {
			if found := s.first(ctx, s.whole(others(lists))); found != nil {
				some, parts, s.unsure = found.some, max(parts-1, 2), unsure
				continue
			}
		}
		told := !s.unsure
		s.unsure = s.unsure || unsure
		if parts >= len(some) {
			return some, told
		}
		parts = min(2*parts, len(some))
	}
	return some, true
}

// split cuts a list into parts of about equal length.
func split(list []int, parts int) [][]int {
	var out [][]int
	for i := range parts {
		out = append(out, list[i*len(list)/parts:(i+1)*len(list)/parts])
	}
	return out
}

// others returns, for each part, the elements of the other parts.
func others(parts [][]int) [][]int {
	out := make([][]int, len(parts))
	for i := range parts {
		for j, p := range parts {
			if j != i {
				out[i] = append(out[i], p...)
			}
		}
	}
	return out
}
