package verify_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
)

// A protocol of the BSPL library, as the corpus has it.
type protocol struct {
	Name      string
	Published struct{ Safe, Live bool }
	States    int64
	Arcs      int64
	DeadEnds  int64 `json:"dead_ends"`
	Nets      map[string]struct {
		Marked      []string
		Transitions map[string]struct{ Pre, Post []string }
	}
	Events       map[string]map[string]labels
	SafeFormulas []string `json:"safe_formulas"`
	LiveFormula  string   `json:"live_formula"`
}

// labels is one transition, or several that carry one label.
type labels []string

func (l *labels) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		*l = labels{one}
		return nil
	}
	return json.Unmarshal(raw, (*[]string)(l))
}

// TestBSPL writes every protocol of the corpus as a contract, reads it back and checks it.
func TestBSPL(t *testing.T) {
	files, err := filepath.Glob(corpus.Need(t, "corpus/bspl") + "/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatal("no protocols")
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var p protocol
			if err := json.Unmarshal(raw, &p); err != nil {
				t.Fatal(err)
			}
			p.test(t)
		})
	}
}

func (p protocol) test(t *testing.T) {
	text := p.hcl(t)
	r := testkit.Check(t, fstest.MapFS{"p.contract.hcl": {Data: []byte(text)}}, petri.One)
	want := fmt.Sprintf("%d states, %d arcs, %d dead ends", p.States, p.Arcs, p.DeadEnds)
	if got := testkit.Size(r); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	safe := true
	for i := range p.SafeFormulas {
		safe = decided(t, r, fmt.Sprintf("safe%d", i)) && safe
	}
	if safe != p.Published.Safe {
		t.Errorf("safe: %t, published %t", safe, p.Published.Safe)
	}
	if live := decided(t, r, "live"); live != p.Published.Live {
		t.Errorf("live: %t, published %t", live, p.Published.Live)
	}
}

func decided(t *testing.T, r *finding.Result, name string) bool {
	t.Helper()
	q := testkit.Requirement(t, r, name)
	if q.Verdict != finding.Holds && q.Verdict != finding.Violated {
		t.Errorf("%s: %s: %s", name, q.Verdict, q.Reason)
	}
	return q.Verdict == finding.Holds
}

// identifier turns the corpus's names, which have dots, into names of the language.
func identifier(name string) string {
	id := regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(name, "_")
	if !regexp.MustCompile(`^[A-Za-z]`).MatchString(id) {
		id = "n" + id
	}
	return id
}

// hcl writes the protocol as a contract.
func (p protocol) hcl(t *testing.T) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract %q {}\n", identifier(p.Name))
	holder := map[string]string{} // place -> net.place
	label := p.labels(t)
	for _, net := range slices.Sorted(maps.Keys(p.Nets)) {
		n := p.Nets[net]
		fmt.Fprintf(&b, "net %q {\n", identifier(net))
		places := slices.Clone(n.Marked)
		for _, tr := range n.Transitions {
			places = append(append(places, tr.Pre...), tr.Post...)
		}
		places = append(places, p.onlyNamed(net)...)
		slices.Sort(places)
		for _, place := range slices.Compact(places) {
			holder[place] = identifier(net) + "." + identifier(place)
			fmt.Fprintf(&b, "  place %q { marked = %t }\n", identifier(place), slices.Contains(n.Marked, place))
		}
		for _, name := range slices.Sorted(maps.Keys(n.Transitions)) {
			tr := n.Transitions[name]
			fmt.Fprintf(&b, "  transition %q {\n    consume = [%s]\n    produce = [%s]\n", identifier(name), list(tr.Pre), list(tr.Post))
			if l := label[net+"/"+name]; l != "" {
				fmt.Fprintf(&b, "    label = %s\n", l)
			}
			b.WriteString("  }\n")
		}
		p.impossible(&b, net)
		b.WriteString("}\n")
	}
	p.events(&b)
	for i, f := range p.SafeFormulas {
		fmt.Fprintf(&b, "requirement \"safe%d\" {\n  table1 = %q\n}\n", i, rename(f, holder))
	}
	fmt.Fprintf(&b, "requirement \"live\" {\n  table1 = %q\n}\n", rename(p.LiveFormula, holder))
	return b.String()
}

// onlyNamed lists places of a net that formulas name but no transition touches.
func (p protocol) onlyNamed(net string) []string {
	var places []string
	for _, f := range append(slices.Clone(p.SafeFormulas), p.LiveFormula) {
		for _, word := range words.FindAllString(f, -1) {
			if strings.HasPrefix(word, net+".") {
				places = append(places, word)
			}
		}
	}
	return places
}

var words = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_.-]*`)

// impossible gives a net that an event concerns without any transition one that can't fire: the
// language refuses an event that can't happen, and the corpus has one.
func (p protocol) impossible(b *strings.Builder, net string) {
	for _, event := range slices.Sorted(maps.Keys(p.Events)) {
		if l, concerned := p.Events[event][net]; concerned && len(l) == 0 {
			fmt.Fprintf(b, "  place \"never\" {}\n  transition %q { consume = [never] }\n", labelOf(l))
			return
		}
	}
}

func list(names []string) string {
	var ids []string
	for _, n := range names {
		ids = append(ids, identifier(n))
	}
	return strings.Join(ids, ", ")
}

// labels gives transitions that events list together a label of their own.
func (p protocol) labels(t *testing.T) map[string]string {
	label := map[string]string{}
	for event, sync := range p.Events {
		for net, transitions := range sync {
			for _, tr := range transitions {
				key := net + "/" + tr
				if l := label[key]; l != "" && l != labelOf(transitions) {
					t.Fatalf("%s: %s carries two labels, which the language has no words for", event, key)
				}
				label[key] = labelOf(transitions)
			}
		}
	}
	return label
}

func labelOf(l labels) string {
	return "l_" + identifier(strings.Join(slices.Sorted(slices.Values(l)), "_"))
}

func (p protocol) events(b *strings.Builder) {
	for _, event := range slices.Sorted(maps.Keys(p.Events)) {
		fmt.Fprintf(b, "event %q {\n  sync = {\n", identifier(event))
		for _, net := range slices.Sorted(maps.Keys(p.Events[event])) {
			fmt.Fprintf(b, "    %s = %s\n", identifier(net), labelOf(p.Events[event][net]))
		}
		b.WriteString("  }\n}\n")
	}
}

// rename puts every place of a formula under the net that has it.
func rename(formula string, holder map[string]string) string {
	return words.ReplaceAllStringFunc(formula, func(word string) string {
		if name, ok := holder[word]; ok {
			return name
		}
		return word
	})
}
