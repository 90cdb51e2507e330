package report

import (
	"cmp"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode"

	"golang.org/x/tools/txtar"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/escape"
	"github.com/redlinehq/redline/report/markdown"
	"github.com/redlinehq/redline/report/words"
)

// A wanted drawing, and the words that it has to show.
type wanted struct {
	what, text string
	says       []string
}

// TestPicturesInABrowser has every picture of every example drawn, and 200 hostile labels in every place where a label can stand.
func TestPicturesInABrowser(t *testing.T) {
	b := browserFor(t)
	all := slices.Concat(exampleViews(t), exampleReviews(t), goldenPictures(t), hostilePictures())
	var texts []string
	for _, w := range all {
		texts = append(texts, w.text)
	}
	for i, d := range b.draw(t, texts) {
		all[i].judge(t, d)
	}
	t.Logf("%d pictures", len(all))
}

// active elements are none that mermaid draws by itself.
var active = []string{"script", "img", "image", "a", "iframe", "object", "embed", "form", "input", "details", "video", "audio", "link", "meta"}

func (w wanted) judge(t *testing.T, d drawing) {
	t.Helper()
	if d.Error != "" {
		t.Errorf("%s: %s\n%s", w.what, d.Error, w.text)
		return
	}
	for _, tag := range d.Tags {
		if slices.Contains(active, tag) {
			t.Errorf("%s: the picture has an element %s\n%s", w.what, tag, w.text)
		}
	}
	for _, says := range w.says {
		if says = unspaced(says); !strings.Contains(unspaced(d.Text), says) {
			t.Errorf("%s does not say %q but\n%s\n%s", w.what, says, d.Text, w.text)
		}
	}
}

func unspaced(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || string(r) == escape.ZeroWidthSpace {
			return -1
		}
		return r
	}, s)
}

// wantedOf wants a graph drawn with all its labels.
func wantedOf(what string, g draw.Graph) []wanted {
	text := draw.Mermaid(g)
	if text == "" {
		return nil // larger than Mermaid draws, and so nobody is shown it
	}
	w := wanted{what: what, text: text, says: []string{escape.Visible(g.Note, draw.TitleLength)}}
	for _, n := range g.Nodes {
		w.says = append(w.says, strings.Join(n.Lines(), ""), escape.Visible(g.Head(n.Cluster), escape.LabelLength))
	}
	for _, e := range g.Edges {
		for _, text := range append([]string{draw.Label(e.Label, e.Change)}, e.More...) {
			w.says = append(w.says, escape.Visible(text, escape.LabelLength))
		}
	}
	return []wanted{w}
}

// exampleViews are the views of every example, its composed net and its states, and the runs of what a check says.
func exampleViews(t *testing.T) []wanted {
	t.Helper()
	var all []wanted
	for _, d := range drafts(t, examples.FS) {
		for _, p := range d.Spec.Parties {
			all = append(all, wantedOf(d.Path+", "+p.Name, draw.Party(d, p))...)
		}
		all = append(all, wantedOf(d.Path+", composed", draw.Composed(d))...)
		model, err := verify.Explore(t.Context(), d, finding.Budget{States: 2000})
		if err == nil {
			all = append(all, wantedOf(d.Path+", states", draw.States(d, model))...)
			g, _, err := draw.Collapsed(t.Context(), d, model, "", nil)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, wantedOf(d.Path+", collapsed", g)...)
		}
		all = append(all, inMarkdown(d.Path+", check", markdown.Results(engine.CheckAll(t.Context(), []*compile.Draft{d}, finding.Budget{Jobs: 2})))...)
	}
	if len(all) < 30 {
		t.Errorf("only %d views", len(all))
	}
	return all
}

