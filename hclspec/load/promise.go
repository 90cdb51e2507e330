package load

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
	"github.com/redlinehq/redline/hclspec/syntax"
)

// progress reads the assumption of a requirement: assuming = progress(seller, purchaser).
func (l *loader) progress(b *hclsyntax.Block) []*hclspec.Progress {
	attr, given := b.Body.Attributes["assuming"]
	if !given {
		return nil
	}
	call, ok := attr.Expr.(*hclsyntax.FunctionCallExpr)
	if !ok || call.Name != "progress" || len(call.Args) == 0 || call.ExpandFinal {
		l.Mistake(diag.BadAssumption, attr.Expr.Range(), "assuming must be progress(PARTY), e.g. progress(seller).",
			"For several: progress(seller, buyer). It assumes that each of them acts in the end, as long as it can.")
		return nil
	}
	return l.actors("assuming = progress(%s)", call.Args, b)
}

// restsOn reads the parties that a requirement may rest on: rests_on = [seller, time].
func (l *loader) restsOn(b *hclsyntax.Block) *hclspec.Resting {
	attr, given := b.Body.Attributes["rests_on"]
	if !given {
		return nil
	}
	list, ok := attr.Expr.(*hclsyntax.TupleConsExpr)
	if !ok {
		l.Mistake(diag.BadRestsOn, attr.Expr.Range(), "rests_on must be a list of parties, e.g. [seller]; [] means nobody.",
			l.unquotedHint("rests_on = [%s]", attr.Expr, "They alone have to act for the requirement to be kept."))
		return nil
	}
	if assumed, both := b.Body.Attributes["assuming"]; both {
		l.Mistake(diag.BadRestsOn, attr.NameRange, "A requirement says either what it assumes or on whom it rests.",
			fmt.Sprintf("The assumption is at %s. rests_on assumes already that those it names act when they can.", diag.At(assumed.NameRange)))
		return nil
	}
	return &hclspec.Resting{On: l.actors("rests_on = [%s]", list.Exprs, b), Range: attr.SrcRange}
}

// unquotedHint returns the hint to write a name without its quotes, in the form of its attribute; otherwise another hint.
func (l *loader) unquotedHint(form string, e hclsyntax.Expression, otherwise string) string {
	name := ""
	switch t := e.(type) {
	case *hclsyntax.TemplateExpr:
		if v, found := t.Value(nil); t.IsStringLiteral() && !found.HasErrors() {
			name = v.AsString()
		}
	case *hclsyntax.ScopeTraversalExpr:
		name = t.Traversal.RootName()
	}
	if l.families[name] == nil {
		return otherwise
	}
	return "Write " + fmt.Sprintf(form, name) + "."
}

// actors reads names of parties, in an attribute of a form. Each may occur once.
func (l *loader) actors(form string, list []hclsyntax.Expression, b *hclsyntax.Block) []*hclspec.Progress {
	var all []*hclspec.Progress
	seen := syntax.Names{}
	for _, e := range list {
		p := l.actor(form, e, b)
		if p == nil {
			continue
		}
		if _, twice := seen[p.Name]; twice {
			l.Mistake(diag.DuplicateName, p.Range, fmt.Sprintf("%q stands here twice.", p.Name), "Name each party once.")
			continue
		}
		seen[p.Name] = p.Range
		all = append(all, p)
	}
	return all
}

// actor returns the parties that a name means; nil if there are none.
func (l *loader) actor(form string, e hclsyntax.Expression, b *hclsyntax.Block) *hclspec.Progress {
	r := e.Range()
	name := strings.Map(unquoted, string(r.SliceBytes(l.Content[r.Filename])))
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
	case *hclsyntax.IndexExpr:
		if all, ok := syntax.Steps(e); ok { // the index may be computed
			name = syntax.Joined(all).String()
		}
	default:
		l.Mistake(diag.NotAReference, r, "The name of a party is expected here, without quotes.",
			l.unquotedHint(form, e, "As in "+fmt.Sprintf(form, "seller")+"."))
		return nil
	}
	if role, index, indexed := strings.Cut(name, "["); l.ScopesOf[b.Body][role] != "" { // a phase's name of a party
		name = l.ScopesOf[b.Body][role]
		if indexed {
			name += "[" + index
		}
	}
	l.names.grow(l.spec)
	p := &hclspec.Progress{Name: name, Range: r, Parties: slices.DeleteFunc(slices.Clone(l.names.parties[name]), func(p *hclspec.Party) bool { return p.Made != "" && p.Name != "time" })}
	if len(p.Parties) == 0 {
		l.Unknown(r, fmt.Sprintf("There is no party %q.", name), name, func() []string { return l.partyNames })
		return nil
	}
	l.Refer(r, p.Parties[0].Range)
	return p
}

