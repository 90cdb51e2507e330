package words

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

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