func drafts(t *testing.T, files fs.FS) []*compile.Draft {
	t.Helper()
	all, err := engine.Tree{FS: files, Root: "."}.Drafts(t.Context(), nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// captioned finds the texts of a sequence diagram's messages and of a flowchart's labels, as far as they are plain.
var captioned = regexp.MustCompile(`(?m)^ +p\d+->>?p\d+: \d+\. ([A-Za-z0-9 _.,]+)$|"([A-Za-z0-9 _.,]+)"`)

func inMarkdown(what, markdown string) []wanted {
	var all []wanted
	for i, block := range blocks(markdown) {
		w := wanted{what: fmt.Sprintf("%s, picture %d", what, i+1), text: block}
		for _, m := range captioned.FindAllStringSubmatch(block, -1) {
			w.says = append(w.says, cmp.Or(m[1], m[2]))
		}
		all = append(all, w)
	}
	return all
}

// exampleReviews are the pictures in the reviews of the amendments that the scripts of cmd/redline make to examples.
func exampleReviews(t *testing.T) []wanted {
	t.Helper()
	var all []wanted
	for _, name := range amendments(t) {
		all = append(all, inMarkdown(name, markdown.Review(amended(t, name)))...)
	}
	if len(all) < 15 {
		t.Errorf("only %d pictures in reviews", len(all))
	}
	return all
}

const scripts = "../cmd/redline/testdata/script"

func amendments(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, kind := range []string{"amendment", "mistake"} {
		files, err := filepath.Glob(filepath.Join(scripts, kind+"-*.txtar"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no scripts: %v", err)
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(filepath.Base(f), ".txtar"))
		}
	}
	return names
}

var (
	initLine = regexp.MustCompile(`(?m)^exec redline init --example (\S+) (\S+)$`)
	editLine = regexp.MustCompile(`(?m)^edit (\S+) '((?:[^']|'')*)' '((?:[^']|'')*)'$`)
)

// amended is the review of the amendment that a script makes.
func amended(t *testing.T, script string) *finding.Review {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(scripts, script+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	commands := string(txtar.Parse(raw).Comment)
	began := initLine.FindStringSubmatch(commands)
	if began == nil {
		t.Fatalf("%s starts from no example", script)
	}
	base, head := fstest.MapFS{}, fstest.MapFS{}
	entries, err := examples.FS.ReadDir(began[1])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := examples.FS.ReadFile(began[1] + "/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		base[began[2]+"/"+e.Name()], head[began[2]+"/"+e.Name()] = &fstest.MapFile{Data: text}, &fstest.MapFile{Data: text}
	}
	replace := func(file, old, text string) {
		if head[file] == nil || strings.Count(string(head[file].Data), old) != 1 {
			t.Fatalf("%s: %q is not in %s once", script, old, file)
		}
		head[file] = &fstest.MapFile{Data: []byte(strings.Replace(string(head[file].Data), old, text, 1))}
	}
	as, made := strings.NewReplacer(`\n`, "\n", "''", "'"), 0
	for _, edit := range editLine.FindAllStringSubmatch(commands, -1) {
		replace(edit[1], as.Replace(edit[2]), as.Replace(edit[3]))
		made++
	}
	for _, a := range examples.Amendments {
		if !strings.Contains(commands, "\namend "+a.Name+" "+began[2]+"\n") {
			continue
		}
		for _, e := range a.Edits {
			replace(began[2]+"/"+e.File, e.Old, e.New)
			made++
		}
	}
	if made == 0 {
		t.Fatalf("%s amends nothing", script)
	}
	return reviewOf(t, base, head)
}

func reviewOf(t *testing.T, base, head fs.FS) *finding.Review {
	t.Helper()
	return &finding.Review{Base: "main", Head: "HEAD", Contracts: engine.CompareAll(t.Context(), drafts(t, base), drafts(t, head), finding.Budget{Jobs: 2})}
}

// goldenPictures are those of this package's samples, texts from strangers among them.
func goldenPictures(t *testing.T) []wanted {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var all []wanted
	for _, f := range files {
		archive, err := txtar.ParseFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, phase := range archive.Files {
			all = append(all, inMarkdown(f+", "+phase.Name, string(phase.Data))...)
		}
	}
	return all
}

// hostileLabels are what strangers try, alone and put together: the same 200 every time.
func hostileLabels() []string {
	all := slices.Clone(nasty)
	dice := rand.New(rand.NewPCG(1, 2))
	for len(all) < 200 {
		all = append(all, nasty[dice.IntN(len(nasty))]+[]string{"", " ", "\n", ";"}[dice.IntN(4)]+nasty[dice.IntN(len(nasty))])
	}
	return all
}

// atOnce is how many hostile labels are in one picture.
const atOnce = 5

// hostilePictures have every label in every place of both kinds of picture.
func hostilePictures() []wanted {
	var all []wanted
	for i, labels := range slices.Collect(slices.Chunk(hostileLabels(), atOnce)) {
		what := fmt.Sprintf("hostile labels from %d", i*atOnce)
		var g draw.Graph
		var run finding.Trace
		says := []string{}
		for j, s := range labels {
			a, b, c := fmt.Sprint("a", j), fmt.Sprint("b", j), fmt.Sprint("c", j)
			g.Nodes = append(g.Nodes, draw.GraphNode{ID: a, Label: s, Cluster: s, Marked: true},
				draw.GraphNode{ID: b, Label: s, More: []string{s}, Shape: draw.Box, Change: draw.Gone}, draw.GraphNode{ID: c, Label: s, Shape: draw.Square, Change: draw.Appeared})
			g.Edges = append(g.Edges, draw.GraphEdge{From: a, To: b, Label: s, Change: draw.Gone}, draw.GraphEdge{From: b, To: c, Label: s, More: []string{s}},
				draw.GraphEdge{From: c, To: c, Label: s + "1"}, draw.GraphEdge{From: c, To: c, Label: s + "2", Change: draw.Gone})
			f := finding.Firing{Step: 2*j + 1, Title: s, Parties: []string{s, s + "2"}}
			run.Prefix = append(run.Prefix, f, finding.Firing{Step: 2*j + 2, Title: s, Parties: []string{s}})
			says = append(says, escape.Visible(words.Caption(f), escape.LabelLength), escape.Visible(s+"2", escape.LabelLength))
		}
		all = append(all, wantedOf(what+" in a graph", g)...)
		all = append(all, wanted{what + " in a run", draw.SequenceDiagram(&run, nil), says})
	}
	return all
}
