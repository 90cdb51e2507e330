package log

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"github.com/redlinehq/redline/report/record"
)

// A Checkpoint says which entries a log began with when the checkpoint was made.
type Checkpoint struct {
	Identity string // the digest of the first entry, in hexadecimal digits
	Size     int    // the number of entries
	Root     tlog.Hash
}

// origin begins the first line of a checkpoint, before the log's identity.
const origin = "redline/log/"

// signer is the name of every key in the notes that it signs. Keys are told apart by their hash, because names differ from one list to the next.
const signer = "redline"

func (c Checkpoint) text() string {
	return fmt.Sprintf("%s%s\n%d\n%s\n", origin, c.Identity, c.Size, c.Root)
}

// noteKey signs notes with a key of records.
type noteKey struct {
	note.Verifier
	key *record.Key
}

func (k noteKey) Sign(text []byte) ([]byte, error) { return k.key.Sign(text), nil }

func verifierOf(key ed25519.PublicKey) (note.Verifier, error) {
	text, err := note.NewEd25519VerifierKey(signer, key)
	if err != nil {
		return nil, err
	}
	return note.NewVerifier(text)
}

// Sign returns the checkpoint as a note that the key has signed. Without a key it is the text of the note only.
func (c Checkpoint) Sign(k *record.Key) ([]byte, error) {
	if k == nil {
		return []byte(c.text()), nil
	}
	v, err := verifierOf(k.Public())
	if err != nil {
		return nil, err
	}
	return note.Sign(&note.Note{Text: c.text()}, noteKey{v, k})
}

// A Found is a checkpoint that a text has.
type Found struct {
	Checkpoint
	Where  string // the file and the line
	Signed record.Signed
	By     string // the name of the key, if it is listed
}

// FindCheckpoints returns all checkpoints in a text, such as a mail or a release note: each has three lines, and its signatures follow after an empty one.
// Blanks and > before a line are ignored. It returns an error if there is none, or if one is not written as Sign writes it.
func FindCheckpoints(src []byte, file string, keys record.Keys) ([]Found, error) {
	lines := bytes.Split(src, []byte("\n"))
	for i, l := range lines {
		lines[i] = bytes.TrimLeft(bytes.TrimRight(l, " \t\r"), "> \t")
	}
	var list []Found
	for i, l := range lines {
		identity, ok := strings.CutPrefix(string(l), origin)
		if !ok {
			continue
		}
		f := Found{Where: fmt.Sprintf("%s:%d", file, i+1)}
		if len(lines) < i+3 || !f.read(identity, string(lines[i+1]), string(lines[i+2])) {
			return nil, fmt.Errorf("%s: a checkpoint has three lines: %sIDENTITY, the number of entries, and the root hash in base64", f.Where, origin)
		}
		var err error
		if f.Signed, f.By, err = signedBy(f.text(), lines[i+3:], keys); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Where, err)
		}
		list = append(list, f)
	}
	if list == nil {
		return nil, fmt.Errorf("%s has no checkpoint: 'redline checkpoint' prints one, whose first line begins with %s", file, origin)
	}
	return list, nil
}

// read reads a checkpoint's lines, and reports whether they are written as text writes them.
func (f *Found) read(identity, size, root string) bool {
	var err error
	if f.Size, err = strconv.Atoi(size); err != nil || f.Size < 1 || f.Size > maxPosition {
		return false
	}
	f.Identity = identity
	f.Root, err = tlog.ParseHash(root)
	return err == nil && record.IsDigest("sha256:"+identity) && f.text() == fmt.Sprintf("%s%s\n%s\n%s\n", origin, identity, size, root)
}

const dash = "— " // begins the line of a signature in a note

// signedBy checks the signatures after the text of a checkpoint, if there are any.
func signedBy(text string, rest [][]byte, keys record.Keys) (record.Signed, string, error) {
	if len(rest) < 2 || len(rest[0]) > 0 || !bytes.HasPrefix(rest[1], []byte(dash)) {
		return record.Unsigned, "", nil
	}
	message := []byte(text + "\n")
	for _, l := range rest[1:] {
		if !bytes.HasPrefix(l, []byte(dash)) {
			break
		}
		message = append(append(message, l...), '\n')
	}
	var known []note.Verifier
	names := map[uint32]string{}
	for _, v := range keys {
		k, err := verifierOf(v.Key)
		if err != nil {
			return 0, "", err
		}
		known, names[k.KeyHash()] = append(known, k), v.Name
	}
	n, err := note.Open(message, note.VerifierList(known...))
	var unknown *note.UnverifiedNoteError
	var forged *note.InvalidSignatureError
	switch {
	case errors.As(err, &unknown):
		return record.Unlisted, "", nil
	case errors.As(err, &forged):
		return record.Forged, names[forged.Hash], nil
	case err != nil:
		return 0, "", fmt.Errorf("the signature of a checkpoint: %w", err)
	}
	return record.Accepted, names[n.Sigs[0].Hash], nil
}
