package pnml

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestRead(t *testing.T) {
	n, err := Read(strings.NewReader(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n"><page id="g">
<place id="p"><name><text>7</text></name><initialMarking><text> 1 </text></initialMarking></place>
<arc source="t" target="q"/><arc source="p" target="t"><inscription><text>1</text></inscription></arc>
<page id="h"><place id="q"/><place id="r"><initialMarking><text>0</text></initialMarking></place><transition id="t"/></page>
<arc source="r" target="t"/><arc source="t" target="r"/></page></net></pnml>`))
	if err != nil {
		t.Fatal(err)
	}
	t0 := n.Transitions[0]
	if have, want := fmt.Sprintln(n.Name, n.Places, t0.Name, t0.In, t0.Out, t0.Read, n.Initial, len(n.Transitions)), "n [n.p n.q n.r] t [0] [1] [2] [0] 1\n"; have != want {
		t.Errorf("have %s, expected %s", have, want)
	}
}

func TestReadErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:        "there is no net",
		`<pnml/>`: "no net",
		`<place id="p"><initialMarking><text>2</text></initialMarking></place>`:                                         "starts with 2 tokens",
		`<place id="p"/><place id="p"/>`:                                                                                `the id "p" is not unique: line 1 has it, too`,
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>2</text></inscription></arc>`: "weighs 2",
		`<place id="p"><initialMarking><text>one</text></initialMarking></place>`:                                       `"one" tokens`,
		`<place id="p"><initialMarking><text>-1</text></initialMarking></place>`:                                        `"-1" tokens`,
		`<place id="p"/><transition id="p"/>`:                                                                           `the id "p" is not unique`,
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>x</text></inscription></arc>`: `weighs "x"`,
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>0</text></inscription></arc>`: `weighs "0"`,
		`<place id="p"/><arc source="p" target="t"/>`:                                                                   `no place or transition "t"`,
		`<place id="p"/><transition id="t"/><arc source="p" target="t"/><arc source="p" target="t"/>`:                   `a second arc "p" to "t", after that of line 1`,
	} {
		if strings.HasPrefix(text, "<place") {
			text = "<pnml><net>" + text + "</net></pnml>"
		}
		if _, err := Read(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: have %v, expected %q", text, err, want)
		}
	}
}

// TestNotOneSafe: more than one token is a net that is not one-safe, anything else no net.
func TestNotOneSafe(t *testing.T) {
	for text, want := range map[string]bool{
		`<place id="p"><initialMarking><text>2</text></initialMarking></place>`:                                           true,
		`<place id="p"><initialMarking><text>99999999999999999999</text></initialMarking></place>`:                        true,
		`<place id="p"><initialMarking><text>x</text></initialMarking></place>`:                                           false,
		`<place id="p"/><transition id="t"/><arc source="t" target="p"><inscription><text>3</text></inscription></arc>`:   true,
		`<place id="p"/><transition id="t"/><arc source="t" target="p"><inscription><text>1.5</text></inscription></arc>`: false,
	} {
		_, err := Read(strings.NewReader("<pnml><net>" + text + "</net></pnml>"))
		if err == nil || errors.Is(err, ErrNotOneSafe) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReadNumbers(t *testing.T) {
	n, err := Read(strings.NewReader(`<pnml><net id="n"><place id="p"><initialMarking><text> 01 </text></initialMarking></place>
<place id="q"><initialMarking><text>00</text></initialMarking></place></net></pnml>`))
	if err != nil || len(n.Initial) != 1 || n.Initial[0] != 0 {
		t.Errorf("%v, %v", n, err)
	}
}

func TestReadLatin1(t *testing.T) {
	for encoding, e := range map[string]string{"ISO-8859-1": "\xe9", "Latin1": "\xe9", "utf-8": "é"} {
		n, err := Read(strings.NewReader(`<?xml version="1.0" encoding="` + encoding + `"?><pnml><net id="n"><place id="d` + e + `"/></net></pnml>`))
		if err != nil || n.Places[0].Name != "dé" {
			t.Errorf("%s: %v, %v", encoding, n, err)
		}
	}
	if _, err := Read(strings.NewReader(`<?xml version="1.0" encoding="UTF-16"?><pnml/>`)); err == nil || !strings.Contains(err.Error(), `"UTF-16" is not read`) {
		t.Error(err)
	}
}

// TestReadWhere: every mistake has its place in the text.
func TestReadWhere(t *testing.T) {
	for text, want := range map[string]string{
		"<pnml>\n <net>\n  <place id=\"p\">":             "line 3, column 17: unexpected EOF",
		"<pnml>\n<net></pnml>":                           "line 2, column 13: element <net> closed by </pnml>",
		"<pnml><net>\n&who;</net></pnml>":                "line 2, column 6: invalid character entity &who;",
		"<html/>":                                        "line 1, column 1: the document is a <html>",
		"<pnml><net id=\"a\"/>\n <net id=\"b\"/></pnml>": "line 2, column 2: there is a second net",
		"<pnml><net>\n<place/></net></pnml>":             "line 2, column 1: a place has no id",
		"<pnml><net><place id=\"p\">\n<capacity><text>3</text></capacity></place></net></pnml>":              "line 2, column 11: place \"p\" has a capacity",
		"<pnml><net>\n<declaration/></net></pnml>":                                                           "line 2, column 1: <declaration> belongs to coloured nets",
		"<pnml><net><transition id=\"t\">\n<delay/></transition></net></pnml>":                               "line 2, column 1: transition \"t\" takes time",
		"<pnml><net><arc source=\"p\" target=\"t\"><type value=\"inhibitor\"/></arc></net></pnml>":           "is of the kind \"inhibitor\"",
		"<pnml><net><arc source=\"p\" target=\"t\"><arctype><text>reset</text></arctype></arc></net></pnml>": "is of the kind \"reset\"",
		"<pnml><net><arc source=\"p\" target=\"t\"><type><text>read</text></type></arc></net></pnml>":        "is of the kind \"read\"",
		"<pnml><net><place id=\"p\"/>\n<arc source=\"p\" target=\"p\"/></net></pnml>":                        "line 2, column 1: arc \"p\" to \"p\" is not between",
		"<pnml><net>\n<referencePlace id=\"p\" ref=\"q\"/><referencePlace id=\"q\" ref=\"p\"/></net></pnml>": "line 2, column 1: the references from \"p\" lead round",
		"<pnml><net>\n<referencePlace id=\"p\" ref=\"q\"/></net></pnml>":                                     "line 2, column 1: there is no place or transition \"q\" to refer to",
		"<pnml><net>\n<referencePlace id=\"p\"/></net></pnml>":                                               "line 2, column 1: referencePlace \"p\": an attribute ref",
		"<pnml><net>\n<place id=\"p\" ref=\"p\"/></net></pnml>":                                              "line 2, column 1: place \"p\": an attribute ref",
	} {
		_, err := Read(strings.NewReader(text))
		var at *Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &at) {
			t.Errorf("%s: have %v, expected %q", text, err, want)
		}
	}
}

// TestReadRefuses: what is not read and may change what a net means is an error, at its place.
func TestReadRefuses(t *testing.T) {
	const two = `<place id="i"><initialMarking><text>1</text></initialMarking></place><place id="o"/><place id="z"/>` + "<transition id=\"t\"/>\n" +
		`<arc source="i" target="t"/><arc source="t" target="o"/><arc source="t" target="z"/>`
	for text, want := range map[string]string{
		"<net><transition id=\"t\"\n guard=\"amount &gt; 1000\"/>":        "line 1, column 12: the attribute guard=\"amount > 1000\" of transition \"t\" is not read",
		"<net><transition id=\"t\">\n<readVariable>amount</readVariable>": "line 2, column 1: <readVariable> in transition \"t\" is not read",
		"<net>\n<variables/>":                                                                                "line 2, column 1: <variables> is not read",
		"<net><place id=\"p\" capacity=\"1\"/>":                                                              "the attribute capacity=\"1\" of place \"p\"",
		"<net><place id=\"p\"><invariant/>":                                                                  "<invariant> in place \"p\"",
		"<net><place id=\"p\" x:initial=\"1\" xmlns:x=\"y\"/>":                                               "the attribute initial=\"1\"",
		"<net><arc source=\"p\" target=\"t\" type=\"inhibitor\"/>":                                           "the attribute type=\"inhibitor\" of <arc>",
		"<net><arc source=\"p\" target=\"t\"><inhibitor/></arc>":                                             "<inhibitor> in arc \"p\" to \"t\"",
		"<net><arc source=\"p\" target=\"t\"><type><text>normal</text></type><type value=\"reset\"/></arc>":  "a second <type> in arc \"p\" to \"t\"",
		"<net><arc source=\"p\" target=\"t\"><type kind=\"reset\"/></arc>":                                   "the attribute kind=\"reset\" of <type> in arc",
		"<net><arc source=\"p\" target=\"t\"><tagged><value>true</value></tagged></arc>":                     "is tagged \"true\"",
		"<net><place id=\"p\"><initialMarking>1</initialMarking>":                                            "the text \"1\" stands in no <text>",
		"<net><place id=\"p\"><initialMarking><token>1</token></initialMarking>":                             "<token> in place \"p\"",
		"<net><place id=\"p\"><initialMarking><text><b>1</b></text></initialMarking>":                        "<b> is not read",
		"<net><place id=\"p\"><initialMarking><text>1</text><text>0</text></initialMarking>":                 "a second <text> in place \"p\"",
		"<net><place id=\"p\"><initialMarking/><initialMarking><text>1</text></initialMarking>":              "a second <initialMarking> in place \"p\"",
		"<net><transition id=\"t\"><initialMarking/>":                                                        "<initialMarking> in transition \"t\"",
		"<net><place id=\"p\"><inscription/>":                                                                "<inscription> in place \"p\"",
		"<net><place id=\"p\"/><referencePlace id=\"r\" ref=\"p\"><initialMarking/>":                         "<initialMarking> in referencePlace \"r\"",
		"<net><transition id=\"t\"/><transition id=\"u\"><priority><value>2</value></priority></transition>": "transition \"u\" has another priority",
		"<net type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">":                               "the net is of the type \"http://www.pnml.org/version-2009/grammar/symmetricnet\"",
		"<net initial=\"p\">":      "the attribute initial=\"p\"",
		"<net><page><net/></page>": "<net> is not read",
		"<net><place id=\"p\"/><x:transition id=\"t\" xmlns:x=\"y\"/>": "<transition> is not read",
		"<module><ports><input/></ports></module>":                     "<input> is not read",
		"<instance/>": "<instance> is not read",
		"<net>" + two + `<finalmarkings><marking><place idref="o"><text>1</text></place></marking></finalmarkings>`:                             `token on place "o": only final markings`,
		"<net>" + two + `<arc source="z" target="t"/><finalmarkings><marking><place idref="i"><text>1</text></place></marking></finalmarkings>`: `token on place "i": only final markings`,
		"<net>" + two + `<finalmarkings><marking><place idref="t"><text>1</text></place></marking></finalmarkings>`:                             `names place "t", and there is none`,
		"<net>" + two + `<finalmarkings><marking><place idref="o"><text>2</text></place></marking></finalmarkings>`:                             `has 2 tokens on place "o"`,
		"<net>" + two + `<finalmarkings><place/></finalmarkings>`:                                                                               "<place> is not read",
	} {
		_, err := Read(strings.NewReader("<pnml>" + text + "</net></pnml>")) // most are refused before their end
		var at *Error
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &at) {
			t.Errorf("%s: have %v, expected %q", text, err, want)
		}
	}
}

// TestReadPassesOver: drawings, remarks and how fast something happens are no part of what a net means.
func TestReadPassesOver(t *testing.T) {
	d, err := Decode(strings.NewReader(`<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="a b">
<module><ports/><net id="n" type="P/T net"><token id="Default" red="0"/><labels x="1"/><toolspecific tool="nupn" version="1.1"><size places="2"/></toolspecific>
<page id="g"><graphics><fill color="red"/></graphics>
<place id="i" xml:id="x"><graphics/><initialMarking><graphics/><text>1</text></initialMarking><capacity><value>0</value></capacity></place><place id="o"/>
<transition id="t"><orientation><value>0</value></orientation><rate><value>2.5</value></rate><timed><value>false</value></timed><priority><value>1</value></priority>
<toolspecific tool="X"><guard>a</guard></toolspecific></transition>
<transition id="u"><timed><value>false</value></timed><priority><value>1</value></priority><toolspecific tool="Y"/><toolspecific tool="X"/></transition>
<arc id="a" source="i" target="t"><arcpath id="000" x="1"/><tagged><value>false</value></tagged><type value="normal"/></arc><arc source="t" target="o"/></page>
<finalmarkings><marking><place idref="i"><text>0</text></place><place idref="o"><text>1</text></place></marking></finalmarkings>
</net><finalmarkings><marking/></finalmarkings></module></pnml>`))
	if err != nil {
		t.Fatal(err)
	}
	if have := fmt.Sprint(d.Net.Initial, d.Net.Transitions[0].In, d.Tools); have != "[0] [0] {[X Y] false 6 1}" {
		t.Error(have)
	}
}

// TestReadTooMuch: what is too large is refused, and not read to its end.
func TestReadTooMuch(t *testing.T) {
	for want, part := range map[string]string{
		"more than 1000 deep": "<page>", "a text of more than 65536 bytes": "<place id=\"p\"><name><text>" + strings.Repeat("long ", 1<<14),
		"larger than 256 MiB": "<page><!--" + strings.Repeat(" ", 1<<16) + "--></page>", "no place or transition \"x\"": strings.Repeat("<arc source=\"x\" target=\"y\"/>", 1000) + "</net></pnml>",
	} {
		s := newScanner(io.MultiReader(strings.NewReader("<pnml><net>"), &again{text: part}))
		s.source.left = 1 << 20
		if strings.Contains(part, "arc") {
			s = newScanner(strings.NewReader("<pnml><net>" + part))
		}
		err := s.scan()
		if err == nil {
			_, err = s.build()
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80v, expected %s", err, want)
		}
	}
}

// again is a text over and over.
type again struct {
	text string
	at   int
}

func (a *again) Read(p []byte) (int, error) {
	n := copy(p, a.text[a.at:])
	a.at = (a.at + n) % len(a.text)
	return n, nil
}

// TestReadFailure: a reader that fails is no mistake in the text.
func TestReadFailure(t *testing.T) {
	failed := errors.New("the disk is gone")
	_, err := Read(io.MultiReader(strings.NewReader("<pnml>"), iotest.ErrReader(failed)))
	var at *Error
	if !errors.Is(err, failed) || errors.As(err, &at) {
		t.Error(err)
	}
}

// TestDecode: names, places in the text, and references.
func TestDecode(t *testing.T) {
	d, err := Decode(strings.NewReader(`<pnml><net id="n"><name><text>A sale</text></name>
 <page id="g"><name><text>upper</text></name>
  <place id="p1"><graphics/><name><text> paid </text><graphics/></name><toolspecific><name><text>x</text></name></toolspecific></place>
  <place id="p2"><initialMarking><value>1</value></initialMarking><capacity><value>0</value></capacity></place></page>
 <page><transition id="t1"><name><value>t1</value></name></transition>
  <referencePlace id="r1" ref="r2"/><referencePlace id="r2" ref="p1"/><referenceTransition id="r3" ref="t1"/>
  <arc source="r3" target="r1"><type value="normal"/></arc><arc source="p2" target="r3"/></page></net></pnml>`))
	if err != nil {
		t.Fatal(err)
	}
	want := "A sale [{paid 3 3} { 4 3}] [{t1 5 8}] [{t1  [1] [0] [] [] [] false -1 []}] [1]"
	if have := fmt.Sprint(d.Title, " ", d.Places, " ", d.Transitions, " ", d.Net.Transitions, " ", d.Net.Initial); have != want {
		t.Errorf("have %s, expected %s", have, want)
	}
	if have := fmt.Sprint(d.Places[0].Called("p1"), ", ", d.Transitions[0].Called("t1"), ", ", Item{}.Called("p")); have != "paid (p1), t1, p" {
		t.Error(have)
	}
}

// TestReadManyReferences: a chain of them is followed once.
func TestReadManyReferences(t *testing.T) {
	var b strings.Builder
	b.WriteString(`<pnml><net><place id="0"/><transition id="t"/>`)
	const n = 100_000
	for i := range n {
		fmt.Fprintf(&b, `<referencePlace id="%d" ref="%d"/>`, i+1, i)
	}
	fmt.Fprintf(&b, `<arc source="%d" target="t"/></net></pnml>`, n)
	net, err := Read(strings.NewReader(b.String()))
	if err != nil || len(net.Places) != 1 || len(net.Transitions[0].In) != 1 {
		t.Error(net, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`<pnml><net id="n"><page><place id="p"><initialMarking><text>1</text></initialMarking></place><transition id="t"/><arc source="p" target="t"/></page></net></pnml>`)
	f.Add(`<?xml version="1.0" encoding="ISO-8859-1"?><pnml><module><net><place id="p"/></net></module></pnml>`)
	f.Fuzz(func(t *testing.T, text string) {
		n, err := Read(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := n.Sane(); err != nil {
			t.Fatal(err)
		}
	})
}
