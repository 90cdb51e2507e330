package smv

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
)

// A Model is what is to be written.
type Model struct {
	Title  string
	Net    *petri.Net
	Rule   petri.Rule
	Specs  []Spec
	Actors []Actor // who is assumed to make progress, in all specifications
	Notes  []string
}

// A Spec is a formula to be decided in the initial state, its atoms resolved.
type Spec struct {
	ID      string // an identifier: see SpecID
	Title   string
	Formula *ctl.Formula
}

// An Actor acts again and again, if from some point on it always can: one of its acts fires, and changes something.
type Actor struct {
	Name string
	Acts []int // transitions
}

// What is beyond these limits no other tool has read in reasonable time.
const (
	maxTransitions = 100_000
	maxTogether    = 1_000 // transitions, where all fire that can
	maxFormula     = 1 << 20
)

// Write writes a model. An error is w's, or says what is too large.
func Write(w io.Writer, m *Model) error {
	most := maxTransitions
	if m.Rule == petri.All {
		most = maxTogether
	}
	if n := len(m.Net.Transitions); n > most {
		return fmt.Errorf("the net has %d transitions, and no more than %d are written for NuSMV", n, most)
	}
	for _, s := range m.Specs {
		if size(s.Formula, maxFormula) > maxFormula {
			return fmt.Errorf("the formula of %s has more than %d operators in the language of NuSMV", s.ID, maxFormula)
		}
	}
	out := newWriter(w, m)
	out.comments()
	out.line("MODULE main")
	out.variables()
	out.definitions()
	out.assignments()
	out.constraints()
	out.fairness()
	out.specifications()
	return out.Flush()
}

// A writer writes a model.
type writer struct {
	*bufio.Writer // keeps its first error
	*Model
	places, steps []string // by index
	moves         *moves
}

func newWriter(w io.Writer, m *Model) *writer {
	out := &writer{Writer: bufio.NewWriter(w), Model: m, steps: stepIDs(m.Net), moves: newMoves(m.Net)}
	for _, p := range m.Net.Places {
		out.places = append(out.places, placeID(p))
	}
	return out
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) comments() {
	w.line("-- %s", remark(w.Title))
	w.line("-- Written by redline for NuSMV 2.6. A dead end repeats for ever (stay); specifications say where that makes a difference.")
	if w.Rule == petri.All {
		w.line("-- All fire at once that can and do not compete.")
	}
	for _, n := range w.Notes {
		w.line("-- %s", remark(n))
	}
	w.line("")
}

// maxRemark is how long a stranger's words are at most in a comment, in runes.
const maxRemark = 300

// remark is text that stays on its line.
func remark(text string) string {
	r := []rune(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == unicode.ReplacementChar {
			return ' '
		}
		return r
	}, text))
	if len(r) > maxRemark {
		r = append(r[:maxRemark], '…')
	}
	return strings.TrimSpace(string(r))
}

func (w *writer) variables() {
	if w.Rule == petri.One {
		w.line("IVAR\n  step : {%s};", strings.Join(append([]string{"stay"}, w.steps...), ", "))
	} else if len(w.steps) > 0 {
		w.line("IVAR")
		for _, s := range w.steps {
			w.line("  %s : boolean;", s)
		}
	}
	if len(w.places)+len(w.Actors) > 0 {
		w.line("VAR")
	}
	for _, p := range w.places {
		w.line("  %s : boolean;", p)
	}
	for _, a := range w.Actors {
		w.line("  %s$acted : boolean;", netID(a.Name))
	}
}

func (w *writer) definitions() {
	w.line("DEFINE")
	for i, v := range w.moves.all {
		w.line("  %s := %s;", w.moves.id(i), w.moves.applies(v, w.places))
	}
	w.clashes()
	var can, contacts []string
	for i := range w.Net.Transitions {
		t := &w.Net.Transitions[i]
		can = append(can, w.steps[i]+"$can")
		w.line("  %s$can := %s;", w.steps[i], w.needs(i))
		if c := w.contact(t); c != "" {
			contacts = append(contacts, "("+can[i]+" & "+c+")")
		}
	}
	w.line("  dead := !%s;", or(can))
	w.line("  contact := %s;", or(append(contacts, w.collisions()...)))
	for _, a := range w.Actors {
		w.line("  %s$able := %s;", netID(a.Name), or(w.acts(a, func(t int) string { return w.steps[t] + "$can" })))
	}
}

// needs is when a transition can fire.
func (w *writer) needs(t int) string {
	of := &w.Net.Transitions[t]
	all := w.named(slices.Concat(of.In, of.Read))
	if of.Moving {
		all = append(all, w.moves.some(t))
	}
	return and(all)
}

// contact is when a transition that can fire would put a second token somewhere; empty: never.
func (w *writer) contact(t *petri.Transition) string {
	all := w.named(t.Out)
	if name := w.moves.clash(t.Moves); name != "" {
		all = append(all, name)
	}
	if len(all) == 0 {
		return ""
	}
	return or(all)
}

// clashes defines when the moves of a list would put a second token somewhere, once for all transitions that have the list.
func (w *writer) clashes() {
	come := 0
	for n, list := range w.moves.distinct {
		here := w.moves.named(list)
		from, to, places := map[int][]string{}, map[int][]int{}, []int{}
		for i, v := range list {
			if v.Stays() {
				continue
			}
			if from[v.From] = append(from[v.From], here[i]); to[v.To] == nil {
				places = append(places, v.To)
			}
			to[v.To] = append(to[v.To], i)
		}
		var all []string
		for _, p := range places {
			full := []string{w.places[p], or(some(here, to[p]))}
			if from[p] != nil {
				full = append(full, "!"+or(from[p]))
			}
			all = append(all, and(full))
			before := "" // whether one comes from a place before
			for _, moves := range bySource(list, to[p]) {
				comes := or(some(here, moves))
				if before != "" {
					all = append(all, and([]string{before, comes}))
					comes = or([]string{before, comes})
				}
				come++
				before = fmt.Sprintf("come$%d", come)
				w.line("  %s := %s;", before, comes)
			}
		}
		w.line("  clash$%d := %s;", n+1, or(all))
	}
}

