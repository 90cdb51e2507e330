package compile

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

// A kin is what findings on the instances of one element have in common.
type kin struct {
	code     codes.Code
	source   hcl.Range
	subject  string // without index
	accepted string
}

// Alike says once what is to be said of every instance of a party or an event: three purchasers whose
// state is never reached are one remark, on one line of the text. What has a run of its own stays apart.
func (d *Draft) Alike(list []finding.Diagnostic) []finding.Diagnostic {
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

func kinOf(diag finding.Diagnostic) kin {
	return kin{diag.Code, diag.Source, WithoutIndex(diag.Subject), diag.Accepted}
}

// numbers counts the instances of parties, and of events as subjects name them.
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

// ofAll turns what is said of one instance into what is said of all n.
func ofAll(diag finding.Diagnostic, of string, n int) finding.Diagnostic {
	name := strings.TrimPrefix(of, "event.")
	_, rest, _ := strings.Cut(diag.Subject, "[")
	index, _, _ := strings.Cut(rest, "]")
	diag.Subject = WithoutIndex(diag.Subject)
	diag.Message = strings.ReplaceAll(diag.Message, name+"["+index+"]", name)
	diag.Detail = strings.TrimSpace(fmt.Sprintf("%s So it is with all %d.", diag.Detail, n))
	return diag
}
