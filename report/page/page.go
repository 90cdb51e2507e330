package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/report/draw"
	"github.com/redlinehq/redline/report/words"
)

// About is what a page says of itself.
type About struct {
	Version     string // of redline; empty: it is not said
	Title       string // empty: what any such page is called
	Description string // for those who search; empty: there is none
	Up          []Link // of a page of a site: the pages above it, the first one first
}

// A Link leads to another page.
type Link struct{ URL, Text string }

// A page is the data of the whole page.
type page struct {
	About
	Policy    string
	Style     template.CSS
	Script    template.JS
	From, To  string // of a review: the versions compared
	Sum       words.Summary
	Filters   []filter
	Contracts []*contract
	Unchanged []string // of a review: contracts that are left out because their meaning is the same
	Notes     []string // on what the amendment changes in the settings
}

// Review reports whether the page is that of a review.
func (p *page) Review() bool { return p.To != "" }

// Many reports whether the page has several contracts.
func (p *page) Many() bool { return len(p.Contracts) > 1 }

// A filter selects rows by their class.
type filter struct {
	Class, Word string
	Count       int
}

// A contract is one section of the page.
type contract struct {
	ID string
	words.Headline
	Rows     []row
	Runs     []choice
	Pictures []picture
	Change   *words.Differences // of a review; else nil
	Board    template.JS        // empty: there is nothing to play
	Missing  string             // why there is nothing to play
}

// owing reports whether the table has norms that are owed otherwise, and whether it has nothing else.
func (c *contract) owing() (some, all bool) {
	all = !slices.ContainsFunc(c.Rows, func(r row) bool { return !r.OfNorm })
	return slices.ContainsFunc(c.Rows, func(r row) bool { return r.OfNorm }), all
}

// Caption returns what the table of verdicts is of: a review speaks of promises, a check of requirements.
func (c *contract) Caption(review bool) string {
	if some, _ := c.owing(); some {
		return "What is promised, whether it is kept, and what is owed otherwise"
	}
	return map[bool]string{true: "What is promised, and whether it is kept", false: "What is required, and whether it holds"}[review]
}

// Column returns the title of the column that says what a row is about.
func (c *contract) Column(review bool) string {
	switch some, all := c.owing(); {
	case some && all:
		return "What is owed"
	case some:
		return "Promise, or what is owed"
	}
	return map[bool]string{true: "Promise", false: "Requirement"}[review]
}

// A row is a row of the table of verdicts.
type row struct {
	words.Entry
	Passage *passage // its source text; nil: not known
	Play    int      // the number of its run; -1: none that can be played
	Words   *runWords
	Beside  bool // its run is open at first
}

// runWords is a run in sentences.
type runWords struct {
	Prefix, Loop       []words.Step
	Where, Dead, Claim string
	Because            string // introduces a run that explains another
	Then               []*runWords
}

// A choice is an entry in the list of runs.
type choice struct {
	Number int
	Title  string
}

// Checked writes the page of a check. Result i belongs to draft i; further results have no draft. An error comes from w, or is the cause of
// the context's end.
func Checked(ctx context.Context, w io.Writer, drafts []*compile.Draft, results []*finding.Result, about About) error {
	about.Title = cmp.Or(about.Title, "What redline found")
	p := &page{About: about, Sum: words.SumChecked(results)}
	left := maxDrawings
	for i, r := range results {
		c := &contract{ID: fmt.Sprintf("c%d", i), Headline: words.DescribeContract(r)}
		listed, more := words.Requirements(r.Requirements)
		for j := range listed {
			c.Rows = append(c.Rows, row{Entry: words.DescribeRequirement(&listed[j]), Play: -1})
		}
		if more != "" {
			c.Notes = append(c.Notes, more)
		}
		for _, d := range words.Alike(words.Listed(r)) {
			c.Rows = append(c.Rows, row{Entry: words.DescribeDiagnostic(&d), Play: -1})
		}
		var d *compile.Draft
		if i < len(drafts) {
			d = drafts[i]
		}
		if err := c.fill(ctx, d, nil, nil, &left); err != nil {
			return err
		}
		p.Contracts = append(p.Contracts, c)
	}
	return p.write(w)
}