// unquoted drops blanks and quotes around the key of an index.
func unquoted(r rune) rune {
	if strings.ContainsRune(" \t\"", r) {
		return -1
	}
	return r
}

var fingerprint = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// waiver reads the waiver of a requirement; nil if there is none, or none that is well-formed.
func (l *loader) waiver(b *hclsyntax.Block) *hclspec.Waiver {
	var found *hclspec.Waiver
	for _, inner := range b.Body.Blocks {
		if inner.Type != "waiver" {
			continue
		}
		if found != nil {
			l.Mistake(diag.DuplicateName, syntax.HeaderRange(inner), fmt.Sprintf("Requirement %q has two waivers.", b.Labels[0]),
				"One waiver can accept several runs: write their fingerprints into its run, separated by spaces.")
			continue
		}
		found = l.waiverOf(inner, b.Labels[0])
	}
	return found
}

func (l *loader) waiverOf(b *hclsyntax.Block, requirement string) *hclspec.Waiver {
	const copied = "Copy it from redline check, below the violation."
	of := fmt.Sprintf("waiver of %q", requirement)
	return &hclspec.Waiver{
		Range:    syntax.HeaderRange(b),
		Reason:   l.requiredText(b, "reason", of, "Say why: it is shown in every review."),
		Approver: l.requiredText(b, "approver", of, "Say who approved it: it is shown in every review."),
		Run:      l.fingerprints(l.requiredText(b, "run", of, copied), b.Body.Attributes["run"], diag.BadWaiver, copied),
		Expires:  l.day(b.Body, "expires", diag.BadWaiver, " It is the last day on which the waiver is in force."),
	}
}

// fingerprints checks the fingerprints of accepted runs, and returns them separated by one space.
func (l *loader) fingerprints(text string, attr *hclsyntax.Attribute, code codes.Code, copied string) string {
	runs := strings.Fields(text)
	for _, run := range runs {
		if !fingerprint.MatchString(run) {
			l.Mistake(code, attr.Expr.Range(), "run must be sha256: and 64 hex digits.", copied+" Several are separated by a space.")
			break
		}
	}
	return strings.Join(runs, " ")
}

// day reads a day of the calendar; empty if it is not given, or after a mistake. More ends the hint.
func (l *loader) day(body *hclsyntax.Body, name string, code codes.Code, more string) string {
	text, ok := l.Text(body, name)
	if !ok || hclspec.IsDay(text) {
		return text
	}
	l.Mistake(code, body.Attributes[name].Expr.Range(), fmt.Sprintf("%s must be a day of the calendar as YYYY-MM-DD; this is %q.", name, text), hclspec.NotDay(text)+more)
	return ""
}

// requiredText reads a text that must be given and not be empty.
func (l *loader) requiredText(b *hclsyntax.Block, name, of, why string) string {
	if _, given := b.Body.Attributes[name]; !given {
		l.Lacking(b.Body, syntax.HeaderRange(b), fmt.Sprintf("The %s has no %s.", of, name), why)
	}
	return l.filledText(b, name, name+" of the "+of, why)
}

// filledText reads a text that may not be empty. What it is begins the message after "The".
func (l *loader) filledText(b *hclsyntax.Block, name, what, why string) string {
	text, ok := l.Text(b.Body, name)
	text = strings.TrimSpace(text)
	if ok && text == "" {
		l.Mistake(diag.MissingAttribute, b.Body.Attributes[name].Expr.Range(), "The "+what+" is empty.", why)
	} else if ok && hclspec.IsPlaceholder(text) {
		l.Mistake(diag.MissingAttribute, b.Body.Attributes[name].Expr.Range(), "The "+what+" is still the text of the template.", why)
	}
	return text
}

