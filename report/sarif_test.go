package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
)

func TestSARIFGoldens(t *testing.T) {
	files := map[string]string{"check": sarifOf(t, []*engine.Result{sound(), flawed(), illFormed(), together()}, engine.FailAny)}
	for name, r := range map[string]*engine.Review{
		"amendment": amendment(), "harmless": harmless(), "ill-formed": broken(), "same": unaltered(), "guilt": withdrawing(),
	} {
		files[name] = sarifReviewOf(t, r, engine.FailNew)
	}
	golden(t, "sarif", files)
}

func sarifOf(t *testing.T, results []*engine.Result, on engine.FailOn) string {
	t.Helper()
	var b bytes.Buffer
	if err := SARIF(&b, results, on, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	checkSARIF(t, b.Bytes())
	return b.String()
}

func sarifReviewOf(t *testing.T, r *engine.Review, on engine.FailOn) string {
	t.Helper()
	var b bytes.Buffer
	if err := SARIFReview(&b, r, on, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	checkSARIF(t, b.Bytes())
	return b.String()
}

// checkSARIF holds a file against OASIS's schema (sarif-schema-2.1.0.json, errata 01), and against what GitHub
// asks for besides (docs.github.com, "SARIF support for code scanning").
func checkSARIF(t interface {
	Helper()
	Fatalf(string, ...any)
}, raw []byte) {
	t.Helper()
	strict := json.NewDecoder(bytes.NewReader(raw))
	strict.DisallowUnknownFields()
	file := sarif.NewReport()
	if err := strict.Decode(file); err != nil {
		t.Fatalf("%v\n%.3000s", err, raw)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = officialSARIF().Validate(doc)
	}
	if err != nil {
		t.Fatalf("%v\n%.3000s", err, raw)
	}
	run := file.Runs[0]
	prints := map[string]bool{}
	for _, r := range run.Results {
		print := fmt.Sprint(r.PartialFingerprints["primaryLocationLineHash"])
		switch {
		case len(r.Locations) == 0 || *r.Locations[0].PhysicalLocation.ArtifactLocation.URI == "":
			t.Fatalf("a result without a place: %s", *r.Message.Text)
		case prints[print]:
			t.Fatalf("two results have one fingerprint: %s", *r.Message.Text)
		case *run.Tool.Driver.Rules[r.RuleIndex].ID != *r.RuleID:
			t.Fatalf("%s is not rule %d", *r.RuleID, r.RuleIndex)
		case strings.Contains(*r.Message.Text, "]("):
			t.Fatalf("a link: %s", *r.Message.Text)
		case len(*r.Message.Text) > mostMessage+10:
			t.Fatalf("a message of %d bytes", len(*r.Message.Text))
		}
		prints[print] = true
	}
	for _, rule := range run.Tool.Driver.Rules {
		if len(*rule.ID) > 255*4 || len([]rune(*rule.FullDescription.Text)) > 1024 || *rule.Help.Text == "" {
			t.Fatalf("rule %s", *rule.ID)
		}
	}
}

// officialSARIF is OASIS's schema. The library has it word for word, though only to check what it has itself
// written anew, with nulls that the schema refuses; so it is taken out of its source.
var officialSARIF = sync.OnceValue(func() *jsonschema.Schema {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		panic(err)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "pkg/report/v210/sarif/schema.go"))
	if err != nil {
		panic(err)
	}
	_, rest, _ := bytes.Cut(source, []byte("`"))
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(rest[:bytes.LastIndexByte(rest, '`')]))
	if err != nil {
		panic(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource(sarifSchema, doc); err != nil {
		panic(err)
	}
	return c.MustCompile(sarifSchema)
})

func TestSARIFOfHostileText(t *testing.T) {
	for _, s := range aFifth(nasty, 1) {
		sarifOf(t, []*engine.Result{foreign(s)}, engine.FailAny)
		sarifReviewOf(t, foreignReview(s), engine.FailNew)
	}
	rapid.Check(t, func(r *rapid.T) {
		var b bytes.Buffer
		if err := SARIFReview(&b, foreignReview(rapid.StringN(0, 12, -1).Draw(r, "s")), engine.FailNew, ""); err != nil {
			r.Fatal(err)
		}
		checkSARIF(r, b.Bytes())
	})
}

// levelsBy lists the levels of a file's results by rule.
func levelsBy(t *testing.T, raw string) map[string]string {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(raw), &log); err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, r := range log.Runs[0].Results {
		all[r.Rule] = r.Level
	}
	return all
}

