package compare_test

import (
	"context"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
)

// The amendments of which TestNothingGetsPastTheGate draws.

var gateKinds = []string{"reword", "drop", "rename", "move", "delete", "waive", "widen", "accept", "relink", "final", "decoy", "displace", "copy", "unwaive", "redundant"}

var gateFormulas = []string{"AG !#3", "EF #2", "AG EF #0", "AF #2", "AG (#1 -> AF #2)", "AG (#1 -> EF #0)", "AF (#1 || #2)", "A[!#2 W #1]", "EF #1", "EG !#3", "AG (#1 -> EX #2)"}

func drawGateContract(r *rand.Rand, id int) gateContract {
	c := gateContract{id: id, name: fmt.Sprintf("c%d", id), states: []string{"s0", "s1", "s2", "s3"}, final: -1}
	for from := range 4 {
		for to := range 4 {
			if from != to && r.IntN(4) == 0 || from+1 == to && to < 3 {
				c.arcs = append(c.arcs, [2]int{from, to})
			}
		}
	}
	for _, i := range r.Perm(len(gateFormulas)) {
		if f := gateFormulas[i]; len(c.promises) < 2 && (c.keeps(f) || r.IntN(8) == 0) {
			c.promises = append(c.promises, gatePromise{id: i, name: fmt.Sprintf("r%d", len(c.promises)), formula: f})
		}
	}
	return c
}

// drawGateCase draws an amendment of a kind, often together with a change of what can happen, and with acceptances of its own.
func drawGateCase(t *testing.T, r *rand.Rand, kind string) *gateCase {
	c := &gateCase{kind: kind, rule: finding.AcceptanceRule(r.IntN(3)), approved: r.IntN(3) == 0}
	c.base = gateTree{at: map[string]gateContract{"a": drawGateContract(r, 0), "b/x": drawGateContract(r, 1)}}
	if kind == "accept" || kind == "final" || r.IntN(4) == 0 || slices.Contains([]string{"delete", "relink"}, kind) && r.IntN(2) == 0 {
		one := c.base.at["a"]
		for one.final = 2; !one.keeps(one.completion()) && r.IntN(8) > 0; {
			one = drawGateContract(r, 0)
			one.final = 2
		}
		if kind == "delete" {
			one.promises = one.promises[:r.IntN(len(one.promises)+1)]
		}
		c.base.at["a"] = one
	}
	if kind == "accept" && r.IntN(3) > 0 { // mostly only what was merged before counts
		c.rule = finding.AcceptBase
	}
	if kind == "accept" && r.IntN(2) == 0 { // base loses the final state, and accepts it
		one := c.base.at["a"]
		one.strand(r)
		one.accepts = gateAccepts("why", "dead-end", "no-option-to-complete")
		c.base.at["a"] = one
	}
	if kind == "decoy" {
		c.base.at["a"] = c.base.at["a"].idly(r)
	}
	if kind == "unwaive" {
		c.base.at["a"] = c.waived(t, r)
	}
	if kind == "redundant" {
		c.base.at["a"] = c.base.at["a"].repeating(r)
	}
	c.head = c.base.clone()
	one := c.head.at["a"]
	if r.IntN(2) == 0 || slices.Contains([]string{"waive", "widen"}, kind) {
		c.change(r, &one)
	}
	c.head.at["a"] = one
	c.amend(t, r, kind)
	if kind == "accept" && r.IntN(4) > 0 {
		return c
	}
	if now, ok := c.head.at["a"]; ok && r.IntN(4) == 0 { // what it gives up, it says
		now.retires = c.givingUp(t, r)
		c.head.at["a"] = now
	} else if moved, ok := c.head.at["z"]; ok && r.IntN(4) == 0 {
		moved.retires = c.givingUp(t, r)
		c.head.at["z"] = moved
	} else if r.IntN(4) == 0 {
		for _, name := range c.base.at["a"].promised(r) {
			c.head.retired = append(c.head.retired, finding.Retirement{Contract: "a", Name: name, Digest: c.digest(t, "a", name), Reason: "why"})
		}
	}
	return c
}

