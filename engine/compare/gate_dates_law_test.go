package compare_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
)

// A dated contract is a party that goes from state to state on some days of January, and a paper that events hand on.
type dated struct {
	start    int // a day of January
	arcs     []datedArc
	holder   int      // of the paper: 4 the party, 5 another; 0: there is no paper
	paper    string   // its name
	promises []string // formulas in which #n is a state and, from 4 on, who holds the paper
}

// A datedArc is an event. Days are of January; 0: none.
type datedArc struct {
	from, to         int
	notBefore, until int
	hands            int // who hands the paper on to the other, 4 or 5; 0: nobody
}

// datedFormulas are promises in which it makes no difference how long time goes on.
var datedFormulas = []string{"AG !#3", "EF #2", "AG EF #0", "A[!#2 W #1]", "AG (#1 -> EF #0)", "EF #3", "AG (#2 -> EF #3)"}

// paperFormulas are promises that speak of the paper.
var paperFormulas = []string{"AG (#2 -> #5)", "EF #5", "AG (#5 -> EF #4)", "A[!#2 W #5]", "AG !(#3 && #4)"}

func drawDated(r *rand.Rand) dated {
	c := dated{start: 5 + r.IntN(3), paper: "deed"}
	if r.IntN(3) > 0 {
		c.holder = 4 + r.IntN(2)
	}
	for from := range 4 {
		for to := range 4 {
			if from == to || r.IntN(4) > 0 && from+1 != to {
				continue
			}
			a := datedArc{from: from, to: to}
			if r.IntN(2) == 0 {
				a.notBefore = c.start + 1 + r.IntN(5)
			}
			if r.IntN(2) == 0 {
				a.until = max(c.start, a.notBefore) + r.IntN(5)
			}
			if r.IntN(3) == 0 {
				a.hands = 4 + r.IntN(2)
			}
			c.arcs = append(c.arcs, a)
		}
	}
	formulas := slices.Clone(datedFormulas)
	if c.holder > 0 && slices.ContainsFunc(c.arcs, func(a datedArc) bool { return a.hands > 0 }) { // else nobody but its holder can be asked for
		formulas = append(formulas, paperFormulas...)
	}
	for _, i := range r.Perm(len(formulas)) {
		if f := formulas[i]; len(c.promises) < 3 && c.keeps(f) {
			c.promises = append(c.promises, f)
		}
	}
	return c
}

func (c *dated) says(formula string) string {
	for i, name := range []string{"p.s0", "p.s1", "p.s2", "p.s3", c.paper + ".p", c.paper + ".q"} {
		formula = strings.ReplaceAll(formula, fmt.Sprintf("#%d", i), name)
	}
	return formula
}

func (c *dated) text() string {
	var b, events, moves strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  start = \"2027-01-%02d\"\n}\nparty \"q\" {}\nparty \"p\" {\n  state \"s0\" {}\n  state \"s1\" {}\n  state \"s2\" {}\n  state \"s3\" {}\n", c.start)
	for _, a := range c.arcs {
		fmt.Fprintf(&b, "  transition \"t%d%d\" {\n    from = s%[1]d\n    to   = s%[2]d\n  }\n", a.from, a.to)
		fmt.Fprintf(&events, "event \"e%d%d\" {\n  sync = { p = t%[1]d%[2]d }\n", a.from, a.to)
		if a.notBefore > 0 {
			fmt.Fprintf(&events, "  not_before = \"2027-01-%02d\"\n", a.notBefore)
		}
		if a.until > 0 {
			fmt.Fprintf(&events, "  within = \"2027-01-%02d\"\n", a.until)
		}
		events.WriteString("}\n")
		if a.hands > 0 {
			fmt.Fprintf(&moves, "    e%d%d = { from = %s, to = %s }\n", a.from, a.to, [...]string{"p", "q"}[a.hands-4], [...]string{"q", "p"}[a.hands-4])
		}
	}
	b.WriteString("}\n" + events.String())
	if c.holder > 0 {
		fmt.Fprintf(&b, "document %q {\n  holder = %s\n  moves = {\n%s  }\n}\n", c.paper, [...]string{"p", "q"}[c.holder-4], &moves)
	}
	for i, f := range c.promises {
		fmt.Fprintf(&b, "requirement \"r%d\" { ctl = %q }\n", i, c.says(f))
	}
	return b.String()
}

