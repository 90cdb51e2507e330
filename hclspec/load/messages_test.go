package load

import (
	"fmt"
	"strings"
	"testing"

	"github.com/redlinehq/redline/hclspec/diag"
)

// TestMessages holds messages that a reader has to be able to follow: the whole text of the first mistake, and what its place spells.
func TestMessages(t *testing.T) {
	const seller = "party \"seller\" {\n  state \"S0\" {}\n  state \"S1\" {}\n  flag \"GAV\" {}\n  flag \"paid\" {}\n  counter \"n\" {\n    to = 3\n  }\n%s}\n"
	const courier = "party \"s\" {}\nparty \"courier\" {\n  count = 1\n  state \"a\" {}\n  state \"b\" {}\n  transition \"load\" {\n    from = a\n    to   = b\n  }\n}\n"
	move := func(text string) string { return fmt.Sprintf(seller, "  transition \"ready\" {\n    "+text+"\n  }\n") }
	promise := func(text string) string {
		return fmt.Sprintf(seller, "") + "requirement \"r\" {\n  ctl = \"AF seller.S0\"\n  " + text + "\n}\n"
	}
	for text, want := range map[string]string{
		"locals {\n  n = 1e1001\n}\n":                                        "1e1001 | Number 1e1001 is too large; the largest exponent is 1000, as in 1e1000.",
		"locals {\n  n = 1e-1001\n}\n":                                       "1e-1001 | Number 1e-1001 is too small; the smallest exponent is -1000, as in 1e-1000.",
		"locals {\n  a = local.a\n}\n":                                       "a | Local value a refers to itself. local.a -> local.a.",
		"locals {\n  a = local.b\n  b = local.a\n}\n":                        "a | Local values a and b refer to each other. local.a -> local.b -> local.a.",
		"locals {\n  a = local.b\n  b = local.c\n  c = local.a\n}":           "a | Local values a, b and c refer to each other in a circle. local.a -> local.b -> local.c -> local.a.",
		"locals {\n  a = 14 + \"days\"\n}\n":                                 "\"days\" | \"days\" is a text; + needs numbers. ",
		"locals {\n  a = !3\n}\n":                                            "3 | 3 is a number; ! needs true or false. ",
		"locals {\n  a = \"x\" < 3\n}\n":                                     "\"x\" | \"x\" is a text; < needs numbers. ",
		"party \"a\" { count = 2 for_each = [\"b\"] }\n":                     "for_each | Put count and for_each on separate lines, one attribute a line. A block on one line has room for one attribute only.",
		"party \"a\" {}\nparty \"b\" {}\nevent \"e\" { by = a or b }\n":      "or | The word or joins no names. Write by = any(a, b).",
		"party \"a\" {}\nparty \"b\" {}\nevent \"e\" {\n  by = a and b\n}\n": "and | The word and joins no names. Write by = [a, b].",
		"obligation \"o\" {\n  when = order or delivery\n}\n":                "or | The word or joins no names. Write when = [order, delivery].",
		"obligation \"o\" {\n  fulfil = order and delivery\n}\n":             "and | The word and joins no names. Write fulfil = all(order, delivery).",
		"scenario \"s\" {\n  events = [order, 3 days, delivery]\n}\n":        "days | A duration with a unit stands in quotes. Write \"3 days\".",
		"party \"a\" {\n  -- quiet\n  state \"s\" {}\n}\n":                   "- | A comment does not begin with --. Write # before it, or //.",
		"requirement \"r\" {\n  never = happened(e)\n}\n":                    "happened(e) | A formula stands in quotes. Write never = \"happened(e)\".",
		"party \"a\" {\n  state \"s\" {}\n  transition \"go\" {\n    from  = s\n    to    = s\n    label = goes\n  }\n}\nevent \"e\" {\n  sync = { a = go }\n}\n":                                                    "go | Event \"e\" can never happen: party \"a\" has no transition \"go\". The transition go has the label goes: write goes.",
		"party \"a\" {\n  state \"s\" {}\n}\nevent \"e\" {\n  by         = a\n  only_while = a.s && a.t\n}\n":                                                                                                        "a.s && a.t | Conditions are not joined by &&. Write a list, of which all must be so: [a.s, a.t].",
		"party \"a\" {\n  state \"s\" {}\n}\nevent \"e\" {\n  by         = a\n  only_while = a.s || a.t\n}\n":                                                                                                        "a.s || a.t | Conditions are not joined by ||. Write any(a.s, a.t), of which one must be so.",
		"variable \"days\" {\n  type    = duration\n  default = \"3 days\"\n}\nparty \"s\" {\n  state \"a\" {}\n}\nevent \"e\" {\n  by = s\n}\nobligation \"o\" {\n  bearer = s\n  fulfil = e\n  within = days\n}\n": "days | \"days\" is not a value. Write var.days.",
		"locals {\n  days = 3\n}\nparty \"s\" {\n  state \"a\" {}\n}\nevent \"e\" {\n  by = s\n}\nobligation \"o\" {\n  bearer = s\n  fulfil = e\n  within = days\n}\n":                                              "days | \"days\" is not a value. Write local.days.",
		"party \"a“ {\n  state \"s\" {}\n}\n":             "\"a“ | A text stands in straight quotes, not in “. Write \"a\".",
		"party \"a {\n  title = \"the “first” one\"\n}\n": "\"a { | A closing quote is missing: a text in quotes ends on the line on which it begins. A longer text begins with <<-EOT, and ends with EOT on a line of its own.",
		"locals {\n  a = 1.2.3\n}\n":                      "1.2.3 | This is no number. Write one dot at most, or a text in quotes: \"1.2.3\".",
		"party \"event\" {}\n":                            "\"event\" | \"event\" is reserved; so are document, local, requirement. Give the party another name.",
		"party \"true\" {}\n":                             "\"true\" | \"true\" is reserved; so are false, null, for. Give the party another name.",
		"party \"a\" {\n  count = 10001\n}\n":             "10001 | count is 10001; at most 10000 is allowed. ",
		"party \"a\" {\n  count = 0\n}\n":                 "0 | count must be a whole number, 1 to 10000; this is 0. ",
		"party \"a\" {\n  count = 200\n  counter \"n\" {\n    to = 999\n  }\n  state \"S\" {}\n}\n":                                         "200 | 200 of party \"a\" are too many: they have 200200 places and transitions. Each has 1001; with those before, that makes 200200. The instances of a contract have at most 200000.",
		"variable \"n\" {\n  type = number\n  default = 0\n  validation {\n    condition = var.n>0\n    error_message = \"One.\"\n  }\n}\n": "0 | Variable \"n\" is 0 (its default), but needs var.n > 0: One. ",
		"variable \"n\" {\n  type = number\n  default = \"0\"\n}\n":                                                                         "\"0\" | Variable \"n\" must be a number. This is a text.",
		"accept \"syntax\" {\n  reason = \"why\"\n}\n":                                                                                      "\"syntax\" | \"syntax\" is an error; only warnings and failed checks can be accepted. Mend it and delete this block.",
		"retire \"r\" {\n  digest = \"old\"\n  reason = \"why\"\n}\n":                                                                       "\"old\" | digest must be sha256: and 64 hex digits. Copy it from redline review, below the promise.",
		"party \"buyer\" {\n  state \"cop\" {}\n  state \"\u0441\u043e\u0440\" {}\n}\n":                                                     "\"\u0441\u043e\u0440\" | State \"\u0441\u043e\u0440\" (Cyrillic) looks like state \"cop\", line 3. They only look alike: in one of them, \u0441 (U+0441) is not c, \u043e (U+043E) is not o, \u0440 (U+0440) is not p. Give one of them another name.",

		move("from = \"S0\"\n    to = S0"):                                   "\"S0\" | Write S0, not \"S0\". The name of a state has no quotes.",
		move("from = seller.S0\n    to = S0"):                                "seller.S0 | Write S0, not seller.S0. The name of a state is expected here, without the party's name: it is clear which party is meant.",
		move("from = seller[0].S0\n    to = S0"):                             "seller[0].S0 | Write S0, not seller[0].S0. The name of a state is expected here, without the party's name: it is clear which party is meant.",
		move("from = S0"):                                                    "from | Transition \"ready\" has from but no to. Add to = STATE; to stay in S0, to = S0.",
		move("to = S1"):                                                      "to | Transition \"ready\" has to but no from. Add from = STATE; to stay in S1, from = S1.",
		move("when = { GAV = true }\n    set = { GAV = true }"):              "GAV | Transition \"ready\" needs GAV to be true already, so it cannot set it to true. Write when = { GAV = false }, or delete when.",
		move("when = { GAV = false }\n    set = { GAV = false }"):            "GAV | Transition \"ready\" needs GAV to be false already, so it cannot set it to false. Write when = { GAV = true }, or delete when.",
		move("when = { GAV = true, paid = true }\n    set = { GAV = true }"): "GAV | Transition \"ready\" needs GAV to be true already, so it cannot set it to true. In when, write GAV = false, or leave GAV out.",
		move("set = { GAV = 1 }"):                                            "1 | Flag \"GAV\" must be true or false. This is a number.",
		move("set = { n = n + true }"):                                       "true | true is true or false; + needs numbers. ",
		promise("rests_on = \"seller\""):                                     "\"seller\" | rests_on must be a list of parties, e.g. [seller]; [] means nobody. Write rests_on = [seller].",
		promise("rests_on = seller"):                                         "seller | rests_on must be a list of parties, e.g. [seller]; [] means nobody. Write rests_on = [seller].",
		promise("rests_on = 1"):                                              "1 | rests_on must be a list of parties, e.g. [seller]; [] means nobody. They alone have to act for the requirement to be kept.",
		promise("rests_on = [\"seller\"]"):                                   "\"seller\" | The name of a party is expected here, without quotes. Write rests_on = [seller].",
		promise("rests_on = [\"bank\"]"):                                     "\"bank\" | The name of a party is expected here, without quotes. As in rests_on = [seller].",
		promise("assuming = progress(\"seller\")"):                           "\"seller\" | The name of a party is expected here, without quotes. Write assuming = progress(seller).",
		promise("assuming = \"good faith\""):                                 "\"good faith\" | assuming must be progress(PARTY), e.g. progress(seller). For several: progress(seller, buyer). It assumes that each of them acts in the end, as long as it can.",
		promise("waiver {\n    reason = \"w\"\n    approver = \"a\"\n    run = \"x\"\n  }"): "\"x\" | run must be sha256: and 64 hex digits. Copy it from redline check, below the violation. Several are separated by a space.",
		"party \"seller\" {}\n": "party \"seller\" | No party of contract \"c\" has a state. Within the braces of \"seller\", add state \"S0\" {} on a line of its own.",
		courier + "event \"load\" {\n  sync = { courier = each(load) }\n}\nevent \"rest\" {\n  by = s\n}\nscenario \"s\" {\n  events = [load[1]]\n  expect = possible\n}\n":                                                                                              "load[1] | There is no event \"load[1]\". There is only load[0].",
		courier + "event \"load\" {\n  sync = { courier = each(load) }\n}\nevent \"rest\" {\n  by = s\n}\nscenario \"s\" {\n  events = [deliver]\n  expect = possible\n}\n":                                                                                              "deliver | There is no event \"deliver\". There are: load, rest.",
		fmt.Sprintf(seller, "") + "accept \"breach-without-consequence\" {\n  on     = escrow.obligation.refund\n  reason = \"x\"\n}\n":                                                                                                                                  "escrow.obligation | There is no party \"escrow.obligation\". Did you mean \"obligation.escrow.refund\"?",
		"party \"s\" {}\nevent \"deliver\" {\n  by = s\n}\nevent \"pay\" {\n  by = s\n}\nevent \"use\" {\n  by = s\n}\nobligation \"finish\" {\n  bearer = s\n  fulfil = deliver\n}\npower \"suspend\" {\n  bearer   = s\n  exercise = use\n  lifts    = [payment]\n}\n": "payment | There is no obligation \"payment\". There are: finish.",
		fmt.Sprintf(seller, "") + "accept \"breach-without-consequence\" {\n  on     = nobody.refund\n  reason = \"x\"\n}\n":                                                                                                                                             "nobody | There is no party \"nobody\". There are: document, event, requirement, obligation, prohibition, permission, power, seller.",
		"document \"d\" {}\n": "document \"d\" | Nobody ever holds document \"d\". Say who holds it at first and which events move it, or write document = d on places of the parties.",
		"":                    "contract \"c\" | Contract \"c\" has no party. Beside the contract block, add party \"seller\" { ... } and, on a line of its own within the braces, state \"S0\" {}.",
	} {
		src := loadText(t, "contract \"c\" {}\n"+text)
		if len(src.Diagnostics) != 1 {
			t.Errorf("%s: %d mistakes: %s", text, len(src.Diagnostics), render(src))
			continue
		}
		d := src.Diagnostics[0]
		if got := string(d.Subject.SliceBytes(src.Files[d.Subject.Filename])) + " | " + d.Summary + " " + d.Detail; got != want && got != strings.TrimSpace(want)+" " {
			t.Errorf("%s: %s\n got %s\nwant %s", text, diag.CodeOf(d), got, want)
		}
	}
}

