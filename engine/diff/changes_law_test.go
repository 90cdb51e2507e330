package diff_test

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/diff"
	"github.com/redlinehq/redline/engine/internal/draws"
	"github.com/redlinehq/redline/engine/internal/testkit"
	"github.com/redlinehq/redline/hclspec"
	"github.com/redlinehq/redline/hclspec/examples"
	"github.com/redlinehq/redline/hclspec/load"
)

// changesMirror holds the law between two drafts: no change is the same meaning, and the difference mirrors.
func changesMirror(t interface{ Fatalf(string, ...any) }, base, head *compile.Draft) {
	changes, _ := diff.Changes(base.Spec, head.Spec)
	if (len(changes) == 0) != (base.Digest == head.Digest) {
		t.Fatalf("%t that the digests are the same, and these are the changes:\n%s", base.Digest == head.Digest, testkit.ChangesSaid(changes))
	}
	back, _ := diff.Changes(head.Spec, base.Spec)
	var mirror []diff.Change
	for _, c := range back {
		mirror = append(mirror, c.Mirror())
	}
	byPrint := func(a, b diff.Change) int { return strings.Compare(a.Fingerprint, b.Fingerprint) }
	forth := slices.SortedFunc(slices.Values(changes), byPrint)
	slices.SortFunc(mirror, byPrint)
	if !slices.EqualFunc(forth, mirror, func(a, b diff.Change) bool {
		return a.Fingerprint == b.Fingerprint && a.Base == b.Base && a.Head == b.Head
	}) {
		t.Fatalf("forth:\n%sback, mirrored:\n%s", testkit.ChangesSaid(forth), testkit.ChangesSaid(mirror))
	}
	prints := map[string]bool{}
	for _, c := range changes {
		if prints[c.Fingerprint] {
			t.Fatalf("two changes have one fingerprint:\n%s", testkit.ChangesSaid(changes))
		}
		prints[c.Fingerprint] = true
	}
}

// TestNoChangeIsTheSameMeaning, on random contracts of nets and diagrams in which something was changed by hand.
func TestNoChangeIsTheSameMeaning(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := testkit.DrawContract(t)
		base := compile.Compile(&load.Source{Contract: a}, "x", nil)
		changesMirror(t, base, base)
		b := testkit.DrawContract(t)
		if rapid.Bool().Draw(t, "mutant") {
			b = mutant(t, a)
		}
		changesMirror(t, base, compile.Compile(&load.Source{Contract: b}, "x", nil))
	})
}

// mutant copies a contract with a change or two, which may come to nothing.
func mutant(t *rapid.T, c *hclspec.Contract) *hclspec.Contract {
	m := duplicate(c)
	for range rapid.IntRange(1, 2).Draw(t, "mutations") {
		p := rapid.SampledFrom(m.Parties).Draw(t, "party")
		tr := rapid.SampledFrom(p.Transitions).Draw(t, "transition")
		place := rapid.SampledFrom(p.Places).Draw(t, "place")
		switch rapid.IntRange(0, 7).Draw(t, "mutation") {
		case 0:
			place.Marked = !place.Marked
		case 1:
			tr.Label = rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")
		case 2:
			tr.Name += "x"
		case 3:
			place.Name += "x" // formulas lose it
		case 4:
			slices.Reverse(p.Transitions)
			slices.Reverse(m.Parties)
		case 5:
			tr.Consume, tr.Produce, tr.Read = nil, nil, nil
			testkit.DrawArcs(t, tr, p.Places)
		case 6:
			p.Transitions = p.Transitions[1:]
			if len(p.Transitions) == 0 {
				p.Transitions = []*hclspec.Transition{tr}
			}
		case 7:
			if len(m.Events) > 0 {
				m.Events = m.Events[1:]
			}
		}
	}
	return m
}

