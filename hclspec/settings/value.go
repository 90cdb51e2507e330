package settings

import (
	"fmt"
	"math/big"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/expr"
)

const (
	maxListed = 200 // values of one list
	maxLength = 256 // of one pattern, name or file name, in bytes
)

// A value is the expression of a setting.
type value struct {
	*parser
	name string
	expr hclsyntax.Expression
}

func (v *value) wrong(expected string, found cty.Value) {
	v.mistake(codeWrongType, v.expr.Range(), fmt.Sprintf("%s must be %s.", v.name, expected), "This is "+expr.Describe(found)+".")
}

func (v *value) refuse(at hcl.Range, summary, detail string) {
	v.mistake(codeRefused, at, summary, detail)
}

// literal returns the value that an expression writes out, and reports one that would have to be computed. For a list or an object it returns
// an empty one.
func (v *value) literal(e hclsyntax.Expression) (cty.Value, bool) {
	switch e := e.(type) {
	case *hclsyntax.TupleConsExpr:
		return cty.EmptyTupleVal, true
	case *hclsyntax.ObjectConsExpr:
		return cty.EmptyObjectVal, true
	case *hclsyntax.LiteralValueExpr:
		return e.Val, true
	case *hclsyntax.TemplateExpr:
		if !slices.ContainsFunc(e.Parts, func(p hclsyntax.Expression) bool { _, plain := p.(*hclsyntax.LiteralValueExpr); return !plain }) {
			return v.text(e)
		}
	case *hclsyntax.UnaryOpExpr:
		if n, ok := e.Val.(*hclsyntax.LiteralValueExpr); ok && e.Op == hclsyntax.OpNegate && n.Val.Type() == cty.Number {
			return n.Val.Negate(), true
		}
	case *hclsyntax.ScopeTraversalExpr:
		return v.computed(e, "Texts stand in quotes; there is nothing here to refer to.")
	}
	return v.computed(e, "There are texts, whole numbers, true, false and lists of texts; nothing is computed.")
}

func (v *value) computed(e hclsyntax.Expression, detail string) (cty.Value, bool) {
	v.mistake(codeNotLiteral, e.Range(), fmt.Sprintf("The value of %s has to be written out.", v.name), detail)
	return cty.NilVal, false
}

// text returns a text in quotes. It reports characters that do not show, which escapes can make.
func (v *value) text(e *hclsyntax.TemplateExpr) (cty.Value, bool) {
	text, diags := e.Value(nil)
	if diags.HasErrors() {
		panic(diags) // its parts are literals
	}
	for _, r := range text.AsString() {
		if !unicode.IsPrint(r) {
			v.mistake(codeHiddenCharacter, e.Range(), fmt.Sprintf("A text contains the character U+%04X, which does not show.", r),
				"Settings are one line of visible characters each. Remove it.")
			return cty.NilVal, false
		}
	}
	return text, true
}

// of returns the literal, if it is of type t.
func (v *value) of(t cty.Type, expected string) (cty.Value, bool) {
	found, ok := v.literal(v.expr)
	if ok && (found.IsNull() || found.Type() != t) {
		v.wrong(expected, found)
		return cty.NilVal, false
	}
	return found, ok
}

func (v *value) truth(to *bool) {
	if found, ok := v.of(cty.Bool, "true or false"); ok {
		*to = found.True()
	}
}

func (v *value) word(to *string, words ...string) {
	found, ok := v.of(cty.String, "a text in quotes: "+strings.Join(words, ", "))
	if !ok {
		return
	}
	if !slices.Contains(words, found.AsString()) {
		detail := nearest(found.AsString(), words)
		if detail == "" {
			detail = "It is one of: " + strings.Join(words, ", ") + "."
		}
		v.refuse(v.expr.Range(), fmt.Sprintf("%s cannot be %q.", v.name, found.AsString()), detail)
		return
	}
	*to = found.AsString()
}