// Reviewed writes the page of a review. Pair i has the versions of the review's contract i. An error comes from w, or is the cause of the
// context's end.
func Reviewed(ctx context.Context, w io.Writer, r *finding.Review, pairs []engine.Pair, about About) error {
	about.Title = cmp.Or(about.Title, "What the amendment does")
	p := &page{About: about, Sum: words.SumReviewed(r), From: words.PlainText(r.Base), To: words.PlainText(r.Head)}
	for _, a := range r.Unplaced {
		p.Notes = append(p.Notes, words.AcceptanceText(a))
	}
	left := maxDrawings
	for i := range r.Contracts {
		of := &r.Contracts[i]
		if of.Status == finding.Same && len(of.Findings)+len(of.Defaults) == 0 {
			p.Unchanged = append(p.Unchanged, words.PlainText(of.Path))
			continue
		}
		c := &contract{ID: fmt.Sprintf("c%d", i), Headline: words.DescribeReviewed(of)}
		c.findings(of)
		var picture *finding.Picture
		if of.Difference != nil {
			change := words.DescribeDifference(of.Difference)
			if c.Change = &change; change.Picture != "" {
				picture = of.Difference.Picture
			}
		}
		head, base := pairs[i].Head, pairs[i].Base
		if head == nil {
			head, base = base, nil // a removed contract is shown as it was
		}
		if err := c.fill(ctx, head, base, picture, &left); err != nil {
			return err
		}
		p.Contracts = append(p.Contracts, c)
	}
	return p.write(w)
}

// findings adds the findings in the order of text, then the other diagnostics of head.
func (c *contract) findings(of *finding.ContractReview) {
	for _, i := range words.InReadingOrder(of.Findings) {
		c.Rows = append(c.Rows, row{Entry: words.DescribeFinding(&of.Findings[i]), Play: -1})
	}
	for _, t := range words.DescribeRemarks(of) {
		c.Rows = append(c.Rows, row{Entry: t, Play: -1})
	}
}

// fill adds the parts that need the draft: runs that can be played, pictures, source text.
func (c *contract) fill(ctx context.Context, d, base *compile.Draft, picture *finding.Picture, left *int) error {
	for i := range c.Rows {
		c.Rows[i].Words = wordsOf(&c.Rows[i].Entry)
	}
	if d == nil || d.Spec == nil || d.Net == nil {
		c.Missing = "There is nothing to draw or to play: the text has errors."
		if d == nil {
			c.Missing = "There is nothing to draw or to play here: redline draws contracts, not nets from elsewhere."
		}
		return nil
	}
	text := passagesOf(d.Source)
	b := newBoard(c.ID, d, text)
	staged := c.play(d, b)
	c.quote(text, base)
	b.Passages = text.list
	e := newCanvas(c.ID, d, base, b, left)
	for _, s := range staged {
		if s != nil {
			e.visited = append(e.visited, draw.Visited(d, s)...)
		}
	}
	if err := e.all(ctx, picture); err != nil {
		return err
	}
	c.Pictures = e.list
	raw, err := json.Marshal(b) // escapes <, > and &
	if err != nil {
		panic(err) // cannot happen for texts and numbers
	}
	c.Board = template.JS(raw)
	return nil
}

// play adds the runs of this draft to the board, and returns them.
func (c *contract) play(d *compile.Draft, b *board) []*explain.Staged {
	var runs []*finding.Trace
	var rows []int
	for i, r := range c.Rows {
		if r.Trace != nil {
			runs, rows = append(runs, r.Trace), append(rows, i)
		}
	}
	staged := explain.Stage(d, runs)
	for i, s := range staged {
		if s != nil {
			row := &c.Rows[rows[i]]
			row.Play = b.run(s, row.Name+": "+row.Says, &row.Entry, -1)
		}
	}
	for n, r := range b.Runs {
		title := r.Title
		if r.Because >= 0 {
			title = "why: " + title
		}
		c.Runs = append(c.Runs, choice{n, title})
	}
	return staged
}

// NormAndClockPictures returns the pictures of norms and clocks.
func (c *contract) NormAndClockPictures() []picture { return c.ofKind(true) }

