package words

import (
	"fmt"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// MostOfACode is how many diagnostics of one code a report lists of one contract. Exit statuses and reviews go by all of them.
const MostOfACode = 200

// Abridged returns the first diagnostics of each code, in their order, and for each code that has more one that counts those left out. What is
// accepted is always listed.
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

// leftOut says how many diagnostics of a code are not listed.
func leftOut(n int, placed bool) string {
	switch {
	case n == 1:
		return "One more of this kind is left out."
	case placed:
		return fmt.Sprintf("%s more of this kind are left out, the first of them here.", Grouped(fmt.Sprint(n)))
	}
	return fmt.Sprintf("%s more of this kind are left out.", Grouped(fmt.Sprint(n)))
}

// shortened is what abridged lists, with its counts at the end.
func shortened(all []finding.Diagnostic) []finding.Diagnostic {
	listed, more := Abridged(all)
	return append(listed[:len(listed):len(listed)], more...)
}

// Listed returns the diagnostics of a result that a report lists, with counts of those it leaves out.
func Listed(r *finding.Result) []finding.Diagnostic { return shortened(r.Diagnostics) }

// remarked are diagnostics by what makes two of them the same in a review: code, subject and message.
type remarked map[[3]string]bool

func RemarksOf(r *finding.Result) remarked {
	known := remarked{}
	if r != nil {
		for _, d := range r.Diagnostics {
			known[[3]string{string(d.Code), d.Subject, d.Message}] = true
		}
	}
	return known
}

func (k remarked) Has(d finding.Diagnostic) bool {
	return k[[3]string{string(d.Code), d.Subject, d.Message}]
}
