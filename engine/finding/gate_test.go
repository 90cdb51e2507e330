package finding_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/hclspec/codes"
)

func contract(c finding.ContractReview) *finding.Review {
	return &finding.Review{Contracts: []finding.ContractReview{c}}
}

// TestStatusOfImportedNets: an error is bad input, but one of an imported net that has verdicts is a violation.
func TestStatusOfImportedNets(t *testing.T) {
	kept := []finding.Requirement{{Verdict: finding.Holds}}
	for _, c := range []struct {
		name     string
		class    codes.Class
		imported bool
		verdicts []finding.Requirement
		want     finding.ExitStatus
	}{
		{"error in a contract", codes.Error, false, kept, finding.BadInput},
		{"error in a net without verdicts", codes.Error, true, nil, finding.BadInput},
		{"error in a net with verdicts", codes.Error, true, kept, finding.Violations},
		{"warning on a net with verdicts", codes.Warning, true, kept, finding.Clean},
	} {
		r := &finding.Result{Imported: c.imported, Requirements: c.verdicts, Diagnostics: []finding.Diagnostic{{Class: c.class}}}
		if got := finding.StatusOf([]*finding.Result{r}); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

// TestLink: a waiver is linked to the waived finding of its name, and a retire that is needed to the promise that it gives up by name and digest.
func TestLink(t *testing.T) {
	final := &finding.Diagnostic{Code: "no-option-to-complete"}
	retire := finding.Acceptance{Kind: finding.AcceptRetire, Name: "r", Promise: "sha256:1", Needed: true}
	ofFinal, idle, waiver := retire, retire, finding.Acceptance{Kind: finding.AcceptWaiver, Name: "r", Promise: "sha256:1", Needed: true}
	ofFinal.Name, idle.Needed = finding.FinalPromise, false
	for _, c := range []struct {
		name   string
		accept finding.Acceptance
		of     finding.Finding
		linked bool
	}{
		{"retire of a dropped promise", retire, finding.Finding{Kind: finding.Dropped, Name: "r", Promise: "sha256:1"}, true},
		{"retire of a weakened promise", retire, finding.Finding{Kind: finding.Weakened, Name: "r", Promise: "sha256:1"}, true},
		{"retire of another digest", retire, finding.Finding{Kind: finding.Dropped, Name: "r", Promise: "sha256:2"}, false},
		{"retire of another name", retire, finding.Finding{Kind: finding.Dropped, Name: "q", Promise: "sha256:1"}, false},
		{"retire of a promise that is kept", retire, finding.Finding{Kind: finding.Kept, Name: "r", Promise: "sha256:1"}, false},
		{"retire that is not needed", idle, finding.Finding{Kind: finding.Dropped, Name: "r", Promise: "sha256:1"}, false},
		{"retire of the final states", ofFinal, finding.Finding{Kind: finding.Dropped, Name: "no-option-to-complete", Check: final, Promise: "sha256:1"}, true},
		{"waiver of a dropped promise", waiver, finding.Finding{Kind: finding.Dropped, Name: "r", Promise: "sha256:1"}, false},
		{"waiver of a waived promise", waiver, finding.Finding{Kind: finding.Waived, Name: "r"}, true},
		{"waiver of a waived promise of another name", waiver, finding.Finding{Kind: finding.Waived, Name: "q"}, false},
		{"waiver of an old wording", waiver, finding.Finding{Kind: finding.Waived, Name: "r", Old: true}, false},
		{"waiver of a new violation", waiver, finding.Finding{Kind: finding.New, Name: "r"}, false},
		{"retire of a waived promise", retire, finding.Finding{Kind: finding.Waived, Name: "r", Promise: "sha256:1"}, false},
	} {
		r := contract(finding.ContractReview{Findings: []finding.Finding{c.of}, Acceptances: []finding.Acceptance{{Kind: finding.AcceptFinding, Name: "r"}, c.accept}})
		r.Link()
		got := r.Contracts[0].Findings[0].Acceptance()
		if (got != nil) != c.linked || c.linked && got != &r.Contracts[0].Acceptances[1] {
			t.Errorf("%s: linked to %+v", c.name, got)
		}
	}
}

// TestUnlinked: an acceptance that the amendment brings and that belongs to no finding is listed; base's is not.
func TestUnlinked(t *testing.T) {
	c := finding.ContractReview{Findings: []finding.Finding{{Kind: finding.Waived, Name: "linked"}}, Acceptances: []finding.Acceptance{
		{Kind: finding.AcceptWaiver, Name: "linked"}, {Kind: finding.AcceptWaiver, Name: "of base", State: finding.ByBase}, {Kind: finding.AcceptWaiver, Name: "brought"},
	}}
	c.Link()
	if got := c.Unlinked(); len(got) != 1 || got[0].Name != "brought" {
		t.Errorf("%+v", got)
	}
}

// TestTellsOfItsWaiver: a violation that its waiver, on which nothing rests, does not accept says so itself.
func TestTellsOfItsWaiver(t *testing.T) {
	waiver := finding.Acceptance{Kind: finding.AcceptWaiver, Name: "r", State: finding.Idle}
	broken := finding.Requirement{Verdict: finding.Violated, Waiver: &finding.Waiver{State: finding.OtherRun}}
	holds, bare := broken, broken
	holds.Verdict, bare.Waiver = finding.Holds, nil
	retire, pending := waiver, waiver
	retire.Kind, pending.State = finding.AcceptRetire, finding.Pending
	for _, c := range []struct {
		name string
		a    finding.Acceptance
		f    finding.Finding
		want int
	}{
		{"its own", waiver, finding.Finding{Kind: finding.New, Name: "r", Head: &broken}, 0},
		{"of another", waiver, finding.Finding{Kind: finding.New, Name: "q", Head: &broken}, 1},
		{"of a wording that head does not have", waiver, finding.Finding{Kind: finding.New, Name: "r", Head: &broken, Old: true}, 1},
		{"of what holds", waiver, finding.Finding{Kind: finding.Kept, Name: "r", Head: &holds}, 1},
		{"without a waiver", waiver, finding.Finding{Kind: finding.New, Name: "r", Head: &bare}, 1},
		{"without a head", waiver, finding.Finding{Kind: finding.Dropped, Name: "r"}, 1},
		{"a retire", retire, finding.Finding{Kind: finding.New, Name: "r", Head: &broken}, 1},
		{"a waiver on which something rests", pending, finding.Finding{Kind: finding.New, Name: "r", Head: &broken}, 1},
	} {
		r := finding.ContractReview{Findings: []finding.Finding{c.f}, Acceptances: []finding.Acceptance{c.a}}
		if got := r.Unlinked(); len(got) != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestWhatStoodAndIsHidden: where the gate fails on what stood already, a waiver that the amendment brings and that does not count hides nothing.
func TestWhatStoodAndIsHidden(t *testing.T) {
	for _, c := range []struct {
		a    finding.Acceptance
		on   finding.FailOn
		want finding.ExitStatus
	}{
		{finding.Acceptance{State: finding.Idle, Stood: true}, finding.FailAny, finding.Violations},
		{finding.Acceptance{State: finding.Idle, Stood: true}, finding.FailNew, finding.Clean},
		{finding.Acceptance{State: finding.Idle}, finding.FailAny, finding.Clean},
		{finding.Acceptance{State: finding.ByApproval, Stood: true}, finding.FailAny, finding.Clean},
	} {
		if got := contract(finding.ContractReview{Acceptances: []finding.Acceptance{c.a}}).Gate(c.on); got != c.want {
			t.Errorf("%s, stood %t, on %d: %d, want %d", c.a.State, c.a.Stood, c.on, got, c.want)
		}
	}
}

// TestBroughtByAnAmendment: all acceptances that base does not have are brought, those of settings last, and all are settled.
func TestBroughtByAnAmendment(t *testing.T) {
	r := &finding.Review{
		Contracts: []finding.ContractReview{{Acceptances: []finding.Acceptance{{Name: "a"}, {Name: "of base", State: finding.ByBase}, {Name: "b"}}}, {Acceptances: []finding.Acceptance{{Name: "c"}}}},
		Unplaced:  []finding.Acceptance{{Name: "d"}, {Name: "e"}},
	}
	if err := r.Settle(t.Context(), finding.AcceptancePolicy{Rule: finding.AcceptAmendment}, nil); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, a := range r.Brought() {
		names = append(names, a.Name)
		if a.State != finding.ByAmendment {
			t.Errorf("%s is %s", a.Name, a.State)
		}
	}
	if want := []string{"a", "b", "c", "d", "e"}; !slices.Equal(names, want) {
		t.Errorf("%v, want %v", names, want)
	}
}

// TestRetirementsOfSettings: a retirement is accepted by base if base has it too, wherever it is written, and names the file that made the promise.
func TestRetirementsOfSettings(t *testing.T) {
	at := func(file string) hcl.Range { return hcl.Range{Filename: file, Start: hcl.Pos{Line: len(file)}} }
	const digest = "sha256:1"
	promise := finding.Finding{Kind: finding.Dropped, Name: "r", Base: &finding.Requirement{Source: at("sale.hcl")}, Promise: digest}
	final := finding.Finding{Kind: finding.Dropped, Check: &finding.Diagnostic{Code: "dead-end", Source: at("final.hcl")}, Promise: digest}
	kept := promise
	kept.Kind = finding.Kept
	for _, c := range []struct {
		name     string
		of       finding.Finding
		retires  string
		baseFile string
	}{
		{"a requirement", promise, "r", "sale.hcl"},
		{"final states", final, finding.FinalPromise, "final.hcl"},
		{"a promise that is kept", kept, "r", ""},
	} {
		r := contract(finding.ContractReview{Path: "x", Findings: []finding.Finding{c.of}})
		was := finding.Retirement{Contract: "x", Name: c.retires, Digest: digest, Source: at("old.yml")}
		now := was
		now.Source = at("redline.yml")
		brought := finding.AcceptancePolicy{Read: true, Head: []finding.Retirement{now}}
		if err := r.Settle(t.Context(), brought, nil); err != nil {
			t.Fatal(err)
		}
		if placed := len(r.Unplaced) == 0; placed != (c.baseFile != "") {
			t.Errorf("%s: placed %t", c.name, placed)
		}
		if all := r.Brought(); len(all) != 1 || all[0].BaseFile != c.baseFile || all[0].State != finding.Pending {
			t.Errorf("%s: %+v", c.name, all)
		}
		brought.Base = []finding.Retirement{was}
		if err := r.Settle(t.Context(), brought, nil); err != nil {
			t.Fatal(err)
		}
		if all := r.Brought(); len(all) != 0 {
			t.Errorf("%s: base has it, too: %+v", c.name, all)
		}
	}
}

// TestLoosenedSettings: a setting under which later reviews may object to less has to be approved, whatever else the amendment does.
func TestLoosenedSettings(t *testing.T) {
	r := contract(finding.ContractReview{Path: "x"})
	policy := finding.AcceptancePolicy{Read: true, Loosened: []finding.Loosening{{Name: "fail-on", Says: "`fail-on` was \"new\", now \"never\"", Source: hcl.Range{Filename: "redline.hcl"}}}}
	for _, c := range []struct {
		state finding.AcceptanceState
		want  finding.ExitStatus
	}{{finding.Pending, finding.Violations}, {finding.ByApproval, finding.Clean}} {
		approve := func(_ context.Context, a finding.Acceptance) (finding.Approval, error) {
			if a.Kind != finding.AcceptSetting || a.Name != "fail-on" || a.File != "redline.hcl" || a.Reason != policy.Loosened[0].Says {
				t.Errorf("asked about %+v", a)
			}
			return finding.Approval{State: c.state}, nil
		}
		if err := r.Settle(t.Context(), policy, approve); err != nil || r.Gate(finding.FailNew) != c.want {
			t.Errorf("%s: exit status %d, %v", c.state, r.Gate(finding.FailNew), err)
		}
	}
}

// TestBaseAccepts: base accepts something if it has a waiver, or an accepted check of class violation.
func TestBaseAccepts(t *testing.T) {
	result := func(d ...finding.Diagnostic) *finding.Result { return &finding.Result{Diagnostics: d} }
	accepted := finding.Diagnostic{Class: codes.Violation, Accepted: "why"}
	for _, c := range []struct {
		name string
		base *finding.Result
		want bool
	}{
		{"no base", nil, false},
		{"nothing", result(), false},
		{"failed check", result(finding.Diagnostic{Class: codes.Violation}), false},
		{"accepted remark", result(finding.Diagnostic{Class: codes.Warning, Accepted: "why"}), false},
		{"accepted check", result(finding.Diagnostic{Class: codes.Warning}, accepted), true},
		{"waiver", &finding.Result{Requirements: []finding.Requirement{{}, {Waiver: &finding.Waiver{}}}}, true},
	} {
		if got := contract(finding.ContractReview{Base: c.base, Head: result(accepted)}).BaseAccepts(); got != c.want {
			t.Errorf("%s: %t", c.name, got)
		}
	}
}

// TestSettleAgain: what an earlier call decided does not count in a later one.
func TestSettleAgain(t *testing.T) {
	r := contract(finding.ContractReview{Acceptances: []finding.Acceptance{{Name: "r", Needed: true}}})
	approved := func(context.Context, finding.Acceptance) (finding.Approval, error) {
		return finding.Approval{State: finding.ByApproval, By: []string{"@bob"}, Needs: []string{"@bob"}, Commit: "1", Why: "why"}, nil
	}
	for name, approve := range map[string]func(context.Context, finding.Acceptance) (finding.Approval, error){
		"no approvals": nil,
		"an error": func(context.Context, finding.Acceptance) (finding.Approval, error) {
			return finding.Approval{State: finding.ByApproval}, errors.New("it is down")
		},
		"approvals are taken": func(context.Context, finding.Acceptance) (finding.Approval, error) { return finding.Approval{}, nil },
	} {
		if err := r.Settle(t.Context(), finding.AcceptancePolicy{}, approved); err != nil || r.Gate(finding.FailNew) != finding.Clean {
			t.Fatalf("%v, %+v", err, r.Contracts[0].Acceptances)
		}
		_ = r.Settle(t.Context(), finding.AcceptancePolicy{}, approve)
		if a := r.Contracts[0].Acceptances[0]; a.State != finding.Pending || a.By != nil || a.Needs != nil || a.Commit != "" || a.Why != "" {
			t.Errorf("%s: %+v", name, a)
		}
	}
}
