package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

const (
	timeForm = "2006-01-02T15:04:05Z07:00"
	dayForm  = "2006-01-02"
)

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

func short(id string) string { return id[:min(len(id), 12)] }

// signedWords describes the state of a signature.
func (e *entry) signedWords() string {
	words := e.Signed.String()
	switch e.Signed {
	case record.Accepted:
		return "signed by " + e.By
	case record.Forged, record.OutOfTime, record.OutOfPlace:
		return words + " (" + e.By + ")"
	case record.Unsigned:
		if e.flags.has(isVouched) {
			words += "; a signed one follows"
		} else if !e.counts {
			words += ", and keys are listed"
		}
	}
	return words
}

// placeWords describes how a record belongs to the branch. It returns "" if its commit is on it.
func (e *entry) placeWords() string {
	switch e.place {
	case byContent:
		return "This branch has the draft at another commit: it was squashed or rebased, or moved."
	case placeBefore:
		return "The commit is not on this branch; a record of this branch follows it."
	case placeAbsent:
		return "The commit is not in this clone."
	}
	return ""
}

// behaviour describes in a few words what the draft changes.
func (e *entry) behaviour() string {
	switch e.relation {
	case "":
		if e.flags.has(isFirst) {
			return "first record"
		}
		return "behaviour not compared"
	case delta.Same.String():
		return "behaviour as before"
	case delta.More.String():
		return "more is possible"
	case delta.Less.String():
		return "less is possible"
	case delta.Both.String():
		return "more is possible, and less"
	case delta.Otherwise.String():
		return "the same steps, other choices"
	case store.Moved:
		return "behaviour as before, counted from another start"
	case store.Owed:
		return "the same steps, something else is owed"
	}
	return "behaviour not known"
}

// changed describes the change of behaviour, and the number of changed verdicts.
func (e *entry) changed() string {
	if e.verdicts == 0 {
		return e.behaviour()
	}
	return e.behaviour() + "; " + counted(e.verdicts, "verdict", "verdicts") + " changed"
}

// summary returns a draft's result in one line.
func (t *draftEntry) summary(prose func(string) string) string {
	return fmt.Sprintf("%s; %s; verified by redline %s; record %s", t.result, t.changed(), prose(t.draft.Tool), t.signedWords())
}

// at returns the commit's time by the committer's clock.
func (t *draftEntry) at() string { return t.when.Format("2006-01-02 15:04 -07:00") }

// A line is one thing to show about a draft: its kind, and untrusted text.
type line struct {
	about string // in words of our own
	name  string // of a requirement; may be empty
	says  string
}

// lines returns what changed in a draft, and what was waived. With a filter for a requirement it returns what concerns that one.
func (t *draftEntry) lines(f Filter) (all []line) {
	c := t.draft.When.Change
	if c != nil && f.Requirement == "" {
		for _, l := range []struct {
			about string
			list  []string
		}{{"changed", c.Text}, {"now possible", c.Possible}, {"no longer possible", c.Impossible}} {
			for _, s := range l.list {
				if of, so := strings.CutPrefix(s, diff.Rewired.String()+" "); so { // as records have it
					s = "new terms of " + of
				}
				all = append(all, line{l.about, "", s})
			}
		}
		if c.Reason != "" {
			all = append(all, line{"behaviour not known", "", c.Reason})
		}
	}
	if c != nil {
		for _, v := range c.Verdicts {
			if f.Requirement == "" || v.Name == f.Requirement {
				all = append(all, line{"verdict", v.Name, turned(v)})
			}
		}
	}
	return append(all, t.unchangedLines(f)...)
}

// unchangedLines returns verdicts other than "holds" that did not change, reasons of unknown verdicts, and new waivers.
func (t *draftEntry) unchangedLines(f Filter) (all []line) {
	c := t.draft.When.Change
	for i := range t.draft.Requirements {
		q := &t.draft.Requirements[i]
		if f.Requirement != "" && q.Name != f.Requirement {
			continue
		}
		changed := c != nil && slices.ContainsFunc(c.Verdicts, func(v record.VerdictChange) bool { return v.Name == q.Name })
		if v := shownVerdict(q); !changed && (v != "holds" || f.Requirement != "") {
			all = append(all, line{"verdict", q.Name, v})
		}
		if q.Reason != "" && q.Verdict == "unknown" {
			all = append(all, line{"reason", q.Name, q.Reason})
		}
		if w := q.Waiver; w != nil && t.flags.has(isNews) {
			all = append(all, line{"waiver", q.Name, waiver(w)})
		}
	}
	return all
}

