package engine_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
)

// TestClaimsAreTrue reads "So: ..." and "At the end: ..." of random runs as a reader would, and decides each on the run that is shown.
func TestClaimsAreTrue(t *testing.T) {
	draws.Only(t, 60)
	kinds := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			d := drawnTelling(t)
			g, markings, ok := exploreForProgress(d)
			if !ok || len(markings) > 150 {
				continue
			}
			for _, q := range d.Check(t.Context(), engine.Budget{Jobs: 1}).Requirements {
				if q.Trace == nil {
					continue
				}
				stage := d.Stage([]*engine.Trace{q.Trace})[0]
				if stage == nil {
					t.Fatalf("%s: its run can't be fired anew", q.Formula)
				}
				r := &runReader{t: t, d: d, g: g, markings: markings, formula: q.Formula, kinds: kinds, values: map[string][]bool{}}
				r.read(stage, nil)
			}
		}
	})
	t.Log(kinds)
	if len(kinds) < 10 {
		t.Errorf("few kinds of sentences were met: %v", kinds)
	}
}

// A runReader decides what is said of runs of one requirement.
type runReader struct {
	t        *rapid.T
	d        *engine.Draft
	g        naive.Graph
	markings []petri.Marking
	formula  string
	kinds    map[string]int
	values   map[string][]bool
}

// read decides what is said of a run, which begins after a path of states.
func (r *runReader) read(s *engine.Staging, path []int) {
	path = append(slices.Clone(path), r.state(s.Start))
	here, loop := s.Start, 0
	for i, step := range s.Steps {
		if i == s.Loop {
			loop = len(path)
		}
		here, _ = r.d.Net.Fire(here, step)
		path = append(path, r.state(here))
	}
	end := len(path) - 1
	if s.Loop >= 0 {
		end = loop - 1
	}
	r.standing(s.Of.End, r.markings[path[end]])
	if dead := len(r.g.Succ[path[end]]) == 0; s.Of.DeadEnd && !dead {
		r.t.Fatalf("%s: something can happen at the end", r.formula)
	}
	if s.Of.Claim != "" {
		r.claim(s.Of.Claim, path, end)
	}
	for _, then := range s.Then {
		at := slices.Index(path, r.state(then.Start))
		r.read(then, path[:at])
	}
}

func (r *runReader) state(m petri.Marking) int {
	return slices.IndexFunc(r.markings, func(have petri.Marking) bool { return slices.Equal(have, m) })
}

// standing wants of each party the places that are marked, and of each clause where it stands, unless it does not bind.
func (r *runReader) standing(said []engine.PartyState, m petri.Marking) {
	var want, have []string
	for _, s := range said {
		for _, p := range s.Places {
			have = append(have, s.Party+"."+p)
		}
	}
	for _, p := range m {
		place := r.d.Net.Places[p]
		quiet := slices.Contains([]string{"dormant", "in_force"}, place.Name) && !slices.ContainsFunc(r.d.Spec.Norms, func(n *hclspec.Norm) bool {
			return n.Name == place.Net && place.Name == n.On().Name
		})
		if place.Net != "" && !quiet {
			want = append(want, place.Net+"."+strings.ReplaceAll(place.Name, "_", " "))
		}
	}
	slices.Sort(want)
	slices.Sort(have)
	if !slices.Equal(want, have) {
		r.t.Fatalf("%s: at the end %v; it says %v", r.formula, want, have)
	}
}

// A claimForm is a sentence, and what decides what it says on the states of a path, of which those from end on repeat or are the last.
type claimForm struct {
	form *regexp.Regexp
	so   func(r *runReader, m []string, path []int, end int) bool
}

