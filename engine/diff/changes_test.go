package diff_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/load"
)

func contractOf(t interface{ Fatalf(string, ...any) }, text string) *hclspec.Contract {
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil || src.Contract == nil {
		t.Fatalf("%v %v\n%s", err, src.Diagnostics, text)
	}
	return src.Contract
}

func said(c diff.Change) string {
	s := fmt.Sprintf("%s %s %s", c.Action, c.Element, c.Name)
	if c.Was != "" {
		s += " (was " + c.Was + ")"
	}
	for _, t := range c.Terms {
		s += fmt.Sprintf("; %s: %s > %s", t.Word, t.Was, t.Now)
	}
	return s
}

const sale = `contract "sale" {}
party "seller" {
  state "open" {}
  state "sent" {}
  flag "late" {}
  counter "tries" { to = 3 }
  transition "send" {
    from    = open
    to      = sent
    require = tries < 3
    set     = { tries = tries + 1, late = false }
  }
}
party "buyer" {
  count = 2
  state "waiting" {}
  state "served" {}
  transition "take" {
    from = waiting
    to   = served
  }
}
net "toll" {
  place "gate" {}
}
net "road" {
  place "free" { marked = true }
  place "taken" {}
  transition "use" {
    consume = [free]
    produce = [taken]
  }
}
event "delivery" {
  sync = {
    seller = send
    buyer  = any(take)
  }
}
event "trip" {
  sync = { road = use }
}
event "sign" {
  sync = { buyer = each(take) }
}
document "receipt" {
  moves = { delivery = { to = seller } }
}
obligation "deliver" {
  bearer = seller
  fulfil = delivery
  within = 2
}
prohibition "resell" {
  bearer = seller
  of     = trip
}
permission "drive" {
  bearer = seller
  of     = trip
  until  = delivery
}
power "cancel" {
  bearer   = buyer[0]
  exercise = trip
  lifts    = deliver
}
requirement "served" {
  ctl = "AF buyer[0].served"
  waiver {
    reason   = "known"
    approver = "A"
    run      = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
  }
}
requirement "all-served" { ctl = "all p in buyer: AG (seller.sent -> EF p.served)" }
accept "idle-self-loop" {
  on     = seller.open
  reason = "known"
}
`

