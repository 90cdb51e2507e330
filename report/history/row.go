package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"

	"github.com/redlinehq/redline/report/record"
	"github.com/redlinehq/redline/report/record/store"
)

// A row is an entry in a file, at a fixed width. Digests are stored as they are, strings as numbers of words.
type row []byte

// Offsets in a row. The last fields are written when all rows have been read.
const (
	refAt      = 0
	objectAt   = refAt + refSize
	commitAt   = objectAt + idSize
	treeAt     = commitAt + idSize
	beforeAt   = treeAt + idSize // the ref of the previous record
	namedAt    = beforeAt + refSize
	digestAt   = namedAt + sha256.Size
	waiversAt  = digestAt + sha256.Size
	whenAt     = waiversAt + 8
	zoneAt     = whenAt + 8
	verdictsAt = zoneAt + 4
	wordsAt    = verdictsAt + 4
	notedAt    = wordsAt + 4*wordsSize
	sizeAt     = notedAt + 8
	signedAt   = sizeAt + 4
	flagsAt    = signedAt + 1
	placeAt    = flagsAt + 1
	priorAt    = placeAt + 1
	rowSize    = priorAt + 4

	refSize   = 2 * sha256.Size
	idSize    = 1 + sha256.Size // the first byte tells git's formats apart
	wordsSize = 9
)

// flags are Boolean properties of a record.
type flags uint8

const (
	isFirst   flags = 1 << iota // it names no previous record
	isWanted                    // by its content
	isCounted                   // Keys.Accepts, or a record that counts names it as the one before
	isVouched                   // it is unsigned, and counts because of a later one
	isNews                      // its waivers differ from those of the previous record
	isChosen                    // it is selected
)

func (f flags) has(g flags) bool { return f&g != 0 }

// pack writes an entry into a row.
func (w *words) pack(r row, e *entry) {
	packRef(r[refAt:objectAt], e.Ref)
	packID(r[objectAt:commitAt], e.Object)
	packID(r[commitAt:treeAt], e.commit)
	packID(r[treeAt:beforeAt], e.tree)
	packRef(r[beforeAt:namedAt], e.tie.before)
	copy(r[namedAt:], e.tie.named[:])
	copy(r[digestAt:], e.tie.digest[:])
	binary.BigEndian.PutUint64(r[waiversAt:], e.waivers)
	_, zone := e.when.Zone()
	binary.BigEndian.PutUint64(r[whenAt:], uint64(e.when.Unix()))
	binary.BigEndian.PutUint32(r[zoneAt:], uint32(int32(zone)))
	binary.BigEndian.PutUint32(r[verdictsAt:], uint32(e.verdicts))
	for i, s := range e.words() {
		binary.BigEndian.PutUint32(r[wordsAt+4*i:], w.number(*s))
	}
	binary.BigEndian.PutUint64(r[notedAt:], uint64(e.noted))
	binary.BigEndian.PutUint32(r[sizeAt:], uint32(e.size))
	r.settle(state{flags: e.flags, place: e.place, prior: e.prior, signed: e.Signed})
}

// settle writes the fields that are known when all rows have been read.
func (r row) settle(s state) {
	r[signedAt], r[flagsAt], r[placeAt] = byte(s.signed), byte(s.flags), byte(s.place)
	binary.BigEndian.PutUint32(r[priorAt:], uint32(s.prior))
}

// unpack reads an entry from a row.
func (w *words) unpack(r row) *entry {
	e := &entry{Signature: store.Signature{Signed: r.signed()}, Name: store.Name{Ref: r.ref(refAt), Object: r.id(objectAt)}, commit: r.id(commitAt), tree: r.id(treeAt), flags: r.flags(), place: place(r[placeAt]), prior: r.prior(),
		waivers: binary.BigEndian.Uint64(r[waiversAt:]), verdicts: int(binary.BigEndian.Uint32(r[verdictsAt:])), when: r.date(),
		noted: int64(binary.BigEndian.Uint64(r[notedAt:])), size: int(binary.BigEndian.Uint32(r[sizeAt:]))}
	for i, s := range e.words() {
		*s = w.text[r.word(i)]
	}
	e.counts = e.flags.has(isCounted)
	return e
}

// These are numbers of words that are read on their own.
const pathWord, nameWord, keyWord, dayWord = 0, 1, 2, 3

// words returns the strings of an entry that many entries share.
func (e *entry) words() [wordsSize]*string {
	return [wordsSize]*string{&e.path, &e.contract, &e.Key, &e.Day, &e.author, &e.result, &e.relation, &e.By, &e.asked}
}

func (r row) ref(at int) string {
	var b [len(record.Refs) + 2*refSize + 1]byte
	n := copy(b[:], record.Refs)
	n += hex.Encode(b[n:], r[at:at+sha256.Size])
	b[n] = '/'
	hex.Encode(b[n+1:], r[at+sha256.Size:at+refSize])
	return string(b[:])
}

func (r row) id(at int) string {
	var b [2 * sha256.Size]byte
	return string(b[:hex.Encode(b[:], r[at+1:at+1+int(r[at])])])
}

func (r row) word(i int) uint32 { return binary.BigEndian.Uint32(r[wordsAt+4*i:]) }
func (r row) when() int64       { return int64(binary.BigEndian.Uint64(r[whenAt:])) }

// date returns the commit's date in the committer's zone.
func (r row) date() time.Time {
	return time.Unix(r.when(), 0).In(time.FixedZone("", int(int32(binary.BigEndian.Uint32(r[zoneAt:])))))
}

func (r row) signed() record.Signed { return record.Signed(r[signedAt]) }

func (r row) flags() flags { return flags(r[flagsAt]) }
func (r row) prior() int32 { return int32(binary.BigEndian.Uint32(r[priorAt:])) }

// same reports whether the row has the given bytes at an offset.
func (r row) same(at int, part []byte) bool { return bytes.Equal(r[at:at+len(part)], part) }

// packRef packs a record's ref, which has been validated.
func packRef(to []byte, ref string) {
	digest, run, _ := strings.Cut(strings.TrimPrefix(ref, record.Refs), "/")
	packDigest(to[:sha256.Size], digest)
	packDigest(to[sha256.Size:], run)
}

func packID(to []byte, id string) { to[0] = byte(packDigest(to[1:], id)) }

// packDigest packs as many digits as fit, and returns the number of bytes.
func packDigest(to []byte, digits string) int {
	clear(to)
	n, _ := hex.Decode(to, []byte(digits[:min(len(digits), 2*len(to))])) // records are validated
	return n
}

// idOf returns an object's id in its packed form.
func idOf(id string) []byte {
	b := make([]byte, idSize)
	packID(b, id)
	return b
}

// words numbers strings, each stored once.
type words struct {
	numbers map[string]uint32
	text    []string
}

// number returns the number of a string. It clones new ones, so that the text around them can be freed.
func (w *words) number(s string) uint32 {
	n, known := w.numbers[s]
	if !known {
		n, s = uint32(len(w.text)), strings.Clone(s)
		w.numbers[s], w.text = n, append(w.text, s)
	}
	return n
}
