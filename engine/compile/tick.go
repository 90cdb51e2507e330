package compile

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/duration"
)

// SameTick returns two versions of a contract with ticks of one length, so that a tick of one is compared with a tick of the other. Where the units that they are written in
// differ, the version with the longer one is read again. Where neither is a whole number of the other, head is ill-formed, and says so. Either may be nil.
func SameTick(base, head *Draft) (*Draft, *Draft) {
	if !ticks(base) || !ticks(head) || tickOf(base) == tickOf(head) {
		return base, head
	}
	if base.Spec.Tick == head.Spec.Tick {
		was, said := duration.Parse(base.Spec.TickLength)
		is, says := duration.Parse(head.Spec.TickLength)
		if !said || !says {
			return base, head // a calendar that only says what was left open moves nothing
		}
		if a, b := base.inTicks(was.Unit), head.inTicks(was.Unit); a != nil && b != nil {
			return a, b
		}
		if a, b := base.inTicks(is.Unit), head.inTicks(is.Unit); a != nil && b != nil {
			return a, b
		}
	} else if again := base.inTicks(head.Spec.Tick); again != nil {
		return again, head
	} else if again := head.inTicks(base.Spec.Tick); again != nil {
		return base, again
	}
	refused := *head.Source
	refused.Contract = nil
	at := head.Spec.Range
	refused.Diagnostics = append(refused.Diagnostics[:len(refused.Diagnostics):len(refused.Diagnostics)], &hcl.Diagnostic{Severity: hcl.DiagError, Subject: &at, Extra: diag.BadDuration,
		Summary: fmt.Sprintf("The time between two ticks was a %s before the amendment and is a %s now, and nothing says how long one is in the other.", tickOf(base), tickOf(head)),
		Detail:  "Write durations in the unit that they had. Or say in the contract block how long the longer one counts, as in calendar = { month = \"30 days\" }, by an amendment of its own before this one."})
	return base, Compile(&refused, head.Path, head.override)
}

// tickOf returns the unit of a draft's ticks, and how long its calendar says that is: month of 30 days.
func tickOf(d *Draft) string {
	if d.Spec.TickLength == "" {
		return d.Spec.Tick
	}
	return d.Spec.Tick + " of " + d.Spec.TickLength
}

// ticks reports whether a draft says how long its ticks are.
func ticks(d *Draft) bool { return d != nil && d.Spec != nil && d.Spec.Tick != "" }

// inTicks returns the draft with a tick of another unit; nil if its durations are no whole numbers of that, or too many.
func (d *Draft) inTicks(unit string) *Draft {
	src := d.Source.WithTick(unit)
	if src.Contract == nil || src.Contract.Tick != unit {
		return nil
	}
	return Compile(src, d.Path, d.override)
}
