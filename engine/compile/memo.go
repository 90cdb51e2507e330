package compile

import "sync"

// A commons holds what was found out, by all that it depends on. A nil one holds nothing.
type Memo struct {
	mu    sync.Mutex
	Found map[string]*answer
}

// An answer is one thing that was found out, or is being found out.
type answer struct {
	Mu    sync.Mutex
	Known bool
	Value any
}

func NewMemo() *Memo { return &Memo{Found: map[string]*answer{}} }

func (c *Memo) At(key string) *answer {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.Found[key]
	if a == nil {
		a = &answer{}
		c.Found[key] = a
	}
	return a
}
