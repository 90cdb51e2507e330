package delta

// numbers is a set of numbers below 2^64-1.
type numbers struct {
	table []uint64 // open addressing: a number plus 1; 0: none
	len   int
}

// add adds a number, and reports whether it is new.
func (n *numbers) add(number uint64) bool {
	if 2*n.len >= len(n.table) {
		n.grow()
	}
	if !n.insert(number + 1) {
		return false
	}
	n.len++
	return true
}

func (n *numbers) insert(entry uint64) bool {
	mask := uint64(len(n.table) - 1)
	at := scramble(entry) & mask
	for ; n.table[at] != 0; at = (at + 1) & mask {
		if n.table[at] == entry {
			return false
		}
	}
	n.table[at] = entry
	return true
}

func (n *numbers) grow() {
	old := n.table
	n.table = make([]uint64, max(64, 2*len(old)))
	for _, entry := range old {
		if entry != 0 {
			n.insert(entry)
		}
	}
}
