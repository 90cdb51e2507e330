package compare_test

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// The gate is held against a model of contracts that knows by itself what an amendment does: it makes the amendment, so it knows which promise of
// base is which on head, and whether it is kept is decided by package naive on a graph of its own.

// A gateContract is one party that goes from state to state, with promises about its states.
type gateContract struct {
	id       int // the same on both sides
	name     string
	states   []string // by number, which no renaming changes
	arcs     [][2]int
	promises []gatePromise
	retires  []string // blocks
	accepts  []string // blocks
	final    int      // a state; -1: none is declared
}

// A gatePromise is a formula in which #n stands for state n.
type gatePromise struct {
	id                    int
	name, formula         string
	run, reason, approver string // of a waiver; an empty run: none
	named                 bool   // the contract violates it, by that run
}

func (c gateContract) clone() gateContract {
	c.states, c.arcs, c.promises = slices.Clone(c.states), slices.Clone(c.arcs), slices.Clone(c.promises)
	c.retires, c.accepts = slices.Clone(c.retires), slices.Clone(c.accepts)
	return c
}

func (c *gateContract) says(formula string) string {
	for i, s := range c.states {
		formula = strings.ReplaceAll(formula, fmt.Sprintf("#%d", i), "p."+s)
	}
	return formula
}

func (c *gateContract) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract %q {\n", c.name)
	if c.final >= 0 {
		fmt.Fprintf(&b, "  final = \"p.%s\"\n", c.states[c.final])
	}
	b.WriteString("}\nparty \"p\" {\n")
	for _, s := range c.states {
		fmt.Fprintf(&b, "  state %q {}\n", s)
	}
	for _, a := range c.arcs {
		fmt.Fprintf(&b, "  transition \"t%d%d\" {\n    from = %s\n    to   = %s\n  }\n", a[0], a[1], c.states[a[0]], c.states[a[1]])
	}
	b.WriteString("}\n")
	for _, p := range c.promises {
		fmt.Fprintf(&b, "requirement %q {\n  ctl = %q\n", p.name, c.says(p.formula))
		if p.run != "" {
			fmt.Fprintf(&b, "  waiver {\n    reason = %q\n    approver = %q\n    run = %q\n  }\n", p.reason, p.approver, p.run)
		}
		b.WriteString("}\n")
	}
	b.WriteString(strings.Join(slices.Concat(c.accepts, c.retires), ""))
	return b.String()
}

// keeps decides a formula over state numbers.
func (c *gateContract) keeps(formula string) bool {
	g := naive.Graph{Succ: make([][]int, len(c.states)), Holds: func(s, p int) bool { return s == p }}
	for _, a := range c.arcs {
		g.Succ[a[0]] = append(g.Succ[a[0]], a[1])
	}
	return naive.Sat(g, gateFormula(formula))[0]
}

func gateFormula(formula string) *ctl.Formula {
	f, err := ctl.Parse(strings.ReplaceAll(formula, "#", "p.s"))
	if err != nil {
		panic(err)
	}
	for atom := range f.Atoms() {
		atom.Place = int(atom.Name[len("p.s")] - '0')
	}
	return f
}

// implies looks for a graph with any labels in which one formula holds and the other does not.
func gateImplies(r *rand.Rand, f, g string) bool {
	a, b := gateFormula(f), gateFormula(g)
	for range 200 {
		n := 1 + r.IntN(4)
		m := naive.Graph{Succ: make([][]int, n)}
		labels := make([]int, n)
		for s := range n {
			labels[s] = r.IntN(1 << 6)
			for to := range n {
				if r.IntN(3) == 0 {
					m.Succ[s] = append(m.Succ[s], to)
				}
			}
		}
		m.Holds = func(s, p int) bool { return labels[s]>>p&1 == 1 }
		was, now := naive.Sat(m, a), naive.Sat(m, b)
		for s := range n {
			if was[s] && !now[s] {
				return false
			}
		}
	}
	return true
}

// A gateTree is a repository: contracts by directory, and what stands in place of one.
type gateTree struct {
	at      map[string]gateContract
	other   map[string]fs.FileMode // a link or a submodule
	ignored []string
	retired []finding.Retirement
}

