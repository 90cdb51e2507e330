package verify_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/imported"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
	"github.com/redlinehq/redline/engine/space"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/examples/corpus"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestExamplesThereAndBack: a contract written as a net in PNML, and that as a contract again, has the states, the dead ends and, of formulas on its places, the
// verdicts that it had. (Who is assumed to make progress is not in a net.)
func TestExamplesThereAndBack(t *testing.T) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		src, err := load.Dir(examples.FS, name, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		one := petri.One
		if n := thereAndBack(t, compile.Compile(src, name, &one)); n == 0 {
			t.Errorf("%s: no verdict was compared", name)
		}
	}
}

// TestBSPLThereAndBack is the same of the corpus' protocols.
func TestBSPLThereAndBack(t *testing.T) {
	draws.SkipForRaces(t)
	files, err := filepath.Glob(corpus.Need(t, "corpus/bspl") + "/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal("no protocols")
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var p protocol
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		if p.States > 300 && !draws.All() {
			continue
		}
		if n := thereAndBack(t, testkit.DraftOf(t, p.hcl(t))); n == 0 {
			t.Errorf("%s: no verdict was compared", file)
		}
	}
}

func thereAndBack(t *testing.T, d *compile.Draft) (compared int) {
	t.Helper()
	r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1, Engine: finding.Explicit})
	net, _, err := verify.Plain(context.Background(), d, finding.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	there := importedNet(t, net)
	if have := there.Check(context.Background(), finding.Budget{Engine: finding.Explicit}); testkit.Size(have) != testkit.Size(r) {
		t.Errorf("%s: %s, as a net %s", d.Path, testkit.Size(r), testkit.Size(have))
	}
	back := contractOf(t, there)
	sameNet(t, net, back)
	g, err := verify.Explore(context.Background(), back, finding.Budget{})
	if err != nil {
		t.Fatal(err)
	}
	if have := fmt.Sprintf("%d states, %d arcs, %d dead ends", g.Len(), g.Arcs(), g.DeadEnds()); have != testkit.Size(r) {
		t.Errorf("%s: %s, there and back %s", d.Path, testkit.Size(r), have)
	}
	at := placesInOrder(back)
	for i, q := range r.Requirements {
		if len(q.Assuming) > 0 {
			continue
		}
		if d.Recalls(d.Formulas[i]) {
			continue // nets have no history
		}
		f := moved(d.Formulas[i], func(p int) int { return at[p] })
		holds, err := ctl.New[space.Set](g.Sets()).Holds(context.Background(), f)
		if err != nil || holds != (q.Verdict == finding.Holds) {
			t.Errorf("%s, %s: %s, there and back %v (%v)", d.Path, q.Name, q.Verdict, holds, err)
		}
		compared++
	}
	return compared
}

// importedNet is a net written as PNML and read.
func importedNet(t *testing.T, n *petri.Net) *imported.Imported {
	t.Helper()
	var b bytes.Buffer
	if err := pnml.Write(&b, n, "A <title> & \"more\"\x01", nil); err != nil {
		t.Fatal(err)
	}
	there, err := imported.Import(context.Background(), "n.pnml", &b)
	if err != nil {
		t.Fatal(err)
	}
	return there
}

// contractOf is the contract that a net is written as.
func contractOf(t *testing.T, n *imported.Imported) *compile.Draft {
	t.Helper()
	text, _, err := n.Contract()
	if err != nil {
		t.Fatal(err)
	}
	return testkit.DraftOf(t, string(text))
}

// placesInOrder finds the places of an imported net's contract, which stand in the net's order.
func placesInOrder(d *compile.Draft) []int {
	index := map[string]int{}
	for i, p := range d.Net.Places {
		index[p.Name] = i
	}
	var at []int
	for _, p := range d.Spec.Parties[0].Places {
		at = append(at, index[p.Name])
	}
	return at
}

// sameNet wants a contract of one party to be a net, arc by arc.
func sameNet(t *testing.T, n *petri.Net, back *compile.Draft) {
	t.Helper()
	at := placesInOrder(back)
	if len(at) != len(n.Places) || len(back.Net.Places) != len(n.Places) || len(back.Net.Transitions) != len(n.Transitions) {
		t.Fatalf("%d places, %d transitions; there and back %d, %d", len(n.Places), len(n.Transitions), len(back.Net.Places), len(back.Net.Transitions))
	}
	there := func(places []int) []int {
		var list []int
		for _, p := range places {
			list = append(list, at[p])
		}
		slices.Sort(list)
		return list
	}
	if !slices.Equal(there(n.Initial), back.Net.Initial) {
		t.Fatalf("marked %v, there and back %v", there(n.Initial), back.Net.Initial)
	}
	arcs := map[string]int{}
	for _, tr := range n.Transitions {
		arcs[fmt.Sprint(there(tr.In), there(tr.Out), there(tr.Read))]++
	}
	for _, tr := range back.Net.Transitions {
		arcs[fmt.Sprint(tr.In, tr.Out, tr.Read)]--
	}
	for _, key := range slices.Sorted(maps.Keys(arcs)) {
		if arcs[key] != 0 {
			t.Fatalf("transitions %s: %d more than there and back", key, arcs[key])
		}
	}
}

// moved is a formula about other places.
func moved(f *ctl.Formula, to func(int) int) *ctl.Formula {
	if f == nil {
		return nil
	}
	if f.Means != nil {
		return moved(f.Means, to)
	}
	g := *f
	g.Left, g.Right = moved(f.Left, to), moved(f.Right, to)
	if f.Op == ctl.Atom {
		g.Place = to(f.Place)
		g.Name = fmt.Sprint("#", g.Place)
	}
	return &g
}