// samples has, for each element, edits of the sale, and what is told of them.
var samples = []struct {
	old, new string
	want     string
}{
	{`contract "sale" {}`, `contract "sale" { firing = all }`, "rewired contract sale; firing: one > all"},
	{`contract "sale" {}`, `contract "sale" { ends = [trip, deliver.breached] }`, "rewired contract sale; ends:  > deliver.breached, trip"},
	{`contract "sale" {}`, `contract "purchase" {}`, "renamed contract purchase (was sale)"},
	{`contract "sale" {}`, `contract "sale" { final = "seller.sent" }`, "added final states ; final:  > seller.sent"},
	{`contract "sale" { final = "seller.sent" }`, `contract "sale" { final = "seller.open" }`, "rewired final states ; final: seller.sent > seller.open"},

	{`net "road"`, "party \"bank\" {\n  state \"idle\" {}\n  state \"busy\" {}\n  transition \"work\" {\n    from = idle\n    to   = busy\n  }\n}\nnet \"road\"",
		"added party bank; states:  > 2; transitions:  > 1"},
	{`seller~`, `vendor`, "renamed party vendor (was seller)"},
	{`count = 2`, `count = 3`, "rewired party buyer; count: 2 > 3"},
	{"count = 2\n", "for_each = [\"0\", \"x\"]\n", ""}, // refused
	{`net "road"`, "net \"rail\" {\n  place \"p\" {}\n}\nnet \"road\"", "added net rail; places:  > 1"},
	{`net "toll" {`, "net \"toll\" {\n  count = 2", "rewired net toll; count:  > 2"},
	{`road~`, `street`, "renamed net street (was road)"},

	{`  state "sent" {}`, "  state \"sent\" {}\n  state \"lost\" {}", "added state seller.lost"},
	{`sent~`, `gone`, "renamed state seller.gone (was seller.sent)"},
	{`  state "waiting" {}`, "  state \"waiting\" { exposed = true }", "rewired state buyer.waiting; exposed:  > true"},
	{"  state \"waiting\" {}\n  state \"served\" {}", "  state \"served\" {}\n  state \"waiting\" {}",
		"rewired state buyer.served; marked:  > true\nrewired state buyer.waiting; marked: true > "},
	{`  flag "late" {}`, "  flag \"late\" {}\n  flag \"early\" {}", "added flag seller.early"},
	{`late~`, `tardy`, "renamed flag seller.tardy (was seller.late)"},
	{`  flag "late" {}`, "  flag \"late\" { initial = true }", "rewired flag seller.late; initial:  > true"},
	{`  flag "late" {}`, "  flag \"late\" {}\n  counter \"days\" { to = 2 }", "added counter seller.days; from:  > 0; to:  > 2; initial:  > 0"},
	{`tries~`, `attempts`, "renamed counter seller.attempts (was seller.tries)"},
	{`to = 3`, `to = 5`, "rewired counter seller.tries; to: 3 > 5"},
	{`place "taken" {}`, "place \"taken\" {}\n  place \"closed\" {}", "added place road.closed"},
	{`taken~`, `busy`, "renamed place road.busy (was road.taken)"},
	{`place "taken" {}`, `place "taken" { marked = true }`, "rewired place road.taken; marked:  > true"},

	{`obligation "deliver"`, "document \"bill\" {\n  holder = seller\n}\nobligation \"deliver\"", "added document bill; holder:  > seller"},
	{`receipt~`, `proof`, "renamed document proof (was receipt)"},
	{`delivery = { to = seller }`, `delivery = { to = seller }, trip = { from = seller, to = buyer[1] }`,
		"rewired document receipt; moves: delivery to seller > delivery to seller, trip from seller to buyer[1]"},
	{"moves = {", "holder = buyer[1]\n  moves = {", "rewired document receipt; holder:  > buyer[1]"},

	{`party "buyer" {`, "party \"buyer\" {\n  transition \"stay\" {\n    from = served\n    to   = served\n  }", "added transition buyer.stay; from:  > served; to:  > served"},
	{`send~`, `ship`, "renamed transition seller.ship (was seller.send)"},
	{`party "buyer" {`, "party \"buyer\" {\n  transition \"stay\" { read = [served] }", "added transition buyer.stay; read:  > served"},
	{"    from = waiting\n    to   = served\n", "    read = [served]\n", "rewired transition buyer.take; from: waiting > ; to: served > ; read:  > served"},
	{"    to   = served", "    to   = waiting", "rewired transition buyer.take; to: served > waiting"},
	{"tries < 3", "tries <= 1", "rewired transition seller.send; require: tries < 3 > tries <= 1"},
	{"tries < 3", "3 > tries", ""},
	{"tries + 1", "3", "rewired transition seller.send; set: late = false, tries = tries + 1 > late = false, tries = 3"},
	{"late = false", "late = true", "rewired transition seller.send; set: late = false, tries = tries + 1 > late = true, tries = tries + 1"},
	{"consume = [free]", "consume = [taken]\n    read = [free]", "rewired transition road.use; consume: free > taken; read:  > free"},
	{"to   = served\n", "to   = served\n    label = get\n", ""}, // refused: no such label any more

	{`document "receipt"`, "event \"again\" {\n  sync = { road = use }\n}\ndocument \"receipt\"", "added event again; sync:  > road = use"},
	{`delivery~`, `handover`, "renamed event handover (was delivery)"},
	{"any(take)", "all(take)", "rewired event delivery; sync: buyer = any(take), seller = send > buyer = all(take), seller = send"},
	{"sync = { road = use }\n", "sync = { road = use }\n  not_before = { delivery = 3 }\n", "rewired event trip; not_before:  > delivery = 3"},
	{"sync = { road = use }\n", "sync = { road = use }\n  only_while = seller.tries < 9\n", "rewired event trip; only_while:  > seller.tries <= 3"},
	{"sync = { road = use }\n", "sync = { road = use }\n  only_while = drive.given\n", "rewired event trip; only_while:  > drive.given"},
	{"sync = { road = use }\n", "sync = { road = use }\n  by = seller\n", "rewired event trip; by:  > seller"},
	{"sync = { road = use }\n", "sync = { road = use }\n  by = [seller, each(buyer)]\n  repeats = true\n", "rewired event trip; by:  > each(buyer), seller; repeats:  > true"},
	{"  state \"sent\" {}\n", "  state \"sent\" { since = [trip, resell.breached] }\n", "rewired state seller.sent; since:  > resell.breached, trip"},
	{"sync = { road = use }\n", "sync = { road = use }\n  only_while = [!deliver.owed, any(seller.late, !buyer[0].waiting, !(seller.tries == 2)), seller.tries > 1]\n",
		"rewired event trip; only_while:  > !deliver.owed, any(buyer[0].served, seller.late, seller.tries != 2), seller.tries >= 2"},

	{`prohibition "resell"`, "obligation \"pay\" {\n  bearer = buyer[1]\n  fulfil = sign\n}\nprohibition \"resell\"", "added obligation pay; bearer:  > buyer[1]; fulfil:  > sign"},
	{`deliver~`, `supply`, "renamed obligation supply (was deliver)"},
	{"within = 2", "within = 9", "rewired obligation deliver; within: 2 > 9"},
	{`permission "drive"`, "prohibition \"idle\" {\n  bearer = buyer[1]\n  of = sign\n}\npermission \"drive\"", "added prohibition idle; bearer:  > buyer[1]; of:  > sign"},
	{`resell~`, `pass-on`, "renamed prohibition pass-on (was resell)"},
	{"of     = trip\n}\npermission", "of     = delivery\n}\npermission", "rewired prohibition resell; of: trip > delivery"},
	{`permission "drive"`, "permission \"idle\" {\n  bearer = buyer[1]\n  of = sign\n}\npermission \"drive\"", "added permission idle; bearer:  > buyer[1]; of:  > sign"},
	{`drive~`, `steer`, "renamed permission steer (was drive)"},
	{"until  = delivery", "from = delivery", "rewired permission drive; from:  > delivery; until: delivery > "},
	{`requirement "served"`, "power \"quit\" {\n  bearer = buyer[1]\n  exercise = sign\n}\nrequirement \"served\"", "added power quit; bearer:  > buyer[1]; exercise:  > sign"},
	{`cancel~`, `call-off`, "renamed power call-off (was cancel)"},
	{"  lifts    = deliver\n", "", "rewired power cancel; lifts: deliver > "},

	{`requirement "served"`, "requirement \"more\" { ctl = \"EF seller.sent\" }\nrequirement \"served\"", "added requirement more; formula:  > EF seller.sent"},
	{`all-served~`, `everybody-served`, "renamed requirement everybody-served (was all-served)"},
	{"EF p.served", "AF p.served",
		"rewired requirement all-served; formula: all p in buyer: AG (seller.sent -> EF p.served) > all p in buyer: AG (seller.sent -> AF p.served)"},
	{`requirement "served" {`, "requirement \"served\" {\n  assuming = progress(buyer)", "rewired requirement served; assuming:  > buyer"},
	{`requirement "served" {`, "requirement \"served\" {\n  rests_on = [buyer]", "rewired requirement served; rests_on:  > buyer"},
	{`requirement "served" {`, "requirement \"served\" {\n  rests_on = []", "rewired requirement served; rests_on:  > nobody"},
	{`requirement "served" {`, "requirement \"served\" {\n  over = ideal", "rewired requirement served; formula: AF buyer[0].served > AF buyer[0].served, over ideal runs"},
	{`ctl = "AF buyer[0].served"`, `table1 = "true AU buyer[0].served"`,
		"rewired requirement served; formula: AF buyer[0].served > true AU buyer[0].served"},
	{`{ ctl = "all p in buyer: AG (seller.sent -> EF p.served)" }`,
		"{\n  ctl = \"all p in buyer: AG (seller.sent -> EF p.served)\"\n  waiver {\n    reason = \"r\"\n    approver = \"B\"\n    run = \"sha256:0000000000000000000000000000000000000000000000000000000000000000\"\n  }\n}",
		"added waiver all-served; run:  > sha256:0000000000000000000000000000000000000000000000000000000000000000; approver:  > B"},
	{`approver = "A"`, "approver = \"A\"\n    expires = \"2030-01-31\"", "rewired waiver served; expires:  > 2030-01-31"},
	{`accept "idle-self-loop"`, "accept \"dead-end\" { reason = \"x\" }\naccept \"idle-self-loop\"", "added acceptance dead-end"},
	{"  on     = seller.open\n", "", "added acceptance idle-self-loop\nremoved acceptance idle-self-loop on seller.open"},

	// No change of meaning.
	{"reason = \"known\"", "reason = \"well known\"", ""},
	{`state "open" {}`, `state "open" { title = "open for business" }`, ""},
	{`net "road"`, "# nobody's\n\n\nnet \"road\"", ""},
	{"lifts    = deliver", "lifts    = [deliver]", ""},
	{"all p in buyer: AG (seller.sent -> EF p.served)", "all p in buyer:   AG(seller.sent->EF p.served)", ""},
}

