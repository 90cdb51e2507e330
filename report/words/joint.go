package words

import (
	"cmp"
	"slices"
)

// Near reports whether two patches touch each other: once one is applied, git refuses the other, since a line that it changes or has as context is no
// longer there.
func Near(a, b []Hunk) bool {
	return slices.ContainsFunc(a, func(x Hunk) bool {
		return slices.ContainsFunc(b, func(y Hunk) bool { return x.File == y.File && (x.in(&y) || y.in(&x)) })
	})
}

// span returns the first line of a hunk with its context, and that after its last.
func (h *Hunk) span() (from, to int) {
	return h.Line - len(h.before), h.Line + len(h.old) + len(h.after)
}

// in reports whether a hunk changes lines of another, or of its context, or adds some between them.
func (h *Hunk) in(other *Hunk) bool {
	from, to := other.span()
	end := h.Line + len(h.old)
	return max(h.Line, from) < min(end, to) || h.Line == end && from < end && end < to
}

// Joint returns one patch that does what several do. It reports false if they change the same lines in different ways.
func Joint(patches ...[]Hunk) ([]Hunk, bool) {
	all := slices.Concat(patches...)
	slices.SortStableFunc(all, func(a, b Hunk) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(len(a.old), len(b.old)))
	})
	all = slices.CompactFunc(all, func(a, b Hunk) bool {
		return a.File == b.File && a.Line == b.Line && slices.Equal(a.old, b.old) && slices.Equal(a.new, b.new)
	})
	var joint []Hunk
	for _, h := range all {
		from, _ := h.span()
		n := len(joint)
		if n > 0 && joint[n-1].File == h.File {
			before := &joint[n-1]
			end := before.Line + len(before.old)
			if _, to := before.span(); h.Line < end || h.Line == end && len(before.old)+len(h.old) == 0 {
				return nil, false
			} else if from < to {
				before.add(&h, end)
				continue
			}
		}
		joint = append(joint, h)
	}
	shift := map[string]int{}
	for i := range joint {
		h := &joint[i]
		h.now = h.Line + shift[h.File]
		shift[h.File] += len(h.new) - len(h.old)
	}
	return joint, true
}

// add takes a hunk into one that ends at a line further up, and whose context reaches its own.
func (h *Hunk) add(next *Hunk, end int) {
	between := slices.Clone(h.after[:min(len(h.after), next.Line-end)])
	if more := next.Line - end - len(between); more > 0 {
		between = append(between, next.before[len(next.before)-more:]...)
	}
	h.old = slices.Concat(h.old, between, next.old)
	h.new = slices.Concat(h.new, between, next.new)
	h.after, h.unended = next.after, next.unended
}
