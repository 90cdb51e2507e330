package checker

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
)

// A Certificate is a claim about a requirement of a contract, and sets of markings that prove it.
type Certificate struct {
	Contract    string // digest of the contract's meaning
	Requirement string // name
	Formula     string // canonical text, including the parties assumed to make progress
	Holds       bool   // the verdict
	Order       []int  // the places, in the order of the diagrams' levels
	Nodes       []Part // of diagrams: number i is the set i+2, after None and Blank
	Sets        [][]Ring
}

// A Part is a node of a diagram: a level, counted from the first place of the order, and its children.
type Part struct {
	Level     int
	Low, High Node
}

// A Ring is one of the sets of a temporal claim. What they have to satisfy depends on the claim's kind: see package certificate.
type Ring struct {
	Set   Node
	Actor int // the actor whose turn it is, counted from 0; -1: none
}

// magic begins a certificate. Numbers follow in 7 bits a byte, least first, and strings with their lengths. The end is the SHA-256 of
// everything before it, so that a truncated or damaged file is recognised as such.
const magic = "redline certificate 1\n"

// Limits of what Decode reads.
const (
	MaxBytes = 256 << 20
	maxText  = 1 << 20
)

// ErrIllFormed reports that a file is not a certificate.
var ErrIllFormed = errors.New("this is no certificate")

// Encode returns the encoding of a certificate: the same bytes for the same certificate.
func Encode(c *Certificate) []byte {
	b := []byte(magic)
	text := func(s string) { b = append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	number := func(n int) { b = binary.AppendUvarint(b, uint64(n)) }
	text(c.Contract)
	text(c.Requirement)
	text(c.Formula)
	number(bit(c.Holds))
	number(len(c.Order))
	for _, p := range c.Order {
		number(p)
	}
	number(len(c.Nodes))
	for i, n := range c.Nodes { // numbers of children are relative, since they are near
		number(n.Level)
		number(i + 2 - int(n.Low))
		number(i + 2 - int(n.High))
	}
	number(len(c.Sets))
	for _, rings := range c.Sets {
		number(len(rings))
		for _, r := range rings {
			number(int(r.Set))
			number(r.Actor + 1)
		}
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// Decode reads a certificate. It takes memory in proportion to the size of the data. Its errors wrap ErrIllFormed.
func Decode(data []byte) (*Certificate, error) {
	if len(data) > MaxBytes {
		return nil, fmt.Errorf("%w: it is larger than %d bytes", ErrIllFormed, MaxBytes)
	}
	end := len(data) - sha256.Size
	if end < len(magic) || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: it does not begin as one", ErrIllFormed)
	}
	if sha256.Sum256(data[:end]) != [sha256.Size]byte(data[end:]) {
		return nil, fmt.Errorf("%w: it is damaged: its checksum is not that of its content", ErrIllFormed)
	}
	r := &reader{data: data[len(magic):end]}
	c := r.certificate()
	if r.err == nil && len(r.data) > 0 {
		r.fail("there is more after its end")
	}
	if r.err != nil {
		return nil, r.err
	}
	return c, nil
}

// A reader reads numbers until one is malformed; all later ones are 0.
type reader struct {
	data []byte
	err  error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrIllFormed, fmt.Sprintf(format, args...))
	}
	r.data = nil
}

// number reads a number below a limit, in its shortest form.
func (r *reader) number(what string, below int) int {
	n, size := binary.Uvarint(r.data)
	if size <= 0 || size > 1 && r.data[size-1] == 0 || n >= uint64(below) {
		r.fail("%s is out of bounds", what)
		return 0
	}
	r.data = r.data[size:]
	return int(n)
}

// count reads the number of items that each take at least size bytes.
func (r *reader) count(what string, size int) int {
	return r.number(what, len(r.data)/size+1)
}

func (r *reader) text(what string) string {
	n := r.number("the length of "+what, maxText)
	if n > len(r.data) {
		r.fail("%s is cut short", what)
		return ""
	}
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

func (r *reader) certificate() *Certificate {
	c := &Certificate{Contract: r.text("the contract's digest"), Requirement: r.text("the requirement's name"), Formula: r.text("the formula")}
	c.Holds = r.number("the verdict", 2) == 1
	r.order(c)
	r.nodes(c)
	r.sets(c)
	return c
}

// order reads a permutation.
func (r *reader) order(c *Certificate) {
	c.Order = make([]int, r.count("the number of places", 1))
	seen := make([]bool, len(c.Order))
	for i := range c.Order {
		p := r.number("a place", len(c.Order))
		if r.err == nil && seen[p] {
			r.fail("a place comes twice")
		}
		if r.err != nil {
			return
		}
		c.Order[i], seen[p] = p, true
	}
}

func (r *reader) nodes(c *Certificate) {
	n := r.count("the number of nodes", 3)
	if n >= 1<<31-2 {
		r.fail("there are too many nodes")
		return
	}
	c.Nodes = make([]Part, n)
	for i := range c.Nodes {
		id := i + 2
		level := r.number("a node's level", len(c.Order))
		low, high := Node(id-r.number("a node's branch", id+1)), Node(id-r.number("a node's branch", id+1))
		if r.err == nil && (low == Node(id) || high == Node(id) || high == None || c.levelOf(low) <= level || c.levelOf(high) <= level) {
			r.fail("a node does not stand above its branches")
		}
		if r.err != nil {
			return
		}
		c.Nodes[i] = Part{level, low, high}
	}
}

func (c *Certificate) levelOf(n Node) int {
	if n <= Blank {
		return len(c.Order)
	}
	return c.Nodes[n-2].Level
}

func (r *reader) sets(c *Certificate) {
	c.Sets = make([][]Ring, r.count("the number of sets", 1))
	for i := range c.Sets {
		c.Sets[i] = make([]Ring, r.count("the number of rings", 2))
		for j := range c.Sets[i] {
			c.Sets[i][j] = Ring{Set: Node(r.number("a set", len(c.Nodes)+2)), Actor: r.number("an actor", 1<<31) - 1}
		}
		if r.err != nil {
			return
		}
	}
}
