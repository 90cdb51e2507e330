package smv_test

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/mcc"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/smv"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// TestNothingIsLost: of every net of the corpus, however many states it has, the text for NuSMV is read back as the same net, and its
// specifications as the same formulas. So it has the same verdicts.
func TestNothingIsLost(t *testing.T) {
	nets, formulas := 0, 0
	for _, name := range corpusFiles(t, "ibm/*.pnml") {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		n, err := pnml.Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		nets++
		readBack(t, &smv.Model{Title: name, Net: n})
	}
	for _, name := range corpusFiles(t, "mcc/*.tgz") {
		m := contestModel(t, name)
		nets, formulas = nets+1, formulas+len(m.Specs)
		readBack(t, m)
	}
	if nets < 50 || formulas < 500 {
		t.Errorf("only %d nets and %d formulas", nets, formulas)
	}
}

func corpusFiles(t *testing.T, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(corpus.Need(t, "corpus/"+path.Dir(pattern)), path.Base(pattern)))
	if err != nil {
		t.Fatal(err)
	}
	if len(names) == 0 {
		t.Fatalf("no files %s", pattern)
	}
	return names
}

// contestModel is a net of the contest with all questions about it.
func contestModel(t *testing.T, archive string) *smv.Model {
	t.Helper()
	files := unpacked(t, archive)
	n, err := pnml.Read(bytes.NewReader(files["model.pnml"].Data))
	if err != nil {
		t.Fatalf("%s: %v", archive, err)
	}
	m := &smv.Model{Title: archive, Net: n}
	for _, name := range []string{"CTLCardinality.xml", "CTLFireability.xml"} {
		if files[name] == nil {
			continue
		}
		questions, err := mcc.Read(bytes.NewReader(files[name].Data), n)
		if err != nil {
			t.Fatalf("%s: %v", archive, err)
		}
		for _, q := range questions {
			m.Specs = append(m.Specs, smv.Spec{ID: smv.SpecID(q.ID), Formula: q.Formula})
		}
	}
	return m
}

// readBack wants the model back from its text.
func readBack(t *testing.T, m *smv.Model) {
	t.Helper()
	var b bytes.Buffer
	if err := smv.Write(&b, m); err != nil {
		t.Errorf("%s: %v", m.Title, err)
		return
	}
	p, err := readSMV(b.String())
	if err != nil {
		t.Fatalf("%s: %v", m.Title, err)
	}
	back := &backwards{program: p, place: map[string]int{}, steps: p.values["step"][1:]}
	for i, name := range p.vars {
		back.place[name] = i
	}
	if len(p.vars) != len(m.Net.Places) || len(back.steps) != len(m.Net.Transitions) {
		t.Fatalf("%s: %d places and %d transitions", m.Title, len(p.vars), len(back.steps))
	}
	for i, want := range m.Net.Transitions {
		if got := back.needs(i); !slices.Equal(got, unioned(want.In, want.Read)) {
			t.Fatalf("%s: %s needs %v", m.Title, want.Name, got)
		}
	}
	for i, name := range p.vars {
		up, down := back.changes(t, name)
		var marks, takes []int
		for k, of := range m.Net.Transitions {
			if slices.Contains(of.Out, i) {
				marks = append(marks, k)
			} else if slices.Contains(of.In, i) {
				takes = append(takes, k)
			}
		}
		_, marked := slices.BinarySearch(m.Net.Initial, i)
		if !slices.Equal(up, marks) || !slices.Equal(down, takes) || (p.initial[name].op == "TRUE") != marked {
			t.Fatalf("%s: %s is marked by %v and unmarked by %v", m.Title, name, up, down)
		}
	}
	for i, s := range m.Specs {
		if got := back.formula(p.specs[i+1].ctl); p.specs[i+1].name != s.ID || !reflect.DeepEqual(got, plain(s.Formula)) {
			t.Fatalf("%s: %s is another formula", m.Title, s.ID)
		}
	}
}

// backwards reads a net out of a program of the form that Write gives it.
type backwards struct {
	*program
	place map[string]int
	steps []string
}

func unioned(a, b []int) []int { return sorted(slices.Concat(a, b)) }

func sorted(list []int) []int {
	slices.Sort(list)
	return slices.Compact(list)
}

// flat are the parts of a conjunction or disjunction.
func flat(op string, e *smvExpr) []*smvExpr {
	if e.op != op {
		return []*smvExpr{e}
	}
	return append(flat(op, e.args[0]), flat(op, e.args[1])...)
}