// waived returns a contract that breaks a promise, and has a waiver of that.
func (c *gateCase) waived(t *testing.T, r *rand.Rand) gateContract {
	one := c.base.at["a"].clone()
	for _, i := range r.Perm(len(gateFormulas)) {
		if f := gateFormulas[i]; !one.keeps(f) {
			one.promises = append(one.promises, gatePromise{id: i, name: "waived", formula: f})
			at := len(one.promises) - 1
			w := &one.promises[at]
			w.run, w.reason, w.approver = c.runOf(t, one, at), "why", "who"
			w.named = !strings.HasSuffix(w.run, "22") // of an EF no run shows it
			break
		}
	}
	for _, i := range r.Perm(len(gateFormulas)) { // and it breaks another one, perhaps
		if f := gateFormulas[i]; r.IntN(4) == 0 && !one.keeps(f) && f != one.promises[len(one.promises)-1].formula {
			one.promises = slices.Insert(one.promises, 0, gatePromise{id: i, name: "broken", formula: f})
			break
		}
	}
	return one
}

// repeating returns a contract that has a promise once more, together with one that it breaks.
func (c gateContract) repeating(r *rand.Rand) gateContract {
	c = c.clone()
	for _, i := range r.Perm(len(gateFormulas)) {
		if f := gateFormulas[i]; len(c.promises) > 0 && !c.keeps(f) {
			c.promises = append(c.promises, gatePromise{id: 10 + i, name: "both", formula: fmt.Sprintf("(%s) && (%s)", c.promises[0].formula, f)})
			break
		}
	}
	return c
}

// idly promises only what a contract keeps in which nothing happens, too: so a decoy keeps all of it.
func (c gateContract) idly(r *rand.Rand) gateContract {
	c.promises, c.final = nil, -1
	for _, i := range r.Perm(len(gateFormulas)) {
		if f, still := gateFormulas[i], (&gateContract{states: c.states}); len(c.promises) < 2 && c.keeps(f) && still.keeps(f) {
			c.promises = append(c.promises, gatePromise{id: i, name: fmt.Sprintf("r%d", len(c.promises)), formula: f})
		}
	}
	return c
}

// givingUp writes that base's promises are given up, or all but the last.
func (c *gateCase) givingUp(t *testing.T, r *rand.Rand) (blocks []string) {
	for _, name := range c.base.at["a"].promised(r) {
		blocks = append(blocks, fmt.Sprintf("retire %q {\n  digest = %q\n  reason = \"why\"\n}\n", name, c.digest(t, "a", name)))
	}
	return blocks
}

// promised lists the names of all promises, or all but the last.
func (c gateContract) promised(r *rand.Rand) (names []string) {
	for _, p := range c.promises {
		names = append(names, p.name)
	}
	if c.final >= 0 {
		names = append(names, "contract.final")
	}
	return names[:max(0, len(names)-r.IntN(2))]
}

// digest is that of a promise of base, as a review prints it where its contract is gone.
func (c *gateCase) digest(t *testing.T, dir, name string) string {
	r := engine.ComparePairs(context.Background(), engine.Pairs(gateTree{at: map[string]gateContract{dir: c.base.at[dir]}}.drafts(t), nil), finding.Budget{Jobs: 1})
	for _, f := range r[0].Findings {
		if f.RetireName() == name {
			return f.Promise
		}
	}
	return "sha256:" + strings.Repeat("0", 64) // base breaks it
}

// gateAccepts writes accepts of checks.
func gateAccepts(reason string, codes ...string) (blocks []string) {
	for _, code := range codes {
		blocks = append(blocks, fmt.Sprintf("accept %q {\n  reason = %q\n}\n", code, reason))
	}
	return blocks
}

// strand lets a contract come from its first state to one that is not final, and stay there.
func (c *gateContract) strand(r *rand.Rand) {
	end := []int{1, 3}[r.IntN(2)]
	c.arcs = append(slices.DeleteFunc(c.arcs, func(a [2]int) bool { return a[0] == end || a == [2]int{0, end} }), [2]int{0, end})
}