func TestSARIFLevelsAreTheGates(t *testing.T) {
	one := func(k engine.Kind) *engine.Review {
		q := discharge(engine.Violated)
		return &engine.Review{Contracts: []engine.ContractReview{{Path: "p", Name: "p", Status: engine.Changed, Base: sound(), Head: &engine.Result{Path: "p", Name: "p"},
			Findings: []engine.Finding{{Kind: k, Name: "x", Head: &q, Base: point(discharge(engine.Violated))}}}}}
	}
	for _, c := range []struct {
		kind           engine.Kind
		fresh, any, no string
	}{
		{engine.New, "error", "error", "warning"}, {engine.Weakened, "error", "error", "warning"}, {engine.WaiverExpired, "error", "error", "warning"},
		{engine.Undecided, "error", "error", "warning"}, {engine.Standing, "warning", "error", "warning"}, {engine.Meaningless, "error", "error", "error"},
		{engine.Waived, "error", "error", "warning"}, {engine.Repaired, "", "", ""}, {engine.Dropped, "error", "error", "warning"}, {engine.Kept, "", "", ""},
	} {
		for on, want := range map[engine.FailOn]string{engine.FailNew: c.fresh, engine.FailAny: c.any, engine.FailNever: c.no} {
			r := one(c.kind)
			if got := levelsBy(t, sarifReviewOf(t, r, on))["p/x"]; got != want {
				t.Errorf("%s, fail on %d: %q, want %q", c.kind, on, got, want)
			}
			if gate := r.Gate(on); c.kind != engine.Meaningless && (gate != engine.Clean) != (want == "error") {
				t.Errorf("%s, fail on %d: level %q, and exit status %d", c.kind, on, want, gate)
			}
		}
	}
	for kind, by := range map[engine.Kind]engine.AcceptanceKind{engine.Waived: engine.AcceptWaiver, engine.Dropped: engine.AcceptRetire, engine.Weakened: engine.AcceptRetire} {
		for _, state := range []engine.AcceptanceState{engine.Pending, engine.ByBase, engine.ByApproval, engine.ByAmendment, engine.Unreadable, engine.Refused} {
			r, want := one(kind), "error"
			r.Contracts[0].Acceptances = []engine.Acceptance{{Kind: by, Name: "x", Needed: true, State: state}}
			if r.Link(); r.Contracts[0].Acceptances[0].Counts() {
				want = "note"
			}
			if got := levelsBy(t, sarifReviewOf(t, r, engine.FailNew))["p/x"]; got != want || (r.Gate(engine.FailNew) != engine.Clean) != (want == "error") {
				t.Errorf("%s, accepted %s: level %q, and exit status %d", kind, state, got, r.Gate(engine.FailNew))
			}
		}
	}
}

func fingerprints(t *testing.T, raw string) []string {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(raw), &log); err != nil {
		t.Fatal(err)
	}
	all := []string{}
	for _, r := range log.Runs[0].Results {
		all = append(all, r.Fingerprints["primaryLocationLineHash"])
	}
	slices.Sort(all)
	return all
}

// Lines that move change no fingerprint, and a review has those of a check.
func TestSARIFFingerprints(t *testing.T) {
	checked := flawed()
	before := fingerprints(t, sarifOf(t, []*engine.Result{checked}, engine.FailAny))
	down := func(r *hcl.Range) { r.Start.Line, r.End.Line = r.Start.Line+100, r.End.Line+100 }
	moved := flawed()
	for i := range moved.Requirements {
		down(&moved.Requirements[i].Source)
	}
	for i := range moved.Diagnostics {
		down(&moved.Diagnostics[i].Source)
	}
	if after := fingerprints(t, sarifOf(t, []*engine.Result{moved}, engine.FailAny)); !slices.Equal(before, after) || len(before) < 3 {
		t.Errorf("%q became %q", before, after)
	}
	review := &engine.Review{Contracts: []engine.ContractReview{{Path: checked.Path, Name: checked.Name, Status: engine.Changed, Base: sound(), Head: checked}}}
	for i := range checked.Requirements {
		if q := &checked.Requirements[i]; q.Verdict == engine.Violated {
			review.Contracts[0].Findings = append(review.Contracts[0].Findings, engine.Finding{Kind: engine.New, Name: q.Name, Head: q})
		}
	}
	for _, print := range fingerprints(t, sarifReviewOf(t, review, engine.FailNew)) {
		if !slices.Contains(before, print) {
			t.Errorf("a review's %s is none of a check's", print)
		}
	}
}

func TestSARIFIsCut(t *testing.T) {
	r := &engine.Result{Path: "p", Name: "p"}
	for i := range SARIFResults + 7 {
		q := discharge(engine.Violated)
		if q.Name = fmt.Sprint("q", i); i < 5 {
			q.Verdict, q.Vacuous = engine.Holds, []engine.Vacuity{{Subformula: "x"}}
		}
		r.Requirements = append(r.Requirements, q)
	}
	raw := sarifOf(t, []*engine.Result{r}, engine.FailAny)
	if levels := levelsBy(t, raw); len(levels) != SARIFResults || slices.Contains(slices.Collect(maps.Values(levels)), "warning") {
		t.Errorf("%d results", len(levels))
	}
	if !strings.Contains(raw, "7 results left out") {
		t.Error("the file does not say what was left out")
	}
}

func TestSARIFPlaces(t *testing.T) {
	for file, want := range map[string]string{
		"a b/c#d.hcl": "a%20b/c%23d.hcl", "a:b.hcl": "./a:b.hcl", "/x/y.hcl": "file:///x/y.hcl", "a%0A\n::error.hcl": "./a%250A%0A::error.hcl", "\xff": "%FF",
	} {
		if got := artifact(file).URI; got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
}
