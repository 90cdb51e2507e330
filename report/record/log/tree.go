package log

import "golang.org/x/mod/sumdb/tlog"

// A Tree is the Merkle tree of a log's entries. It keeps a hash for each power of two in its size only, and grows by an entry at a time.
type Tree struct {
	size   int
	hashes []tlog.Hash // of the complete subtrees, the largest first
}

// Add adds the text of the next entry.
func (t *Tree) Add(text []byte) {
	h := tlog.RecordHash(text)
	for n := t.size; n%2 == 1; n /= 2 {
		last := len(t.hashes) - 1
		h = tlog.NodeHash(t.hashes[last], h)
		t.hashes = t.hashes[:last]
	}
	t.hashes = append(t.hashes, h)
	t.size++
}

// Root returns the root hash (RFC 6962, section 2.1). It is the zero hash for an empty tree.
func (t *Tree) Root() (root tlog.Hash) {
	for i := len(t.hashes) - 1; i >= 0; i-- {
		if i == len(t.hashes)-1 {
			root = t.hashes[i]
		} else {
			root = tlog.NodeHash(t.hashes[i], root)
		}
	}
	return root
}
