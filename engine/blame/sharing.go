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

// sharedResults lets searches of contracts with one meaning share results. The meaning of a text in between is shared by contracts whose texts
// differ in words alone; the verdicts on a meaning are shared by all texts that have it. Before a result is reported for a contract, its
// own text is read and must have the meaning that was checked.
type sharedResults struct {
	memo   *compile.Memo     // nil: nothing is shared
	form   string            // of both texts
	asks   string            // the questions
	meant  map[string]string // meanings of texts, by set
	own    *readings
	astray bool // a text of this contract has another meaning
}

// readings has the meanings of texts of one contract.
type readings struct {
	mu sync.Mutex
	of map[[sha256.Size]byte]string
}

// share connects the trial to a memo, which may be nil.
func (t *Trial) share(c *compile.Memo) {
	if c == nil {
		return
	}
	var asks strings.Builder
	for _, q := range t.Questions {
		asks.WriteString(q.key(t.Head))
	}
	t.sharedResults = sharedResults{memo: c, form: t.Diff.Fingerprint(Prose...), asks: asks.String(), meant: map[string]string{},
		own: &readings{of: map[[sha256.Size]byte]string{}}}
	t.own.put(t.Head.Text(), t.Head.Unnamed)
	t.own.put(t.Base.Text(), t.Base.Unnamed)
}

// Means returns the meaning of a draft, as a digest without its name. It is empty if the draft cannot have a state model.
func Means(d *compile.Draft) string {
	if d.Spec == nil || d.Failure != "" {
		return ""
	}
	return d.Unnamed
}

// remarks returns the static diagnostics of a draft, as a text to compare; empty if the draft means nothing.
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

// key returns everything a question depends on besides the meanings of both drafts.
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

// key returns a memo key for texts that differ in words alone.
func (s *sharedResults) key(what, of string) func() string {
	return func() string { return what + " " + s.form + " " + of }
}

// asking returns the memo key for the answers to the questions on a text of a given meaning.
func (s *sharedResults) asking(digest string) func() string {
	return func() string { return "between " + digest + "\n" + s.asks }
}

// reads records the meaning of an attempt's text, and releases its draft.
func (t *Trial) reads(a *attempt) {
	if t.memo == nil {
		a.draft = nil
		return
	}
	t.meant[a.set.key()] = a.digest
	if a.draft != nil {
		t.own.put(a.draft.Text(), Means(a.draft))
	}
	a.draft = nil
}

// reading returns the recorded meaning of a set's text.
func (s *sharedResults) reading(of set) string { return s.meant[of.key()] }

// confirmSet confirms the recorded meaning of the text in which some changes are made.
func (t *Trial) confirmSet(made set) {
	t.confirm(func() edit.Text { return t.Apply(made) }, t.reading(made))
}

// confirm reads a text of this contract, unless that has been done, and sets astray if its meaning is not the given one.
func (t *Trial) confirm(text func() edit.Text, digest string) {
	if t.memo == nil || t.astray {
		return
	}
	own := text()
	means, read := t.own.get(own)
	if !read {
		means = Means(t.redraft(own))
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

// sumOf returns the SHA-256 of a text.
func sumOf(text edit.Text) (sum [sha256.Size]byte) {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(text)) {
		fmt.Fprintf(h, "%q %d\n", name, len(text[name]))
		h.Write(text[name])
	}
	h.Sum(sum[:0])
	return sum
}
