package delta_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/redlinehq/redline/engine/delta"
)

// grid is the product of parties that each go round a circle of steps of their own, with their own
// labels, and may start over; edited states lose their last arc.
func grid(sizes []int, edited ...int) *delta.System {
	n := 1
	for _, size := range sizes {
		n *= size
	}
	s := &delta.System{First: []uint32{0}}
	for state := range n {
		unit, label := 1, uint32(1)
		for _, size := range sizes {
			at := state / unit % size
			s.Label = append(s.Label, label+uint32(at))
			s.Target = append(s.Target, uint32(state-at*unit+(at+1)%size*unit))
			unit, label = unit*size, label+uint32(size)
		}
		for _, e := range edited {
			if e == state {
				s.Label, s.Target = s.Label[:len(s.Label)-1], s.Target[:len(s.Target)-1]
			}
		}
		s.First = append(s.First, uint32(len(s.Label)))
	}
	return s
}

// plain is a product whose labels say only which party moves, so that states are harder to tell apart;
// the states of the border lack arcs.
func plain(sizes []int, edited ...int) *delta.System {
	s := grid(sizes)
	p := &delta.System{First: []uint32{0}}
	for state := range s.Len() {
		for i, a := 0, s.First[state]; a < s.First[state+1]; i, a = i+1, a+1 {
			gone := s.Target[a] < uint32(state)
			for _, e := range edited {
				gone = gone || e == state && i == len(sizes)-1
			}
			if !gone {
				p.Label, p.Target = append(p.Label, uint32(i+1)), append(p.Target, s.Target[a])
			}
		}
		p.First = append(p.First, uint32(len(p.Label)))
	}
	return p
}

// tangle is n states with arcs forward at random, of five labels; edited states lack theirs.
func tangle(n, reach int, edited ...int) *delta.System {
	r := rand.New(rand.NewPCG(3, 4))
	s := &delta.System{First: []uint32{0}}
	for state := range n {
		for range 5 {
			label, to := uint32(1+r.IntN(5)), state+1+r.IntN(reach)
			if to < n && !slices.Contains(edited, state) {
				s.Label, s.Target = append(s.Label, label), append(s.Target, uint32(to))
			}
		}
		s.First = append(s.First, uint32(len(s.Label)))
	}
	return s
}

// guess is a system that has a state for each of the last n letters, one of which it guesses: as a set of states,
// 2^n different ones.
func guess(n int, last uint32) *delta.System {
	s := &delta.System{First: []uint32{0, 3}, Label: []uint32{1, 1, 2}, Target: []uint32{0, 1, 0}}
	for state := 1; state <= n; state++ {
		for label := uint32(1); label <= 2 && state < n; label++ {
			s.Label, s.Target = append(s.Label, label), append(s.Target, uint32(state+1))
		}
		if state == n {
			s.Label, s.Target = append(s.Label, last), append(s.Target, 0)
		}
		s.First = append(s.First, uint32(len(s.Label)))
	}
	return s
}

func BenchmarkCompare(b *testing.B) {
	sizes := []int{12, 12, 12, 11, 11} // 209,088 states
	hidden := make([]uint32, 100)      // the first two parties are seen, the others are not
	for l := range 25 {
		hidden[l] = uint32(l)
	}
	for _, c := range []struct {
		name       string
		base, head *delta.System
		relabel    []uint32
		want       delta.Relation
	}{
		{"tangle/same", tangle(200000, 100), tangle(200000, 100), nil, delta.Same},
		{"tangle/edited", tangle(200000, 100), tangle(200000, 100, 100000), nil, delta.Unknown},
		{"tangle/hidden", tangle(200000, 100), tangle(200000, 100, 100000), []uint32{0, 1, 2, 3, 0, 0}, delta.Unknown},
		{"tangle/far", tangle(200000, 10000), tangle(200000, 10000, 199000), []uint32{0, 1, 2, 3, 0, 0}, delta.Same},
		{"guess", guess(40, 3), guess(40, 4), nil, delta.Unknown},
		{"circles/same", grid(sizes), grid(sizes), nil, delta.Same},
		{"circles/edited", grid(sizes), grid(sizes, 1000, 100000, 200000), nil, delta.Less},
		{"circles/hidden", grid(sizes), grid(sizes, 1000, 100000, 200000), hidden, delta.Same},
		{"border/same", plain(sizes), plain(sizes), nil, delta.Same},
		{"border/edited", plain(sizes), plain(sizes, 1000, 100000, 200000), nil, delta.Less},
		{"border/hidden", plain(sizes), plain(sizes, 1000, 100000, 200000), []uint32{0, 1, 2, 0, 0, 0}, delta.Same},
		{"flat/same", plain([]int{460, 460}), plain([]int{460, 460}), nil, delta.Same},
		{"flat/edited", plain([]int{460, 460}), plain([]int{460, 460}, 1000, 100000, 200000), nil, delta.Less},
		{"line/same", plain([]int{200000}), plain([]int{200000}), nil, delta.Same},
		{"line/edited", plain([]int{200000}), plain([]int{200000}, 100000), nil, delta.Less},
		{"line/silent", plain([]int{200000}), plain([]int{200000}, 100000), []uint32{0, 0}, delta.Same},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				p, err := delta.Join(context.Background(), c.base, c.head, delta.Limits{})
				if err != nil {
					b.Fatal(err)
				}
				a, err := p.Compare(context.Background(), delta.View{Relabel: c.relabel, Most: 5}, delta.Limits{Bytes: 512 << 20, Steps: 20e6})
				var limit *delta.LimitError
				if err != nil && !errors.As(err, &limit) || a.Relation != c.want {
					b.Errorf("%v, %v", a.Relation, err)
				}
			}
		})
	}
}
