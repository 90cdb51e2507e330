package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Loosening is a change of a setting under which later reviews may object to less than before.
type Loosening struct {
	Name string // of the setting
	Says string // was "any", now "never"
	From Origin // of the new value; the zero Origin if the default is back
}

// Loosened returns the changes from one version of the settings to the next under which later reviews may object to less: to fewer verdicts,
// in fewer directories, or with acceptances that count on the word of others. They are in the order of the reference.
func Loosened(before, after *Settings) []Loosening {
	looser := map[string]bool{
		"fail-on":    slices.Index(strictest["fail-on"], after.failOn) > slices.Index(strictest["fail-on"], before.failOn),
		"paths":      len(after.Paths) > 0 && (len(before.Paths) == 0 || !within(before.Paths, after.Paths)),
		"ignore":     !within(after.Ignore, before.Ignore),
		"acceptance": slices.Index(strictest["acceptance"], orApproved(after.Acceptance)) > slices.Index(strictest["acceptance"], orApproved(before.Acceptance)),
		"approvers":  true, // who is named anew may approve, and so may others where a line is gone
		"owed":       slices.Index(strictest["owed"], after.Owed) > slices.Index(strictest["owed"], before.Owed),
	}
	var all []Loosening
	was, now := before.List(), after.List()
	for _, name := range Differ(before, after) {
		if i := slices.IndexFunc(now, func(s Setting) bool { return s.Name == name }); looser[name] {
			all = append(all, Loosening{name, "was " + shown(was[i].Value) + ", now " + shown(now[i].Value), now[i].From})
		}
	}
	return all
}

// strictest lists the values of settings, the strictest first.
var strictest = map[string][]string{"fail-on": {"any", "new", "never"}, "acceptance": {"base", "approved", "amendment"}, "owed": {"fail", "tell"}}

// orApproved returns the rule of acceptance in the action.
func orApproved(rule string) string {
	if rule == "" {
		return "approved"
	}
	return rule
}

// within reports whether every pattern of a list is in another.
func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(p string) bool { return !slices.Contains(all, p) })
}

// mostShown is the number of values of a list that are shown.
const mostShown = 5

// shown returns a value in the notation of the file.
func shown(value any) string {
	list, ok := value.([]string)
	switch {
	case value == "":
		return "not set"
	case !ok:
		return strconv.Quote(fmt.Sprint(value))
	}
	var quoted []string
	for _, one := range list[:min(len(list), mostShown)] {
		quoted = append(quoted, strconv.Quote(one))
	}
	if more := len(list) - mostShown; more > 0 {
		quoted = append(quoted, fmt.Sprintf("and %d more", more))
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}
