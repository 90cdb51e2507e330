package compile

import "sync"

// A Memo caches results, keyed by everything they depend on. Contracts of one meaning share it during a review. It is safe for concurrent
// use; verify.Memoized accepts a nil one.
type Memo struct {
	mu      sync.Mutex
	Results map[string]*answer
}

// An answer is one cached result. Its mutex is held while the result is computed.
type answer struct {
	Mu    sync.Mutex
	Known bool
	Value any
}

// NewMemo returns an empty Memo.
func NewMemo() *Memo { return &Memo{Results: map[string]*answer{}} }

// At returns the entry for a key, and adds an empty one if there is none.
func (c *Memo) At(key string) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.Results[key]
	if a == nil {
		a = &answer{}
		c.Results[key] = a
	}
	return a
}
