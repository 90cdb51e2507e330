package words

import (
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// MostOfACode is the number of diagnostics of one code that a report lists for one contract. Exit statuses and reviews count all of them.
const MostOfACode = 200

// Abridged returns the diagnostics to list, in their order, and for each code with too many a diagnostic that counts those left out.
// Accepted diagnostics are always listed.
func Abridged(all []finding.Diagnostic) (listed, more []finding.Diagnostic) {
	if len(all) <= MostOfACode {
		return all, nil
	}
	count, first := map[codes.Code]int{}, map[codes.Code]finding.Diagnostic{}
	var order []codes.Code
	for _, d := range all {
		switch {
		case d.Accepted != "" || count[d.Code] < MostOfACode:
			listed = append(listed, d)
		case count[d.Code] == MostOfACode:
			first[d.Code], order = d, append(order, d.Code)
		}
		if d.Accepted == "" {
			count[d.Code]++
		}
	}
	for _, code := range order {
		d := first[code]
		more = append(more, finding.Diagnostic{Code: code, Class: d.Class, Source: d.Source, Message: leftOut(count[code]-MostOfACode, d.Source.Filename != "")})
	}
	return listed, more
}

// leftOut returns a sentence that counts the diagnostics not listed.
func leftOut(n int, placed bool) string {
	switch {
	case n == 1:
		return "One more of this kind is left out."
	case placed:
		return fmt.Sprintf("%s more of this kind are left out, the first of them here.", finding.Grouped(fmt.Sprint(n)))
	}
	return fmt.Sprintf("%s more of this kind are left out.", finding.Grouped(fmt.Sprint(n)))
}

// Requirements returns the requirements to list, in their order, and a sentence that counts those left out: ill-formed ones, of which a contract may
// have as many as blocks.
func Requirements(all []finding.Requirement) (listed []finding.Requirement, more string) {
	if len(all) <= MostOfACode {
		return all, ""
	}
	n := 0
	for i := range all {
		if all[i].Verdict == finding.IllFormed {
			if n++; n > MostOfACode {
				continue
			}
		}
		listed = append(listed, all[i])
	}
	if n <= MostOfACode {
		return all, ""
	}
	return listed, Several(n-MostOfACode, "more ill-formed requirement") + " left out here."
}

// shortened returns the diagnostics that Abridged lists, followed by the counts of the rest.
func shortened(all []finding.Diagnostic) []finding.Diagnostic {
	listed, more := Abridged(all)
	return append(listed[:len(listed):len(listed)], more...)
}

// Listed returns the diagnostics of a result that a report lists, with counts of those it leaves out.
func Listed(r *finding.Result) []finding.Diagnostic { return shortened(r.Diagnostics) }
