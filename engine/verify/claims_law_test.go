package verify_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/blame"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/naive"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
)

// TestClaimsAreTrue reads "So: ..." and "At the end: ..." of random runs as a reader would, and decides each on the run that is shown.
func TestClaimsAreTrue(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 60)
	kinds := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			d := telling(t, tellingText(t, false))
			g, markings, ok := testkit.ExploreForProgress(d)
			if !ok || len(markings) > 150 {
				continue
			}
			runs := &runsReader{t, d, g, markings, kinds}
			runs.checked(finding.Explicit)
			if d.Rule == petri.One {
				runs.checked(finding.Symbolic)
			}
		}
	})
	t.Log(kinds)
	if len(kinds) < 10 {
		t.Errorf("few kinds of sentences were met: %v", kinds)
	}
}

// TestClaimsUnderAssumptionsAreTrue does so of contracts with deadlines, whose requirements assume that somebody acts, or say on whom they may rest.
func TestClaimsUnderAssumptionsAreTrue(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 40)
	kinds := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			d := telling(t, tellingText(t, true))
			g, markings, ok := testkit.ExploreForProgress(d)
			if !ok || len(markings) > 150 {
				continue
			}
			runs := &runsReader{t, d, g, markings, kinds}
			runs.checked(finding.Explicit)
			if d.Rule == petri.One {
				runs.checked(finding.Symbolic)
			}
		}
	})
	t.Log(kinds)
	for _, kind := range []string{"assuming", "resting", "stops", "loop", "ticks"} {
		if kinds[kind] == 0 {
			t.Errorf("no run was met of kind %s", kind)
		}
	}
}

// TestClaimsOfReviewsAreTrue does so of the runs of reviews, each on the version that it is of.
func TestClaimsOfReviewsAreTrue(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 40)
	kinds, pairs := map[string]int{}, 3
	if draws.All() {
		pairs = 12 // of three hundred, one run in a hundred has none that is weakened
	}
	rapid.Check(t, func(t *rapid.T) {
		for range pairs {
			text := tellingText(t, true)
			amended := amendedTelling(t, text)
			for _, e := range []finding.Engine{finding.Explicit, finding.Symbolic} {
				if e == finding.Explicit || strings.Contains(text, "firing = one") {
					reviewedTelling(t, telling(t, text), telling(t, amended), e, kinds)
				}
			}
		}
	})
	t.Log(kinds)
	for _, kind := range []string{"explicit new", "explicit standing", "explicit weakened", "symbolic new"} {
		if kinds[kind] == 0 && (kind != "explicit weakened" || draws.All()) { // of few draws, one in four has none that is weakened
			t.Errorf("no finding was met of kind %s", kind)
		}
	}
}

func reviewedTelling(t *rapid.T, base, head *compile.Draft, e finding.Engine, kinds map[string]int) {
	var sides [2]*runsReader
	for i, d := range []*compile.Draft{base, head} {
		g, markings, ok := testkit.ExploreForProgress(d)
		if !ok || len(markings) > 150 {
			return
		}
		sides[i] = &runsReader{t, d, g, markings, kinds}
	}
	review := blame.Compare(t.Context(), base, head, finding.Budget{Engine: e, Jobs: 1})
	for i := range review.Findings {
		f := &review.Findings[i]
		kinds[string(e)+" "+f.Kind.String()]++
		if f.Base != nil {
			sides[0].requirement(f.Base)
		}
		if f.Head != nil {
			sides[1].requirement(f.Head)
		}
	}
}

// A runsReader reads the runs of one contract.
type runsReader struct {
	t        *rapid.T
	d        *compile.Draft
	g        naive.Graph
	markings []petri.Marking
	kinds    map[string]int
}

// checked reads the runs that an engine shows.
func (r *runsReader) checked(e finding.Engine) {
	result := verify.Check(r.t.Context(), r.d, finding.Budget{Engine: e, Jobs: 1})
	for i := range result.Requirements {
		r.requirement(&result.Requirements[i])
	}
}

