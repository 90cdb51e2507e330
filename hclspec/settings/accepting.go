package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
)

// Approvers lists accounts that may approve acceptances in the files that a pattern matches.
type Approvers struct {
	Pattern string   // as in paths, but for files: it matches all below a directory that it matches
	Who     []string // @login or @organisation/team, at least one
}

func (a Approvers) String() string { return a.Pattern + " " + strings.Join(a.Who, " ") }

// MayApprove returns the accounts that may approve acceptances in a file, by the last pattern that matches it. It is false if none does.
func (s *Settings) MayApprove(file string) ([]string, bool) {
	for _, a := range slices.Backward(s.Approvers) {
		if match(a.Pattern, file) {
			return slices.Clone(a.Who), true
		}
	}
	return nil, false
}

// retired is a promise given up together with its contract, whose text is gone.
type retired struct {
	Name     string // of the requirement
	Contract string // directory of the contract that made it, from the repository's top
	Digest   string // "sha256:..." of the promise
	Reason   string
	Range    hcl.Range
}

// account matches a user or a team on GitHub (docs.github.com, "About code owners").
var account = regexp.MustCompile(`^@[A-Za-z0-9][A-Za-z0-9-]*(/[A-Za-z0-9._-]+)?$`)

// approvers reads lines like those of a CODEOWNERS file: "contracts/** @ada @acme/legal".
func (v *value) approvers(to *[]Approvers) {
	v.texts(func(text string, at hcl.Range) {
		words := strings.Fields(text)
		if len(words) < 2 || len(text) > maxLength {
			v.refuse(at, fmt.Sprintf("%q does not say who may approve.", text), `Write a path pattern and then who, as "contracts/** @ada @acme/legal".`)
			return
		}
		if summary, detail := objection(words[0]); summary != "" {
			v.mistake(codeBadPattern, at, summary, detail)
			return
		}
		for _, who := range words[1:] {
			if !account.MatchString(who) {
				v.refuse(at, fmt.Sprintf("%q is not an account on GitHub.", who), "Write @login, or @organisation/team for a team.")
				return
			}
		}
		*to = append(*to, Approvers{words[0], words[1:]})
	})
}

// retireKeys are the attributes of a block retire. All of them are required.
var retireKeys = []string{"contract", "digest", "reason"}

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// retire reads a block retire.
func (p *parser) retire(s *Settings, b *hclsyntax.Block) {
	if len(b.Labels) != 1 {
		p.mistake(codeBadHeader, b.DefRange(), "A block retire has the name of the promise that is given up.", `Write retire "NAME" { ... }.`)
		return
	}
	if len(s.Retired) >= maxListed {
		p.mistake(codeTooMany, b.DefRange(), fmt.Sprintf("There are more than %d blocks retire.", maxListed), "Remove those of contracts that are gone from base already.")
		return
	}
	for _, inner := range b.Body.Blocks {
		p.mistake(codeUnknownBlock, inner.TypeRange, fmt.Sprintf("There is no block %q in retire.", inner.Type), "It has attributes only: "+strings.Join(retireKeys, ", ")+".")
	}
	for name, a := range b.Body.Attributes {
		if !slices.Contains(retireKeys, name) {
			p.mistake(codeUnknownAttribute, a.NameRange, fmt.Sprintf("There is no attribute %q in retire.", name), "The attributes here are: "+strings.Join(retireKeys, ", ")+".")
		}
	}
	r := retired{Name: b.Labels[0], Range: b.DefRange()}
	ok := p.requiredText(b, "contract", &r.Contract, func(text string) string {
		if summary, detail := objection(text); summary != "" || strings.ContainsAny(text, "*?") {
			return "It is the directory that the contract lay in. " + detail
		}
		return ""
	})
	ok = p.requiredText(b, "digest", &r.Digest, func(text string) string {
		if !digestForm.MatchString(text) {
			return "It must be sha256: and 64 hex digits. Copy it from redline review, below the promise."
		}
		return ""
	}) && ok
	ok = p.requiredText(b, "reason", &r.Reason, func(text string) string {
		if strings.TrimSpace(text) == "" || hclspec.IsPlaceholder(text) {
			return "Say why: it is shown in the review."
		}
		return ""
	}) && ok
	if ok {
		s.Retired = append(s.Retired, r)
	}
}

// requiredText reads a required text of a block, and reports whether it is valid. wrong returns a sentence on an invalid text, or "".
func (p *parser) requiredText(b *hclsyntax.Block, key string, to *string, wrong func(text string) string) bool {
	a, given := b.Body.Attributes[key]
	if !given {
		p.mistake(codeMissing, b.DefRange(), fmt.Sprintf("%s %q has no %s.", b.Type, b.Labels[0], key), "It needs "+strings.Join(retireKeys, ", ")+".")
		return false
	}
	v := &value{p, b.Type + "." + key, a.Expr}
	found, ok := v.of(cty.String, "a text in quotes")
	if !ok {
		return false
	}
	if says := wrong(found.AsString()); says != "" || len(found.AsString()) > maxReason {
		v.refuse(a.Expr.Range(), fmt.Sprintf("%s cannot be %.60q.", v.name, found.AsString()), says)
		return false
	}
	*to = strings.TrimSpace(found.AsString())
	return true
}

// maxReason bounds a text of a block retire, in bytes.
const maxReason = 1_000
