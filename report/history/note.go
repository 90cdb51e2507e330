package history

import (
	"encoding/binary"

	"github.com/redlinehq/redline/report/record"
)

// A note holds what is shown of a draft besides its entry, as much as the longest format needs. One set of methods both writes and reads it.
type note struct {
	b       []byte
	reading bool
}

// noteOf encodes a draft.
func noteOf(d *record.Draft) []byte {
	n := note{b: make([]byte, 0, 1<<10)}
	n.draft(d)
	return n.b
}

// noted decodes a draft, as far as it is shown.
func noted(b []byte) *record.Draft {
	n, d := note{b, true}, &record.Draft{}
	n.draft(d)
	return d
}

func (n *note) draft(d *record.Draft) {
	c := &d.Commit
	n.texts(&d.Path, &d.Name, &d.Title, &d.Tool, &c.ID, &c.Author, &c.Authored, &c.Committed, &c.Subject, &d.When.Attested)
	maybe(n, &d.When.Previous, func(p *record.Previous) { n.texts(&p.Record) })
	maybe(n, &d.When.Change, n.change)
	list(n, &d.Requirements, n.requirement)
}

func (n *note) change(c *record.Change) {
	n.texts(&c.Relation, &c.Reason)
	for _, l := range []*[]string{&c.Text, &c.Possible, &c.Impossible} {
		list(n, l, func(s *string) { n.texts(s) })
	}
	list(n, &c.Verdicts, func(v *record.VerdictChange) { n.texts(&v.Name, &v.Was, &v.Now) })
}

func (n *note) requirement(q *record.Requirement) {
	n.texts(&q.Name, &q.Title, &q.Verdict, &q.Reason)
	maybe(n, &q.Waiver, func(w *record.Waiver) { n.texts(&w.Approver, &w.Reason, &w.Expires, &w.Run, &w.State) })
}

// texts writes or reads strings, each after its length.
func (n *note) texts(all ...*string) {
	for _, s := range all {
		size := n.count(len(*s))
		if n.reading {
			*s, n.b = string(n.b[:size]), n.b[size:]
		} else {
			n.b = append(n.b, *s...)
		}
	}
}

// count writes or reads a number, and returns it.
func (n *note) count(c int) int {
	if !n.reading {
		n.b = binary.AppendUvarint(n.b, uint64(c))
		return c
	}
	was, size := binary.Uvarint(n.b)
	n.b = n.b[size:]
	return int(was)
}

func list[T any](n *note, all *[]T, of func(*T)) {
	if size := n.count(len(*all)); n.reading {
		*all = make([]T, size)
	}
	for i := range *all {
		of(&(*all)[i])
	}
}

// maybe writes or reads an optional value.
func maybe[T any](n *note, p **T, of func(*T)) {
	there := 0
	if *p != nil {
		there = 1
	}
	if n.count(there) == 0 {
		return
	}
	if n.reading {
		*p = new(T)
	}
	of(*p)
}
