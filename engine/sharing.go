package engine

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/hclspec/edit"
)

// How a search for what is to blame shares with contracts of one meaning: what a text in between means is known to
// all whose texts differ in words alone; what comes of a meaning, to all that have it. What is then shown
// of a contract is read in its own text first, and has to mean what was asked and checked.
type sharing struct {
	commons *commons          // nil: with nobody
	form    string            // of both texts
	asks    string            // the questions
	meant   map[string]string // by set, what its text means as far as that was read
	own     *readings
	astray  bool // a text of this contract's means something else
}

// readings are texts of one contract, and what they were found to mean.
type readings struct {
	mu sync.Mutex
	of map[[sha256.Size]byte]string
}

// share begins to share.
func (t *trial) share(c *commons) {
	if c == nil {
		return
	}
	var asks strings.Builder
	for _, q := range t.questions {
		asks.WriteString(q.key(t.head))
	}
	t.sharing = sharing{commons: c, form: t.diff.Form(prose...), asks: asks.String(), meant: map[string]string{},
		own: &readings{of: map[[sha256.Size]byte]string{}}}
	t.own.put(t.head.text(), t.head.unnamed)
	t.own.put(t.base.text(), t.base.unnamed)
}

// means is what a draft means but for its name; empty where that is nothing to make a state model of.
func (d *Draft) means() string {
	if d.Spec == nil || d.unbuilt != "" {
		return ""
	}
	return d.unnamed
}

// remarks is all that is said of a draft's text, beyond what it means; empty where it means nothing.
func (d *Draft) remarks() string {
	if d.means() == "" {
		return ""
	}
	r := &Result{Diagnostics: d.static(), Model: Model{Incomplete: "nothing was explored"}}
	var b strings.Builder
	for _, said := range r.finish(d).Diagnostics {
		fmt.Fprintf(&b, "%s %s %s %t\n", said.Code, said.Subject, said.Class, said.Accepted != "")
	}
	return b.String()
}

// key is all that a question comes to, besides what both drafts mean.
func (q question) key(head *Draft) string {
	text := fmt.Sprintf("%t %t", q.asker == head, q.waived)
	if q.promise != nil {
		text += fmt.Sprintf(" promise %q", q.asker.promise(q.promise))
	}
	if q.check != nil {
		text += fmt.Sprintf(" check %q %q", q.check.Code, q.check.Subject)
	}
	if q.final != nil {
		text += fmt.Sprintf(" final %q", q.asker.meaning(q.final))
	}
	return text + "\n"
}

// key is of something about texts that differ in words alone.
func (s *sharing) key(what, of string) func() string {
	return func() string { return what + " " + s.form + " " + of }
}

// asking is of what the questions come to for a text of some meaning.
func (s *sharing) asking(digest string) func() string {
	return func() string { return "between " + digest + "\n" + s.asks }
}

// reads remembers what the text of an attempt means.
func (t *trial) reads(a *attempt) {
	if t.commons == nil {
		a.draft = nil
		return
	}
	t.meant[a.set.key()] = a.digest
	if a.draft != nil {
		t.own.put(a.draft.text(), a.draft.means())
	}
	a.draft = nil
}

// reading is what a set's text was said to mean.
func (s *sharing) reading(of set) string { return s.meant[of.key()] }

// confirmSet confirms what the text in which some changes are made was said to mean.
func (t *trial) confirmSet(made set) {
	t.confirm(func() edit.Text { return t.apply(made) }, t.reading(made))
}

// confirm reads a text of this contract's, unless that has been done, and holds it to what it was said to mean.
func (t *trial) confirm(text func() edit.Text, digest string) {
	if t.commons == nil || t.astray {
		return
	}
	own := text()
	means, read := t.own.get(own)
	if !read {
		means = t.head.redraft(own).means()
		t.own.put(own, means)
	}
	t.astray = means != digest
}

func (r *readings) put(text edit.Text, means string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[sumOf(text)] = means
}

func (r *readings) get(text edit.Text) (means string, read bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	means, read = r.of[sumOf(text)]
	return means, read
}

// sumOf is the SHA-256 of a text.
func sumOf(text edit.Text) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(text)) {
		fmt.Fprintf(h, "%q %d\n", name, len(text[name]))
		h.Write(text[name])
	}
	h.Sum(sum[:0])
	return sum
}
