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

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
	"github.com/redlinehq/redline/report/ci"
)

func TestSARIFGoldens(t *testing.T) {
	files := map[string]string{"check": sarifOf(t, []*finding.Result{sound(), flawed(), illFormed(), together()}, finding.FailAny)}
	for name, r := range map[string]*finding.Review{
		"amendment": amendment(), "harmless": harmless(), "ill-formed": broken(), "same": unaltered(), "guilt": withdrawing(),
	} {
		files[name] = sarifReviewOf(t, r, finding.FailNew)
	}
	golden(t, "sarif", files)
}

func sarifOf(t *testing.T, results []*finding.Result, on finding.FailOn) string {
	t.Helper()
	var b bytes.Buffer
	if err := ci.SARIF(&b, results, on, "v1.2.3"); err != nil {
		t.Fatal(err)
	}
	checkSARIF(t, b.Bytes())
	return b.String()
}

func sarifReviewOf(t *testing.T, r *finding.Review, on finding.FailOn) string {
	t.Helper()
	var b bytes.Buffer
	if err := ci.SARIFReview(&b, r, on, "v1.2.3"); err != nil {
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
		case len(*r.Message.Text) > ci.MostMessage+10:
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
	if err := c.AddResource(ci.SarifSchema, doc); err != nil {
		panic(err)
	}
	return c.MustCompile(ci.SarifSchema)
})

func TestSARIFOfHostileText(t *testing.T) {
	for _, s := range nasty {
		sarifOf(t, []*finding.Result{foreign(s)}, finding.FailAny)
		sarifReviewOf(t, foreignReview(s), finding.FailNew)
	}
	rapid.Check(t, func(r *rapid.T) {
		var b bytes.Buffer
		if err := ci.SARIFReview(&b, foreignReview(rapid.StringN(0, 12, -1).Draw(r, "s")), finding.FailNew, ""); err != nil {
			r.Fatal(err)
		}
		checkSARIF(r, b.Bytes())
	})
}

// levelsBy lists the levels of a file's results by rule.
func levelsBy(t *testing.T, raw string) map[string]string {
	t.Helper()
	var log ci.Log
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
	one := func(k finding.Kind) *finding.Review {
		q := discharge(finding.Violated)
		return &finding.Review{Contracts: []finding.ContractReview{{Path: "p", Name: "p", Status: finding.Changed, Base: sound(), Head: &finding.Result{Path: "p", Name: "p"},
			Findings: []finding.Finding{{Kind: k, Name: "x", Head: &q, Base: point(discharge(finding.Violated))}}}}}
	}
	for _, c := range []struct {
		kind           finding.Kind
		fresh, any, no string
	}{
		{finding.New, "error", "error", "warning"}, {finding.Weakened, "error", "error", "warning"}, {finding.WaiverExpired, "error", "error", "warning"},
		{finding.Undecided, "error", "error", "warning"}, {finding.Standing, "warning", "error", "warning"}, {finding.Meaningless, "error", "error", "error"},
		{finding.Waived, "error", "error", "warning"}, {finding.Repaired, "", "", ""}, {finding.Dropped, "error", "error", "warning"}, {finding.Kept, "", "", ""},
	} {
		for on, want := range map[finding.FailOn]string{finding.FailNew: c.fresh, finding.FailAny: c.any, finding.FailNever: c.no} {
			r := one(c.kind)
			if got := levelsBy(t, sarifReviewOf(t, r, on))["p/x"]; got != want {
				t.Errorf("%s, fail on %d: %q, want %q", c.kind, on, got, want)
			}
			if gate := r.Gate(on); c.kind != finding.Meaningless && (gate != finding.Clean) != (want == "error") {
				t.Errorf("%s, fail on %d: level %q, and exit status %d", c.kind, on, want, gate)
			}
		}
	}
	for kind, by := range map[finding.Kind]finding.AcceptanceKind{finding.Waived: finding.AcceptWaiver, finding.Dropped: finding.AcceptRetire, finding.Weakened: finding.AcceptRetire} {
		for _, state := range []finding.AcceptanceState{finding.Pending, finding.ByBase, finding.ByApproval, finding.ByAmendment, finding.Unreadable, finding.Refused} {
			r, want := one(kind), "error"
			r.Contracts[0].Acceptances = []finding.Acceptance{{Kind: by, Name: "x", Needed: true, State: state}}
			if r.Link(); r.Contracts[0].Acceptances[0].Counts() {
				want = "note"
			}
			if got := levelsBy(t, sarifReviewOf(t, r, finding.FailNew))["p/x"]; got != want || (r.Gate(finding.FailNew) != finding.Clean) != (want == "error") {
				t.Errorf("%s, accepted %s: level %q, and exit status %d", kind, state, got, r.Gate(finding.FailNew))
			}
		}
	}
}

