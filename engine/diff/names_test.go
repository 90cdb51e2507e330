package diff_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/diff"
)

// Renames of several things at once, and changes beside a rename.
func TestChains(t *testing.T) {
	for _, c := range []struct {
		edits []string
		want  string
	}{
		{[]string{"seller~", "vendor", "sent~", "gone", "send~", "ship", "tries~", "attempts"},
			"renamed party vendor (was seller)\nrenamed state vendor.gone (was seller.sent)\nrenamed counter vendor.attempts (was seller.tries)\nrenamed transition vendor.ship (was seller.send)"},
		{[]string{"seller~", "vendor", "within = 2", "within = 3"},
			"renamed party vendor (was seller)\nrewired obligation deliver; within: 2 > 3"},
		{[]string{"seller~", "vendor", `  state "open" {}`, "  state \"open\" {}\n  state \"lost\" {}"}, // recognised by its parts
			"renamed party vendor (was seller)\nadded state vendor.lost"},
		{[]string{"seller~", "vendor", "tries < 3", "tries < 2"},
			"renamed party vendor (was seller)\nrewired transition vendor.send (was seller.send); require: tries < 3 > tries < 2"},
		{[]string{"sent~", "gone", "to   = served", "to   = waiting"},
			"renamed state seller.gone (was seller.sent)\nrewired transition buyer.take; to: served > waiting"},
		{[]string{"delivery~", "handover", "served~", "done"},
			"renamed state buyer.done (was buyer.served)\nrenamed event handover (was delivery)\nrenamed requirement done (was served)"},
		{[]string{"free~", "swap", "taken~", "free", "swap~", "taken"}, // names that change places are not renamed
			"rewired place road.free; marked: true > \nrewired place road.taken; marked:  > true\n" +
				"rewired transition road.use; consume: free > taken; produce: taken > free"},
	} {
		text := sale
		for i := 0; i < len(c.edits); i += 2 {
			text = reworded(text, c.edits[i], c.edits[i+1])
		}
		list, _ := diff.Changes(contractOf(t, sale), contractOf(t, text))
		var got []string
		for _, c := range list {
			got = append(got, said(c))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%q:\n%s", c.edits, strings.Join(got, "\n"))
		}
	}
}

// What stands in the text is told, whatever its compilation comes to.
func TestToldAsWritten(t *testing.T) {
	const several = "contract \"c\" {}\nparty \"p\" {\n  count = 1\n  state \"s\" {}\n  flag \"f\" { initial = count.index == 0 }\n" +
		"  transition \"t\" {\n    from = s\n    to = s\n  }\n}\nevent \"e\" {\n  sync = { p = any(t) }\n}\n"
	keyed := strings.ReplaceAll(strings.Replace(several, "count = 1", `for_each = ["north", "south"]`, 1), "{ initial = count.index == 0 }", "{}") +
		"requirement \"r\" { ctl = \"EF p[north].f\" }\n"
	const counting = "contract \"c\" {}\nlocals {\n  max = 3\n  few = 2\n}\nparty \"p\" {\n  state \"s\" {}\n  counter \"n\" { to = local.max }\n" +
		"  transition \"t\" {\n    from = s\n    to = s\n    require = n < local.few\n    set = { n = n + 1 }\n  }\n" +
		"  transition \"u\" {\n    from = s\n    to = s\n    set = { n = n + 1 }\n  }\n}\n"
	const phases = "contract \"c\" {}\nparty \"a\" {}\nevent \"go\" {\n  sync = { clock = ring }\n}\nnet \"clock\" {\n  place \"p\" { marked = true }\n" +
		"  transition \"ring\" { consume = [p] }\n}\ntemplate \"form\" {\n  party \"x\" {\n    state \"s\" {}\n    state \"t\" {}\n" +
		"    transition \"m\" {\n      from = s\n      to   = t\n    }\n  }\n}\nphase \"one\" {\n  template = form\n  roles = { x = a }\n}\n"
	for _, c := range []struct{ text, old, new, want string }{
		{several, "count = 1", "count = 2", "rewired party p; count: 1 > 2\nrewired flag p.f; initial: true > [0] true"},
		{several, "any(t)", "all(t)", ""}, // of one
		{several, "  count = 1\n", "", ""},
		{keyed, "north", "nord", "rewired party p; for_each: north, south > nord, south"},
		{keyed, `["north", "south"]`, `["north", "south", "east"]`, "rewired party p; for_each: north, south > east, north, south"},
		{counting, "max = 3", "max = 5", "rewired counter p.n; to: 3 > 5"},
		{counting, "few = 2", "few = 1", "rewired transition p.t; require: n < 2 > n < 1"},
		{counting, "few = 2\n", "few = 1 + 1\n", ""},
		{several + "party \"q\" {\n  count = 2\n  state \"s\" {}\n  counter \"n\" { to = 3 }\n  transition \"t\" {\n    from = s\n    to = s\n    require = n < count.index + 1\n    set = { n = n + 1 }\n  }\n}\n", "index + 1", "index + 2",
			"rewired transition q.t; require: n < count.index + 1 > n < count.index + 2"}, // of each of them
		{phases, "roles = { x = a }", "roles = { x = a }\n  after = go", "rewired party one.a; after:  > go"},
		{phases, "to   = t", "to   = s", "rewired transition one.a.m; to: t > s"},
		{phases, `phase "one"`, `phase "first"`, "renamed party first.a (was one.a)"},
	} {
		head := strings.Replace(c.text, c.old, c.new, -1)
		if c.old == "  count = 1\n" {
			head = strings.NewReplacer(c.old, "", "any(t)", "t", "count.index == 0", "true").Replace(c.text)
			c.want = "rewired party p; count: 1 > \nrewired event e; sync: p = any(t) > p = t"
		}
		list, _ := diff.Changes(contractOf(t, c.text), contractOf(t, head))
		var got []string
		for _, c := range list {
			got = append(got, said(c))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s > %s:\n got  %s\n want %s", c.old, c.new, strings.Join(got, "\n      "), c.want)
		}
	}
}

