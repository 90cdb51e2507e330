package history

import (
	"crypto/sha256"
	"encoding/hex"
	"hash/fnv"
	"strings"
	"time"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// waived is the verdict of a violated requirement whose violation a waiver in force accepts.
const waived = "waived"

// An entry is a record in short: some hundred bytes, however large the record is.
type entry struct {
	store.Name
	path     string // the contract's directory
	contract string // its own name
	commit   string
	when     time.Time // the commit's date
	author   string    // cut to what a table shows
	result   string    // passed, warned, failed
	relation string    // record.Change.Relation; empty: no change is recorded
	verdicts int       // that have changed
	store.Signature
	counts bool  // Keys.Accepts, or a record that counts names it as the one before
	place  place // on the branch

	tree    string
	tie     tie    // until the record before it is found
	prior   int32  // the row of that; none: it is not there
	waivers uint64 // a fingerprint of them
	asked   string // the verdict of the requirement that is asked about; empty: it has none
	flags   flags
	damaged bool
	note    []byte // until it is written
	noted   int64  // where it is
	size    int    // of it
}

// none is the absent row.
const none = -1

// A tie identifies the previous record.
type tie struct {
	before        string
	digest, named sum // its own digest, and the one it names for the previous record
}

// authorLength limits how many characters of a name a table shows.
const authorLength = 24

// A sum is a SHA-256.
type sum [sha256.Size]byte

// sumOf decodes "sha256:...".
func sumOf(digest string) (s sum) {
	_, _ = hex.Decode(s[:], []byte(strings.TrimPrefix(digest, "sha256:"))) // records are validated
	return s
}

// A reader makes entries. They are packed into rows at once, because their strings share memory with all of the record.
type reader struct {
	keys record.Keys
	only Filter
}

func (x *reader) read(f store.ReadResult) *entry {
	if f.Record == nil {
		return &entry{Name: f.Name, damaged: true}
	}
	return x.entry(f.Record)
}

func (x *reader) entry(r *store.Record) *entry {
	d := r.Draft()
	e := &entry{Name: store.Name{Ref: r.Ref, Object: r.Object}, path: cut(d.Path, mostPath), contract: cut(d.Name, mostPath), commit: d.Commit.ID,
		author: cut(d.Commit.Author, authorLength), result: strings.ToLower(r.Statement.Predicate.Result), tree: r.Tree, tie: tie{digest: sumOf(r.Digest())},
		prior: none, waivers: waiversOf(d), asked: verdictOf(d, x.only.Requirement)}
	e.when, _ = time.Parse(time.RFC3339, d.Commit.Committed) // records are validated
	e.Signature = store.SignatureOf(x.keys, r)
	if p := d.When.Previous; p != nil {
		e.tie.before, e.tie.named = p.Record, sumOf(p.Digest)
	} else {
		e.flags |= isFirst
	}
	if x.only.wants(d) {
		e.flags |= isWanted
		e.note = noteOf(d)
	}
	if c := d.When.Change; c != nil {
		e.relation, e.verdicts = cut(c.Relation, authorLength), len(c.Verdicts)
	}
	return e
}

// mostPath limits how much of a directory's name is kept, to git's own limit.
const mostPath = 4096

func cut(s string, limit int) string {
	n := 0
	for i := range s {
		if n++; n > limit {
			return s[:i] + "…"
		}
	}
	return s
}

// verdictOf returns a requirement's verdict, or "" if there is no such requirement.
func verdictOf(d *record.Draft, name string) string {
	for i := range d.Requirements {
		if q := &d.Requirements[i]; q.Name == name {
			return shownVerdict(q)
		}
	}
	return ""
}

func shownVerdict(q *record.Requirement) string {
	if q.Waived() {
		return waived
	}
	return q.Verdict
}

// waiversOf returns a fingerprint of the waivers, or 0 if there are none.
func waiversOf(d *record.Draft) uint64 {
	h := fnv.New64a()
	any := false
	for i := range d.Requirements {
		if w := d.Requirements[i].Waiver; w != nil {
			any = true
			for _, s := range []string{d.Requirements[i].Name, w.Approver, w.Reason, w.Expires, w.Run, w.State} {
				_, _ = h.Write(append([]byte(s), 0)) // never fails
			}
		}
	}
	if !any {
		return 0
	}
	return h.Sum64()
}
