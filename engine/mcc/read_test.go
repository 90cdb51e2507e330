package mcc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/mcc"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
)

const lamp = `<pnml><net id="lamp"><page id="g">
<place id="off"><initialMarking><text>1</text></initialMarking></place><place id="on"/>
<transition id="up"/><transition id="down"/>
<arc source="off" target="up"/><arc source="up" target="on"/>
<arc source="on" target="down"/><arc source="down" target="off"/></page></net></pnml>`

func lampNet(t testing.TB) *petri.Net {
	n, err := pnml.Read(strings.NewReader(lamp))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// property is a file of one question.
func property(id, formula string) string {
	return "<property-set><property><id>" + id + "</id><formula>" + formula + "</formula></property></property-set>"
}

const lit = "<is-fireable><transition>down</transition></is-fireable>"

func TestRead(t *testing.T) {
	le := func(a, b string) string { return "<integer-le>" + a + b + "</integer-le>" }
	tokens := func(p string) string { return "<tokens-count><place>" + p + "</place></tokens-count>" }
	constant := func(n string) string { return "<integer-constant>" + n + "</integer-constant>" }
	for text, want := range map[string]string{
		lit:                                "on",
		" \n" + lit:                        "on",
		"<deadlock/>":                      "!EX true",
		"<true/>":                          "true",
		"<false/>":                         "false",
		"<negation>" + lit + "</negation>": "!on",
		"<conjunction>" + lit + "<true/>" + lit + "</conjunction>":                                     "on && (true && on)",
		"<disjunction>" + lit + "<false/></disjunction>":                                               "on || false",
		"<is-fireable><transition>up</transition><transition> down </transition></is-fireable>":        "off || on",
		"<all-paths><globally>" + lit + "</globally></all-paths>":                                      "AG on",
		"<all-paths><finally>" + lit + "</finally></all-paths>":                                        "AF on",
		"<exists-path><next>" + lit + "</next></exists-path>":                                          "EX on",
		"<all-paths><until><before>" + lit + "</before><reach><true/></reach></until></all-paths>":     "A[on U true]",
		"<exists-path><until><before>" + lit + "</before><reach><true/></reach></until></exists-path>": "E[on U true]",
		le(tokens("on"), constant("0")):                                                                "+1*#1<=0",
		le(constant("1"), tokens("on")):                                                                "-1*#1<=-1",
		le(tokens("on"), tokens("on")):                                                                 "true",
		le(constant(" 3 "), tokens("on")):                                                              "false",
		le("<integer-sum>"+tokens("on")+tokens("off")+"</integer-sum>", constant("1")):                 "+1*#0+1*#1<=1",
		le("<integer-difference>"+tokens("on")+tokens("off")+"</integer-difference>", constant("0")):   "-1*#0+1*#1<=0",
		le("<tokens-count><place>on</place><place>off</place></tokens-count>", constant("1")):          "+1*#0+1*#1<=1",
	} {
		list, err := mcc.Read(strings.NewReader(property("q", text)), lampNet(t))
		if err != nil || len(list) != 1 || list[0].ID != "q" {
			t.Errorf("%s: %v, %v", text, list, err)
			continue
		}
		if have := show(list[0].Formula); have != want {
			t.Errorf("%s\nis %s, expected %s", text, have, want)
		}
	}
}

// show writes a formula with the names of its atoms, sums included, which no parser reads.
func show(f *ctl.Formula) string { return strings.ReplaceAll(f.CTL(), "lamp.", "") }

func TestReadErrors(t *testing.T) {
	q := func(formula string) string { return property("q", formula) }
	le := func(a string) string {
		return q("<integer-le>" + a + "<integer-constant>1</integer-constant></integer-le>")
	}
	deep := strings.Repeat("<negation>", 1200) + lit + strings.Repeat("</negation>", 1200)
	for name, c := range map[string]struct{ text, want string }{
		"nothing":               {"", "0 elements at the top"},
		"no XML":                {"AG p", "0 elements at the top"},
		"not closed":            {"<property-set>", "XML"},
		"two tops":              {"<a/><b/>", "2 elements at the top"},
		"no formula":            {"<property-set><property><id>q</id></property></property-set>", "formula q: there is none"},
		"two formulas":          {"<property-set><property><id>q</id><formula><true/></formula><formula><true/></formula></property></property-set>", "formula q: there are two"},
		"no id":                 {"<property-set><property><formula><true/></formula></property></property-set>", "a property has no id"},
		"an id of two lines":    {property("q TRUE\nFORMULA r", "<true/>"), "is not a name"},
		"empty formula":         {q(""), "formula holds 0 elements"},
		"unknown element":       {q("<xor><true/></xor>"), "there is no formula <xor>"},
		"unknown path":          {q("<all-paths><release/></all-paths>"), "there is no path <release>"},
		"unknown number":        {le("<integer-product/>"), "there is no number <integer-product>"},
		"unknown transition":    {q("<is-fireable><transition>x</transition></is-fireable>"), `there is no transition "x"`},
		"unknown place":         {le("<tokens-count><place>x</place></tokens-count>"), `there is no place "x"`},
		"empty conjunction":     {q("<conjunction/>"), "an empty conjunction"},
		"empty disjunction":     {q("<disjunction> </disjunction>"), "an empty disjunction"},
		"empty is-fireable":     {q("<is-fireable/>"), "an empty is-fireable"},
		"empty tokens-count":    {le("<tokens-count/>"), "an empty tokens-count"},
		"empty sum":             {le("<integer-sum/>"), "an empty integer-sum"},
		"difference of one":     {le("<integer-difference><integer-constant>1</integer-constant></integer-difference>"), "integer-difference holds 1 elements, expected 2"},
		"le of one":             {q("<integer-le><integer-constant>1</integer-constant></integer-le>"), "integer-le holds 1 elements, expected 2"},
		"negation of two":       {q("<negation><true/><true/></negation>"), "negation holds 2 elements, expected 1"},
		"path of two":           {q("<all-paths><next><true/></next><next><true/></next></all-paths>"), "all-paths holds 2 elements"},
		"until the wrong way":   {q("<all-paths><until><reach><true/></reach><before><true/></before></until></all-paths>"), "until holds something else"},
		"not a number":          {le("<integer-constant>x</integer-constant>"), `"x" is not a number`},
		"too large a number":    {le("<integer-constant>9223372036854775807</integer-constant>"), "is not a number between"},
		"deep":                  {q(deep), "1000 deep"},
		"an encoding not known": {`<?xml version="1.0" encoding="EBCDIC"?>` + q("<true/>"), `the encoding "EBCDIC" is not read`},
		"not UTF-8":             {q("<true/>\xff"), "UTF-8"},
	} {
		_, err := mcc.Read(strings.NewReader(c.text), lampNet(t))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, expected %q", name, err, c.want)
		}
	}
}