func TestNames(t *testing.T) {
	text := sale
	for _, e := range [][2]string{{"seller~", "vendor"}, {"sent~", "gone"}, {"late~", "tardy"}, {"sign~", "seal"}, {"buyer~", "client"},
		{"receipt~", "proof"}, {"deliver~", "supply"}, {"tries~", "attempts"}, {"send~", "ship"}} {
		text = reworded(text, e[0], e[1])
	}
	text = strings.Replace(text, "  state \"waiting\" {}", "  state \"waiting\" {}\n  transition \"x\" { \n from = served\n to = served\n }", 1)
	_, n := diff.Changes(contractOf(t, sale), contractOf(t, text))
	for _, c := range []struct {
		element    diff.Element
		base, head string
	}{
		{diff.Party, "seller", "vendor"}, {diff.Party, "buyer[1]", "client[1]"}, {diff.State, "seller.sent", "vendor.gone"},
		{diff.Transition, "seller.send", "vendor.ship"}, {diff.Transition, "buyer[0].take", "client[0].take"}, {diff.Event, "sign[1]", "seal[1]"},
		{diff.Event, "trip", "trip"}, {diff.Obligation, "deliver", "supply"}, {diff.Counter, "seller.tries", "vendor.attempts"},
		{diff.Event, "nothing", ""}, {diff.Transition, "seller.nothing", ""}, {diff.Transition, "nothing", ""}, {diff.Party, "buyer[7]", ""},
		{diff.Transition, "", "client.x"}, {diff.Document, "receipt", "proof"}, {diff.TheContract, "sale", "sale"}, {diff.Waiver, "served", "served"},
		{diff.Net, "road", "road"},
	} {
		if head, ok := n.Head(c.element, c.base); c.base != "" && (head != c.head || ok != (c.head != "")) {
			t.Errorf("%s is %q on head, want %q", c.base, head, c.head)
		}
		if base, ok := n.Reversed().Head(c.element, c.head); c.head != "" && (base != c.base || ok != (c.base != "")) {
			t.Errorf("%s is %q on base, want %q", c.head, base, c.base)
		}
	}
	for base, head := range map[string]string{
		"seller.sent": "vendor.gone", "seller.late": "vendor.tardy", "seller.late_T": "vendor.tardy_T", "seller.late_F": "vendor.tardy_F",
		"seller.tries": "vendor.attempts", "seller.tries=2": "vendor.attempts=2", "buyer[1].served": "client[1].served",
		"receipt.seller": "proof.vendor", "receipt.nobody": "proof.nobody", "deliver.owed": "supply.owed", "seller.gone": "", "nobody.x": "",
	} {
		if got, ok := n.HeadPlace(base); ok && got != head || ok != (head != "") {
			t.Errorf("%s is %q %t on head, want %q", base, got, ok, head)
		}
		if got, ok := n.Reversed().HeadPlace(head); head != "" && (got != base || !ok) {
			t.Errorf("%s is %q on base, want %q", head, got, base)
		}
	}
	for base, head := range map[string]string{
		"event.sign[0]": "event.seal[0]", "seller.sent": "vendor.gone", "document.receipt": "document.proof", "obligation.deliver": "obligation.supply",
		"requirement.served": "requirement.served", "event.delivery": "event.delivery",
	} {
		if got, ok := n.HeadSubject(base); got != head || !ok {
			t.Errorf("%s is %q on head, want %q", base, got, head)
		}
	}
	for base, head := range map[string]string{
		"AG (seller.sent -> AF buyer[1].served)":              "AG (vendor.gone -> AF client[1].served)",
		"all p in buyer: EF (p.served && happened(sign[p]))":  "all p in client: EF (p.served && happened(seal[p]))",
		"seller.tries >= 2 && before(sign[0], delivery)":      "vendor.attempts >= 2 && before(seal[0], delivery)",
		"EF (receipt.seller || deliver.breached || !ideal)":   "EF (proof.vendor || supply.breached || !ideal)",
		"all seller in buyer: EF (seller.served)":             "all seller in client: EF seller.served",
		"all p in buyer: E[buyer[p].served U seller.unknown]": "all p in client: E[client[p].served U seller.unknown]",
	} {
		f, err := ctl.Parse(base)
		if err != nil {
			t.Fatal(err)
		}
		if got := n.HeadFormula(f).CTL(); got != head {
			t.Errorf("%s is %s on head, want %s", base, got, head)
		}
	}
}

