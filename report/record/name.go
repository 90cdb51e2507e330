package record

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
)

// Refs is the prefix of all records' refs.
const Refs = "refs/redline/"

// textDigest returns the SHA-256 of the base names and digests of a contract's files, so that a moved directory keeps its digest.
func textDigest(files []Subject) string {
	var b strings.Builder
	b.WriteString("redline text 1\n")
	for _, f := range files {
		fmt.Fprintf(&b, "%s %q\n", f.Digest.SHA256, path.Base(f.Name))
	}
	return Sum([]byte(b.String()))
}

// DirOf returns the directory of a file's path in the repository; "." is its top.
func DirOf(name string) string { return path.Dir(name) }

// Files returns the subjects that are files: all but the composed model.
func (s *Statement) Files() []Subject {
	if n := len(s.Subject); n > 0 && s.Predicate.Draft.Model != "" {
		return s.Subject[:n-1]
	}
	return s.Subject
}

// Draft returns the part of the statement that describes the draft.
func (s *Statement) Draft() *Draft { return &s.Predicate.Draft }

// key returns the digest that a draft's records are filed under: of its model, or of its text if it is ill-formed.
func (d *Draft) key() string {
	if d.Model != "" {
		return strings.TrimPrefix(d.Model, "sha256:")
	}
	return strings.TrimPrefix(d.Text, "sha256:")
}

// Bare returns a copy of the draft without the fields that may differ when the same findings are made again: the format, the time, the day, the
// settings (limits are terms of their own), and which of several methods answered first.
func (d *Draft) Bare() *Draft {
	b := *d
	b.Format = oldestFormat // as when records were first named
	b.When, b.Terms.Today, b.Terms.Settings, b.Size.Engine, b.Size.Incomplete = When{}, "", "", "", ""
	b.Requirements = slices.Clone(d.Requirements)
	for i := range b.Requirements {
		b.Requirements[i].Method, b.Requirements[i].Reason = "", ""
	}
	return &b
}

// runName returns the name of a run: the SHA-256 of all findings (Draft.Bare) and of the id of the signing key, empty for none. Equal findings
// about the same draft of the same commit thus get the same name, at any time.
func (s *Statement) runName(keyID string) string {
	bare := *s
	bare.Predicate.Draft, bare.Predicate.Configuration = *s.Draft().Bare(), nil
	text := Texts.Get().(*[]byte)
	defer Texts.Put(text)
	*text = appendTo(fmt.Appendf((*text)[:0], "redline record 1\n%s\n", keyID), &bare)
	return strings.TrimPrefix(Sum(*text), "sha256:")
}

// Texts is a pool of buffers for statements' text: without it they would be most of the garbage when records are read.
var Texts = sync.Pool{New: func() any { return new([]byte) }}

// Finding returns a digest that two statements share if they report the same of the same draft, at whatever commit.
func (s *Statement) Finding() string {
	bare := *s
	bare.Predicate.Draft.Commit = Commit{}
	return bare.runName("")
}

// Ref returns the name of the statement's record when signed by that key.
func (s *Statement) Ref(keyID string) string { return Refs + s.Draft().key() + "/" + s.runName(keyID) }
