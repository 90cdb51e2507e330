package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// A value is the value of a clause: text in which some words are references to things. Things that are named differently in the other
// contract are still the same things, so values are compared by their references.
type value struct {
	words string  // if it is neither a reference nor a list
	ref   int     // index of the thing it names, plus 1; 0: none
	list  []value // parts
	set   bool    // the order of list means nothing
	join  string  // separator
}

func literal(text string) value { return value{words: text} }
func number(n int) value        { return literal(strconv.Itoa(n)) }
func naming(thing int) value    { return value{ref: thing + 1} }

// thing returns the index of the thing it names, or -1.
func (v value) thing() int { return v.ref - 1 }

// row returns values in a fixed order.
func row(list ...value) value { return value{list: list} }

// several returns values without an order.
func several(list []value) value { return value{list: list, set: true, join: ", "} }

// empty reports whether it has neither text nor references.
func (v value) empty() bool {
	return v.ref == 0 && v.words == "" && !slices.ContainsFunc(v.list, func(w value) bool { return !w.empty() })
}

// text returns the value in the words of its contract.
func (in *inventory) text(v value) string {
	switch {
	case v.ref > 0:
		return in.things[v.thing()].name
	case v.list == nil:
		return v.words
	}
	words := make([]string, len(v.list))
	for i, w := range v.list {
		words[i] = in.text(w)
	}
	if v.set {
		slices.SortFunc(words, hclspec.Natural)
	}
	return strings.Join(words, v.join)
}

// write writes a value so that equal values are written alike. name writes a thing.
func (v value) write(b *strings.Builder, name func(thing int) string) {
	switch {
	case v.ref > 0:
		b.WriteString("#" + name(v.thing()) + ";")
	case v.list == nil:
		b.WriteString(strconv.Quote(v.words))
	case !v.set:
		b.WriteByte('(')
		for _, w := range v.list {
			w.write(b, name)
		}
		b.WriteByte(')')
	default:
		b.WriteByte('{')
		for _, s := range sortedWritings(v.list, name) {
			b.WriteString(s)
		}
		b.WriteByte('}')
	}
}

func sortedWritings(list []value, name func(thing int) string) []string {
	all := make([]string, len(list))
	for i, w := range list {
		all[i] = w.written(name)
	}
	slices.Sort(all)
	return all
}

func (v value) written(name func(thing int) string) string {
	var b strings.Builder
	v.write(&b, name)
	return b.String()
}

// each calls use for every thing that the value names, with its position. Positions in a set are all the same.
func (v value) each(at string, use func(at string, thing int)) {
	if v.ref > 0 {
		use(at, v.thing())
		return
	}
	for i, w := range v.list {
		inner := at + "*"
		if !v.set {
			inner = at + "." + strconv.Itoa(i)
		}
		w.each(inner, use)
	}
}
