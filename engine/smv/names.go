package smv

import (
	"fmt"
	"strings"

	"github.com/redlinehq/redline/engine/petri"
)

// Identifiers of NuSMV are ASCII letters, digits and _ $ # -, and begin with a letter or _ (section 2, lexical tokens). No two names become one:
//
//	.  is #             [ ] = are $_ $$ $e     another character is $u, its code point in hexadecimal, and _
//
// In a place's own name, which is what follows its last #, a dot is $d. An identifier that would not begin with a letter begins with _ , and no
// other does. Our own words follow a $ that none of these follows, as in $can; or begin with event#, local# or requirement#, which
// no party is called (construct.Roots), and a net that is gets its first letter as a code point. So none is a reserved word, either: each
// has a # or a $, or is one of dead, contact, step, stay and one-safe.

// mangled writes a name, dots as dot.
func mangled(name, dot string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '.':
			b.WriteString(dot)
		case r == '[':
			b.WriteString("$_")
		case r == ']':
			b.WriteString("$$")
		case r == '=':
			b.WriteString("$e")
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '-', r == '_' && i > 0:
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "$u%x_", r)
		}
	}
	return b.String()
}

// letter makes a mangled name begin with one.
func letter(id string) string {
	if id != "" && strings.ContainsAny(id[:1], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		return id
	}
	return "_" + id
}

// netID is what identifiers of a net's own begin with.
func netID(net string) string {
	id := mangled(net, "#")
	for _, own := range []string{"event", "local", "requirement"} {
		if id == own || strings.HasPrefix(id, own+"#") {
			id = fmt.Sprintf("$u%x_%s", id[0], id[1:])
		}
	}
	return letter(id)
}

// placeID is the variable of a place; of a history place, which is no party's, event#NAME$happened.
func placeID(p petri.Place) string {
	if event, ok := strings.CutPrefix(p.Name, "happened("); ok && p.Net == "" && strings.HasSuffix(event, ")") {
		return "event#" + mangled(strings.TrimSuffix(event, ")"), "#") + "$happened"
	}
	return netID(p.Net) + "#" + mangled(p.Name, "$d")
}

// SpecID is the name of a requirement's specification.
func SpecID(requirement string) string { return "requirement#" + mangled(requirement, "#") }

// stepIDs name the transitions. Of several with one name all but the first have a number.
func stepIDs(n *petri.Net) []string {
	ids, met := make([]string, len(n.Transitions)), map[string]int{}
	for i, t := range n.Transitions {
		id := "local#" + mangled(t.Name, "#")
		if t.Event >= 0 {
			id = "event#" + mangled(t.Name, "#")
		}
		if met[id]++; met[id] > 1 {
			ids[i] = fmt.Sprintf("%s$%d", id, met[id])
		} else {
			ids[i] = id
		}
	}
	return ids
}
