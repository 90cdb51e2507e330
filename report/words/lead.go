package words

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec"
)

// Lead summarizes a review in one sentence for people who draft contracts. It returns "" if there is nothing to add to the summary line.
func Lead(b balance) string {
	switch {
	case b.errors+b.kinds[finding.Meaningless] > 0:
		which := map[bool]string{true: "not every", false: "no"}[b.checked() > 0]
		return b.judges("The amended text has errors, so that " + which + " promise could be checked.")
	case b.Verdict() == finding.Violated:
		if broke := unapprovedLead(b); broke != "" && broke != judgesLater {
			return "The amendment " + broke + "."
		}
		return "" // what stood before fails the review
	case b.kinds[finding.Undecided] == b.doubts && b.doubts > 0 && b.open == 0:
		return b.judges("Whether what is owed is as before could not be decided within the limits.")
	case b.kinds[finding.Undecided]+b.open > 0:
		return b.judges("Whether every promise is kept could not be decided within the limits.")
	case b.contracts+b.unchanged+b.loosened == 0:
		return ""
	case b.statuses[finding.Same] == b.contracts:
		if b.reworded > 0 {
			return b.judges("The amendment changes words alone, and nothing that is checked" + withValues(b.defaults) + ".")
		}
		return b.judges("The amendment changes nothing that the contracts mean" + withValues(b.defaults) + ".")
	case b.excused == 0 && (b.owed+b.unsure+b.hollow+b.shifted+b.breaches > 0 || b.alters() && b.kinds[finding.Repaired]+b.checks[finding.Repaired] == 0):
		return "" // the summary line says it
	}
	return b.judges("The amendment " + allOfParts(did("mends", b.kinds[finding.Repaired], "promise"), did("mends", b.checks[finding.Repaired], "failed check"), breaksNone(b)) + ".")
}

// checked counts the promises and failed checks of head that were checked.
func (b balance) checked() (n int) {
	for kind := range b.kinds {
		if k := finding.Kind(kind); k != finding.Meaningless && k != finding.Dropped {
			n += b.kinds[kind]
		}
	}
	return n
}

// judges adds to a sentence, with or without a full stop, that the amendment makes later reviews less strict, if it does. The subject of the sentence is the amendment, or it says so.
func (b balance) judges(sentence string) string {
	stop := sentence[len(strings.TrimSuffix(sentence, ".")):]
	switch {
	case b.loosened == 0:
		return sentence
	case stop == "":
		return sentence + map[bool]string{true: ", and ", false: ", but "}[strings.Contains(sentence, " but ") || b.Verdict() != finding.Holds] + "how later ones are judged changes"
	case !strings.HasPrefix(sentence, "The amendment "):
		return strings.TrimSuffix(sentence, stop) + ", and the amendment " + judgesLater + stop
	}
	return strings.TrimSuffix(sentence, stop) + ", but " + judgesLater + stop
}

// judgesLater is what an amendment does that makes later reviews less strict.
const judgesLater = "changes how later ones are judged"

// broke lists what an amendment breaks, with further promises that it breaks and withdraws, and with one more item.
func (b balance) broke(unwaived, unretired int, more string) string {
	return allOfParts(did("breaks", b.kinds[finding.New]+unwaived, "promise"), did("fails", b.checks[finding.New], "check"), did("weakens", b.kinds[finding.Weakened], "promise"), did("withdraws", b.withdrawn+unretired, "promise"),
		map[bool]string{true: "changes what is owed"}[b.norms > 0], suffixed(did("leaves", b.kinds[finding.WaiverExpired], "promise"), " broken whose waiver has expired"), map[bool]string{true: judgesLater}[b.loosened > 0], more)
}

// allOfParts joins the parts of a sentence that are not empty: "a, b and c".
func allOfParts(parts ...string) string {
	if parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" }); len(parts) > 2 {
		parts = []string{strings.Join(parts[:len(parts)-1], ", "), parts[len(parts)-1]}
	}
	return strings.Join(parts, " and ")
}

