package finding

import (
	"cmp"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
)

// EndOfContract is the kind under which the end of the contract is reported as a norm.
const EndOfContract = "contract"

// When returns after what the state of a norm differs.
func (d *NormDifference) When() string {
	n := len(d.Run)
	switch {
	case n == 0:
		return "at the start"
	case slices.ContainsFunc(d.Run, func(f Firing) bool { return !f.Tick() }):
		return "after " + hclspec.Ticks(d.Run[n-1].Step, "step")
	}
	return "after " + hclspec.Ticks(d.Run[n-1].Step, d.Unit)
}

// Beyond returns what no run of the other side shows, or whether more than the ticks left can differ, for a norm without a run that shows it; "" for others.
func (d *NormDifference) Beyond() string {
	switch {
	case d.Untimed && d.Side == diff.InBase:
		return "The run is one of before. Now it never stands so after these events, whenever they happen: proved."
	case d.Untimed:
		return "The run is one of now. Before, it never stood so after these events, whenever they happened: proved."
	case d.TimeAlone:
		return "Only the time left differs: whether it binds, and whether it is breached, is as before after every run that both versions have: proved."
	case d.Reason != "":
		return "Whether it ever binds, or is breached, where it was not before is not decided: " + strings.TrimSuffix(d.Reason, ".") + "."
	}
	return ""
}

// States describes the possible states of a norm before and now. Where it does not bind yet, they say after how much more time it does.
func (d *NormDifference) States() (was, now string) {
	was, now = d.Words(d.Was), d.Words(d.Now)
	if d.Later.Ticks == 0 {
		return was, now
	}
	later := " yet, only " + hclspec.Ticks(d.Later.Ticks, d.Later.Unit) + " later"
	if d.Side == diff.InBase {
		return was, now + later
	}
	return was + later, now
}

// Words describes the possible states of a norm.
func (d *NormDifference) Words(all []NormState) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			idle := construct.NormOf(d.Kind).Idle
			if d.Kind == EndOfContract {
				idle = "in force"
			}
			said = append(said, cmp.Or(idle, "not in force"))
			continue
		}
		said = append(said, s.Words(d.Unit, d.Calls))
	}
	return strings.Join(said, ", or ")
}