// drawDiagrams draws parties with states and events, as blocks of text with holes for names.
func drawDiagrams(t *rapid.T) (blocks []string, names int) {
	parties := rapid.IntRange(1, 3).Draw(t, "parties")
	labels := make([]int, parties)
	name := func(i int) string { return fmt.Sprintf("«%d»", i) }
	blocks = append(blocks, "contract \"c\" {}\n")
	var atoms []string
	for p := range parties {
		var b strings.Builder
		party := name(names)
		names++
		fmt.Fprintf(&b, "party \"%s\" {\n", party)
		states, first := rapid.IntRange(1, 4).Draw(t, "states"), names
		for range states {
			fmt.Fprintf(&b, "  state \"%s\" {}\n", name(names))
			atoms = append(atoms, party+"."+name(names))
			names++
		}
		labels[p] = names
		for range rapid.IntRange(1, 4).Draw(t, "transitions") {
			fmt.Fprintf(&b, "  transition \"%s\" {\n    from = %s\n    to = %s\n  }\n", name(names), name(first+rapid.IntRange(0, states-1).Draw(t, "from")), name(first+rapid.IntRange(0, states-1).Draw(t, "to")))
			names++
		}
		blocks = append(blocks, b.String()+"}\n")
	}
	for range rapid.IntRange(0, 3).Draw(t, "events") {
		p := rapid.IntRange(0, parties-1).Draw(t, "of")
		first := 0
		fmt.Sscanf(blocks[1+p][len("party \"«"):], "%d", &first)
		blocks = append(blocks, fmt.Sprintf("event \"%s\" {\n  sync = { %s = %s }\n}\n", name(names), name(first), name(labels[p])))
		names++
	}
	for range rapid.IntRange(0, 3).Draw(t, "requirements") {
		atom := rapid.SampledFrom(atoms)
		blocks = append(blocks, fmt.Sprintf("requirement \"%s\" { ctl = \"AG (%s -> EF %s)\" }\n", name(names), atom.Draw(t, "a"), atom.Draw(t, "b")))
		names++
	}
	return blocks, names
}

func filled(blocks []string, names []string) string {
	text := strings.Join(blocks, "")
	for i, n := range names {
		text = strings.ReplaceAll(text, fmt.Sprintf("«%d»", i), n)
	}
	return text
}