func (r *runsReader) requirement(q *finding.Requirement) {
	if q.Trace == nil {
		return
	}
	stage := explain.Stage(r.d, []*finding.Trace{q.Trace})[0]
	if stage == nil {
		r.t.Fatalf("%s: its run can't be fired anew\n%s", q.Formula, testkit.Describe(r.d))
	}
	one := &runReader{t: r.t, d: r.d, g: r.g, markings: r.markings, formula: q.Formula, kinds: r.kinds, values: map[string][]bool{}, ideal: q.Ideal}
	switch {
	case q.Resting:
		events, _ := testkit.NaiveEvents(r.d)
		one.fair = testkit.NaiveMovesOf(r.d, q.Ideal, r.markings).Fairness(events, q.RestsOn)
		r.kinds["resting"]++
	case len(q.Assuming) > 0:
		one.fair = testkit.ProgressOf(r.d, q.Ideal, q.Assuming, r.markings)
		r.kinds["assuming"]++
	}
	one.terms = fmt.Sprintln("assuming", q.Assuming, "resting", q.Resting, q.RestsOn, "by", q.Engine)
	one.read(stage, nil)
}

// A runReader decides what is said of runs of one requirement.
type runReader struct {
	t        *rapid.T
	d        *compile.Draft
	g        naive.Graph
	markings []petri.Marking
	formula  string
	kinds    map[string]int
	values   map[string][]bool
	ideal    bool // it is asked of the runs on which nothing is breached
	terms    string
	start    int            // where the run that is read begins on its path
	first    int            // the number of its first step
	fair     naive.Fairness // of what is assumed; without actors, runs end where nothing is possible
}

// read decides what is said of a run, which begins after a path of states.
func (r *runReader) read(s *explain.Staged, path []int) {
	path = append(slices.Clone(path), r.state(s.Start))
	here, loop := s.Start, 0
	r.start, r.first = len(path)-1, 0 // without steps
	for _, f := range slices.Concat(s.Of.Prefix, s.Of.Loop)[:min(1, len(s.Steps))] {
		r.first = f.Step
	}
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
	if s.Of.Stops {
		r.kinds["stops"]++
		if len(r.g.Succ[path[end]]) == 0 || !r.rests(path[end]) {
			r.t.Fatalf("%s: at the end nothing can happen, or something need happen", r.formula)
		}
	}
	if s.Loop >= 0 {
		r.kinds["loop"]++
		r.round(path[loop-1:], s.Steps[s.Loop:])
	}
	if s.Of.Claim != "" {
		r.claim(s.Of.Claim, path, end)
	}
	for _, then := range s.Then {
		at := slices.Index(path, r.state(then.Start))
		r.read(then, path[:at])
	}
}

// rests reports whether nobody who is assumed to act can act in a state.
func (r *runReader) rests(s int) bool {
	for k := range r.fair.Actors {
		if r.fair.Can(k, s) {
			return false
		}
	}
	return r.fair.Stops || r.ideal && r.is("ideal", s) && r.is("AX overstepped", s)
}

// round wants of each who is assumed to act that it acts on a loop, or at times can't.
func (r *runReader) round(path []int, steps [][]int) {
	for k := range r.fair.Actors {
		well := false
		for i, step := range steps {
			arc := slices.IndexFunc(r.d.Net.Steps(r.markings[path[i]], r.d.Rule), func(of []int) bool { return slices.Equal(of, step) })
			well = well || !r.fair.Can(k, path[i]) || r.fair.Acts(k, path[i], arc)
		}
		if !well {
			r.t.Fatalf("%s: somebody waits for ever who is assumed to act\n%s", r.formula, testkit.Describe(r.d))
		}
	}
}

func (r *runReader) state(m petri.Marking) int {
	return slices.IndexFunc(r.markings, func(have petri.Marking) bool { return slices.Equal(have, m) })
}

var ticksLeft = regexp.MustCompile(`^left-(\d+)$`)