func TestReadOtherEncodings(t *testing.T) {
	n := lampNet(t)
	n.Transitions[1].Name = "dé"
	for encoding, e := range map[string]string{"ISO-8859-1": "\xe9", "latin1": "\xe9", "UTF-8": "é"} {
		text := `<?xml version="1.0" encoding="` + encoding + `"?>` +
			property("q", "<is-fireable><transition>d"+e+"</transition></is-fireable>")
		if list, err := mcc.Read(strings.NewReader(text), n); err != nil || len(list) != 1 {
			t.Errorf("%s: %v", encoding, err)
		}
	}
}

// TestReadWide: many operands make no deep tree, and white space between them no long work.
func TestReadWide(t *testing.T) {
	const wide = 200_000
	text := property("q", "<conjunction>"+strings.Repeat("<true/>\n", wide)+"</conjunction>")
	list, err := mcc.Read(strings.NewReader(text), lampNet(t))
	if err != nil {
		t.Fatal(err)
	}
	depth := 0
	for f := list[0].Formula; f.Op == ctl.And; f = f.Right {
		depth++
	}
	if depth > 20 {
		t.Errorf("%d operands make a tree %d deep", wide, depth)
	}
}

func TestReadFailure(t *testing.T) {
	cause := errors.New("the disk is gone")
	if _, err := mcc.Read(failing{cause}, lampNet(t)); !errors.Is(err, cause) {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func FuzzRead(f *testing.F) {
	for _, text := range []string{"", property("q", lit), property("q", "<all-paths><globally>"+lit+"</globally></all-paths>"),
		property("q", "<integer-le><integer-constant>1</integer-constant><tokens-count><place>on</place></tokens-count></integer-le>")} {
		f.Add(text)
	}
	n := lampNet(f)
	f.Fuzz(func(t *testing.T, text string) {
		list, err := mcc.Read(strings.NewReader(text), n)
		for _, q := range list {
			if err != nil || q.Formula == nil || q.ID == "" || strings.ContainsAny(q.ID, " \n") {
				t.Fatalf("%q, %v, %v", q.ID, q.Formula, err)
			}
		}
	})
}