// some lists the names of some moves.
func some(names []string, moves []int) (list []string) {
	for _, i := range moves {
		list = append(list, names[i])
	}
	return list
}

// bySource divides moves by the place that they leave, in order.
func bySource(list []petri.Move, moves []int) (groups [][]int) {
	at := map[int]int{}
	for _, i := range moves {
		k, known := at[list[i].From]
		if !known {
			k = len(groups)
			at[list[i].From], groups = k, append(groups, nil)
		}
		groups[k] = append(groups[k], i)
	}
	return groups
}

func (w *writer) assignments() {
	if len(w.places)+len(w.Actors) == 0 {
		return
	}
	w.line("ASSIGN")
	up, down := w.changes()
	for i, p := range w.places {
		_, marked := slices.BinarySearch(w.Net.Initial, i)
		w.line("  init(%s) := %s;", p, truth(marked))
		if len(up[i])+len(down[i]) == 0 {
			w.line("  next(%s) := %[1]s;", p)
			continue
		}
		w.line("  next(%s) := case", p)
		if len(up[i]) > 0 {
			w.line("    %s : TRUE;", or(up[i]))
		}
		if len(down[i]) > 0 {
			w.line("    %s : FALSE;", or(down[i]))
		}
		w.line("    TRUE : %s;\n  esac;", p)
	}
	for _, a := range w.Actors {
		w.line("  init(%s$acted) := FALSE;\n  next(%[1]s$acted) := %s;", netID(a.Name), or(w.acts(a, func(t int) string { return w.fires([]int{t}) })))
	}
}

// changes lists by place what marks it, and what unmarks it.
func (w *writer) changes() (up, down [][]string) {
	marks, takes := make([][]int, len(w.places)), make([][]int, len(w.places))
	for i := range w.Net.Transitions {
		t := &w.Net.Transitions[i]
		for _, p := range slices.Concat(t.Out, t.Marks) {
			marks[p] = append(marks[p], i)
		}
		for _, p := range t.In {
			takes[p] = append(takes[p], i)
		}
	}
	up, down = make([][]string, len(w.places)), make([][]string, len(w.places))
	for p := range w.places {
		if len(marks[p]) > 0 {
			up[p] = append(up[p], w.fires(marks[p]))
		}
		if len(takes[p]) > 0 {
			down[p] = append(down[p], w.fires(takes[p]))
		}
	}
	for i, v := range w.moves.all {
		cond := and([]string{w.fires(w.moves.users[i]), w.moves.id(i)})
		up[v.To], down[v.From] = append(up[v.To], cond), append(down[v.From], cond)
	}
	return up, down
}

// fires says that one of some transitions fires.
func (w *writer) fires(ts []int) string {
	var ids []string
	for _, t := range ts {
		ids = append(ids, w.steps[t])
	}
	switch {
	case w.Rule == petri.All:
		return or(ids)
	case len(ids) == 1:
		return "(step = " + ids[0] + ")"
	}
	return "(step in {" + strings.Join(ids, ", ") + "})"
}

func (w *writer) constraints() {
	if w.Rule == petri.All {
		w.together()
		return
	}
	w.line("TRANS step = stay -> dead;")
	for _, s := range w.steps {
		w.line("TRANS step = %s -> %[1]s$can;", s)
	}
}

// acts says of each act of an actor that it is one now, by says, and changes something.
func (w *writer) acts(a Actor, says func(t int) string) []string {
	var all []string
	for _, i := range a.Acts {
		t := &w.Net.Transitions[i]
		if len(t.In)+len(t.Out) > 0 {
			all = append(all, says(i))
		} else if len(t.Moves) > 0 {
			all = append(all, and([]string{says(i), w.moves.some(i)}))
		}
	}
	return all
}

func (w *writer) fairness() {
	for _, a := range w.Actors {
		w.line("FAIRNESS %s$acted | !%[1]s$able;", netID(a.Name))
	}
}

func (w *writer) specifications() {
	w.line("\n-- No place ever holds two tokens. Where this fails, what follows says nothing.\nCTLSPEC NAME one-safe := AG !contact;")
	for _, s := range w.Specs {
		w.line("\n-- %s\nCTLSPEC NAME %s := %s;", remark(s.Title), s.ID, w.formula(s.Formula))
	}
}

func (w *writer) named(places []int) []string {
	var names []string
	for _, p := range places {
		names = append(names, w.places[p])
	}
	return names
}

func truth(b bool) string {
	if b {
		return "TRUE"
	}
	return "FALSE"
}

func and(list []string) string { return joined(list, " & ", "TRUE") }
func or(list []string) string  { return joined(list, " | ", "FALSE") }

// joined brackets expressions as a tree of little depth; of none it is what makes no difference.
func joined(list []string, by, none string) string {
	switch {
	case len(list) == 0:
		return none
	case len(list) == 1:
		return list[0]
	case len(list) <= 8:
		return "(" + strings.Join(list, by) + ")"
	}
	var parts []string
	for part := range slices.Chunk(list, (len(list)+7)/8) {
		parts = append(parts, joined(part, by, none))
	}
	return joined(parts, by, none)
}

var errNoMeaning = errors.New("smv: a formula that is not resolved")