// standing wants of each party the places that are marked, and of each clause where it stands and how many ticks are left, unless it does not bind.
func (r *runReader) standing(said []finding.PartyState, m petri.Marking) {
	var want, have []string
	for _, s := range said {
		for _, p := range s.Places {
			have = append(have, s.Party+"."+p)
		}
	}
	for _, p := range m {
		place := r.d.Net.Places[p]
		quiet := slices.Contains([]string{"dormant", "in_force", "off"}, place.Name) && !slices.ContainsFunc(r.d.Spec.Norms, func(n *hclspec.Norm) bool {
			return n.Name == place.Net && place.Name == n.On().Name
		})
		if place.Net != "" && !quiet {
			said := ticksLeft.ReplaceAllString(strings.ReplaceAll(place.Name, "_", " "), "$1 ticks left")
			want = append(want, place.Net+"."+strings.Replace(said, "1 ticks", "1 tick", 1))
			r.kinds["ticks"] += len(ticksLeft.FindString(place.Name))
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
	{regexp.MustCompile(`^(?:it never comes that .+|.+ never (?:comes|ends)|“[^”]*” never happens)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.never(m[0], path, path, end)
	}},
	{regexp.MustCompile(`^(.+), and (“[^”]*”) had not(?: happened)? before$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.ever(m[2]+" has happened", path[:end])
	}},
	{regexp.MustCompile(`^(.+), and (.+) had not come( again)? before$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.is(m[2], path[end-1]) && (m[3] != "") == r.ever(m[2], path[:end])
	}},
	{regexp.MustCompile(`^(.+), and (“[^”]*”) had not ended( again)? before$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && r.is(m[2], path[end-1]) && (m[3] != "") == r.ever("not "+m[2], path[:end])
	}},
	{regexp.MustCompile(`^(.+), and just before it was so that (.+)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && r.is(m[2], path[end-1])
	}},
	{regexp.MustCompile(`^(.+) before (“[^”]*”) had ended$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.just(m[1], path, end) && !r.ever("not "+m[2], path)
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
	{regexp.MustCompile(`^(?:no next step|there is no next step)(?: on a run without a breach)? (?:leads to|after which) .+$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^no state can be reached(?: on a run without a breach)? in which .+$|^.+ can't (?:be reached|end) from there(?: on a run without a breach)?$|^“[^”]*” can't happen from there(?: on a run without a breach)?$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^.+ can no longer (?:be reached|end)(?: on a run without a breach)?$|^“[^”]*” can no longer happen(?: on a run without a breach)?$`), func(r *runReader, m []string, path []int, end int) bool { return r.yet(m[0], path, end) }},
	{regexp.MustCompile(`^(.+) (?:does not|do not all) hold$`), func(r *runReader, m []string, path []int, end int) bool { return !r.is(m[1], path[end]) }},
	{regexp.MustCompile(`^(.+) holds?$`), func(r *runReader, m []string, path []int, end int) bool { return r.is(m[1], path[end]) }},
	{regexp.MustCompile(`^“[^”]*” (?:has happened|has not happened|can happen|can't happen|never happens before “[^”]*”)$`), func(r *runReader, m []string, path []int, end int) bool {
		return r.is(m[0], path[end])
	}},
}

// atOnce reads what is said of several things at once as of one: that they come together is that "they and they" comes.
var atOnce = strings.NewReplacer(" never come together", " never comes", " no longer hold together", " has ended", " stay so together to the end", " stays so to the end", " together", "")

// afterStep matches the beginning of a sentence about a state before the end of its run. "There" means the first state of a run within a run.
var afterStep = regexp.MustCompile(`^(?:after step (\d+)|at the start|(there)), (.+)$`)

// cutUnbreached cuts off that nothing is ever breached on a run.
func cutUnbreached(said string) (string, bool) {
	if text, ok := strings.CutSuffix(said, ", though nothing is ever breached"); ok {
		return text, true
	}
	return strings.CutSuffix(said, ", and nothing is ever breached")
}

func (r *runReader) claim(said string, path []int, end int) {
	said = atOnce.Replace(said)
	if text, ok := cutUnbreached(said); ok || said == "nothing is ever breached" {
		r.kinds["ideal"]++
		if r.ever("!ideal", path) || end == len(path)-1 && len(r.g.Succ[path[end]]) > 0 && !r.rests(path[end]) {
			r.wrong(said)
		}
		if !ok {
			return
		}
		said = text
	}
	if m := afterStep.FindStringSubmatch(said); m != nil {
		r.kinds["after step"]++
		at := 0
		fmt.Sscan(m[1], &at)
		if at += r.start + 1 - r.first; r.first == 0 || m[2] != "" {
			at = r.start
		}
		said, path, end = m[3], path[:at+1], at
	}
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
	r.kinds["plain"]++
	if !r.is(said, path[end]) { // it says what is so at the end, or it is no sentence
		r.wrong(said)
	}
}

func (r *runReader) wrong(said string) {
	r.t.Fatalf("%s: it is not so that %s\n%s%s", r.formula, said, r.terms, testkit.Describe(r.d))
}

// isSo is how a sentence ends that says what is so, and not since when.
var isSo = regexp.MustCompile(` (?:holds?|does not hold|do not all hold|can happen|can't happen|has happened|has not happened)$`)

// just reports whether what a sentence says is so, and has just come about if it says that.
func (r *runReader) just(words string, path []int, end int) bool {
	if text, ok := strings.CutPrefix(words, "it is not so that "); ok {
		return !r.is(text, path[end])
	}
	ended, over := strings.CutSuffix(words, " has ended")
	if !over {
		ended, over = strings.CutPrefix(words, "it is no longer so that ")
	}
	if !over && isSo.MatchString(words) {
		return r.is(words, path[end])
	}
	words = strings.TrimSuffix(ended, " came")
	return end > 0 && r.is(words, path[end]) == !over && r.is(words, path[end-1]) == over
}

// never decides that something does not come on some states of a path, and that the path is a whole one.
func (r *runReader) never(words string, on, path []int, end int) bool {
	if event, ok := strings.CutSuffix(words, " never happens"); ok {
		words = event + " has happened"
	}
	if what, ok := strings.CutSuffix(words, " never ends"); ok {
		words = "not " + what
	}
	words = strings.TrimPrefix(strings.TrimSuffix(words, " never comes"), "it never comes that ")
	return !r.ever(words, on) && (end < len(path)-1 || len(r.g.Succ[path[end]]) == 0 || r.rests(path[end]))
}

func (r *runReader) ever(words string, path []int) bool {
	return slices.ContainsFunc(path, func(s int) bool { return r.is(words, s) })
}

func (r *runReader) next(words string, s int) bool {
	return slices.ContainsFunc(r.g.Succ[s], func(next int) bool { return r.is(words, next) })
}

// given decides what stands before "and yet".
func (r *runReader) given(words string, s int) bool {
	if rest, ok := strings.CutPrefix(words, "there is a next step after which "); ok {
		return slices.ContainsFunc(r.g.Succ[s], func(next int) bool { return r.given(rest, next) })
	}
	if next, ok := strings.CutSuffix(words, " can come next"); ok {
		return r.next(next, s)
	}
	return r.is(words, s)
}

var (
	lostForm    = regexp.MustCompile(`^(?:no state can be reached in which (.+)|(.+) can(?:'t|( no longer)) be reached(?: from there)?|(“[^”]*”) can(?:'t happen from there|( no longer) happen)|(“[^”]*”) can(?:'t end from there|( no longer) end))$`)
	needNotForm = regexp.MustCompile(`^(?:(.+) need not come|it need not come that (.+)|(“[^”]*”) need not happen|(“[^”]*”) need not end)$`)
	noNextForm  = regexp.MustCompile(`^(?:no next step leads to|there is no next step after which) (.+)$`)
)

// yet decides what follows "and yet" at the end of a path.
func (r *runReader) yet(words string, path []int, end int) bool {
	s := path[end]
	words, restrict := strings.ReplaceAll(words, " on a run without a breach", ""), strings.Contains(words, " on a run without a breach")
	if list, ok := strings.CutPrefix(words, "neither "); ok {
		return !slices.ContainsFunc(strings.Split(list, " nor "), func(one string) bool { return r.is(one, s) })
	}
	if list, ok := strings.CutPrefix(words, "not all of "); ok {
		return !r.is(list, s)
	}
	if m := needNotForm.FindStringSubmatch(words); m != nil {
		return !r.on(ctl.AF, m[1]+m[2]+happened(m[3])+ended(m[4]), restrict)[s]
	}
	if m := noNextForm.FindStringSubmatch(words); m != nil {
		return !r.on(ctl.EX, m[1], restrict)[s]
	}
	if m := lostForm.FindStringSubmatch(words); m != nil {
		can := r.on(ctl.EF, m[1]+m[2]+happened(m[4])+ended(m[6]), restrict)
		return !can[s] && (m[3]+m[5]+m[7] == "" || slices.ContainsFunc(path, func(s int) bool { return can[s] }))
	}
	return r.is(words, s)
}

func happened(event string) string {
	if event == "" {
		return ""
	}
	return event + " has happened"
}

func ended(what string) string {
	if what == "" {
		return ""
	}
	return "not " + what
}
