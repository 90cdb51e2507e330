package explain

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/diag"
)

// Finish completes a result in place: it adds the diagnostics of the text, marks findings that the contract accepts, merges those on
// instances, and sorts. It drops proposals if a check fails.
func Finish(r *finding.Result, d *compile.Draft) *finding.Result {
	for _, diag := range append(d.Source.Diagnostics[:len(d.Source.Diagnostics):len(d.Source.Diagnostics)], d.Broken...) {
		r.Diagnostics = append(r.Diagnostics, textual(d, diag))
	}
	if d.Spec != nil {
		Accept(d, r)
		r.Diagnostics = d.MergeAlike(r.Diagnostics)
	}
	slices.SortStableFunc(r.Diagnostics, Compare)
	if slices.ContainsFunc(r.Diagnostics, func(d finding.Diagnostic) bool { return d.Class == codes.Violation && d.Accepted == "" }) {
		r.Proposals = nil // they describe what the contract does, and a check has just said that it should not
	}
	return r
}

// NeedStates returns the codes that only a state model finds in a contract, in the order in which they are looked for. Codes of what the contract does not
// have are left out.
func NeedStates(d *compile.Draft) []codes.Code {
	has := func(kind hclspec.Kind) bool {
		for i, p := range d.AllPlaces {
			if p.Kind == kind && !compile.IsWatcher(d.Owners[i]) {
				return true
			}
		}
		return false
	}
	var all []codes.Code
	for _, group := range []struct {
		there bool
		codes []codes.Code
	}{
		{has(hclspec.Plain), []codes.Code{"contact"}},
		{has(hclspec.CounterBound), []codes.Code{"counter-out-of-bounds"}},
		{true, []codes.Code{"event-never-happens", "transition-never-fires", "state-never-reached", "idle-self-loop"}},
		{len(d.Spec.Documents) > 0, []codes.Code{"document-held-twice"}},
		{len(d.Urgent()) > 0, []codes.Code{"due-event-blocked"}},
		{len(d.Spec.Norms) > 0, NormCodes},
		{d.Final != nil, []codes.Code{"dead-end", "no-option-to-complete"}},
		{len(d.Spec.Accepts) > 0, []codes.Code{"accept-unused"}},
	} {
		if group.there {
			all = append(all, group.codes...)
		}
	}
	return all
}

// NormCodes are the codes of the built-in checks of norms.
var NormCodes = []codes.Code{"obliged-and-forbidden", "permitted-and-forbidden", "power-forbidden", "obligation-cannot-fulfil", "breach-without-consequence",
	"power-never-usable", "norm-never-arises", "norm-never-again", "no-ideal-run"}

// Compare orders findings by weight, position, code and subject.
func Compare(a, b finding.Diagnostic) int {
	return cmp.Or(
		cmp.Compare(weight(a), weight(b)),
		cmp.Compare(a.Source.Filename, b.Source.Filename),
		cmp.Compare(a.Source.Start.Byte, b.Source.Start.Byte),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Subject, b.Subject),
	)
}

// weight ranks errors first, then violations and warnings, and accepted findings last.
func weight(d finding.Diagnostic) int {
	if d.Accepted != "" {
		return 3
	}
	return slices.Index([]codes.Class{codes.Error, codes.Violation, codes.Warning}, d.Class)
}

// textual converts a diagnostic of the draft's text.
func textual(d *compile.Draft, diag *hcl.Diagnostic) finding.Diagnostic {
	return Textual(diag, d.Source.Files)
}

// Textual converts an HCL diagnostic to a finding, with the source line it refers to. Files are keyed by the names in ranges.
func Textual(d *hcl.Diagnostic, files map[string][]byte) finding.Diagnostic {
	out := finding.Diagnostic{Code: diag.CodeOf(d), Class: codes.Error, Message: d.Summary, Detail: d.Detail}
	if d.Severity == hcl.DiagWarning {
		out.Class = codes.Warning
	}
	if d.Subject != nil {
		out.Source, out.Snippet = *d.Subject, lineAt(files, *d.Subject)
	}
	return out
}

// maxSnippet bounds the length of a shown source line, in bytes.
const maxSnippet = 400

// Snippet returns the source line in which a range starts.
func Snippet(d *compile.Draft, at hcl.Range) string { return lineAt(d.Source.Files, at) }

// Quoted returns the source text of a range on one line, cut after maxSnippet bytes.
func Quoted(d *compile.Draft, at hcl.Range) string {
	text := strings.Join(strings.Fields(string(at.SliceBytes(d.Source.Files[at.Filename]))), " ")
	if len(text) > maxSnippet {
		return strings.ToValidUTF8(text[:maxSnippet], "") + "…"
	}
	return text
}