// duplicate is a contract of its own with the same meaning.
func duplicate(c *hclspec.Contract) *hclspec.Contract {
	m := *c
	places, parties := map[*hclspec.Place]*hclspec.Place{}, map[*hclspec.Party]*hclspec.Party{}
	all := func(list []*hclspec.Place) []*hclspec.Place {
		var copies []*hclspec.Place
		for _, p := range list {
			if places[p] == nil {
				copied := *p
				places[p] = &copied
			}
			copies = append(copies, places[p])
		}
		return copies
	}
	m.Parties, m.Events = nil, nil
	for _, p := range c.Parties {
		q := *p
		q.Places, q.Transitions = all(p.Places), nil
		for _, t := range p.Transitions {
			u := *t
			u.Consume, u.Produce, u.Read = all(t.Consume), all(t.Produce), all(t.Read)
			q.Transitions = append(q.Transitions, &u)
		}
		parties[p] = &q
		m.Parties = append(m.Parties, &q)
	}
	for _, e := range c.Events {
		f := *e
		f.Ways = nil
		for _, way := range e.Ways {
			way = slices.Clone(way)
			for i := range way {
				way[i].Party = parties[way[i].Party]
			}
			f.Ways = append(f.Ways, way)
		}
		m.Events = append(m.Events, &f)
	}
	return &m
}

// quotes are the names that a text declares, with the word before them.
var quotes = regexp.MustCompile(`(\w+) "([A-Za-z][\w-]*)"`)

// TestRenamedIsRenamedOnly: whatever is called otherwise throughout an example is told as renamed, and as
// nothing else.
func TestRenamedIsRenamedOnly(t *testing.T) {
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range append(names, "everything") {
		text := everything
		if name != "everything" {
			text = wholeExample(t, name)
		}
		base := testkit.DraftOf(t, text)
		for i, old := range declared(text) {
			if i%4 != 0 && !draws.All() {
				continue
			}
			renamed := regexp.MustCompile(`(^|[^\w-])` + regexp.QuoteMeta(old) + `($|[^\w-])`)
			head := renamed.ReplaceAllString(renamed.ReplaceAllString(text, "${1}"+old+"Q${2}"), "${1}"+old+"Q${2}")
			src := sourceOf(head)
			if src.Contract == nil { // the name is a word of the language, too
				continue
			}
			changes, _ := diff.Changes(base.Spec, src.Contract)
			if !slices.ContainsFunc(changes, unlikeRenamed) {
				continue
			}
			if d := compile.Compile(src, "x", nil); !slices.Contains(d.Formulas, nil) { // the name is no operator, too
				t.Errorf("%s: %s renamed:\n%s", name, old, testkit.ChangesSaid(changes))
			}
		}
	}
}

// unlikeRenamed: a label is no element, so that it is another is told of the transitions that have it.
func unlikeRenamed(c diff.Change) bool {
	return c.Action != diff.Renamed && !(c.Action == diff.Rewired && len(c.Terms) == 1 && c.Terms[0].Word == "label")
}