// VerdictLine returns the verdict of a review in one line, in the words of promises: Lead, with acceptances that are not approved counted.
func VerdictLine(b balance) string {
	lead := Lead(b)
	switch {
	case lead == "":
		return b.String()
	case b.Verdict() == finding.Violated:
		lead = "the amendment " + Joined(", ", b.broke(b.unwaived-b.rewaived, b.unretired, b.pending()), map[bool]string{true: b.lacks()}[b.loosensAlone()])
	}
	return strings.ToLower(lead[:1]) + strings.TrimSuffix(lead[1:], ".")
}

// loosensAlone reports whether settings are all that is not yet approved.
func (b balance) loosensAlone() bool { return b.Pending > 0 && b.Pending == b.unloosed }

// pending counts what is not yet approved, if that is not settings alone.
func (b balance) pending() string {
	if b.loosensAlone() {
		return ""
	}
	return suffixed(did(b.brings(), b.Pending, "acceptance"), map[bool]string{false: " ", true: " that "}[b.unapprovable]+b.lacks())
}

// brings says what an amendment does with acceptances that do not count: some that it rests on are base's, and do not cover what they would accept now.
func (b balance) brings() string {
	return map[bool]string{true: "rests on", false: "brings"}[b.baseToo]
}

// lacks describes what does not count yet: it is not approved or, where no approval is enough, no more than that is said.
func (b balance) lacks() string {
	if !b.unapprovable {
		return "not yet approved"
	}
	return map[bool]string{true: "does not count yet", false: "do not count yet"}[b.Pending == 1]
}

// Counts returns, in the words of promises, what VerdictLine does not count.
func Counts(b balance) string {
	lead, v := Lead(b), b.Verdict()
	var bad, alters string
	switch {
	case v == finding.IllFormed:
		bad = Joined(", ", SomeOf(b.errors, "error"), some(b.kinds[finding.Meaningless], "ill-formed"), some(b.kinds[finding.New]+b.kinds[finding.WaiverExpired], "broken"), SomeOf(b.checks[finding.New], "failed check"),
			some(b.kinds[finding.Weakened], "weakened"), some(b.withdrawn, "withdrawn"))
	case v == finding.Holds && lead != "":
		alters = b.alteration()
		b.kinds[finding.Repaired], b.checks[finding.Repaired] = 0, 0
		if b.excused == 0 && b.statuses[finding.Same] < b.contracts {
			b.kinds[finding.Standing] = 0
		}
	}
	return Joined("; ", alters,
		Joined(", ", bad, some(b.kinds[finding.Undecided], "unknown"), some(b.kinds[finding.Standing], "still broken"), suffixed(SomeOf(b.checks[finding.Standing], "failed check"), " as before"), some(b.kinds[finding.RestsAsBefore], "resting as before"),
			some(b.unwaived, "not yet waived"), some(b.kinds[finding.Waived]-b.unwaived, "waived"), some(b.kinds[finding.Repaired], "mended"), suffixed(SomeOf(b.checks[finding.Repaired], "failed check"), " mended"),
			some(b.retired, "given up"), some(b.hollow, "now vacuous"), some(b.kinds[finding.Kept]-b.quiet-b.hollow, "kept with a remark"), some(b.quiet, "kept")),
		b.lookedAt())
}

// did returns a verb with a count of things, or "" if there are none.
func did(what string, n int, thing string) string {
	if n == 0 {
		return ""
	}
	return what + " " + Several(n, thing)
}

// unapprovedLead lists what an amendment breaks, with what it accepts of that without approval, and which approval that needs.
func unapprovedLead(b balance) string {
	state := ", " + b.lacks() + ": " + b.needs
	if b.unapprovable {
		state = ", which does not count yet: " + b.needs
	}
	what, accepts := b.broke(b.unwaived-b.rewaived, b.unretired, ""), ""
	switch b.Pending {
	case 0:
		return what
	case b.unwaived:
		broken := ""
		if n := b.unwaived - b.rewaived; n > 0 {
			broken = accepted(what, "broken", n, b.kinds[finding.New]+n)
		}
		accepts = "waives " + allOfParts(broken, suffixed(SomeOf(b.rewaived, "promise"), map[bool]string{true: " that was", false: " that were"}[b.rewaived == 1]+" broken before"))
	case b.unretired:
		accepts = "gives " + accepted(what, "withdrawn", b.Pending, b.withdrawn+b.unretired) + " up"
	case b.unloosed:
		return what + state
	default:
		accepts = b.brings() + " " + Several(b.Pending, "acceptance")
	}
	return Joined("; this amendment ", what, accepts) + state
}