// TestRenames: order is no change; one name changed is one thing renamed; and whatever is renamed, the
// difference mirrors, and names lead there and back.
func TestRenames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		blocks, n := drawDiagrams(t)
		names := make([]string, n)
		for i := range names {
			names[i] = fmt.Sprintf("n%d", i)
		}
		base := contractOf(t, filled(blocks, names))
		shuffled := rapid.Permutation(blocks).Draw(t, "order")
		if list, _ := diff.Changes(base, contractOf(t, filled(shuffled, names))); len(list) > 0 {
			t.Fatalf("in another order: %s", said(list[0]))
		}
		one := rapid.IntRange(0, n-1).Draw(t, "which")
		renamed := slices.Clone(names)
		renamed[one] = "other"
		list, _ := diff.Changes(base, contractOf(t, filled(shuffled, renamed)))
		if len(list) != 1 || list[0].Action != diff.Renamed || !strings.HasSuffix(list[0].Name, "other") || !strings.HasSuffix(list[0].Was, names[one]) {
			t.Fatalf("%d changes for one name: %v\n%s", len(list), list, filled(blocks, names))
		}
		for range rapid.IntRange(0, n).Draw(t, "more") {
			i := rapid.IntRange(0, n-1).Draw(t, "which")
			renamed[i] = fmt.Sprintf("m%d", i)
		}
		head := contractOf(t, filled(shuffled, renamed))
		forth, there := diff.Changes(base, head)
		back, again := diff.Changes(head, base)
		if len(forth) != len(back) {
			t.Fatalf("%d changes, and %d back", len(forth), len(back))
		}
		for _, c := range back {
			if m := c.Mirror(); !slices.ContainsFunc(forth, func(f diff.Change) bool { return f.Fingerprint == m.Fingerprint }) {
				t.Fatalf("mirrored: %s", said(m))
			}
		}
		for i, name := range names { // parties and events have no dots in their names
			for _, e := range []diff.Element{diff.Party, diff.Event} {
				to, ok := there.Head(e, name)
				from, too := again.Reversed().Head(e, name)
				if to != from || ok != too || ok && to != renamed[i] {
					t.Fatalf("%s is %q %t there, and %q %t back", name, to, ok, from, too)
				}
			}
		}
	})
}

// chain is a party with n states in a row, named by prefix.
func chain(n int, prefix string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "contract \"c\" {}\nparty \"%sp\" {\n", prefix)
	for i := range n {
		fmt.Fprintf(&b, "  state \"%ss%d\" {}\n", prefix, i)
	}
	for i := range n - 1 {
		fmt.Fprintf(&b, "  transition \"%st%d\" {\n    from = %ss%d\n    to = %ss%d\n  }\n", prefix, i, prefix, i, prefix, i+1)
	}
	b.WriteString("}\n")
	return b.String()
}

func BenchmarkChanges(b *testing.B) {
	const n = 10_000
	base := contractOf(b, chain(n, ""))
	for name, text := range map[string]string{
		"same":    chain(n, ""),
		"one":     reworded(chain(n, ""), "s5000~", "x"),
		"all":     chain(n, "x"),
		"removed": reworded(chain(n, ""), "  transition \"t5000\" {\n    from = s5000\n    to = s5001\n  }\n", ""),
	} {
		head := contractOf(b, text)
		b.Run(name, func(b *testing.B) {
			for range b.N {
				list, _ := diff.Changes(base, head)
				if want := map[string]int{"same": 0, "one": 1, "all": 2 * n, "removed": 1}[name]; len(list) != want {
					b.Fatalf("%d changes, want %d", len(list), want)
				}
			}
		})
	}
}

// TestRolesAreNotRenamed: a role of a phase that is given to another party of both versions is another role. It is the same one where its player is renamed.
func TestRolesAreNotRenamed(t *testing.T) {
	const base = `contract "c" {}
party "employer" {}
party "bank" {}
party "contractor" {}
template "work" {
  party "owner" {
    state "S0" {}
    state "S1" {}
    transition "go" {
      from = S0
      to   = S1
    }
  }
  party "builder" {}
  event "completion" { by = builder }
  obligation "pay" {
    bearer       = owner
    counterparty = builder
    when         = completion
  }
}
phase "roof" {
  template = work
  roles = {
    owner   = employer
    builder = contractor
  }
}
`
	empty := strings.Replace(base, `    state "S0" {}
    state "S1" {}
    transition "go" {
      from = S0
      to   = S1
    }
`, "", 1)
	const given = "removed party roof.employer, added party roof.bank, rewired event roof.pay, rewired obligation roof.pay"
	for _, c := range []struct{ name, base, was, now, want string }{
		{"with states", base, "= employer", "= bank", given},
		{"without", empty, "= employer", "= bank", given},
		{"the player renamed", empty, "employer", "owner-of-all", "renamed party owner-of-all, renamed party roof.owner-of-all"},
	} {
		list, _ := diff.Changes(contractOf(t, c.base), contractOf(t, strings.ReplaceAll(c.base, c.was, c.now)))
		var got []string
		for _, d := range list {
			got = append(got, fmt.Sprintf("%s %s %s", d.Action, d.Element, d.Name))
		}
		slices.Sort(got)
		want := strings.Split(c.want, ", ")
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
