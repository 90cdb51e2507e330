package compare_test

import (
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/finding"
)

// displacing has elements of each kind that a formula can name.
const displacing = `contract "k" {}
party "s" {
  state "a" {}
  state "b" {}
  state "c" {}
  flag "lit" {}
  counter "n" { to = 2 }
  transition "get" {
    from = a
    to   = b
    set  = { lit = true, n = n + 1 }
  }
  transition "ship" {
    from = b
    to   = c
  }
}
party "u" {
  state "a" {}
  state "b" {}
  transition "pay" {
    from = a
    to   = b
  }
}
net "post" {
  place "in" { marked = true }
  place "out" {}
  transition "carry" {
    consume = [in]
    produce = [out]
  }
}
event "payment" { sync = { s = get, u = pay } }
event "delivery" { sync = { s = ship, post = carry } }
document "goods" {
  holder = s
  moves  = { delivery = { from = s, to = u } }
}
obligation "deliver" {
  bearer = s
  when   = payment
  fulfil = delivery
}
party "w" {}
event "asking" { by = w }
power "ask" {
  bearer = w
  exercise = asking
}
`

// TestDisplacedNames: a name that something idle has on head is not the name that base's promise has. A pure rename displaces nothing.
func TestDisplacedNames(t *testing.T) {
	const passes, fails = finding.Clean, finding.Violations
	const s, u, post, end = "party \"s\" {\n", "party \"u\" {\n", "net \"post\" {\n", "document \"goods\" {\n"
	const hold = "event \"hindrance\" { by = s }\nevent \"recovery\" { by = s }\npower \"hold\" {\n  bearer = s\n  exercise = hindrance\n  suspends = [deliver]\n  resumes = recovery\n}\n"
	for name, test := range map[string]struct {
		promise string
		status  finding.ExitStatus
		edits   []string // old and new texts; an idle element comes in where a party begins
	}{
		"state":                 {"AG (s.b -> AF s.c)", fails, []string{`"c"`, `"d"`, "= c\n", "= d\n", s, s + "  state \"c\" {}\n"}},
		"state, both":           {"AG (s.b -> AF s.c)", passes, []string{`"c"`, `"d"`, "= c\n", "= d\n", "s.c", "s.d"}},
		"state, another":        {"AG (s.b -> AF s.c)", passes, []string{s + "  state \"a\" {}\n", s + "  state \"a\" {}\n  state \"d\" {}\n"}},
		"state, step":           {"AG (s.c -> u.b)", passes, []string{"from = b\n    to   = c", "from = b\n    to   = d\n  }\n  transition \"check\" {\n    from = d\n    to   = c", s + "  state \"a\" {}\n", s + "  state \"a\" {}\n  state \"d\" {}\n"}},
		"state, no way":         {"AG !(s.c && post.in)", passes, []string{"from = b\n    to   = c", "from = b\n    to   = b"}},
		"state as flag":         {"AG (s.b -> s.lit)", fails, []string{"  state \"b\" {}\n  state \"c\" {}", "  state \"d\" {}\n  state \"c\" {}\n  flag \"b\" {}", "to   = b\n    set", "to   = d\n    set", "from = b", "from = d"}},
		"flag":                  {"AG (s.lit -> AF s.c)", fails, []string{`flag "lit"`, `flag "on"`, "lit = true", "on = true", s, s + "  flag \"lit\" {}\n"}},
		"flag, both":            {"AG (s.lit -> AF s.c)", passes, []string{`flag "lit"`, `flag "on"`, "lit = true", "on = true", "s.lit", "s.on"}},
		"counter":               {"AG (s.n > 0 -> s.lit)", fails, []string{`counter "n"`, `counter "m"`, "n = n + 1", "m = m + 1", s, s + "  counter \"n\" { to = 2 }\n"}},
		"counter, both":         {"AG (s.n > 0 -> s.lit)", passes, []string{`counter "n"`, `counter "m"`, "n = n + 1", "m = m + 1", "s.n", "s.m"}},
		"place":                 {"AG (post.out -> s.c)", fails, []string{`"out"`, `"gone"`, "[out]", "[gone]", post, post + "  place \"out\" {}\n"}},
		"marked place":          {"AG (!post.in -> s.c)", fails, []string{`"in"`, `"at"`, "[in]", "[at]", post, post + "  place \"in\" { marked = true }\n"}},
		"net":                   {"AG (post.out -> s.c)", fails, []string{post, post + "  place \"in\" { marked = true }\n  place \"out\" {}\n}\nnet \"mail\" {\n", "post = carry", "mail = carry"}},
		"event":                 {"before(payment, delivery)", fails, []string{"event \"delivery\"", "event \"delivery\" { sync = { post = none } }\nevent \"handover\"", "{ delivery =", "{ handover =", "= delivery\n", "= handover\n", post, post + "  transition \"none\" {\n    read = [no]\n  }\n  place \"no\" {}\n"}},
		"event, condition kept": {"before(payment, delivery)", fails, []string{"event \"delivery\" { sync = { s = ship, post = carry } }", "event \"delivery\" {\n  by = u\n  only_while = s.lit\n}\nevent \"handover\" { sync = { s = ship, post = carry } }", "{ delivery =", "{ handover ="}},
		"event, both":           {"before(payment, delivery)", passes, []string{"delivery", "handover"}},
		"event, by itself":      {"before(payment, delivery)", fails, []string{"s = ship, post = carry", "post = none", post, post + "  transition \"none\" {\n    read = [no]\n  }\n  place \"no\" {}\n"}},
		"document":              {"AG (goods.u -> s.c)", fails, []string{end, "event \"never\" { sync = { post = none } }\ndocument \"goods\" {\n  holder = s\n  moves  = { never = { from = s, to = u } }\n}\ndocument \"title\" {\n", post, post + "  transition \"none\" {\n    read = [no]\n  }\n  place \"no\" {}\n"}},
		"document, both":        {"AG (goods.u -> s.c)", passes, []string{`document "goods"`, `document "title"`, "goods.u", "title.u"}},
		"obligation":            {"AG (deliver.owed -> s.b)", fails, []string{`obligation "deliver"`, "event \"never\" { sync = { post = none } }\nobligation \"deliver\" {\n  bearer = s\n  when = never\n  fulfil = delivery\n}\nobligation \"hand-over\"", post, post + "  transition \"none\" {\n    read = [no]\n  }\n  place \"no\" {}\n"}},
		"obligation, both":      {"AG (deliver.owed -> s.b)", passes, []string{`obligation "deliver"`, `obligation "hand-over"`, "deliver.owed", "hand-over.owed"}},
		"events, exchanged":     {"AG (happened(delivery) -> s.lit)", fails, []string{"event \"payment\"", "event \"delivery\"", "event \"delivery\"", "event \"payment\"", "{ delivery =", "{ payment =", "= delivery\n", "= payment\n", "= payment\n", "= delivery\n"}},
		"states, exchanged":     {"AG (s.b -> s.lit)", fails, []string{"to   = b\n    set", "to   = c\n    set", "from = b\n    to   = c", "from = c\n    to   = b"}},
		"event, another more":   {"AG (happened(payment) -> s.lit)", passes, []string{"s = ship, post = carry", "s = ship, post = carry, u = more", "  transition \"pay\"", "  transition \"more\" {\n    read = [b]\n  }\n  transition \"pay\""}},
		"party":                 {"A[u.a W u.b]", fails, []string{u, u + "  state \"a\" {}\n  state \"b\" {}\n  transition \"pay\" {\n    from = a\n    to   = b\n  }\n}\nparty \"v\" {\n", "u = pay", "v = pay", "to = u", "to = v"}},
		// What nothing brings about is asked of what an amendment adds.
		"suspended":           {"AG !deliver.suspended", fails, []string{end, hold + end}},
		"power":               {"AG !ask.dormant", passes, []string{"power \"ask\" {\n", "power \"again\" {\n  bearer = w\n  exercise = asking\n}\npower \"ask\" {\n  repeats = true\n"}},
		"suspended, renamed":  {"AG !deliver.suspended", fails, []string{`"deliver"`, `"hand-over"`, "deliver.suspended", "hand-over.suspended", end, strings.ReplaceAll(hold, "[deliver]", "[hand-over]") + end}},
		"suspended, replaced": {"AG !deliver.suspended", fails, []string{`obligation "deliver"`, "event \"never\" { sync = { post = none } }\nobligation \"deliver\" {\n  bearer = s\n  when = never\n  fulfil = delivery\n}\nobligation \"hand-over\"", post, post + "  transition \"none\" {\n    read = [no]\n  }\n  place \"no\" {}\n"}},
		"never suspended":     {"AG !deliver.suspended", passes, []string{`"deliver"`, `"hand-over"`, "deliver.suspended", "hand-over.suspended"}},
		"ended":               {"AG contract.in_force", fails, []string{`contract "k" {}`, "contract \"k\" {\n  ends = delivery\n}"}},
		"ended, of a party":   {"AG !contract.ended", fails, []string{post, "party \"contract\" {\n  state \"in_force\" {}\n  state \"ended\" {}\n}\n" + post}},
		"holder":              {"AG !goods.post", fails, []string{"to = u }", "to = post }"}},
		"holder, renamed":     {"AG !goods.post", passes, []string{`net "post"`, `net "mail"`, "post = carry", "mail = carry", "goods.post", "goods.mail"}},
		"holder, gone":        {"AG !goods.post", fails, []string{`net "post"`, `net "mail"`, "post = carry", "mail = carry", "to = u }", "to = mail }", end, "net \"post\" {\n  place \"out\" {}\n}\n" + end}},
		"borne":               {"AG deliver.by-s", fails, []string{end, "event \"delegation\" { by = s }\npower \"delegate\" {\n  bearer = s\n  exercise = delegation\n  assigns = deliver\n  to = u\n}\n" + end}},
		"borne, renamed":      {"AG deliver.by-s", passes, []string{`party "s"`, `party "z"`, "s = get", "z = get", "s = ship", "z = ship", "= s\n", "= z\n", "from = s,", "from = z,", "by-s", "by-z"}},
		"borne, jointly":      {"AG deliver.by-s && AG !deliver.by-u", fails, []string{"bearer = s", "bearer = [s, u]"}},
		"party, both":         {"AG (u.b -> s.lit)", passes, []string{`party "u"`, `party "v"`, "u = pay", "v = pay", "to = u", "to = v", "u.b", "v.b"}},
	} {
		t.Run(name, func(t *testing.T) {
			base := displacing + "requirement \"r\" { ctl = \"" + test.promise + "\" }\n"
			head := strings.NewReplacer(test.edits...).Replace(base)
			r := amend(t, base, head, "")
			if got := r.Gate(finding.FailNew); got != test.status || r.Contracts[0].Base.Requirements[0].Verdict != finding.Holds {
				t.Errorf("exit status %d, want %d, base %v; head\n%s", got, test.status, r.Contracts[0].Base.Requirements[0].Verdict, head)
				for _, f := range r.Contracts[0].Findings {
					t.Log(f.Kind, f.Name, f.Head)
				}
			}
		})
	}
}