func (t gateTree) files() fstest.MapFS {
	m := fstest.MapFS{}
	for dir, c := range t.at {
		m[dir+"/a.contract.hcl"] = &fstest.MapFile{Data: []byte(c.text())}
	}
	for name, mode := range t.other {
		m[name] = &fstest.MapFile{Mode: mode, Data: []byte("elsewhere")}
	}
	return m
}

func (t gateTree) clone() gateTree {
	u := gateTree{at: map[string]gateContract{}, other: map[string]fs.FileMode{}, ignored: slices.Clone(t.ignored), retired: slices.Clone(t.retired)}
	for dir, c := range t.at {
		u.at[dir] = c.clone()
	}
	return u
}

func (t gateTree) in(dir string) bool { return !slices.Contains(t.ignored, dir) }

func (t gateTree) drafts(test *testing.T) []*compile.Draft {
	drafts, err := engine.Tree{FS: t.files(), Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil {
		test.Fatal(err)
	}
	return drafts
}

// A gateCase is an amendment, and what counts as accepted.
type gateCase struct {
	kind       string
	base, head gateTree
	rule       finding.AcceptanceRule
	approved   bool // of everything the amendment brings
}

func (c *gateCase) review(test *testing.T) *finding.Review {
	before, after := c.base.drafts(test), c.head.drafts(test)
	kept, sides, _ := engine.Within(c.base.in, before, after)
	pairs, outside := engine.DropUnreviewed(engine.Pairs(kept, sides[0]), func(_, dir string) bool { return c.base.in(dir) && c.head.in(dir) })
	r := &finding.Review{Contracts: engine.ComparePairs(context.Background(), pairs, finding.Budget{Jobs: 1})}
	for i := range r.Contracts {
		r.Contracts[i].Outside = outside[r.Contracts[i].Path]
	}
	policy := finding.AcceptancePolicy{Rule: c.rule, Read: true, Base: c.base.retired, Head: c.head.retired}
	err := r.Settle(context.Background(), policy, func(context.Context, finding.Acceptance) (finding.Approval, error) {
		return finding.Approval{State: map[bool]finding.AcceptanceState{true: finding.ByApproval, false: finding.Pending}[c.approved]}, nil
	})
	if err != nil {
		test.Fatal(err)
	}
	return r
}

// A loss is a promise that base kept, or broke as its own text accepts it, and that head breaks or does not make.
type loss struct {
	dir  string // on base
	was  gatePromise
	gone bool
	now  *gatePromise // that says the same on head; nil: none does
	stop bool         // it is that the final state can be reached
}

// losses is the oracle's list.
func (c *gateCase) losses(r *rand.Rand) []loss {
	var all []loss
	for dir, was := range c.base.at {
		if !c.base.in(dir) {
			continue
		}
		var heirs []gateContract
		for at, one := range c.head.at {
			if (one.id == was.id || one.name == was.name && one.id == 7) && c.base.in(at) && c.head.in(at) { // whoever takes its name takes its place
				heirs = append(heirs, one)
			}
		}
		for _, p := range was.promises {
			if !was.keeps(p.formula) && !p.named {
				continue
			}
			one, lost := loss{dir: dir, was: p, gone: true}, true
			for _, heir := range heirs {
				if now, made := heir.makes(r, p); made {
					one.gone, one.now, lost = false, now, lost && !heir.keeps(p.formula)
				}
			}
			if lost {
				all = append(all, one)
			}
		}
		if l, lost := finalLost(dir, was, heirs); lost {
			all = append(all, l)
		}
	}
	return all
}

// finalLost says what becomes of the promise that the final state can always be reached: it is gone where no heir declares that state.
func finalLost(dir string, was gateContract, heirs []gateContract) (l loss, lost bool) {
	if was.final < 0 || !was.keeps(was.completion()) && !was.acceptsLost("dead-end", "no-option-to-complete") {
		return l, false
	}
	l, lost = loss{dir: dir, was: gatePromise{name: "contract.final", formula: was.completion()}, gone: true, stop: true}, true
	for _, heir := range heirs {
		if heir.final == was.final {
			l.gone, lost = false, lost && !heir.keeps(was.completion())
		}
	}
	return l, lost
}

// completion is the promise that the final state can always be reached.
func (c *gateContract) completion() string { return fmt.Sprintf("AG EF #%d", c.final) }

// acceptsLost reports whether a contract accepts checks, whatever the run.
func (c *gateContract) acceptsLost(codes ...string) bool {
	return !slices.ContainsFunc(codes, func(code string) bool {
		return !slices.ContainsFunc(c.accepts, func(block string) bool { return strings.Contains(block, fmt.Sprintf("accept %q", code)) })
	})
}

// makes reports whether a contract makes a promise, or keeps one that implies it; it returns the promise where it is the same.
func (c *gateContract) makes(r *rand.Rand, p gatePromise) (same *gatePromise, made bool) {
	for i := range c.promises {
		switch q := &c.promises[i]; {
		case q.formula == p.formula:
			return q, true
		case c.keeps(q.formula) && gateImplies(r, q.formula, p.formula):
			made = true
		}
	}
	return nil, made
}

// brought reports whether something that counts may accept a loss: by base's own text, or as the rule has it.
func (c *gateCase) accepted(l loss) bool {
	if was := c.base.at[l.dir]; l.stop && !l.gone { // head declares it, and accepts that it fails, perhaps as base does
		return slices.ContainsFunc(slices.Collect(maps.Values(c.head.at)), func(one gateContract) bool {
			asBefore := !slices.ContainsFunc(one.accepts, func(block string) bool { return !slices.Contains(was.accepts, block) })
			return one.id == was.id && (one.acceptsLost("dead-end") || one.acceptsLost("no-option-to-complete")) && (c.counts() || asBefore && !was.keeps(was.completion()))
		})
	}
	if l.gone || l.now == nil {
		text := fmt.Sprintf("retire %q", l.was.name)
		byBase, byHead := strings.Contains(strings.Join(c.base.at[l.dir].retires, ""), text), false
		for _, one := range c.head.at {
			byHead = byHead || one.id == c.base.at[l.dir].id && strings.Contains(strings.Join(one.retires, ""), text)
		}
		for _, t := range c.head.retired {
			byHead = byHead || t.Name == l.was.name && t.Contract == l.dir
		}
		return byHead && (c.counts() || byBase)
	}
	if l.now.run == "" {
		return false
	}
	same := l.was.run == l.now.run && l.was.reason == l.now.reason && l.was.approver == l.now.approver && l.was.name == l.now.name
	return same || c.counts()
}

func (c *gateCase) counts() bool {
	return c.rule == finding.AcceptAmendment || c.rule == finding.AcceptApproved && c.approved
}

// TestNothingGetsPastTheGate: no exit status 0 where a promise that base kept is broken or gone on head without an acceptance that counts.
// REDLINE_HEAVY tries all 1,000 amendments.
func TestNothingGetsPastTheGate(t *testing.T) {
	draws.SkipForRaces(t)
	each := 12
	if draws.All() {
		each = 112
	}
	tried, lost, passed := map[string]int{}, 0, 0
	for k, kind := range gateKinds {
		for n := range each {
			r := rand.New(rand.NewPCG(uint64(k), uint64(n)))
			c := drawGateCase(t, r, kind)
			tried[kind]++
			status := c.review(t).Gate(finding.FailNew)
			losses := c.losses(r)
			if len(losses) > 0 {
				lost++
			}
			if status != finding.Clean {
				continue
			}
			passed++
			for _, l := range losses {
				if !c.accepted(l) {
					t.Errorf("%s %d, rule %s, approved %t: it passes, and %s of %s (%s) is lost, gone %t\nbase\n%s\nhead\n%s", kind, n, c.rule, c.approved, l.was.name, l.dir, l.was.formula, l.gone, shownTree(c.base), shownTree(c.head))
				}
			}
		}
	}
	for _, kind := range gateKinds {
		if tried[kind] < each {
			t.Errorf("%d of kind %s", tried[kind], kind)
		}
	}
	if all := each * len(gateKinds); lost*10 < all*4 || passed*10 < all {
		t.Errorf("of %d amendments %d lose a promise, and %d pass", all, lost, passed)
	}
	t.Logf("%d of each of %d kinds: %d lose a promise, %d pass", each, len(gateKinds), lost, passed)
}

func shownTree(t gateTree) string {
	var b strings.Builder
	for dir, c := range t.at {
		fmt.Fprintf(&b, "-- %s\n%s", dir, c.text())
	}
	fmt.Fprintf(&b, "ignored %v, retired %v, others %v\n", t.ignored, t.retired, t.other)
	return b.String()
}
