package diff_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/redlinehq/redline/engine/compare"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/delta"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/construct"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// A site is one attribute of a text, or a place for it in a block that lacks it.
type site struct {
	text           *string
	kind, element  string // the block's type, and the name of its element in a report
	attribute      string
	from, to       int // of the value; where it could stand
	whole          [2]int
	declared       []string        // names of the text
	base           **compile.Draft // of the text; nil: not read yet
	lacks, through bool            // it acts through other elements: a template, a variable
}

// An amended is a site with another value.
type amended struct {
	site
	old, new string // what differs within the value; empty: all of it
	head     string
}

// words are the terms by which a report may name an attribute.
func (s *site) words() []string {
	switch s.kind {
	case "contract":
		if s.attribute == "calendar" {
			return []string{"calendar", "holidays"}
		}
	case "requirement":
		if !slices.Contains([]string{"assuming", "rests_on"}, s.attribute) {
			return []string{"formula"}
		}
	case "scenario":
		return []string{"scenario"}
	case "transition":
		if slices.Contains([]string{"from", "to", "read"}, s.attribute) {
			return []string{"from", "to", "read"}
		}
		if slices.Contains([]string{"consume", "produce"}, s.attribute) {
			return []string{"consume", "produce", "read"}
		}
		if slices.Contains([]string{"set", "require"}, s.attribute) {
			return []string{"set", "require"}
		}
	case "party", "net":
		return []string{"count", "for_each"}
	}
	return []string{s.attribute}
}

// names reports whether a change is about the element of a site, and names its attribute.
func (s *site) names(c diff.Change) bool {
	element := map[string]string{"scenario": "requirement", "accept": "acceptance", "retire": "acceptance"}[s.kind]
	if element == "" {
		element = s.kind
	}
	name := s.element
	if s.attribute == "final" {
		element, name = "final states", ""
	}
	if c.Element.String() != element || name != c.Name && name != c.Was && s.kind != "accept" {
		return false
	}
	return c.Action != diff.Rewired || slices.ContainsFunc(c.Terms, func(t diff.Term) bool { return slices.Contains(s.words(), t.Word) && t.Was != t.Now })
}

// sitesOf lists the attributes in a text, and those of the table that its blocks lack.
func sitesOf(text *string) (all []site) {
	f, diags := hclsyntax.ParseConfig([]byte(*text), "c", hcl.InitialPos)
	if diags.HasErrors() {
		panic(diags)
	}
	var visit func(b *hclsyntax.Block, parent string, through bool)
	visit = func(b *hclsyntax.Block, parent string, through bool) {
		through = through || slices.Contains([]string{"template", "phase", "variable", "locals", "validation", "parameter"}, b.Type)
		name := strings.Join(b.Labels, ".")
		switch {
		case b.Type == "waiver":
			name = parent
		case b.Type == "retire":
			name = "retire " + name
		case parent != "":
			name = parent + "." + name
		}
		for _, attribute := range construct.Blocks[b.Type].Attributes {
			s := site{text: text, kind: b.Type, element: name, attribute: attribute, through: through}
			if a := b.Body.Attributes[attribute]; a != nil {
				r := a.Expr.Range()
				s.from, s.to, s.whole = r.Start.Byte, r.End.Byte, [2]int{a.SrcRange.Start.Byte, a.SrcRange.End.Byte}
			} else {
				s.lacks, s.from = true, b.OpenBraceRange.End.Byte
			}
			all = append(all, s)
		}
		for _, inner := range b.Body.Blocks {
			visit(inner, name, through)
		}
	}
	for _, b := range f.Body.(*hclsyntax.Body).Blocks {
		visit(b, "", false)
	}
	return all
}

var tokens = regexp.MustCompile(`\d+|[A-Za-z][\w-]*`)

