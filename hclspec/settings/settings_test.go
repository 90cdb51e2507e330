package settings

import (
	"fmt"
	"strings"
	"testing"
)

const everything = `# what this repository wants
fail-on = "any"
paths   = ["contracts/**", "sale"]
ignore  = ["**/archive"]
observe = ["bank", "goods.purchaser[0]"]
record  = true
limits {
  states  = 5
  memory  = "1GiB"
  timeout = "90s"
  jobs    = 2
}
comment {
  summary     = false
  inline      = false
  suggestions = true
}
check-run = true
status    = true
sarif     = "out/redline.sarif"
acceptance = "approved"
owed = "fail"
approvers  = ["contracts/** @ada @acme/legal", "** @bob"]
retire "paid" {
  contract = "contracts/sale"
  digest   = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
  reason   = "The sale is void."
}
`

func TestEverything(t *testing.T) {
	s, diags := Parse([]byte(everything), File)
	if diags != nil {
		t.Fatal(diags)
	}
	var b strings.Builder
	for _, x := range s.List() {
		fmt.Fprintf(&b, "%s %#v %s\n", x.Name, x.Value, x.From)
	}
	const want = `fail-on "any" .github/redline.hcl:2
paths []string{"contracts/**", "sale"} .github/redline.hcl:3
ignore []string{"**/archive"} .github/redline.hcl:4
acceptance "approved" .github/redline.hcl:21
approvers []string{"contracts/** @ada @acme/legal", "** @bob"} .github/redline.hcl:23
owed "fail" .github/redline.hcl:22
observe []string{"bank", "goods.purchaser[0]"} .github/redline.hcl:5
record true .github/redline.hcl:6
limits.states 5 .github/redline.hcl:8
limits.memory "1GiB" .github/redline.hcl:9
limits.timeout "1m30s" .github/redline.hcl:10
limits.jobs 2 .github/redline.hcl:11
comment.summary false .github/redline.hcl:14
comment.inline false .github/redline.hcl:15
comment.suggestions true .github/redline.hcl:16
check-run true .github/redline.hcl:18
status true .github/redline.hcl:19
sarif "out/redline.sarif" .github/redline.hcl:20
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", &b, want)
	}
	if len(s.Retired) != 1 || s.Retired[0].Name != "paid" || s.Retired[0].Contract != "contracts/sale" || s.Retired[0].Reason != "The sale is void." {
		t.Errorf("retired %+v", s.Retired)
	}
	for file, want := range map[string]string{"contracts/sale/a.contract.hcl": "[@bob]", "x": "[@bob]"} {
		if who, ok := s.MayApprove(file); !ok || fmt.Sprint(who) != want {
			t.Errorf("%s: %v", file, who)
		}
	}
	for _, name := range Differ(Default(), s) {
		b.Reset()
		fmt.Fprint(&b, name)
	}
	if got := len(Differ(Default(), s)); got != len(s.List()) {
		t.Errorf("%d of %d differ from the defaults", got, len(s.List()))
	}
	if got := Differ(s, s); got != nil {
		t.Errorf("it differs from itself in %v", got)
	}
}

// What a flag says takes the place of the value, and of where it is from; a wrong text takes neither.
func TestOverride(t *testing.T) {
	s, diags := Parse([]byte(everything), File)
	if diags != nil {
		t.Fatal(diags)
	}
	for _, c := range []struct {
		name, text string
		want       any
	}{
		{"fail-on", "never", "never"}, {"observe", "a,b", []string{"a", "b"}}, {"observe", "", []string{}},
		{"limits.states", "7", 7}, {"limits.memory", "1KiB", "1KiB"}, {"limits.timeout", "1h0m0s", "1h"},
		{"limits.jobs", "9", 9}, {"comment.summary", "true", true}, {"status", "false", false}, {"sarif", "", ""},
	} {
		for _, by := range []Origin{{Flag: "x"}, {Input: "x"}} {
			if err := s.Override(c.name, c.text, by); err != nil {
				t.Error(err)
			}
			if s.From(c.name) != by {
				t.Errorf("%s is from %s", c.name, s.From(c.name))
			}
		}
		for _, x := range s.List() {
			if x.Name == c.name && fmt.Sprintf("%#v", x.Value) != fmt.Sprintf("%#v", c.want) {
				t.Errorf("%s is %#v, want %#v", c.name, x.Value, c.want)
			}
		}
	}
	for _, name := range []string{"limits.states", "limits.timeout", "check-run"} {
		before := s.From(name)
		if err := s.Override(name, "maybe", Origin{Flag: "x"}); err == nil || s.From(name) != before {
			t.Errorf("%s is maybe, from %s", name, s.From(name))
		}
	}
	for o, want := range map[Origin]string{{}: "default", {File: "f", Line: 3}: "f:3", {Flag: "a"}: "--a", {Input: "b"}: "input b"} {
		if o.String() != want {
			t.Errorf("%s, want %s", o, want)
		}
	}
}
