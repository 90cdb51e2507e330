package store

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"
	"time"

	"github.com/redlinehq/redline/report/record"
)

// A Record is a record kept as a commit object. Its tree has the files of the draft, its parent is the previous record, and its message is
// the statement. Everyone with push access can write one: trust it only after its signature (Check) and its draft (Verification) have been
// checked.
type Record struct {
	Ref       string // its name
	Object    string // the commit's id
	Tree      string // the draft's files
	Parent    string // the object of the previous record; empty: it is the first one
	Statement *record.Statement
	keyID     string // of the key named as signer; empty: it is unsigned
	signature []byte

	digest  string // of the statement, if it was read
	payload []byte // the statement's bytes, if it was in an envelope
}

// Digest returns the SHA-256 of the statement's bytes, as Statement.digest does.
func (r *Record) Digest() string {
	if r.digest != "" {
		return r.digest
	}
	return record.Sum(r.written())
}

func (r *Record) written() []byte {
	if r.payload != nil {
		return r.payload
	}
	return r.Statement.Encode()
}

// Draft returns the part of the statement that describes the draft.
func (r *Record) Draft() *record.Draft { return r.Statement.Draft() }

const (
	ident   = "redline <redline@localhost>" // no person: the statement names the commit's author
	subject = "redline record"
	opening = "\n\n" + subject + "\n\n" // separates the commit's header from the statement
)

// Sealed validates the statement, sets the record's ref, signs it if there is a key, and returns the bytes of its commit object. Statement,
// Tree and Parent must be set.
func (r *Record) Sealed(k *record.Key) ([]byte, error) {
	if err := r.Statement.Validate(); err != nil {
		return nil, err
	}
	r.Ref, r.keyID = r.Statement.Ref(k.ID()), k.ID()
	_, r.signature = record.Wrap(r.Statement, k)
	raw := r.object()
	if len(raw) > record.MaxSize {
		return nil, fmt.Errorf("its record would have more than %d MiB", record.MaxSize>>20)
	}
	return raw, nil
}

// object returns the bytes of the commit.
func (r *Record) object() []byte {
	text := r.Statement.Encode()
	if r.keyID != "" {
		text = record.Sealed(text, r.keyID, r.signature)
	}
	return slices.Concat(r.head(), []byte(opening), text)
}

// head returns the commit's bytes up to its message.
func (r *Record) head() []byte {
	at, err := time.Parse(time.RFC3339, r.Draft().When.Attested)
	if err != nil {
		panic(err) // Lawful has checked it
	}
	b := make([]byte, 0, 512)
	b = append(append(b, "tree "...), r.Tree...)
	if r.Parent != "" {
		b = append(append(b, "\nparent "...), r.Parent...)
	}
	for _, who := range []string{"author", "committer"} {
		b = fmt.Appendf(b, "\n%s %s %d +0000", who, ident, at.Unix())
	}
	return b
}

// parse reads the commit of a ref, and refuses anything that redline would not have written there.
func parse(ref, id string, raw []byte) (*Record, error) {
	r, head, text, err := begin(ref, id, raw)
	if err != nil {
		return nil, err
	}
	payload, err := r.unseal(text)
	if err != nil {
		return nil, err
	}
	if r.Statement, err = record.DecodeStatement(payload); err != nil {
		return nil, err
	}
	r.digest = record.Sum(payload)
	if !bytes.Equal(r.head(), head) { // unseal and DecodeStatement have checked the rest
		return nil, errors.New("its commit is not as redline writes it")
	}
	return r, r.placed()
}

// drop returns the record's buffer to the pool. Its signature can't be checked afterwards.
func (r *Record) drop() {
	if r != nil && r.payload != nil {
		room := r.payload
		record.Texts.Put(&room)
		r.payload = nil
	}
}

// unseal returns the statement's bytes. Without an envelope they are part of text, and must not be kept.
func (r *Record) unseal(text []byte) (payload []byte, err error) {
	if payload, r.keyID, r.signature, err = record.Unseal(text); r.keyID != "" {
		r.payload = payload
	}
	return payload, err
}

// begin splits a commit into its header and the text of its statement, after checking its id.
func begin(ref, id string, raw []byte) (r *Record, head, text []byte, err error) {
	if got := objectID(len(id), raw); got != id {
		return nil, nil, nil, fmt.Errorf("the object was changed in place: its name says %s, its content %s", short(id), short(got))
	}
	r = &Record{Ref: ref, Object: id}
	head, text, ok := bytes.Cut(raw, []byte(opening))
	if !ok {
		return nil, nil, nil, errors.New("it is no record of redline's")
	}
	for line := range strings.SplitSeq(string(head), "\n") {
		if word, value, _ := strings.Cut(line, " "); word == "tree" {
			r.Tree = value
		} else if word == "parent" {
			r.Parent = value
		}
	}
	return r, head, text, nil
}

// placed checks that the record belongs at its ref, and that it has a parent if its statement names a previous record.
func (r *Record) placed() error {
	if want := r.Statement.Ref(r.keyID); r.Ref != want {
		return fmt.Errorf("it does not belong there: it is a record of %s at commit %s, or says something else than was recorded, and would be %s",
			r.Draft().Path, short(r.Draft().Commit.ID), want)
	}
	if (r.Parent == "") != (r.Draft().When.Previous == nil) {
		return errors.New("its commit and its statement do not agree on the record before it")
	}
	return nil
}

// objectID returns git's id of a commit object, in the object format that has so many digits.
func objectID(digits int, raw []byte) string {
	var h hash.Hash = sha1.New()
	if digits != 2*sha1.Size {
		h = sha256.New()
	}
	_, _ = fmt.Fprintf(h, "commit %d\x00", len(raw)) // never fails, nor the next
	_, _ = h.Write(raw)
	return hex.EncodeToString(h.Sum(nil))
}

// short returns the first 12 digits of an id, for messages.
func short(id string) string { return id[:min(len(id), 12)] }