// subject reads the subject of an accept block: party.element, event.NAME, document.NAME or requirement.NAME, with an index if there are
// several. Without the index it means all of them. Names that a phase made have another dot. If gone is set, the subject need not exist.
func (l *loader) subject(e hclsyntax.Expression, gone bool) string {
	all, ok := syntax.Steps(e)
	if !ok || len(all) < 2 {
		l.notASubject(e)
		return ""
	}
	if root := all[0].Text; root == "event" || root == "requirement" || root == "document" || l.isNormWord(root) {
		ref := syntax.Joined(all[1:])
		if !gone {
			l.claimExists(root, ref)
		}
		return root + "." + ref.String()
	}
	last := all[len(all)-1]
	if last.Index {
		l.notASubject(e)
		return ""
	}
	ref := syntax.Joined(all[:len(all)-1])
	l.elementExists(ref, last)
	return ref.String() + "." + last.Text
}

func (l *loader) notASubject(e hclsyntax.Expression) {
	l.Mistake(diag.NotAReference, e.Range(), "What is accepted must be named.",
		l.subjectFor(e))
}

// subjectFor says what to write for a subject that is none: the norm of that name with its kind, if there is one.
func (l *loader) subjectFor(e hclsyntax.Expression) string {
	if all, ok := syntax.Steps(e); ok && len(all) == 1 {
		if n := l.norms[all[0].Text]; n != nil {
			return "Write " + n.Kind.String() + "." + all[0].Text + "."
		}
	}
	return "Write party.element, event.NAME, document.NAME, requirement.NAME, or obligation.NAME and the like, without quotes."
}

// claimExists reports an event, document, requirement or norm that does not exist.
func (l *loader) claimExists(root string, ref syntax.Ref) {
	space := l.events
	switch {
	case root == "requirement":
		space = l.promises
	case root == "document":
		space = l.documents.named
	case construct.IsNorm(root):
		space = l.normsOf(root)
	}
	to, known := space[ref.Name]
	if n := l.norms[ref.Name]; known && ref.Indexed && construct.IsNorm(root) {
		l.nth(n, ref.Index, ref.At)
		return
	}
	if known && (!ref.Indexed || root == "event" && len(l.eventsOf(ref)) > 0) {
		l.Refer(ref.At, to)
		return
	}
	l.Unknown(ref.At, fmt.Sprintf("There is no %q in %q.", ref, root), ref.Name, func() []string { return syntax.SortedNames([]syntax.Names{space}) })
}

// elementExists reports a party, or an element of one, that does not exist.
func (l *loader) elementExists(ref syntax.Ref, element syntax.Step) {
	if l.families[ref.Name] == nil {
		what := fmt.Sprintf("There is no party %q.", ref.Name)
		if phase, word, made := cutLast(ref.Name); made && slices.Contains(l.claimWords(), word) {
			l.Mistake(diag.UnknownName, ref.At, what, hclspec.Meant(ref.Name+"."+element.Text, word+"."+phase+"."+element.Text))
			return
		}
		l.Unknown(ref.At, what, ref.Name, func() []string { return slices.Concat(l.claimWords(), l.partyNames) })
		return
	}
	found := l.find(ref)
	if len(found) == 0 {
		return
	}
	l.Refer(ref.At, found[0].party.Range)
	spaces := []syntax.Names{found[0].taken, found[0].transitions}
	for _, n := range spaces {
		if to, known := n[element.Text]; known {
			l.Refer(element.At, to)
			return
		}
	}
	l.Unknown(element.At, fmt.Sprintf("There is no %q in %q.", element.Text, ref), element.Text, func() []string { return syntax.SortedNames(spaces) })
}

// cutLast splits a name at its last dot.
func cutLast(name string) (before, after string, found bool) {
	i := strings.LastIndexByte(name, '.')
	return name[:max(i, 0)], name[i+1:], i >= 0
}

// claimWords returns the words with which the subject of an accept block may begin, besides parties.
func (l *loader) claimWords() []string {
	words := slices.DeleteFunc(construct.NormWords(), func(word string) bool { return !l.isNormWord(word) })
	return slices.Concat([]string{"document", "event", "requirement"}, words)
}

// normsOf returns the norms of a kind, with their ranges.
func (l *loader) normsOf(kind string) syntax.Names {
	all := syntax.Names{}
	for name, n := range l.norms {
		if n.Kind.String() == kind {
			all[name] = n.Range
		}
	}
	return all
}