func (b *backwards) needs(t int) (places []int) {
	for _, e := range flat("&", b.define[b.steps[t]+"$can"]) {
		if e.op != "TRUE" {
			places = append(places, b.place[e.name])
		}
	}
	return sorted(places)
}

// changes are the transitions that mark a place, and those that unmark it.
func (b *backwards) changes(t *testing.T, name string) (up, down []int) {
	e := b.nexts[name]
	if e.op == "id" && e.name == name {
		return nil, nil
	}
	last := len(e.args) - 2
	if e.op != "case" || e.args[last].op != "TRUE" || e.args[last+1].name != name {
		t.Fatalf("%s comes to something else", name)
	}
	for i := 0; i < last; i += 2 {
		for _, k := range b.fires(t, e.args[i]) {
			switch e.args[i+1].op {
			case "TRUE":
				up = append(up, k)
			case "FALSE":
				if !slices.Contains(up, k) { // the first case that applies
					down = append(down, k)
				}
			}
		}
	}
	return sorted(up), sorted(down)
}

func (b *backwards) fires(t *testing.T, e *smvExpr) (ts []int) {
	if e.op != "=" && e.op != "in" || e.args[0].name != "step" {
		t.Fatal("a case is of something else than a step")
	}
	values := []*smvExpr{e.args[1]}
	if e.op == "in" {
		values = e.args[1].args
	}
	for _, v := range values {
		ts = append(ts, slices.Index(b.steps, v.name))
	}
	return ts
}

var plainOps = map[string]ctl.Op{"TRUE": ctl.True, "FALSE": ctl.False, "!": ctl.Not, "&": ctl.And, "|": ctl.Or, "->": ctl.Implies, "<->": ctl.Iff,
	"EF": ctl.EF, "AF": ctl.AF, "EG": ctl.EG, "AG": ctl.AG, "EU": ctl.EU, "AU": ctl.AU}

// formula undoes what Write does for dead ends: EX p is !dead & EX p, AX p is dead | AX p.
func (b *backwards) formula(e *smvExpr) *ctl.Formula {
	for op, of := range map[string]ctl.Op{"&": ctl.EX, "|": ctl.AX} {
		if e.op == op && e.args[1].op == map[ctl.Op]string{ctl.EX: "EX", ctl.AX: "AX"}[of] {
			return &ctl.Formula{Op: of, Left: b.formula(e.args[1].args[0])}
		}
	}
	switch e.op {
	case "id":
		return &ctl.Formula{Op: ctl.Atom, Place: b.place[e.name]}
	case "<=":
		weights, most := map[int]int{}, 0
		b.weigh(e.args[0], 1, weights, &most)
		b.weigh(e.args[1], -1, weights, &most)
		return summed(weights, most)
	}
	f := &ctl.Formula{Op: plainOps[e.op]}
	if len(e.args) > 0 {
		f.Left = b.formula(e.args[0])
	}
	if len(e.args) > 1 {
		f.Right = b.formula(e.args[1])
	}
	return f
}

func (b *backwards) weigh(e *smvExpr, by int, weights map[int]int, most *int) {
	switch e.op {
	case "+":
		b.weigh(e.args[0], by, weights, most)
		b.weigh(e.args[1], by, weights, most)
	case "*":
		b.weigh(e.args[1], by*e.args[0].n, weights, most)
	case "number":
		*most -= by * e.n
	case "count":
		for _, of := range e.args {
			weights[b.place[of.name]] += by
		}
	}
}

func summed(weights map[int]int, most int) *ctl.Formula {
	s := &ctl.Sum{Most: most}
	for place, by := range weights {
		if by != 0 {
			s.Weights = append(s.Weights, ctl.Weight{Place: place, By: by})
		}
	}
	slices.SortFunc(s.Weights, func(a, b ctl.Weight) int { return a.Place - b.Place })
	return &ctl.Formula{Op: ctl.Atom, Sum: s}
}

// plain is a formula without names, and its sums in one order.
func plain(f *ctl.Formula) *ctl.Formula {
	switch {
	case f == nil:
		return nil
	case f.Means != nil:
		return plain(f.Means)
	case f.Op == ctl.Atom && f.Sum != nil:
		weights := map[int]int{}
		for _, w := range f.Sum.Weights {
			weights[w.Place] += w.By
		}
		return summed(weights, f.Sum.Most)
	case f.Op == ctl.Atom:
		return &ctl.Formula{Op: ctl.Atom, Place: f.Place}
	}
	return &ctl.Formula{Op: f.Op, Left: plain(f.Left), Right: plain(f.Right)}
}
