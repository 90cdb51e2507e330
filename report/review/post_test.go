package review

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/hashicorp/hcl/v2"
	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/finding"
)

var update = flag.Bool("update", false, "write the goldens anew")

func at(file string, line int) hcl.Range {
	return hcl.Range{Filename: file, Start: hcl.Pos{Line: line, Column: 3}, End: hcl.Pos{Line: line, Column: 24}}
}

func requirement(name string, v finding.Verdict, line int) *finding.Requirement {
	r := &finding.Requirement{Name: name, Title: "What " + name + " promises", Clause: "4.2", Formula: "AG p", Verdict: v, Source: at("sale/sale.contract.hcl", line)}
	switch v {
	case finding.Violated:
		r.Trace = sampleRun
	case finding.Unknown:
		r.Reason = "the limit of 10 states was reached (--max-states)"
	case finding.IllFormed:
		r.Reason = "no such party"
	}
	return r
}

var sampleRun = &finding.Trace{
	Prefix: []finding.Firing{
		{Step: 1, Event: "RFG", Title: "goods are requested", Parties: []string{"seller", "purchaser"}},
		{Step: 2, Event: "GAC"},
		{Step: 2, Transitions: []string{"seller.end", "purchaser.end"}},
	},
	Loop: []finding.Firing{{Step: 3, Event: "again"}},
}

func hollow(r *finding.Requirement) *finding.Requirement {
	r.Vacuous = []finding.Vacuity{{Subformula: "seller.X", Never: true}}
	return r
}

// sampleReview has every kind of finding once, in an order that is not the order of importance.
func sampleReview() *finding.Review {
	holds, fails := finding.Holds, finding.Violated
	warning := finding.Diagnostic{Code: "label-without-event", Class: "warning", Message: "No event mentions this label.", Source: at("sale/seller.contract.hcl", 9)}
	old := warning
	old.Subject = "seller.old"
	deadEnd := finding.Diagnostic{Code: "dead-end", Class: "violation", Message: "The exchange can get stuck.", Source: at("sale/sale.contract.hcl", 1), Trace: &finding.Trace{DeadEnd: true}}
	accepted := deadEnd
	accepted.Accepted = "it is meant to"
	head := &finding.Result{Path: "sale", Name: "sale", Diagnostics: []finding.Diagnostic{warning, old, deadEnd},
		Requirements: []finding.Requirement{*requirement("reworded", holds, 70)}}
	return &finding.Review{Base: "1111", Head: "2222", Contracts: []finding.ContractReview{
		{Path: "letter", Name: "letter", Status: finding.Same},
		{Path: "gone", Name: "gone", Status: finding.Removed, Base: &finding.Result{Path: "gone", Name: "gone"}},
		{Path: "sale", Name: "sale", Status: finding.Changed, Head: head,
			Base: &finding.Result{Path: "sale", Name: "sale", Diagnostics: []finding.Diagnostic{old}},
			Findings: []finding.Finding{
				{Kind: finding.Kept, Name: "kept", Head: requirement("kept", holds, 10), Base: requirement("kept", holds, 10)},
				{Kind: finding.Kept, Name: "hollow", Head: hollow(requirement("hollow", holds, 20)), Base: requirement("hollow", holds, 20)},
				{Kind: finding.Kept, Name: "was-hollow", Head: hollow(requirement("was-hollow", holds, 21)), Base: hollow(requirement("was-hollow", holds, 20))},
				{Kind: finding.Undecided, Name: "undecided", Head: requirement("undecided", finding.Unknown, 30)},
				{Kind: finding.Standing, Name: "standing", Head: requirement("standing", fails, 40), Base: requirement("standing", fails, 39)},
				{Kind: finding.New, Name: "broken", Head: requirement("broken", fails, 50), Base: requirement("broken", holds, 49), Blame: sampleGuilt(),
					Repairs: []finding.Repair{{What: `Take "withdraw" out again`}, {What: "Keep to the old wording"}}},
				{Kind: finding.New, Name: "torn", Head: requirement("torn", fails, 52), Base: requirement("torn", holds, 51), Blame: &finding.Blame{Reason: "the time for it was up"}},
				{Kind: finding.New, Name: "added", Head: requirement("added", fails, 51)},
				{Kind: finding.Meaningless, Name: "meaningless", Head: requirement("meaningless", finding.IllFormed, 60)},
				{Kind: finding.Repaired, Name: "repaired", Head: requirement("repaired", holds, 61), Base: requirement("repaired", fails, 60)},
				{Kind: finding.Weakened, Name: "reworded", Head: requirement("reworded", fails, 7000), Base: requirement("reworded", holds, 7000)},
				{Kind: finding.Weakened, Name: "dropped", Head: requirement("dropped", fails, 7001), Base: requirement("dropped", holds, 7001)},
				{Kind: finding.Dropped, Name: "still-kept", Head: requirement("still-kept", holds, 7002), Base: requirement("still-kept", holds, 7002)},
				{Kind: finding.New, Name: "dead-end", Check: &deadEnd},
				{Kind: finding.Standing, Name: "no-option-to-complete", Check: &accepted},
			}},
	}}
}