// TestStatesAndCountersByEvents: a state or counter that no event of before brings about any more, though the event is there, is another one by the old name. One
// that another event brings about, too, is the same, and so is one that a transition of the party brings about in the event.
func TestStatesAndCountersByEvents(t *testing.T) {
	const passes, fails = finding.Clean, finding.Violations
	const base = `contract "k" {}
party "seller" {
  state "ready" {}
  state "sent" { since = delivery }
  counter "parcels" {
    to      = 1
    changes = { delivery = 1 }
  }
}
party "buyer" {
  state "waiting" {}
  state "done" { since = payment }
}
event "order" { by = buyer }
event "delivery" { by = seller }
event "payment" {
  by         = buyer
  only_while = seller.sent
}
requirement "r" { ctl = "PROMISE" }
`
	const sent, parcels = "A[!buyer.done W seller.sent]", "AG (buyer.done -> seller.parcels == 1)"
	for name, test := range map[string]struct {
		promise string
		status  finding.ExitStatus
		edits   []string
	}{
		"state":                              {sent, fails, []string{"since = delivery", "since = order"}},
		"state, one more":                    {sent, passes, []string{"since = delivery", "since = [delivery, order]"}},
		"state, event renamed":               {sent, passes, []string{"delivery", "handover"}},
		"state, by a transition":             {sent, passes, []string{" { since = delivery }", " {}\n  transition \"send\" {\n    from = ready\n    to   = sent\n  }", "event \"delivery\" { by = seller }", "event \"delivery\" { sync = { seller = send } }"}},
		"state, transition of another event": {sent, fails, []string{" { since = delivery }", " {}\n  transition \"send\" {\n    from = ready\n    to   = sent\n  }", "event \"order\" { by = buyer }", "event \"order\" {\n  by   = buyer\n  sync = { seller = send }\n}"}},
		"state, not spoken of":               {"EF buyer.done", passes, []string{"since = delivery", "since = order"}},
		"counter":                            {parcels, fails, []string{"{ delivery = 1 }", "{ order = 1 }", "only_while = seller.sent", "only_while = seller.parcels == 1"}},
		"counter, one more":                  {parcels, passes, []string{"{ delivery = 1 }", "{ order = 1, delivery = 1 }"}},
	} {
		t.Run(name, func(t *testing.T) {
			base := strings.ReplaceAll(base, "PROMISE", test.promise)
			head := strings.NewReplacer(test.edits...).Replace(base)
			r := amend(t, base, head, "")
			if got := r.Gate(finding.FailNew); got != test.status || r.Contracts[0].Base.Requirements[0].Verdict != finding.Holds {
				t.Errorf("exit status %d, want %d, base %v; head\n%s", got, test.status, r.Contracts[0].Base.Requirements[0].Verdict, head)
				for _, f := range r.Contracts[0].Findings {
					t.Log(f.Kind, f.Name, f.Head)
				}
			}
		})
	}
}

