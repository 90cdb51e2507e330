package verify

import (
	"context"
	"sync"
)

// A Version is one of two versions of a contract that are decided side by side. What only a list of states shows takes those of both. So if one has too many of them,
// the other needs none, either.
type Version struct {
	once  sync.Once
	large chan bool // whether diagrams have decided it, and it has too many states to list
	other *Version
}

// Versions returns both versions of a contract.
func Versions() (base, head *Version) {
	base, head = &Version{large: make(chan bool, 1)}, &Version{large: make(chan bool, 1)}
	base.other, head.other = head, base
	return base, head
}

// announce says once whether a version is large.
func (v *Version) announce(large bool) {
	if v != nil {
		v.once.Do(func() { v.large <- large })
	}
}

// otherIsLarge waits until the other version says whether it is large.
func (v *Version) otherIsLarge(ctx context.Context) bool {
	if v == nil {
		return false
	}
	select {
	case large := <-v.other.large:
		return large
	case <-ctx.Done():
		return false
	}
}
