// Package pnml reads and writes one-safe nets in the Petri Net Markup Language (ISO/IEC 15909-2).
//
// Read pnml.go (what comes out), scan.go (the text, element by element), known.go (what is read, passed over or refused), item.go and final.go (what an element says), build.go (the net); write.go is the way back.
package pnml

import (
	"errors"
	"fmt"
	"io"

	"github.com/redlinehq/redline/engine/petri"
)

// A Document is the one net of a text, and where it says what.
type Document struct {
	Net                 *petri.Net // its places, transitions and arcs are called by their ids
	Title               string     // the net's name; may be empty
	Places, Transitions []Item     // by index
	Tools               tools      // with data of their own that were passed over
}

// tools are those with data of their own in a text that may mean something to them. ISO/IEC 15909-2 has none of it in a net's meaning.
type tools struct {
	Names        []string // the first of them; empty: there are none
	More         bool     // there are others
	Line, Column int      // where the first stands
}

// An Item is what a text has of a place or transition besides.
type Item struct {
	Title        string // its name; may be empty
	Line, Column int    // where its element begins; from 1, in bytes
}

// Called is what a reader knows an item by whose id is given.
func (i Item) Called(id string) string {
	if i.Title == "" || i.Title == id {
		return id
	}
	return i.Title + " (" + id + ")"
}

// An Error says what is wrong with a text, and where.
type Error struct {
	Line, Column int // from 1, in bytes
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("reading PNML: line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap is what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotOneSafe says that a place starts with more than one token, or that an arc weighs more than 1.
var ErrNotOneSafe = errors.New("only arcs of weight 1 are read")

// ErrUnsafeStart is ErrNotOneSafe of a place that starts with more than one token: the net is not one-safe, whatever else it says.
var ErrUnsafeStart error = unsafeStart{}

type unsafeStart struct{}

func (unsafeStart) Error() string { return "not a one-safe net" }

// Is makes it an ErrNotOneSafe.
func (unsafeStart) Is(target error) bool { return target == ErrNotOneSafe }

// Read is the net of Decode.
func Read(r io.Reader) (*petri.Net, error) {
	doc, err := Decode(r)
	if err != nil {
		return nil, err
	}
	return doc.Net, nil
}

// Decode reads the one net of a document: places, transitions and arcs on all its pages, in the document's order. A place
// that a transition both consumes and produces is read. Drawing and tools' own data are passed over; any other element or attribute that is not read is an
// error, since the net may mean something else without it. Its errors are
// r's, or an *Error: one that wraps ErrNotOneSafe when an arc weighs more than 1 or stands twice, or a place starts with more than
// one token; others when the text is no XML, is no place/transition net, uses arcs of other kinds, has a name that is not
// known or not unique, or is too large. Its cost is the text's length, and sorting the arcs.
func Decode(r io.Reader) (*Document, error) {
	s := newScanner(r)
	if err := s.scan(); err != nil {
		return nil, err
	}
	return s.build()
}
