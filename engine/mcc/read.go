package mcc

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/redlinehq/redline/engine/ctl"
	"github.com/redlinehq/redline/engine/petri"
	"github.com/redlinehq/redline/engine/pnml"
)

// A question is a formula with its name.
type question struct {
	ID      string
	Formula *ctl.Formula
}

// maxDepth bounds the nesting of elements.
const maxDepth = 1000

// An element is an element of XML.
type element struct {
	name     string
	text     []byte
	children []*element
}

// word returns the text without the space around it.
func (e *element) word() string { return string(bytes.TrimSpace(e.text)) }

// Read reads a file of questions about a net, in order. It returns an error if the text is not XML, or names
// a place or transition that the net does not have.
func Read(r io.Reader, n *petri.Net) ([]question, error) {
	root, err := parse(r)
	if err != nil {
		return nil, fmt.Errorf("reading formulas: %w", err)
	}
	b := newBuilder(n)
	var list []question
	for _, p := range root.children {
		if p.name != "property" {
			continue
		}
		q, err := b.question(p)
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

// question reads one property. The id must be a single word, since it becomes part of an answer's line.
func (b *builder) question(p *element) (q question, err error) {
	var formulas []*element
	for _, c := range p.children {
		switch c.name {
		case "id":
			q.ID = c.word()
		case "formula":
			formulas = append(formulas, c)
		}
	}
	switch {
	case q.ID == "":
		return q, errors.New("a property has no id")
	case strings.ContainsFunc(q.ID, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }):
		return q, fmt.Errorf("the id %q is not a name", q.ID)
	case len(formulas) == 0:
		return q, fmt.Errorf("formula %s: there is none", q.ID)
	case len(formulas) > 1:
		return q, fmt.Errorf("formula %s: there are two", q.ID)
	}
	if q.Formula, err = b.only(formulas[0]); err != nil {
		return q, fmt.Errorf("formula %s: %w", q.ID, err)
	}
	return q, nil
}

func parse(r io.Reader) (*element, error) {
	d := xml.NewDecoder(r)
	d.CharsetReader = pnml.Charset
	root := &element{}
	stack := []*element{root}
	for {
		token, err := d.Token()
		if err == io.EOF {
			if len(root.children) != 1 {
				return nil, fmt.Errorf("%d elements at the top, expected 1", len(root.children))
			}
			return root.children[0], nil
		}
		if err != nil {
			return nil, err
		}
		top := stack[len(stack)-1]
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local}
			top.children = append(top.children, e)
			if stack = append(stack, e); len(stack) > maxDepth {
				return nil, fmt.Errorf("elements stand in each other %d deep", maxDepth)
			}
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.text = append(top.text, t...)
		}
	}
}

type builder struct {
	net         *petri.Net
	places      map[string]int
	transitions map[string]int
}

func newBuilder(n *petri.Net) *builder {
	b := &builder{n, map[string]int{}, map[string]int{}}
	for i, p := range n.Places {
		b.places[p.Name] = i
	}
	for i, t := range n.Transitions {
		b.transitions[t.Name] = i
	}
	return b
}

// only reads the formula in an element that contains exactly one.
func (b *builder) only(e *element) (*ctl.Formula, error) {
	if len(e.children) != 1 {
		return nil, fmt.Errorf("%s holds %d elements, expected 1", e.name, len(e.children))
	}
	return b.formula(e.children[0])
}

func (b *builder) formula(e *element) (*ctl.Formula, error) {
	switch e.name {
	case "conjunction":
		return b.all(e, ctl.And)
	case "disjunction":
		return b.all(e, ctl.Or)
	case "negation":
		return b.unary(e, ctl.Not)
	case "all-paths":
		return b.path(e, ctl.AX, ctl.AF, ctl.AG, ctl.AU)
	case "exists-path":
		return b.path(e, ctl.EX, ctl.EF, ctl.EG, ctl.EU)
	case "integer-le":
		return b.atMost(e)
	case "is-fireable":
		return b.fireable(e)
	case "deadlock":
		return &ctl.Formula{Op: ctl.Not, Left: &ctl.Formula{Op: ctl.EX, Left: &ctl.Formula{Op: ctl.True}}}, nil
	case "true":
		return &ctl.Formula{Op: ctl.True}, nil
	case "false":
		return &ctl.Formula{Op: ctl.False}, nil
	}
	return nil, fmt.Errorf("there is no formula <%s>", e.name)
}

func (b *builder) unary(e *element, op ctl.Op) (*ctl.Formula, error) {
	f, err := b.only(e)
	return &ctl.Formula{Op: op, Left: f}, err
}