// keeps decides a formula on a graph of its own: of a state, the days since the start, and who holds the paper.
func (c *dated) keeps(formula string) bool {
	const days = 40
	at := func(state, day, holder int) int { return state + 4*(day+days*holder) }
	g := naive.Graph{Succ: make([][]int, 4*days*2), Holds: func(s, p int) bool { return s%4 == p || p >= 4 && s/(4*days) == p-4 }}
	for state := range 4 {
		for day := range days {
			for holder := range 2 {
				s := at(state, day, holder)
				if day+1 < days {
					g.Succ[s] = append(g.Succ[s], at(state, day+1, holder))
				}
				for _, a := range c.arcs {
					today := c.start + day
					if a.from != state || a.notBefore > 0 && today < a.notBefore || a.until > 0 && today > a.until {
						continue
					}
					after := holder
					if c.holder > 0 && a.hands > 0 {
						if after = 1 - holder; a.hands-4 != holder {
							continue
						}
					}
					g.Succ[s] = append(g.Succ[s], at(a.to, day, after))
				}
			}
		}
	}
	return naive.Sat(g, gateFormula(formula))[at(0, 0, max(c.holder-4, 0))]
}

// amended moves the start, or adds the paper, takes it off or hands it on otherwise. Promises may go along.
func (c *dated) amended(r *rand.Rand, kind string) dated {
	d := *c
	d.arcs, d.promises = slices.Clone(c.arcs), slices.Clone(c.promises)
	switch kind {
	case "start":
		by := r.IntN(8) - 4
		d.start += by
		for i := range d.arcs { // some dates go along
			if a := &d.arcs[i]; r.IntN(2) == 0 {
				a.notBefore, a.until = moved(a.notBefore, by), moved(a.until, by)
			}
		}
	case "date":
		a := &d.arcs[r.IntN(len(d.arcs))]
		a.notBefore, a.until = moved(a.notBefore, r.IntN(9)-3), moved(a.until, r.IntN(9)-5)
	case "document":
		switch {
		case d.holder == 0:
			d.holder = 4 + r.IntN(2)
		case r.IntN(2) == 0:
			d.holder = 0
		case r.IntN(3) == 0:
			d.paper = "bill"
		case r.IntN(2) == 0:
			d.holder = 9 - d.holder
		default:
			a := &d.arcs[r.IntN(len(d.arcs))]
			a.hands = []int{0, 4, 5}[r.IntN(3)]
		}
		if d.holder == 0 {
			d.promises = slices.DeleteFunc(d.promises, func(f string) bool { return slices.Contains(paperFormulas, f) })
		}
	}
	if len(d.promises) > 0 && r.IntN(5) == 0 {
		d.promises = d.promises[1:]
	}
	return d
}

func moved(day, by int) int {
	if day == 0 {
		return 0
	}
	return day + by
}

func (c *dated) draft(t *testing.T) *compile.Draft {
	drafts, err := engine.Tree{FS: fstest.MapFS{"a.contract.hcl": {Data: []byte(c.text())}}, Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return drafts[0]
}

// TestNoDateGetsPastTheGate: no exit status 0 where a promise that base kept is gone, or broken since the start or a date moved, or since a document is
// there, is gone or is handed on otherwise; and no objection where all that base promised is kept and no document is added.
func TestNoDateGetsPastTheGate(t *testing.T) {
	draws.SkipForRaces(t)
	each := 24
	if draws.All() {
		each = 400
	}
	for k, kind := range []string{"start", "date", "document"} {
		broken, gone, passed, illFormed := 0, 0, 0, 0
		for n := range each {
			r := rand.New(rand.NewPCG(uint64(40+k), uint64(n)))
			base := drawDated(r)
			head := base.amended(r, kind)
			review, _ := compare.Compared(context.Background(), base.draft(t), head.draft(t), finding.Budget{Jobs: 1})
			status := (&finding.Review{Contracts: []finding.ContractReview{review}}).Gate(finding.FailNew)
			lost := ""
			for _, f := range base.promises {
				switch {
				case !head.keeps(f):
					broken++
					lost = f + " is broken"
				case !slices.Contains(head.promises, f) && !slices.ContainsFunc(head.promises, func(g string) bool { return gateImplies(r, g, f) }):
					gone++
					lost = f + " is gone"
				}
			}
			switch {
			case status == finding.BadInput:
				illFormed++
				continue
			case status == finding.Clean:
				passed++
			}
			added := base.holder == 0 && head.holder > 0 // what is new may stand for a state that nothing leads to any more: that is asked about
			if status == finding.Clean && lost != "" || status != finding.Clean && lost == "" && !added {
				t.Errorf("%s %d: exit status %d, and %q\nbase\n%s\nhead\n%s\n%s", kind, n, status, lost, base.text(), head.text(), findingsOf(review))
			}
		}
		t.Logf("%s: of %d %d promises are broken and %d gone, %d pass, %d are ill-formed", kind, each, broken, gone, passed, illFormed)
		if broken*16 < each || gone*16 < each || passed*5 < each || illFormed*2 > each {
			t.Errorf("%s: the amendments are poor: of %d %d promises are broken and %d gone, %d pass, %d are ill-formed", kind, each, broken, gone, passed, illFormed)
		}
	}
}
