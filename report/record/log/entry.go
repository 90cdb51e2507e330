package log

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/redlinehq/redline/report/record"
)

// Refs is the prefix of the refs of entries. Entry n is at Refs and n in decimal digits.
const Refs = record.Refs + "log/"

// Most limits the number of records that one entry names.
const Most = 256

// maxPosition limits positions, so that a hostile ref can't name an absurd one.
const maxPosition = 1 << 30

// An Entry is an entry of a log.
type Entry struct {
	Position int
	Previous string // the digest of the entry before; empty for the first one
	First    string // the first commit of the branch whose records it names, where no earlier entry has that one
	Records  []Entered
}

// An Entered is a record that an entry names.
type Entered struct {
	Ref, Digest string // Digest is "sha256:..." of the statement
	Before      bool   // it was made before there was a log, so its place says nothing about its time
}

const title = "redline log 1\n"

// Encode returns the only text of an entry. A line has a word and its values.
func (e *Entry) Encode() []byte {
	b := fmt.Appendf(nil, "%sposition %d\n", title, e.Position)
	if e.Previous != "" {
		b = fmt.Appendf(b, "previous %s\n", e.Previous)
	}
	if e.First != "" {
		b = fmt.Appendf(b, "first %s\n", e.First)
	}
	for _, r := range e.Records {
		b = fmt.Appendf(b, "%s %s %s\n", r.word(), r.Ref, r.Digest)
	}
	return b
}

func (r Entered) word() string {
	if r.Before {
		return "before"
	}
	return "record"
}

// Digest returns the SHA-256 of the entry's text, as "sha256:" and hexadecimal digits.
func (e *Entry) Digest() string { return record.Sum(e.Encode()) }

// Ref returns the ref at which the entry belongs.
func (e *Entry) Ref() string { return Refs + strconv.Itoa(e.Position) }

// Genesis returns the first entry of the log of a repository with that first commit.
func Genesis(first string) *Entry { return &Entry{First: first} }

// Position returns the position that a ref names, or false if it names none.
func Position(ref string) (int, bool) {
	digits, below := strings.CutPrefix(ref, Refs)
	n, err := strconv.Atoi(digits)
	return n, below && err == nil && n >= 0 && n < maxPosition && strconv.Itoa(n) == digits
}

// Parse reads an entry. It returns an error for every text that Encode would not return for an entry of a log.
func Parse(text string) (*Entry, error) {
	lines, whole := strings.CutPrefix(text, title)
	if !whole {
		return nil, errors.New("it is no entry of a log")
	}
	e := &Entry{Position: -1}
	for one := range strings.Lines(lines) {
		if err := e.take(strings.Split(strings.TrimSuffix(one, "\n"), " ")); err != nil {
			return nil, err
		}
	}
	if string(e.Encode()) != text {
		return nil, errors.New("it is not written as redline writes entries of a log")
	}
	return e, e.validate()
}

// take reads the words of one line.
func (e *Entry) take(words []string) error {
	switch {
	case len(words) == 2 && words[0] == "position":
		e.Position, _ = strconv.Atoi(words[1]) // Parse compares what Encode makes of it
	case len(words) == 2 && words[0] == "previous" && record.IsDigest(words[1]):
		e.Previous = words[1]
	case len(words) == 2 && words[0] == "first" && record.IsCommit(words[1]):
		e.First = words[1]
	case len(words) == 3 && record.IsRef(words[1]) && record.IsDigest(words[2]):
		e.Records = append(e.Records, Entered{words[1], words[2], words[0] == "before"})
	default:
		return fmt.Errorf("an entry of a log has no line %.80q", strings.Join(words, " "))
	}
	return nil
}

func (e *Entry) validate() error {
	begins := e.Position == 0
	switch {
	case e.Position < 0 || e.Position >= maxPosition:
		return errors.New("it has no position")
	case begins != (e.Previous == ""):
		return errors.New("only the first entry has none before it")
	case begins && (e.First == "" || len(e.Records) > 0):
		return errors.New("the first entry names the first commit of the repository, and nothing else")
	case !begins && len(e.Records) == 0 || len(e.Records) > Most:
		return fmt.Errorf("it names %d records, where 1 to %d can be", len(e.Records), Most)
	}
	return nil
}