// lineAt returns the source line in which a range starts, or "" if it is longer than maxSnippet.
func lineAt(files map[string][]byte, at hcl.Range) string {
	src := files[at.Filename]
	if at.Start.Byte > len(src) {
		return ""
	}
	line := src[bytes.LastIndexByte(src[:at.Start.Byte], '\n')+1:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	if len(line) > maxSnippet {
		return ""
	}
	return strings.TrimSuffix(string(line), "\r") // a copy: thousands of findings keep no file each
}

// Accept marks the findings that the contract accepts, gives each violated check the fingerprint of its run, and warns of accept blocks
// without effect. It does not warn if the model is incomplete.
func Accept(d *compile.Draft, r *finding.Result) {
	for i := range r.Diagnostics {
		if diag := &r.Diagnostics[i]; diag.Class == codes.Violation {
			Name(d, diag)
		}
	}
	subjects := acceptable(r.Diagnostics)
	for _, a := range d.Spec.Accepts {
		used, found := false, subjects[acceptance{a.Code, a.On}]
		for _, i := range found {
			if diag := &r.Diagnostics[i]; Accepts(a, diag) {
				diag.Accepted, used = a.Reason, true
			}
		}
		if !used && r.Model.Incomplete == "" && !finding.OnlyReviews(a.Code) && !behindDeadEnd(a.Code, subjects) && !unasked(d, a.Code) {
			unused := acceptance{"accept-unused", ""}
			subjects[unused] = append(subjects[unused], len(r.Diagnostics))
			r.Diagnostics = append(r.Diagnostics, acceptUnused(d, a, len(found) > 0))
		}
	}
}

// acceptUnused returns the warning of an accept block without effect. found reports that there is a finding of its code and subject, with another
// run.
func acceptUnused(d *compile.Draft, a *hclspec.Accept, found bool) finding.Diagnostic {
	what, advice := a.Code, "Remove it, or it could hide a later one."
	if a.On != "" {
		what += " on " + a.On
	}
	message := "This block accepts nothing: no " + what + " is found."
	if a.Run != "" { // it accepts that run alone, and may have been merged first
		advice = "Remove the block, unless the amendment that needs it is still to follow."
	}
	if found {
		message = "What " + what + " finds is not what this block accepts."
		advice = "The block names another run. Remove it, unless the amendment that needs it is still to follow."
	}
	return NewDiagnostic(d, "accept-unused", "", a.Range, message, advice)
}

// behindDeadEnd reports whether findings of a code may be left out because there is a dead end.
func behindDeadEnd(code string, subjects map[acceptance][]int) bool {
	return code == "no-option-to-complete" && len(subjects[acceptance{"dead-end", ""}]) > 0
}

// unasked reports whether a code is about final states that are declared and have no meaning.
func unasked(d *compile.Draft, code string) bool {
	return d.Spec.Final != nil && d.Final == nil && (code == "dead-end" || code == "no-option-to-complete")
}

// Name sets the fingerprint of a finding that has a run.
func Name(d *compile.Draft, diag *finding.Diagnostic) {
	if diag.Trace == nil {
		return
	}
	what := "check " + string(diag.Code) + " " + diag.Subject
	if diag.Subject == "" && d.Spec.Final != nil {
		what += d.Meaning(d.Spec.Final)
	}
	diag.Run = d.Fingerprint(what, diag.Trace)
}

// Accepts reports whether an accept block accepts a finding. The code must match, and the subject and the run if the block names them.
func Accepts(a *hclspec.Accept, diag *finding.Diagnostic) bool {
	return a.Code == string(diag.Code) && (a.On == "" || compile.Covers(a.On, diag.Subject)) && (a.Run == "" || slices.Contains(strings.Fields(a.Run), diag.Run))
}

// An acceptance is what an accept block names: a code and a subject. An empty subject means any.
type acceptance struct{ code, on string }

// acceptable returns the indices of the findings that each acceptance would accept. Errors cannot be accepted.
func acceptable(list []finding.Diagnostic) map[acceptance][]int {
	found := map[acceptance][]int{}
	for i, diag := range list {
		if diag.Class == codes.Error {
			continue
		}
		names := []string{"", diag.Subject, compile.WithoutIndex(diag.Subject)} // the same as in compile.Covers
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			key := acceptance{string(diag.Code), name}
			found[key] = append(found[key], i)
		}
	}
	return found
}

// NewDiagnostic returns a finding with the class of its code and its source line. It panics for a code without a page.
func NewDiagnostic(d *compile.Draft, code codes.Code, subject string, at hcl.Range, message, detail string) finding.Diagnostic {
	page, ok := codes.Lookup(code)
	if !ok {
		panic("explain: no page explains " + code)
	}
	return finding.Diagnostic{Code: code, Class: page.Class, Subject: subject, Source: at, Message: message, Detail: detail,
		Snippet: Snippet(d, at)}
}