// TestByTransitions: what the party's own transitions bring about is another thing if only other events of before do so now. It is the same if one of the old ones
// still has to come first.
func TestByTransitions(t *testing.T) {
	const passes, fails = finding.Clean, finding.Violations
	const base = `contract "k" {}
party "seller" {
  state "open" {}
  state "sent" {}
  state "done" {}
  flag "paid" {}
  flag "told" {}
  flag "free" { initial = true }
  counter "parcels" { to = 3 }
  counter "letters" { to = 3 }
  transition "cash" { set = { paid = true } }
  transition "hear" { set = { told = true } }
  transition "send" {
    from = open
    to   = sent
  }
  transition "close" {
    from = sent
    to   = done
  }
  transition "pack" { set = { parcels = 1 } }
  transition "write" { set = { letters = 1 } }
  transition "lend" { set = { free = false } }
  transition "undo" { set = { free = true, paid = false, parcels = 0 } }
  transition "ship" {
    from = done
    to   = done
    when = { paid = true, free = false }
    require = parcels > 0
    set  = { told = true }
  }
}
net "post" {
  place "in" { marked = true }
  place "out" {}
  transition "look" { read = [out] }
  transition "carry" {
    consume = [in]
    produce = [out]
  }
}
party "buyer" {}
event "payment" { sync = { seller = cash } }
event "news" { sync = { seller = hear } }
event "sending" { sync = { seller = send } }
event "closing" { sync = { seller = close } }
event "packing" { sync = { seller = pack } }
event "writing" { sync = { seller = write } }
event "lending" { sync = { seller = lend } }
event "undoing" { sync = { seller = undo } }
event "shipping" { sync = { seller = ship, post = look } }
event "carriage" { sync = { post = carry } }
event "idling" { by = buyer }
requirement "r" {
  no      = "happened(shipping)"
  without = "PROMISE"
}
`
	const cash, hear = "sync = { seller = cash }", "sync = { seller = hear }"
	for name, test := range map[string]struct {
		promise string
		status  finding.ExitStatus
		edits   []string
	}{
		"flags exchanged":         {"seller.paid", fails, []string{`cash" { set = { paid`, `cash" { set = { told`, `hear" { set = { told`, `hear" { set = { paid`}},
		"events exchanged":        {"seller.paid", fails, []string{cash, hear, hear, cash}},
		"another event":           {"seller.paid", fails, []string{cash, "by = buyer", "by = buyer", cash}},
		"another event more":      {"seller.paid", passes, []string{hear, "sync = { seller = cash }"}},
		"transition, by another":  {"seller.paid", fails, []string{cash, "by = buyer", hear, "by = buyer", "set = { told = true } }", "set = { paid = true } }"}},
		"event renamed":           {"seller.paid", passes, []string{`"payment"`, `"transfer"`}},
		"transition renamed":      {"seller.paid", passes, []string{`"cash"`, `"collect"`, "= cash", "= collect"}},
		"flag renamed":            {"seller.paid", passes, []string{`"paid"`, `"settled"`, "paid =", "settled =", "seller.paid", "seller.settled"}},
		"by since":                {"seller.sent", passes, []string{`"sent" {}`, `"sent" { since = sending }`, "sync = { seller = send }", "by = buyer", "  transition \"send\" {\n    from = open\n    to   = sent\n  }\n", ""}},
		"by since of another":     {"seller.sent", fails, []string{`"sent" {}`, `"sent" { since = idling }`, "sync = { seller = send }", "by = buyer", "  transition \"send\" {\n    from = open\n    to   = sent\n  }\n", ""}},
		"what is set at first":    {"!seller.free", fails, []string{`lend" { set = { free`, `lend" { set = { told`, "told = true } }", "free = false } }", "told = false", "told = true"}},
		"counters exchanged":      {"seller.parcels > 0", fails, []string{"parcels = 1", "letters = 1", "letters = 1", "parcels = 1"}},
		"another event, state":    {"seller.sent", fails, []string{"sync = { seller = send }", "by = buyer", "by = buyer", "sync = { seller = send }"}},
		"step before":             {"seller.sent", passes, []string{"to   = sent\n", "to   = ready\n", `state "sent" {}`, "state \"sent\" {}\n  state \"ready\" {}\n  transition \"wait\" {\n    from = ready\n    to   = sent\n  }", "by = buyer", "sync = { seller = wait }"}},
		"steps exchanged":         {"seller.done", passes, []string{"seller = send", "seller = close", "seller = close", "seller = send"}},
		"steps exchanged, middle": {"seller.sent", fails, []string{"seller = send", "seller = close", "seller = close", "seller = send"}},
		"place":                   {"post.out", fails, []string{`sync = { post = carry }`, "by = buyer", "by = buyer", "sync = { post = carry }"}},
	} {
		t.Run(name, func(t *testing.T) {
			base := strings.ReplaceAll(base, "PROMISE", test.promise)
			head := strings.NewReplacer(test.edits...).Replace(base)
			r := amend(t, base, head, "")
			if got := r.Gate(finding.FailNew); got != test.status || r.Contracts[0].Base.Requirements[0].Verdict != finding.Holds {
				t.Errorf("exit status %d, want %d, base %v; head\n%s", got, test.status, r.Contracts[0].Base.Requirements[0].Verdict, head)
				for _, f := range r.Contracts[0].Findings {
					t.Log(f.Kind, f.Name, f.Head)
				}
			}
		})
	}
}

// TestReadAsWhatNeverComes: a state of a party that is gone is not asked of an obligation by its name that nothing suspends.
func TestReadAsWhatNeverComes(t *testing.T) {
	const (
		rest  = "contract \"k\" {}\nparty \"a\" {}\nevent \"go\" { by = a }\nrequirement \"r\" { never = \"x.suspended\" }\n"
		party = "party \"x\" {\n  state \"open\" {}\n  state \"suspended\" {}\n}\n"
		owed  = "obligation \"x\" {\n  bearer = a\n  fulfil = go\n}\n"
	)
	if r := amend(t, rest+party, rest+owed, ""); r.Gate(finding.FailNew) != finding.Violations {
		t.Errorf("passes: %v", r.Contracts[0].Findings)
	}
}
