package diff

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// fingerprint returns the SHA-256 of a change. It depends neither on places in the source nor on prose.
func (c Change) fingerprint() string {
	var b strings.Builder
	fmt.Fprintf(&b, "redline change 1\n%s %s %q %q\n", c.Action, c.Element, c.Name, c.Was)
	for _, t := range c.Terms {
		fmt.Fprintf(&b, "%s %q %q\n", t.Word, t.Was, t.Now)
	}
	return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(b.String())))
}
