package compile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A kin is the key by which findings on instances of one element are merged.
type kin struct {
	code     codes.Code
	source   hcl.Range
	subject  string // without index
	accepted string
}

// MergeAlike merges findings that recur on every instance of a party or an event. Three purchasers whose state is never reached become one
// remark on one line. Findings with a run stay separate.
func (d *Draft) MergeAlike(list []finding.Diagnostic) []finding.Diagnostic {
	number, count := d.numbers(), map[kin]int{}
	for _, diag := range list {
		count[kinOf(diag)]++
	}
	var out []finding.Diagnostic
	said := map[kin]bool{}
	for _, diag := range list {
		k := kinOf(diag)
		of, _, indexed := strings.Cut(diag.Subject, "[")
		if n := number[of]; !indexed || diag.Trace != nil || n < 2 || count[k] != n {
			out = append(out, diag)
		} else if !said[k] {
			said[k] = true
			out = append(out, ofAll(diag, of, n))
		}
	}
	return out
}

// kinOf returns the key of a finding.
func kinOf(diag finding.Diagnostic) kin {
	return kin{diag.Code, diag.Source, WithoutIndex(diag.Subject), diag.Accepted}
}

// numbers counts the instances of each party and event, by the name that subjects use.
func (d *Draft) numbers() map[string]int {
	number := map[string]int{}
	for _, p := range d.Parties {
		number[p.Of]++
	}
	for _, e := range d.canonicalEvents() {
		number["event."+e.Of]++
	}
	return number
}

// ofAll rewrites a finding on one instance as a finding on all n.
func ofAll(diag finding.Diagnostic, of string, n int) finding.Diagnostic {
	name := strings.TrimPrefix(of, "event.")
	_, rest, _ := strings.Cut(diag.Subject, "[")
	index, _, _ := strings.Cut(rest, "]")
	diag.Subject = WithoutIndex(diag.Subject)
	diag.Message = strings.ReplaceAll(diag.Message, name+"["+index+"]", name)
	diag.Detail = strings.TrimSpace(fmt.Sprintf("%s So it is with all %d.", diag.Detail, n))
	return diag
}
