package hclspec

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// names are the names of one namespace and where each was declared.
type names map[string]hcl.Range

// keywords cannot be referred to by a bare name: HCL reads them as something else.
var keywords = []string{"true", "false", "null", "for"}

// declareBlock declares the name a block's header gives.
func (l *loader) declareBlock(n names, b *hclsyntax.Block) bool {
	l.ask()
	if l.generated[b].phase != "" { // its name has the phase's before it
		return l.vacant(n, b.Type, b.Labels[0], b.LabelRanges[0])
	}
	return l.declare(n, b.Type, b.Labels[0], b.LabelRanges[0])
}

// declare enters a name into a namespace, unless it is no name or taken.
func (l *loader) declare(n names, what, name string, r hcl.Range) bool {
	return l.validName(what, name, r) && l.vacant(n, what, name, r)
}

func (l *loader) vacant(n names, what, name string, r hcl.Range) bool {
	if first, taken := n[name]; taken {
		l.mistake(codeDuplicateName, r, fmt.Sprintf("The name %q of this %s is taken.", name, what),
			fmt.Sprintf("It was first used at %s.", place(first)))
		return false
	}
	n[name] = r
	return true
}

// place is where a range starts, as messages say it.
func place(r hcl.Range) string { return fmt.Sprintf("%s:%d", path.Base(r.Filename), r.Start.Line) }

func (l *loader) validName(what, name string, r hcl.Range) bool {
	switch {
	case slices.Contains(keywords, name):
		l.mistake(codeReservedName, r, fmt.Sprintf("%q cannot be the name of a %s.", name, what),
			"These words mean something else: "+strings.Join(keywords, ", ")+".")
	case len(name) > maxName:
		l.mistake(codeInvalidName, r, fmt.Sprintf("The name of this %s is too long.", what),
			fmt.Sprintf("A name has at most %d bytes; this one has %d.", maxName, len(name)))
	case !hclsyntax.ValidIdentifier(name) || strings.HasSuffix(name, "-") || cty.NormalizeString(name) != name:
		l.mistake(codeInvalidName, r, fmt.Sprintf("%q cannot be the name of a %s.", name, what),
			"A name is letters, digits, - and _; it starts with a letter and does not end with -.")
	case l.distinct(what, name, r):
		return true
	}
	l.dropped[name] = true
	return false
}

// unknown reports a name that nothing has, unless the block that was to declare it is reported already.
func (l *loader) unknown(r hcl.Range, summary, name string, known func() []string) {
	if !l.dropped[name] {
		l.mistake(codeUnknownName, r, summary, l.hint(name, known))
	}
}

// hint says what an unknown name may have been meant to be: the nearest known one, else all when they are few.
func (l *loader) hint(name string, known func() []string) string {
	if !l.suggest.Spend(1) {
		return ""
	}
	all := known()
	detail := l.guess(name, all)
	if detail == "" && len(all) > 0 && len(all) <= 12 {
		detail = "There are: " + strings.Join(all, ", ") + "."
	}
	return detail
}

// reference reads a bare name. The range is the name's own.
func (l *loader) reference(e hclsyntax.Expression, what string) (string, hcl.Range, bool) {
	if key, ok := e.(*hclsyntax.ObjectConsKeyExpr); ok {
		e = key.Wrapped
	}
	r := e.Range()
	switch e := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if len(e.Traversal) == 1 {
			return e.Traversal.RootName(), r, true
		}
	case *hclsyntax.TemplateExpr:
		if e.IsStringLiteral() {
			v, _ := e.Value(nil)
			l.mistake(codeQuotedReference, r, fmt.Sprintf("The name of %s stands in quotes.", what),
				fmt.Sprintf("Drop the quotes: write %s.", v.AsString()))
			return "", r, false
		}
	}
	l.mistake(codeNotAReference, r, fmt.Sprintf("The name of %s is expected here.", what),
		"Write the bare name, without quotes, dots or anything around it.")
	return "", r, false
}

// references reads a list of bare names; each is handed to use.
func (l *loader) references(e hclsyntax.Expression, what string, use func(name string, r hcl.Range)) {
	list, ok := e.(*hclsyntax.TupleConsExpr)
	if !ok {
		l.mistake(codeNotAReference, e.Range(), "A list of names is expected here.", "Write it in brackets: [a, b].")
		return
	}
	for _, item := range list.Exprs {
		if name, r, ok := l.reference(item, what); ok {
			use(name, r)
		}
	}
}

// pairs reads { name = value, ... }; each pair is handed to use. A name given twice is an error.
func (l *loader) pairs(e hclsyntax.Expression, what string, use func(name string, r hcl.Range, value hclsyntax.Expression)) {
	object, ok := e.(*hclsyntax.ObjectConsExpr)
	if !ok {
		l.mistake(codeNotAReference, e.Range(), fmt.Sprintf("%s is expected here.", upperFirst(what)+" in braces"),
			"Write it in braces: { name = value }.")
		return
	}
	seen := names{}
	for _, item := range object.Items {
		name, r, ok := l.reference(item.KeyExpr, what)
		if !ok {
			continue
		}
		if l.once(seen, name, r) {
			use(name, r, item.ValueExpr)
		}
	}
}

// once enters a name into those seen in one attribute, unless it is among them.
func (l *loader) once(seen names, name string, r hcl.Range) bool {
	first, again := seen[name]
	if again {
		l.mistake(codeDuplicateName, r, fmt.Sprintf("%q stands here twice.", name), fmt.Sprintf("It was first used at %s.", place(first)))
		return false
	}
	seen[name] = r
	return true
}
