package pnml

import (
	"errors"
	"fmt"
	"strings"
	"testing"
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
		``:        "EOF",
		`<pnml/>`: "no net",
		`<place id="p"><initialMarking><text>2</text></initialMarking></place>`:                                         "starts with 2 tokens",
		`<place id="p"/><place id="p"/>`:                                                                                "one name",
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>2</text></inscription></arc>`: "weighs 2",
		`<place id="p"><initialMarking><text>one</text></initialMarking></place>`:                                       `"one" tokens`,
		`<place id="p"><initialMarking><text>-1</text></initialMarking></place>`:                                        `"-1" tokens`,
		`<place id="p"/><transition id="p"/>`:                                                                           "a place and a transition",
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>x</text></inscription></arc>`: `weighs "x"`,
		`<place id="p"/><transition id="t"/><arc source="p" target="t"><inscription><text>0</text></inscription></arc>`: `weighs "0"`,
		`<place id="p"/><arc source="p" target="t"/>`:                                                                   "not between",
		`<place id="p"/><transition id="t"/><arc source="p" target="t"/><arc source="p" target="t"/>`:                   "not strictly ascending",
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
