package words

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
)

// counting matches what a tick changes of a norm or timer whose time runs on.
var counting = regexp.MustCompile(`^[0-9]+ ticks? left$`)

// Folded returns steps with ticks in a row as one: "time passes, 27 times", with the number of the first and what they change together. A
// tick that changes more than the ticks left is the last of its row. Steps with the numbers in alone are not folded.
func Folded(steps [][]finding.Firing, alone ...int) [][]finding.Firing {
	return fold(steps, onlyCounts, alone)
}

// FoldedTitles is Folded for a reader who sees the titles of the steps alone: whatever a tick changes, it does not end its row.
func FoldedTitles(steps [][]finding.Firing, alone ...int) [][]finding.Firing {
	return fold(steps, func(*finding.Firing) bool { return true }, alone)
}

// fold folds ticks in a row, each but the last of which goes on.
func fold(steps [][]finding.Firing, goesOn func(tick *finding.Firing) bool, alone []int) [][]finding.Firing {
	var all [][]finding.Firing
	for i := 0; i < len(steps); {
		n := 1
		if foldable(steps[i], alone) {
			for i+n < len(steps) && goesOn(&steps[i+n-1][0]) && foldable(steps[i+n], alone) {
				n++
			}
		}
		if step := steps[i]; n == 1 {
			all = append(all, step)
		} else {
			all = append(all, []finding.Firing{folded(steps[i : i+n])})
		}
		i += n
	}
	return all
}

func foldable(step []finding.Firing, alone []int) bool {
	return len(step) == 1 && step[0].Tick() && !slices.Contains(alone, step[0].Step)
}

// onlyCounts reports whether a tick changes nothing but ticks left.
func onlyCounts(f *finding.Firing) bool {
	counts := func(places []string) bool {
		return !slices.ContainsFunc(places, func(p string) bool { return !counting.MatchString(p) })
	}
	return !slices.ContainsFunc(f.Changed, func(c finding.Change) bool { return !counts(c.Before) || !counts(c.After) })
}

// folded returns one firing for several ticks.
func folded(ticks [][]finding.Firing) finding.Firing {
	f := ticks[0][0]
	f.Title = fmt.Sprintf("%s, %d times", f.Title, len(ticks))
	f.Parties, f.Called, f.Changed = slices.Clone(f.Parties), slices.Clone(f.Called), slices.Clone(f.Changed)
	for _, tick := range ticks[1:] {
		for i, p := range tick[0].Parties {
			if !slices.Contains(f.Parties, p) {
				f.Called = append(append(f.Called, make([]string, len(f.Parties)-len(f.Called))...), Calling(tick[0], i))
				f.Parties = append(f.Parties, p)
			}
		}
		for _, c := range tick[0].Changed {
			if at := slices.IndexFunc(f.Changed, func(o finding.Change) bool { return o.Party == c.Party }); at >= 0 {
				f.Changed[at] = together(f.Changed[at], c)
			} else {
				f.Changed = append(f.Changed, c)
			}
		}
	}
	return f
}

// together returns what two changes of one party in a row change.
func together(a, b finding.Change) finding.Change {
	without := func(places, gone []string) (rest []string) {
		for _, p := range places {
			if !slices.Contains(gone, p) {
				rest = append(rest, p)
			}
		}
		return rest
	}
	c := a
	c.Before = append(without(b.Before, a.After), without(a.Before, b.After)...)
	c.After = append(without(a.After, b.Before), without(b.After, a.Before)...)
	return c
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

// WithoutTicks returns the places of a drawn state, the ticks left without their number.
func WithoutTicks(s finding.PictureState) (all []string) {
	for _, w := range s.Words {
		all = append(all, w.Party+":")
		for _, p := range w.Places {
			if counting.MatchString(p) {
				p = "ticks left"
			}
			all = append(all, p)
		}
	}
	return all
}

// StatesOnce describes several drawn states that differ in ticks left alone: "pay: owed, 3 to 29 ticks left".
func StatesOnce(all []finding.PictureState, in Medium) string {
	var list []finding.PartyState
	for i, w := range all[0].Words {
		w.Places = slices.Clone(w.Places)
		for j, p := range w.Places {
			if counting.MatchString(p) {
				w.Places[j] = spans(Mapped(all, func(s finding.PictureState) string { return s.Words[i].Places[j] }))
			}
		}
		list = append(list, w)
	}
	return State(list, in)
}

// spans joins numbers of ticks left, those in a row as one span.
func spans(all []string) string {
	var numbers []int
	for _, s := range all {
		n, _ := strconv.Atoi(s[:strings.IndexByte(s, ' ')])
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	numbers = slices.Compact(numbers)
	if len(numbers) == 1 {
		return all[0]
	}
	var said []string
	for i := 0; i < len(numbers); {
		n := 1
		for i+n < len(numbers) && numbers[i+n] == numbers[i]+n {
			n++
		}
		switch one := strconv.Itoa(numbers[i]); {
		case n == 1:
			said = append(said, one)
		case n == 2:
			said = append(said, one, strconv.Itoa(numbers[i]+1))
		default:
			said = append(said, fmt.Sprintf("%s to %d", one, numbers[i+n-1]))
		}
		i += n
	}
	return strings.Join(said, ", ") + " ticks left"
}
