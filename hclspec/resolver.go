package hclspec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/redlinehq/redline/hclspec/construct"
)

// A resolver declares names, reads references to them, and keeps which mention means which declaration.
type resolver struct {
	*sink
	referred map[Reference]bool
	looks    map[string]look // names by their skeleton
}

// newResolver returns a resolver without names.
func newResolver(s *sink) *resolver { return &resolver{s, map[Reference]bool{}, map[string]look{}} }

// refer records that the mention at one range means the declaration at another.
func (rv *resolver) refer(at, to hcl.Range) {
	if to.Filename != "" { // names that the language itself declares stand nowhere
		rv.referred[Reference{at, to}] = true
	}
}

// names holds the names of one namespace, and where each was declared.
type names map[string]hcl.Range

// declare enters a name into a namespace, unless it is no name or taken.
func (rv *resolver) declare(n names, what, name string, r hcl.Range) bool {
	return rv.validName(what, name, r) && rv.vacant(n, what, name, r)
}

// vacant enters a name into a namespace, unless it is taken.
func (rv *resolver) vacant(n names, what, name string, r hcl.Range) bool {
	if first, taken := n[name]; taken {
		rv.mistake(codeDuplicateName, r, fmt.Sprintf("The name %q of this %s is taken.", name, what),
			fmt.Sprintf("It was first used at %s.", place(first)))
		return false
	}
	n[name] = r
	return true
}

// validName reports whether a text can be a name, and cannot be taken for another name of the contract.
func (rv *resolver) validName(what, name string, r hcl.Range) bool {
	switch {
	case slices.Contains(construct.Keywords, name):
		rv.mistake(codeReservedName, r, fmt.Sprintf("%q cannot be the name of a %s.", name, what),
			"These words mean something else: "+strings.Join(construct.Keywords, ", ")+".")
	case len(name) > maxName:
		rv.mistake(codeInvalidName, r, fmt.Sprintf("The name of this %s is too long.", what),
			fmt.Sprintf("A name has at most %d bytes; this one has %d.", maxName, len(name)))
	case !hclsyntax.ValidIdentifier(name) || strings.HasSuffix(name, "-") || cty.NormalizeString(name) != name:
		rv.mistake(codeInvalidName, r, fmt.Sprintf("%q cannot be the name of a %s.", name, what),
			"A name is letters, digits, - and _; it starts with a letter and does not end with -.")
	case rv.distinct(what, name, r):
		return true
	}
	rv.dropped[name] = true
	return false
}

// once enters a name into those seen in one attribute. A name that is among them is reported.
func (rv *resolver) once(seen names, name string, r hcl.Range) bool {
	first, again := seen[name]
	if again {
		rv.mistake(codeDuplicateName, r, fmt.Sprintf("%q stands here twice.", name), fmt.Sprintf("It was first used at %s.", place(first)))
		return false
	}
	seen[name] = r
	return true
}

// keys returns the names in several namespaces, sorted.
func keys(spaces []names) []string {
	var all []string
	for _, n := range spaces {
		for name := range n {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return all
}

// declareBlock enters the name in a block's header into a namespace.
func (rv *resolver) declareBlock(n names, b *hclsyntax.Block) bool {
	rv.ask()
	return rv.declare(n, b.Type, b.Labels[0], b.LabelRanges[0])
}

// A look is the first name with a skeleton, and where it is.
type look struct {
	name string
	at   hcl.Range
}

// distinct reports whether a name can be told from all others of the contract by looking at it.
func (rv *resolver) distinct(what, name string, r hcl.Range) bool {
	if Mixed(name) {
		rv.mistake(codeLookalike, r, fmt.Sprintf("The name %q of this %s mixes letters of two alphabets.", name, what),
			fmt.Sprintf("They only look alike: %s. Write it in one alphabet.", pretenders(name)))
		return false
	}
	shape := Skeleton(name)
	first, taken := rv.looks[shape]
	if !taken {
		rv.looks[shape] = look{name, r}
		return true
	}
	if first.name == name {
		return true
	}
	rv.mistake(codeLookalike, r, fmt.Sprintf("The name %q of this %s looks like another name.", name, what),
		fmt.Sprintf("The other one was first used at %s. They only look alike: in one of them, %s. Give one of them another name.", place(first.at), pretenders(name+first.name)))
	return false
}