// accepted names n of the promises that a sentence counts: what it says of them, if it counts others, too.
func accepted(sentence, of string, n, all int) string {
	which := map[bool]string{true: "it", false: "them"}[all == 1]
	if strings.Contains(sentence, " and ") {
		which = "the " + of + map[bool]string{true: " one", false: " ones"}[all == 1]
	}
	if n < all {
		return fmt.Sprintf("%d of %s", n, which)
	}
	return which
}

// breaksNone says that no promise is broken, or only under waivers. It limits that to the contracts that remain, and to promises that were
// kept before.
func breaksNone(b balance) string {
	if b.excused > 0 {
		return did("breaks", b.excused, "promise") + b.byWaiver()
	}
	none := "breaks no promise"
	if b.statuses[finding.Removed] > 0 {
		none += " of the contracts that remain"
	}
	switch n := b.kinds[finding.Standing]; n {
	case 0:
		return none
	case 1:
		return none + " that was kept; 1 was broken before, and still is"
	default:
		return fmt.Sprintf("%s that was kept; %d were broken before, and still are", none, n)
	}
}

// byWaiver says of promises that are newly broken that waivers which count accept that.
func (b balance) byWaiver() string {
	return ", which " + map[bool]string{true: "a waiver accepts", false: "waivers accept"}[b.excused == 1]
}

// withValues limits what is said of a contract to the values that are given, if defaults that are not compared differ.
func withValues(defaults int) string {
	if defaults == 0 {
		return ""
	}
	return " with the values given"
}

// NotCompared says which defaults of variables differ and are not looked at. It returns "" if there are none.
func NotCompared(all []finding.Default, in Medium) string {
	said := Mapped(all[:min(len(all), mostReworded)], func(d finding.Default) string {
		return fmt.Sprintf("The default of variable %s was %s, now %s: not looked at, since its value comes from %s.",
			in.Prose(d.Variable), in.Prose(cmp.Or(d.Was, "none")), in.Prose(cmp.Or(d.Now, "none")), in.Prose(d.From))
	})
	if more := len(all) - mostReworded; more > 0 {
		said = append(said, "Nor are "+Several(more, "other default")+" that differ.")
	}
	return strings.Join(said, " ")
}

// Happened describes what the amendment did to a contract as a whole, and what was not looked at.
func Happened(c *finding.ContractReview, in Medium) string {
	return Joined(" ", Became(c, in), NotCompared(c.Defaults, in), NotLookedForNow(c))
}

// NotLookedForNow is NotLookedFor of the amended contract, if there is one.
func NotLookedForNow(c *finding.ContractReview) string {
	if c.Head == nil {
		return ""
	}
	return NotLookedFor(c.Head)
}

// Became describes what the amendment did to a contract as a whole.
func Became(c *finding.ContractReview, in Medium) string {
	return Joined(" ", happened(c, in), calledOtherwise(c.Reworded, in))
}

func happened(c *finding.ContractReview, in Medium) string {
	switch c.Status {
	case finding.Same:
		if len(c.Findings) == 0 && len(c.Unlinked()) == 0 {
			return "No change of meaning" + withValues(len(c.Defaults)) + "."
		}
		if len(c.Findings) == 0 {
			return "No change of meaning, but of why something is accepted."
		}
		return "No change of meaning. It has waivers, which every review lists."
	case finding.Added:
		return Joined(": ", "New contract", sizeOf(c.Head)) + "."
	case finding.Removed:
		removed := Joined(", and with it ", "The amendment removes this contract", lost(c.Base)) + "."
		switch {
		case path.Dir(c.Outside) == c.Path:
			return removed + " " + in.Prose(c.Outside) + " is not read: its name does not end in " + hclspec.ContractSuffix + "."
		case c.Outside != "":
			return Joined(", nor at its ", "The amendment puts this contract where nothing looks at it any more ("+in.Prose(c.Outside)+")", lost(c.Base)) + "."
		}
		return removed
	}
	return Joined(" ", changedSize(c), ComparedWith(c, in))
}