// change adds or takes away a transition.
func (c *gateCase) change(r *rand.Rand, one *gateContract) {
	if a := [2]int{r.IntN(4), r.IntN(4)}; a[0] != a[1] && !slices.Contains(one.arcs, a) {
		one.arcs = append(one.arcs, a)
	} else if len(one.arcs) > 0 {
		one.arcs = slices.Delete(one.arcs, 0, 1)
	}
}

func (c *gateCase) amend(t *testing.T, r *rand.Rand, kind string) {
	one := c.head.at["a"]
	at := 0
	if len(one.promises) > 0 {
		at = r.IntN(len(one.promises))
	} else {
		one.promises = []gatePromise{{id: 9, name: "r9", formula: "EF #0"}}
	}
	switch kind {
	case "reword":
		one.promises[at].formula = gateFormulas[r.IntN(len(gateFormulas))]
	case "drop":
		one.promises = slices.Delete(one.promises, at, at+1)
	case "redundant":
		one.promises = one.promises[1:]
	case "rename":
		if r.IntN(2) == 0 {
			one.promises[at].name = "renamed"
		} else {
			one.states[1+r.IntN(3)] = "renamed"
		}
		if r.IntN(2) == 0 { // and what is renamed says less
			one.promises[at].formula = gateFormulas[r.IntN(len(gateFormulas))]
		}
	case "waive", "widen":
		one.promises[at].run, one.promises[at].reason, one.promises[at].approver = c.runOf(t, one, at), "why", "who"
		if kind == "widen" { // base's waiver is of another run, another promise, or says something else
			was := c.base.at["a"]
			if at < len(was.promises) {
				w := one.promises[at]
				was.promises[at].run, was.promises[at].reason, was.promises[at].approver = w.run, []string{"why", "another"}[r.IntN(2)], w.approver
				if r.IntN(3) == 0 {
					was.promises[at].run = "sha256:" + strings.Repeat("1", 64)
				}
				c.base.at["a"] = was
			}
		}
	case "unwaive": // it is gone with its waiver, both are of something else, or the waiver says something else, perhaps beside one of what stood
		at = len(one.promises) - 1
		switch r.IntN(4) {
		case 0:
			one.promises[at].formula = gateFormulas[r.IntN(len(gateFormulas))]
		case 1:
			one.promises = one.promises[:at]
		default:
			one.arcs, one.promises[at].reason = slices.Clone(c.base.at["a"].arcs), "another"
			for i, p := range one.promises[:at] {
				if !one.keeps(p.formula) {
					w := &one.promises[i]
					w.run, w.reason, w.approver = c.runOf(t, one, i), "why", "who"
				}
			}
		}
	case "final":
		one.final = []int{-1, -1, 1, 2, 3}[r.IntN(5)]
		for _, other := range r.Perm(4) { // rather another one that it can always reach
			if was := one.final; was >= 0 && !one.keeps(one.completion()) {
				if one.final = other; !one.keeps(one.completion()) {
					one.final = was
				}
			}
		}
	case "decoy":
		c.decoys(r, one)
		return
	case "displace":
		one.displace(r)
	case "copy": // what it was lies where nothing looks, and it says or can do something else
		c.base.ignored, c.head.ignored, c.head.at["z"] = []string{"z"}, []string{"z"}, c.base.at["a"]
		one.promises[at].formula = gateFormulas[r.IntN(len(gateFormulas))]
	case "accept": // as base does or for another reason, one check or both, or something else
		if len(one.accepts) == 0 && r.IntN(4) > 0 {
			one.strand(r)
		}
		codes := [][]string{{"dead-end", "no-option-to-complete"}, {"dead-end", "no-option-to-complete"}, {"dead-end"}, {"state-never-reached"}}[r.IntN(4)]
		one.accepts = gateAccepts([]string{"why", "another"}[r.IntN(2)], codes...)
		if r.IntN(4) > 0 { // what is lost is nothing but the final state
			was := c.base.at["a"]
			one.promises = slices.DeleteFunc(one.promises, func(p gatePromise) bool { return !one.keeps(p.formula) })
			was.promises = slices.Clone(one.promises)
			c.base.at["a"] = was
		}
	case "move":
		delete(c.head.at, "a")
		to := []string{"z", "skipped", "node_modules/a"}[r.IntN(3)]
		c.base.ignored = []string{"skipped"}
		c.head.ignored = []string{"skipped"}
		switch r.IntN(4) {
		case 0:
			one.name = "another"
		case 1: // a decoy has its name
			decoy := drawGateContract(r, 7)
			decoy.name, one.name = one.name, "another"
			c.head.at["decoy"] = decoy
		case 2: // it stays, and the settings look away
			to = "a"
			c.head.ignored = []string{"a"}
		}
		if strings.HasPrefix(to, "node_modules") {
			one.id = -1 // nothing is read there
		}
		c.head.at[to] = one
		return
	case "delete", "relink":
		delete(c.head.at, "a")
		if kind == "relink" {
			c.head.other["a"] = []fs.FileMode{fs.ModeSymlink, fs.ModeIrregular, 0}[r.IntN(3)]
		}
		if r.IntN(3) == 0 {
			c.head.at["decoy"] = drawGateContract(r, 7)
		}
		return
	}
	c.head.at["a"] = one
}

