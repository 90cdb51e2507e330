// Package pnml reads and writes one-safe nets in the Petri Net Markup Language (ISO/IEC 15909-2).
//
// pnml.go has the results; scan.go reads the text, element by element; known.go lists what is read, skipped or refused; item.go and final.go
// interpret elements; build.go makes the net; write.go writes nets.
package pnml

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/redlinehq/redline/engine/petri"
)

// A Document is the net of a text, with the positions of its items.
type Document struct {
	Net                 *petri.Net // its places and transitions are named by their ids
	Title               string     // the net's name; may be empty
	Places, Transitions []Item     // by index
	Tools               tools      // with data of their own that were skipped
}

// tools are those tools that have data of their own in a text, which may mean something to them. By ISO/IEC 15909-2 these do not affect a net's meaning.
type tools struct {
	Names        []string // the first ones; empty: there are none
	More         bool     // there are others
	Line, Column int      // position of the first data
}

// An Item is a place or transition of the text.
type Item struct {
	Title        string // its name; may be empty
	Line, Column int    // position of its element, from 1, in bytes
}

// Called returns the name of an item for readers, given its id.
func (i Item) Called(id string) string {
	if i.Title == "" || i.Title == id {
		return id
	}
	return i.Title + " (" + id + ")"
}

// An Error is a mistake in a text, with its position.
type Error struct {
	Line, Column int // from 1, in bytes
	Err          error
}

func (e *Error) Error() string {
	return fmt.Sprintf("reading PNML: line %d, column %d: %v", e.Line, e.Column, e.Err)
}

// Unwrap returns the mistake without its position.
func (e *Error) Unwrap() error { return e.Err }

// ErrNotOneSafe reports that a place starts with more than one token, or that an arc has a weight above 1.
var ErrNotOneSafe = errors.New("only arcs of weight 1 are read")

// ErrUnsafeStart is the ErrNotOneSafe of a place that starts with more than one token. So the net is not one-safe, whatever follows.
var ErrUnsafeStart error = unsafeStart{}

type unsafeStart struct{}

func (unsafeStart) Error() string { return "not a one-safe net" }

// Is reports that it is an ErrNotOneSafe, too.
func (unsafeStart) Is(target error) bool { return target == ErrNotOneSafe }

// stoppable is a reader that fails once a context has ended.
type stoppable struct {
	ctx  context.Context
	from io.Reader
}

func (s stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.from.Read(p)
}

// Stoppable returns a reader of r that fails with a context's cause once that has ended: large texts take long.
func Stoppable(ctx context.Context, r io.Reader) io.Reader { return stoppable{ctx, r} }

// Read returns the net that Decode reads.
func Read(r io.Reader) (*petri.Net, error) {
	doc, err := Decode(r)
	if err != nil {
		return nil, err
	}
	return doc.Net, nil
}

// Decode reads the only net of a document: places, transitions and arcs on all its pages, in the document's order. A place
// that a transition both consumes and produces becomes a read. Decode skips drawings and tools' own data. Any other unknown element or
// attribute is an error, since the net may mean something else without it. Errors come from r, or are an *Error. One wraps ErrNotOneSafe if
// an arc has a weight above 1 or occurs twice, or if a place starts with more than one token. Others mean that the text is not XML, is not a
// place/transition net, has arcs of other kinds, an unknown or ambiguous name, or is too large. Cost: linear in the text, and sorting the arcs.
func Decode(r io.Reader) (*Document, error) {
	s := newScanner(r)
	if err := s.scan(); err != nil {
		return nil, err
	}
	return s.build()
}