func declared(text string) []string {
	set := map[string]bool{}
	for _, m := range quotes.FindAllStringSubmatch(text, -1) {
		set[m[2]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

func sourceOf(text string) *load.Source {
	src, err := load.Dir(fstest.MapFS{"c.contract.hcl": {Data: []byte(text)}}, ".", "x", nil)
	if err != nil {
		panic(err)
	}
	return src
}

// wholeExample is an example in one file.
func wholeExample(t testing.TB, name string) string {
	t.Helper()
	entries, err := fs.ReadDir(examples.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".hcl") {
			continue
		}
		text, err := fs.ReadFile(examples.FS, path.Join(name, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		b.Write(text)
		b.WriteString("\n")
	}
	return b.String()
}

// TestNoChangeOfTextIsTheSameMeaning is the law on examples, in which lines and blocks were left out, and names and
// numbers exchanged.
func TestNoChangeOfTextIsTheSameMeaning(t *testing.T) {
	draws.Only(t, 40)
	texts, drafts := map[string]string{}, map[string]*compile.Draft{}
	names, err := load.Find(examples.FS, ".")
	if err != nil {
		t.Fatal(err)
	}
	names = append(names, "everything")
	for _, name := range names[:len(names)-1] {
		texts[name] = wholeExample(t, name)
	}
	texts["everything"] = everything
	for _, name := range names {
		drafts[name] = testkit.DraftOf(t, texts[name])
	}
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "example")
		text := texts[name]
		for range rapid.IntRange(1, 2).Draw(t, "mutations") {
			text = mutated(t, text)
		}
		src := sourceOf(text)
		if src.Contract == nil {
			t.SkipNow()
		}
		head := compile.Compile(src, "x", nil)
		if slices.Contains(head.Formulas, nil) { // what does not parse means only its own text
			t.SkipNow()
		}
		changesMirror(t, drafts[name], head)
	})
}

// TestSameMeaning are edits of which it is easily got wrong whether they change anything.
func TestSameMeaning(t *testing.T) {
	base := testkit.DraftOf(t, everything)
	for _, c := range []struct {
		old, new string
		changes  int
	}{
		{"  over     = ideal\n  ctl      = \"before(looking, stop)\"", "  ctl      = \"before(looking, stop)\"", 1},
		{"  reparation = regive\n}\nobligation \"regive\" {\n", "}\nobligation \"regive\" {\n  when = give.breached\n", 2},
		{"seller.paid_T", "seller.paid", 0},
		{"seller.paid_T", "!seller.paid_F", 1},
		{"p.asked -> AF p.b1", "p.asked_T -> AF p.b1", 0},
		{"all p in buyer: AG (p.asked -> AF p.b1 || seller.n >= 3)", "all p in buyer:  AG(p.asked -> AF p.b1||seller.n>=3)", 0},
		{"G(F(seller.paid_T & deed.seller))", "G(F (seller.paid_T&deed.seller))", 0},
		{"net \"document-free\"", "party \"document-free\"", 2},
		{`accept "dead-end" { reason = "z" }`, "accept \"dead-end\" { reason = \"z\" }\naccept \"dead-end\" { reason = \"again\" }", 0},
		{"    agent  = all(look)\n", "    agent[south] = look\n    agent[north] = look\n", 0},
		{"    agent  = all(look)\n", "    agent = any(look)\n", 1},
		{"progress(buyer, seller)", "progress(seller, buyer[1], buyer[0])", 0},
		{"require = n > 1 && n != 3", "require = n == 2 || n == 4", 0},
		{"require = n < 4", "require = n <= 4", 1},
		{"  exposed = true", "", 1},
		{"state \"done\" { exposed = true }", "state \"done\" {}", 1},
		{"looking = { from = buyer[0], to = seller }", "looking = { from = buyer[1], to = seller }", 1},
		{"not_before = { looking = 2 }", "not_before = { looking = 3 }", 1},
		{"lifts         = [give, regive]", "lifts         = [regive, give]", 0},
		{"expires  = \"2030-01-01\"", "expires  = \"2030-01-02\"", 1},
		{"reason   = \"a\"", "reason   = \"c\"", 0},
	} {
		text := strings.Replace(everything, c.old, c.new, 1)
		if text == everything {
			continue
		}
		head := testkit.DraftOf(t, text)
		changesMirror(t, base, head)
		if changes, _ := diff.Changes(base.Spec, head.Spec); len(changes) != c.changes {
			t.Errorf("%s > %s:\n%s", c.old, c.new, testkit.ChangesSaid(changes))
		}
	}
}

var (
	topBlocks = regexp.MustCompile(`(?ms)^\w+ ("[^"]*" )?\{(.*?^\}|[^\n]*\})\n`)
	numbers   = regexp.MustCompile(`\b\d+\b`)
	wordsOf   = regexp.MustCompile(`[A-Za-z][\w-]*`)
)

func mutated(t *rapid.T, text string) string {
	without := func(all [][]int) string {
		if len(all) == 0 {
			return text
		}
		at := rapid.SampledFrom(all).Draw(t, "at")
		return text[:at[0]] + text[at[1]:]
	}
	switch rapid.IntRange(0, 4).Draw(t, "mutation") {
	case 0:
		return without(regexp.MustCompile(`(?m)^.*\n`).FindAllStringIndex(text, -1))
	case 1:
		return without(topBlocks.FindAllStringIndex(text, -1))
	case 2:
		return without(regexp.MustCompile(`(?ms)^  \w+ ("[^"]*" )?\{(.*?^  \}|[^\n]*\})\n`).FindAllStringIndex(text, -1))
	case 3:
		if all := numbers.FindAllStringIndex(text, -1); len(all) > 0 {
			at := rapid.SampledFrom(all).Draw(t, "at")
			return text[:at[0]] + fmt.Sprint(rapid.IntRange(0, 6).Draw(t, "number")) + text[at[1]:]
		}
		return text
	}
	at := rapid.SampledFrom(wordsOf.FindAllStringIndex(text, -1)).Draw(t, "at")
	return text[:at[0]] + rapid.SampledFrom(declared(text)).Draw(t, "name") + text[at[1]:]
}

// everything has what no example has.
const everything = `contract "everything" {
  firing = one
  final  = "seller.done || document-free.off"
}
net "document-free" {
  place "on" { marked = true }
  place "off" {}
  transition "stop" {
    consume = [on]
    produce = [off]
  }
}
party "seller" {
  state "open" {}
  state "done" { exposed = true }
  flag "paid" {}
  flag "late" { initial = true }
  counter "n" {
    from    = 1
    to      = 4
    initial = 2
  }
  transition "more" {
    from    = open
    to      = open
    require = n < 4
    set     = { n = n + 1, paid = true }
  }
  transition "less" {
    from    = open
    to      = open
    require = n > 1 && n != 3
    set     = { n = n - 1 }
  }
  transition "end" {
    from  = open
    to    = done
    when  = { late = true }
    label = finish
  }
}
party "buyer" {
  count = 2
  state "b0" {}
  state "b1" {}
  flag "asked" { initial = count.index == 0 }
  transition "buy" {
    from = b0
    to   = b1
  }
  transition "back" {
    from = b1
    to   = b0
  }
}
party "agent" {
  for_each = ["north", "south"]
  state "a0" {}
  transition "look" {
    from = a0
    to   = a0
  }
}
event "buying" {
  sync = { buyer = each(buy) }
}
event "backing" {
  sync = { buyer = any(back) }
}
event "looking" {
  sync = {
    agent  = all(look)
    seller = finish
  }
}
event "first" {
  sync       = { agent[north] = look }
  not_before = { looking = 2 }
  within     = { backing = 1 }
  only_while = may.given
}
event "stop" {
  sync = { document-free = stop }
}
document "deed" {
  holder = seller
  moves  = { buying = { from = seller, to = buyer }, looking = { from = buyer[0], to = seller } }
}
obligation "give" {
  bearer     = seller
  fulfil     = buying
  when       = looking
  within     = 3
  reparation = regive
}
obligation "regive" {
  bearer       = seller
  counterparty = buyer[1]
  fulfil       = backing
  within       = 1
}
prohibition "no" {
  bearer = buyer[0]
  of     = first
  from   = give.breached
  lasts  = 2
}
permission "may" {
  bearer = seller
  of     = first
  until  = stop
}
power "forgive" {
  bearer        = buyer[1]
  exercise      = backing
  lifts         = [give, regive]
  ends_contract = true
}
requirement "r1" {
  over = ideal
  ctl  = "all p in buyer: AG (p.asked -> AF p.b1 || seller.n >= 3)"
}
requirement "r2" {
  table1 = "G(F(seller.paid_T & deed.seller))"
  waiver {
    reason   = "a"
    approver = "b"
    expires  = "2030-01-01"
    run      = "sha256:0000000000000000000000000000000000000000000000000000000000000000"
  }
}
requirement "r3" {
  over     = ideal
  ctl      = "before(looking, stop)"
  assuming = progress(buyer, seller)
}
requirement "r4" {
  whenever = "seller.done"
  follows  = "happened(buying[0]) && give.owed"
  before   = "agent[south].a0"
}
accept "idle-self-loop" {
  on     = event.first
  reason = "x"
}
accept "state-never-reached" {
  on     = buyer[0].asked
  reason = "y"
}
accept "dead-end" { reason = "z" }
`
