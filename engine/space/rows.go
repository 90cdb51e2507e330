package space

import (
	"math/bits"
	"unsafe"
)

// pageSize is the approximate number of elements on a page of rows.
const pageSize = 1 << 13

// rows is a growing table of rows of equal width, kept in pages. Growth neither copies nor holds the old and the new table at once; only the
// first page starts small and doubles.
type rows[T any] struct {
	width int
	shift uint // a page holds 1<<shift rows
	len   int
	pages [][]T
}

func newRows[T any](width int) rows[T] {
	return rows[T]{width: width, shift: uint(bits.Len(uint(max(1, pageSize/width)))) - 1}
}

// At returns row i. The row stays valid, and unchanged, while the table grows.
func (r *rows[T]) At(i int) []T {
	from := (i & (1<<r.shift - 1)) * r.width
	return r.pages[i>>r.shift][from : from+r.width : from+r.width]
}

// push appends a row. Its error is that of the budget.
func (r *rows[T]) push(row []T, b *budget) error {
	page, err := r.nextPage(b)
	if err != nil {
		return err
	}
	*page = append(*page, row...)
	r.len++
	return nil
}

// nextPage returns the page of the next row, with capacity for it.
func (r *rows[T]) nextPage(b *budget) (*[]T, error) {
	i := r.len >> r.shift
	if i < len(r.pages) && len(r.pages[i])+r.width <= cap(r.pages[i]) {
		return &r.pages[i], nil
	}
	if i > 0 {
		return r.turn(b)
	}
	return r.widen(b)
}

// turn adds a page.
func (r *rows[T]) turn(b *budget) (*[]T, error) {
	if err := b.Claim(r.bytes(r.width << r.shift)); err != nil {
		return nil, err
	}
	r.pages = append(r.pages, make([]T, 0, r.width<<r.shift))
	return &r.pages[len(r.pages)-1], nil
}

// widen doubles the first page.
func (r *rows[T]) widen(b *budget) (*[]T, error) {
	if len(r.pages) == 0 {
		r.pages = append(r.pages, nil)
	}
	old := r.pages[0]
	size := min(r.width<<r.shift, max(2*cap(old), 8*r.width))
	if err := b.Claim(r.bytes(size)); err != nil {
		return nil, err
	}
	r.pages[0] = append(make([]T, 0, size), old...)
	b.Release(r.bytes(cap(old)))
	return &r.pages[0], nil
}

// span returns the elements from i up to j of a table of width 1. It copies them when they are on two pages or more.
func (r *rows[T]) span(i, j int) []T {
	if i == j {
		return nil
	}
	p, q, mask := i>>r.shift, (j-1)>>r.shift, 1<<r.shift-1
	if p == q {
		return r.pages[p][i&mask : (j-1)&mask+1 : (j-1)&mask+1]
	}
	whole := append(make([]T, 0, j-i), r.pages[p][i&mask:]...)
	for p++; p < q; p++ {
		whole = append(whole, r.pages[p]...)
	}
	return append(whole, r.pages[q][:(j-1)&mask+1]...)
}

func (r *rows[T]) bytes(elements int) int64 {
	var element T
	return int64(elements) * int64(unsafe.Sizeof(element))
}
