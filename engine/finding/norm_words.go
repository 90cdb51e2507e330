package finding

import (
	"cmp"
	"slices"
	"strconv"
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

// Occurrence returns which occurrence of a norm that recurs differs, from 1; 0 if it does not recur.
func (d *NormDifference) Occurrence() int {
	at := strings.LastIndexByte(d.Norm, '[')
	if at < 0 || !strings.HasSuffix(d.Norm, "]") {
		return 0
	}
	n, _ := strconv.Atoi(d.Norm[at+1 : len(d.Norm)-1])
	return n
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
	was, now = d.Words(d.Was, d.WasOver), d.Words(d.Now, d.NowOver)
	if d.Later.Ticks == 0 {
		return was, now
	}
	if d.Side == diff.InBase {
		return was, now + d.later(d.NowOver)
	}
	return was + d.later(d.WasOver), now
}

// later says after how much more time a norm binds that has come to something, or has not begun.
func (d *NormDifference) later(over []string) string {
	later := hclspec.Ticks(d.Later.Ticks, d.Later.Unit) + " later, if nothing else happens"
	if n := len(over); n > 0 && over[n-1] != "" {
		return ", and " + inWords(construct.NormOf(d.Kind).On) + " only " + later
	}
	return " until " + later
}

// Words describes the possible states of a norm. Over has what it may have come to where it does not bind.
func (d *NormDifference) Words(all []NormState, over []string) string {
	var said []string
	for _, s := range all {
		if s.State == "" {
			said = append(said, d.idle(over)...)
			continue
		}
		said = append(said, s.Words(d.Unit, d.Calls))
	}
	return strings.Join(said, ", or ")
}

// idle describes a norm that does not bind, by all that it may have come to.
func (d *NormDifference) idle(over []string) (said []string) {
	word := cmp.Or(construct.NormOf(d.Kind).Idle, "not in force")
	if d.Kind == EndOfContract {
		word = "in force"
	}
	if len(over) == 0 {
		return []string{word}
	}
	for _, come := range over {
		said = append(said, cmp.Or(inWords(come), word))
	}
	return said
}

// inWords returns the words for the name of a place of a norm.
func inWords(place string) string { return strings.ReplaceAll(place, "_", " ") }