// reworded makes an edit throughout the text; a ~ at the end means the name wherever it stands by itself.
func reworded(text, old, new string) string {
	if name, ok := strings.CutSuffix(old, "~"); ok {
		whole := regexp.MustCompile(`(^|[^\w-])` + name + `($|[^\w-])`)
		for range 2 {
			text = whole.ReplaceAllString(text, "${1}"+new+"${2}")
		}
		return text
	}
	return strings.ReplaceAll(text, old, new)
}

// TestWhatIsTold is the taxonomy: for every element each action that makes sense is in the table, with
// its opposite.
func TestWhatIsTold(t *testing.T) {
	seen := map[string]bool{}
	base := sale
	for _, s := range samples {
		text := base
		if strings.Contains(s.old, "final =") {
			text = strings.Replace(text, `contract "sale" {}`, s.old, 1)
		}
		head := reworded(text, s.old, s.new)
		if head == text {
			t.Errorf("%s stands nowhere", s.old)
			continue
		}
		src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(head)}}, ".", "x", nil)
		if err != nil {
			t.Fatal(err)
		}
		if src.Contract == nil {
			if !strings.Contains(s.new, "for_each") && !strings.Contains(s.new, "label") {
				t.Errorf("%s: %v", s.new, src.Diagnostics)
			}
			continue
		}
		a, b := contractOf(t, text), src.Contract
		forth, _ := diff.Changes(a, b)
		back, _ := diff.Changes(b, a)
		var got []string
		for _, c := range forth {
			got = append(got, said(c))
			seen[fmt.Sprint(c.Element, c.Action)] = true
		}
		if strings.Join(got, "\n") != s.want {
			t.Errorf("%s → %s\n got  %s\n want %s", s.old, s.new, strings.Join(got, "\n      "), s.want)
		}
		for _, c := range back {
			seen[fmt.Sprint(c.Element, c.Action)] = true
			if m := c.Mirror(); !slices.ContainsFunc(forth, func(c diff.Change) bool { return c.Fingerprint == m.Fingerprint && said(c) == said(m) }) {
				t.Errorf("%s → %s, mirrored: %s", s.old, s.new, said(m))
			}
		}
		if len(back) != len(forth) {
			t.Errorf("%s → %s: %d changes, %d back", s.old, s.new, len(forth), len(back))
		}
	}
	for e := diff.TheContract; e <= diff.Acceptance; e++ {
		for _, a := range []diff.Action{diff.Added, diff.Removed, diff.Renamed, diff.Rewired} {
			if sensible(e, a) != seen[fmt.Sprint(e, a)] {
				t.Errorf("%s %s: in the table %t", e, a, seen[fmt.Sprint(e, a)])
			}
		}
		if e.String() == "" {
			t.Errorf("element %d has no name", e)
		}
	}
}

