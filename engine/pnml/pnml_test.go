package pnml

import (
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