// amendments lists what becomes of a text by one change of a site: the attribute left out, a number or name in it exchanged, or the value that
// the attribute has elsewhere. values are those, by attribute; names are those of the text.
func (s site) amendments(values map[string][]string, names []string) (all []amended) {
	text := *s.text
	value := text[s.from:max(s.from, s.to)]
	if s.lacks {
		for _, v := range values[s.attribute] {
			all = append(all, amended{s, "", "", text[:s.from] + "\n" + s.attribute + " = " + v + "\n" + text[s.from:]})
		}
		return all
	}
	all = append(all, amended{s, "", "", text[:s.whole[0]] + text[s.whole[1]:]})
	for _, v := range values[s.attribute] {
		if v != value {
			all = append(all, amended{s, "", "", text[:s.from] + v + text[s.to:]})
		}
	}
	for _, at := range tokens.FindAllStringIndex(value, -1) {
		old := value[at[0]:at[1]]
		var others []string
		if n := 0; old[0] <= '9' {
			_, _ = fmt.Sscan(old, &n)
			others = []string{fmt.Sprint(n + 1), fmt.Sprint(max(n-1, 0)), fmt.Sprint(n + 7)}
		} else {
			others = names
		}
		for _, other := range others {
			if other != old {
				all = append(all, amended{s, old, other, text[:s.from] + value[:at[0]] + other + value[at[1]:] + text[s.to:]})
			}
		}
	}
	return all
}

// unnamed returns what a report of the change lacks; empty: nothing. same says that the meaning is the same, met that the text has one.
func (a *amended) unnamed(base *compile.Draft) (lack string, same, met bool) {
	src := sourceOf(a.head)
	if src.Contract == nil {
		return "", false, false
	}
	head := compile.Compile(src, "x", nil)
	if slices.Contains(head.Formulas, nil) {
		return "", false, false
	}
	if head.Digest == base.Digest {
		return "", true, true
	}
	if draws.All() || a.from%4 == 0 {
		if wrong, _ := misjudged(base, head); wrong != "" {
			return wrong, false, true
		}
	}
	changes, _ := diff.Changes(base.Spec, head.Spec)
	if len(changes) == 0 || !a.through && !slices.ContainsFunc(changes, a.site.names) {
		return testkit.ChangesSaid(changes), false, true
	}
	if a.through || a.old == "" || a.otherwise() || !slices.ContainsFunc(changes, func(c diff.Change) bool { return c.Action == diff.Rewired }) {
		return "", false, true
	}
	has := func(text, word string) bool { return slices.Contains(tokens.FindAllString(text, -1), word) }
	for _, c := range changes {
		for _, term := range c.Terms {
			if a.site.names(c) && slices.Contains(a.words(), term.Word) && has(term.Was, a.old) && has(term.Now, a.new) {
				return "", false, true
			}
		}
	}
	return "Its old value or its new one is not told:\n" + testkit.ChangesSaid(changes), false, true
}

// misjudged compares what a review says of the behaviour of two versions with definitions taken at their word; empty: it is so. asked is false for
// versions that are large or ill-formed, or in which something is renamed.
func misjudged(base, head *compile.Draft) (wrong string, asked bool) {
	changes, _ := diff.Changes(base.Spec, head.Spec)
	if base.Rule != petri.One || head.Rule != petri.One || slices.ContainsFunc(changes, func(c diff.Change) bool { return c.Action == diff.Renamed }) {
		return "", false
	}
	timed := func(d *compile.Draft) bool {
		return slices.ContainsFunc(d.Spec.Parties, func(p *hclspec.Party) bool { return p.Name == "time" && p.Made != "" })
	}
	times := timed(base) || timed(head)
	was, now := testkit.LabelledOf(base, "", times, 24, nil), testkit.LabelledOf(head, "", times, 24, nil)
	if was == nil || now == nil {
		return "", false
	}
	review, _ := compare.Compared(context.Background(), base, head, finding.Budget{Jobs: 1})
	if review.Difference == nil || review.Difference.All.Relation == delta.Unknown {
		return "", false
	}
	if naively := testkit.RelationOfLabelled(was, now); review.Difference.All.Same() != (naively == delta.Same) {
		return fmt.Sprintf("the same is possible and owed: %t; naively: %s\n%s", review.Difference.All.Same(), naively, testkit.ChangesSaid(changes)), true
	}
	return "", true
}

