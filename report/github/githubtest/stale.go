package githubtest

import (
	"net/http"
	"slices"
	"time"
)

// lag is the age of a stale list.
const lag = 1500 * time.Millisecond

// A moment is what lists showed once.
type moment struct {
	until    time.Time
	comments []*Comment
	inline   []*ReviewComment
	reviews  []*review
}

// remember keeps what lists show now, just before something is written.
func (h *Hub) remember() {
	h.past = slices.DeleteFunc(h.past, func(m moment) bool { return h.now.Sub(m.until) > lag })
	h.past = append(h.past, moment{h.now, clones(h.comments), clones(h.inline), clones(h.reviews)})
}

func clones[T any](all []*T) []*T {
	copied := make([]*T, len(all))
	for i, one := range all {
		c := *one
		copied[i] = &c
	}
	return copied
}

// lagging carries an operation out. Where rows are to be stale, a list is what it was lag ago, if it was something else then; where they are
// to be there twice, it is both, now the one first and now the other.
func (h *Hub) lagging(c *call, op operation) reply {
	i := slices.IndexFunc(h.past, func(m moment) bool { return h.now.Sub(m.until) <= lag })
	if c.method != http.MethodGet || (c.fault != StaleRows && c.fault != TwiceRows) {
		return op.do(h, c)
	}
	then := moment{comments: h.comments, inline: h.inline, reviews: h.reviews}
	if i >= 0 && op.lists() {
		then = h.past[i]
	}
	switch {
	case c.fault == StaleRows:
		return h.at(then, func() reply { return op.do(h, c) })
	case len(h.log)%2 == 0:
		_ = h.at(then, func() reply { return op.do(h, c) })
		c.before = c.rows
		return op.do(h, c)
	}
	_ = op.do(h, c)
	c.before = c.rows
	return h.at(then, func() reply { return op.do(h, c) })
}

// at has something done as if it were then. It is for what changes nothing.
func (h *Hub) at(then moment, do func() reply) reply {
	comments, inline, reviews := h.comments, h.inline, h.reviews
	defer func() { h.comments, h.inline, h.reviews = comments, inline, reviews }()
	h.comments, h.inline, h.reviews = then.comments, then.inline, then.reviews
	return do()
}

// lists reports whether an operation lists what people have written. One thing by its id is never stale.
func (o operation) lists() bool {
	return slices.Contains([]string{"repo/issues/#/comments", "repo/pulls/#/comments", "repo/pulls/#/reviews"}, o.pattern)
}
