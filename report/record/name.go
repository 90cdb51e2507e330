package record

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// Refs is below what all records are, one ref each.
const Refs = "refs/redline/"

// TextDigest is the SHA-256 of the names and digests of a contract's files, whatever directory they are in: a draft has it
// anywhere.
func TextDigest(files []Subject) string {
	var b strings.Builder
	b.WriteString("redline text 1\n")
	for _, f := range files {
		fmt.Fprintf(&b, "%s %q\n", f.Digest.SHA256, path.Base(f.Name))
	}
	return Sum([]byte(b.String()))
}

func DirOf(name string) string { return path.Dir(name) }

// Files are the subjects that are files.
func (s *Statement) Files() []Subject {
	if n := len(s.Subject); n > 0 && s.Predicate.Draft.Model != "" {
		return s.Subject[:n-1]
	}
	return s.Subject
}

// Draft is what the statement says of the draft.
func (s *Statement) Draft() *Draft { return &s.Predicate.Draft }

// Key is the digest that a draft's records are kept under: of its model, or of its text where that means nothing.
func (d *Draft) Key() string {
	if d.Model != "" {
		return strings.TrimPrefix(d.Model, "sha256:")
	}
	return strings.TrimPrefix(d.Text, "sha256:")
}

// Bare is the draft without what may be another the next time that the same is found out of it: when that was, on which day, under which
// settings (the limits among them are terms of their own), and which of several methods was the first to answer.
func (d *Draft) Bare() *Draft {
	b := *d
	b.When, b.Terms.Today, b.Terms.Settings, b.Size.Engine, b.Size.Incomplete = When{}, "", "", "", ""
	b.Requirements = slices.Clone(d.Requirements)
	for i := range b.Requirements {
		b.Requirements[i].Method, b.Requirements[i].Reason = "", ""
	}
	return &b
}

// Run names a run: the SHA-256 of all that is found (bare), and of the key that signs it (empty: none). So whoever finds out the same of the
// same draft of the same commit makes a record of the same name, whenever that is.
func (s *Statement) Run(keyID string) string {
	bare := *s
	bare.Predicate.Draft, bare.Predicate.Configuration = *s.Draft().Bare(), nil
	text := Texts.Get().(*[]byte)
	defer Texts.Put(text)
	*text = appendedTo(fmt.Appendf((*text)[:0], "redline record 1\n%s\n", keyID), &bare)
	return strings.TrimPrefix(Sum(*text), "sha256:")
}

// Texts are written anew for each record that is read, or are its payload: most of what would have to be collected.
var Texts = sync.Pool{New: func() any { return new([]byte) }}

// Finding is what two records have in common that find the same of the same draft, at whatever commit.
func (s *Statement) Finding() string {
	bare := *s
	bare.Predicate.Draft.Commit = Commit{}
	return bare.Run("")
}

// Ref is the name of the record of the statement, signed by that key.
func (s *Statement) Ref(keyID string) string { return Refs + s.Draft().Key() + "/" + s.Run(keyID) }