func (v *value) whole(to *int, least, most int) {
	found, ok := v.of(cty.Number, "a whole number")
	if !ok {
		return
	}
	n, exact := found.AsBigFloat().Int64()
	if exact != big.Exact || n < int64(least) || n > int64(most) {
		v.refuse(v.expr.Range(), fmt.Sprintf("%s is out of bounds.", v.name), fmt.Sprintf("It is a whole number from %d to %d.", least, most))
		return
	}
	*to = int(n)
}

// amount matches an amount of memory: at most nine digits, so that bytes can be counted.
var amount = regexp.MustCompile(`^[0-9]{1,9}(B|KiB|MiB|GiB)$`)

func (v *value) memory(to *string) {
	found, ok := v.of(cty.String, `a text in quotes, as "2GiB"`)
	if ok && !amount.MatchString(found.AsString()) {
		v.refuse(v.expr.Range(), fmt.Sprintf("%q is not an amount of memory.", found.AsString()), `Write "512MiB" or "2GiB"; "0B" is no limit.`)
		return
	}
	if ok {
		*to = found.AsString()
	}
}

func (v *value) duration(to *time.Duration) {
	found, ok := v.of(cty.String, `a text in quotes, as "10m"`)
	if !ok {
		return
	}
	d, err := time.ParseDuration(found.AsString())
	if err != nil || d < 0 {
		v.refuse(v.expr.Range(), fmt.Sprintf("%q is not a time.", found.AsString()), `Write "90s", "10m" or "1h30m"; "0s" is no limit.`)
		return
	}
	*to = d
}

// file reads a file's name below the top. It refuses names that lead elsewhere on any platform.
func (v *value) file(to *string) {
	found, ok := v.of(cty.String, "a text in quotes: the name of a file")
	if !ok {
		return
	}
	name := found.AsString()
	if name != "" && (len(name) > maxLength || path.Clean(name) != name || name == "." || name == ".." || strings.HasPrefix(name, "../") ||
		strings.HasPrefix(name, "/") || strings.HasPrefix(name+"/", ".git/") || strings.ContainsAny(name, `\:`)) {
		v.refuse(v.expr.Range(), fmt.Sprintf("%s cannot be this file.", v.name),
			"It is a name of at most 256 bytes below the repository's top, with slashes between directories, as \"out/redline.sarif\".")
		return
	}
	*to = name
}

// texts calls each for every text of a list, with its range.
func (v *value) texts(each func(text string, at hcl.Range)) {
	list, ok := v.expr.(*hclsyntax.TupleConsExpr)
	if !ok {
		if found, ok := v.literal(v.expr); ok {
			v.wrong(`a list of texts, as ["a", "b"]`, found)
		}
		return
	}
	if len(list.Exprs) > maxListed {
		v.mistake(codeTooMany, v.expr.Range(), fmt.Sprintf("%s has %d values.", v.name, len(list.Exprs)), fmt.Sprintf("A list has at most %d.", maxListed))
		return
	}
	for _, e := range list.Exprs {
		found, ok := v.literal(e)
		switch {
		case ok && (found.IsNull() || found.Type() != cty.String):
			v.mistake(codeWrongType, e.Range(), fmt.Sprintf("%s is a list of texts.", v.name), "This is "+expr.Describe(found)+".")
		case ok:
			each(found.AsString(), e.Range())
		}
	}
}

func (v *value) patterns(to *[]string) {
	v.texts(func(text string, at hcl.Range) {
		if summary, detail := objection(text); summary != "" {
			v.mistake(codeBadPattern, at, summary, detail)
			return
		}
		*to = append(*to, text)
	})
}

// names reads names of parties and events, with those of phases and instances: goods.purchaser[0].
func (v *value) names(to *[]string) {
	strange := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("_-.[]", r)
	}
	v.texts(func(text string, at hcl.Range) {
		if text == "" || len(text) > maxLength || strings.ContainsFunc(text, strange) {
			v.refuse(at, fmt.Sprintf("%q is not the name of a party or an event.", text), "Write the name as contracts do, without its title.")
			return
		}
		*to = append(*to, text)
	})
}
