package report

import (
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine"
)

// remarks says what there is to say of a verdict besides: that it holds for want of runs, that time may stand still, and on whom the
// promise rests. A sentence each.
func remarks(r *engine.Requirement, in medium) []string {
	var all []string
	if r.NoRuns {
		all = append(all, "Holds only because nobody can keep this contract: on every run something is breached.")
	}
	if r.Timely {
		all = append(all, "Time need not pass in this run: with "+in.code(progressOf(r, "time"))+" it holds.")
	}
	if r.Rests != nil {
		all = append(all, restsOn(r.Rests, in))
	}
	return all
}

// progressOf writes an assumption as a drafter does: that which a requirement makes already, and more.
func progressOf(r *engine.Requirement, more string) string {
	return "assuming = progress(" + strings.Join(append(slices.Clone(r.Assuming), more), ", ") + ")"
}

// restsOn says on whom a promise rests, in the same words whatever the verdict.
func restsOn(r *engine.Rests, in medium) string {
	switch {
	case r.Unknown != "":
		return sentence("On whom it rests is not known: " + in.prose(r.Unknown))
	case len(r.Norms) > 0:
		return "Not kept by acting alone; kept as long as " + alternatives(r.Norms, r.More, ", or ", in, keeping) + ", provided nothing is put off for ever."
	case len(r.Sets) == 0:
		return "Not kept by acting: it can fail though nothing is put off for ever."
	case len(r.Sets[0]) == 0:
		return "Rests on nobody: kept however long anybody waits."
	}
	return "Rests " + restingOn(r, in) + ": " + keptBy(r.Sets)
}

// rested says on whom a promise rested before the amendment, and rests now, where these are others.
func rested(f *engine.Finding, in medium) string {
	if f.Rested == nil {
		return ""
	}
	return sentence("Before the amendment it " + resting(f.Rested, in, true) + "; now it " + resting(f.Head.Rests, in, false))
}

// RestedText says in plain text on whom a promise rested before and rests now; empty where that is the same.
func RestedText(f *engine.Finding) string { return rested(f, terminal) }

// RestsText says in plain text on whom a promise rests; empty where that is not asked.
func RestsText(r *engine.Requirement) string { return strings.Join(remarks(r, terminal), " ") }

func resting(r *engine.Rests, in medium, past bool) string {
	verb, kept := "rests ", "is kept "
	if past {
		verb, kept = "rested ", "was kept "
	}
	if len(r.Sets) == 0 && len(r.Norms) == 0 {
		return kept + restingOn(r, in)
	}
	if len(r.Norms) > 0 {
		return kept + "as long as " + alternatives(r.Norms, r.More, ", or ", in, keeping)
	}
	return verb + restingOn(r, in)
}

// restingOn says on whom a promise rests, after a verb.
func restingOn(r *engine.Rests, in medium) string {
	switch {
	case len(r.Sets) == 0:
		return "by no acting"
	case len(r.Sets[0]) == 0:
		return "on nobody"
	}
	return "on " + alternatives(r.Sets, r.More, ", or on ", in, allOf)
}

// alternatives joins sets of which one is enough.
func alternatives[T any](sets [][]T, more bool, or string, in medium, name func([]T, medium) string) string {
	var all []string
	for _, s := range sets {
		all = append(all, name(s, in))
	}
	if more {
		all = append(all, "others")
	}
	return strings.Join(all, or)
}

// allOf names members who act together.
func allOf(set []string, in medium) string {
	last := len(set) - 1
	if last == 0 {
		return in.prose(set[0])
	}
	return listed(set[:last], in) + " and " + in.prose(set[last])
}

// keeping says that bearers keep norms.
func keeping(set []engine.KeptNorm, in medium) string {
	var all []string
	for _, n := range set {
		all = append(all, in.prose(n.Bearer)+" keeps "+in.name(n.Norm))
	}
	return strings.Join(all, " and ")
}

// keptBy says what has to happen for a promise to be kept.
func keptBy(sets [][]string) string {
	time := func(set []string) bool { return slices.Contains(set, "time") }
	switch {
	case len(sets) > 1:
		return "any one of these is enough to keep it, as long as it acts when it can, whoever else waits."
	case len(sets[0]) == 1 && time(sets[0]):
		return "kept as long as time passes, whoever waits."
	case len(sets[0]) == 1:
		return "kept as long as it acts when it can, whoever else waits."
	case time(sets[0]):
		return "kept as long as time passes and the others of these act when they can, whoever else waits."
	}
	return "kept as long as all of these act when they can, whoever else waits."
}