// sampleGuilt is of a block that was removed from a party, together with one that was added.
func sampleGuilt() *finding.Blame {
	return &finding.Blame{Blocks: []finding.Block{
		{Name: `party "seller" / transition "wait"`, Action: "removed", Source: at("sale/seller.contract.hcl", 1), Was: at("sale/seller.contract.hcl", 31)},
		{Name: `party "seller" / transition "withdraw"`, Action: "added", Source: at("sale/seller.contract.hcl", 12)},
	}}
}

func sampleResults() []*finding.Result {
	broken := &finding.Result{Path: "broken", Diagnostics: []finding.Diagnostic{
		{Code: "unknown-name", Class: "error", Message: `There is no party "seler".`, Detail: `Did you mean "seller"?`, Source: at("broken/a.contract.hcl", 2)}},
		Requirements: []finding.Requirement{*requirement("without-meaning", finding.IllFormed, 5)}}
	sale := &finding.Result{Path: "sale", Name: "sale", Model: finding.Model{Incomplete: "the limit of 10 states was reached (--max-states)"},
		Requirements: []finding.Requirement{*requirement("kept", finding.Holds, 10), *requirement("undecided", finding.Unknown, 11),
			*hollow(requirement("hollow", finding.Holds, 12)), *requirement("broken", finding.Violated, 13)},
		Diagnostics: []finding.Diagnostic{{Code: "dead-end", Class: "violation", Message: "The exchange can get stuck.", Accepted: "it is meant to"}}}
	return []*finding.Result{sale, broken}
}

