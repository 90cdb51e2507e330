package verify_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/certificate/checker"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// TestVerdictsOfRandomContractsHaveCertificates wants one of each verdict, accepted, and none of its negation.
func TestVerdictsOfRandomContractsHaveCertificates(t *testing.T) {
	draws.SkipForRaces(t)
	draws.Only(t, 60)
	fair := 0 // certificates from diagrams that assume progress
	rapid.Check(t, func(t *rapid.T) {
		for range 4 {
			spec := testkit.DrawContract(t)
			if rapid.Bool().Draw(t, "progress") {
				assumeProgress(t, spec)
			}
			fair += allCertified(t, compile.Compile(&load.Source{Contract: spec}, "x", nil))
		}
	})
	if fair < 30 {
		t.Errorf("%d certificates from diagrams assume progress: this test tests little", fair)
	}
}

// allCertified wants a certificate of each verdict, and counts those from diagrams that assume progress.
func allCertified(t *rapid.T, d *compile.Draft) (fair int) {
	b := finding.Budget{Jobs: 1}
	if d.Rule.String() == "one" && rapid.IntRange(0, 3).Draw(t, "listed") > 0 {
		b.Engine = finding.Symbolic
	}
	if rapid.IntRange(0, 3).Draw(t, "no model") == 0 {
		b.Engine = finding.Local
	}
	r := verify.Check(context.Background(), d, b)
	decided := 0
	for _, q := range r.Requirements {
		if q.Verdict == finding.Holds || q.Verdict == finding.Violated {
			decided++
			if len(q.Assuming) > 0 && r.Model.Engine == string(finding.Symbolic) {
				fair++
			}
		}
	}
	list := verify.Certify(context.Background(), d, b, r)
	if decided > 0 && len(list) != decided+1 {
		t.Fatalf("%d certificates of %d verdicts", len(list), decided)
	}
	for _, c := range list {
		certified(t, d, c)
	}
	return fair
}

// assumeProgress draws for each requirement of a contract who is assumed to make progress.
func assumeProgress(t *rapid.T, c *hclspec.Contract) {
	for _, r := range c.Requirements {
		for _, p := range c.Parties {
			if rapid.Bool().Draw(t, "assumed") {
				r.Assuming = append(r.Assuming, &hclspec.Progress{Name: p.Name, Parties: []*hclspec.Party{p}})
			}
		}
	}
}

// TestVerdictsHaveCertificatesWithoutStates: where states cannot be listed, all verdicts have one if one thing happens at a time, and many if things
// happen together.
func TestVerdictsHaveCertificatesWithoutStates(t *testing.T) {
	draws.SkipForRaces(t)
	proved, together, none := 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		d := compile.Compile(&load.Source{Contract: testkit.DrawContract(t)}, "x", nil)
		b := finding.Budget{Jobs: 1, Engine: finding.Local}
		r := verify.Check(context.Background(), d, b)
		b.States = 1
		for _, c := range verify.Certify(context.Background(), d, b, r) {
			switch {
			case c.Data == nil && d.Rule == petri.All:
				none++
				if !strings.Contains(c.Reason, "the limit of 1 states was reached (--max-states)") {
					t.Fatalf("%q has none because %q", c.Requirement, c.Reason)
				}
				continue
			case d.Rule == petri.All:
				together++
			}
			certified(t, d, c)
			proved++
		}
	})
	t.Logf("%d proved, %d of them of things that happen together, of which %d have no proof", proved, together, none)
	if proved < 100 || together < 20 {
		t.Errorf("%d proved, %d of them of things that happen together: too few to tell", proved, together)
	}
}

// certified wants a certificate to be accepted, and to be refused once its verdict is turned round, or it is of another requirement or contract.
func certified(t rapid.TB, d *compile.Draft, of verify.Certified) {
	if of.Data == nil {
		t.Fatalf("no certificate of %q: %s\n%s", of.Requirement, of.Reason, testkit.Describe(d))
	}
	verify := func(change func(*checker.Certificate)) error {
		c, err := checker.Decode(of.Data)
		if err != nil {
			t.Fatal(err)
		}
		change(c)
		return verify.VerifyCertificate(context.Background(), d, c)
	}
	if err := verify(func(*checker.Certificate) {}); err != nil {
		t.Fatalf("the certificate of %q is refused: %v\n%s", of.Requirement, err, testkit.Describe(d))
	}
	for what, change := range map[string]func(*checker.Certificate){
		"verdict":     func(c *checker.Certificate) { c.Holds = !c.Holds },
		"contract":    func(c *checker.Certificate) { c.Contract += "0" },
		"formula":     func(c *checker.Certificate) { c.Formula += " " },
		"requirement": func(c *checker.Certificate) { c.Requirement += "x" },
	} {
		var refused *checker.Refusal
		if err := verify(change); !errors.As(err, &refused) {
			t.Fatalf("the certificate of %q with another %s: %v", of.Requirement, what, err)
		}
	}
}