// OutOfBounds returns the finding for a contact at a counter's bound: which transition or event would leave the bounds, and from which value.
func OutOfBounds(d *compile.Draft, e *space.ContactError) finding.Diagnostic {
	for _, t := range e.Steps[len(e.Steps)-1] {
		for _, v := range d.Net.Moved(e.Markings[len(e.Markings)-1], t) {
			if b := d.BeyondMove(t, v); b != nil {
				return changedBeyond(d, d.Owners[v.From], d.Events[d.Net.Transitions[t].Event], b)
			}
		}
		for _, p := range d.Net.Transitions[t].Parts {
			if part := d.Part(p); part.Beyond != nil {
				return beyond(d, d.Parties[p.Net], part)
			}
		}
	}
	panic("explain: a counter's bound is in contact and no transition goes beyond it")
}

// beyond returns the finding for a transition that would take a counter out of bounds.
func beyond(d *compile.Draft, party *hclspec.Party, t *hclspec.Transition) finding.Diagnostic {
	name := party.Name + "." + t.Beyond.Counter
	bounds := d.AllPlaces[d.Counters[name][0]].Bounds
	advice := "Say with require when it may happen."
	if condition := withinBounds(party, t); condition != "" {
		advice = "Write require = " + condition + "."
		if i := slices.IndexFunc(t.Terms, func(o hclspec.Term) bool { return o.Word == "require" }); i >= 0 {
			advice = fmt.Sprintf("Write require = (%s) && %s.", t.Terms[i].Value, condition)
		}
	}
	return NewDiagnostic(d, "counter-out-of-bounds", name, t.Beyond.Range,
		fmt.Sprintf("%s.%s can %s.", party.Name, compile.SourceName(t), beyondWords(t.Beyond, bounds[0], bounds[1])), advice)
}

// changedBeyond returns the finding for an event that would take a counter out of bounds by what the counter says of its changes.
func changedBeyond(d *compile.Draft, party *hclspec.Party, event *hclspec.Event, b *hclspec.Beyond) finding.Diagnostic {
	name := party.Name + "." + b.Counter
	bounds := d.AllPlaces[d.Counters[name][0]].Bounds
	advice := fmt.Sprintf("Write a cap, as in min(%s + 1, %d), or keep the event from happening then, as with only_while = %s < %d.", b.Counter, bounds[1], name, bounds[1])
	if b.Value < bounds[0] {
		advice = fmt.Sprintf("Write a floor, as in max(%s - 1, %d), or keep the event from happening then, as with only_while = %s > %d.", b.Counter, bounds[0], name, bounds[0])
	}
	return NewDiagnostic(d, "counter-out-of-bounds", name, b.Range, fmt.Sprintf("%q can %s.", event.Name, beyondWords(b, bounds[0], bounds[1])), advice)
}

// beyondWords returns the words for a step of a counter over one of its bounds.
func beyondWords(b *hclspec.Beyond, first, last int) string {
	if b.Value > last {
		return fmt.Sprintf("raise %s above %d, its highest value", b.Counter, last)
	}
	return fmt.Sprintf("lower %s below %d, its lowest value", b.Counter, first)
}

// withinBounds returns the condition on a counter that excludes the values from which a transition leaves its bounds, and no other value from
// which the transition can happen; empty if there is no such condition of the form n < k or n > k.
func withinBounds(party *hclspec.Party, t *hclspec.Transition) string {
	var sound, beyond []int
	for _, v := range party.Transitions {
		if compile.SourceName(v) != compile.SourceName(t) {
			continue
		}
		for _, p := range slices.Concat(v.Consume, v.Read) {
			if p.Kind != hclspec.CounterValue || p.Counter != t.Beyond.Counter {
				continue
			}
			if v.Beyond != nil && v.Beyond.Counter == p.Counter {
				beyond = append(beyond, p.Value)
			} else {
				sound = append(sound, p.Value)
			}
		}
	}
	switch {
	case len(sound) == 0 || len(beyond) == 0:
		return ""
	case slices.Max(sound) < slices.Min(beyond):
		return fmt.Sprintf("%s < %d", t.Beyond.Counter, slices.Min(beyond))
	case slices.Min(sound) > slices.Max(beyond):
		return fmt.Sprintf("%s > %d", t.Beyond.Counter, slices.Max(beyond))
	}
	return ""
}

// WarnNeedlessWaivers warns of waivers for requirements that hold.
func WarnNeedlessWaivers(d *compile.Draft, r *finding.Result) {
	for _, q := range r.Requirements {
		if q.Waiver != nil && q.Waiver.State == finding.Needless {
			r.Diagnostics = append(r.Diagnostics, NewDiagnostic(d, "waiver-needless", "requirement."+q.Name, q.Waiver.Source,
				fmt.Sprintf("Requirement %q holds, so its waiver accepts nothing.", q.Name),
				"Remove the waiver, so that it can't hide a later violation, unless the amendment that needs it is still to follow."))
		}
	}
}
