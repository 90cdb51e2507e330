package hclspec

import (
	"slices"
	"strconv"
	"strings"
)

// A Term is one attribute of a norm as it was understood: names sorted, values worked out.
type Term struct{ Word, Value string }

// terms writes down what the source says of a norm, in a fixed order, so that two drafts can be compared.
func (n *norm) terms() []Term {
	words := map[NormKind][3]string{Obligation: {"when", "fulfil", "within"}, Power: {"when", "exercise"}}
	w, ok := words[n.Kind]
	if !ok {
		w = [3]string{"from", "of", "lasts"}
	}
	var all []Term
	add := func(word string, values ...string) {
		if text := strings.Join(slices.Sorted(slices.Values(values)), ", "); text != "" {
			all = append(all, Term{word, text})
		}
	}
	for _, who := range []struct {
		word  string
		party *Party
	}{{"bearer", n.Bearer}, {"counterparty", n.Counterparty}} {
		if who.party != nil {
			add(who.word, who.party.Name)
		}
	}
	add(w[0], occasionNames(n.starts)...)
	add(w[1], occasionNames(n.acts)...)
	if n.ticks > 0 {
		add(w[2], strconv.Itoa(n.ticks))
	}
	add("breach", occasionNames(n.breaches)...)
	add("until", occasionNames(n.ends)...)
	if n.answer != nil {
		add("reparation", n.answer.Name)
	}
	var lifted []string
	for _, other := range n.lifts {
		lifted = append(lifted, other.Name)
	}
	add("lifts", lifted...)
	if n.endsContract {
		add("ends_contract", "true")
	}
	return all
}

func occasionNames(list []occasion) []string {
	var names []string
	for _, o := range list {
		if o.event != nil {
			names = append(names, o.event.Name)
		} else {
			names = append(names, o.norm.Name+"."+o.to)
		}
	}
	return names
}