// sensible says which actions an element can have: there is one contract, what has no name has no other,
// and what is accepted is that and nothing else.
func sensible(e diff.Element, a diff.Action) bool {
	switch e {
	case diff.TheContract:
		return a == diff.Renamed || a == diff.Rewired
	case diff.FinalStates, diff.Waiver:
		return a != diff.Renamed
	case diff.Acceptance:
		return a == diff.Added || a == diff.Removed
	}
	return true
}

// TestStatesThatAreRead: what a drafter writes in read is reported as read; it means the same as the state in from and in to.
func TestStatesThatAreRead(t *testing.T) {
	const text = `contract "c" {}
party "a" {
  state "free" {}
  state "busy" {}
  transition "rest" {
    %s
  }
}
`
	reads, stays := "read = [free]", "from = free\n    to = free"
	for _, c := range []struct{ base, head, want string }{
		{reads, "read = [busy]", "rewired transition a.rest; read: free > busy"},
		{reads, stays, ""},
		{stays, reads, ""},
		{stays, "from = busy\n    to = busy", "rewired transition a.rest; from: free > busy; to: free > busy"},
		{reads, "from = free\n    to = busy", "rewired transition a.rest; from:  > free; to:  > busy; read: free > "},
		{stays, "from = free\n    to = busy", "rewired transition a.rest; to: free > busy"},
	} {
		list, _ := diff.Changes(contractOf(t, fmt.Sprintf(text, c.base)), contractOf(t, fmt.Sprintf(text, c.head)))
		var got []string
		for _, change := range list {
			got = append(got, said(change))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s, then %s: %q; want %q", c.base, c.head, got, c.want)
		}
	}
}