// otherwise reports whether a report words values otherwise than the source: ticks of a scenario together, a bound of a counter as the last
// number within it, a guard that set implies not at all, and what is computed as its result.
func (a *amended) otherwise() bool {
	return a.attribute == "events" || a.attribute == "when" || a.attribute == "only_while" && a.old[0] <= '9' || strings.Contains((*a.text)[a.from:a.to], "count.index")
}

// wholeTexts are contracts in one file each: the examples, those of the pages, and one of all that these lack.
func wholeTexts(t *testing.T) (all []string) {
	t.Helper()
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	rest, err := os.ReadFile("testdata/rest.contract.hcl")
	if err != nil {
		t.Fatal(err)
	}
	all = []string{everything, string(rest)}
	for _, name := range names {
		all = append(all, wholeExample(t, name))
	}
	pages, err := filepath.Glob("../../hclspec/codes/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../hclspec/README.md") {
		raw, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("(?s)```hcl\n(.*?)```").FindAllStringSubmatch(string(raw), -1) {
			text := m[1]
			if !strings.Contains("\n"+text, "\ncontract ") {
				text = "contract \"x\" {}\n" + text
			}
			if _, diags := hclsyntax.ParseConfig([]byte(text), "c", hcl.InitialPos); !diags.HasErrors() {
				if src := sourceOf(text); src.Contract != nil && !slices.Contains(compile.Compile(src, "x", nil).Formulas, nil) {
					all = append(all, text)
				}
			}
		}
	}
	return all
}

// TestChangedAttributesAreNamed: where one attribute of a contract is changed, its meaning stays, or a report of the changes names that attribute
// at the element where it was changed, with the old value and the new one. Every attribute of the language is met.
func TestChangedAttributesAreNamed(t *testing.T) {
	texts := wholeTexts(t)
	values, sites := map[string][]string{}, map[string][]site{}
	bases := make([]*compile.Draft, len(texts))
	for i := range texts {
		names := declared(texts[i])
		for _, s := range sitesOf(&texts[i]) {
			s.base, s.declared = &bases[i], names
			sites[s.kind+" "+s.attribute] = append(sites[s.kind+" "+s.attribute], s)
			if v := texts[i][s.from:max(s.from, s.to)]; !s.lacks && !slices.Contains(values[s.attribute], v) {
				values[s.attribute] = append(values[s.attribute], v)
			}
		}
	}
	wanted := 1
	if draws.All() {
		wanted = 400
	}
	for kind, b := range construct.Blocks {
		for _, attribute := range b.Attributes {
			seed := rand.New(rand.NewPCG(1, uint64(len(kind)*100+len(attribute))))
			list := sites[kind+" "+attribute]
			seed.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			slices.SortStableFunc(list, func(a, b site) int { // those that are there first, of the small texts first
				return cmp.Or(compareBools(a.lacks, b.lacks), cmp.Compare(len(*a.text)/2_000, len(*b.text)/2_000))
			})
			met := 0
			for _, s := range list {
				if met >= wanted {
					break
				}
				some := s.amendments(values, s.declared)
				seed.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
				of := 0 // of this site
				for _, a := range some {
					if met >= wanted || of > wanted/9 {
						break
					}
					if *s.base == nil {
						*s.base = testkit.DraftOf(t, *s.text)
					}
					lack, same, ok := a.unnamed(*s.base)
					if lack != "" {
						t.Errorf("%s %s: %s, %q -> %q\n%s", s.kind, s.element, s.attribute, a.old, a.new, lack)
					}
					if ok && (!same || silent(kind, attribute)) {
						met, of = met+1, of+1
					}
				}
			}
			if met == 0 && (kind != "template" || attribute != "source" && attribute != "digest") { // what is in another directory
				t.Errorf("%s: no text with another %s was met", kind, attribute)
			}
		}
	}
}

func compareBools(a, b bool) int {
	if a == b {
		return 0
	}
	return map[bool]int{true: 1, false: -1}[a]
}

// silent reports whether a change of an attribute alone changes no meaning: what is said for people, and the conditions of values.
func silent(kind, attribute string) bool {
	return slices.Contains([]string{"title", "description", "clause", "reason", "type", "error_message", "condition"}, attribute) || kind == "variable" || kind == "retire" && attribute == "contract"
}