// TestNetsThereAndBack: every net of the corpus (with REDLINE_HEAVY; else the small ones), written and read again, is the net it was; and so is the contract it is written as. So whatever can be found out of it stays.
func TestNetsThereAndBack(t *testing.T) {
	draws.SkipForRaces(t)
	corpus.Need(t, "corpus/ibm")
	nets := corpusNets(t)
	if len(nets) == 0 {
		t.Fatal("no nets")
	}
	for _, name := range slices.Sorted(maps.Keys(nets)) {
		first, err := imported.Import(t.Context(), name, bytes.NewReader(nets[name]))
		if err != nil {
			t.Fatal(err)
		}
		n, _, err := first.Net()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(n.Transitions) > 60 && !draws.All() {
			continue // it takes a while
		}
		again, _, err := importedNet(t, named(n)).Net()
		if err != nil || fmt.Sprint(again.Initial, again.Transitions) != fmt.Sprint(n.Initial, underNames(n, again)) || len(again.Places) != len(n.Places) {
			t.Errorf("%s is another net, written and read: %v", name, err)
		}
		text, notes, err := first.Contract()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		started := *n
		if len(notes) > 0 && strings.HasPrefix(notes[0], "no place is marked") {
			started.Initial = sources(n)
		}
		sameNet(t, named(&started), testkit.DraftOf(t, string(text)))
	}
}

// named is a net whose places are called as they are in the text.
func named(n *petri.Net) *petri.Net {
	m := *n
	m.Places = slices.Clone(n.Places)
	for i := range m.Places {
		m.Places[i].Net = ""
	}
	return &m
}

// underNames are a net's transitions under the names of another.
func underNames(n, other *petri.Net) []petri.Transition {
	list := slices.Clone(n.Transitions)
	for i := range list {
		list[i].Name = other.Transitions[i].Name
	}
	return list
}

func sources(n *petri.Net) []int {
	var list []int
	for p := range n.Places {
		if !slices.ContainsFunc(n.Transitions, func(t petri.Transition) bool { return slices.Contains(t.Out, p) || slices.Contains(t.Read, p) }) {
			list = append(list, p)
		}
	}
	return list
}

// corpusNets are the texts of all nets, by file.
func corpusNets(t *testing.T) map[string][]byte {
	t.Helper()
	nets := map[string][]byte{}
	var files []string
	for _, pattern := range []string{"*.pnml", "*.tgz"} {
		some, err := filepath.Glob(corpus.Path("corpus/*/" + pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, some...)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(file) {
		case ".pnml":
			nets[filepath.Base(file)] = raw
		case ".tgz":
			nets[filepath.Base(file)] = unpackedNet(t, raw)
		}
	}
	return nets
}

func unpackedNet(t *testing.T, raw []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			t.Fatal("there is no net in the archive")
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, ".pnml") {
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return text
		}
	}
}

// TestContractOfOddNets: what a net may have and a contract may not.
func TestContractOfOddNets(t *testing.T) {
	draws.SkipForRaces(t)
	for text, want := range map[string]string{
		`<place id="for"/><place id="for-2"/><place id="a b"/><place id="a.b"/><place id="-"/><transition id="1"/><arc source="1" target="for"/>`: "place \"for-2-2\"",
		`<transition id="t"/>`: "read = [always]",
		`<place id="p"><name><text>` + strings.Repeat("x", 60_000) + "${evil}\u202e" + `</text></name></place><transition id="t"/><arc source="p" target="t"/>`: "place \"p\"",
		`<place id="i"/><place id="o"/><transition id="t"/><arc source="i" target="t"/><arc source="t" target="o"/>`:                                            "place \"i\" { marked = true }",
	} {
		n, err := imported.Import(t.Context(), "n.pnml", strings.NewReader("<pnml><net>"+text+"</net></pnml>"))
		if err != nil {
			t.Fatal(err)
		}
		out, _, err := n.Contract()
		if err != nil || !strings.Contains(string(out), want) || len(out) > 5_000 {
			t.Errorf("%.100s: %v\n%.2000s, expected %s", text, err, out, want)
		}
		_ = testkit.DraftOf(t, string(out))
	}
	var many strings.Builder
	for i := range 7_000 {
		fmt.Fprintf(&many, `<place id="%s-%d"/>`, strings.Repeat("long-", 30), i)
	}
	for text, want := range map[string]string{"": "neither places nor transitions", `<place id="p"/><place id="p"/>`: "not unique", many.String(): "can't be written as a contract"} {
		n, err := imported.Import(t.Context(), "n.pnml", strings.NewReader("<pnml><net>"+text+"</net></pnml>"))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := n.Contract(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, expected %s", err, want)
		}
	}
}

// TestPlainRefuses: what a net can't say is refused.
func TestPlainRefuses(t *testing.T) {
	d := testkit.DraftOf(t, "contract \"c\" {\n  firing = all\n}\nparty \"p\" {\n  state \"a\" {}\n}\n")
	if _, _, err := verify.Plain(t.Context(), d, finding.Budget{}); err == nil || !strings.Contains(err.Error(), "--firing one") {
		t.Error(err)
	}
	n := &petri.Net{Places: make([]petri.Place, 3), Initial: []int{0, 1}, Transitions: []petri.Transition{
		{Name: "t", In: []int{0}, Moves: []petri.Move{{From: 1, To: 2}}}, {Name: "u", In: []int{1}}}}
	if _, err := n.Plain(absent, 10, nil); err == nil || !strings.Contains(err.Error(), "no state machine of its own") {
		t.Error(err)
	}
	if err := pnml.Write(io.Discard, n, "", nil); err == nil || !strings.Contains(err.Error(), "not written out") {
		t.Error(err)
	}
}