// What the runner understands of a review and of a check: annotations in order, then outputs.
func TestGolden(t *testing.T) {
	plans := map[string]Plan{
		"review":           DraftReview(sampleReview(), finding.FailNew),
		"review, any":      DraftReview(sampleReview(), finding.FailAny),
		"check":            DraftCheck(sampleResults(), finding.FailNew),
		"no contract":      DraftCheck(nil, finding.FailNew),
		"failure":          DraftFailure(errors.New("reading a\nb:\x1b[31m ::error::no")),
		"with a notice":    DraftReview(&finding.Review{Contracts: sampleReview().Contracts[:1]}, finding.FailNew).With("The branch is new."),
		"with many errors": {Annotations: slices.Concat(slices.Repeat([]Annotation{{Level: Error, message: "e"}}, 12), slices.Repeat([]Annotation{{Level: Warning, message: "w"}}, 13))},
	}
	var got txtar.Archive
	for _, name := range slices.Sorted(maps.Keys(plans)) {
		r := newRunner(t)
		if err := Post(&r.log, r.getenv, plans[name]); err != nil {
			t.Fatal(err)
		}
		commands, _ := obeyed(r.log.String())
		text := fmt.Sprintf("exit status %d\n%s", plans[name].Status, toldBy(commands))
		outputs := assigned(t, r.read(t, r.output))
		for _, key := range slices.Sorted(maps.Keys(outputs)) {
			text += key + " = " + outputs[key] + "\n"
		}
		got.Files = append(got.Files, txtar.File{Name: name, Data: []byte(text)})
	}
	const file = "testdata/post.txtar"
	if *update {
		if err := os.WriteFile(file, txtar.Format(&got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(txtar.Format(&got)) != string(want) {
		t.Errorf("run with -update and read the difference; got:\n%s", txtar.Format(&got))
	}
}

func TestSummaryAndLogAreTheReports(t *testing.T) {
	p := DraftReview(sampleReview(), finding.FailNew)
	r := newRunner(t)
	if err := Post(&r.log, r.getenv, p); err != nil {
		t.Fatal(err)
	}
	if got := r.read(t, r.summary); got != p.Summary+"\n" || !strings.Contains(got, "broken") {
		t.Errorf("summary %q", got)
	}
	_, shown := obeyed(r.log.String())
	if text := strings.Join(shown, "\n"); !strings.Contains(text, strings.TrimSpace(p.Log)) || !strings.Contains(text, "goods are requested") {
		t.Errorf("log %q", text)
	}
}

func TestTooLongASummary(t *testing.T) {
	for name, summary := range map[string]string{
		"many contracts": "## ✗ redline: 9 new violations\n\nCounts.\n" + strings.Repeat("\n### sale\n\n```text\nfenced\n```\n", 1<<16),
		"no contract":    strings.Repeat("x", summaryLimit),
	} {
		t.Run(name, func(t *testing.T) {
			r := newRunner(t)
			if err := Post(&r.log, r.getenv, Plan{Summary: summary}); err != nil {
				t.Fatal(err)
			}
			got := r.read(t, r.summary)
			if len(got) > summaryLimit || !strings.Contains(got, "Left out") || !strings.HasPrefix(got, "## ") {
				t.Errorf("%d bytes: %.300q", len(got), got)
			}
			if name == "many contracts" && !strings.Contains(got, "9 new violations") {
				t.Errorf("the headline is lost: %.300q", got)
			}
		})
	}
	if fits := strings.Repeat("x", summaryLimit-1); bounded(fits, summaryLimit-1) != fits {
		t.Error("a summary that fits is cut")
	}
}

// brokenPipe takes nothing.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestWhatCannotBeSaidIsSkipped(t *testing.T) {
	p := DraftReview(sampleReview(), finding.FailNew)
	r := newRunner(t)
	r.summary = t.TempDir() // a directory
	err := Post(&r.log, r.getenv, p)
	if err == nil || !strings.Contains(err.Error(), "writing the job summary") {
		t.Errorf("error %v", err)
	}
	if commands, _ := obeyed(r.log.String()); len(commands) == 0 || len(assigned(t, r.read(t, r.output))) == 0 {
		t.Error("after the summary nothing was written")
	}

	r = newRunner(t)
	err = Post(brokenPipe{}, r.getenv, p)
	if err == nil || !strings.Contains(err.Error(), "writing the log") || !strings.Contains(err.Error(), "writing the annotations") {
		t.Errorf("error %v", err)
	}
	if r.read(t, r.summary) == "" || len(assigned(t, r.read(t, r.output))) == 0 {
		t.Error("after the log nothing was written")
	}
}

func TestOurOwnBugsStayPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	var none []int
	_ = try("nothing", func() { _ = none[0] })
}

// nasty text is what strangers try: commands of the runner, escapes of terminals, ends of outputs.
var nasty = []string{
	"::error::pwned", "\n::error file=a::pwned", "::add-mask::e", "::set-output name=status::clean", "::stop-commands::x\n", "\r\n::add-mask::a\r",
	"##[error]pwned", "##[add-mask]e", "%0A::error::pwned", "%250A", "\x1b[2J", "\x1b]8;;http://evil\x07", "\u202e", "\u2066", "\u2028::error::x", "\u0085::error::x",
	"_GitHubActionsFileCommandDelimeter_", "\n_GitHubActionsFileCommandDelimeter_\nstatus<<x\nclean\nx", "a,line=1", "file=x::", "@octocat", "<img src=x>", "```", "--\x3e",
	"plain words", " ", ":", ",", "\x00", "\xff", "é", "💥",
}

// hostile is a review whose every text comes from next.
func hostile(next func() string) *finding.Review {
	r := sampleReview()
	for i := range r.Contracts {
		c := &r.Contracts[i]
		c.Path, c.Name, c.Title = next(), next(), next()
		for j := range c.Findings {
			f := &c.Findings[j]
			f.Name = next()
			if f.Blame != nil {
				f.Blame.Reason = next()
				for k := range f.Blame.Blocks {
					b := &f.Blame.Blocks[k]
					b.Name, b.Action, b.Terms, b.Source.Filename, b.Was.Filename = next(), next(), []string{next(), next()}, next(), next()
				}
			}
			for k := range f.Repairs {
				f.Repairs[k].What = next()
			}
			if f.Head != nil {
				q := f.Head
				q.Name, q.Title, q.Clause, q.Formula, q.Source.Filename = f.Name, next(), next(), next(), next()
				if q.Reason != "" {
					q.Reason = next()
				}
				if q.Trace != nil {
					q.Trace = &finding.Trace{Claim: next(), Prefix: []finding.Firing{{Step: 1, Event: next(), Title: next()}, {Step: 2, Transitions: []string{next()}}}}
				}
				for k := range q.Vacuous {
					q.Vacuous[k].Subformula = next()
				}
			}
		}
		c.Outside = next()
		for _, kind := range []finding.AcceptanceKind{finding.AcceptFinding, finding.AcceptRetire, finding.AcceptWaiver} {
			a := finding.Acceptance{Kind: kind, Contract: next(), Name: next(), File: next(), Reason: next(), Approver: next(), Commit: next(), Why: next(), Needs: []string{next(), next()}}
			a.Source.Filename = next()
			c.Acceptances = append(c.Acceptances, a)
		}
		if c.Head != nil {
			c.Head.Path, c.Head.Model.Incomplete = next(), next()
			for j := range c.Head.Diagnostics {
				d := &c.Head.Diagnostics[j]
				d.Message, d.Detail, d.Subject, d.Snippet, d.Source.Filename = next(), next(), next(), next(), next()
			}
		}
	}
	return r
}

func TestStrangersForgeNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		text := rapid.Custom(func(rt *rapid.T) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(nasty), 0, 4).Draw(rt, "pieces"), "")
		})
		p := DraftReview(hostile(func() string { return text.Draw(rt, "text") }), finding.FailAny)
		r := newRunner(t)
		if err := Post(&r.log, r.getenv, p); err != nil {
			rt.Fatal(err)
		}
		inspect(rt, t, r, p)
	})
}