func TestVerdictsOfExamplesHaveCertificates(t *testing.T) {
	drafts, err := engine.Tree{FS: examples.FS, Root: "."}.Drafts(context.Background(), nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		r := verify.Check(context.Background(), d, finding.Budget{Jobs: 1})
		list := verify.Certify(context.Background(), d, finding.Budget{Jobs: 1}, r)
		if d.Spec == nil || len(list) != len(r.Requirements)+1 {
			t.Errorf("%s: %d certificates of %d requirements", d.Path, len(list), len(r.Requirements))
		}
		for _, c := range list {
			certified(t, d, c)
		}
	}
}

// TestVerdictsWithoutAModelHaveCertificates: where no state model was made, what is violated by a run and what holds have certificates all
// the same: of the states one by one where they are few, and where that is forbidden, by runs and by structure.
func TestVerdictsWithoutAModelHaveCertificates(t *testing.T) {
	edited := testkit.Example(t, "sale", testkit.Before("seller.contract.hcl", `  transition "end" {`, "  transition \"withdraw\" {\n    from = S2\n    to   = S0\n    set  = { GAV = false }\n  }\n")...)
	d := testkit.Draft(t, edited, petri.One)
	for _, states := range []int{0, 1} {
		b := finding.Budget{Jobs: 1, Engine: finding.Local}
		r := verify.Check(t.Context(), d, b)
		if r.Model.States != nil {
			t.Fatal("the state model is complete")
		}
		b.States = states
		proved := map[finding.Verdict]int{}
		for _, c := range verify.Certify(t.Context(), d, b, r) {
			certified(t, d, c)
			i := slices.IndexFunc(r.Requirements, func(q finding.Requirement) bool { return q.Name == c.Requirement })
			if i >= 0 {
				proved[r.Requirements[i].Verdict]++
			}
		}
		if proved[finding.Violated] < 2 || proved[finding.Holds] < 1 {
			t.Errorf("%v proved", proved)
		}
	}
}

// TestProofsOutOfMemory: where there was a state model, and there is no memory to make it again, what structure and runs show is proved all the same.
func TestProofsOutOfMemory(t *testing.T) {
	d := testkit.Draft(t, testkit.Example(t, "sale"), petri.One)
	b := finding.Budget{Jobs: 1, Engine: finding.Symbolic}
	r := verify.Check(t.Context(), d, b)
	b.Memory = 1
	proved := 0
	for _, c := range verify.Certify(t.Context(), d, b, r) {
		if c.Data == nil {
			if !strings.Contains(c.Reason, "--max-memory") {
				t.Errorf("%q has none because %q", c.Requirement, c.Reason)
			}
			continue
		}
		certified(t, d, c)
		proved++
	}
	if proved == 0 {
		t.Error("nothing is proved, not even that no place is marked twice")
	}
}

// TestCertificatesShareTheTime: all certificates of a contract together have the time limit. Any one of these takes less than it, all take far
// longer.
func TestCertificatesShareTheTime(t *testing.T) {
	var text strings.Builder
	text.WriteString("contract \"c\" {}\n")
	const states, promises = 60, 400
	for _, p := range []string{"p", "q"} {
		fmt.Fprintf(&text, "party %q {\n", p)
		for i := range states {
			fmt.Fprintf(&text, "  state \"s%d\" {}\n  transition \"t%[1]d\" {\n    from = s%[1]d\n    to = s%d\n  }\n", i, (i+1)%states)
		}
		text.WriteString("}\n")
	}
	for i := range promises {
		fmt.Fprintf(&text, "requirement \"r%d\" {\n  ctl = \"AG (p.s%d -> EF q.s%d)\"\n}\n", i, i%states, (i+1)%states)
	}
	d := compile.Compile(load.Text(map[string][]byte{"c.contract.hcl": []byte(text.String())}, "c", nil), "c", nil)
	b := finding.Budget{Jobs: 1, Engine: finding.Explicit}
	r := verify.Check(t.Context(), d, b)
	b.Time = 200 * time.Millisecond
	list := verify.Certify(t.Context(), d, b, r)
	if last := list[len(list)-1]; len(list) != promises+1 || last.Data != nil || !strings.Contains(last.Reason, "time limit") {
		t.Errorf("%d certificates, the last has %d bytes: %s", len(list), len(last.Data), last.Reason)
	}
}

// TestPromisesToEachOfManyShareTheirProof: twice as many purchasers are told of in four times as much, not in eight times.
func TestPromisesToEachOfManyShareTheirProof(t *testing.T) {
	size := func(n int) int {
		d, b := testkit.Purchasers(t, n, petri.One, ""), finding.Budget{Jobs: 1, Engine: finding.Symbolic}
		for _, c := range verify.Certify(t.Context(), d, b, verify.Check(t.Context(), d, b)) {
			if c.Requirement == "goods-not-withdrawn" {
				certified(t, d, c)
				return len(c.Data)
			}
		}
		t.Fatal("no certificate")
		return 0
	}
	if few, many := size(8), size(16); many > 5*few {
		t.Errorf("%d bytes for 8, %d for 16", few, many)
	}
}