// Main returns the pictures other than those of norms and clocks.
func (c *contract) Main() []picture { return c.ofKind(false) }

// ofKind returns the pictures of norms and clocks, or the others.
func (c *contract) ofKind(watching bool) []picture {
	var list []picture
	for _, p := range c.Pictures {
		if (p.Kind == "watch") == watching {
			list = append(list, p)
		}
	}
	return list
}

// quote adds the source text of requirements, which only base may contain.
func (c *contract) quote(text *passages, base *compile.Draft) {
	var was *passages
	if base != nil {
		was = passagesOf(base.Source)
	}
	for i := range c.Rows {
		r := &c.Rows[i]
		from := text
		if r.OnBase {
			from = was
		}
		if from == nil {
			continue
		}
		if n := from.find(r.Source); n >= 0 {
			passage := from.list[n]
			r.Passage = &passage
		}
	}
}

// maxNested is the maximum depth of runs inside runs that are shown.
const maxNested = 8

// wordsOf describes a run, with a note at the step that base refuses.
func wordsOf(t *words.Entry) *runWords {
	refusal := t.RefusalIs
	return nested(t.Trace, 0, func(run []finding.Firing) []words.Step {
		steps := words.DescribeFolded(run, words.MarkedStep(t.Refusal))
		for i := range steps {
			if t.Refusal != nil && steps[i].Number == t.Refusal.Step {
				steps[i].Beyond, refusal = refusal, ""
			}
		}
		return steps
	})
}

// nested describes a run and, up to maxNested, the runs inside it.
func nested(t *finding.Trace, depth int, noted func([]finding.Firing) []words.Step) *runWords {
	if t == nil {
		return nil
	}
	w := &runWords{Prefix: noted(t.Prefix), Loop: noted(t.Loop)}
	w.Where, w.Dead, w.Claim = words.DescribeEnd(t)
	for _, then := range t.Then {
		if depth < maxNested {
			below := nested(then, depth+1, noted)
			below.Because = words.Because(t, then)
			w.Then = append(w.Then, below)
		}
	}
	return w
}

// classes lists the classes of rows with their words, of a check and of a review, the worst first.
var classes = [][3]string{{"violated", "violated", "broken"}, {"ill-formed", "ill-formed", "ill-formed"}, {"unknown", "unknown, or worth a look", "unknown, or worth a look"},
	{"warning", "warnings", "warnings"}, {"waived", "waived", "waived"}, {"accepted", "accepted", "accepted"}, {"holds", "holds", "kept"}}

// word returns the word for a class.
func (p *page) word(class [3]string) string {
	if p.Review() {
		return class[2]
	}
	return class[1]
}

// A mark is the worst that is said of a contract.
type mark struct{ Class, Sign, Word string }

// Worst returns the worst class of a contract's rows with their number.
func (p *page) Worst(c *contract) mark {
	for _, class := range classes {
		found, n := mark{Class: class[0]}, 0
		for _, r := range c.Rows {
			if r.Class == class[0] {
				found.Sign = r.Sign
				n++
			}
		}
		if n > 0 {
			found.Word = fmt.Sprint(n, " ", p.word(class))
			return found
		}
	}
	return mark{"warning", "!", "no requirement"}
}

// maxBeside is the number of runs that are open beside their verdicts at first.
const maxBeside = 3

// openRuns opens the runs of the first violations.
func (p *page) openRuns() {
	n := 0
	for _, c := range p.Contracts {
		for i := range c.Rows {
			if r := &c.Rows[i]; r.Class == "violated" && r.Words != nil && n < maxBeside {
				r.Beside = true
				n++
			}
		}
	}
}

// write counts the filters and executes the template.
func (p *page) write(w io.Writer) error {
	p.openRuns()
	for _, class := range classes {
		f := filter{Class: class[0], Word: p.word(class)}
		for _, c := range p.Contracts {
			for _, r := range c.Rows {
				if r.Class == f.Class {
					f.Count++
				}
			}
		}
		if f.Count > 0 {
			p.Filters = append(p.Filters, f)
		}
	}
	o := common()
	p.Policy, p.Style, p.Script = o.policy, o.style, o.script
	return o.template.Execute(w, p)
}