// claimForms are the sentences; the first that fits is meant.
var claimForms = []claimForm{
	{regexp.MustCompile(`^(.+), and yet (.+)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.given(m[1], path[end]) && r.yet(m[2], path, end)
	}},
	{regexp.MustCompile(`^after that, (.+)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.never(m[1], path[end:], path, end)
	}},
	{regexp.MustCompile(`^(?:it never comes that .+|.+ never comes|“[^”]*” never happens)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.never(m[0], path, path, end)
	}},
	{regexp.MustCompile(`^(.+), and (“[^”]*”) had not(?: happened)? before$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.ever(m[2]+" has happened", path[:end])
	}},
	{regexp.MustCompile(`^(.+), and (.+) had not come( again)? before$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.is(m[2], path[end-1]) && (m[3] != "") == r.ever(m[2], path[:end])
	}},
	{regexp.MustCompile(`^(.+), and just before it was not so that (.+)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.is(m[2], path[end-1])
	}},
	{regexp.MustCompile(`^(.+) before (“[^”]*”) had happened$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.ever(m[2]+" has happened", path)
	}},
	{regexp.MustCompile(`^(.+) too early$`), func(r *runReader, m []string, path []int, end int) bool { return r.just(m[1], path, end) }},
	{regexp.MustCompile(`^(.+ (?:came|has ended|has happened)) before (.+?)(?: came)?$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.ever(m[2], path)
	}},
	{regexp.MustCompile(`^(?:(.+) stays so to the end|it stays so to the end that (.+))$`), func(r *runReader, m []string, path []int, end int) bool {
		return !slices.ContainsFunc(path[end:], func(s int) bool { return !r.is(m[1]+m[2], s) })
	}},
	{regexp.MustCompile(`^(?:no next step leads to|there is no next step after which) .+$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^no state can be reached in which .+$|^.+ can't be reached from there$|^“[^”]*” can't happen from there$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^.+ can no longer be reached$|^“[^”]*” can no longer happen$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^(.+) does not hold$`), func(r *runReader, m []string, path []int, end int) bool { return !r.is(m[1], path[end]) }},
	{regexp.MustCompile(`^(.+) holds$`), func(r *runReader, m []string, path []int, end int) bool { return r.is(m[1], path[end]) }},
	{regexp.MustCompile(`^“[^”]*” (?:has happened|has not happened|can happen|can't happen|never happens before “[^”]*”)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.is(m[0], path[end])
	}},
}

func (r *runReader) claim(said string, path []int, end int) {
	for _, f := range claimForms {
		m := f.form.FindStringSubmatch(said)
		if m == nil {
			continue
		}
		r.kinds[f.form.String()]++
		if !f.so(r, m, path, end) {
			r.wrong(said)
		}
		return
	}
	r.t.Fatalf("%s: what does %q say?", r.formula, said)
}

func (r *runReader) wrong(said string) {
	r.t.Fatalf("%s: it is not so that %s\n%s", r.formula, said, describe(r.d))
}

// just reports whether what a sentence says has just come about.
func (r *runReader) just(words string, path []int, end int) bool {
	ended, over := strings.CutSuffix(words, " has ended")
	if !over {
		ended, over = strings.CutPrefix(words, "it is no longer so that ")
	}
	words = strings.TrimSuffix(ended, " came")
	return end > 0 && r.is(words, path[end]) == !over && r.is(words, path[end-1]) == over
}

// never decides that something does not come on some states of a path, and that the path is a whole one.
func (r *runReader) never(words string, on, path []int, end int) bool {
	if event, ok := strings.CutSuffix(words, " never happens"); ok {
		words = event + " has happened"
	}
	words = strings.TrimPrefix(strings.TrimSuffix(words, " never comes"), "it never comes that ")
	return !r.ever(words, on) && (end < len(path)-1 || len(r.g.Succ[path[end]]) == 0)
}

func (r *runReader) ever(words string, path []int) bool {
	return slices.ContainsFunc(path, func(s int) bool { return r.is(words, s) })
}

func (r *runReader) next(words string, s int) bool {
	return slices.ContainsFunc(r.g.Succ[s], func(next int) bool { return r.is(words, next) })
}

// given decides what stands before "and yet".
func (r *runReader) given(words string, s int) bool {
	next, ok := strings.CutSuffix(words, " can come next")
	if !ok {
		next, ok = strings.CutPrefix(words, "there is a next step after which ")
	}
	return ok && r.next(next, s) || !ok && r.is(words, s)
}

var (
	lostForm    = regexp.MustCompile(`^(?:no state can be reached in which (.+)|(.+) can(?:'t|( no longer)) be reached(?: from there)?|(“[^”]*”) can(?:'t happen from there|( no longer) happen))$`)
	needNotForm = regexp.MustCompile(`^(?:(.+) need not come|it need not come that (.+)|(“[^”]*”) need not happen)$`)
	noNextForm  = regexp.MustCompile(`^(?:no next step leads to|there is no next step after which) (.+)$`)
)

// yet decides what follows "and yet" at the end of a path.
func (r *runReader) yet(words string, path []int, end int) bool {
	s := path[end]
	if list, ok := strings.CutPrefix(words, "neither "); ok {
		return !slices.ContainsFunc(strings.Split(list, " nor "), func(one string) bool { return r.is(one, s) })
	}
	if list, ok := strings.CutPrefix(words, "not all of "); ok {
		return !r.is(list, s)
	}
	if m := needNotForm.FindStringSubmatch(words); m != nil {
		return !r.all(ctl.AF, m[1]+m[2]+happened(m[3]))[s]
	}
	if m := noNextForm.FindStringSubmatch(words); m != nil {
		return !r.next(m[1], s)
	}
	if m := lostForm.FindStringSubmatch(words); m != nil {
		can := r.all(ctl.EF, m[1]+m[2]+happened(m[4]))
		return !can[s] && (m[3]+m[5] == "" || slices.ContainsFunc(path, func(s int) bool { return can[s] }))
	}
	return r.is(words, s)
}

func happened(event string) string {
	if event == "" {
		return ""
	}
	return event + " has happened"
}

// all labels the states with a temporal operator of what words say.
func (r *runReader) all(op ctl.Op, words string) []bool {
	return naive.Sat(r.g, &ctl.Formula{Op: op, Left: r.operand(words)})
}

func (r *runReader) is(words string, s int) bool {
	sat, known := r.values[words]
	if !known {
		sat = naive.Sat(r.g, r.operand(words))
		r.values[words] = sat
	}
	return sat[s]
}

// operand reads words: "not" binds more than "and", and that more than "or". Without quotes it is a formula.
func (r *runReader) operand(words string) *ctl.Formula {
	words = strings.TrimSuffix(words, " holds")
	if strings.HasPrefix(words, "(") && strings.HasSuffix(words, ")") && strings.Contains(words, "“") {
		words = words[1 : len(words)-1]
	}
	if text, ok := strings.CutPrefix(words, "not "); ok && !strings.Contains(text, "“") {
		return r.negated(text)
	}
	if !strings.Contains(words, "“") && words != "nothing has been breached" {
		return r.formulaOf(words)
	}
	for _, op := range []struct {
		word string
		op   ctl.Op
	}{{" or ", ctl.Or}, {" and ", ctl.And}} {
		if left, right, ok := strings.Cut(words, op.word); ok {
			return &ctl.Formula{Op: op.op, Left: r.operand(left), Right: r.operand(right)}
		}
	}
	if rest, ok := strings.CutPrefix(words, "not "); ok {
		return &ctl.Formula{Op: ctl.Not, Left: r.operand(rest)}
	}
	for form, text := range map[string]string{
		`^“(\w+): ([\w ]+)”$`: "$1.$2", `^“(\w+)” has happened$`: "happened($1)", `^“(\w+)” has not happened$`: "!happened($1)", `^“(\w+)” can happen$`: "enabled($1)",
		`^“(\w+)” can't happen$`: "!enabled($1)", `^“(\w+)” never happens before “(\w+)”$`: "before($2, $1)", `^nothing has been breached$`: "ideal", `^“something breached”$`: "!ideal",
	} {
		if re := regexp.MustCompile(form); re.MatchString(words) {
			return r.formulaOf(re.ReplaceAllString(strings.ReplaceAll(words, "in force", "in_force"), text))
		}
	}
	r.t.Fatalf("%s: what is %q?", r.formula, words)
	return nil
}

// negated reads "not" before a formula, which has to be one in brackets, or no chain.
func (r *runReader) negated(text string) *ctl.Formula {
	f := r.formulaOf(text)
	if f.Op >= ctl.And && f.Op <= ctl.Iff && !strings.HasPrefix(text, "(") {
		r.wrong("not " + text)
	}
	return &ctl.Formula{Op: ctl.Not, Left: f}
}

// formulaOf reads a formula by definitions: what has happened is remembered in a place, and what can happen is what can fire.
func (r *runReader) formulaOf(text string) *ctl.Formula {
	f, err := ctl.Parse(text)
	if err != nil {
		r.t.Fatalf("%s: %q is neither words nor a formula", r.formula, text)
	}
	for atom := range f.Atoms() {
		r.resolve(atom)
	}
	return f
}

func (r *runReader) resolve(atom *ctl.Formula) {
	if atom.Call == nil && atom.Name != "ideal" {
		if atom.Place = slices.IndexFunc(r.d.Net.Places, func(p petri.Place) bool { return p.String() == atom.Name }); atom.Place < 0 {
			r.t.Fatalf("%s: there is no %s", r.formula, atom.Name)
		}
		return
	}
	if atom.Name == "ideal" {
		atom.Means = &ctl.Formula{Op: ctl.True}
		for _, n := range r.d.Spec.Norms {
			if n.Breached() != nil {
				atom.Means = &ctl.Formula{Op: ctl.And, Left: atom.Means, Right: r.formulaOf("!" + n.Name + "." + n.Breached().Name)}
			}
		}
		return
	}
	name := atom.Call.Args[0].Name
	switch atom.Call.Function {
	case "happened":
		atom.Place = slices.IndexFunc(r.d.Net.Places, func(p petri.Place) bool { return p.Name == "happened("+name+")" })
	case "before":
		second := atom.Call.Args[1].Name
		atom.Means = r.formulaOf(fmt.Sprintf("A[!happened(%[1]s) W happened(%[2]s) && !happened(%[1]s)]", second, name))
	case "enabled":
		var some []*ctl.Formula
		for t, tr := range r.d.Net.Transitions {
			if tr.Event >= 0 && r.d.Event(t).Name == name {
				some = append(some, r.canFire(t))
			}
		}
		atom.Means = &ctl.Formula{Op: ctl.False}
		for _, one := range some {
			atom.Means = &ctl.Formula{Op: ctl.Or, Left: atom.Means, Right: one}
		}
	}
}

// canFire is the disjunction of the markings in which a transition can fire, as an atom of a place that none has.
func (r *runReader) canFire(t int) *ctl.Formula {
	const after = 1_000
	holds := r.g.Holds
	r.g.Holds = func(s, p int) bool {
		if p == after+t {
			return r.d.Net.Fireable(r.markings[s], t)
		}
		return holds(s, p)
	}
	return &ctl.Formula{Op: ctl.Atom, Name: "fires", Place: after + t}
}

// drawnTelling draws a contract of two parties, three events and, in every other one, clauses, with promises about all of it.
func drawnTelling(t *rapid.T) *engine.Draft {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {\n  firing = %s\n}\n", rapid.SampledFrom([]string{"one", "one", "all"}).Draw(t, "firing"))
	for _, party := range []string{"a", "b"} {
		fmt.Fprintf(&b, "party %q {\n", party)
		for s := range 3 {
			fmt.Fprintf(&b, "  state \"s%d\" {}\n", s)
		}
		for i := range 4 {
			from, to := rapid.IntRange(0, 2).Draw(t, "from"), rapid.IntRange(0, 2).Draw(t, "to")
			fmt.Fprintf(&b, "  transition \"t%d\" {\n    from = s%d\n    to = s%d\n  }\n", i, from, to)
		}
		b.WriteString("}\n")
	}
	for i := range 3 {
		sync := rapid.SampledFrom([]string{"a = t%[1]d", "b = t%[1]d", "a = t%[1]d\n    b = t%[1]d"}).Draw(t, "sync")
		fmt.Fprintf(&b, "event \"e%d\" {\n  sync = {\n    "+sync+"\n  }\n}\n", i, i)
	}
	clauses := rapid.Bool().Draw(t, "clauses")
	if clauses {
		b.WriteString("obligation \"o\" {\n  bearer = a\n  when = e0\n  fulfil = e1\n  breach = e2\n}\nprohibition \"f\" {\n  bearer = b\n  of = e2\n  from = e1\n}\n")
	}
	for i := range 10 {
		text := placeAtom.ReplaceAllStringFunc(drawnPromise(t), func(atom string) string { return drawnAtom(t, atom, clauses) })
		if clauses && !strings.Contains(text, "before(") && rapid.IntRange(0, 3).Draw(t, "ideal") == 0 {
			text += "  over = ideal\n"
		}
		fmt.Fprintf(&b, "requirement \"r%d\" {\n%s}\n", i, text)
	}
	src, err := hclspec.Load(fstest.MapFS{"x/a.contract.hcl": {Data: []byte(b.String())}}, "x", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatal(err, src.Diagnostics, b.String())
	}
	return engine.Compile(src, "x", nil)
}

var placeAtom = regexp.MustCompile(`[ab]\.s\d`)

// drawnAtom puts something else in the place of an atom at times.
func drawnAtom(t *rapid.T, atom string, clauses bool) string {
	list := []string{atom, atom, atom, "happened(e0)", "happened(e1)", "enabled(e0)", "enabled(e1)", "before(e0, e1)"}
	if clauses {
		list = append(list, "o.owed", "o.breached", "f.in_force")
	}
	return rapid.SampledFrom(list).Draw(t, "atom")
}
