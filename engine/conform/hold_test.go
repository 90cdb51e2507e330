package conform_test

import (
	"fmt"
	"github.com/redlinehq/redline/hclspec/duration"
	"os"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine"
	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/conform"
)

// draft compiles the one contract in a text or, where it is the name of one, of an example.
func draft(t *testing.T, files ...string) *compile.Draft {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/x.contract.hcl", []byte(strings.Join(files, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	return tree(t, dir)
}

func tree(t *testing.T, dir string) *compile.Draft {
	t.Helper()
	drafts, err := engine.Tree{FS: os.DirFS(dir), Root: "."}.Drafts(t.Context(), nil, 1)
	if err != nil || len(drafts) != 1 || drafts[0].Spec == nil {
		t.Fatalf("%s: %v, %d contracts", dir, err, len(drafts))
	}
	return drafts[0]
}

func hold(t *testing.T, d *compile.Draft, period, log string) *conform.Answer {
	t.Helper()
	read, err := conform.Read(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	var p *duration.Period
	if period != "" {
		if p, err = duration.ParseTickLength(period); err != nil {
			t.Fatal(err)
		}
	}
	a, err := conform.Replay(t.Context(), d, read, p, conform.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestDeviations: what is said of the first line that can't be.
func TestDeviations(t *testing.T) {
	d := tree(t, "../../hclspec/examples/sale")
	for _, c := range []struct{ log, want string }{
		{"event\npurchaser.ready\nseller.ready\nRFG\nGAC\n", "5 impossible  lacks purchaser: goods accepted"},
		{"event\npurchaser.redy\n", "2 unknown-name purchaser.ready"},
		{"event\nRGF\n", "2 unknown-name RFG"},
		{"event,party\nseller.ready,purchaser\n", "2 other-party  by seller"},
		{"event,party\nseller.ready,Sellr\n", "2 unknown-party Seller"},
		{"event,party\nseller.ready,Seller\nseller.ready,\n", "3 impossible  lacks seller: not ready"},
		{"transition\nseller.ready\nRFG\n", "3 unknown-name "},
		{"event,transition\nRFG,purchaser.PurchaserGAV_T+seller.SellerGAV_T\n", "2 unknown-name RFG"},
		{"event,party\npurchaser.ready,\nseller.ready,\nRFG,purchaser\n", "conforms"},
	} {
		if got := deviation(hold(t, d, "", c.log)); got != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.log, got, c.want)
		}
	}
}

func deviation(a *conform.Answer) string {
	v := a.Deviation
	if v == nil {
		return "conforms"
	}
	text := fmt.Sprintf("%d %s %s", v.Line.Number, v.Kind, v.Nearest)
	if len(v.Parties) > 0 {
		text += " by " + strings.Join(v.Parties, ", ")
	}
	for _, p := range v.Lacks {
		text += fmt.Sprintf(" lacks %s: %s", p.Party, strings.Join(p.Places, ", "))
	}
	return text
}

// TestBreaches: who is in breach since which line, what is owed, and how time passes.
func TestBreaches(t *testing.T) {
	d := tree(t, "../../hclspec/examples/gas-supply")
	for _, c := range []struct{ tick, log, want string }{
		{"", "event\n", "conforms not-final;"},
		{"", "event\nnomination\n", "conforms not-final; deliver owed 2/2; declare-force-majeure held 0/0;"},
		{"", "event\nnomination\ntick\n", "conforms not-final; deliver owed 1/2; declare-force-majeure held 0/0;"},
		{"", "event\nnomination\ntick\ntick\n", "conforms not-final; deliver breached 0/2 since 4; deliver-late owed 1/1; declare-force-majeure held 0/0;"},
		{"", "event\ntick\n", "conforms not-final;"},
		{"1mo", "event,time\nnomination,2027-01-31\ndelivery,2027-03-30\n", "conforms not-final; deliver fulfilled"},
		{"1mo", "event,time\nnomination,2027-01-31\ndelivery,2027-03-31\n", "conforms not-final; deliver breached 0/2 since 3 passed;"},
		{"4w", "event,time\nnomination,2027-01-01T12:00:00+01:00\ndelivery,2027-02-26 10:59\n", "conforms not-final; deliver fulfilled"},
		{"4w", "event,time\nnomination,2027-01-01T12:00:00+01:00\ndelivery,2027-02-26 11:00\n", "conforms not-final; deliver breached 0/2 since 3 passed;"},
		{"1d", "event,time\nnomination,2027-01-01\ndelivery,9999-01-01\n", "conforms final; deliver breached 0/2 since 3 passed; deliver-late breached 0/1 since 3 passed;"},
	} {
		a := hold(t, d, c.tick, c.log)
		got := deviation(a) + " " + a.Final.String() + ";"
		for _, due := range a.Dues {
			got += fmt.Sprintf(" %s %s %d/%d", due.Norm.Name, due.State, due.Left, due.Within)
			if due.Since != nil {
				got += fmt.Sprintf(" since %d", due.Since.Number)
			}
			if due.Passed {
				got += " passed"
			}
			got += ";"
		}
		want := strings.TrimSuffix(c.want, " deliver fulfilled")
		if got != want {
			t.Errorf("%q:\n got %s\nwant %s", c.log, got, want)
		}
	}
}

// TestNotHeld: what can't be held to a contract, and why.
func TestNotHeld(t *testing.T) {
	gas := tree(t, "../../hclspec/examples/gas-supply")
	ambiguous := draft(t, `
contract "c" {}
party "a" {
  state "s0" {}
  state "s1" {}
  state "s2" {}
  transition "one" {
    from  = s0
    to    = s1
    label = go
  }
  transition "two" {
    from  = s0
    to    = s2
    label = go
  }
}
net "n" {
  place "p" { marked = true }
  place "q" { marked = true }
  transition "spill" {
    consume = [p]
    produce = [q]
  }
}
event "go" { sync = { a = go } }
`)
	for _, c := range []struct {
		draft     *compile.Draft
		tick, log string
		possible  int
		want      string
	}{
		{gas, "1d", "event,time\nnomination,yesterday\n", 10, "line 2: \"yesterday\" is no time"},
		{gas, "1d", "event,time\nnomination,2027-01-02\ndelivery,2027-01-01\n", 10, "line 3: it is earlier than a line before it"},
		{gas, "1d", "event,time\nnomination,2027-01-02\ntick,2027-01-03\n", 10, "line 3: the log lists ticks"},
		{ambiguous, "", "event\ngo\n", 1, "line 2: the log can be understood in too many ways"},
		{ambiguous, "", "event\ngo\nn.spill\n", 10, "line 3: the contract is ill-formed: here place n.q would hold two tokens"},
	} {
		log, err := conform.Read(strings.NewReader(c.log))
		if err != nil {
			t.Fatal(err)
		}
		var p *duration.Period
		if c.tick != "" {
			if p, err = duration.ParseTickLength(c.tick); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := conform.Replay(t.Context(), c.draft, log, p, conform.Limits{Possible: c.possible, Kept: 100}); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v", c.log, err)
		}
	}
	if a := hold(t, ambiguous, "", "event\ngo\n"); a.Possible != 2 || a.Only {
		t.Errorf("%+v", a)
	}
	if a := hold(t, ambiguous, "", "event,transition\ngo,a.two\n"); a.Possible != 1 || !a.Only {
		t.Errorf("%+v", a)
	}
}

// TestSteps: where all that can happen together does, a log says so, or is cut in whatever way will do.
func TestSteps(t *testing.T) {
	d := draft(t, `
contract "c" { firing = all }
party "a" {
  state "s0" {}
  state "s1" {}
  transition "go" {
    from = s0
    to   = s1
  }
}
party "b" {
  state "s0" {}
  state "s1" {}
  state "s2" {}
  transition "go" {
    from = s0
    to   = s1
  }
  transition "on" {
    from = s1
    to   = s2
  }
}
`)
	for log, want := range map[string]string{
		"event,step\na.go,1\nb.go,1\nb.on,2\n": "conforms",
		"event,step\nb.go,1\na.go,1\nb.on,2\n": "conforms",
		"event\nb.go\na.go\nb.on\n":            "conforms",
		"event,step\na.go,1\nb.go,2\n":         "3 part-of-step ",
		"event,step\na.go,1\n":                 "2 part-of-step ",
		"event,step\na.go,1\nb.go,1\nb.on,1\n": "4 impossible  lacks b: s1",
		"event\nb.go\nb.on\n":                  "3 impossible  lacks b: s1",
		"event\na.go\nb.go\nb.on\nb.on\n":      "5 impossible  lacks b: s1",
	} {
		if got := deviation(hold(t, d, "", log)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", log, got, want)
		}
	}
}
