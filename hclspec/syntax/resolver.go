package syntax

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/diag"
)

// A Resolver declares names, reads references to them, and records which declaration each mention means.
type Resolver struct {
	*diag.Sink
	Referred map[hclspec.Reference]bool
	Owner    string          // the party whose names are read; empty: none in particular
	looks    map[string]look // names by their skeleton
}

// NewResolver returns a Resolver without names.
func NewResolver(s *diag.Sink) *Resolver {
	return &Resolver{Sink: s, Referred: map[hclspec.Reference]bool{}, looks: map[string]look{}}
}

// Refer records that the mention at one range means the declaration at another.
func (rv *Resolver) Refer(at, to hcl.Range) {
	if to.Filename != "" { // names that the language itself declares have no place
		rv.Referred[hclspec.Reference{At: at, To: to}] = true
	}
}

// Names holds the names of one namespace, with the range of each declaration.
type Names map[string]hcl.Range

// Declare adds a name to a namespace, and reports whether it is valid and free. It reports the mistake otherwise.
func (rv *Resolver) Declare(n Names, what, name string, r hcl.Range) bool {
	return rv.ValidName(what, name, r) && rv.Vacant(n, what, name, r)
}

// Vacant adds a name to a namespace, and reports whether it is free. It reports the mistake otherwise.
func (rv *Resolver) Vacant(n Names, what, name string, r hcl.Range) bool {
	if first, taken := n[name]; taken {
		rv.Mistake(diag.DuplicateName, r, fmt.Sprintf("The name %q of this %s is taken.", name, what),
			fmt.Sprintf("It was first used at %s.", diag.At(first)))
		return false
	}
	n[name] = r
	return true
}

// ValidName reports whether a text can be a name, and does not look like another name of the contract.
func (rv *Resolver) ValidName(what, name string, r hcl.Range) bool {
	switch {
	case slices.Contains(construct.Keywords, name):
		rv.Reserved(construct.Keywords, what, name, r)
	case len(name) > hclspec.MaxName:
		rv.Mistake(diag.InvalidName, r, fmt.Sprintf("The name of this %s is too long.", what),
			fmt.Sprintf("A name has at most %d bytes; this one has %d.", hclspec.MaxName, len(name)))
	case !hclsyntax.ValidIdentifier(name) || strings.HasSuffix(name, "-") || cty.NormalizeString(name) != name:
		rv.Unnamed++
		rv.Mistake(diag.InvalidName, r, fmt.Sprintf("%q cannot be the name of %s.", name, diag.Article(what)), spelled(name)+
			"A name is letters, digits, - and _; it starts with a letter and does not end with -.")
	case rv.distinct(what, name, r):
		return true
	}
	rv.Dropped[name] = true
	return false
}

// spelled proposes a name for one that can be none; empty if there is no evident one.
func spelled(name string) string {
	near := strings.Join(strings.FieldsFunc(cty.NormalizeString(name), func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }), "-")
	if at, _ := FirstHidden(name); at >= 0 || !hclsyntax.ValidIdentifier(near) {
		return ""
	}
	return fmt.Sprintf("Write %q. ", near)
}

// Reserved reports a name that means something else, as all of the words do.
func (rv *Resolver) Reserved(words []string, what, name string, r hcl.Range) {
	others := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return w == name })
	rv.Mistake(diag.ReservedName, r, fmt.Sprintf("%q is reserved; so are %s.", name, strings.Join(others, ", ")), fmt.Sprintf("Give the %s another name.", what))
}

// Once adds a name to those seen in one attribute, and reports whether it is new. It reports the mistake otherwise.
func (rv *Resolver) Once(seen Names, name string, r hcl.Range) bool {
	first, again := seen[name]
	if again {
		rv.Mistake(diag.DuplicateName, r, fmt.Sprintf("%q stands here twice.", name), fmt.Sprintf("It was first used at %s.", diag.At(first)))
		return false
	}
	seen[name] = r
	return true
}

// SortedNames returns the names in several namespaces, sorted.
func SortedNames(spaces []Names) []string {
	var all []string
	for _, n := range spaces {
		for name := range n {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// DeclareBlock adds the name in a block's header to a namespace, as Declare does.
func (rv *Resolver) DeclareBlock(n Names, b *hclsyntax.Block) bool {
	rv.CheckContext()
	return rv.Declare(n, b.Type, b.Labels[0], b.LabelRanges[0])
}

// A look is the first name with a skeleton, with its range.
type look struct {
	what, name string
	at         hcl.Range
}

// distinct reports whether a name looks different from all others of the contract.
func (rv *Resolver) distinct(what, name string, r hcl.Range) bool {
	if hclspec.Mixed(name) {
		rv.Mistake(diag.Lookalike, r, fmt.Sprintf("The name %q of this %s mixes letters of two alphabets.", name, what),
			fmt.Sprintf("They only look alike: %s. Write it in one alphabet.", hclspec.Pretenders(name)))
		return false
	}
	shape := hclspec.Skeleton(name)
	first, taken := rv.looks[shape]
	if !taken {
		rv.looks[shape] = look{what, name, r}
		return true
	}
	if first.name == name {
		return true
	}
	where := fmt.Sprintf("line %d", first.at.Start.Line)
	if first.at.Filename != r.Filename {
		where = diag.At(first.at)
	}
	rv.Mistake(diag.Lookalike, r, fmt.Sprintf("%s %q%s looks like %s %q%s, %s.", diag.Capital(what), name, inAlphabet(name), first.what, first.name, inAlphabet(first.name), where),
		fmt.Sprintf("They only look alike: in one of them, %s. Give one of them another name.", hclspec.Pretenders(name+first.name)))
	return false
}

// inAlphabet names the alphabet of a name in brackets, unless it is the Latin one.
func inAlphabet(name string) string {
	for _, r := range name {
		switch {
		case unicode.Is(unicode.Cyrillic, r):
			return " (Cyrillic)"
		case unicode.Is(unicode.Greek, r):
			return " (Greek)"
		}
	}
	return ""
}