func fingerprints(t *testing.T, raw string) []string {
	t.Helper()
	var log ci.Log
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
	before := fingerprints(t, sarifOf(t, []*finding.Result{checked}, finding.FailAny))
	down := func(r *hcl.Range) { r.Start.Line, r.End.Line = r.Start.Line+100, r.End.Line+100 }
	moved := flawed()
	for i := range moved.Requirements {
		down(&moved.Requirements[i].Source)
	}
	for i := range moved.Diagnostics {
		down(&moved.Diagnostics[i].Source)
	}
	if after := fingerprints(t, sarifOf(t, []*finding.Result{moved}, finding.FailAny)); !slices.Equal(before, after) || len(before) < 3 {
		t.Errorf("%q became %q", before, after)
	}
	review := &finding.Review{Contracts: []finding.ContractReview{{Path: checked.Path, Name: checked.Name, Status: finding.Changed, Base: sound(), Head: checked}}}
	for i := range checked.Requirements {
		if q := &checked.Requirements[i]; q.Verdict == finding.Violated {
			review.Contracts[0].Findings = append(review.Contracts[0].Findings, finding.Finding{Kind: finding.New, Name: q.Name, Head: q})
		}
	}
	for _, print := range fingerprints(t, sarifReviewOf(t, review, finding.FailNew)) {
		if !slices.Contains(before, print) {
			t.Errorf("a review's %s is none of a check's", print)
		}
	}
}

func TestSARIFIsCut(t *testing.T) {
	r := &finding.Result{Path: "p", Name: "p"}
	for i := range ci.SARIFResults + 7 {
		q := discharge(finding.Violated)
		if q.Name = fmt.Sprint("q", i); i < 5 {
			q.Verdict, q.Vacuous = finding.Holds, []finding.Vacuity{{Subformula: "x"}}
		}
		r.Requirements = append(r.Requirements, q)
	}
	raw := sarifOf(t, []*finding.Result{r}, finding.FailAny)
	if levels := levelsBy(t, raw); len(levels) != ci.SARIFResults || slices.Contains(slices.Collect(maps.Values(levels)), "warning") {
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
		if got := ci.Artifact(file).URI; got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
}

// TestSARIFOfARemarkThatGrows: a remark that base has, too, and that the amendment adds to, is updated, and says what was added.
func TestSARIFOfARemarkThatGrows(t *testing.T) {
	remark := func(list string) *finding.Result {
		r := sound()
		r.Diagnostics = []finding.Diagnostic{{Code: "breach-without-consequence", Class: codes.Warning, Subject: "obligation.pay",
			Message: `When the obligation "pay" is breached, ` + list + ` can't happen any more, and nothing else follows.`, Detail: "Name a reparation."}}
		return r
	}
	for now, want := range map[string][2]string{
		`"handover"`:              {"unchanged", "follows.\nName a reparation."},
		`"handover" and "repair"`: {"updated", "follows.\nThe amendment adds \"repair\". Name a reparation."},
	} {
		review := &finding.Review{Contracts: []finding.ContractReview{{Base: remark(`"handover"`), Head: remark(now), Difference: &finding.Difference{}}}}
		said := sarifReviewOf(t, review, finding.FailNew)
		if quoted, _ := json.Marshal(want[1]); !strings.Contains(said, `"baselineState": "`+want[0]+`"`) || !strings.Contains(said, string(quoted[1:len(quoted)-1])) {
			t.Errorf("with %s:\n%s", now, said)
		}
	}
}
