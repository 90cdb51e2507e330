package load

import (
	"context"
	"errors"
	"testing"
	"testing/fstest"
)

// A brief is a context that is cancelled after it has been asked so many times.
type brief struct {
	context.Context
	left int
}

func (b *brief) Err() error {
	if b.left--; b.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestLoadEndsWithItsContext: wherever a Load is when its context ends, it ends with the cause and without a Source. It asks at least once for each block.
func TestLoadEndsWithItsContext(t *testing.T) {
	const text = `
contract "c" {}
template "t" {
  party "x" {
    state "a" {}
  }
}
phase "f" {
  template = t
  roles    = { x = q }
}
party "q" {
  state "a" {}
  state "b" {}
  transition "go" {
    from = a
    to   = b
  }
}
party "p" {
  count = 3
  state "a" {}
}
event "e" {
  sync = { q = go }
}
obligation "o" {
  bearer = q
  fulfil = e
}
requirement "r" {
  ctl = "EF q.b"
}
`
	files := fstest.MapFS{"a.contract.hcl": {Data: []byte(text)}, "b.contract.hcl": {Data: []byte("# nothing\n")}}
	for asked := 0; ; asked++ {
		src, err := DirUnless(&brief{context.Background(), asked}, files, ".", ".", nil, nil)
		if err == nil {
			if len(src.Diagnostics) > 0 || asked < 15 {
				t.Errorf("asked %d times: %v", asked, src.Diagnostics)
			}
			return
		}
		if !errors.Is(err, context.Canceled) || src != nil {
			t.Fatalf("after %d: %v, %v", asked, src, err)
		}
	}
}
