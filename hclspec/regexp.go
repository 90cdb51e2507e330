package hclspec

import (
	"regexp"
	"sync"
)

// LazyRegexp returns a function that returns a regular expression, compiled at its first call. Classes of Unicode take long to compile, and every start
// of redline would wait for what a message on a mistake needs.
func LazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
