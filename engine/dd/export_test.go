package dd

import "math/big"

// Count is the number of tuples of a set, however long it takes.
func (f *Forest) Count(a Node) (n *big.Int) {
	f.freely(func() { n = f.count([]Relation{Identity}, a) })
	return n
}
