package blame

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/redlinehq/redline/engine/compile"
	"github.com/redlinehq/redline/engine/explain"
	"github.com/redlinehq/redline/engine/finding"
	"github.com/redlinehq/redline/engine/verify"
	"github.com/redlinehq/redline/hclspec/edit"
)

// How a search for what is to blame shares with contracts of one meaning: what a text in between means is known to
// all whose texts differ in words alone; what comes of a meaning, to all that have it. What is then shown
// of a contract is read in its own text first, and has to mean what was asked and checked.
type sharing struct {
	commons *compile.Memo     // nil: with nobody
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
func (t *Trial) share(c *compile.Memo) {
	if c == nil {
		return
	}
	var asks strings.Builder
	for _, q := range t.Questions {
		asks.WriteString(q.key(t.Head))
	}
	t.sharing = sharing{commons: c, form: t.Diff.Form(Prose...), asks: asks.String(), meant: map[string]string{},
		own: &readings{of: map[[sha256.Size]byte]string{}}}
	t.own.put(t.Head.Text(), t.Head.Unnamed)
	t.own.put(t.Base.Text(), t.Base.Unnamed)
}

// Means is what a draft means but for its name; empty where that is nothing to make a state model of.
func Means(d *compile.Draft) string {
	if d.Spec == nil || d.Failure != "" {
		return ""
	}
	return d.Unnamed
}

// remarks is all that is said of a draft's text, beyond what it means; empty where it means nothing.
func remarks(d *compile.Draft) string {
	if Means(d) == "" {
		return ""
	}
	r := &finding.Result{Diagnostics: verify.StaticChecks(d), Model: finding.Model{Incomplete: "nothing was explored"}}
	var b strings.Builder
	for _, said := range explain.Finish(r, d).Diagnostics {
		fmt.Fprintf(&b, "%s %s %s %t\n", said.Code, said.Subject, said.Class, said.Accepted != "")
	}
	return b.String()
}

// key is all that a question comes to, besides what both drafts mean.
func (q Question) key(head *compile.Draft) string {
	text := fmt.Sprintf("%t %t", q.Asker == head, q.Waived)
	if q.Promise != nil {
		text += fmt.Sprintf(" promise %q", q.Asker.Promise(q.Promise))
	}
	if q.check != nil {
		text += fmt.Sprintf(" check %q %q", q.check.Code, q.check.Subject)
	}
	if q.final != nil {
		text += fmt.Sprintf(" final %q", q.Asker.Meaning(q.final))
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
func (t *Trial) reads(a *attempt) {
	if t.commons == nil {
		a.draft = nil
		return
	}
	t.meant[a.set.key()] = a.digest
	if a.draft != nil {
		t.own.put(a.draft.Text(), Means(a.draft))
	}
	a.draft = nil
}

// reading is what a set's text was said to mean.
func (s *sharing) reading(of set) string { return s.meant[of.key()] }

// confirmSet confirms what the text in which some changes are made was said to mean.
func (t *Trial) confirmSet(made set) {
	t.confirm(func() edit.Text { return t.Apply(made) }, t.reading(made))
}

// confirm reads a text of this contract's, unless that has been done, and holds it to what it was said to mean.
func (t *Trial) confirm(text func() edit.Text, digest string) {
	if t.commons == nil || t.astray {
		return
	}
	own := text()
	means, read := t.own.get(own)
	if !read {
		means = Means(t.Head.Redraft(own))
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