// TestChangesOfTime: how long a unit counts is an attribute of the contract, and it is named as that and not as a change of what is written in
// another unit. What comes by itself after something that is gone has not changed, and time is one of those on whom a promise may rest.
func TestChangesOfTime(t *testing.T) {
	const base = `contract "c" {
  calendar = { month = "30 days" }
}
party "main" {}
party "sub" {}
event "acceptance" { by = main }
event "deemed" { after = { acceptance = "10 days" } }
event "defects-end" { after = { acceptance = "2 months" } }
event "repair" {
  by     = sub
  within = { acceptance = "60 days" }
}
requirement "r" {
  whenever = "happened(acceptance)"
  follows  = "happened(defects-end)"
  rests_on = [time]
}
`
	for _, c := range []struct{ from, to, want string }{
		{`"30 days"`, `"3 days"`, "rewired contract c; calendar: month = 30 days > month = 3 days"},
		{"  rests_on = [time]\n", "", "rewired requirement r; rests_on: time > "},
		{"event \"deemed\" { after = { acceptance = \"10 days\" } }\n", "", "removed event deemed; after: acceptance = 10 days > "},
		{`within = { acceptance = "60 days" }`, `within = { acceptance = "2 months" }`, ""},
	} {
		changes, _ := diff.Changes(contractOf(t, base), contractOf(t, strings.Replace(base, c.from, c.to, 1)))
		var all []string
		for _, change := range changes {
			all = append(all, said(change))
		}
		if got := strings.Join(all, "\n"); got != c.want {
			t.Errorf("%s -> %s:\n%s\nwant\n%s", c.from, c.to, got, c.want)
		}
	}
}
