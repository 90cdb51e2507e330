package words

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Before returns base's result with head's names as the subjects of its diagnostics. It returns an empty result if the contract is new.
func Before(c *finding.ContractReview) *finding.Result {
	if c.Base == nil {
		return &finding.Result{}
	}
	names := renamed(c, func(diff.Change) bool { return true })
	if len(names) == 0 {
		return c.Base
	}
	base := *c.Base
	base.Diagnostics = slices.Clone(base.Diagnostics)
	for i := range base.Diagnostics {
		base.Diagnostics[i].Subject = subjectNow(base.Diagnostics[i].Subject, names)
	}
	return &base
}

// renamed returns the subjects on head of some renamed elements, by those on base.
func renamed(c *finding.ContractReview, of func(diff.Change) bool) map[string]string {
	if c.Difference == nil {
		return nil
	}
	names := map[string]string{}
	for _, change := range c.Difference.Changes {
		if change.Was == "" || !of(change) {
			continue
		}
		kind := ""
		if e := change.Element; e == diff.Document || e >= diff.Event {
			kind = e.String() + "."
		}
		names[kind+change.Was] = kind + change.Name
	}
	return names
}

// subjectNow returns the name on head of a subject of base. An index stays: event.GAV[0], purchaser[0].P1.
func subjectNow(subject string, names map[string]string) string {
	before, index, _ := strings.Cut(subject, "[")
	index, after, indexed := strings.Cut(index, "]")
	if indexed {
		index = "[" + index + "]"
	}
	now, known := names[before+after]
	party, element := before+after, ""
	if at := strings.LastIndexByte(party, '.'); at >= 0 {
		party, element = party[:at], party[at:]
	}
	if !known {
		if party, known = names[party]; !known {
			return subject
		}
		now = party + element
	}
	if at := strings.LastIndexByte(now, '.'); after != "" && at >= 0 {
		return now[:at] + index + now[at:]
	}
	return now + index
}

// A remarked is a set of diagnostics. Two are the same in a review if their codes, subjects and messages are, but for names that the amendment
// changes.
type remarked struct {
	known map[[3]string]bool
	names map[string]string    // of renamed elements: what a quoted name of head is in known
	nths  []finding.Diagnostic // those of an occurrence of a norm
	was   map[string]string    // of renamed elements: what a quoted name of base is in known
	all   []finding.Diagnostic
}

// RemarksBefore returns the set of all diagnostics of base.
func RemarksBefore(c *finding.ContractReview) remarked {
	k := remarked{known: map[[3]string]bool{}, names: map[string]string{}, was: map[string]string{}, all: Before(c).Diagnostics}
	for old, now := range renamed(c, func(change diff.Change) bool { return change.Element != diff.Requirement }) {
		k.was[lastName(old)], k.names[lastName(now)] = "#"+now, "#"+now
	}
	for _, d := range k.all {
		k.known[keyOf(d, k.was)], k.known[keyOf(d, nil)] = true, true // elements of two kinds may have one name
		if nthNorm.MatchString(d.Subject) {
			k.nths = append(k.nths, d)
		}
	}
	return k
}

func lastName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// Has reports whether the set contains a diagnostic like d, which is one of head. Of the occurrences of a norm it may be an earlier one's.
func (k remarked) Has(d finding.Diagnostic) bool {
	return k.known[keyOf(d, k.names)] || k.known[keyOf(d, nil)] || slices.ContainsFunc(k.nths, func(was finding.Diagnostic) bool {
		return was.Code == d.Code && standsFor(was.Subject, d.Subject)
	})
}

// nthNorm matches the subject of a remark on an occurrence of a norm. No other norm has an index.
var nthNorm = regexp.MustCompile(`^((?:obligation|prohibition|permission|power)\..+)\[(\d+)\]$`)

// standsFor reports whether a remark on one subject is one on another, too: they are the same, or it is on an earlier occurrence of a norm. The first
// occurrence of which something is so stands for all (see reported in engine/verify).
func standsFor(was, now string) bool {
	if was == now {
		return true
	}
	old, fresh := nthNorm.FindStringSubmatch(was), nthNorm.FindStringSubmatch(now)
	if old == nil || fresh == nil || old[1] != fresh[1] {
		return false
	}
	return cmp.Or(len(old[2])-len(fresh[2]), cmp.Compare(old[2], fresh[2])) < 0
}

// nameIn matches names in a message, which are quoted or have a dot, and namePart the parts of a name.
var nameIn, namePart = hclspec.LazyRegexp(`"[^"]*"|[\pL\pN_-]+(\[\d+\])?(\.[\pL\pN_-]+)+`), hclspec.LazyRegexp(`[\pL\pN_-]+`)

// keyOf returns by what a diagnostic is the same as another, with some names replaced in its message.
func keyOf(d finding.Diagnostic, names map[string]string) [3]string {
	message := d.Message
	if len(names) > 0 {
		message = nameIn().ReplaceAllStringFunc(message, func(text string) string {
			return namePart().ReplaceAllStringFunc(text, func(word string) string { return cmp.Or(names[word], word) })
		})
	}
	return [3]string{string(d.Code), d.Subject, message}
}