// decoys moves a contract, with less promised or more possible, and puts contracts in its place and elsewhere that keep what it promised since nothing
// happens in them.
func (c *gateCase) decoys(r *rand.Rand, moved gateContract) {
	was := c.base.at["a"]
	decoy := func(name string) gateContract {
		d := was.clone()
		d.id, d.name, d.arcs, d.final = 8, name, nil, -1
		d.promises = slices.DeleteFunc(d.promises, func(p gatePromise) bool { return !d.keeps(p.formula) })
		return d
	}
	if r.IntN(4) > 0 && len(moved.promises) > 0 {
		moved.promises = moved.promises[1:]
	}
	if moved.name = []string{moved.name, moved.name, "another"}[r.IntN(3)]; moved.name == was.name && r.IntN(4) > 0 { // its name is all that it still has
		for i := range moved.states {
			moved.states[i] = fmt.Sprintf("n%d", i)
		}
	}
	delete(c.head.at, "a")
	c.head.at["z"] = moved
	if r.IntN(4) > 0 {
		c.head.at["a"] = decoy([]string{was.name, "decoy"}[r.IntN(2)])
	}
	if r.IntN(3) == 0 {
		c.head.at["y"] = decoy([]string{was.name, "decoy"}[r.IntN(2)])
	}
	if r.IntN(4) == 0 { // a copy that promises and does the same
		one := was.clone()
		one.id, one.name = 8, "copy"
		c.head.at["x"] = one
	}
	if r.IntN(4) == 0 {
		c.base.ignored, c.head.ignored = []string{"z"}, []string{"z"}
	}
}

// displace renames a state and puts an idle one under its old name. Promises speak of the idle one then, if they are not renamed along.
func (c *gateContract) displace(r *rand.Rand) {
	n := 1 + r.IntN(2)
	was := fmt.Sprintf("#%d", n)
	c.states = append(c.states, c.states[n])
	c.states[n] = "renamed"
	for i := range c.promises {
		if r.IntN(4) > 0 {
			c.promises[i].formula = strings.ReplaceAll(c.promises[i].formula, was, "#4")
		}
	}
	if c.final == n {
		c.final = 4
	}
}

// runOf is the fingerprint that a check prints of a broken promise.
func (c *gateCase) runOf(t *testing.T, one gateContract, at int) string {
	d := gateTree{at: map[string]gateContract{"a": one}}.drafts(t)[0]
	if run := verify.Check(context.Background(), d, finding.Budget{}).Requirements[at].Run; run != "" {
		return run
	}
	return "sha256:" + strings.Repeat("2", 64)
}