// inspect finds what a stranger has got through.
func inspect(rt *rapid.T, t *testing.T, r *runner, p Plan) {
	if log := r.log.String(); strings.Contains(log, "##[") || strings.ContainsFunc(log, unprintable) {
		rt.Fatalf("the log has a command or something invisible: %q", log)
	}
	commands, shown := obeyed(r.log.String())
	if len(commands) > 2*mostEach+1 {
		rt.Fatalf("%d commands", len(commands))
	}
	for i, c := range commands {
		if !slices.Contains([]string{"error", "warning", "notice"}, c.name) {
			rt.Fatalf("command %d is %q", i, c.name)
		}
		for key, value := range c.properties {
			if !slices.Contains([]string{"title", "file", "line", "endLine", "col", "endColumn"}, key) || strings.Contains(value, "\n") {
				rt.Fatalf("command %d has property %s=%q", i, key, value)
			}
		}
		if len([]rune(c.message)) > 4096 {
			rt.Fatalf("command %d has a message of %d characters", i, len([]rune(c.message)))
		}
	}
	for _, line := range shown {
		if _, ok := parseCommand(line); ok {
			rt.Fatalf("but for the quotation, this is a command: %q", line)
		}
	}
	outputs := assigned(t, r.read(t, r.output))
	if len(outputs) != 14 || outputs["status"] != "violations" || outputs["new"] != "4" {
		rt.Fatalf("outputs %v", outputs)
	}
	if summary := r.read(t, r.summary); strings.ContainsFunc(summary, unprintable) {
		rt.Fatalf("the summary has something invisible: %q", summary)
	}
}

// unprintable reports control characters, bidirectional ones, and line ends that are not "\n".
func unprintable(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp))
}

// A name that can't be shown as it is must not become the place of an annotation.
func TestHostileFileName(t *testing.T) {
	for _, name := range nasty {
		a := note(fresh, "t", "m", at("x"+name, 4)).Annotation
		if a.File != "" && a.File != "x"+name {
			t.Errorf("%q became %q", name, a.File)
		}
		if a.File == "" && a.line != 0 {
			t.Errorf("%q: a line of no file", name)
		}
	}
}

func TestLongRun(t *testing.T) {
	run := &finding.Trace{Prefix: make([]finding.Firing, 5000)}
	for i := range run.Prefix {
		run.Prefix[i] = finding.Firing{Step: i + 1, Title: strings.Repeat("é", 590)}
	}
	message := paragraphs("first", runLine(run))
	if n := len([]rune(message)); n > 4000 || !strings.HasSuffix(message, "…") || strings.ContainsRune(message, '\uFFFD') {
		t.Errorf("%d characters, ending %q", n, message[len(message)-20:])
	}
	for i := range run.Prefix {
		run.Prefix[i].Title = "again"
	}
	if got := runLine(run); !strings.HasSuffix(got, "; again; and 4980 more.") {
		t.Errorf("%q", got)
	}
}

func TestPlanIsDeterministic(t *testing.T) {
	first, again := DraftReview(sampleReview(), finding.FailAny), DraftReview(sampleReview(), finding.FailAny)
	if fmt.Sprint(first) != fmt.Sprint(again) {
		t.Error("two plans for one review")
	}
}
