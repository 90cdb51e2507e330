package words

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Occurrences of a norm that stand alike are said once: "the 3rd to 8th rent: breached".

// A position is a party or a norm by its name and by what readers call it, and what is said of it.
type position struct{ name, called, says string }

var nth = regexp.MustCompile(`^(.*)\[(\d+)\]$`)

// occurrenceOf returns the number of an occurrence and what follows it in its name for readers, as in "the 3rd rent"; 0 for anything else.
func occurrenceOf(name, called string) (number int, of string) {
	found := nth.FindStringSubmatch(name)
	if found == nil {
		return 0, ""
	}
	number, _ = strconv.Atoi(found[2])
	of, is := strings.CutPrefix(called, "the "+hclspec.Ordinal(number)+" ")
	if !is {
		return 0, ""
	}
	return number, of
}

// gathered joins the occurrences of a norm of which the same is said, at the place of the first.
func gathered(all []position) []position {
	var list []position
	numbers := map[position][]int{}
	for _, s := range all {
		n, of := occurrenceOf(s.name, s.called)
		if n > 0 {
			s = position{name: nth.FindStringSubmatch(s.name)[1], called: of, says: s.says}
			if numbers[s] = append(numbers[s], n); len(numbers[s]) > 1 {
				continue
			}
		}
		list = append(list, s)
	}
	for i, s := range list {
		if of := numbers[s]; len(of) > 0 {
			slices.Sort(of)
			said := hclspec.Ordinals(of)
			if len(of) == 2 {
				said = hclspec.Ordinal(of[0]) + " and " + hclspec.Ordinal(of[1])
			}
			list[i].called = "the " + said + " " + s.called
		}
	}
	return list
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

// RunAbove says, of a norm that differs after a run that has been shown, or of an occurrence that differs as another does whose run has been, that its own is
// not. It returns "" of any other finding.
func RunAbove(shown []*finding.Diagnostic, d *finding.Diagnostic, in Medium) string {
	number, stands := standsAs(d)
	for _, o := range shown {
		if a, b := o.Trace, d.Trace; b != nil && a.Ends != nil && b.Ends != nil && !a.Ends.Alone && !b.Ends.Alone && a.Ends.Side == b.Ends.Side && SameSteps(a.Prefix, b.Prefix) {
			return "It differs after the run that is shown above of " + in.Code(o.Subject) + "."
		}
		if n, as := standsAs(o); number > 0 && n > 0 && as == stands {
			return "The run after which it differs is not shown, since that of the " + hclspec.Ordinal(n) + " is above: " + in.Code("--format json") + " has it."
		}
	}
	return ""
}

// standsAs returns the number of the occurrence that a finding on a norm is about, and how it stands at the end of its run in both versions; 0 if it is about none.
func standsAs(d *finding.Diagnostic) (number int, stands string) {
	found := nth.FindStringSubmatch(d.Subject)
	if found == nil || d.Trace == nil || d.Trace.Ends == nil {
		return 0, ""
	}
	number, _ = strconv.Atoi(found[2])
	_, norm, _ := strings.Cut(d.Subject, ".")
	stands = found[1] + " " + fmt.Sprint(d.Trace.Ends.Side)
	for _, all := range [][]finding.PartyState{d.Trace.Ends.Before, d.Trace.Ends.Now} {
		i := slices.IndexFunc(all, func(s finding.PartyState) bool { return s.Party == norm })
		if i < 0 {
			return 0, ""
		}
		stands += "; " + strings.Join(all[i].Places, ", ")
	}
	return number, stands
}