func (b *builder) all(e *element, op ctl.Op) (*ctl.Formula, error) {
	list := make([]*ctl.Formula, len(e.children))
	for i, c := range e.children {
		var err error
		if list[i], err = b.formula(c); err != nil {
			return nil, err
		}
	}
	return some(e, op, list)
}

// some joins the operands of an element. There must be at least one.
func some(e *element, op ctl.Op, list []*ctl.Formula) (*ctl.Formula, error) {
	if len(list) == 0 {
		return nil, fmt.Errorf("an empty %s", e.name)
	}
	return joined(op, list, ctl.False), nil
}

func (b *builder) path(e *element, next, finally, globally, until ctl.Op) (*ctl.Formula, error) {
	if len(e.children) != 1 {
		return nil, fmt.Errorf("%s holds %d elements, expected 1", e.name, len(e.children))
	}
	switch c := e.children[0]; c.name {
	case "next":
		return b.unary(c, next)
	case "finally":
		return b.unary(c, finally)
	case "globally":
		return b.unary(c, globally)
	case "until":
		if len(c.children) != 2 || c.children[0].name != "before" || c.children[1].name != "reach" {
			return nil, fmt.Errorf("until holds something else than before and reach")
		}
		left, err := b.only(c.children[0])
		if err != nil {
			return nil, err
		}
		right, err := b.only(c.children[1])
		return &ctl.Formula{Op: until, Left: left, Right: right}, err
	default:
		return nil, fmt.Errorf("there is no path <%s>", c.name)
	}
}

// fireable returns the formula that one of the transitions can fire.
func (b *builder) fireable(e *element) (*ctl.Formula, error) {
	list := make([]*ctl.Formula, len(e.children))
	for i, c := range e.children {
		t, ok := b.transitions[c.word()]
		if !ok {
			return nil, fmt.Errorf("there is no transition %q", c.word())
		}
		list[i] = fireable(b.net, t)
	}
	return some(e, ctl.Or, list)
}

// fireable returns the formula that a transition can fire: the places it needs are marked.
func fireable(n *petri.Net, t int) *ctl.Formula {
	var list []*ctl.Formula
	for _, p := range slices.Concat(n.Transitions[t].In, n.Transitions[t].Read) {
		list = append(list, &ctl.Formula{Op: ctl.Atom, Name: n.Places[p].Name, Place: p})
	}
	return joined(ctl.And, list, ctl.True)
}

// atMost returns the comparison of two sums of tokens.
func (b *builder) atMost(e *element) (*ctl.Formula, error) {
	if len(e.children) != 2 {
		return nil, fmt.Errorf("integer-le holds %d elements, expected 2", len(e.children))
	}
	s := &sum{}
	if err := b.sum(e.children[0], 1, s); err != nil {
		return nil, err
	}
	if err := b.sum(e.children[1], -1, s); err != nil {
		return nil, err
	}
	return ctl.AtMost(s.weights, -s.constant), nil
}

type sum struct {
	weights  []ctl.Weight
	constant int
}

// largest bounds the absolute value of a constant, so that no sum overflows.
const largest = 1 << 31

func (b *builder) sum(e *element, sign int, s *sum) error {
	switch e.name {
	case "integer-constant":
		n, err := strconv.Atoi(e.word())
		if err != nil || n < -largest || n > largest {
			return fmt.Errorf("%q is not a number between %d and %d", e.word(), -largest, largest)
		}
		s.constant += sign * n
		return nil
	case "tokens-count":
		return b.tokens(e, sign, s)
	case "integer-sum", "integer-difference":
		return b.operands(e, sign, s)
	}
	return fmt.Errorf("there is no number <%s>", e.name)
}

// operands adds the operands of a sum, or subtracts the second of a difference from the first.
func (b *builder) operands(e *element, sign int, s *sum) error {
	difference := e.name == "integer-difference"
	switch {
	case len(e.children) == 0:
		return fmt.Errorf("an empty %s", e.name)
	case difference && len(e.children) != 2:
		return fmt.Errorf("%s holds %d elements, expected 2", e.name, len(e.children))
	}
	for i, c := range e.children {
		if difference && i == 1 {
			sign = -sign
		}
		if err := b.sum(c, sign, s); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) tokens(e *element, sign int, s *sum) error {
	if len(e.children) == 0 {
		return fmt.Errorf("an empty %s", e.name)
	}
	for _, c := range e.children {
		p, ok := b.places[c.word()]
		if !ok {
			return fmt.Errorf("there is no place %q", c.word())
		}
		s.weights = append(s.weights, ctl.Weight{Place: p, By: sign})
	}
	return nil
}