func turned(v record.VerdictChange) string {
	switch {
	case v.Was == "":
		return v.Now + " (new)"
	case v.Now == "":
		return "gone (was " + v.Was + ")"
	}
	return v.Was + " → " + v.Now
}

// waiver describes a waiver: approver, end and reason.
func waiver(w *record.Waiver) string {
	until := "without end"
	if w.Expires != "" {
		until = "until " + w.Expires
	}
	by := w.Approver
	if by == "" {
		by = "somebody"
	}
	return fmt.Sprintf("by %s, %s (%s): %s", by, until, w.State, w.Reason)
}

// A style escapes untrusted text for a sentence: prose, and names.
type style struct{ prose, name func(string) string }

func asIs(s string) string { return s }

// sentences returns the answer in words: first the answer itself, then its basis.
func (a *Answer) sentences(in style) (all []string) {
	say := func(format string, args ...any) { all = append(all, fmt.Sprintf(format, args...)) }
	say("%s", a.answer(in))
	if a.repaired != nil {
		say("Commit %s has mended it since.", in.at(a.repaired))
	}
	if a.checked > 0 {
		say("%s checked for this.", counted(a.checked, "draft without a record was", "drafts without records were"))
	}
	if a.unchecked > 0 {
		say("%s taken for what those around them are.", counted(a.unchecked, "draft without a record was", "drafts without records were"))
	}
	for i, p := range a.unsettled {
		if i == mostNamed {
			say("And %d more.", len(a.unsettled)-i)
			break
		}
		say("It can't be told of commit %s: %s.", in.at(p), in.prose(strings.TrimSuffix(p.why, ".")))
	}
	return all
}

// answer returns the answer in one sentence.
func (a *Answer) answer(in style) string {
	name, now := in.name(a.requirement), a.now
	switch {
	case now.why != "":
		return fmt.Sprintf("Whether %s holds now can't be told.", name)
	case a.turned == nil && a.holds:
		return fmt.Sprintf("%s does not hold now: in commit %s %s.", name, in.at(now), verdictWords(now.verdict))
	case a.turned == nil:
		return fmt.Sprintf("Nothing has broken %s: in commit %s %s.", name, in.at(now), verdictWords(now.verdict))
	case a.before == nil && a.Definite() && a.holds:
		return fmt.Sprintf("%s has held since the first draft there is, commit %s.", name, in.at(a.turned))
	case a.before == nil && a.Definite():
		return fmt.Sprintf("%s was broken from the first draft there is, commit %s: %s.", name, in.at(a.turned), verdictWords(a.turned.verdict))
	case a.Definite() && a.holds:
		return fmt.Sprintf("%s holds since commit %s; in the draft before, commit %s, %s.", name, in.at(a.turned), in.at(a.before), verdictWords(a.before.verdict))
	case a.Definite():
		return fmt.Sprintf("Commit %s broke %s: %s; in the draft before, commit %s, %s.", in.at(a.turned), name, verdictWords(a.turned.verdict), in.at(a.before), verdictWords(a.before.verdict))
	}
	return a.doubtful(in)
}

// doubtful returns the answer for a case in which undecided drafts lie in between.
func (a *Answer) doubtful(in style) string {
	began := fmt.Sprintf("Since when %s holds", in.name(a.requirement))
	if !a.holds {
		began = "Which commit broke " + in.name(a.requirement)
	}
	turned := fmt.Sprintf("in commit %s %s", in.at(a.turned), verdictWords(a.turned.verdict))
	if a.before == nil {
		return fmt.Sprintf("%s can't be told exactly: %s, and there are drafts before it that can't be told of.", began, turned)
	}
	return fmt.Sprintf("%s can't be told exactly: in commit %s %s, %s, and there are drafts in between that can't be told of.", began, in.at(a.before), verdictWords(a.before.verdict), turned)
}

// at names a draft by commit, day and author.
func (in style) at(p *point) string {
	day, _, _ := strings.Cut(p.committed, "T")
	return fmt.Sprintf("%s (%s, %s)", in.name(short(p.commit)), in.prose(day), in.prose(cut(p.author, authorLength)))
}

// question returns the question that is answered.
func (a *Answer) question(in style) string {
	if a.holds {
		return "Since when does " + in.name(a.requirement) + " hold?"
	}
	return "Which commit broke " + in.name(a.requirement) + "?"
}

func verdictWords(v string) string {
	switch v {
	case placeGone:
		return "there is no such requirement"
	case "holds":
		return "it holds"
	case "ill-formed":
		return "it is ill-formed"
	case "unknown":
		return "it is unknown"
	case waived:
		return "it is violated, and waived"
	}
	return "it is " + v
}
