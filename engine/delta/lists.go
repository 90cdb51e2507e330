package delta

import "slices"

// A lists has numbered sorted lists. Equal lists have the same number.
type lists struct {
	*stepBudget
	elems []uint32 // the lists, concatenated
	ends  []uint32 // by list: its end in elems
	table []uint32 // open addressing: number of a list plus 1; 0: none
}

func newLists(m *stepBudget) lists { return lists{stepBudget: m, table: make([]uint32, 64)} }

// get returns list i.
func (l *lists) get(i uint32) []uint32 {
	if i == 0 {
		return l.elems[:l.ends[0]]
	}
	return l.elems[l.ends[i-1]:l.ends[i]]
}

// number returns the number of a list. A new list gets the number of lists so far.
func (l *lists) number(list []uint32) (uint32, error) {
	mask := uint64(len(l.table) - 1)
	at := mix(list) & mask
	for ; l.table[at] != 0; at = (at + 1) & mask {
		if i := l.table[at] - 1; slices.Equal(l.get(i), list) {
			return i, nil
		}
	}
	n := uint32(len(l.ends))
	if err := l.claim(4*len(list) + 25); err != nil {
		return 0, err
	}
	l.table[at] = n + 1
	l.elems, l.ends = append(l.elems, list...), append(l.ends, uint32(len(l.elems)+len(list)))
	if 2*len(l.ends) > len(l.table) {
		l.grow()
	}
	return n, l.tick(len(list))
}

func (l *lists) grow() {
	l.table = make([]uint32, 2*len(l.table))
	mask := uint64(len(l.table) - 1)
	for i := range l.ends {
		at := mix(l.get(uint32(i))) & mask
		for l.table[at] != 0 {
			at = (at + 1) & mask
		}
		l.table[at] = uint32(i) + 1
	}
}
