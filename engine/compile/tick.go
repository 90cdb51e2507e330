package compile

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/hclspec"
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
		was, is := lengthOfTick(base), lengthOfTick(head)
		if was.InBaseUnit() == is.InBaseUnit() {
			return base, head
		}
		for _, unit := range []string{was.Unit, is.Unit} {
			if a, b := base.inTicks(unit), head.inTicks(unit); unit != base.Spec.Tick && a != nil && b != nil {
				return a, b
			}
		}
		if base.Spec.TickLength == "" || head.Spec.TickLength == "" {
			return base, head // Retimed says what differs
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

// Retimed returns how long a tick is in two versions that SameTick returned, such as "month", "month of 30 days" or "business day with 2 holidays", if that is not known to be the
// same in both. Then what they count is compared tick by tick, though one takes another time. A tick without a unit is "": nothing says how long it
// is. It returns false if a tick is as long in both, or one of them has none.
func Retimed(base, head *Draft) (was, now string, differs bool) {
	if base == nil || head == nil || base.Spec == nil || head.Spec == nil || !base.ticking() || !head.ticking() || base.Spec.Tick == "" && head.Spec.Tick == "" {
		return "", "", false
	}
	kept, keeps := duration.Observed(base.Spec), duration.Observed(head.Spec)
	if ticks(base) && ticks(head) && lengthOfTick(base).InBaseUnit() == lengthOfTick(head).InBaseUnit() && slices.Equal(kept, keeps) {
		return "", "", false
	}
	was, now = tickOf(base)+with(kept, ""), tickOf(head)+with(keeps, "")
	if was == now {
		now = tickOf(head) + with(keeps, "other ")
	}
	return was, now, true
}

// ticking reports whether time passes in a draft.
func (d *Draft) ticking() bool { return len(d.EventsOf(hclspec.Tick)) > 0 }

// lengthOfTick returns how long the calendar of a draft says that its tick is, in other units; one of its unit if that is not said.
func lengthOfTick(d *Draft) duration.Length {
	if x, said := duration.Parse(d.Spec.TickLength); said {
		return x
	}
	return duration.Length{N: 1, Unit: d.Spec.Tick}
}

// tickOf returns the unit of a draft's ticks, and how long its calendar says that is: month of 30 days.
func tickOf(d *Draft) string {
	if d.Spec.TickLength == "" {
		return d.Spec.Tick
	}
	return d.Spec.Tick + " of " + d.Spec.TickLength
}

// with says that some days are no business days.
func with(holidays []string, which string) string {
	switch n := len(holidays); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(" with 1 %sholiday", which)
	default:
		return fmt.Sprintf(" with %d %sholidays", n, which)
	}
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
