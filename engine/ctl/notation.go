package ctl

import (
	"fmt"
	"strings"
)

// A notation has what is specific to one way of writing CTL; the Boolean part is common.
type notation struct {
	title         string
	prefix, infix map[string]Op
	square        bool // E[p U q] and its kin
	hints         map[string]string
	words         map[string]string // for operators, with the hint what to write
}

// meant returns the hint for a word that stands for an operator; "" for any other.
func (n *notation) meant(word string) string {
	if hint := n.words[strings.ToLower(word)]; hint != "" {
		return hint
	}
	upper := strings.ToUpper(word)
	if _, known := n.prefix[upper]; known && len(upper) > 1 { // a name of one letter is a place's
		return fmt.Sprintf("write %s: operators are written in capitals", upper)
	}
	return ""
}

var standard = notation{
	title:  "a formula",
	prefix: map[string]Op{"EX": EX, "AX": AX, "EF": EF, "AF": AF, "EG": EG, "AG": AG},
	square: true,
	hints: with(map[string]string{
		"E":  "write E[p U q] or E[p W q]; some immediate successor is EX p, some reachable state EF p",
		"A":  "write A[p U q] or A[p W q]; all immediate successors is AX p, every reachable state AG p",
		"F":  "write EF p (some reachable state) or AF p (on every path some state)",
		"G":  "write AG p (every reachable state) or EG p (on some path all states)",
		"U":  "U stands only in E[p U q] and A[p U q]",
		"W":  "W stands only in E[p W q] and A[p W q]",
		"EU": "write E[p U q]",
		"AU": "write A[p U q]",
		"Eu": "write E[p W q]",
		"Au": "write A[p W q]",
		"EW": "write E[p W q]",
		"AW": "write A[p W q]",
	}),
	words: map[string]string{
		"always": `write AG p; or, in place of ctl, always = "p"`, "globally": "write AG p", "henceforth": "write AG p",
		"never":    `write AG !p; or, in place of ctl, never = "p"`,
		"sometime": `write AF p; or, in place of ctl, sometime = "p"`, "eventually": "write AF p", "finally": "write AF p", "inevitably": "write AF p",
		"possibly": "write EF p", "next": "write AX p",
	},
}

var standardPaths = map[string]Op{"EU": EU, "AU": AU, "EW": EW, "AW": AW}

var table1 = notation{
	title:  "a formula of Table 1",
	prefix: map[string]Op{"E": EX, "A": AX, "F": EF, "G": AG},
	infix:  map[string]Op{"Au": AW, "Eu": EW, "EU": EU, "AU": AU},
	hints: with(map[string]string{
		"EX": "write E p (some immediate successor)",
		"AX": "write A p (all immediate successors)",
		"EF": "write E F with a blank, which is EX EF; standard EF is F",
		"AF": "write A F with a blank, which is AX EF; standard AF p is true AU p",
		"EG": "write E G with a blank, which is EX AG; standard EG p is p Eu false",
		"AG": "write A G with a blank, which is AX AG; standard AG is G",
		"U":  "write p AU q (on every path) or p EU q (on some path)",
		"W":  "write p Au q (on every path) or p Eu q (on some path)",
		"EW": "write p Eu q",
		"AW": "write p Au q",
		"[":  "standard E[p U q] is p EU q, E[p W q] is p Eu q; likewise A",
	}),
	words: map[string]string{
		"always": `write G p; or, in place of table1, always = "p"`, "globally": "write G p", "henceforth": "write G p",
		"never":    `write G !p; or, in place of table1, never = "p"`,
		"sometime": `write true AU p; or, in place of table1, sometime = "p"`, "eventually": "write true AU p", "finally": "write true AU p",
		"inevitably": "write true AU p", "possibly": "write F p", "next": "write A p",
	},
}

// with adds the hints that both notations share.
func with(hints map[string]string) map[string]string {
	for _, w := range []struct{ words, hint string }{
		{"and AND", "write && for and"},
		{"or OR", "write || for or"},
		{"not NOT", "write ! for not: !party.state"},
		{"implies", "write -> for implies"},
		{"iff", "write <-> for iff"},
		{"forall every each", "write all p in party: ... p.state ..."},
		{"exists any", "write some p in party: ... p.state ..."},
	} {
		for word := range strings.FieldsSeq(w.words) {
			hints[word] = w.hint
		}
	}
	return hints
}

// reserved lists the names that are not atoms, in either notation, so that a formula of one can be printed in the other. A dotted name is
// always an atom.
var reserved = []string{
	"true", "false",
	"E", "A", "F", "G", "U", "W",
	"EX", "AX", "EF", "AF", "EG", "AG",
	"EU", "AU", "Eu", "Au", "EW", "AW",
	"and", "AND", "or", "OR", "not", "NOT", "implies", "iff",
	"all", "some", "in", "forall", "every", "each", "exists", "any",
}
