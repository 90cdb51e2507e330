package words

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// counting matches what a tick changes of a norm or timer whose time runs on.
var counting = regexp.MustCompile(`^[0-9]+ (?:tick|minute|hour|day|business day|week|month|quarter|year)s? left$`)

// counted matches a counter with its value, and value what it comes to.
var counted, value = regexp.MustCompile(`^.+: -?[0-9]+$`), regexp.MustCompile(`^-?[0-9]+$`)

// Folded returns ticks in a row, and an event that happens several times in a row, as one step: "time passes, 27 times", with the number of the first and what
// they change together. A step that changes more than the ticks left and counters is the last of its row, but that rows which do the same to one occurrence of a
// norm after the other are one. Steps with the numbers in alone are not folded.
func Folded(steps [][]finding.Firing, alone ...int) [][]finding.Firing {
	return fold(steps, onlyCounts, alone)
}

// FoldedTitles is Folded for a reader who sees the titles of the steps alone: whatever a step changes, it does not end its row.
func FoldedTitles(steps [][]finding.Firing, alone ...int) [][]finding.Firing {
	return fold(steps, func(*finding.Firing) bool { return true }, alone)
}

// fold folds steps in a row that are alike, each but the last of which goes on.
func fold(steps [][]finding.Firing, goesOn func(f *finding.Firing) bool, alone []int) [][]finding.Firing {
	var all [][]finding.Firing
	for i := 0; i < len(steps); {
		n := row(steps[i:], goesOn, alone)
		one := together(steps[i : i+n])
		for i+n < len(steps) && foldable(steps[i], alone) && one[0].Tick() && foldable(steps[i+n], alone) && again(&steps[i][0], &steps[i+n][0]) {
			more := row(steps[i+n:], goesOn, alone)
			if next := together(steps[i+n : i+n+more]); !recurs(&one[0], &next[0]) {
				break
			}
			n += more
		}
		all = append(all, together(steps[i:i+n]))
		i += n
	}
	return all
}

// row returns how many steps at the beginning are alike, each but the last of which goes on.
func row(steps [][]finding.Firing, goesOn func(f *finding.Firing) bool, alone []int) int {
	n := 1
	for foldable(steps[0], alone) && n < len(steps) && goes(&steps[n-1][0], goesOn) && foldable(steps[n], alone) && again(&steps[0][0], &steps[n][0]) {
		n++
	}
	return n
}

// together returns one step for several that are alike.
func together(steps [][]finding.Firing) []finding.Firing {
	if len(steps) == 1 {
		return steps[0]
	}
	return []finding.Firing{folded(steps)}
}

// goes reports whether a row goes on after a firing. Where it is not time that passes, it changed counters and nothing else.
func goes(f *finding.Firing, tick func(f *finding.Firing) bool) bool {
	if f.Tick() {
		return tick(f)
	}
	return len(f.Changed) > 0 && onlyCounts(f)
}

func foldable(step []finding.Firing, alone []int) bool {
	return len(step) == 1 && step[0].Event != "" && !slices.Contains(alone, step[0].Step)
}

// again reports whether a firing is of the same event as another, by the same transitions of the parties; time passes whatever else ticks.
func again(f, o *finding.Firing) bool {
	return f.Event == o.Event && f.Title == o.Title && (f.Tick() || slices.Equal(f.Transitions, o.Transitions))
}

// onlyCounts reports whether a firing changes nothing but ticks left and counters.
func onlyCounts(f *finding.Firing) bool {
	counts := func(places []string) bool {
		return !slices.ContainsFunc(places, func(p string) bool { return !counting.MatchString(p) })
	}
	return !slices.ContainsFunc(f.Changed, func(c finding.Change) bool { return counter(c) == "" && (!counts(c.Before) || !counts(c.After)) })
}

// recurs reports whether two firings, of time that passes, change the same but for which occurrence of a norm it is, and for ticks left. They change more than
// those.
func recurs(a, b *finding.Firing) bool {
	of := alterations(a)
	return len(of) > 0 && slices.Equal(of, alterations(b))
}

// alterations returns what a firing changes besides ticks left and counters, without the numbers of occurrences, sorted.
func alterations(f *finding.Firing) (list []string) {
	for _, c := range f.Changed {
		if alone := (finding.Firing{Changed: []finding.Change{c}}); onlyCounts(&alone) {
			continue
		}
		n, of := occurrenceOf(c.Party, cmp.Or(c.Called, c.Party))
		if n == 0 {
			of = c.Party
		}
		var states []string
		for _, s := range slices.Concat(c.Before, []string{"→"}, c.After) {
			if !counting.MatchString(s) {
				states = append(states, s)
			}
		}
		list = append(list, of+": "+strings.Join(states, ", "))
	}
	slices.Sort(list)
	return list
}

// folded returns one firing for several that are alike.
func folded(ticks [][]finding.Firing) finding.Firing {
	f := ticks[0][0]
	if unit, said := strings.CutPrefix(f.Title, "time passes: 1 "); said {
		f.Title = fmt.Sprintf("time passes: %d %ss", len(ticks), unit)
	} else {
		f.Title = fmt.Sprintf("%s, %d times", cmp.Or(f.Title, f.Event), len(ticks))
	}
	f.Parties, f.Called, f.Changed = slices.Clone(f.Parties), slices.Clone(f.Called), slices.Clone(f.Changed)
	f.Leads = ticks[len(ticks)-1][0].Leads
	for _, tick := range ticks[1:] {
		for i, p := range tick[0].Parties {
			if !slices.Contains(f.Parties, p) {
				f.Called = append(append(f.Called, make([]string, len(f.Parties)-len(f.Called))...), Calling(tick[0], i))
				f.Parties = append(f.Parties, p)
			}
		}
		for _, c := range tick[0].Changed {
			if at := slices.IndexFunc(f.Changed, func(o finding.Change) bool { return o.Party == c.Party && counter(o) == counter(c) }); at >= 0 {
				f.Changed[at] = both(f.Changed[at], c)
			} else {
				f.Changed = append(f.Changed, c)
			}
		}
	}
	return f
}

// both returns what two changes of one party in a row change.
func both(a, b finding.Change) finding.Change {
	c := a
	if counter(a) != "" {
		c.After = b.After
		return c
	}
	c.Before = append(leftOf(b.Before, a.After), leftOf(a.Before, b.After)...)
	c.After = append(leftOf(a.After, b.Before), leftOf(b.After, a.Before)...)
	return c
}

// counter returns the name of the counter that a change is of: the words before its value. It returns "" for any other change.
func counter(c finding.Change) string {
	if len(c.Before) != 1 || len(c.After) != 1 || !counted.MatchString(c.Before[0]) || !value.MatchString(c.After[0]) {
		return ""
	}
	return c.Before[0][:strings.LastIndex(c.Before[0], ": ")+1]
}

// LastStep returns the number of the last step of a run, 0 if there is none.
func LastStep(run []finding.Firing) int {
	if len(run) == 0 {
		return 0
	}
	return last(run).Step
}

// MarkedStep returns the number of the step that base refuses, 0 for nil.
func MarkedStep(r *finding.Refusal) int {
	if r == nil {
		return 0
	}
	return r.Step
}

// leftOf returns the places that are not among others.
func leftOf(places, others []string) (rest []string) {
	for _, p := range places {
		if !slices.Contains(others, p) {
			rest = append(rest, p)
		}
	}
	return rest
}
