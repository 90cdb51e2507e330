package report

import (
	"fmt"

	"github.com/redlinehq/redline/engine"
)

// lead says in one sentence for people who draft, not program, what the amendment comes to.
func lead(b balance) string {
	switch {
	case b.contracts == 0:
		return ""
	case b.errors+b.kinds[engine.Meaningless] > 0:
		return "The amended text has errors, so that not every promise could be checked."
	case b.verdict() == engine.Violated:
		return "The amendment " + joined(" and ", did("breaks", b.kinds[engine.New]), did("weakens", b.kinds[engine.Weakened]), did("withdraws", b.withdrawn), map[bool]string{true: "changes what is owed"}[b.norms > 0], lapsed(b.kinds[engine.WaiverExpired]), unapprovedLead(b)) + "."
	case b.kinds[engine.Undecided]+b.open > 0:
		return "Whether every promise is kept could not be decided within the limits."
	case b.statuses[engine.Same] == b.contracts:
		return "The amendment changes nothing that the contracts mean."
	case b.owed+b.unsure > 0 && b.excused == 0:
		return "" // the line that sums up says it
	}
	return "The amendment " + joined(" and ", did("mends", b.kinds[engine.Repaired]), breaksNone(b)) + "."
}

func did(what string, promises int) string {
	if promises == 0 {
		return ""
	}
	return what + " " + several(promises, "promise")
}

// unapprovedLead says what the amendment accepts for itself, and what that needs.
func unapprovedLead(b balance) string {
	if b.pending == 0 {
		return ""
	}
	them := func(n int) string { return map[bool]string{true: "it", false: "them"}[n == 1] }
	what := ""
	switch b.pending {
	case b.unwaived:
		what = did("breaks", b.unwaived) + "; this amendment waives " + them(b.unwaived)
	case b.unretired:
		what = did("withdraws", b.unretired) + "; this amendment gives " + them(b.unretired) + " up"
	default:
		brings := "brings " + several(b.pending, "acceptance")
		if what = joined(" and ", did("breaks", b.unwaived), did("withdraws", b.unretired)); what != "" {
			brings = "; this amendment " + brings
		}
		what += brings
	}
	return what + ", not yet approved: " + b.needs
}

func lapsed(waivers int) string {
	if waivers == 0 {
		return ""
	}
	return "leaves " + several(waivers, "promise") + " broken whose waiver has expired"
}

// breaksNone does not speak of what was removed with its contract, nor of what was broken before.
func breaksNone(b balance) string {
	if b.excused > 0 {
		return did("breaks", b.excused) + ", by " + map[bool]string{true: "a waiver that counts", false: "waivers that count"}[b.excused == 1]
	}
	none := "breaks no promise"
	if b.statuses[engine.Removed] > 0 {
		none += " of the contracts that remain"
	}
	switch n := b.kinds[engine.Standing]; n {
	case 0:
		return none
	case 1:
		return none + " that was kept; 1 was broken before, and still is"
	default:
		return fmt.Sprintf("%s that was kept; %d were broken before, and still are", none, n)
	}
}
