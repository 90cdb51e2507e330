package diff

import (
	"slices"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/hclspec"
)

// A value is what a clause says: text in which some words are names of things. Things that are called
// otherwise in the other contract are still the same things, so values are compared by what they name.
type value struct {
	words string  // where it is neither a name nor a list
	ref   int     // 1 and the index of the thing it names; 0: none
	list  []value // where there are several
	set   bool    // whose order means nothing
	join  string  // what stands between them
}

func literal(text string) value { return value{words: text} }
func number(n int) value        { return literal(strconv.Itoa(n)) }
func naming(thing int) value    { return value{ref: thing + 1} }

// thing is the thing it names; -1: none.
func (v value) thing() int { return v.ref - 1 }

// row is values one after the other.
func row(list ...value) value { return value{list: list} }

// several is values in no order.
func several(list []value) value { return value{list: list, set: true, join: ", "} }

// empty reports whether it says nothing.
func (v value) empty() bool {
	return v.ref == 0 && v.words == "" && !slices.ContainsFunc(v.list, func(w value) bool { return !w.empty() })
}

// String is the value in the words of its contract.
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

// write writes a value so that two are the same where the writing is; name writes a thing.
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

// each hands on every thing that the value names, with where in it: places in a set are all one.
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