// TestDurations: a fraction needs a shorter tick, and a long time a longer one.
func TestDurations(t *testing.T) {
	for ticks, want := range map[string]string{
		"0.5": "this is 0.5. Use a shorter tick.", "2.5": "this is 2.5. Use a shorter tick.", "0": "this is 0. ", "-3": "this is -3. ",
		"4001": "this is 4001. Use a longer tick.", "4000.5": "this is 4000.5. Use a longer tick.",
	} {
		src := loadText(t, "contract \"c\" {}\nparty \"s\" {\n  place \"p\" {}\n  transition \"send\" { produce = [p] }\n}\nevent \"d\" {\n  sync = { s = send }\n}\nobligation \"o\" {\n  bearer = s\n  fulfil = d\n  within = "+ticks+"\n}\n")
		want = "within must be a whole number of ticks, 1 to 4000; " + want
		if len(src.Diagnostics) != 1 || src.Diagnostics[0].Summary+" "+src.Diagnostics[0].Detail != want {
			t.Errorf("%s: %s", ticks, render(src))
		}
	}
}

// TestTemplatesThatCountTicks: a template that counts in ticks, in a contract whose durations have units, is one mistake where it is used, that says what to write.
func TestTemplatesThatCountTicks(t *testing.T) {
	for _, c := range []struct{ typ, with, other, want string }{
		{"type = number", "with = { days = 14 }", `"20 days"`, `14 | Template "clause" counts in ticks what its parameter "days" is, and durations of this contract have a unit. ` +
			`Write the other durations of this contract as numbers of ticks, too; or take source and digest out of the template, if it has them, say type = duration in its parameter, and give "14 days".`},
		{"type = number", "", `"20 weeks"`, `phase "use" | Template "clause" counts in ticks what its parameter "days" is, and durations of this contract have a unit. ` +
			`Write the other durations of this contract as numbers of ticks, too; or take source and digest out of the template, if it has them, say type = duration in its parameter, and give "5 weeks".`},
		{"type = number", `with = { days = "14 days" }`, `"20 days"`, `"14 days" | Parameter "days" must be a number. This is a text. The template counts in ticks. ` +
			`Write the other durations of this contract as numbers of ticks, too; or take source and digest out of the template, if it has them, say type = duration in its parameter, and give "14 days".`},
		{"type = number", `with = { days = "14 days" }`, `20`, `"14 days" | Parameter "days" must be a number. This is a text. The template counts in ticks. ` +
			`Write a number of ticks; or take source and digest out of the template, if it has them, say type = duration in its parameter, and give "14 days".`},
		{"", "with = { days = 14 }", `"20 days"`, `14 | Template "clause" counts in ticks what its parameter "days" is, and durations of this contract have a unit. Give it as "14 days", say.`},
		{"", `with = { days = "14 days" }`, `"20 days"`, ""},
		{"type = number", "with = { days = 14 }", "20", ""},
		{"type = duration", `with = { days = "14 days" }`, `"20 days"`, ""},
		{"type = duration", `with = { days = "2 weeks" }`, `"20 days"`, ""},
		{"type = duration", "with = { days = 14 }", "20", ""},
		{"type = duration", "", "20", ""},
		{"type = duration", "with = { days = 14 }", `"20 days"`, `14 | Parameter "days" of template "clause" is given as a number of ticks, and durations of this contract have a unit. Give it as "14 days", say.`},
		{"type = duration", "", `"20 weeks"`, `phase "use" | Parameter "days" of template "clause" is 5 ticks if it is left out, and durations of this contract have a unit. Write with = { days = "5 weeks" }, say.`},
		{"type = duration", `with = { days = "14 days" }`, "20", `20 | within has no unit, and other durations of this contract have one. Write it as "20 days", say.`},
		{"type = duration", `with = { days = "a fortnight" }`, "20", `"a fortnight" | Parameter "days" must be a duration: a number of ticks, or a text such as "30 days". This is "a fortnight".`},
		{"type = duration", `with = { days = 0 }`, "20", `0 | Parameter "days" must be a duration: a number of ticks, or a text such as "30 days". This is 0.`},
		{"type = duration", `with = { days = true }`, "20", `true | Parameter "days" must be a duration: a number of ticks, or a text such as "30 days". This is true or false.`},
	} {
		src := loadText(t, "contract \"c\" {}\nparty \"s\" {}\ntemplate \"clause\" {\n  parameter \"days\" {\n    "+c.typ+"\n    default = 5\n  }\n  party \"a\" {}\n  event \"go\" { by = a }\n"+
			"  obligation \"one\" {\n    bearer = a\n    fulfil = go\n    within = param.days\n  }\n  obligation \"two\" {\n    bearer = a\n    fulfil = go\n    within = (param.days)\n  }\n}\n"+
			"phase \"use\" {\n  template = clause\n  roles = { a = s }\n  "+c.with+"\n}\nevent \"e\" {\n  by = s\n  within = { use.go = "+c.other+" }\n}\n")
		var have []string
		for _, d := range src.Diagnostics {
			have = append(have, string(d.Subject.SliceBytes(src.Files[d.Subject.Filename]))+" | "+d.Summary+" "+d.Detail)
		}
		if have := strings.Join(have, "\n"); have != c.want {
			t.Errorf("%s, %s, %s:\n%s", c.typ, c.with, c.other, have)
		}
	}
}
